// Moreau's step for small models, with fixed-size memory: the step of methods/moreau.cpp, equation by equation in the
// same order of operations, so that results agree bit by bit. For models that are one block with a few simple contacts
// (balls, blocks, tops; layout.hpp has the rule). There the general step spends most of its time on finding out what
// there is to do; here that is known.
//
// One text for all of its forms, which differ in the kind of number and in where sizes come from:
//   small_step.cpp    doubles; the number of velocities is a constant, the rest of the layout a member
//   lane_step_of.hpp  the same for registers with a run in every lane; comparisons give masks
//   step_fused.cpp    doubles whose value may be known; the layout is a constant, kernels are inlined
//
// It does the common case only. Whatever else turns up in a step (numbers that are not finite, a mass matrix that is
// not positive definite, slow convergence) is left to the general step, which does it again from the same state. So
// there is one place that knows what to do about trouble.
//
// Model: Real, Shape, max_u and n_u(), the kernels `kinematics`, `dynamics`, `gap` and `directions` at what `look` was
// given, what is known of the mass, and `finish`, which calls Step::rest for the contacts that are closed.
// Shape: limits, layout(), solve_ball, and
//   looks_for_constants       sets whose arguments do not depend on percussions are found in every step
//   checks_every_step         numbers that are not finite are found in every step, else by the caller later on
//   stays_at_infinity(a)      an end of an interval that is known to be infinite
#pragma once

#include <cstdint>

#include "runtime/evaluation/gap_slack.hpp"
#include "runtime/linear/fixed_cholesky.hpp"
#include "runtime/linear/number.hpp"
#include "runtime/small/contacts.hpp"
#include "runtime/small/layout.hpp"

namespace nsmc::rt::small {

// A layout that is a member.
struct Members {
  static constexpr Limits limits = member_limits;
  static constexpr bool looks_for_constants = true, checks_every_step = true;
  Layout value;

  NSM_INLINE const Layout& layout() const { return value; }

  template <class Real>
  static bool stays_at_infinity(const Real& /*a*/) {
    return false;
  }
  template <class Real>
  static mask_of<Real> solve_ball(const Real* G, std::uint32_t stride, std::uint32_t d, const BallFacts<Real>& facts,
                                  const Real* c, const Real& R, Real* next, mask_of<Real> wanted) {
    return solve_ball_block(G, stride, d, facts, c, R, next, wanted);
  }
};

// The state: what one step leaves to the next.
template <class Model>
struct Motion {
  using Real = typename Model::Real;
  Real q[max_q], u[Model::max_u];
  Real Lambda[Model::Shape::limits.rows];
  Real slack[Model::Shape::limits.contacts];  // of gaps
  mask_of<Real> closed[Model::Shape::limits.contacts];
};

template <class Real>
NSM_INLINE mask_of<Real> all_finite(const Real* x, std::uint32_t n) {
  mask_of<Real> finite = mask_from<Real>(~0u);
  NSM_UNROLL
  for (std::uint32_t k = 0; k < n; ++k) finite = finite & is_finite(x[k]);
  return finite;
}

// Masses: a matrix, or the diagonal of one.
NSM_INLINE std::uint32_t mass_size(const Layout& layout, std::uint32_t n_u) {
  return layout.diagonal_mass != 0 ? n_u : n_u * n_u;
}
// M = L L^T or, diagonal, 1/M. Where it is positive definite.
template <class Real>
NSM_INLINE mask_of<Real> factor_mass(const Layout& layout, std::uint32_t n_u, const Real* M, Real* L) {
  NSM_UNROLL
  for (std::uint32_t k = 0; k < mass_size(layout, n_u); ++k) L[k] = M[k];
  return (layout.diagonal_mass != 0 ? factor_diagonal(L, n_u) : factor_fixed(L, n_u)).good();
}
template <class Real>
NSM_INLINE void solve_mass(const Layout& layout, std::uint32_t n_u, const Real* L, Real* x) {
  if (layout.diagonal_mass != 0) {
    solve_diagonal(L, n_u, x);
  } else {
    solve_fixed(L, n_u, x);
  }
}

template <class Model>
struct Step {
  using Real = typename Model::Real;
  using Shape = typename Model::Shape;
  using Mask = mask_of<Real>;
  using State = Motion<Model>;
  using Problem = Contacts<Real, Shape>;
  static constexpr bool single = is_single<Real>;

  Real dt, half, t_mid;
  Real q_mid[max_q], q_end[max_q];
  Real y[Model::max_u], u_end[Model::max_u];  // M^-1 h; u^E
  Real X[Shape::limits.rows][Model::max_u];   // M^-1 W, by row
  std::uint32_t selected;                     // bits of the contacts that are closed in any lane
  Problem contacts;

