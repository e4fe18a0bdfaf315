#include "runtime/evaluation/form_bodies.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/linear/fixed_cholesky.hpp"

namespace nsmc::rt {

namespace {

// to += L^-1 of n_rows directions of a block, from rows of n_u numbers to rows of `stride`.
void add_in_metric(const BlockInfo& block, const Workspace& work, const double* from, std::uint32_t n_rows,
                   std::uint32_t stride, double* to) {
  const double* factor = work.factor.data() + block.first_factor;
  const bool diagonal = block.type->mass_structure == NSM_MASS_DIAGONAL;
  double x[BodyForm::most_u], root[BodyForm::most_u];
  for (std::uint32_t k = 0; diagonal && k < block.n_u; ++k) root[k] = std::sqrt(factor[k]);  // of 1/M_kk
  for (std::uint32_t h = 0; h < n_rows; ++h, from += block.n_u, to += stride) {
    if (diagonal) {
      for (std::uint32_t k = 0; k < block.n_u; ++k) to[k] += root[k] * from[k];
      continue;
    }
    std::copy_n(from, block.n_u, x);
    half_solve_fixed(factor, block.n_u, x);
    for (std::uint32_t k = 0; k < block.n_u; ++k) to[k] += x[k];
  }
}

// G_ii = V~^T W~ + C/dt
void fill_own(const ContactProblem& problem, const ContactRows& rows, const BodyForm::Contact& on, BodyForm& bodies) {
  const std::uint32_t n = rows.n_rows, stride = bodies.stride;
  double* own = bodies.own_blocks.data() + on.own;
  for (std::uint32_t h = 0; h < n; ++h) {
    for (std::uint32_t k = 0; k < n; ++k) {
      double sum = on.C == nullptr ? 0 : on.C[h * n + k] / problem.dt;
      for (std::uint32_t side = 0; side < 2; ++side) {
        const double* v = bodies.directions.data() + on.V + std::size_t{side * n + h} * stride;
        const double* w = bodies.directions.data() + on.W + std::size_t{side * n + k} * stride;
        for (std::uint32_t j = 0; j < stride; ++j) sum += v[j] * w[j];
      }
      own[h * n + k] = sum;
    }
  }
}

}  // namespace

void form_bodies(const System& system, Workspace& work) {
  ContactProblem& problem = work.problem;
  BodyForm& bodies = problem.bodies;
  bodies.n_bodies = static_cast<std::uint32_t>(system.blocks().size());
  bodies.stride = (system.max_block_u() + 1) / 2 * 2;
  bodies.contacts.resize(problem.contacts.size());
  std::size_t n_directions = 0, n_own = 0;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const ContactRows& rows = problem.contacts[i];
    const ContactInfo& contact = system.contacts()[rows.contact];
    BodyForm::Contact& on = bodies.contacts[i];
    const std::size_t values = std::size_t{2} * rows.n_rows * bodies.stride;
    on.body[0] = contact.blocks[0];
    on.body[1] = contact.n_blocks == 2 && contact.blocks[1] != contact.blocks[0] ? contact.blocks[1] : bodies.n_bodies;
    on.W = n_directions;
    on.V = contact.type->mapped != 0 ? n_directions + values : n_directions;
    n_directions = on.V + values;
    on.own = n_own;
    n_own += std::size_t{rows.n_rows} * rows.n_rows;
    on.C = contact.type->compliant != 0 ? work.directions_of(contact) + system.layout(contact).C : nullptr;
  }
  bodies.directions.assign(n_directions, 0);
  bodies.own_blocks.resize(n_own);
  bodies.y.assign(std::size_t{bodies.n_bodies + 1} * bodies.stride, 0);
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const ContactRows& rows = problem.contacts[i];
    const ContactInfo& contact = system.contacts()[rows.contact];
    const BodyForm::Contact& on = bodies.contacts[i];
    const DirectionLayout& layout = system.layout(contact);
    const double* from = work.directions_of(contact);
    for (std::uint32_t b = 0; b < contact.n_blocks; ++b) {
      const BlockInfo& block = system.blocks()[contact.blocks[b]];
      // Both sides on one body are one side.
      const std::size_t side = contact.blocks[b] == on.body[0] ? 0 : std::size_t{rows.n_rows} * bodies.stride;
      add_in_metric(block, work, from + layout.W[b], rows.n_rows, bodies.stride,
                    bodies.directions.data() + on.W + side);
      if (on.V == on.W) continue;
      add_in_metric(block, work, from + layout.V[b], rows.n_rows, bodies.stride,
                    bodies.directions.data() + on.V + side);
    }
    fill_own(problem, rows, on, bodies);
  }
}

}  // namespace nsmc::rt
