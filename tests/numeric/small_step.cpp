// The step of fixed size for small models against the general one: the same numbers, bit by bit, step by step.
#include "runtime/small/small_step.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include "runtime/methods/moreau.hpp"
#include "tests/numeric/run_model.hpp"

using namespace nsmc;
using namespace nsmc::test;

namespace {

struct Both {
  explicit Both(const rt::System& of)
      : system(of), small(rt::make_small_step(of)), work(of), general_work(of), state(rt::initial_state(of)) {
    general_state = state;
  }

  // Both take a step; then everything that the next one depends on must be the same.
  rt::StepReport step(double dt, const rt::SolverOptions& options) {
    const std::optional<rt::StepReport> by_small = small->step(system, state, work, dt, options);
    left += by_small ? 0 : 1;
    const rt::StepReport report = by_small ? *by_small : rt::moreau::step(system, state, work, dt, options);
    const rt::StepReport expected = rt::moreau::step(system, general_state, general_work, dt, options);
    REQUIRE(report.status == expected.status);
    REQUIRE(report.n_closed == expected.n_closed);
    REQUIRE(report.iterations == expected.iterations);
    REQUIRE(report.residual == expected.residual);
    REQUIRE(report.converged == expected.converged);
    REQUIRE(report.contact == expected.contact);
    REQUIRE(state.q == general_state.q);
    REQUIRE(state.u == general_state.u);
    REQUIRE(state.Lambda == general_state.Lambda);
    REQUIRE(state.closed == general_state.closed);
    REQUIRE(state.t == general_state.t);
    REQUIRE(state.dt == general_state.dt);
    REQUIRE(work.gap_slack == general_work.gap_slack);
    return report;
  }

  const rt::System& system;
  std::unique_ptr<rt::SmallStep> small;
  rt::Workspace work, general_work;
  rt::State state, general_state;
  int left = 0;  // steps that were left to the general one
};

struct Subject {
  const char* name;
  double dt;
  int steps;
};

}  // namespace

TEST_CASE("small step: the same numbers as the general step") {
  // Impacts and rest, a vibrating table, two corners that stick and rock, dense masses, quaternions, discs and
  // ellipsoids.
  constexpr Subject subjects[] = {
      {"bouncing_ball", 1e-3, 5000}, {"vibrating_table", 1e-3, 2000}, {"block", 1e-3, 100},
      {"rocking_block", 1e-3, 2000}, {"rolling_sphere", 1e-3, 400},   {"slider_circle", 1e-3, 1000},
      {"woodpecker", 1e-4, 5000},    {"spinning_disc", 1e-4, 2000},   {"tippe_top_ellipsoid", 1e-4, 20000},
      {"tippe_top", 1e-4, 20000},    {"contensou_disc", 1e-3, 2000}};
  int small_models = 0;
  std::uint64_t closed = 0;
  for (const Subject& subject : subjects) {
    CAPTURE(subject.name);
    Model model = Model::named(subject.name);
    const rt::System system(model.kernels().table(), model.parameters());
    Both both(system);
    if (both.small == nullptr) continue;
    ++small_models;
    for (int k = 0; k < subject.steps; ++k) {
      const rt::StepReport report = both.step(subject.dt, {});
      REQUIRE(report.status == rt::StepStatus::ok);
      closed += report.n_closed;
    }
    CHECK(both.left < subject.steps / 20);
  }
  CHECK(small_models >= 8);
  CHECK(closed > 10000);
}

TEST_CASE("small step: what it does not know is done by the general step") {
  Model model = Model::named("tippe_top_ellipsoid");
  const rt::System system(model.kernels().table(), model.parameters());
  Both both(system);
  REQUIRE(both.small != nullptr);
  rt::SolverOptions one_sweep, jor, relaxed;
  one_sweep.max_iterations = 1;
  jor.kind = rt::SolverKind::jor;
  relaxed.omega = 0.8;
  bool unconverged = false;
  for (int k = 0; k < 50; ++k) {
    unconverged = !both.step(1e-4, one_sweep).converged || unconverged;
    both.step(1e-4, jor);
    both.step(1e-4, relaxed);
    both.step(1e-4, {});
  }
  CHECK(unconverged);

  const std::vector<double> q = both.state.q;
  both.state.u[0] = both.general_state.u[0] = std::numeric_limits<double>::infinity();
  CHECK_FALSE(both.small->step(system, both.state, both.work, 1e-4, {}));
  CHECK(rt::moreau::step(system, both.state, both.work, 1e-4, {}).status == rt::StepStatus::not_finite);
  CHECK(both.state.q == q);
}

TEST_CASE("small step: other models are not small") {
  for (const char* name : {"column", "four_bar", "slider_two_set"}) {
    CAPTURE(name);
    Model model = Model::named(name);
    const rt::System system(model.kernels().table(), model.parameters());
    CHECK(rt::make_small_step(system) == nullptr);
  }
}