  // A step of length `step` from t, in the lanes `wanted`. Where it is done and the state replaced; it is as before
  // elsewhere. factor: of the mass, kept for masses that do not change.
  NSM_INLINE Mask take(Model& model, State& state, Real* factor, const Real& t, const Real& step,
                       const typename Problem::Options& options, Mask wanted) {
    dt = step;
    half = dt / Real(2);
    t_mid = t + half;
    move(model, t, state.q, state.u, q_mid);
    model.look(t_mid, q_mid, state.u);
    Mask good = accelerate(model, factor, wanted);
    if (!any(good)) return good;
    good = find_closed(model, state, good);
    if (!any(good)) return good;
    NSM_UNROLL
    for (std::uint32_t k = 0; k < model.n_u(); ++k) u_end[k] = state.u[k] + dt * y[k];
    return model.finish(*this, state, factor, options, good);
  }

  // The rest of a step in which the contacts `closed` are closed in some lane.
  NSM_INLINE Mask rest(Model& model, State& state, const Real* factor, std::uint32_t closed,
                       const typename Problem::Options& options, Mask good) {
    if (closed != 0) {
      each_contact(layout(), closed, [&](std::uint32_t i) NSM_EACH {
        model.directions(i, contacts.directions + layout().contacts[i].W);
      });
      assemble(model, state, factor, closed);
      const Mask touching = touches(closed) & good;
      good = good & (contacts.solve(closed, options, touching) | !touching);
      if (!any(good)) return good;
      each_row(layout(), closed, [&](std::uint32_t i, std::uint32_t row) NSM_EACH {
        NSM_UNROLL
        for (std::uint32_t k = 0; k < model.n_u(); ++k)
          u_end[k] = select(contacts.is_closed(i), u_end[k] + X[row][k] * contacts.Lambda[row], u_end[k]);
      });
    }
    move(model, t_mid, q_mid, u_end, q_end);
    if constexpr (Shape::checks_every_step) {
      good = good & all_finite(u_end, model.n_u()) & all_finite(q_end, layout().n_q);
      if (!any(good)) return good;
    }
    keep(model, state, closed, good);
    return good;
  }

 private:
  NSM_INLINE const Layout& layout() const { return contacts.shape.layout(); }

