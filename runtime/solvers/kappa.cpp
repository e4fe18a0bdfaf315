#include "runtime/solvers/kappa.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/linear/few.hpp"
#include "runtime/linear/pivoted_inverse.hpp"
#include "runtime/solvers/ball_block.hpp"
#include "runtime/solvers/dense_matrix.hpp"
#include "runtime/solvers/iterate.hpp"

namespace nsmc::rt {

namespace {

// G is singular if a pivot is below this part of the largest, every row and column in units of its own diagonal.
constexpr double smallest_pivot = 1e-10;
// Of two diagonal elements: what counts as symmetric.
constexpr double skew = 1e-12;

// H = G^-1; nothing, and the contacts that are to blame, if there is none.
bool invert(const ContactProblem& problem, Eigen::MatrixXd& H, std::vector<std::uint32_t>& dependent) {
  Eigen::MatrixXd G;
  fill_dense(problem, G);
  const std::vector<Eigen::Index> columns = nsmc::rt::invert(G, smallest_pivot, H);
  if (columns.empty()) return true;
  for (const Eigen::Index k : columns) {
    const auto column = static_cast<std::uint32_t>(k);
    for (const ContactRows& rows : problem.contacts) {
      if (column >= rows.first_row && column < rows.first_row + rows.n_rows) dependent.push_back(rows.contact);
    }
  }
  std::sort(dependent.begin(), dependent.end());
  dependent.erase(std::unique(dependent.begin(), dependent.end()), dependent.end());
  return false;
}

// What a sweep has done, in the norm of natural_residual.hpp.
struct KappaSweep {
  double change = 0, size = 0;
};

// The iterations for xi. lambda, which is problem.Lambda, follows by lambda = H (xi - c).
class KappaIteration {
 public:
  KappaIteration(ContactProblem& problem, const Eigen::MatrixXd& H, bool jacobi)
      : p_(problem),
        H_(H),
        jacobi_(jacobi),
        c_(problem.c.data(), H.rows()),
        lambda_(problem.Lambda.data(), H.rows()),
        xi_(H.rows()),
        next_(H.rows()),
        largest_(H.lpNorm<Eigen::Infinity>()) {
    for (const ContactRows& rows : p_.contacts) {
      for (std::uint32_t h = 0; h < rows.n_rows; ++h) xi_[rows.first_row + h] = p_.xi(rows, h, p_.Lambda.data());
    }
    for (const SetBlock& s : p_.sets) {
      const bool by_rows = s.set->kind == NSM_SET_INTERVAL && s.set->scaled == 0;
      for (std::uint32_t h = 0; h < (by_rows ? s.dim : 1); ++h) {
        Piece piece{&s, s.first_row + h, by_rows ? 1 : s.dim, 0, {}};
        piece.r = 1 / inverse_r(piece);
        const bool exact = !jacobi && s.set->kind == NSM_SET_BALL && s.set->shifted == 0 && s.set->scaled == 0 &&
                           s.dim >= 2 && s.dim <= max_ball_block;
        if (exact) {
          const auto dim = static_cast<int>(s.dim);
          FewMatrix own(dim, dim);
          for (int i = 0; i < dim; ++i) {
            for (int j = 0; j < dim; ++j) own(i, j) = H(s.first_row + i, s.first_row + j);
          }
          piece.G = FewLu(own).inverse();
        }
        pieces_.push_back(std::move(piece));
      }
    }
  }

  KappaSweep sweep(double relaxation) {
    KappaSweep result;
    for (const Piece& piece : pieces_) {
      if (!(relaxation == 1 && solve_ball(piece))) take_step(piece, relaxation * piece.r);
      const double scale = piece.set->D > 0 ? 1 / std::sqrt(piece.set->D) : 1;
      for (std::uint32_t row = piece.first_row; row < piece.first_row + piece.dim; ++row) {
        const double step = next_[row] - xi_[row];
        result.change = std::max(result.change, std::abs(step) * scale);
        if (!(std::abs(step) < std::numeric_limits<double>::infinity())) result.change = std::abs(step);
        if (!jacobi_) {
          xi_[row] = next_[row];
          lambda_ += step * H_.col(row);
        }
        result.size = std::max(result.size, std::abs(lambda_[row]) / scale);
      }
      if (!std::isfinite(result.change)) return result;
    }
    if (jacobi_) {
      xi_ = next_;
      settle();
    }
    return result;
  }

