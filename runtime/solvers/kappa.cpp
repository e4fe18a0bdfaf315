#include "runtime/solvers/kappa.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "runtime/solvers/dense_matrix.hpp"
#include "runtime/solvers/natural_residual.hpp"

namespace nsmc::rt {

KappaSolution solve_kappa(ContactProblem& problem, const SolverOptions& options) {
  KappaSolution result;
  ContactSolution& solution = result.solution;
  const auto n = static_cast<Eigen::Index>(problem.n_rows());
  if (n == 0) {
    solution.converged = true;
    return result;
  }
  Eigen::MatrixXd G;
  fill_dense(problem, G);
  // Rows and columns in the norm of natural_residual.hpp, so that units do not matter.
  Eigen::VectorXd scale(n);
  for (const SetBlock& s : problem.sets) {
    for (std::uint32_t h = 0; h < s.dim; ++h) scale[s.first_row + h] = s.D > 0 ? 1 / std::sqrt(s.D) : 1;
  }
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  qr.setThreshold(1e-10);
  qr.compute(scale.asDiagonal() * G * scale.asDiagonal());
  if (qr.rank() < n) {
    result.regular = false;
    for (Eigen::Index k = qr.rank(); k < n; ++k) {
      const auto column = static_cast<std::uint32_t>(qr.colsPermutation().indices()[k]);
      for (const ContactRows& rows : problem.contacts) {
        if (column >= rows.first_row && column < rows.first_row + rows.n_rows) result.dependent.push_back(rows.contact);
      }
    }
    std::sort(result.dependent.begin(), result.dependent.end());
    result.dependent.erase(std::unique(result.dependent.begin(), result.dependent.end()), result.dependent.end());
    return result;
  }
  const Eigen::MatrixXd H = scale.asDiagonal() * qr.inverse() * scale.asDiagonal();
  const Eigen::Map<const Eigen::VectorXd> c(problem.c.data(), n);
  Eigen::Map<Eigen::VectorXd> lambda(problem.Lambda.data(), n);
  Eigen::VectorXd xi = G * lambda + c;
  // Sets one after another, each with the newest accelerations, as in SORprox; 1/r bounds the eigenvalues of its
  // diagonal block of H. Where this does not settle, all r are halved.
  double factor = options.omega, best = std::numeric_limits<double>::infinity();
  const double H_scale = H.lpNorm<Eigen::Infinity>();
  for (int sweep = 1; sweep <= options.max_iterations && !options.asked_to_stop(); ++sweep) {
    solution.iterations = sweep;
    double change = 0, size = 0;
    for (const SetBlock& s : problem.sets) {
      const ContactRows& rows = problem.contacts[s.contact];
      double bound = 0;
      for (std::uint32_t h = 0; h < s.dim; ++h) {
        double sum = 0;
        for (std::uint32_t k = 0; k < s.dim; ++k) sum += std::abs(H(s.first_row + h, s.first_row + k));
        bound = std::max(bound, sum);
      }
      if (!(bound > 0)) bound = H_scale;
      const double r = factor / bound;
      if (!s.constant) problem.update_arguments(rows, *s.set, lambda.data());
      const ConvexSet set{s.set, problem.arguments.data() + rows.first_argument};
      const double alpha = set.alpha();
      for (std::uint32_t h = 0; h < s.dim; ++h) {
        problem.z[h] = alpha * (xi[s.first_row + h] / r - lambda[s.first_row + h]);
      }
      set.prox(problem.z.data());
      for (std::uint32_t h = 0; h < s.dim; ++h) {
        const std::uint32_t row = s.first_row + h;
        const double next = xi[row] - r * lambda[row] - r * problem.z[h] / alpha;
        const double step = next - xi[row];
        xi[row] = next;
        lambda += step * H.col(row);
        change = std::max(change, std::abs(step) * scale[row]);
        size = std::max(size, std::abs(lambda[row]) / scale[row]);
      }
    }
    if (!std::isfinite(change) || !std::isfinite(size)) {
      solution.finite = false;
      return result;
    }
    if (change <= options.tolerance * (size + 1e-15 * problem.c_scale) || sweep % 500 == 0) {
      lambda = H * (xi - c);  // without what the updates have gathered
      const NaturalResidual residual = natural_residual(problem, problem.Lambda.data());
      solution.residual = residual.value;
      solution.finite = residual.finite;
      solution.worst_contact = problem.contacts[problem.sets[residual.worst].contact].contact;
      solution.converged = residual.finite && residual.value <= options.tolerance;
      if (solution.converged || !solution.finite) return result;
      if (sweep % 500 == 0) {
        if (residual.value > 0.5 * best && factor > options.omega / 64) factor /= 2;
        best = std::min(best, residual.value);
      }
    }
  }
  return result;
}

}  // namespace nsmc::rt
