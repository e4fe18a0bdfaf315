// No step allocates memory: operator new is replaced in this program by one that counts.
#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>

#include "runtime/methods/integrator.hpp"
#include "runtime/methods/lie.hpp"
#include "runtime/methods/make_integrator.hpp"
#include "runtime/methods/moreau.hpp"
#include "runtime/sets/convex_set.hpp"
#include "runtime/small/lane_step.hpp"
#include "runtime/small/small_step.hpp"
#include "tests/unit/runtime/body_models.hpp"
#include "tests/unit/runtime/function_sets.hpp"
#include "tests/unit/runtime/hand_models.hpp"
#include "tests/unit/runtime/lane_models.hpp"

namespace {
std::atomic<std::size_t> allocations{0};

void* counted(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size > 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}
}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

using namespace nsmc::rt;

TEST_CASE("steps do not allocate, not even the first one") {
  const std::size_t at_start = allocations;
  int* volatile memory = new int(1);  // seen from outside, so that it is not left out
  delete memory;
  REQUIRE(allocations > at_start);  // the count works

  const auto run = [](const models::Model& model, const std::vector<double>& parameters, SolverKind kind,
                      const std::vector<double>& q, const std::vector<double>& u) {
    const System system(model.table, parameters);
    Workspace work(system);
    State state(system);
    state.q = q;
    state.u = u;
    LieIntegrator lie(system, 2);
    const State start = state;
    const std::size_t before = allocations;
    std::uint32_t closed = 0;
    for (int k = 0; k < 2000; ++k) closed += moreau::step(system, state, work, 1e-3, {kind}).n_closed;
    std::size_t during = allocations - before;
    CHECK(closed > 0);
    if (const std::unique_ptr<SmallStep> small = make_small_step(system)) {
      state.q = q;
      state.u = u;
      const std::size_t before_small = allocations;
      for (int k = 0; k < 500; ++k) small->step(system, state, work, 1e-3, {kind});
      during += allocations - before_small;
    }
    for (const Tableau& tableau : tableaux()) {
      const std::unique_ptr<Integrator> rk = make_integrator(Method::rk, system, {.tableau = &tableau});
      state.q = q;
      state.u = u;
      const std::size_t before_rk = allocations;
      closed = 0;
      for (int k = 0; k < 500; ++k) closed += rk->step(system, state, work, 1e-3, {kind}).n_closed;
      during += allocations - before_rk;
      CHECK(closed > 0);
    }
    state = start;
    closed = 0;
    const std::size_t before_lie = allocations;
    for (int k = 0; k < 2000; ++k) closed += lie.step(system, state, work, 1e-3, {kind}).n_closed;
    during += allocations - before_lie;
    CHECK(closed > 0);
    return during;
  };
  const std::vector<double> masses = {1, 2, 3, 4};
  for (const SolverKind kind :
       {SolverKind::jor, SolverKind::sor, SolverKind::jprox, SolverKind::uzawa, SolverKind::multiplier}) {
    CHECK(run(models::bouncing_ball(), {1, 9.81, 0.5}, kind, {0.1}, {0}) == 0);
    CHECK(run(models::incline(true), {1, 9.81, 0.3, 0.2}, kind, {0, 0.01}, {1, 0}) == 0);
    CHECK(run(models::incline(false), {1, 9.81, 0.3, 0.2}, kind, {0, 0.01}, {1, 0}) == 0);
    CHECK(run(models::cradle(masses, {{2, 3}, {0, 1}, {1, 2}}), {0.5}, kind, {0, 1.1, 2.2, 3.3}, {3, 0, 0, -2}) == 0);
    CHECK(run(models::pendulum(2), {1, 9.81, 1, 0}, kind, {1, 0}, {0, 0}) == 0);
    CHECK(run(models::rope(3), {1, 9.81, 0}, kind, {1, 0, 2, 0, 3, 0}, {0, 0, 0, 0, 0, 0}) == 0);
  }
}

