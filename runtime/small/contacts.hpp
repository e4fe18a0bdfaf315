// SORprox for the contact problem of a small step: as iterate.hpp and sor.cpp do it for intervals, balls and
// Coulomb-Contensou balls, without relaxation, with everything in fixed-size arrays. In: G, c and the directions of the
// contacts that are closed; out: their percussions.
//
// Real: a double, one that the optimiser may know, or a register with a problem in every lane. The problem of several
// lanes is over all contacts that are closed in any of them. Where a contact is open its rows take no part: they add
// nothing to xi, are not updated and count in no norm. A lane that has converged keeps its percussions while the others
// sweep on. Shape: where the layout comes from (step.hpp).
//
// What is not the common case (numbers that are not finite or whose squares under- or overflow, sets of negative
// extent, slow convergence) is not solved, and left to others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "runtime/kernel_abi.hpp"
#include "runtime/linear/number.hpp"
#include "runtime/sets/ball.hpp"
#include "runtime/small/lane_contensou.hpp"
#include "runtime/small/layout.hpp"
#include "runtime/solvers/ball_block.hpp"
#include "runtime/solvers/rate_watch.hpp"
#include "runtime/solvers/residual_ratio.hpp"
#include "runtime/solvers/row_metric.hpp"

namespace nsmc::rt::small {

// RateWatch::gives_up, compiled for every processor: see step_avx512.cpp.
bool rate_gives_up(RateWatch& rate, int sweeps, double ratio, double tolerance);

#define NSM_EACH __attribute__((always_inline))

// Contacts of a selection (bits), their sets and rows.
template <class F>
NSM_INLINE void each_contact(const Layout& layout, std::uint32_t selected, const F& f) {
  NSM_UNROLL
  for (std::uint32_t i = 0; i < layout.n_contacts; ++i)
    if ((selected >> i & 1) != 0) f(i);
}
template <class F>
NSM_INLINE void each_set(const Layout& layout, std::uint32_t selected, const F& f) {
  each_contact(layout, selected, [&](std::uint32_t i) NSM_EACH {
    const ContactLayout& contact = layout.contacts[i];
    NSM_UNROLL
    for (std::uint32_t j = 0; j < contact.n_sets; ++j) f(i, contact.first_set + j);
  });
}
template <class F>
NSM_INLINE void each_row(const Layout& layout, std::uint32_t selected, const F& f) {
  each_contact(layout, selected, [&](std::uint32_t i) NSM_EACH {
    const ContactLayout& contact = layout.contacts[i];
    NSM_UNROLL
    for (std::uint32_t h = 0; h < contact.n_rows; ++h) f(i, contact.first_row + h);
  });
}

// Interval::prox and Ball::prox for what is common. Where it is.
template <class Real>
NSM_INLINE mask_of<Real> prox_on_interval(const Real& a, const Real& b, Real& x) {
  const mask_of<Real> common = (a <= b) & (x == x);
  x = select(x < a, a, select(x > b, b, x));
  return common;
}
template <class Real>
NSM_INLINE mask_of<Real> prox_on_ball(const Real& radius, std::uint32_t dim, Real* z) {
  Real z2 = 0;
  NSM_UNROLL
  for (std::uint32_t k = 0; k < dim; ++k) z2 += z[k] * z[k];
  const mask_of<Real> common =
      (((z2 > Real(Ball::least_square)) & (z2 < Real(Ball::largest_square))) | (z2 == Real(0))) & (radius >= Real(0));
  const mask_of<Real> outside = !(z2 <= radius * radius * Real(Ball::slack_of(dim)));
  if (!any(outside)) return common;
  const Real onto = radius / root(z2);
  NSM_UNROLL
  for (std::uint32_t k = 0; k < dim; ++k) z[k] = select(outside, z[k] * onto, z[k]);
  return common;
}

template <class Real, class Shape>
struct Contacts {
  using Mask = mask_of<Real>;
  static constexpr bool single = is_single<Real>;
  using Count = std::conditional_t<single, int, Real>;            // of sweeps, in every lane
  using Index = std::conditional_t<single, std::uint32_t, Real>;  // of a contact, in every lane
  static constexpr std::uint32_t stride = Shape::limits.rows;

