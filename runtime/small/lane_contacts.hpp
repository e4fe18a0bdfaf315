// SORprox for the contact problems of several runs at once, one in every lane: small_contacts.hpp with masks.
//
// The problem is over all contacts that are closed in any of the lanes. Where a contact is open its rows take no part:
// they add nothing to xi, are not updated and count in no norm. A lane that has converged keeps its percussions while
// the others go on. What the step does not do itself (numbers that are not finite, slow convergence) is `failed`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "runtime/kernel_abi.hpp"
#include "runtime/linear/number.hpp"
#include "runtime/small/lane_ball_block.hpp"
#include "runtime/small/lane_contensou.hpp"
#include "runtime/small/lane_sets.hpp"
#include "runtime/small/make_lane_step.hpp"

namespace nsmc::rt {

// A contact that is closed in some lane.
template <class Real>
struct LaneContact {
  std::uint32_t contact;  // in the model
  std::uint32_t first_row, n_rows;
  std::uint32_t first_set, end_set;
  mask_of<Real> closed;
  bool everywhere;  // closed in all lanes that count
};

template <class Real>
struct LaneSet {
  const nsm_set* set = nullptr;
  std::uint32_t first_row = 0, dim = 0;
  std::uint32_t position = 0;  // of its contact among the closed ones
  const Real* a = nullptr;
  const Real* K = nullptr;
  bool constant = false;
  Real D, r, weight;
  Real arguments[2];
  LaneBlockFacts<Real> block;  // of balls of several rows
};

// Of every lane.
template <class Real>
struct LaneSolution {
  Real iterations, residual, worst_contact;
  mask_of<Real> converged, failed;
};

template <class Real>
struct LaneOptions {
  Real tolerance, max_iterations;
  std::uint32_t automatic = 0;  // bits of the lanes that leave slow convergence to another solver
};

template <class Real>
class LaneContacts {
 public:
  using Mask = mask_of<Real>;
  static constexpr std::uint32_t stride = max_lane_rows;

  Real dt;
  std::uint32_t n_contacts = 0, n_sets = 0;
  LaneContact<Real> contacts[max_lane_contacts];
  LaneSet<Real> sets[max_lane_rows];
  Real G[max_lane_rows * stride];
  Real c[max_lane_rows], c_magnitude[max_lane_rows], Lambda[max_lane_rows];

  // Of the lanes `wanted`, all of which have a closed contact.
  void solve(const LaneOptions<Real>& options, Mask wanted, LaneSolution<Real>& solution) {
    finish(wanted);
    solution.iterations = solution.residual = 0;
    solution.worst_contact = first_contact();
    solution.converged = solution.failed = Mask::of(0);
    RateWatch rates[Real::lanes];
    const Real most = smaller(options.max_iterations, Real(2 * StagnationWatch::window - 1));
    Mask solving = wanted;
    const auto give_up = [&](Mask lanes) {
      solution.failed = solution.failed | lanes;
      solving = solving & !lanes;
    };
    give_up(solving & !(Real(0) < most));
    const Real scale = c_scale();
    Real ratios = 0;
    // Lanes do not know of each other: those that seem to be done wait until all are, and are judged together.
    Mask waiting = Mask::of(0);
    while (any(solving)) {
      solution.iterations = select(solving, solution.iterations + Real(1), solution.iterations);
      Real change2 = 0, Lambda2 = 0, sum = 0;
      for (std::uint32_t n = 0; n < n_sets; ++n) {
        LaneSet<Real>& s = sets[n];
        const Mask taking_part = solving & contacts[s.position].closed;
        if (!any(taking_part)) continue;
        Real delta2, size2;
        const Mask updated = update(s, taking_part, delta2, size2);
        give_up(taking_part & !updated);
        sum = select(updated, sum + delta2, sum);
        change2 = select(updated, larger(change2, s.weight * delta2), change2);
        Lambda2 = select(updated, larger(Lambda2, s.D * size2), Lambda2);
      }
      give_up(solving & !(is_finite(sum) & is_finite(Lambda2)));
      const Mask at_rest = solving & (change2 == Real(0));
      solution.converged = solution.converged | at_rest;
      solving = solving & !at_rest;
      const Real ratio = residual_ratio(change2, Lambda2, scale);
      const Mask close = solving & (ratio <= options.tolerance);
      waiting = waiting | close;
      ratios = select(close, ratio, ratios);
      watch(options, solving & !close, solution.iterations, ratio, rates, most, give_up);
      solving = solving & !close;
      if (any(solving) || !any(waiting)) continue;
      Real worst;
      const Real residual = natural_residual(waiting, scale, worst);
      give_up(waiting & !is_finite(residual));
      const Mask done = waiting & (residual <= options.tolerance);
      solution.residual = select(done, residual, solution.residual);
      solution.worst_contact = select(done, worst, solution.worst_contact);
      solution.converged = solution.converged | done;
      solving = waiting & !done & !solution.failed;
      waiting = Mask::of(0);
      if (any(solving)) watch(options, solving, solution.iterations, ratios, rates, most, give_up);
    }
  }

