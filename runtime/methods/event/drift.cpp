#include "runtime/methods/event/drift.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/solvers/dense_matrix.hpp"
#include "runtime/state.hpp"
#include "runtime/view.hpp"

namespace nsmc::rt::event {

// Gaps and positions of the rows that hold them; false if all of them are rounding.
bool Drift::find_errors(double t, const double* q, const double* u) {
  constexpr double epsilon = 8 * std::numeric_limits<double>::epsilon();
  nsm_view view = view_at(system_, work_.shared.data(), t);
  rows_.clear();
  errors_.clear();
  position_error = 0;
  bool worth = false;
  for (const ContactRows& rows : work_.problem.contacts) {
    const ContactInfo& contact = system_.contacts()[rows.contact];
    const nsm_contact_class& type = *contact.type;
    const std::uint32_t normal = normal_unit(system_, modes_, rows.contact);
    if (type.n_position == 0 && (normal == NSM_NONE || modes_.units[normal].mode != Mode::hold)) continue;
    if (ended_[rows.contact] != 0) continue;
    look_at(view, system_, contact, q, u);
    values_.assign(std::max<std::size_t>(type.n_position, 1), 0);
    const std::uint32_t first = type.n_position > 0 ? 0 : type.normal;
    const double sign = type.n_position > 0 ? 1 : modes_.opening_sign[rows.contact];
    if (type.n_position > 0) {
      type.position(&view, values_.data());
    } else {
      type.gap(&view, values_.data());
      values_[0] -= modes_.gap_level[rows.contact];
    }
    const double coordinate = coordinate_size(system_, contact, q);
    for (std::uint32_t h = 0; h < values_.size(); ++h) {
      rows_.push_back({rows.first_row + first + h, 1, {1}});
      errors_.push_back(sign * values_[h]);
      worth = worth || std::abs(values_[h]) > epsilon * coordinate;
      if (type.n_position > 0 && std::abs(values_[h]) >= position_error) {
        position_error = std::abs(values_[h]);
        position_contact = rows.contact;
      }
    }
  }
  return worth;
}

// Lambda of the problem <- percussions that take the errors away.
void Drift::solve(Accelerations& at, const std::vector<double>& errors) {
  const ContactProblem& problem = at.problem();
  const auto m = static_cast<Eigen::Index>(rows_.size());
  fill_dense(problem, G_);
  A_.resize(m, m);
  mu_.resize(m);
  scale_.resize(m);
  for (Eigen::Index i = 0; i < m; ++i) {
    for (Eigen::Index j = 0; j < m; ++j) {
      A_(i, j) = 0;
      for (std::uint32_t a = 0; a < rows_[i].n; ++a) {
        for (std::uint32_t b = 0; b < rows_[j].n; ++b)
          A_(i, j) += rows_[i].part[a] * rows_[j].part[b] * G_(rows_[i].first + a, rows_[j].first + b);
      }
    }
    scale_[i] = A_(i, i) > 0 ? 1 / std::sqrt(A_(i, i)) : 1;
    mu_[i] = -errors[static_cast<std::size_t>(i)] * scale_[i];
  }
  A_.array().colwise() *= scale_.array();
  A_.array().rowwise() *= scale_.transpose().array();
  least_norm_.compute(A_);
  least_norm_.solve(mu_, mu_);
  mu_.array() *= scale_.array();
  std::fill(work_.problem.Lambda.begin(), work_.problem.Lambda.end(), 0.0);
  for (Eigen::Index i = 0; i < m; ++i) {
    for (std::uint32_t a = 0; a < rows_[i].n; ++a)
      work_.problem.Lambda[rows_[i].first + a] += rows_[i].part[a] * mu_[i];
  }
}

// Closed contacts that have passed the end of a face: an event, not an error.
void Drift::find_ended(double t, const double* q, const double* u) {
  nsm_view view = view_at(system_, work_.shared.data(), t);
  for (const ContactRows& rows : work_.problem.contacts) {
    const ContactInfo& contact = system_.contacts()[rows.contact];
    ended_[rows.contact] = 0;
    if (normal_unit(system_, modes_, rows.contact) == NSM_NONE) continue;
    look_at(view, system_, contact, q, u);
    double g = 0;
    contact.type->gap(&view, &g);
    ended_[rows.contact] = before_end_of_face(system_, work_, modes_, rows.contact, g, q, u) < 0 ? 1 : 0;
  }
}

Trouble Drift::project(Accelerations& at, double t, double* q, double* u) {
  if (const Trouble trouble = at.look(t, q, u)) return trouble;
  find_ended(t, q, u);
  for (int round = 0; round < 3 && find_errors(t, q, u); ++round) {
    solve(at, errors_);
    apply_percussions(system_, work_, 0, zeros_.data(), rate_.data());
    evaluate_displacement(system_, work_, t, q, rate_.data(), work_.q_rate.data());
    for (std::uint32_t k = 0; k < system_.n_q(); ++k) q[k] += work_.q_rate[k];
    normalise(system_, q);
    if (const Trouble trouble = at.look(t, q, u)) return trouble;
  }
  find_ended(t, q, u);  // positions have moved by next to nothing, but maybe over an end
  rows_.clear();
  errors_.clear();
  const bool bends = std::any_of(modes_.units.begin(), modes_.units.end(), [&](const Unit& unit) {
    return modes_.closed[unit.contact] != 0 && at.has_bends(unit);
  });
  const bool solved = bends && at.solve_modes();  // then velocities follow from the forces of the moment
  for (const ContactRows& rows : at.problem().contacts) {
    if (ended_[rows.contact] != 0) continue;
    const double* own = solved ? at.problem().Lambda.data() + rows.first_row
                               : modes_.lambda.data() + system_.contacts()[rows.contact].first_row;
    for (std::uint32_t k = modes_.first_unit[rows.contact]; k < modes_.first_unit[rows.contact + 1]; ++k) {
      const Unit& unit = modes_.units[k];
      const std::uint32_t row = rows.first_row + unit.row;
      if (!at.has_leverage(rows, unit)) continue;
      if (unit.mode == Mode::hold) {
        for (std::uint32_t h = 0; h < unit.dim; ++h) {
          if (at.is_compliant(row + h)) continue;
          rows_.push_back({row + h, 1, {1}});
          errors_.push_back(at.xi(row + h));
        }
      } else if (unit.mode == Mode::edge && unit.dim > 2) {
        if (at.is_compliant(row)) continue;
        const FlatFace& face = at.face_of(rows, unit, own);
        for (std::uint32_t j = 0; j < face.k; ++j) {
          rows_.push_back({row, face.n, {}});
          std::copy_n(face.basis[j], face.n, rows_.back().part);
          errors_.push_back(0);
          for (std::uint32_t h = 0; h < face.n; ++h) errors_.back() += face.basis[j][h] * at.xi(row + h);
        }
      } else if (unit.mode == Mode::edge) {
        const Accelerations::Edge edge = at.edge_of(rows, unit, own);
        const double slope = at.slope_on_edge(rows, unit, own);
        const double across[2] = {edge.along[0] - slope * edge.along[1], edge.along[1] + slope * edge.along[0]};
        rows_.push_back({row, 2, {across[0], across[1]}});
        errors_.push_back(across[0] * at.xi(row) + across[1] * at.xi(row + 1));
      }
    }
  }
  if (rows_.empty()) return {};
  solve(at, errors_);
  apply_percussions(system_, work_, 0, u, u);
  return {};
}

}  // namespace nsmc::rt::event
