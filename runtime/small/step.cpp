// The step of small_step.cpp as a program in which sizes and structure are constants and kernels are inlined: whole
// stretches of steps in one call, the state in registers.
//
// This file is not part of the runtime. It is compiled to LLVM's bitcode when nsmc is built; when a model is compiled
// (compiler/codegen/fused_step.cpp) `layout` gets its values and the kernels below their bodies, and all of it is
// optimised together: loops are unrolled, what is zero vanishes, what is constant moves out of the loop over the steps.
// It follows that all loops but three (steps, sweeps, Newton's iteration for a ball) must have bounds that `layout`
// knows, and nothing may be called that is not inlined.
//
// Numbers are those of small_step.cpp, bit by bit: the same operations in the same order, without contraction.
#include <cmath>
#include <cstdint>
#include <limits>

#include "runtime/kernel_abi.hpp"
#include "runtime/linear/fixed_cholesky.hpp"
#include "runtime/linear/known.hpp"
#include "runtime/small/layout.hpp"
#include "runtime/solvers/ball_block.hpp"
#include "runtime/solvers/rate_watch.hpp"
#include "runtime/solvers/residual_ratio.hpp"

#define NSM_INLINE [[gnu::always_inline]] inline
#define NSM_APART [[gnu::noinline]]

extern "C" {

extern const nsmc::fused::Layout nsm_layout;
void nsm_kinematics(const nsm_view*, double*);
void nsm_dynamics(const nsm_view*, double*);
void nsm_gap_0(const nsm_view*, double*);
void nsm_gap_1(const nsm_view*, double*);
void nsm_directions_0(const nsm_view*, double*);
void nsm_directions_1(const nsm_view*, double*);

// One function per dimension, so that each is optimised by itself beforehand; those in use are inlined.
#define NSM_BALL(D)                                                                       \
  NSM_APART bool nsm_ball_##D(const double* G, const double* c, double R, double* next) { \
    return nsmc::rt::detail::solve_ball_block<D>(G, D, c, R, next);                       \
  }
NSM_BALL(2)
NSM_BALL(3)
NSM_BALL(4)
NSM_BALL(5)
NSM_BALL(6)
}

namespace nsmc::fused {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

NSM_INLINE bool solve_ball(std::uint32_t d, const double* G, const double* c, double R, double* next) {
  switch (d) {
    case 2: return nsm_ball_2(G, c, R, next);
    case 3: return nsm_ball_3(G, c, R, next);
    case 4: return nsm_ball_4(G, c, R, next);
    case 5: return nsm_ball_5(G, c, R, next);
    default: return nsm_ball_6(G, c, R, next);
  }
}

NSM_INLINE double max(double a, double b) { return a < b ? b : a; }
NSM_INLINE bool is_finite(double x) { return std::fabs(x) <= std::numeric_limits<double>::max(); }

// The state of the run and what is known of it before the first step.
struct State {
  double q[max_q], u[max_u];
  double Lambda[max_rows];
  double slack[max_contacts];
  double shared[max_shared];
  double factor[max_u * max_u];
};

// Of one step.
struct Step {
  double dt;
  double q_mid[max_q];
  double y[max_u], u_end[max_u];
  double directions[max_contacts][max_directions];
  // By row.
  double X[max_rows][max_u];
  double G[max_rows][max_rows];
  double c[max_rows], c_magnitude[max_rows], Lambda[max_rows];
  // By set, at the place of its first row.
  double D[max_rows], r[max_rows], weight[max_rows];
  double arguments[max_rows][max_arguments];