 private:
  // The first closed contact of each lane.
  Real first_contact() const {
    Real first = 0;
    for (std::uint32_t n = n_contacts; n-- > 0;) first = select(contacts[n].closed, Real(contacts[n].contact), first);
    return first;
  }

  Real xi(std::uint32_t row) const {
    const Real* g = G + std::size_t{row} * stride;
    Real sum = c[row];
    for (std::uint32_t n = 0; n < n_contacts; ++n) {
      const LaneContact<Real>& j = contacts[n];
      const std::uint32_t end = j.first_row + j.n_rows;
      if (j.everywhere) {
        for (std::uint32_t k = j.first_row; k < end; ++k) sum += g[k] * Lambda[k];
      } else {
        for (std::uint32_t k = j.first_row; k < end; ++k) sum = select(j.closed, sum + g[k] * Lambda[k], sum);
      }
    }
    return sum;
  }

  void update_arguments(LaneSet<Real>& s) const {
    const LaneContact<Real>& i = contacts[s.position];
    const Real* own = Lambda + i.first_row;
    const Real* K = s.K;
    for (std::uint32_t m = 0; m < s.set->n_arguments; ++m) {
      Real value = 0;
      for (std::uint32_t k = 0; k < i.n_rows; ++k) value += K[k] * own[k];
      s.arguments[m] = m < s.set->n_lengths ? dt * s.a[m] + value : s.a[m] + value / dt;
      K += i.n_rows;
    }
  }

  // D, r and the constant arguments, when G and c are there.
  void finish(Mask wanted) {
    for (std::uint32_t n = 0; n < n_contacts; ++n) contacts[n].everywhere = all(contacts[n].closed | !wanted);
    for (std::uint32_t n = 0; n < n_sets; ++n) {
      LaneSet<Real>& s = sets[n];
      const LaneContact<Real>& i = contacts[s.position];
      s.D = 0;
      for (std::uint32_t h = 0; h < s.dim; ++h) {
        const Real* g = G + std::size_t{s.first_row + h} * stride + s.first_row;
        Real sum = 0;
        for (std::uint32_t k = 0; k < s.dim; ++k) sum += magnitude(g[k]);
        s.D = select(sum <= s.D, s.D, sum);
      }
      s.r = select(s.D == Real(0), Real(0), Real(1) / s.D);
      const Real rD = s.r * s.D;
      s.weight = select((rD > Real(0)) & (rD < Real(1)), s.D / (rD * rD), s.D);
      if (s.set->kind == NSM_SET_BALL && s.dim > 1)
        s.block = {G + std::size_t{s.first_row} * stride + s.first_row, stride, s.dim};
      s.constant = true;
      for (std::uint32_t k = 0; k < s.set->n_arguments * i.n_rows && s.constant; ++k)
        s.constant = all((s.K[k] == Real(0)) | !i.closed);
      if (s.constant) update_arguments(s);
    }
  }

  // max_i |c_magnitude_i|/sqrt(D_i) over the closed contacts of each lane, see natural_residual.hpp.
  Real c_scale() const {
    Real scale = 0;
    for (std::uint32_t n = 0; n < n_sets; ++n) {
      const LaneSet<Real>& s = sets[n];
      Real largest = 0;
      for (std::uint32_t h = 0; h < s.dim; ++h) largest = larger(largest, c_magnitude[s.first_row + h]);
      scale = select(contacts[s.position].closed & (s.D > Real(0)), larger(scale, largest / root(s.D)), scale);
    }
    return scale;
  }

  static Real residual_ratio(const Real& delta2, const Real& Lambda2, const Real& scale) {
    const Real counted = root(delta2) - Real(4 * std::numeric_limits<double>::epsilon()) * scale;
    return select(counted <= Real(0), Real(0), counted / (root(Lambda2) + Real(1e-15) * scale));
  }