  struct Options {
    Real tolerance;
    Count most_sweeps;
    Mask automatic;  // slow convergence is left to another solver
  };

  // By set: the measure and the step of natural_residual.hpp, the arguments of the set, and what its G is like.
  struct Set {
    Real D, r, weight;
    Real scale, inverse_scale;  // of the drilling torque of a Coulomb-Contensou ball: row_metric.hpp
    Real arguments[max_arguments];
    bool constant;  // its arguments do not depend on percussions
    BallFacts<Real> facts;
  };

  Shape shape;
  Real dt;
  Real directions[Shape::limits.directions];
  Real G[stride][stride];
  Real c[stride], c_magnitude[stride], Lambda[stride];
  Mask closed[Shape::limits.contacts];      // of several lanes
  bool everywhere[Shape::limits.contacts];  // closed in all lanes that count
  Set sets[stride];

  // The solution: sweeps, the natural residual, and the contact where it is largest.
  Count sweeps;
  Real residual;
  Index worst;

  NSM_INLINE Mask is_closed(std::uint32_t i) const {
    if constexpr (single) {
      return true;
    } else {
      return closed[i];
    }
  }

  // In the lanes `wanted`, all of which have a closed contact among the `selected` ones. Returns where it is solved.
  NSM_FUSED_INLINE Mask solve(std::uint32_t selected, const Options& options, Mask wanted) {
    const Mask ordinary = prepare(selected, wanted);
    sweeps = 0;
    residual = 0;
    worst = first(selected);
    RateWatch rates[n_lanes];
    Real scale = 0, ratios = 0;
    bool scale_is_known = false;
    Lanes<Real> lanes(wanted);
    if (lanes.fail(!ordinary) || lanes.fail(!(Count(0) < options.most_sweeps))) return lanes.done();
    // Lanes do not know of each other: those that seem to be done wait until none is left on its way, and are judged
    // together. A single run is judged at once. Whether any is on its way again.
    const auto judge = [&]() NSM_EACH {
      if (!lanes.resume()) return false;
      Real value;
      Index where;
      if (lanes.fail(!natural_residual(selected, lanes.going(), scale, value, where))) return false;
      const Mask good = lanes.going() & (value <= options.tolerance);
      if (any(good)) {
        residual = select(good, value, residual);
        worst = select(good, where, worst);
        if (lanes.finish(good)) return false;
      }
      return !lanes.fail(gives_up(options, lanes.going(), ratios, rates));
    };
    for (;;) {
      if (!any(lanes.going()) && !judge()) break;
      sweeps = select(lanes.going(), sweeps + Count(1), sweeps);
      Real change2, Lambda2;
      if (lanes.fail(!sweep(selected, lanes.going(), change2, Lambda2)) || lanes.finish(change2 == Real(0))) {
        if (single) break;
        continue;
      }
      if (!scale_is_known) scale = c_scale(selected);
      scale_is_known = true;
      // Most sweeps are far from the tolerance, and nobody asks how far before the first window.
      const Mask asked =
          may_be_within(options.tolerance, change2, Lambda2, scale) | !(sweeps < Count(RateWatch::window));
      Real ratio = std::numeric_limits<double>::infinity();
      if (any(lanes.going() & asked)) {
        ratio = residual_ratio(change2, Lambda2, scale);
        const Mask close = lanes.going() & (ratio <= options.tolerance);
        if (any(close)) {
          ratios = select(close, ratio, ratios);
          if (lanes.wait(close)) {
            if (single && !judge()) break;
            continue;
          }
        }
      }
      if (lanes.fail(gives_up(options, lanes.going(), ratio, rates)) && single) break;
    }
    return lanes.done();
  }

 private:
  static constexpr unsigned n_lanes = sizeof(Real) / sizeof(double);

  // Whether the rows of a set may have scales of their own.
  NSM_INLINE bool has_scale(std::uint32_t n) const {
    return Shape::limits.contensou && shape.layout().sets[n].kind == NSM_SET_CONTENSOU_PARABOLIC;
  }
  // x in the unit of row h of its set.
  NSM_INLINE Real in_own_unit(std::uint32_t n, std::uint32_t h, const Real& x) const {
    return has_scale(n) && h == 2 ? x * sets[n].inverse_scale : x;
  }

