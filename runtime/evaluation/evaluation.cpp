// From kernels to a contact problem.
#include "runtime/evaluation/evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/evaluation/contact_search.hpp"
#include "runtime/evaluation/form_bodies.hpp"
#include "runtime/evaluation/gap_slack.hpp"
#include "runtime/evaluation/signals.hpp"
#include "runtime/linear/cholesky.hpp"
#include "runtime/view.hpp"

namespace nsmc::rt {

namespace {

bool all_finite(const double* x, std::size_t n) {
  double sum = 0;  // 0 * x is 0 for finite x and NaN otherwise
  for (std::size_t k = 0; k < n; ++k) sum += 0 * x[k];
  return sum == 0;
}

bool is_diagonal(const BlockInfo& block) { return block.type->mass_structure == NSM_MASS_DIAGONAL; }

std::size_t mass_size(const BlockInfo& block) {
  return is_diagonal(block) ? block.n_u : std::size_t{block.n_u} * block.n_u;
}

// x <- M^-1 x for one block.
void solve_mass(const BlockInfo& block, const Workspace& work, double* x) {
  const double* factor = work.factor.data() + block.first_factor;
  if (is_diagonal(block)) {
    solve_diagonal(factor, block.n_u, x);
  } else {
    solve_dense(factor, block.n_u, x);
  }
}

Pivots<double> factor_mass(const BlockInfo& block, Workspace& work) {
  double* factor = work.factor.data() + block.first_factor;
  std::copy_n(work.dynamics.data() + block.first_dynamics, mass_size(block), factor);
  return is_diagonal(block) ? factor_diagonal(factor, block.n_u) : factor_dense(factor, block.n_u);
}

// M and h of one block without elements, and the factor of M.
Trouble evaluate_block(const System& system, Workspace& work, nsm_view& view, std::uint32_t b, const double* q,
                       const double* u) {
  const BlockInfo& block = system.blocks()[b];
  look_at(view, system, block, q, u);
  block.type->dynamics(&view, work.dynamics.data() + block.first_dynamics);
  if (work.mass_is_known[b] != 0) return {};
  const Pivots<double> pivots = factor_mass(block, work);
  if (!pivots.finite) return {StepStatus::not_finite, b, NSM_NONE};
  if (!pivots.positive) return {StepStatus::mass_not_positive_definite, b, NSM_NONE};
  work.mass_is_known[b] = block.type->constant_mass != 0 ? 1 : 0;
  return {};
}

// h of the blocks += forces of the elements.
void add_element_forces(const System& system, Workspace& work, nsm_view& view, const double* q, const double* u) {
  double* force = work.element_force.data();
  for (const ElementInfo& element : system.elements()) {
    look_at(view, system, element, q, u);
    element.type->force(&view, force);
    const double* f = force;
    for (std::uint32_t side = 0; side < element.n_blocks; ++side) {
      const BlockInfo& block = system.blocks()[element.blocks[side]];
      double* h = work.dynamics.data() + block.first_dynamics + mass_size(block);
      for (std::uint32_t k = 0; k < block.n_u; ++k) h[k] += f[k];
      f += block.n_u;
    }
  }
}

// M^-1 h of one block.
Trouble accelerate(const System& system, Workspace& work, std::uint32_t b) {
  const BlockInfo& block = system.blocks()[b];
  double* y = work.free_acceleration.data() + block.first_u;
  std::copy_n(work.dynamics.data() + block.first_dynamics + mass_size(block), block.n_u, y);
  solve_mass(block, work, y);
  if (!all_finite(y, block.n_u)) return {StepStatus::not_finite, b, NSM_NONE};
  return {};
}

// The closed contacts of every block, by position and ascending.
void sort_by_block(const System& system, Workspace& work) {
  std::uint32_t* first = work.block_first.data();
  const std::size_t n_blocks = system.blocks().size();
  std::fill_n(first, n_blocks + 1, 0u);
  const auto each_block = [&](auto&& visit) {
    for (std::uint32_t i = 0; i < work.closed.size(); ++i) {
      const ContactInfo& contact = system.contacts()[work.closed[i]];
      visit(contact.blocks[0], i);
      if (contact.n_blocks == 2 && contact.blocks[1] != contact.blocks[0]) visit(contact.blocks[1], i);
    }
  };
  each_block([&](std::uint32_t block, std::uint32_t) { ++first[block + 1]; });
  for (std::size_t b = 0; b < n_blocks; ++b) first[b + 1] += first[b];
  // first[b] is moved to the end of its list by filling, and back by shifting.
  each_block([&](std::uint32_t block, std::uint32_t i) { work.block_contacts[first[block]++] = i; });
  for (std::size_t b = n_blocks; b > 0; --b) first[b] = first[b - 1];
  first[0] = 0;
}

// The runs of columns of contact i: the closed contacts that share a block with it, in ascending order, from merging
// the lists of its blocks.
void find_runs(const Workspace& work, const ContactInfo& info, ContactProblem& problem, std::uint32_t i) {
  const std::uint32_t* list = work.block_contacts.data();
  std::uint32_t at = work.block_first[info.blocks[0]];
  const std::uint32_t end = work.block_first[info.blocks[0] + 1];
  const bool two = info.n_blocks == 2 && info.blocks[1] != info.blocks[0];
  std::uint32_t other = two ? work.block_first[info.blocks[1]] : 0;
  const std::uint32_t other_end = two ? work.block_first[info.blocks[1] + 1] : 0;
  problem.begin_columns(i);
  while (at < end || other < other_end) {
    std::uint32_t j;
    if (other >= other_end || (at < end && list[at] < list[other])) {
      j = list[at++];
    } else {
      j = list[other++];
      if (at < end && list[at] == j) ++at;
    }
    problem.add_columns(i, j);
  }
}

// g[h * width + k] += V_h^T X_k for the rows of one contact and the columns of another on a common block.
void add_product(const double* V, const double* X, std::size_t n_u, std::size_t n_rows, std::size_t n_columns,
                 std::size_t width, double* g) {
  for (std::size_t h = 0; h < n_rows; ++h) {
    const double* v = V + h * n_u;
    for (std::size_t k = 0; k < n_columns; ++k) {
      const double* x = X + k * n_u;
      double sum = 0;
      for (std::size_t n = 0; n < n_u; ++n) sum += v[n] * x[n];
      g[h * width + k] += sum;
    }
  }
}

// The stored rows of G of contact i.
void fill_G(const System& system, const Workspace& work, ContactProblem& problem, std::uint32_t i) {
  const ContactRows& rows = problem.contacts[i];
  const ContactInfo& row_contact = system.contacts()[rows.contact];
  const DirectionLayout& layout = system.layout(row_contact);
  const double* directions = work.directions_of(row_contact);
  double* g = problem.G.data() + rows.first_value;
  std::fill_n(g, std::size_t{rows.n_rows} * rows.width, 0.0);
  for (std::uint32_t n = 0; n < rows.n_runs; ++n) {
    const ColumnRun& run = problem.runs[rows.first_run + n];
    for (std::uint32_t j = run.first_contact; j < run.first_contact + run.n_contacts; ++j) {
      const ContactRows& columns = problem.contacts[j];
      const ContactInfo& column_contact = system.contacts()[columns.contact];
      const double* X = work.X_of(column_contact);
      for (std::uint32_t b = 0; b < column_contact.n_blocks; ++b) {
        const std::uint32_t n_u = system.blocks()[column_contact.blocks[b]].n_u;
        for (std::uint32_t a = 0; a < row_contact.n_blocks; ++a) {
          if (row_contact.blocks[a] != column_contact.blocks[b]) continue;
          add_product(directions + layout.V[a], X, n_u, rows.n_rows, columns.n_rows, rows.width, g);
        }
        X += std::size_t{n_u} * columns.n_rows;
      }
      g += columns.n_rows;
    }
  }
}

// Everything about the problem that follows from which contacts are closed: rows, sets, and the pattern of G.
void build_structure(const System& system, Workspace& work) {
  ContactProblem& problem = work.problem;
  problem.contacts.clear();
  problem.runs.clear();
  problem.sets.clear();
  std::uint32_t row = 0;
  std::size_t argument = 0;
  for (std::uint32_t i = 0; i < work.closed.size(); ++i) {
    const ContactInfo& contact = system.contacts()[work.closed[i]];
    const nsm_contact_class& type = *contact.type;
    ContactRows& rows = problem.contacts.emplace_back();
    rows.contact = work.closed[i];
    rows.type = &type;
    rows.first_row = row;
    rows.n_rows = type.n_rows;
    rows.first_set = static_cast<std::uint32_t>(problem.sets.size());
    rows.n_sets = type.n_sets;
    rows.n_arguments = type.n_arguments;
    rows.first_argument = argument;
    if (type.affine != 0) {
      const double* directions = work.directions_of(contact);
      rows.a = directions + system.layout(contact).a;
      rows.K = directions + system.layout(contact).K;
    } else if (type.n_arguments > 0) {
      rows.arguments = type.arguments;
    }
    for (std::uint32_t j = 0; j < type.n_sets; ++j) {
      SetBlock& block = problem.sets.emplace_back();
      block.set = type.sets + j;
      block.contact = i;
      block.first_row = row + block.set->first_row;
      block.dim = block.set->dim;
    }
    row += type.n_rows;
    argument += type.n_arguments;
  }
  problem.c.resize(row);
  problem.c_magnitude.resize(row);
  problem.Lambda.resize(row);

  sort_by_block(system, work);
  std::size_t n_values = 0;
  for (std::uint32_t i = 0; i < problem.contacts.size(); ++i) {
    ContactRows& rows = problem.contacts[i];
    find_runs(work, system.contacts()[rows.contact], problem, i);
    rows.first_value = n_values;
    n_values += std::size_t{rows.n_rows} * rows.width;
  }
  work.n_G_values = n_values;
  work.built_for.assign(work.closed.begin(), work.closed.end());
}

double slack_of(const System& system, const Workspace& work, const ContactRows& rows, const State& state,
                double velocity_scale) {
  const ContactProblem& problem = work.problem;
  const ContactInfo& contact = system.contacts()[rows.contact];
  double D = 0, velocity = 0, coordinate = 0;
  for (std::uint32_t j = 0; j < rows.n_sets; ++j) D = std::max(D, problem.sets[rows.first_set + j].D);
  for (std::uint32_t h = 0; h < rows.n_rows; ++h)
    velocity = std::max(velocity, problem.c_magnitude[rows.first_row + h]);
  for (std::uint32_t b = 0; b < contact.n_blocks; ++b) {
    const BlockInfo& block = system.blocks()[contact.blocks[b]];
    for (std::uint32_t k = 0; k < block.n_q; ++k)
      coordinate = std::max(coordinate, std::abs(state.q[block.first_q + k]));
  }
  return slack_of_gap(work.gap_slack[rows.contact], problem.dt, velocity, coordinate, velocity_scale, D);
}

}  // namespace

void evaluate_kinematics(const System& system, Workspace& work, double t, const double* q, const double* u,
                         double* q_rate) {
  evaluate_displacement(system, work, t, q, u, q_rate);
  evaluate_signal_rates(system, work, t, q, u, q_rate + system.first_z());
}

void evaluate_displacement(const System& system, Workspace& work, double t, const double* q, const double* u,
                           double* q_rate) {
  nsm_view view = view_at(system, work.shared.data(), t);
  for (const BlockInfo& block : system.blocks()) {
    if (block.type->identity_kinematics != 0) {
      std::copy_n(u + block.first_u, block.n_u, q_rate + block.first_q);
      continue;
    }
    look_at(view, system, block, q, u);
    block.type->kinematics(&view, q_rate + block.first_q);
  }
  std::fill_n(q_rate + system.first_z(), system.n_z(), 0.0);
}

Trouble evaluate_dynamics(const System& system, Workspace& work, double t, const double* q, const double* u) {
  nsm_view view = view_at(system, work.shared.data(), t);
  const auto n_blocks = static_cast<std::uint32_t>(system.blocks().size());
  // Without elements h is complete as soon as the block's own kernel has run, and its data are still in the cache.
  if (system.elements().empty()) {
    for (std::uint32_t b = 0; b < n_blocks; ++b) {
      if (const Trouble trouble = evaluate_block(system, work, view, b, q, u)) return trouble;
      if (const Trouble trouble = accelerate(system, work, b)) return trouble;
    }
    return {};
  }
  for (std::uint32_t b = 0; b < n_blocks; ++b) {
    if (const Trouble trouble = evaluate_block(system, work, view, b, q, u)) return trouble;
  }
  add_element_forces(system, work, view, q, u);
  for (std::uint32_t b = 0; b < n_blocks; ++b) {
    if (const Trouble trouble = accelerate(system, work, b)) return trouble;
  }
  return {};
}

Trouble evaluate_masses(const System& system, Workspace& work, double t, const double* q, const double* u,
                        std::span<const std::uint32_t> blocks) {
  nsm_view view = view_at(system, work.shared.data(), t);
  for (const std::uint32_t b : blocks) {
    // What the kernel would write besides is known already.
    if (work.mass_is_known[b] != 0 && work.shared.empty()) continue;
    if (const Trouble trouble = evaluate_block(system, work, view, b, q, u)) return trouble;
  }
  return {};
}

Trouble find_closed(const System& system, Workspace& work, double t, const double* q, const double* u) {
  nsm_view view = view_at(system, work.shared.data(), t);
  const std::span<const ContactInfo> contacts = system.contacts();
  if (work.search != nullptr && !work.search->covers(system, work, t, q)) return {StepStatus::beyond_candidates};
  work.closed.clear();
  work.forget_places();
  for (std::uint32_t i = 0; i < contacts.size(); ++i) {
    const ContactInfo& contact = contacts[i];
    if (contact.type->active != nullptr && !is_switched_on(system, view, contact, q, u)) continue;
    if (contact.type->gap != nullptr) {
      look_at(view, system, contact, q, u);
      double g = 0;
      contact.type->gap(&view, &g);
      work.gap[i] = g;
      if (std::isnan(g)) return {StepStatus::not_finite, NSM_NONE, i};
      if (g > work.gap_slack[i]) continue;
    }
    work.closed.push_back(i);
  }
  return {};
}

void evaluate_directions(const System& system, Workspace& work, double t, const double* q, const double* u,
                         std::span<const std::uint32_t> which) {
  work.make_places(system, which);
  nsm_view view = view_at(system, work.shared.data(), t);
  for (const std::uint32_t i : which) {
    const ContactInfo& contact = system.contacts()[i];
    const DirectionLayout& layout = system.layout(contact);
    look_at(view, system, contact, q, u);
    double* directions = work.directions_of(contact);
    contact.type->directions(&view, directions);
    double* X = work.X_of(contact);
    for (std::uint32_t b = 0; b < contact.n_blocks; ++b) {
      const BlockInfo& block = system.blocks()[contact.blocks[b]];
      std::copy_n(directions + layout.W[b], std::size_t{block.n_u} * contact.type->n_rows, X);
      for (std::uint32_t h = 0; h < contact.type->n_rows; ++h, X += block.n_u) solve_mass(block, work, X);
    }
  }
}

void evaluate_gaps(const System& system, Workspace& work, double t, const double* q, const double* u,
                   std::span<const std::uint32_t> which) {
  if (work.shared.empty()) return;
  nsm_view view = view_at(system, work.shared.data(), t);
  for (const std::uint32_t i : which) {
    const ContactInfo& contact = system.contacts()[i];
    if (contact.type->gap == nullptr) continue;
    look_at(view, system, contact, q, u);
    double ignored = 0;
    contact.type->gap(&view, &ignored);
  }
}

void evaluate_zeta(const System& system, Workspace& work, double t, const double* q, const double* u) {
  nsm_view view = view_at(system, work.shared.data(), t);
  for (const std::uint32_t i : work.closed) {
    const ContactInfo& contact = system.contacts()[i];
    if (contact.type->zeta == nullptr) continue;
    look_at(view, system, contact, q, u);
    contact.type->zeta(&view, work.zeta.data() + contact.first_row);
  }
}

bool has_zeta(const System& system) {
  const std::span<const ContactInfo> contacts = system.contacts();
  return std::all_of(contacts.begin(), contacts.end(), [](const ContactInfo& c) { return c.type->zeta != nullptr; });
}

namespace {

// w^T u, w the direction of row h in what begins at `first` for each block.
double along(const System& system, const Workspace& work, const ContactInfo& contact, const std::size_t* first,
             std::uint32_t h, const double* u) {
  const double* directions = work.directions_of(contact);
  double sum = 0;
  for (std::uint32_t b = 0; b < contact.n_blocks; ++b) {
    const BlockInfo& block = system.blocks()[contact.blocks[b]];
    const double* w = directions + first[b] + std::size_t{h} * block.n_u;
    for (std::uint32_t k = 0; k < block.n_u; ++k) sum += w[k] * u[block.first_u + k];
  }
  return sum;
}

}  // namespace

double row_velocity(const System& system, const Workspace& work, const ContactInfo& contact, std::uint32_t h,
                    const double* u) {
  return along(system, work, contact, system.layout(contact).V, h, u);
}

double force_velocity(const System& system, const Workspace& work, const ContactInfo& contact, std::uint32_t h,
                      const double* u) {
  return along(system, work, contact, system.layout(contact).W, h, u);
}

double coordinate_size(const System& system, const ContactInfo& contact, const double* q) {
  double size = 0;
  for (std::uint32_t b = 0; b < contact.n_blocks; ++b) {
    const BlockInfo& block = system.blocks()[contact.blocks[b]];
    for (std::uint32_t k = 0; k < block.n_q; ++k) size = std::max(size, std::abs(q[block.first_q + k]));
  }
  return size;
}

void assemble_matrix(const System& system, Workspace& work, double dt, double t, const double* q, const double* u,
                     const double* Lambda_before, ProblemForm form) {
  ContactProblem& problem = work.problem;
  problem.dt = dt;
  // From step to step the closed contacts are mostly the same.
  if (work.closed != work.built_for) build_structure(system, work);
  problem.bodies.clear();
  if (form == ProblemForm::bodies_if_many && are_many(system, work.closed.size())) {
    form_bodies(system, work);
  } else {
    problem.G.resize(work.n_G_values);
  }
  nsm_view view = view_at(system, work.shared.data(), t);
  for (std::uint32_t i = 0; i < problem.contacts.size(); ++i) {
    ContactRows& rows = problem.contacts[i];
    const ContactInfo& contact = system.contacts()[rows.contact];
    if (rows.arguments != nullptr) {
      look_at(view, system, contact, q, u);
      rows.view = view;
    }
    std::copy_n(Lambda_before + contact.first_row, rows.n_rows, problem.Lambda.data() + rows.first_row);
    if (problem.bodies.active()) continue;
    fill_G(system, work, problem, i);
    if (contact.type->compliant != 0) {
      const double* C = work.directions_of(contact) + system.layout(contact).C;
      double* g = problem.G.data() + rows.first_value + rows.own;
      for (std::uint32_t h = 0; h < rows.n_rows; ++h) {
        for (std::uint32_t k = 0; k < rows.n_rows; ++k)
          g[std::size_t{h} * rows.width + k] += C[h * rows.n_rows + k] / dt;
      }
    }
  }
}

void assemble(const System& system, Workspace& work, double dt, double t, const double* q, const double* u,
              const double* Lambda_before, Velocities asked, ProblemForm form) {
  assemble_matrix(system, work, dt, t, q, u, Lambda_before, form);
  ContactProblem& problem = work.problem;
  const double* y = work.free_acceleration.data();
  for (const ContactRows& rows : problem.contacts) {
    const ContactInfo& contact = system.contacts()[rows.contact];
    const DirectionLayout& layout = system.layout(contact);
    const double* directions = work.directions_of(contact);
    for (std::uint32_t h = 0; h < rows.n_rows; ++h) {
      double restitution = 1;
      if (h < contact.type->n_position) {
        restitution += asked == Velocities::mean ? 1 : 0;
      } else if (asked != Velocities::no_restitution) {
        restitution += directions[layout.restitution + h];
      }
      double sum = restitution * directions[layout.chi + h];
      double magnitude = std::abs(sum);
      for (std::uint32_t b = 0; b < contact.n_blocks; ++b) {
        const BlockInfo& block = system.blocks()[contact.blocks[b]];
        const double* v = directions + layout.V[b] + std::size_t{h} * block.n_u;
        for (std::uint32_t k = 0; k < block.n_u; ++k) {
          const double term = v[k] * (dt * y[block.first_u + k] + restitution * u[block.first_u + k]);
          sum += term;
          magnitude += std::abs(term);
        }
      }
      problem.c[rows.first_row + h] = sum;
      problem.c_magnitude[rows.first_row + h] = magnitude;
    }
  }
  problem.finish();
}

void apply_percussions(const System& system, const Workspace& work, double dt, const double* u_before,
                       double* u_after) {
  const std::uint32_t n_u = system.n_u();
  for (std::uint32_t k = 0; k < n_u; ++k) u_after[k] = u_before[k] + dt * work.free_acceleration[k];
  for (const ContactRows& rows : work.problem.contacts) {
    const ContactInfo& contact = system.contacts()[rows.contact];
    const double* X = work.X_of(contact);
    const double* Lambda = work.problem.Lambda.data() + rows.first_row;
    for (std::uint32_t b = 0; b < contact.n_blocks; ++b) {
      const BlockInfo& block = system.blocks()[contact.blocks[b]];
      double* u = u_after + block.first_u;
      for (std::uint32_t h = 0; h < rows.n_rows; ++h, X += block.n_u) {
        for (std::uint32_t k = 0; k < block.n_u; ++k) u[k] += X[k] * Lambda[h];
      }
    }
  }
}

void keep_percussions(const System& system, Workspace& work, double residual, State& state) {
  const ContactProblem& problem = work.problem;
  double Lambda_scale = 0;  // |Lambda| in the measure of natural_residual.hpp
  for (const SetBlock& s : problem.sets) {
    double square = 0;
    for (std::uint32_t h = s.first_row; h < s.first_row + s.dim; ++h) square += problem.Lambda[h] * problem.Lambda[h];
    Lambda_scale = std::max(Lambda_scale, s.D * square);
  }
  const double velocity_scale = residual * std::sqrt(Lambda_scale);
  std::fill(state.Lambda.begin(), state.Lambda.end(), 0.0);
  std::fill(state.closed.begin(), state.closed.end(), std::uint8_t{0});
  for (const ContactRows& rows : problem.contacts) {
    std::copy_n(problem.Lambda.data() + rows.first_row, rows.n_rows,
                state.Lambda.data() + system.contacts()[rows.contact].first_row);
    state.closed[rows.contact] = 1;
    work.gap_slack[rows.contact] = slack_of(system, work, rows, state, velocity_scale);
  }
  for (std::size_t i = 0; i < state.closed.size(); ++i) {
    if (state.closed[i] == 0 || system.contacts()[i].type->gap == nullptr) work.gap_slack[i] = 0;
  }
}

std::uint32_t find_not_finite(const System& system, const double* x, bool of_q) {
  if (all_finite(x, of_q ? system.n_q() : system.n_u())) return NSM_NONE;
  const std::span<const BlockInfo> blocks = system.blocks();
  for (std::uint32_t b = 0; b < blocks.size(); ++b) {
    const BlockInfo& block = blocks[b];
    if (!all_finite(x + (of_q ? block.first_q : block.first_u), of_q ? block.n_q : block.n_u)) return b;
  }
  return static_cast<std::uint32_t>(blocks.size());
}

void forces(const State& state, double* lambda) {
  for (std::size_t k = 0; k < state.Lambda.size(); ++k) lambda[k] = state.dt > 0 ? state.Lambda[k] / state.dt : 0;
}

}  // namespace nsmc::rt