  // out = q + dt/2 q', normalised.
  NSM_INLINE void move(Model& model, const Real& t, const Real* q, const Real* u, Real* out) {
    Real rate[max_q];
    if (layout().identity_kinematics != 0) {
      NSM_UNROLL
      for (std::uint32_t k = 0; k < layout().n_q; ++k) rate[k] = u[k];
    } else {
      model.look(t, q, u);
      model.kinematics(rate);
    }
    NSM_UNROLL
    for (std::uint32_t k = 0; k < layout().n_q; ++k) out[k] = q[k] + half * rate[k];
    if (layout().quaternion == NSM_NONE) return;
    Real* e = out + layout().quaternion;
    const Real length = root(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
    const Mask positive = length > Real(0);
    if (!any(positive)) return;
    NSM_UNROLL
    for (int k = 0; k < 4; ++k) e[k] = select(positive, e[k] / length, e[k]);
  }

  // y = M^-1 h. Where that is possible.
  NSM_INLINE Mask accelerate(Model& model, Real* factor, Mask wanted) {
    Real M[Model::max_u * Model::max_u + Model::max_u];
    model.dynamics(M);
    Mask good = model.mass_is_known();
    if (!all(good | !wanted)) {
      good = factor_mass(layout(), model.n_u(), M, factor);
      if (layout().constant_mass != 0) model.keep_mass(good);
    }
    NSM_UNROLL
    for (std::uint32_t k = 0; k < model.n_u(); ++k) y[k] = M[mass_size(layout(), model.n_u()) + k];
    solve_mass(layout(), model.n_u(), factor, y);
    return good & wanted;
  }

  // Returns those of the lanes `wanted` in which gaps are numbers.
  NSM_INLINE Mask find_closed(Model& model, const State& state, Mask wanted) {
    selected = 0;
    NSM_UNROLL
    for (std::uint32_t i = 0; i < layout().n_contacts; ++i) {
      Mask closed = mask_from<Real>(~0u);
      if (layout().contacts[i].has_gap != 0) {
        const Real g = model.gap(i);
        closed = g <= state.slack[i];
        wanted = wanted & (closed | (g > state.slack[i]));
      }
      if constexpr (single) {
        if (closed) selected |= 1u << i;
      } else {
        contacts.closed[i] = closed;
      }
    }
    if constexpr (!single) {
      for (std::uint32_t i = 0; i < layout().n_contacts; ++i) {
        contacts.closed[i] = contacts.closed[i] & wanted;
        if (any(contacts.closed[i])) selected |= 1u << i;
      }
    }
    return wanted;
  }

  NSM_INLINE Mask touches(std::uint32_t closed) const {
    if constexpr (single) {
      return true;
    } else {
      Mask any_of_them = mask_from<Real>(0);
      each_contact(layout(), closed, [&](std::uint32_t i) NSM_EACH { any_of_them = any_of_them | contacts.closed[i]; });
      return any_of_them;
    }
  }

  // X, G and c [Möller 2009, (17)].
  NSM_INLINE void assemble(const Model& model, const State& state, const Real* factor, std::uint32_t closed) {
    const std::uint32_t n_u = model.n_u();
    contacts.dt = dt;
    each_row(layout(), closed, [&](std::uint32_t i, std::uint32_t row) NSM_EACH {
      const ContactLayout& contact = layout().contacts[i];
      const std::uint32_t h = row - contact.first_row;
      const Real* w = direction(model, i, row);
      NSM_UNROLL
      for (std::uint32_t k = 0; k < n_u; ++k) X[row][k] = w[k];
      solve_mass(layout(), n_u, factor, X[row]);
      const Real restitution = Real(1) + contacts.directions[contact.restitution + h];
      Real sum = restitution * contacts.directions[contact.chi + h];
      Real size = magnitude(sum);
      NSM_UNROLL
      for (std::uint32_t k = 0; k < n_u; ++k) {
        const Real term = w[k] * (dt * y[k] + restitution * state.u[k]);
        sum += term;
        size += magnitude(term);
      }
      contacts.c[row] = sum;
      contacts.c_magnitude[row] = size;
      contacts.Lambda[row] = state.Lambda[row];
    });
    each_row(layout(), closed, [&](std::uint32_t i, std::uint32_t row) NSM_EACH {
      const Real* w = direction(model, i, row);
      each_row(layout(), closed, [&](std::uint32_t, std::uint32_t column) NSM_EACH {
        Real sum = 0;
        NSM_UNROLL
        for (std::uint32_t k = 0; k < n_u; ++k) sum += w[k] * X[column][k];
        contacts.G[row][column] = sum;
      });
    });
  }

  NSM_INLINE const Real* direction(const Model& model, std::uint32_t i, std::uint32_t row) const {
    const ContactLayout& contact = layout().contacts[i];
    return contacts.directions + contact.W + (row - contact.first_row) * model.n_u();
  }

  // The state at the end of the step takes the place of that before it, in the lanes `good`.
  NSM_INLINE void keep(const Model& model, State& state, std::uint32_t closed, Mask good) const {
    NSM_UNROLL
    for (std::uint32_t k = 0; k < layout().n_q; ++k) state.q[k] = select(good, q_end[k], state.q[k]);
    NSM_UNROLL
    for (std::uint32_t k = 0; k < model.n_u(); ++k) state.u[k] = select(good, u_end[k], state.u[k]);
    Real velocity_scale = 0, coordinate = 0;
    if (closed != 0) {
      if (any(good & (contacts.residual > Real(0)))) velocity_scale = contacts.residual * root(Lambda_scale(closed));
      NSM_UNROLL
      for (std::uint32_t k = 0; k < layout().n_q; ++k) coordinate = larger(coordinate, magnitude(q_end[k]));
    }
    NSM_UNROLL
    for (std::uint32_t i = 0; i < layout().n_contacts; ++i) {
      const ContactLayout& contact = layout().contacts[i];
      const bool is_selected = (closed >> i & 1) != 0;
      Real slack = 0;
      if (is_selected && contact.has_gap != 0) {
        slack = slack_of(contact, state.slack[i], velocity_scale, coordinate);
        slack = select(contacts.is_closed(i), slack, Real(0));
      }
      state.slack[i] = select(good, slack, state.slack[i]);
      NSM_UNROLL
      for (std::uint32_t h = contact.first_row; h < contact.first_row + contact.n_rows; ++h) {
        const Real Lambda = is_selected ? select(contacts.is_closed(i), contacts.Lambda[h], Real(0)) : Real(0);
        state.Lambda[h] = select(good, Lambda, state.Lambda[h]);
      }
      if constexpr (!single) state.closed[i] = (state.closed[i] & !good) | (contacts.closed[i] & good);
    }
  }

  // |Lambda|^2 in the measure of natural_residual.hpp.
  NSM_INLINE Real Lambda_scale(std::uint32_t closed) const {
    Real scale = 0;
    each_set(layout(), closed, [&](std::uint32_t i, std::uint32_t n) NSM_EACH {
      const SetLayout& set = layout().sets[n];
      Real square = 0;
      NSM_UNROLL
      for (std::uint32_t h = set.first_row; h < set.first_row + set.dim; ++h)
        square += contacts.Lambda[h] * contacts.Lambda[h];
      scale = select(contacts.is_closed(i), larger(scale, contacts.sets[n].D * square), scale);
    });
    return scale;
  }

  NSM_INLINE Real slack_of(const ContactLayout& contact, const Real& before, const Real& velocity_scale,
                           const Real& coordinate) const {
    Real D = 0, velocity = 0;
    NSM_UNROLL
    for (std::uint32_t n = contact.first_set; n < contact.first_set + contact.n_sets; ++n)
      D = larger(D, contacts.sets[n].D);
    NSM_UNROLL
    for (std::uint32_t h = contact.first_row; h < contact.first_row + contact.n_rows; ++h)
      velocity = larger(velocity, contacts.c_magnitude[h]);
    return slack_of_gap(before, dt, velocity, coordinate, velocity_scale, D);
  }
};

}  // namespace nsmc::rt::small