  // lambda without what the updates have gathered.
  void settle() { lambda_ = H_ * (xi_ - c_); }

 private:
  // What has one r: a set, or one row of intervals, points among them. Rows of a contact may differ by orders of
  // magnitude (slip and spin), and no single r would suit them all.
  struct Piece {
    const SetBlock* set;
    std::uint32_t first_row, dim;
    double r;     // without relaxation
    FewMatrix G;  // H_ii^-1 of a ball that is solved exactly
  };

  // 1/r as (69), (70) of [Studer 2006] have it for G. Jacobi: over all columns, in units of the diagonal, since a sum
  // over forces and torques means nothing; one piece after another: its own columns.
  double inverse_r(const Piece& piece) const {
    double bound = 0;
    for (std::uint32_t h = piece.first_row; h < piece.first_row + piece.dim; ++h) {
      double sum = 0;
      if (jacobi_) {
        for (Eigen::Index k = 0; k < H_.cols(); ++k)
          sum += std::sqrt(std::abs(H_(h, h) / H_(k, k))) * std::abs(H_(h, k));
      } else {
        for (std::uint32_t k = piece.first_row; k < piece.first_row + piece.dim; ++k) sum += std::abs(H_(h, k));
      }
      bound = std::max(bound, sum);
    }
    return bound > 0 && bound < std::numeric_limits<double>::infinity() ? bound : largest_;
  }

  ConvexSet set_at(const SetBlock& s) {
    const ContactRows& rows = p_.contacts[s.contact];
    if (!s.constant) p_.update_arguments(rows, *s.set, lambda_.data());
    return {s.set, p_.arguments.data() + rows.first_argument};
  }

  // xi_i <- kappa(xi_i - r lambda_i, r) = xi_i - r lambda_i - r prox(xi_i/r - lambda_i), into next_.
  void take_step(const Piece& piece, double r) {
    const SetBlock& s = *piece.set;
    const ConvexSet set = set_at(s);
    const double alpha = set.alpha();
    for (std::uint32_t h = 0; h < s.dim; ++h) p_.z[h] = alpha * (xi_[s.first_row + h] / r - lambda_[s.first_row + h]);
    set.prox(p_.z.data());  // of intervals, row by row
    for (std::uint32_t row = piece.first_row; row < piece.first_row + piece.dim; ++row)
      next_[row] = xi_[row] - r * lambda_[row] - r * p_.z[row - s.first_row] / alpha;
  }

  // The inclusion of a ball with all other accelerations known, xi_i = H_ii^-1 lambda_i + const, solved exactly as sor
  // does it.
  bool solve_ball(const Piece& piece) {
    const FewMatrix& G = piece.G;
    if (G.rows == 0) return false;
    const SetBlock& s = *piece.set;
    const double R = set_at(s).own()[0];
    double local_c[max_ball_block], force[max_ball_block], values[max_ball_block * max_ball_block];
    for (std::uint32_t h = 0; h < s.dim; ++h) {
      local_c[h] = xi_[s.first_row + h];
      force[h] = lambda_[s.first_row + h];
      for (std::uint32_t k = 0; k < s.dim; ++k) {
        values[h * s.dim + k] = (G(h, k) + G(k, h)) / 2;
        if (std::abs(G(h, k) - G(k, h)) > skew * (std::abs(G(h, h)) + std::abs(G(k, k)))) return false;
        local_c[h] -= G(h, k) * lambda_[s.first_row + k];
      }
    }
    if (!solve_ball_block(values, s.dim, s.dim, local_c, R, force)) return false;
    for (std::uint32_t h = 0; h < s.dim; ++h) {
      double sum = local_c[h];
      for (std::uint32_t k = 0; k < s.dim; ++k) sum += G(h, k) * force[k];
      next_[s.first_row + h] = sum;
    }
    return true;
  }

