// The step that is compiled together with the kernels, against the general one: the same numbers, bit by bit (up to the
// sign of zeros), for every model that has one; and whole runs, which must not show how their steps were done.
#include "runtime/small/fused_step.hpp"

#include <filesystem>
#include <limits>
#include <random>

#include "compiler/codegen/kernel_cache.hpp"
#include "runtime/methods/make_integrator.hpp"
#include "runtime/methods/moreau.hpp"
#include "tests/numeric/run_model.hpp"

using namespace nsmc;
using namespace nsmc::test;

namespace {

// A model with its step and without.
class Fused {
 public:
  explicit Fused(ModelSource source) : pipeline_(std::move(source)) {
    kernels_ = pipeline_.compiled(Level::velocity, nullptr, Fusing::always);
    REQUIRE_MESSAGE(kernels_ != nullptr, render(pipeline_.diagnostics(), pipeline_.sources(), false));
    plain_table_ = kernels_->table();
    plain_table_.advance = nullptr;
  }
  static Fused named(const std::string& name) { return Fused(NSMC_SOURCE_DIR "/models/" + name + ".nsm"); }

  bool exists() { return table().advance != nullptr; }
  const nsm_model& table() { return kernels_->table(); }
  const nsm_model& plain_table() const { return plain_table_; }
  std::vector<std::string> columns() { return recorded_columns(kernels_->plan(), false); }
  std::vector<double> parameters() { return parameter_values(pipeline_.pool(), *pipeline_.derived(), {}); }
  double step_of_model() {
    const auto given = pipeline_.derived()->settings.number("step");
    return given ? constant_value(pipeline_.pool(), *given, parameters()) : 1e-3;
  }

 private:
  Pipeline pipeline_;
  const Kernels* kernels_ = nullptr;
  nsm_model plain_table_{};
};

// The fused step and the general one, side by side.
struct Both {
  explicit Both(Fused& model)
      : system(model.table(), model.parameters()),
        fused(rt::make_integrator(rt::Method::moreau, system)),
        work(system),
        general_work(system),
        state(rt::initial_state(system)),
        general_state(state) {}

  // A stretch of steps, of which so many are done by the fused step; then everything that the next one depends on must
  // be the same.
  std::uint64_t advance(double dt, std::uint64_t steps, const rt::SolverOptions& options) {
    const std::uint64_t done = fused->advance(system, state, work, {0, dt, count, steps}, options, tally);
    REQUIRE(done <= steps);
    for (std::uint64_t k = 0; k < done; ++k) general_step(dt, options);
    compare();
    return done;
  }

  // A step that the fused one has left to others.
  rt::StepReport step(double dt, const rt::SolverOptions& options) {
    const rt::StepReport report = fused->step(system, state, work, dt, options);
    state.t = static_cast<double>(count + 1) * dt;
    tally.add(report, count + 1);
    general_step(dt, options);
    compare();
    return report;
  }

  void general_step(double dt, const rt::SolverOptions& options) {
    const rt::StepReport report = rt::moreau::step(system, general_state, general_work, dt, options);
    REQUIRE(report.status == rt::StepStatus::ok);
    general_tally.add(report, ++count);
    general_state.t = static_cast<double>(count) * dt;
  }

  void compare() const {
    REQUIRE(state.q == general_state.q);
    REQUIRE(state.u == general_state.u);
    REQUIRE(state.Lambda == general_state.Lambda);
    REQUIRE(state.closed == general_state.closed);
    REQUIRE(state.t == general_state.t);
    REQUIRE(state.dt == general_state.dt);
    for (std::size_t i = 0; i < work.gap_slack.size(); ++i)
      if (system.contacts()[i].type->gap != nullptr) REQUIRE(work.gap_slack[i] == general_work.gap_slack[i]);
    REQUIRE(tally.steps == general_tally.steps);
    REQUIRE(tally.closed == general_tally.closed);
    REQUIRE(tally.closed_max == general_tally.closed_max);
    REQUIRE(tally.iterations == general_tally.iterations);
    REQUIRE(tally.iterations_max == general_tally.iterations_max);
    REQUIRE(tally.worst_residual == general_tally.worst_residual);
    REQUIRE(tally.worst_step == general_tally.worst_step);
    REQUIRE(tally.worst_contact == general_tally.worst_contact);
  }

