// The run as a whole: times, rows, reasons to end, summary.
#include "runtime/simulation/simulate.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#include "tests/unit/runtime/hand_models.hpp"

using namespace nsmc::rt;

namespace {

class Rows final : public Recorder {
 public:
  std::vector<double> times;
  std::vector<std::vector<double>> rows;
  void record(double t, std::span<const double> columns) override {
    times.push_back(t);
    rows.emplace_back(columns.begin(), columns.end());
  }
};

struct Run {
  models::Model model = models::bouncing_ball();
  System system{model.table, std::vector<double>{0.1, 9.81, 0.5}};
  State state{system};
  SimulationOptions options;
  Rows rows;
  Run() { state.q[0] = 0.05; }
  SimulationResult operator()() { return simulate(system, state, options, rows); }
};

}  // namespace

TEST_CASE("simulate: times are multiples of dt, the last step ends where it should") {
  Run run;
  run.options.until = 0.1;
  run.options.step = 0.01;
  CHECK(run().summary.steps == 10);
  REQUIRE(run.rows.times.size() == 11);
  for (std::size_t k = 0; k < 10; ++k) CHECK(run.rows.times[k] == static_cast<double>(k) * 0.01);
  CHECK(run.rows.times.back() == 0.1);
  CHECK(run.rows.rows[3][5] == run.rows.times[3]);

  Run shorter;
  shorter.options.until = 0.105;
  shorter.options.step = 0.01;
  CHECK(shorter().summary.steps == 11);
  CHECK(shorter.rows.times.back() == 0.105);
  CHECK(shorter.state.t == 0.105);
  CHECK(shorter.state.dt == doctest::Approx(0.005));

  Run nothing;
  nothing.options.until = 0;
  CHECK(nothing().reason == EndReason::finished);
  CHECK(nothing.rows.times == std::vector<double>{0});
}

TEST_CASE("simulate: which rows are recorded") {
  Run every;
  every.options.until = 0.1;
  every.options.step = 0.01;
  every.options.record_every = 4;
  every();
  CHECK(every.rows.times == std::vector<double>{0, 0.04, 0.08, 0.1});

  Run ends;
  ends.options = every.options;
  ends.options.record_every = 0;
  ends();
  CHECK(ends.rows.times == std::vector<double>{0, 0.1});

  Run interval;
  interval.options = every.options;
  interval.options.record_dt = 0.025;
  interval();
  CHECK(interval.rows.times == std::vector<double>{0, 0.03, 0.05, 0.08, 0.1});

  Run dense;
  dense.options = every.options;
  dense.options.record_dt = 0.001;  // finer than the step: every step once
  dense();
  CHECK(dense.rows.times.size() == 11);
}

TEST_CASE("simulate: the first row has no forces, later ones have Lambda/dt") {
  Run run;
  run.state.q[0] = -1e-9;
  run.state.Lambda[0] = 1;  // left over from somewhere
  run.options.until = 0.01;
  run.options.step = 0.001;
  run();
  CHECK(run.rows.rows[0][3] == 0);
  CHECK(run.rows.rows[5][3] == doctest::Approx(0.1 * 9.81));
}

TEST_CASE("simulate: summary") {
  Run run;
  run.options.until = 2;
  run.options.step = 1e-3;
  int calls = 0;
  run.options.progress = [&](const Progress& progress) {
    ++calls;
    CHECK(progress.n_steps == 2000);
    CHECK(progress.step <= 2000);
  };
  const SimulationResult result = run();
  CHECK(result.reason == EndReason::finished);
  CHECK(result.message.empty());
  const Summary& summary = result.summary;
  CHECK(summary.steps == 2000);
  CHECK(summary.steps_with_contact > 1000);
  CHECK(summary.steps_with_contact < 2000);
  CHECK(summary.closed_max == 1);
  CHECK(summary.closed_mean == doctest::Approx(static_cast<double>(summary.steps_with_contact) / 2000));
  CHECK(summary.iterations_mean >= 1);
  CHECK(summary.iterations_max >= 1);
  CHECK(summary.unconverged_steps == 0);
  CHECK(summary.worst_residual <= 1e-10);
  CHECK(summary.worst_contact_name == "table");
  CHECK(summary.energy_first == doctest::Approx(0.1 * 9.81 * 0.05));
  CHECK(std::abs(summary.energy_last) < 1e-4);
  CHECK(summary.energy_min <= summary.energy_last);
  CHECK(summary.energy_max == doctest::Approx(summary.energy_first).epsilon(1e-2));
  CHECK(summary.wall_seconds > 0);
}

