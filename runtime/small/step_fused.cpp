// The small step as a program in which sizes and structure are constants and kernels are inlined: whole stretches of
// steps in one call, the state in registers.
//
// This file is not part of the runtime. It is compiled to LLVM's bitcode when nsmc is built; when a model is compiled
// (compiler/codegen/fused_step.cpp) `nsm_layout` gets its values and the kernels below their bodies, and all of it is
// optimised together: loops are unrolled, what is zero vanishes, what is constant moves out of the loop over the steps.
// It follows that all loops but three (steps, sweeps, Newton's iteration for a ball) must have bounds that the layout
// knows, and nothing may be called that is not inlined. There is no contraction: numbers are those of the runtime.
#include <cstdint>
#include <limits>

#include "runtime/kernel_abi.hpp"
#include "runtime/small/known.hpp"
#include "runtime/small/step.hpp"

#define NSM_APART [[gnu::noinline]]

extern "C" {

extern const nsmc::rt::small::Layout nsm_layout;
void nsm_kinematics(const nsm_view*, double*);
void nsm_dynamics(const nsm_view*, double*);
void nsm_gap_0(const nsm_view*, double*);
void nsm_gap_1(const nsm_view*, double*);
void nsm_directions_0(const nsm_view*, double*);
void nsm_directions_1(const nsm_view*, double*);

// One function per dimension, so that each is optimised by itself beforehand; those in use are inlined.
#define NSM_BALL(D)                                                                                                    \
  NSM_APART bool nsm_ball_##D(const double* G, bool symmetric, bool finite, const double* c, double R, double* next) { \
    nsmc::rt::BallFacts<double> facts;                                                                                 \
    facts.symmetric = symmetric;                                                                                       \
    facts.finite = finite;                                                                                             \
    return nsmc::rt::detail::solve_ball_block<D, double>(G, nsmc::rt::small::constant_limits.rows, facts, c, R, next,  \
                                                         true);                                                        \
  }
NSM_BALL(2)
NSM_BALL(3)
NSM_BALL(4)
NSM_BALL(5)
NSM_BALL(6)
}

namespace nsmc::rt::small {
namespace {

double* plain(Known* x) { return reinterpret_cast<double*>(x); }
const double* plain(const Known* x) { return reinterpret_cast<const double*>(x); }

// A layout that is a constant.
struct Constants {
  static constexpr Limits limits = constant_limits;
  static constexpr bool looks_for_constants = false;  // they are known
  static constexpr bool checks_every_step = false;    // what is not finite stays so

  NSM_INLINE static const Layout& layout() { return nsm_layout; }

  NSM_INLINE static bool stays_at_infinity(const Known& a) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    bool known = false;
    known = __builtin_constant_p(a.v);
    return known && (a.v == infinity || a.v == -infinity);
  }

  NSM_INLINE static bool solve_ball(const Known* G, std::uint32_t /*stride*/, std::uint32_t d,
                                    const BallFacts<Known>& facts, const Known* c, const Known& R, Known* next,
                                    bool /*wanted*/) {
    switch (d) {
      case 2: return nsm_ball_2(plain(G), facts.symmetric, facts.finite, plain(c), R.v, plain(next));
      case 3: return nsm_ball_3(plain(G), facts.symmetric, facts.finite, plain(c), R.v, plain(next));
      case 4: return nsm_ball_4(plain(G), facts.symmetric, facts.finite, plain(c), R.v, plain(next));
      case 5: return nsm_ball_5(plain(G), facts.symmetric, facts.finite, plain(c), R.v, plain(next));
      default: return nsm_ball_6(plain(G), facts.symmetric, facts.finite, plain(c), R.v, plain(next));
    }
  }
};

struct FusedModel;
using FusedStep = Step<FusedModel>;

struct FusedModel {
  using Real = Known;
  using Shape = Constants;
  static constexpr std::uint32_t max_u = small::max_u;
  NSM_INLINE static std::uint32_t n_u() { return nsm_layout.n_u; }

  nsm_view view{};
  nsm_run run;
  std::uint64_t done = 0;

  NSM_INLINE void look(const Known& t, const Known* q, const Known* u) {
    view.t = t.v;
    view.q[0] = plain(q);
    view.u[0] = plain(u);
  }
  NSM_INLINE void kinematics(Known* rate) {
    view.self = run.block_self;
    nsm_kinematics(&view, plain(rate));
  }
  NSM_INLINE void dynamics(Known* M) {
    view.self = run.block_self;
    nsm_dynamics(&view, plain(M));
  }
  NSM_INLINE Known gap(std::uint32_t i) {
    double g;
    view.self = run.contact_self[i];
    if (i == 0) {
      nsm_gap_0(&view, &g);
    } else {
      nsm_gap_1(&view, &g);
    }
    return g;
  }
  NSM_INLINE void directions(std::uint32_t i, Known* out) {
    view.self = run.contact_self[i];
    if (i == 0) {
      nsm_directions_0(&view, plain(out));
    } else {
      nsm_directions_1(&view, plain(out));
    }
  }
  // A constant mass is factored before the first step.
  NSM_INLINE static bool mass_is_known() { return nsm_layout.constant_mass != 0; }
  NSM_INLINE static void keep_mass(bool) {}