  // z = prox of -Lambda + r xi.
  void prox_step(LaneSet<Real>& s, Mask wanted, Real* z) {
    if (!s.constant) update_arguments(s);
    for (std::uint32_t h = 0; h < s.dim; ++h) z[h] = s.r * xi(s.first_row + h) - Lambda[s.first_row + h];
    switch (s.set->kind) {
      case NSM_SET_INTERVAL: z[0] = prox_of_interval(s.arguments[0], s.arguments[1], z[0]); break;
      case NSM_SET_BALL: prox_of_ball(s.arguments[0], s.dim, z, wanted); break;
      default: prox_of_parabolic_contensou(s.arguments[0], s.arguments[1], z, wanted);
    }
  }

  // The squared change of the set's percussions and their squared length. In which of the lanes it could be done.
  Mask update(LaneSet<Real>& s, Mask wanted, Real& delta2, Real& size2) {
    Real* own = Lambda + s.first_row;
    Real next[max_ball_block];
    Mask found = wanted;
    if (s.dim == 1 || s.set->kind != NSM_SET_BALL) {
      prox_step(s, wanted, next);
      for (std::uint32_t h = 0; h < s.dim; ++h) next[h] = -next[h];
    } else {
      if (!s.constant) update_arguments(s);
      const Real* block = G + std::size_t{s.first_row} * stride + s.first_row;
      Real others[max_ball_block];
      for (std::uint32_t h = 0; h < s.dim; ++h) {
        next[h] = own[h];
        others[h] = xi(s.first_row + h);
        for (std::uint32_t k = 0; k < s.dim; ++k) others[h] -= block[h * stride + k] * own[k];
      }
      found = solve_lane_ball<Real>(block, stride, s.dim, s.block, others, s.arguments[0], next, wanted);
    }
    delta2 = size2 = 0;
    for (std::uint32_t h = 0; h < s.dim; ++h) {
      const Real delta = next[h] - own[h];
      own[h] = select(wanted, next[h], own[h]);
      delta2 += delta * delta;
      size2 += next[h] * next[h];
    }
    // What does not exist (set_extents.hpp) is left to the ordinary step, which says so.
    const Real extent = s.set->kind == NSM_SET_INTERVAL ? s.arguments[1] - s.arguments[0] : s.arguments[0];
    return found & (extent >= Real(0));
  }

  // Not finite: NaN.
  Real natural_residual(Mask wanted, const Real& scale, Real& worst) {
    Real delta2_max = 0, Lambda2_max = 0;
    Mask finite = wanted;
    worst = first_contact();
    for (std::uint32_t n = 0; n < n_sets; ++n) {
      LaneSet<Real>& s = sets[n];
      const Mask taking_part = wanted & contacts[s.position].closed;
      if (!any(taking_part)) continue;
      const Real* own = Lambda + s.first_row;
      Real z[max_ball_block], delta2 = 0, Lambda2 = 0;
      prox_step(s, taking_part, z);
      for (std::uint32_t h = 0; h < s.dim; ++h) {
        const Real delta = own[h] + z[h];
        delta2 += delta * delta;
        Lambda2 += own[h] * own[h];
      }
      delta2 *= s.D;
      Lambda2 *= s.D;
      finite = finite & ((is_finite(delta2) & is_finite(Lambda2)) | !taking_part);
      const Mask worse = taking_part & (delta2 > delta2_max);
      delta2_max = select(worse, delta2, delta2_max);
      worst = select(worse, Real(contacts[s.position].contact), worst);
      Lambda2_max = select(taking_part & (Lambda2 > Lambda2_max), Lambda2, Lambda2_max);
    }
    return select(finite, residual_ratio(delta2_max, Lambda2_max, scale),
                  Real(std::numeric_limits<double>::quiet_NaN()));
  }

  // Ends lanes that are slow, and those that have done as many sweeps as they may.
  template <class GiveUp>
  static void watch(const LaneOptions<Real>& options, Mask solving, const Real& iterations, const Real& ratio,
                    RateWatch* rates, const Real& most, const GiveUp& give_up) {
    const std::uint32_t bits = solving.to_bits() & options.automatic;
    std::uint32_t slow = 0;
    if (bits != 0 && any(solving & (iterations >= Real(RateWatch::window)))) {
      for (unsigned l = 0; l < Real::lanes; ++l) {
        if ((bits >> l & 1) == 0) continue;
        const int sweeps = static_cast<int>(iterations[l]);
        if (rate_gives_up(rates[l], sweeps, ratio[l], options.tolerance[l])) slow |= 1u << l;
      }
    }
    give_up(Mask::of(slow) | (solving & (most <= iterations)));
  }
};

}  // namespace nsmc::rt
