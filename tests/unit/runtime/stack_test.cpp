// Many blocks with many contacts: statics of a stack of beads, and what a step costs when there are many.
#include <doctest/doctest.h>

#include <chrono>
#include <cmath>

#include "runtime/methods/moreau.hpp"
#include "tests/unit/runtime/body_models.hpp"

using namespace nsmc::rt;

namespace {

State resting(const System& system) {
  State state(system);
  for (std::uint32_t i = 0; i < system.n_q(); ++i) state.q[i] = i + 0.5;
  return state;
}

}  // namespace

TEST_CASE("stack: contact forces are the weights above") {
  for (const std::uint32_t n : {10u, 1000u}) {
    const models::Model model = models::stack(n);
    const double m = 0.1, g = 9.81, dt = 1e-3;
    const System system(model.table, std::vector<double>{m, g, 0});
    Workspace work(system);
    State state = resting(system);
    // From zero sor needs n^2 sweeps and more, so the larger stack is given its forces and has to keep them.
    if (n > 100) {
      for (std::uint32_t i = 0; i < n; ++i) state.Lambda[i] = m * g * dt * (n - i);
    }
    int first = 0, later = 0;
    for (int k = 0; k < 20; ++k) {
      const StepReport report = moreau::step(system, state, work, dt, {SolverKind::sor, 1, 1e-12});
      CHECK(report.converged);
      CHECK(report.n_closed == n);
      (k == 0 ? first : later) = std::max(k == 0 ? first : later, report.iterations);
    }
    MESSAGE("stack of " << n << ": " << first << " sweeps in the first step, then at most " << later);
    for (std::uint32_t i = 0; i < n; ++i) {
      REQUIRE(state.Lambda[i] / dt == doctest::Approx(m * g * (n - i)).epsilon(1e-6));
      REQUIRE(std::abs(state.u[i]) < 1e-9);
    }
    CHECK(later <= (n > 100 ? 2 : 100));
  }
}

TEST_CASE("stack: it stands, though its forces are but as exact as the solver's tolerance") {
  // Errors of the velocities lift a bead off within a few steps, by 1e-14; it must not fall for that.
  const std::uint32_t n = 10;
  const models::Model model = models::stack(n);
  const System system(model.table, std::vector<double>{0.1, 9.81, 0});
  for (const double tolerance : {1e-8, 1e-10}) {
    Workspace work(system);
    State state = resting(system);
    for (int k = 0; k < 2000; ++k) {
      const StepReport report = moreau::step(system, state, work, 1e-3, {SolverKind::sor, 1, tolerance});
      REQUIRE(report.n_closed == n);
    }
    for (std::uint32_t i = 0; i < n; ++i) CHECK(std::abs(state.q[i] - i - 0.5) < 1e-9);
  }
}

TEST_CASE("stack: memory and time per bead do not depend on their number") {
  double values_per_bead = 0;
  for (const std::uint32_t n : {100u, 10000u}) {
    const models::Model model = models::stack(n);
    const System system(model.table, std::vector<double>{0.1, 9.81, 0});
    Workspace work(system);
    State state = resting(system);
    for (std::uint32_t i = 0; i < n; ++i) state.Lambda[i] = 0.1 * 9.81 * 1e-3 * (n - i);
    const double values = static_cast<double>(system.max_G_values()) / n;
    if (values_per_bead == 0) values_per_bead = values;
    CHECK(values == doctest::Approx(values_per_bead).epsilon(0.02));
    CHECK(work.problem.G.capacity() == system.max_G_values());
    const std::size_t bytes =
        sizeof(double) * (work.problem.G.capacity() + work.dynamics.size() + work.factor.size() +
                          work.directions.size() + work.X.size() + work.problem.arguments.size()) +
        sizeof(ContactRows) * work.problem.contacts.capacity() + sizeof(SetBlock) * work.problem.sets.capacity() +
        sizeof(ColumnRun) * work.problem.runs.capacity();
    moreau::step(system, state, work, 1e-3, {});
    const int steps = static_cast<int>(200000 / n);
    long sweeps = 0;
    const auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < steps; ++k) sweeps += moreau::step(system, state, work, 1e-3, {}).iterations;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    MESSAGE("stack of " << n << ": " << 1e9 * seconds / steps / n << " ns per bead and step with "
                        << static_cast<double>(sweeps) / steps << " sweeps per step, " << bytes / n
                        << " bytes per bead, " << values << " values of G per bead");
  }
}