  // Each selection of closed contacts has code of its own.
  NSM_INLINE bool finish(FusedStep& step, Motion<FusedModel>& state, const Known* factor,
                         const FusedStep::Problem::Options& options, bool good);
  NSM_INLINE void count(std::uint32_t closed, const FusedStep& step);
};

// Inlined at last: loops are unrolled faster if they are not within the large one.
template <std::uint32_t closed>
NSM_APART bool finish_with(FusedModel& model, FusedStep& step, Motion<FusedModel>& state, const Known* factor,
                           const FusedStep::Problem::Options& options) {
  return step.rest(model, state, factor, closed, options, true);
}

NSM_INLINE void FusedModel::count(std::uint32_t closed, const FusedStep& step) {
  const std::uint32_t n = (closed & 1) + (closed >> 1);
  const auto sweeps = static_cast<std::uint32_t>(step.contacts.sweeps);
  ++run.steps_with_contact;
  run.closed_total += n;
  run.sweeps_total += sweeps;
  if (n > run.closed_max) run.closed_max = n;
  if (sweeps > run.sweeps_max) run.sweeps_max = sweeps;
  if (step.contacts.residual.v > run.worst_residual || run.worst_contact == NSM_NONE) {
    run.worst_residual = step.contacts.residual.v;
    run.worst_step = run.first + done + 1;
    run.worst_contact = step.contacts.worst;
  }
}

NSM_INLINE bool FusedModel::finish(FusedStep& step, Motion<FusedModel>& state, const Known* factor,
                                   const FusedStep::Problem::Options& options, bool /*good*/) {
  if (step.selected == 0) return step.rest(*this, state, factor, 0, options, true);
  if (step.selected == 1 || nsm_layout.n_contacts == 1) {
    if (!finish_with<1>(*this, step, state, factor, options)) return false;
    count(1, step);
  } else if (step.selected == 2) {
    if (!finish_with<2>(*this, step, state, factor, options)) return false;
    count(2, step);
  } else {
    if (!finish_with<3>(*this, step, state, factor, options)) return false;
    count(3, step);
  }
  return true;
}

template <class To, class From>
NSM_INLINE void copy(const From* from, std::uint32_t n, To* to) {
  NSM_UNROLL
  for (std::uint32_t k = 0; k < n; ++k) to[k] = static_cast<To>(from[k]);
}

NSM_INLINE std::uint64_t advance(nsm_run* given) {
  FusedModel model;
  model.run = *given;
  const nsm_run& run = model.run;
  Motion<FusedModel> state;
  Known factor[max_u * max_u];
  double shared[constant_limits.shared];
  copy(run.shared, nsm_layout.n_shared, shared);
  copy(run.q, nsm_layout.n_q, state.q);
  copy(run.u, nsm_layout.n_u, state.u);
  copy(run.Lambda, nsm_layout.n_rows, state.Lambda);
  copy(run.gap_slack, nsm_layout.n_contacts, state.slack);
  model.view.p = run.p;
  model.view.shared = shared;
  if (nsm_layout.constant_mass != 0) {
    Known M[max_u * max_u + max_u];
    model.look(run.t_first, state.q, state.u);
    model.dynamics(M);
    if (!factor_mass(nsm_layout, nsm_layout.n_u, M, factor)) return 0;
  }

  const FusedStep::Problem::Options options{run.tolerance, static_cast<int>(run.most_sweeps), run.automatic != 0};
  std::uint32_t last_closed = 0;
  for (; model.done < run.steps; ++model.done) {
    FusedStep step;
    const double t = run.t_first + static_cast<double>(static_cast<std::int64_t>(run.first + model.done)) * run.dt;
    if (!step.take(model, state, factor, t, run.dt, options, true)) break;
    last_closed = step.selected;
  }
  if (model.done == 0) return 0;

  // What is not finite stays so: q and u only ever have something added to them.
  if (!(all_finite(state.q, nsm_layout.n_q) & all_finite(state.u, nsm_layout.n_u))) return 0;
  copy(state.q, nsm_layout.n_q, run.q);
  copy(state.u, nsm_layout.n_u, run.u);
  copy(state.Lambda, nsm_layout.n_rows, run.Lambda);
  copy(state.slack, nsm_layout.n_contacts, run.gap_slack);
  NSM_UNROLL
  for (std::uint32_t i = 0; i < nsm_layout.n_contacts; ++i) run.closed[i] = last_closed >> i & 1;
  *given = run;
  return model.done;
}

}  // namespace
}  // namespace nsmc::rt::small

extern "C" std::uint64_t nsm_advance_steps(nsm_run* run) { return nsmc::rt::small::advance(run); }