  ContactProblem& p_;
  const Eigen::MatrixXd& H_;
  bool jacobi_;
  Eigen::Map<const Eigen::VectorXd> c_;
  Eigen::Map<Eigen::VectorXd> lambda_;
  Eigen::VectorXd xi_, next_;
  double largest_;
  std::vector<Piece> pieces_;
};

// Sweeps until the natural residual is within the tolerance, or nothing moves, or `rate` ends it. Where they do not
// settle, all r are halved.
ContactSolution solve_by_sweeps(ContactProblem& problem, const Eigen::MatrixXd& H, const SolverOptions& options,
                                bool jacobi, RateWatch* rate = nullptr) {
  ContactSolution solution;
  KappaIteration iteration(problem, H, jacobi);
  StagnationWatch watch;
  double factor = 1;
  const auto judge = [&] {
    iteration.settle();
    const NaturalResidual residual = natural_residual(problem, problem.Lambda.data());
    solution.residual = residual.value;
    solution.finite = residual.finite;
    solution.worst_contact = problem.contacts[problem.sets[residual.worst].contact].contact;
    solution.converged = residual.finite && residual.value <= options.tolerance;
  };
  while (solution.iterations < options.max_iterations && !options.asked_to_stop()) {
    ++solution.iterations;
    const KappaSweep sweep = iteration.sweep(options.omega * factor);
    if (!std::isfinite(sweep.change) || !std::isfinite(sweep.size)) {
      solution.finite = false;
      solution.residual = std::numeric_limits<double>::quiet_NaN();
      solution.worst_contact = problem.contacts[0].contact;
      return solution;
    }
    const double ratio = residual_ratio(sweep.change * sweep.change, sweep.size * sweep.size, problem.c_scale);
    if (ratio <= options.tolerance) {
      judge();
      if (solution.converged || !solution.finite) return solution;
      if (ratio <= 2 * std::numeric_limits<double>::epsilon()) break;
    }
    if (rate != nullptr && rate->gives_up(solution.iterations, ratio, options.tolerance)) break;
    if (watch.stagnates(sweep.change * sweep.change) && factor > 1.0 / 64) factor /= 2;
  }
  judge();
  return solution;
}

// Sweeps where they are quick, newton where they are not (automatic.cpp).
ContactSolution solve_automatically(ContactProblem& problem, const Eigen::MatrixXd& H, const SolverOptions& options) {
  RateWatch rate;
  const ContactSolution swept = solve_by_sweeps(problem, H, options, false, &rate);
  if (swept.converged || swept.iterations >= options.max_iterations) return swept;
  SolverOptions rest = options;
  rest.max_iterations -= swept.iterations;
  if (!swept.finite) std::fill(problem.Lambda.begin(), problem.Lambda.end(), 0.0);
  ContactSolution solution = solve_newton(problem, rest);
  solution.iterations += swept.iterations;
  return solution;
}

}  // namespace

KappaSolution solve_kappa(ContactProblem& problem, const SolverOptions& options) {
  KappaSolution result;
  if (problem.n_rows() == 0) {
    result.solution.converged = true;
    return result;
  }
  Eigen::MatrixXd H;
  result.regular = invert(problem, H, result.dependent);
  if (!result.regular) return result;
  ContactSolution& solution = result.solution;
  switch (options.kind) {
    case SolverKind::newton: solution = solve_newton(problem, options); break;
    case SolverKind::automatic: solution = solve_automatically(problem, H, options); break;
    case SolverKind::jor: solution = solve_by_sweeps(problem, H, options, true); break;
    default: solution = solve_by_sweeps(problem, H, options, false); break;
  }
  solution = examined(problem, options, solution);
  return result;
}

}  // namespace nsmc::rt