TEST_CASE("steps over lanes do not allocate, and are those of single runs") {
  const std::vector<double> starts = {0.01, -0.001, 0.2, 0, 0.001, 1, 0.02, 0.5};
  const models::Model model = models::incline(true);
  for (std::uint32_t lanes = lanes_of_processor(); lanes > 1; lanes /= 2) {
    if (lanes == 2) break;
    std::vector<std::unique_ptr<System>> systems;
    std::vector<State> states, single;
    std::vector<std::unique_ptr<Workspace>> works;
    const System first(model.table, std::vector<double>{1, 9.81, 0.3, 0.2});
    const models::LaneTable table(first, lanes);
    const std::unique_ptr<LaneStep> over_lanes = make_lane_step(first, table.table);
    for (std::uint32_t l = 0; l < lanes; ++l) {
      systems.push_back(std::make_unique<System>(model.table, std::vector<double>{1 + 0.1 * l, 9.81, 0.1 * l, 0.2}));
      works.push_back(std::make_unique<Workspace>(*systems[l]));
      states.emplace_back(*systems[l]);
      states[l].q = {0, starts[l]};
      states[l].u = {1 - 0.3 * l, 0};
      over_lanes->enter(l, *systems[l], states[l], *works[l], {SolverKind::sor});
    }
    single = states;
    LaneValues t, dt;
    StepReport reports[max_lanes];
    for (std::uint32_t l = 0; l < lanes; ++l) dt.of[l] = 1e-3;
    const std::size_t before = allocations;
    std::uint32_t closed = 0, done = ~0u;
    for (int k = 0; k < 500; ++k) {
      done &= over_lanes->step((1u << lanes) - 1, t, dt, reports);
      for (std::uint32_t l = 0; l < lanes; ++l) closed += reports[l].n_closed;
    }
    CHECK(allocations == before);
    CHECK(done == (1u << lanes) - 1);
    CHECK(closed > 500);
    for (std::uint32_t l = 0; l < lanes; ++l) {
      for (int k = 0; k < 500; ++k) moreau::step(*systems[l], single[l], *works[l], 1e-3, {SolverKind::sor});
      over_lanes->leave(l, states[l], *works[l]);
      CHECK(states[l].q == single[l].q);
      CHECK(states[l].u == single[l].u);
    }
  }
}

TEST_CASE("event: smooth motion does not allocate, events may") {
  models::Model model = models::incline(true);
  model.contact_classes[0].zeta = [](const nsm_view*, double* out) { out[0] = out[1] = 0; };
  const System system(model.table, std::vector<double>{1, 9.81, 0.3, 0.2});
  Workspace work(system);
  State state(system);
  state.q = {0, 0};
  state.u = {1, 0};
  const std::unique_ptr<Integrator> event = make_integrator(Method::event, system, {});
  CHECK(event->step(system, state, work, 1e-2, {}).n_closed == 1);  // the first state is an event
  const std::size_t before = allocations;
  for (int k = 0; k < 20; ++k) CHECK(event->step(system, state, work, 1e-2, {}).internal_steps > 0);
  CHECK(allocations == before);
  CHECK(state.u[0] > 1);
}

TEST_CASE("no set allocates, whether it is smooth or has corners") {
  const auto check = [](std::uint32_t kind, std::uint32_t dim, nsm_kernel function,
                        const std::vector<double>& arguments) {
    nsm_set set = functions::plain_set(kind, dim, static_cast<std::uint32_t>(arguments.size()));
    set.function = function;
    const ConvexSet view{&set, arguments.data()};
    const std::size_t before = allocations;
    for (int n = 0; n < 200; ++n) {
      double z[6] = {};
      for (std::uint32_t k = 0; k < dim; ++k) z[k] = 0.02 * n * ((7 * n + 3 * static_cast<int>(k)) % 5 - 2);
      view.prox(z);
      view.contains(z);
      view.gauge(z);
    }
    CHECK(allocations == before);
  };
  check(NSM_SET_POLYGON, 2, nullptr, {1, 0, 0, 1, -1, 0, 0, -1});
  check(NSM_SET_GAUGE, 2, functions::superellipsoid_gauge<2>, {1, 1, 2, 1.5});
  check(NSM_SET_GAUGE, 4, functions::ellipsoid_gauge<4>, {1, 1, 2, 1.5, 0.3});
  check(NSM_SET_GAUGE, 6, functions::diamond_gauge<6>, {1, 1, 2, 1.5, 0.3, 1, 2});
  check(NSM_SET_GAUGE, 3, functions::cylinder_gauge<3>, {1, 0.7, 0.3});
  check(NSM_SET_SUPPORT, 2, functions::box_support<2>, {1, 1, 2});
  check(NSM_SET_SUPPORT, 5, functions::ellipsoid_support<5>, {1, 1, 2, 1.5, 0.3, 1});
  check(NSM_SET_SUPPORT, 3, functions::cylinder_support<3>, {1, 0.7, 0.3});
  check(NSM_SET_CONTENSOU_PARABOLIC, 3, nullptr, {1, 0.3});
  check(NSM_SET_CONTENSOU_UNIFORM, 3, nullptr, {1, 0.3});
}

TEST_CASE("newton allocates when contacts close, and not while they stay closed") {
  const std::uint32_t n = 50;
  const models::Model model = models::stack(n);
  const System system(model.table, std::vector<double>{0.1, 9.81, 0});
  for (const SolverKind kind : {SolverKind::newton, SolverKind::automatic}) {
    Workspace work(system);
    State state(system);
    for (std::uint32_t i = 0; i < n; ++i) state.q[i] = i + 0.5;
    const StepReport first = moreau::step(system, state, work, 1e-3, {kind});
    CHECK(first.converged);
    const std::size_t before = allocations;
    for (int k = 0; k < 20; ++k) {
      std::fill(state.Lambda.begin(), state.Lambda.end(), 0.0);  // no help from the step before
      CHECK(moreau::step(system, state, work, 1e-3, {kind}).converged);
    }
    CHECK(allocations == before);
  }
}