  int sweeps;
  double residual;
  std::uint32_t worst;
};

// Contacts, their sets and rows; which of the contacts are closed is known wherever these are used.
template <typename F>
NSM_INLINE void each_contact(std::uint32_t mask, F f) {
  NSM_UNROLL
  for (std::uint32_t i = 0; i < nsm_layout.n_contacts; ++i)
    if ((mask >> i & 1) != 0) f(i);
}
template <typename F>
NSM_INLINE void each_set(std::uint32_t mask, F f) {
  each_contact(
      mask, [&](std::uint32_t i) __attribute__((always_inline)) {
        NSM_UNROLL
        for (std::uint32_t j = 0; j < nsm_layout.contacts[i].n_sets; ++j) f(i, nsm_layout.contacts[i].sets[j]);
      });
}
template <typename F>
NSM_INLINE void each_row(std::uint32_t mask, F f) {
  each_contact(
      mask, [&](std::uint32_t i) __attribute__((always_inline)) {
        const std::uint32_t first = nsm_layout.contacts[i].first_row;
        NSM_UNROLL
        for (std::uint32_t h = 0; h < nsm_layout.contacts[i].n_rows; ++h) f(i, first + h);
      });
}
#define NSM_EACH __attribute__((always_inline))

// out = q + s q', normalised.
NSM_INLINE void move(nsm_view view, const double* q, const double* u, double s, double* out) {
  double rate[max_q];
  if (nsm_layout.identity_kinematics != 0) {
    NSM_UNROLL
    for (std::uint32_t k = 0; k < nsm_layout.n_q; ++k) rate[k] = u[k];
  } else {
    view.q[0] = q;
    view.u[0] = u;
    nsm_kinematics(&view, rate);
  }
  NSM_UNROLL
  for (std::uint32_t k = 0; k < nsm_layout.n_q; ++k) out[k] = plus(q[k], times(s, rate[k]));
  if (nsm_layout.quaternion == NSM_NONE) return;
  double* e = out + nsm_layout.quaternion;
  const double length = std::sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
  if (!(length > 0)) return;
  NSM_UNROLL
  for (int k = 0; k < 4; ++k) e[k] /= length;
}

// M = L L^T or, diagonal, 1/M. False if it is not positive definite.
NSM_INLINE bool factor(const double* M, double* L) {
  const std::uint32_t n = nsm_layout.n_u;
  NSM_UNROLL
  for (std::uint32_t k = 0; k < (nsm_layout.diagonal_mass != 0 ? n : n * n); ++k) L[k] = M[k];
  return (nsm_layout.diagonal_mass != 0 ? rt::factor_diagonal(L, n) : rt::factor_fixed(L, n)) == rt::FactorStatus::ok;
}

NSM_INLINE void solve_mass(const double* L, double* x) {
  if (nsm_layout.diagonal_mass != 0) {
    rt::solve_diagonal(L, nsm_layout.n_u, x);
  } else {
    rt::solve_fixed(L, nsm_layout.n_u, x);
  }
}

NSM_INLINE double xi(const Step& s, std::uint32_t mask, std::uint32_t row) {
  double sum = s.c[row];
  each_row(mask, [&](std::uint32_t, std::uint32_t k) NSM_EACH { sum = plus(sum, times(s.G[row][k], s.Lambda[k])); });
  return sum;
}

NSM_INLINE void fill_directions(const nsm_view& view, std::uint32_t i, Step& s) {
  if (i == 0) {
    nsm_directions_0(&view, s.directions[0]);
  } else {
    nsm_directions_1(&view, s.directions[1]);
  }
}

NSM_INLINE double gap_of(const nsm_view& view, std::uint32_t i) {
  double g;
  if (i == 0) {
    nsm_gap_0(&view, &g);
  } else {
    nsm_gap_1(&view, &g);
  }
  return g;
}

NSM_INLINE const double* direction(const Step& s, std::uint32_t i, std::uint32_t row) {
  return s.directions[i] + (row - nsm_layout.contacts[i].first_row) * nsm_layout.n_u;
}

// X, G and c.
NSM_INLINE void assemble(std::uint32_t mask, const State& state, Step& s) {
  each_row(mask, [&](std::uint32_t i, std::uint32_t row) NSM_EACH {
    const ContactLayout& contact = nsm_layout.contacts[i];
    const double* w = direction(s, i, row);
    const double* values = s.directions[i];
    const std::uint32_t h = row - contact.first_row;
    NSM_UNROLL
    for (std::uint32_t k = 0; k < nsm_layout.n_u; ++k) s.X[row][k] = w[k];
    solve_mass(state.factor, s.X[row]);
    const double restitution = plus(1, values[contact.restitution + h]);
    double sum = times(restitution, values[contact.chi + h]);
    double magnitude = std::fabs(sum);
    NSM_UNROLL
    for (std::uint32_t k = 0; k < nsm_layout.n_u; ++k) {
      const double term = times(w[k], plus(times(s.dt, s.y[k]), times(restitution, state.u[k])));
      sum = plus(sum, term);
      magnitude = plus(magnitude, std::fabs(term));
    }
    s.c[row] = sum;
    s.c_magnitude[row] = magnitude;
    s.Lambda[row] = state.Lambda[row];
  });
  each_row(mask, [&](std::uint32_t i, std::uint32_t row) NSM_EACH {
    const double* w = direction(s, i, row);
    each_row(mask, [&](std::uint32_t, std::uint32_t column) NSM_EACH {
      double sum = 0;
      NSM_UNROLL
      for (std::uint32_t k = 0; k < nsm_layout.n_u; ++k) sum = plus(sum, times(w[k], s.X[column][k]));
      s.G[row][column] = sum;
    });
  });
  each_set(mask, [&](std::uint32_t, const SetLayout& set) NSM_EACH {
    const std::uint32_t at = set.first_row;
    double D = 0;
    NSM_UNROLL
    for (std::uint32_t h = 0; h < set.dim; ++h) {
      double sum = 0;
      NSM_UNROLL
      for (std::uint32_t k = 0; k < set.dim; ++k) sum = plus(sum, std::fabs(s.G[at + h][at + k]));
      if (!(sum <= D)) D = sum;
    }
    const double r = D == 0 ? 0 : 1 / D, rD = r * D;
    s.D[at] = D;
    s.r[at] = r;
    s.weight[at] = rD > 0 && rD < 1 ? D / (rD * rD) : D;
  });
}

// Arguments dt a + K Lambda.
NSM_INLINE void update_arguments(std::uint32_t i, const SetLayout& set, Step& s) {
  const ContactLayout& contact = nsm_layout.contacts[i];
  NSM_UNROLL
  for (std::uint32_t m = 0; m < set.n_arguments; ++m) {
    const double a = s.directions[i][set.a + m];
    const double* K = s.directions[i] + set.K + m * contact.n_rows;
    double value = 0;
    NSM_UNROLL
    for (std::uint32_t k = 0; k < contact.n_rows; ++k)
      value = plus(value, times(K[k], s.Lambda[contact.first_row + k]));
    // An end at infinity stays there.
    s.arguments[set.first_row][m] =
        __builtin_constant_p(a) && (a == infinity || a == -infinity) ? a : plus(times(s.dt, a), value);
  }
}

// Ball::prox and Interval::prox for what is common; `good` becomes false for the rest.
NSM_INLINE void prox_on_ball(std::uint32_t dim, double radius, double* z, bool& good) {
  double z2 = 0;
  NSM_UNROLL
  for (std::uint32_t k = 0; k < dim; ++k) z2 += z[k] * z[k];
  const double slack = 1 + (4 + 2 * static_cast<double>(dim)) * std::numeric_limits<double>::epsilon();
  good = good && ((z2 > 1e-280 && z2 < 1e280) || z2 == 0) && radius >= 0;
  if (z2 <= radius * radius * slack) return;
  const double onto = radius / std::sqrt(z2);
  NSM_UNROLL
  for (std::uint32_t k = 0; k < dim; ++k) z[k] *= onto;
}

NSM_INLINE double prox_on_interval(double a, double b, double x, bool& good) {
  good = good && a <= b && x == x;
  return x < a ? a : x > b ? b : x;
}

// A set of one row: prox of -Lambda + r xi.
NSM_INLINE double prox_of_row(std::uint32_t mask, const SetLayout& set, const Step& s, bool& good) {
  const std::uint32_t at = set.first_row;
  double z = minus(times(s.r[at], xi(s, mask, at)), s.Lambda[at]);
  if (set.kind == NSM_SET_INTERVAL) return prox_on_interval(s.arguments[at][0], s.arguments[at][1], z, good);
  prox_on_ball(1, s.arguments[at][0], &z, good);
  return z;
}

NSM_INLINE void update_ball(std::uint32_t mask, const SetLayout& set, const Step& s, double* next, bool& good) {
  const std::uint32_t at = set.first_row;
  double block[max_set_dim * max_set_dim], others[max_set_dim];
  NSM_UNROLL
  for (std::uint32_t h = 0; h < set.dim; ++h) {
    next[h] = s.Lambda[at + h];
    double sum = xi(s, mask, at + h);
    NSM_UNROLL
    for (std::uint32_t k = 0; k < set.dim; ++k) {
      block[h * set.dim + k] = s.G[at + h][at + k];
      sum = minus(sum, times(s.G[at + h][at + k], s.Lambda[at + k]));
    }
    others[h] = sum;
  }
  good = solve_ball(set.dim, block, others, s.arguments[at][0], next) && s.arguments[at][0] >= 0 && good;
}

// SmallContacts::natural_residual.
NSM_INLINE double natural_residual(std::uint32_t mask, Step& s, double scale, bool& good) {
  double delta2_max = 0, Lambda2_max = 0, sum = 0;
  s.worst = (mask & 1) != 0 ? 0 : 1;
  each_set(mask, [&](std::uint32_t i, const SetLayout& set) NSM_EACH {
    const std::uint32_t at = set.first_row;
    double z[max_set_dim], delta2 = 0, Lambda2 = 0;
    update_arguments(i, set, s);
    if (set.dim == 1) {
      z[0] = prox_of_row(mask, set, s, good);
    } else {
      NSM_UNROLL
      for (std::uint32_t h = 0; h < set.dim; ++h) z[h] = s.r[at] * xi(s, mask, at + h) - s.Lambda[at + h];
      prox_on_ball(set.dim, s.arguments[at][0], z, good);
    }
    NSM_UNROLL
    for (std::uint32_t h = 0; h < set.dim; ++h) {
      const double delta = s.Lambda[at + h] + z[h];
      delta2 += delta * delta;
      Lambda2 += s.Lambda[at + h] * s.Lambda[at + h];
    }
    delta2 *= s.D[at];
    Lambda2 *= s.D[at];
    sum += delta2 + Lambda2;
    if (delta2 > delta2_max) {
      delta2_max = delta2;
      s.worst = i;
    }
    if (Lambda2 > Lambda2_max) Lambda2_max = Lambda2;
  });
  good = good && is_finite(sum);
  return rt::residual_ratio(delta2_max, Lambda2_max, scale);
}

NSM_INLINE double c_scale(std::uint32_t mask, const Step& s) {
  double scale = 0;
  each_set(mask, [&](std::uint32_t, const SetLayout& set) NSM_EACH {
    const std::uint32_t at = set.first_row;
    if (!(s.D[at] > 0)) return;
    double largest = 0;
    NSM_UNROLL
    for (std::uint32_t h = 0; h < set.dim; ++h) largest = max(largest, s.c_magnitude[at + h]);
    scale = max(scale, largest / std::sqrt(s.D[at]));
  });
  return scale;
}

// SmallContacts::solve. False: left to others.
NSM_INLINE bool sweep(std::uint32_t mask, const nsm_run& run, Step& s) {
  double scale = -1;  // not known yet
  rt::RateWatch rate;
  s.sweeps = 0;
  s.residual = 0;
  s.worst = (mask & 1) != 0 ? 0 : 1;
  while (s.sweeps < static_cast<int>(run.most_sweeps)) {
    ++s.sweeps;
    bool good = true;
    double change2 = 0, Lambda2 = 0, sum = 0;
    each_set(mask, [&](std::uint32_t i, const SetLayout& set) NSM_EACH {
      const std::uint32_t at = set.first_row;
      double next[max_set_dim], delta2 = 0, size2 = 0;
      update_arguments(i, set, s);
      if (set.dim == 1) {
        next[0] = -prox_of_row(mask, set, s, good);
      } else {
        update_ball(mask, set, s, next, good);
      }
      NSM_UNROLL
      for (std::uint32_t h = 0; h < set.dim; ++h) {
        const double delta = next[h] - s.Lambda[at + h];
        s.Lambda[at + h] = next[h];
        delta2 = plus(delta2, delta * delta);
        size2 = plus(size2, next[h] * next[h]);
      }
      sum = plus(sum, delta2);
      change2 = max(change2, s.weight[at] * delta2);
      Lambda2 = max(Lambda2, s.D[at] * size2);
    });
    if (!good || !is_finite(sum) || !is_finite(Lambda2)) return false;
    if (change2 == 0) return true;
    if (scale < 0) scale = c_scale(mask, s);
    const double ratio = rt::residual_ratio(change2, Lambda2, scale);
    if (ratio <= run.tolerance) {
      s.residual = natural_residual(mask, s, scale, good);
      if (!good) return false;
      if (s.residual <= run.tolerance) return true;
    }
    if (run.automatic != 0 && rate.gives_up(s.sweeps, ratio, run.tolerance)) return false;
  }
  return false;
}

// Where the slack of gaps comes from is explained at keep_percussions of evaluation.cpp.
NSM_INLINE void keep_percussions(std::uint32_t mask, Step& s, const double* q_end, State& state) {
  double velocity_scale = 0;
  if (s.residual != 0) {
    double scale = 0;
    each_set(mask, [&](std::uint32_t, const SetLayout& set) NSM_EACH {
      double square = 0;
      NSM_UNROLL
      for (std::uint32_t h = set.first_row; h < set.first_row + set.dim; ++h) square += s.Lambda[h] * s.Lambda[h];
      scale = max(scale, s.D[set.first_row] * square);
    });
    velocity_scale = s.residual * std::sqrt(scale);
  }
  double coordinate = 0;
  NSM_UNROLL
  for (std::uint32_t k = 0; k < nsm_layout.n_q; ++k) coordinate = max(coordinate, std::fabs(q_end[k]));
  each_contact(mask, [&](std::uint32_t i) NSM_EACH {
    constexpr double velocity_error = 1e-12, coordinate_error = 8 * std::numeric_limits<double>::epsilon();
    const ContactLayout& contact = nsm_layout.contacts[i];
    if (contact.has_gap == 0) return;
    double D = 0, velocity = 0;
    NSM_UNROLL
    for (std::uint32_t j = 0; j < contact.n_sets; ++j) D = max(D, s.D[contact.sets[j].first_row]);
    NSM_UNROLL
    for (std::uint32_t h = 0; h < contact.n_rows; ++h) velocity = max(velocity, s.c_magnitude[contact.first_row + h]);
    const double rounding = velocity_error * s.dt * velocity + coordinate_error * coordinate;
    const double lifted = velocity_scale == 0 ? 0 : s.dt * velocity_scale * std::sqrt(D);
    const double before = max(state.slack[i], rounding) + lifted, most = max(rounding, 1e-4 * s.dt * velocity);
    state.slack[i] = most < before ? most : before;
  });
  each_row(mask, [&](std::uint32_t, std::uint32_t row) NSM_EACH { state.Lambda[row] = s.Lambda[row]; });
}

NSM_INLINE void forget(std::uint32_t mask, State& state) {
  each_contact(mask, [&](std::uint32_t i) NSM_EACH { state.slack[i] = 0; });
  each_row(mask, [&](std::uint32_t, std::uint32_t row) NSM_EACH { state.Lambda[row] = 0; });
}

// The rest of a step in which the contacts of the mask are closed. False: left to others. Inlined at last: loops are
// unrolled faster if they are not within the large one.
template <std::uint32_t mask>
NSM_APART bool push(const nsm_run& run, const nsm_view& from, State& state, Step& s, double* q_end) {
  nsm_view view = from;
  each_contact(mask, [&](std::uint32_t i) NSM_EACH {
    view.self = run.contact_self[i];
    fill_directions(view, i, s);
  });
  assemble(mask, state, s);
  if (!sweep(mask, run, s)) return false;
  each_row(mask, [&](std::uint32_t, std::uint32_t row) NSM_EACH {
    NSM_UNROLL
    for (std::uint32_t k = 0; k < nsm_layout.n_u; ++k) s.u_end[k] = plus(s.u_end[k], times(s.X[row][k], s.Lambda[row]));
  });
  view.self = run.block_self;
  move(view, s.q_mid, s.u_end, run.dt / 2, q_end);
  keep_percussions(mask, s, q_end, state);
  forget(~mask & 3, state);
  return true;
}

NSM_INLINE void count(std::uint32_t mask, const Step& s, std::uint64_t step, nsm_run& run) {
  const std::uint32_t n = (mask & 1) + (mask >> 1);
  const auto sweeps = static_cast<std::uint32_t>(s.sweeps);
  ++run.steps_with_contact;
  run.closed_total += n;
  run.sweeps_total += sweeps;
  if (n > run.closed_max) run.closed_max = n;
  if (sweeps > run.sweeps_max) run.sweeps_max = sweeps;
  if (s.residual > run.worst_residual || run.worst_contact == NSM_NONE) {
    run.worst_residual = s.residual;
    run.worst_step = step;
    run.worst_contact = s.worst;
  }
}

NSM_INLINE std::uint64_t advance(nsm_run* given) {
  nsm_run run = *given;
  State state;
  nsm_view view{};
  view.p = run.p;
  view.shared = state.shared;
  NSM_UNROLL
  for (std::uint32_t k = 0; k < nsm_layout.n_shared; ++k) state.shared[k] = run.shared[k];
  NSM_UNROLL
  for (std::uint32_t k = 0; k < nsm_layout.n_q; ++k) state.q[k] = run.q[k];
  NSM_UNROLL
  for (std::uint32_t k = 0; k < nsm_layout.n_u; ++k) state.u[k] = run.u[k];
  NSM_UNROLL
  for (std::uint32_t k = 0; k < nsm_layout.n_rows; ++k) state.Lambda[k] = run.Lambda[k];
  NSM_UNROLL
  for (std::uint32_t i = 0; i < nsm_layout.n_contacts; ++i) state.slack[i] = run.gap_slack[i];

  double dynamics[max_u * max_u + max_u];
  const double* h = dynamics + (nsm_layout.diagonal_mass != 0 ? nsm_layout.n_u : nsm_layout.n_u * nsm_layout.n_u);
  if (nsm_layout.constant_mass != 0) {
    view.t = run.t_first;
    view.self = run.block_self;
    view.q[0] = state.q;
    view.u[0] = state.u;
    nsm_dynamics(&view, dynamics);
    if (!factor(dynamics, state.factor)) return 0;
  }

  const double half = run.dt / 2;
  std::uint32_t last_mask = 0;
  std::uint64_t done = 0;
  for (; done < run.steps; ++done) {
    Step s;
    s.dt = run.dt;
    double q_end[max_q];
    view.t = run.t_first + static_cast<double>(static_cast<std::int64_t>(run.first + done)) * run.dt;
    view.self = run.block_self;
    move(view, state.q, state.u, half, s.q_mid);
    view.t += half;
    view.q[0] = s.q_mid;
    view.u[0] = state.u;
    nsm_dynamics(&view, dynamics);
    if (nsm_layout.constant_mass == 0 && !factor(dynamics, state.factor)) break;
    NSM_UNROLL
    for (std::uint32_t k = 0; k < nsm_layout.n_u; ++k) s.y[k] = h[k];
    solve_mass(state.factor, s.y);
    NSM_UNROLL
    for (std::uint32_t k = 0; k < nsm_layout.n_u; ++k) s.u_end[k] = plus(state.u[k], times(s.dt, s.y[k]));

    std::uint32_t mask = 0;
    bool good = true;
    NSM_UNROLL
    for (std::uint32_t i = 0; i < nsm_layout.n_contacts; ++i) {
      bool is_closed = true;
      if (nsm_layout.contacts[i].has_gap != 0) {
        view.self = run.contact_self[i];
        const double g = gap_of(view, i);
        is_closed = g <= state.slack[i];
        good = good && (is_closed || g > state.slack[i]);
      }
      if (is_closed) mask |= 1u << i;
    }
    if (!good) break;
    // Each selection of closed contacts has code of its own.
    if (mask == 0) {
      view.self = run.block_self;
      move(view, s.q_mid, s.u_end, half, q_end);
      forget(3, state);
    } else if (mask == 1 || nsm_layout.n_contacts == 1) {
      if (!push<1>(run, view, state, s, q_end)) break;
      count(1, s, run.first + done + 1, run);
    } else if (mask == 2) {
      if (!push<2>(run, view, state, s, q_end)) break;
      count(2, s, run.first + done + 1, run);
    } else {
      if (!push<3>(run, view, state, s, q_end)) break;
      count(3, s, run.first + done + 1, run);
    }
    NSM_UNROLL
    for (std::uint32_t k = 0; k < nsm_layout.n_q; ++k) state.q[k] = q_end[k];
    NSM_UNROLL
    for (std::uint32_t k = 0; k < nsm_layout.n_u; ++k) state.u[k] = s.u_end[k];
    last_mask = mask;
  }
  if (done == 0) return 0;

  // What is not finite stays so: q and u only ever have something added to them.
  double sum = 0;  // 0 * x is 0 for finite x and NaN otherwise
  NSM_UNROLL
  for (std::uint32_t k = 0; k < nsm_layout.n_q; ++k) sum += 0 * state.q[k];
  NSM_UNROLL
  for (std::uint32_t k = 0; k < nsm_layout.n_u; ++k) sum += 0 * state.u[k];
  if (!(sum == 0)) return 0;
  NSM_UNROLL
  for (std::uint32_t k = 0; k < nsm_layout.n_q; ++k) run.q[k] = state.q[k];
  NSM_UNROLL
  for (std::uint32_t k = 0; k < nsm_layout.n_u; ++k) run.u[k] = state.u[k];
  NSM_UNROLL
  for (std::uint32_t k = 0; k < nsm_layout.n_rows; ++k) run.Lambda[k] = state.Lambda[k];
  NSM_UNROLL
  for (std::uint32_t i = 0; i < nsm_layout.n_contacts; ++i) {
    run.gap_slack[i] = state.slack[i];
    run.closed[i] = last_mask >> i & 1;
  }
  *given = run;
  return done;
}

}  // namespace
}  // namespace nsmc::fused

extern "C" std::uint64_t nsm_advance_steps(nsm_run* run) { return nsmc::fused::advance(run); }