  NSM_INLINE bool is_constant(std::uint32_t n) const { return Shape::looks_for_constants && sets[n].constant; }

  // In a single run, what is asked of a set that takes part is asked in the one lane there is.
  NSM_INLINE Mask taking_part(Mask wanted, std::uint32_t i) const {
    if constexpr (single) {
      return true;
    } else {
      return wanted & closed[i];
    }
  }

  // The first closed contact of each lane.
  NSM_INLINE Index first(std::uint32_t selected) const {
    if constexpr (single) {
      return static_cast<std::uint32_t>(__builtin_ctz(selected));
    } else {
      Index result = 0;
      Mask found = mask_from<Real>(0);
      each_contact(shape.layout(), selected, [&](std::uint32_t i) NSM_EACH {
        result = select(closed[i] & !found, Index(i), result);
        found = found | closed[i];
      });
      return result;
    }
  }

  NSM_INLINE Real xi(std::uint32_t selected, std::uint32_t row) const {
    Real sum = c[row];
    each_contact(shape.layout(), selected, [&](std::uint32_t j) NSM_EACH {
      const ContactLayout& contact = shape.layout().contacts[j];
      const std::uint32_t begin = contact.first_row, n = contact.n_rows;
      if (single || everywhere[j]) {
        NSM_UNROLL
        for (std::uint32_t k = 0; k < n; ++k) sum += G[row][begin + k] * Lambda[begin + k];
      } else {
        NSM_UNROLL
        for (std::uint32_t k = 0; k < n; ++k)
          sum = select(is_closed(j), sum + G[row][begin + k] * Lambda[begin + k], sum);
      }
    });
    return sum;
  }

  NSM_INLINE void update_arguments(std::uint32_t i, std::uint32_t n) {
    const ContactLayout& contact = shape.layout().contacts[i];
    const SetLayout& set = shape.layout().sets[n];
    NSM_UNROLL
    for (std::uint32_t m = 0; m < set.n_arguments; ++m) {
      const Real& a = directions[set.a + m];
      const Real* K = directions + set.K + m * contact.n_rows;
      Real value = 0;
      NSM_UNROLL
      for (std::uint32_t k = 0; k < contact.n_rows; ++k) value += K[k] * Lambda[contact.first_row + k];
      sets[n].arguments[m] = m >= set.n_lengths ? a + value / dt : Shape::stays_at_infinity(a) ? a : dt * a + value;
    }
  }

  // D, r and the constant arguments, when G and c are there: ContactProblem::finish and the steps of sor. Where all of
  // it is ordinary.
  NSM_INLINE Mask prepare(std::uint32_t selected, Mask wanted) {
    Mask ordinary = mask_from<Real>(~0u);
    if constexpr (!single) {
      each_contact(shape.layout(), selected,
                   [&](std::uint32_t i) NSM_EACH { everywhere[i] = all(closed[i] | !wanted); });
    }
    each_set(shape.layout(), selected, [&](std::uint32_t i, std::uint32_t n) NSM_EACH {
      const SetLayout& set = shape.layout().sets[n];
      const std::uint32_t at = set.first_row;
      Set& s = sets[n];
      s.D = 0;
      if (has_scale(n)) {
        s.scale = drilling_scale(G[at][at], G[at + 1][at + 1], G[at + 2][at + 2]);
        s.inverse_scale = Real(1) / s.scale;
      }
      NSM_UNROLL
      for (std::uint32_t h = 0; h < set.dim; ++h) {
        Real sum = 0;
        NSM_UNROLL
        for (std::uint32_t k = 0; k < set.dim; ++k) {
          Real g = magnitude(G[at + h][at + k]);
          if (has_scale(n)) g *= (h == 2 ? s.scale : Real(1)) * (k == 2 ? s.scale : Real(1));
          sum += g;
        }
        s.D = select(sum <= s.D, s.D, sum);
      }
      ordinary = ordinary & ((s.D <= Real(most_ordinary_D)) | !taking_part(wanted, i));
      s.r = select(s.D == Real(0), Real(0), Real(1) / s.D);
      s.weight = s.D;
      const Real rD = s.r * s.D;
      const Mask short_step = (rD > Real(0)) & (rD < Real(1));
      if (any(short_step)) s.weight = select(short_step, s.D / (rD * rD), s.D);
      if (set.kind == NSM_SET_BALL && set.dim > 1) s.facts = BallFacts<Real>(&G[at][at], stride, set.dim);
      if constexpr (Shape::looks_for_constants) {
        const std::uint32_t n_K = set.n_arguments * shape.layout().contacts[i].n_rows;
        s.constant = true;
        for (std::uint32_t k = 0; k < n_K && s.constant; ++k)
          s.constant = all((directions[set.K + k] == Real(0)) | !is_closed(i));
        if (s.constant) update_arguments(i, n);
      }
    });
    return ordinary;
  }