TEST_CASE("simulate: two runs give the same bits") {
  Run one, other;
  one.options.until = other.options.until = 1;
  one();
  other();
  REQUIRE(one.rows.rows.size() == other.rows.rows.size());
  for (std::size_t k = 0; k < one.rows.rows.size(); ++k) {
    const std::vector<double>&a = one.rows.rows[k], &b = other.rows.rows[k];
    REQUIRE(a.size() == b.size());
    CHECK(std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);  // work that is not counted is NaN
  }
}

TEST_CASE("simulate: an interrupted run keeps what it has") {
  Run run;
  std::atomic<bool> stop{false};
  run.options.until = 1;
  run.options.step = 1e-3;
  run.options.record_every = 50;
  run.options.stop = &stop;
  class Stopper final : public Recorder {
   public:
    explicit Stopper(std::atomic<bool>& flag) : stop_(flag) {}
    std::vector<double> times;
    void record(double t, std::span<const double>) override {
      times.push_back(t);
      if (times.size() == 3) stop_ = true;
    }

   private:
    std::atomic<bool>& stop_;
  } stopper(stop);
  const SimulationResult result = simulate(run.system, run.state, run.options, stopper);
  CHECK(result.reason == EndReason::interrupted);
  CHECK(result.summary.steps == 100);
  CHECK(stopper.times.size() == 3);
  CHECK(run.state.t == doctest::Approx(0.1));
}

TEST_CASE("simulate: unconverged steps are counted, or end a strict run") {
  const std::vector<double> masses = {1, 1, 1};
  const models::Model model = models::cradle(masses, {{0, 1}, {1, 2}});
  const System system(model.table, std::vector<double>{1.0});
  const auto run = [&](bool strict) {
    State state(system);
    state.q = {-0.001, 1, 2};
    state.u = {3, 0, 0};
    SimulationOptions options;
    options.until = 0.01;
    options.step = 1e-3;
    options.solver.max_iterations = 2;
    options.strict = strict;
    NullRecorder recorder;
    return simulate(system, state, options, recorder);
  };
  const SimulationResult lenient = run(false);
  CHECK(lenient.reason == EndReason::finished);
  CHECK(lenient.summary.steps == 10);
  CHECK(lenient.summary.unconverged_steps >= 1);
  CHECK(lenient.summary.unconverged_steps < 10);
  CHECK(lenient.summary.worst_residual > 1e-10);
  CHECK(lenient.summary.worst_time > 0);

  REQUIRE(lenient.summary.warning_words.size() == 1);
  CHECK(lenient.summary.warning_words[0].code == "R0201");
  CHECK(lenient.summary.warnings.times(WarningKind::unconverged) == lenient.summary.unconverged_steps);

  const SimulationResult strict = run(true);
  CHECK(strict.reason == EndReason::strict_failure);
  CHECK(strict.summary.steps < 10);
  CHECK(strict.message.find("ended by strict in step ") != std::string::npos);
  CHECK(strict.message.find("R0201: 1 step did not converge") != std::string::npos);
  CHECK(strict.message.find("residual ") != std::string::npos);
  CHECK(strict.message.find("touch[") != std::string::npos);
}

TEST_CASE("simulate: a numerical failure ends the run with the last good row") {
  models::Model model = models::bouncing_ball();
  model.block_classes[0].constant_mass = 0;
  model.block_classes[0].dynamics = [](const nsm_view* v, double* out) {
    out[0] = v->t < 0.0055 ? v->p[0] : -1;
    out[1] = 0;
  };
  const System system(model.table, std::vector<double>{0.1, 9.81, 0.5});
  State state(system);
  state.q[0] = 1;
  SimulationOptions options;
  options.until = 1;
  options.step = 1e-3;
  options.record_every = 100;
  Rows rows;
  const SimulationResult result = simulate(system, state, options, rows);
  CHECK(result.reason == EndReason::numerical_failure);
  CHECK(result.message == "the mass matrix is not positive definite in step 6 from t = 0.005");
  CHECK(result.summary.steps == 5);
  CHECK(rows.times == std::vector<double>{0, 0.005});
}

TEST_CASE("simulate: impossible options are refused before anything is recorded") {
  const auto refused = [](auto&& change) {
    Run run;
    change(run.options);
    const SimulationResult result = run();
    return result.reason == EndReason::invalid_options && !result.message.empty() && run.rows.times.empty();
  };
  CHECK(refused([](SimulationOptions& o) { o.step = 0; }));
  CHECK(refused([](SimulationOptions& o) { o.step = std::nan(""); }));
  CHECK(refused([](SimulationOptions& o) { o.until = cases::infinity; }));
  CHECK(refused([](SimulationOptions& o) { o.solver.omega = 0; }));
  CHECK(refused([](SimulationOptions& o) { o.solver.omega = 2; }));
  CHECK(refused([](SimulationOptions& o) { o.solver.tolerance = -1; }));
  CHECK(refused([](SimulationOptions& o) { o.step = 1e-300; }));
  CHECK_FALSE(refused([](SimulationOptions&) {}));
}