  const rt::System system;
  std::unique_ptr<rt::Integrator> fused;
  rt::Workspace work, general_work;
  rt::State state, general_state;
  rt::ContactTally tally, general_tally;
  std::uint64_t count = 0;
};

std::vector<std::string> all_models() {
  std::vector<std::string> paths;
  for (const char* folder : {NSMC_SOURCE_DIR "/models", NSMC_SOURCE_DIR "/bench/models"})
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".nsm") paths.push_back(entry.path().string());
  return paths;
}

}  // namespace

TEST_CASE("fused step: the same numbers as the general step") {
  int models = 0;
  std::uint64_t fused_steps = 0, single_steps = 0, closed = 0;
  for (const std::string& path : all_models()) {
    CAPTURE(path);
    Fused model(path);
    if (!model.exists()) continue;
    ++models;
    for (const rt::SolverKind kind : {rt::SolverKind::automatic, rt::SolverKind::sor}) {
      Both both(model);
      const double dt = model.step_of_model();
      rt::SolverOptions options;
      options.kind = kind;
      std::mt19937 random(7);
      while (both.count < 6000) {
        const std::uint64_t steps = 1 + random() % 50;
        const std::uint64_t done = both.advance(dt, steps, options);
        fused_steps += done;
        if (done == steps) continue;
        both.step(dt, options);
        ++single_steps;
      }
      closed += both.tally.closed;
    }
  }
  MESSAGE(models << " models, " << fused_steps << " steps, " << single_steps << " left to others, " << closed
                 << " closed contacts");
  CHECK(models >= 20);
  CHECK(single_steps < fused_steps / 50);
  CHECK(closed > 20000);
}

TEST_CASE("fused step: models that have one") {
  for (const char* name : {"bouncing_ball", "block", "rolling_sphere", "tippe_top_ellipsoid"}) {
    CAPTURE(name);
    CHECK(Fused::named(name).exists());
  }
  for (const char* name : {"column", "four_bar", "tippe_top", "slider_two_set"}) {
    CAPTURE(name);
    CHECK_FALSE(Fused::named(name).exists());
  }
}

TEST_CASE("fused step: compiled when asked for, else taken from the cache") {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("nsmc_fused_cache_" + std::to_string(::getpid()));
  const KernelCache cache(folder.string());
  const auto has_step = [&](Fusing fusing, const KernelCache* from) {
    Pipeline pipeline(NSMC_SOURCE_DIR "/models/bouncing_ball.nsm");
    return pipeline.compiled(Level::velocity, from, fusing)->table().advance != nullptr;
  };
  CHECK_FALSE(has_step(Fusing::if_cached, nullptr));
  CHECK_FALSE(has_step(Fusing::if_cached, &cache));
  CHECK(has_step(Fusing::always, &cache));
  CHECK(has_step(Fusing::if_cached, &cache));
  CHECK_FALSE(has_step(Fusing::never, &cache));
  CHECK_FALSE(has_step(Fusing::if_cached, nullptr));
  std::filesystem::remove_all(folder);
}

TEST_CASE("fused step: what it does not know is left to others") {
  Fused model = Fused::named("tippe_top_ellipsoid");
  Both both(model);
  rt::SolverOptions one_sweep, jor, relaxed;
  one_sweep.max_iterations = 1;
  jor.kind = rt::SolverKind::jor;
  relaxed.omega = 0.8;
  bool unconverged = false;
  for (int k = 0; k < 50; ++k) {
    if (both.advance(1e-4, 3, one_sweep) < 3) unconverged = !both.step(1e-4, one_sweep).converged || unconverged;
    CHECK(both.advance(1e-4, 3, jor) == 0);
    CHECK(both.advance(1e-4, 3, relaxed) == 0);
    both.advance(1e-4, 3, {});
  }
  CHECK(unconverged);

  const std::vector<double> q = both.state.q;
  both.state.u[0] = std::numeric_limits<double>::infinity();
  CHECK(both.fused->advance(both.system, both.state, both.work, {0, 1e-4, both.count, 5}, {}, both.tally) == 0);
  CHECK(both.state.q == q);
}