  // max_i |c_magnitude_i|/sqrt(D_i) over the closed contacts, see natural_residual.hpp.
  NSM_INLINE Real c_scale(std::uint32_t selected) const {
    Real scale = 0;
    each_set(shape.layout(), selected, [&](std::uint32_t i, std::uint32_t n) NSM_EACH {
      const SetLayout& set = shape.layout().sets[n];
      Real largest = 0;
      NSM_UNROLL
      for (std::uint32_t h = 0; h < set.dim; ++h) {
        const Real& size = c_magnitude[set.first_row + h];
        largest = larger(largest, has_scale(n) && h == 2 ? sets[n].scale * size : size);
      }
      const Mask counts = is_closed(i) & (sets[n].D > Real(0));
      if (any(counts)) scale = select(counts, larger(scale, largest / root(sets[n].D)), scale);
    });
    return scale;
  }

  // z = prox of -Lambda + r xi. Where it is the common case.
  NSM_INLINE Mask prox_step(std::uint32_t selected, std::uint32_t n, Mask wanted, Real* z) {
    const SetLayout& set = shape.layout().sets[n];
    const Set& s = sets[n];
    NSM_UNROLL
    for (std::uint32_t h = 0; h < set.dim; ++h) {
      const std::uint32_t row = set.first_row + h;
      if (has_scale(n) && h == 2) {
        z[h] = s.r * (s.scale * xi(selected, row)) - Lambda[row] * s.inverse_scale;
      } else {
        z[h] = s.r * xi(selected, row) - Lambda[row];
      }
    }
    if (set.kind == NSM_SET_INTERVAL) return prox_on_interval(s.arguments[0], s.arguments[1], z[0]);
    if constexpr (Shape::limits.contensou) {
      if (set.kind == NSM_SET_CONTENSOU_PARABOLIC) {
        prox_on_parabolic_contensou(s.arguments[0], s.arguments[1] * s.inverse_scale, z, wanted);
        z[2] *= s.scale;
        return s.arguments[0] >= Real(0);
      }
    }
    return prox_on_ball(s.arguments[0], set.dim, z);
  }

  // The next percussions of a ball of several rows: those that solve its inclusion.
  NSM_INLINE Mask solve_ball(std::uint32_t selected, std::uint32_t n, Mask wanted, Real* next) {
    const SetLayout& set = shape.layout().sets[n];
    const std::uint32_t at = set.first_row;
    Real others[max_set_dim];
    NSM_UNROLL
    for (std::uint32_t h = 0; h < set.dim; ++h) {
      next[h] = Lambda[at + h];
      others[h] = xi(selected, at + h);
      NSM_UNROLL
      for (std::uint32_t k = 0; k < set.dim; ++k) others[h] -= G[at + h][at + k] * Lambda[at + k];
    }
    const Real& R = sets[n].arguments[0];
    return Shape::solve_ball(&G[at][at], stride, set.dim, sets[n].facts, others, R, next, wanted) & (R >= Real(0));
  }

