// Forces of given modes: one equation for each row of the closed contacts,
//     hold   xi' = (G lambda + c)_i = 0
//     slip   lambda_i + x_i = 0, x_i the point of the set that xi_i exposes, which may depend on the forces of the
//     contact edge   t . xi'_i = 0 and n . (lambda_i + x_i) = 0, x_i a point of the edge or face with the directions t
//     along and n across it
// Most laws are linear in the forces of their contact, and two rounds of Newton's method are all there is. Where G is
// singular the forces are not determined; the solution nearest to modes.lambda is taken.
#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/methods/event/accelerations.hpp"
#include "runtime/sets/exposed_face.hpp"

namespace nsmc::rt::event {

// J row `to` += factor * row of G
void Accelerations::add_G(const ContactRows& rows, std::uint32_t local, double factor, std::uint32_t to) {
  const ContactProblem& problem = work_.problem;
  const double* g = problem.G.data() + rows.first_value + std::size_t{local} * rows.width;
  for (std::uint32_t n = 0; n < rows.n_runs; ++n) {
    const ColumnRun& run = problem.runs[rows.first_run + n];
    for (std::uint32_t k = 0; k < run.n_columns; ++k) J_(to, run.first_column + k) += factor * g[k];
    g += run.n_columns;
  }
}

namespace {

constexpr double force_step = 1e-4;  // of forces: of the differences in what arguments depend on
// Newton's steps, of the forces or of c_scale.
constexpr double settled_step = 1e-14, settled_of_c = 1e-15;
constexpr double rounded_step = 1e-12;   // a step that no longer shrinks
constexpr double no_mode_forces = 1e-7;  // of what is left, against forces and c_scale
constexpr int most_newton_steps = 25;

// Calls f(k, delta) for every force of the contact, with delta a step for finite differences.
template <class F>
void each_force(const std::vector<double>& own, std::uint32_t n, double scale, F&& f) {
  double size = scale;
  for (std::uint32_t k = 0; k < n; ++k) size = std::max(size, std::abs(own[k]));
  if (!(size > 0)) size = 1;
  for (std::uint32_t k = 0; k < n; ++k) f(k, force_step * size);
}

}  // namespace

// alpha lambda + end = 0: rows of a box share their alpha, and none of them can be moved along its ray by itself. At
// the corners of the box alpha may have a kink, of which central differences take the mean.
void Accelerations::scaled_interval_row(const ContactRows& rows, const Unit& unit, bool with_jacobian) {
  const std::uint32_t row = rows.first_row + unit.row;
  const bool upper = modes_.direction[system_.contacts()[rows.contact].first_row + unit.row] > 0;
  const auto off = [&](const double* own) {
    const ConvexSet set = set_of(rows, unit, own);
    return set.alpha() * own[unit.row] + exposed_end(set, unit.row_in_set, upper);
  };
  E_[row] = off(own_.data());
  if (!with_jacobian) return;
  each_force(own_, rows.n_rows, force_scale(rows, unit), [&](std::uint32_t n, double delta) {
    std::copy_n(own_.data(), rows.n_rows, shifted_.data());
    shifted_[n] = own_[n] + delta;
    const double above = off(shifted_.data());
    shifted_[n] = own_[n] - delta;
    J_(row, rows.first_row + n) += (above - off(shifted_.data())) / (2 * delta);
  });
}

void Accelerations::slip_row(const ContactRows& rows, const Unit& unit, bool with_jacobian) {
  const std::uint32_t row = rows.first_row + unit.row;
  const nsm_set& set = system_.contacts()[rows.contact].type->sets[unit.set];
  if (set.kind == NSM_SET_INTERVAL && set.scaled != 0) return scaled_interval_row(rows, unit, with_jacobian);
  slip_point(rows, unit, own_.data(), point_.data());
  for (std::uint32_t k = 0; k < unit.dim; ++k) E_[row + k] = lambda_[row + k] + point_[k];
  if (!with_jacobian) return;
  for (std::uint32_t k = 0; k < unit.dim; ++k) J_(row + k, row + k) += 1;
  const bool fixed = work_.problem.sets[rows.first_set + unit.set].constant;
  const bool compliant = compliant_[row] != 0;
  if (fixed && !compliant) return;
  each_force(own_, rows.n_rows, force_scale(rows, unit), [&](std::uint32_t n, double delta) {
    std::copy_n(own_.data(), rows.n_rows, shifted_.data());
    shifted_[n] += delta;
    double there[max_shifted_dim];
    slip_point(rows, unit, shifted_.data(), there);
    for (std::uint32_t k = 0; k < unit.dim; ++k) J_(row + k, rows.first_row + n) += (there[k] - point_[k]) / delta;
  });
}

void Accelerations::edge_row(const ContactRows& rows, const Unit& unit, bool with_jacobian) {
  const std::uint32_t row = rows.first_row + unit.row;
  const Edge edge = edge_of(rows, unit, own_.data());
  const double n[2] = {edge.along[1], -edge.along[0]};
  const double* all = lambda_.data();
  const double slope = slope_on_edge(rows, unit, own_.data());
  const double across[2] = {edge.along[0] - slope * n[0], edge.along[1] - slope * n[1]};
  E_[row] = across[0] * work_.problem.xi(rows, unit.row, all) + across[1] * work_.problem.xi(rows, unit.row + 1, all);
  const auto off_edge = [&](const double* own) {
    const Edge there = edge_of(rows, unit, own);
    const double alpha = set_of(rows, unit, own).alpha();
    return n[0] * (alpha * own[unit.row] + there.corner[0]) + n[1] * (alpha * own[unit.row + 1] + there.corner[1]);
  };
  E_[row + 1] = off_edge(own_.data());
  if (!with_jacobian) return;
  add_G(rows, unit.row, across[0], row);
  add_G(rows, unit.row + 1, across[1], row);
  if (work_.problem.sets[rows.first_set + unit.set].constant) {
    J_(row + 1, row) += n[0];
    J_(row + 1, row + 1) += n[1];
    return;
  }
  each_force(own_, rows.n_rows, force_scale(rows, unit), [&](std::uint32_t m, double delta) {
    std::copy_n(own_.data(), rows.n_rows, shifted_.data());
    shifted_[m] += delta;
    J_(row + 1, rows.first_row + m) += (off_edge(shifted_.data()) - E_[row + 1]) / delta;
  });
}

// Tangents hold the velocity, t . xi' = 0, and across them the force is that of the face, n . (alpha lambda + x) = 0.
void Accelerations::face_row(const ContactRows& rows, const Unit& unit, bool with_jacobian) {
  const std::uint32_t row = rows.first_row + unit.row;
  const FlatFace& face = face_of(rows, unit, own_.data());
  const auto off_face = [&](const double* own, double* off) {
    const ConvexSet set = set_of(rows, unit, own);
    const double alpha = set.alpha(), s = set.own()[0];
    double x[max_shifted_dim];
    for (std::uint32_t h = 0; h < unit.dim; ++h)
      x[h] = alpha * own[unit.row + h] + s * face.inner[h] + (set.centre() != nullptr ? set.centre()[h] : 0);
    for (std::uint32_t j = face.k; j < face.n; ++j) off[j] = face.along(x, j);
  };
  double off[max_shifted_dim], there[max_shifted_dim];
  off_face(own_.data(), off);
  for (std::uint32_t j = 0; j < face.n; ++j) {
    E_[row + j] = j < face.k ? 0 : off[j];
    if (modes_.ridges[unit.index].lost) E_[row + j] = std::numeric_limits<double>::quiet_NaN();
    for (std::uint32_t h = 0; j < face.k && h < face.n; ++h)
      E_[row + j] += face.basis[j][h] * work_.problem.xi(rows, unit.row + h, lambda_.data());
  }
  if (!with_jacobian) return;
  for (std::uint32_t j = 0; j < face.k; ++j) {
    for (std::uint32_t h = 0; h < face.n; ++h) add_G(rows, unit.row + h, face.basis[j][h], row + j);
  }
  if (work_.problem.sets[rows.first_set + unit.set].constant) {
    for (std::uint32_t j = face.k; j < face.n; ++j) {
      for (std::uint32_t h = 0; h < face.n; ++h) J_(row + j, row + h) += face.basis[j][h];
    }
    return;
  }
  each_force(own_, rows.n_rows, force_scale(rows, unit), [&](std::uint32_t m, double delta) {
    std::copy_n(own_.data(), rows.n_rows, shifted_.data());
    shifted_[m] += delta;
    off_face(shifted_.data(), there);
    for (std::uint32_t j = face.k; j < face.n; ++j) J_(row + j, rows.first_row + m) += (there[j] - off[j]) / delta;
  });
}

void Accelerations::equations(bool with_jacobian) {
  const ContactProblem& problem = work_.problem;
  if (with_jacobian) J_.setZero();
  for (const ContactRows& rows : problem.contacts) {
    std::copy_n(lambda_.data() + rows.first_row, rows.n_rows, own_.data());
    for (std::uint32_t k = modes_.first_unit[rows.contact]; k < modes_.first_unit[rows.contact + 1]; ++k) {
      const Unit& unit = modes_.units[k];
      const std::uint32_t row = rows.first_row + unit.row;
      const double D = problem.sets[rows.first_set + unit.set].D;
      const double root = D > 0 ? std::sqrt(D) : 1;
      for (std::uint32_t h = 0; h < unit.dim; ++h) {
        column_scale_[row + h] = 1 / root;
        row_scale_[row + h] = unit.mode == Mode::hold ? 1 / root : root;
      }
      switch (unit.mode) {
        case Mode::hold:
          for (std::uint32_t h = 0; h < unit.dim; ++h) {
            E_[row + h] = problem.xi(rows, unit.row + h, lambda_.data());
            if (with_jacobian) add_G(rows, unit.row + h, 1, row + h);
          }
          break;
        case Mode::slip: slip_row(rows, unit, with_jacobian); break;
        case Mode::edge:
          if (unit.dim == 2) {
            row_scale_[row] = 1 / root;
            edge_row(rows, unit, with_jacobian);
          } else {
            face_row(rows, unit, with_jacobian);
            std::fill_n(row_scale_.data() + row, modes_.ridges[k].answer.k, 1 / root);
          }
          break;
      }
    }
  }
  E_.array() *= row_scale_.array();
  if (!with_jacobian) return;
  J_.array().colwise() *= row_scale_.array();
  J_.array().rowwise() *= column_scale_.transpose().array();
}

void Accelerations::start_modes() {
  const auto n = static_cast<Eigen::Index>(work_.problem.n_rows());
  if (E_.size() != n) {
    E_.resize(n), lambda_.resize(n), row_scale_.resize(n), column_scale_.resize(n), correction_.resize(n);
    J_.resize(n, n);
  }
  for (Eigen::Index k = 0; k < n; ++k) lambda_[k] = work_.problem.Lambda[static_cast<std::size_t>(k)];
}

void Accelerations::find_determinacy() {
  modes_.determinate = true;
  if (work_.problem.n_rows() == 0) return;
  start_modes();
  equations(true);
  least_norm_.compute(J_);
  modes_.determinate = least_norm_.rank() == J_.rows();
}

bool Accelerations::solve_modes() {
  ContactProblem& problem = work_.problem;
  const auto n = static_cast<Eigen::Index>(problem.n_rows());
  if (n == 0) return true;
  start_modes();
  double last = std::numeric_limits<double>::infinity(), size = 0;
  bool renew = true;
  for (int round = 0; round < most_newton_steps; ++round) {
    equations(renew);
    if (renew) {
      if (modes_.determinate) {
        least_norm_.compute_regular(J_);
      } else {
        least_norm_.compute(J_);
      }
      renew = false;
    }
    least_norm_.solve(E_, correction_);
    lambda_ -= column_scale_.cwiseProduct(correction_);
    size = lambda_.cwiseQuotient(column_scale_).lpNorm<Eigen::Infinity>();
    const double change = correction_.lpNorm<Eigen::Infinity>();
    if (!std::isfinite(change)) return false;
    if (change <= settled_step * size + settled_of_c * problem.c_scale) break;
    if (round > 0 && change > 0.1 * last) {
      if (change <= rounded_step * size) break;  // rounding
      renew = true;
    }
    last = change;
  }
  for (Eigen::Index k = 0; k < n; ++k) problem.Lambda[static_cast<std::size_t>(k)] = lambda_[k];
  equations(false);
  return E_.lpNorm<Eigen::Infinity>() <= no_mode_forces * (size + problem.c_scale);
}

}  // namespace nsmc::rt::event