namespace {

// The same run with and without the fused step.
struct Runs {
  explicit Runs(Fused& model, const rt::SimulationOptions& options) : fused(model.columns()), plain(model.columns()) {
    REQUIRE(model.exists());
    fused_result = run(model, model.table(), options, fused);
    plain_result = run(model, model.plain_table(), options, plain);
  }

  static rt::SimulationResult run(Fused& model, const nsm_model& table, const rt::SimulationOptions& options,
                                  Trajectory& rows) {
    const rt::System system(table, model.parameters());
    rt::State state = rt::initial_state(system);
    return rt::simulate(system, state, options, rows);
  }

  void compare() const {
    CHECK(fused_result.reason == plain_result.reason);
    CHECK(fused_result.message == plain_result.message);
    REQUIRE(fused.t == plain.t);
    for (const std::string& name : fused.names()) {
      CAPTURE(name);
      CHECK(fused[name] == plain[name]);
    }
    const rt::Summary &a = fused_result.summary, &b = plain_result.summary;
    CHECK(a.steps == b.steps);
    CHECK(a.steps_with_contact == b.steps_with_contact);
    CHECK(a.closed_max == b.closed_max);
    CHECK(a.closed_mean == b.closed_mean);
    CHECK(a.iterations_max == b.iterations_max);
    CHECK(a.iterations_mean == b.iterations_mean);
    CHECK(a.iterations_total == b.iterations_total);
    CHECK(a.unconverged_steps == b.unconverged_steps);
    CHECK(a.worst_residual == b.worst_residual);
    CHECK(a.worst_time == b.worst_time);
    CHECK(a.worst_contact_name == b.worst_contact_name);
    CHECK(a.energy_min == b.energy_min);
    CHECK(a.energy_max == b.energy_max);
  }

  Trajectory fused, plain;
  rt::SimulationResult fused_result, plain_result;
};

}  // namespace

TEST_CASE("fused step: a run does not show how its steps were done") {
  Fused model(NSMC_SOURCE_DIR "/bench/models/rocking_corners.nsm");
  rt::SimulationOptions options;
  options.step = 1e-3;
  options.until = 1.9995;  // the last step is shorter
  SUBCASE("every step") { options.record_every = 1; }
  SUBCASE("every seventh") { options.record_every = 7; }
  SUBCASE("the end only") { options.record_every = 0; }
  SUBCASE("at times on the grid") { options.record_dt = 0.01; }
  SUBCASE("at times between steps") { options.record_dt = 0.0123; }
  SUBCASE("at times closer than steps") { options.record_dt = 0.0004; }
  SUBCASE("steps that do not converge") { options.solver.max_iterations = 3; }
  SUBCASE("the first step that does not converge ends it") {
    options.solver.max_iterations = 3;
    options.strict = true;
  }
  Runs(model, options).compare();
}

TEST_CASE("fused step: a run into numbers that are not finite ends at the same step") {
  Fused model({"runaway.nsm", R"(model runaway
param m = 1 [kg]
param k = 1 [kg/m^2/s^2]
coord x [m] = 2 [m]
kinetic m/2*x'^2
force x : k*x^3
contact wall { gap x  law unilateral }
simulate { until 5 [s]  step 1e-3 [s] }
)"});
  rt::SimulationOptions options;
  options.step = 1e-3;
  options.until = 5;
  options.record_every = 100;
  const Runs runs(model, options);
  CHECK(runs.fused_result.reason == rt::EndReason::numerical_failure);
  CHECK(runs.fused_result.summary.steps > 100);
  runs.compare();
}