  // One set after another. Where all is common; change2, Lambda2: as in iterate.hpp.
  NSM_INLINE Mask sweep(std::uint32_t selected, Mask wanted, Real& change2, Real& Lambda2) {
    Mask common = mask_from<Real>(~0u);
    Real sum = 0;
    change2 = Lambda2 = 0;
    each_set(shape.layout(), selected, [&](std::uint32_t i, std::uint32_t n) NSM_EACH {
      const Mask part = taking_part(wanted, i);
      if (!any(part)) return;
      const SetLayout& set = shape.layout().sets[n];
      Set& s = sets[n];
      Real next[max_set_dim], delta2 = 0, size2 = 0;
      if (!is_constant(n)) update_arguments(i, n);
      Mask good;
      if (set.kind == NSM_SET_BALL && set.dim > 1) {
        good = solve_ball(selected, n, part, next);
      } else {
        good = prox_step(selected, n, part, next);
        NSM_UNROLL
        for (std::uint32_t h = 0; h < set.dim; ++h) next[h] = -next[h];
      }
      common = common & (good | !part);
      NSM_UNROLL
      for (std::uint32_t h = 0; h < set.dim; ++h) {
        Real& own = Lambda[set.first_row + h];
        const Real delta = next[h] - own;
        own = select(part, next[h], own);
        const Real moved = in_own_unit(n, h, delta), size = in_own_unit(n, h, next[h]);
        delta2 += moved * moved;
        size2 += size * size;
      }
      sum = select(part, sum + delta2, sum);
      change2 = select(part, larger(change2, s.weight * delta2), change2);
      Lambda2 = select(part, larger(Lambda2, s.D * size2), Lambda2);
    });
    return common & is_finite(sum) & is_finite(Lambda2);
  }

  // At Lambda, which stays as it is. Where all is common.
  NSM_INLINE Mask natural_residual(std::uint32_t selected, Mask wanted, const Real& scale, Real& value, Index& where) {
    Mask common = mask_from<Real>(~0u);
    Real delta2_max = 0, Lambda2_max = 0, sum = 0;
    where = first(selected);
    each_set(shape.layout(), selected, [&](std::uint32_t i, std::uint32_t n) NSM_EACH {
      const Mask part = taking_part(wanted, i);
      if (!any(part)) return;
      const SetLayout& set = shape.layout().sets[n];
      Real z[max_set_dim], delta2 = 0, Lambda2 = 0;
      if (!is_constant(n)) update_arguments(i, n);
      common = common & (prox_step(selected, n, part, z) | !part);
      NSM_UNROLL
      for (std::uint32_t h = 0; h < set.dim; ++h) {
        const Real& own = Lambda[set.first_row + h];
        const Real delta = in_own_unit(n, h, own + z[h]), size = in_own_unit(n, h, own);
        delta2 += delta * delta;
        Lambda2 += size * size;
      }
      delta2 *= sets[n].D;
      Lambda2 *= sets[n].D;
      sum = select(part, sum + (delta2 + Lambda2), sum);
      const Mask worse = part & (delta2 > delta2_max);
      delta2_max = select(worse, delta2, delta2_max);
      where = select(worse, Index(i), where);
      Lambda2_max = select(part & (Lambda2 > Lambda2_max), Lambda2, Lambda2_max);
    });
    value = residual_ratio(delta2_max, Lambda2_max, scale);
    return common & is_finite(sum);
  }

  // Lanes that converge slowly, and those that have done as many sweeps as they may.
  NSM_INLINE Mask gives_up(const Options& options, Mask solving, const Real& ratio, RateWatch* rates) const {
    if constexpr (single) {
      return (options.automatic && rates->gives_up(sweeps, double(ratio), double(options.tolerance))) ||
             sweeps >= options.most_sweeps;
    } else {
      const std::uint32_t bits = (solving & options.automatic).to_bits();
      std::uint32_t slow = 0;
      if (bits != 0 && any(solving & (sweeps >= Count(RateWatch::window)))) {
        for (unsigned l = 0; l < n_lanes; ++l) {
          if ((bits >> l & 1) == 0) continue;
          if (rate_gives_up(rates[l], static_cast<int>(sweeps[l]), ratio[l], options.tolerance[l])) slow |= 1u << l;
        }
      }
      return Mask::of(slow) | (options.most_sweeps <= sweeps);
    }
  }
};

}  // namespace nsmc::rt::small
