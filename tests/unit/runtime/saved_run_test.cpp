// A run in the hand of its caller: saved and continued bit by bit, looked at, with other parameters.
#include "runtime/saved_run.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "runtime/simulation/run.hpp"
#include "tests/unit/runtime/body_models.hpp"
#include "tests/unit/runtime/hand_models.hpp"

using namespace nsmc::rt;

namespace {

class Rows final : public Recorder {
 public:
  std::vector<std::vector<double>> rows;
  void record(double t, std::span<const double> columns) override {
    rows.emplace_back(columns.begin(), columns.end());
    rows.back().push_back(t);
  }
};

// Equal as bits: what is NaN is NaN in both.
bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}
bool same_bits(const std::vector<std::vector<double>>& a, const std::vector<std::vector<double>>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (!same_bits(a[k], b[k])) return false;
  }
  return true;
}

struct Case {
  models::Model model;
  std::vector<double> p;
  State initial;
  SimulationOptions options;
};

Case ball() {
  Case made{models::bouncing_ball(), {0.1, 9.81, 0.5}, {}, {}};
  made.initial = State(System(made.model.table, made.p));
  made.initial.q[0] = 0.05;
  made.options.until = 0.5;
  made.options.step = 1e-3;
  return made;
}

// Constraints, whose velocities remember two steps.
Case rope() {
  Case made{models::rope(4), {0.3, 9.81, 0}, {}, {}};
  made.initial = State(System(made.model.table, made.p));
  for (std::size_t i = 0; i < 4; ++i) made.initial.q[2 * i] = static_cast<double>(i + 1);
  made.options.until = 0.3;
  made.options.step = 1e-3;
  return made;
}

// The whole run, and the same one saved after `cut` steps and continued by another Run.
void check_in_two_parts(const Case& c, std::uint64_t cut) {
  Rows whole, first, second;
  Run run(c.model.table, c.p, c.initial, c.options, whole);
  REQUIRE(run.advance(c.options.until));
  const SavedRun end = run.save();
  const SimulationResult result = run.result();
  REQUIRE(result.reason == EndReason::finished);

  SavedRun saved;
  {
    Run begun(c.model.table, c.p, c.initial, c.options, first);
    while (begun.steps() < cut) REQUIRE(begun.step());
    saved = begun.save();
    CHECK(begun.save() == saved);  // looking changes nothing
  }
  Run goes_on(c.model.table, c.p, saved, c.options, second);
  CHECK(goes_on.steps() == cut);
  CHECK(goes_on.save() == saved);
  REQUIRE(goes_on.advance(c.options.until));
  CHECK(goes_on.save() == end);
  const SimulationResult continued = goes_on.result();
  for (std::vector<double>& row : second.rows) first.rows.push_back(std::move(row));
  CHECK(same_bits(first.rows, whole.rows));
  CHECK(continued.summary.steps == result.summary.steps);
  CHECK(continued.summary.iterations_total == result.summary.iterations_total);
  CHECK(continued.summary.energy_first == result.summary.energy_first);
  CHECK(continued.summary.worst_time == result.summary.worst_time);
  CHECK(continued.summary.position_error == result.summary.position_error);
}

}  // namespace

TEST_CASE("a run that was saved goes on bit by bit") {
  for (const std::uint64_t cut : {0, 1, 101, 230}) {
    for (const Method method : {Method::moreau, Method::lie}) {
      Case bounces = ball(), hangs = rope();
      bounces.options.method = hangs.options.method = method;
      check_in_two_parts(bounces, cut);
      check_in_two_parts(hangs, cut);
    }
  }
}

TEST_CASE("a run that was saved goes on with the rows that were asked for") {
  Case c = ball();
  c.options.record_dt = 0.0123;
  check_in_two_parts(c, 13);
  check_in_two_parts(c, 200);
  c.options.record_dt = 0;
  c.options.record_every = 7;
  check_in_two_parts(c, 21);
  check_in_two_parts(c, 22);
}

TEST_CASE("a run that has ended between its times is saved before its last step") {
  Case c = ball();
  c.options.until = 0.3004;
  Rows rows;
  Run run(c.model.table, c.p, c.initial, c.options, rows);
  REQUIRE(run.advance_to_last_time());
  CHECK(run.steps() == 300);
  const SavedRun saved = run.save();
  REQUIRE(run.advance(c.options.until));
  CHECK(run.t() == 0.3004);
  CHECK(run.is_over());

  c.options.until = 0.5;
  Rows whole, rest;
  Run uninterrupted(c.model.table, c.p, c.initial, c.options, whole);
  uninterrupted.advance(0.5);
  Run later(c.model.table, c.p, saved, c.options, rest);
  later.advance(0.5);
  CHECK(later.save() == uninterrupted.save());

  c.options.until = 0.2;
  Run earlier(c.model.table, c.p, saved, c.options, rest);
  CHECK(earlier.result().reason == EndReason::invalid_options);
}

TEST_CASE("a saved run is refused by another model or method") {
  Case bounces = ball(), hangs = rope();
  Rows rows;
  Run run(bounces.model.table, bounces.p, bounces.initial, bounces.options, rows);
  run.advance(0.1);
  const SavedRun saved = run.save();
  CHECK_THROWS_AS(Run(hangs.model.table, hangs.p, saved, hangs.options, rows), SavedRunError);
  bounces.options.method = Method::lie;
  CHECK_THROWS_AS(Run(bounces.model.table, bounces.p, saved, bounces.options, rows), SavedRunError);
  CHECK_THROWS_AS(Run(hangs.model.table, hangs.p, SavedRun{}, hangs.options, rows), SavedRunError);
}

TEST_CASE("a run without an end: step, advance, look") {
  Case c = ball();
  c.options.until = std::numeric_limits<double>::infinity();
  c.options.record_every = 0;
  Rows rows;
  Run run(c.model.table, c.p, c.initial, c.options, rows);
  CHECK(run.step());
  CHECK(run.steps() == 1);
  CHECK(run.advance(0.0305));
  CHECK(run.t() == 0.031);
  CHECK(run.row()[0] == run.state().q[0]);
  CHECK(run.row()[2] == run.state().q[0]);  // the gap
  CHECK(run.advance(2));
  CHECK_FALSE(run.is_over());
  CHECK(run.state().closed[0] == 1);  // at rest by now
  CHECK(run.row()[3] == doctest::Approx(0.981));
  CHECK(rows.rows.size() == 1);
}

TEST_CASE("other parameters from the next step on") {
  Case c = ball();
  Rows rows;
  Run run(c.model.table, c.p, c.initial, c.options, rows);
  run.advance(0.05);
  const State before = run.state();
  const std::vector<double> heavier{0.1, 19.62, 0.5};
  run.set_parameters(heavier);
  CHECK(run.state().u[0] == before.u[0]);
  CHECK(run.steps() == 50);
  REQUIRE(run.state().closed[0] == 0);
  run.step();
  CHECK(run.state().u[0] == doctest::Approx(before.u[0] - 19.62e-3));
  // As if the run had always been one with these parameters, from this state on.
  Run same(c.model.table, c.p, c.initial, c.options, rows);
  same.advance(0.05);
  Run other(c.model.table, heavier, same.save(), c.options, rows);
  other.step();
  CHECK(other.save() == run.save());
}

TEST_CASE("the numbers of a step: a mass on an incline") {
  models::Model model = models::incline();
  const std::vector<double> p{2, 9.81, 0.5, 0.3};
  const System system(model.table, p);
  Workspace work(system);
  State state(system);
  state.u = {0.7, -0.2};
  const StepNumbers numbers = step_numbers(system, work, state, 0.01);
  REQUIRE_FALSE(numbers.trouble);
  CHECK(numbers.M(0, 0) == 2);
  CHECK(numbers.M(0, 1) == 0);
  CHECK(numbers.M(1, 1) == 2);
  CHECK(numbers.h[0] == doctest::Approx(2 * 9.81 * std::sin(0.5)));
  CHECK(numbers.closed == std::vector<std::uint32_t>{0});
  CHECK(numbers.gaps[0] == 0);
  REQUIRE(numbers.rows.size() == 2);
  CHECK(numbers.W(1, 0) == 1);  // normal
  CHECK(numbers.W(0, 1) == 1);  // tangential
  CHECK(numbers.gamma[0] == -0.2);
  CHECK(numbers.gamma[1] == 0.7);
  CHECK((numbers.G - Eigen::MatrixXd::Identity(2, 2) / 2).norm() <= 1e-15);
  CHECK(numbers.c[1] == doctest::Approx(0.7 + 0.01 * 9.81 * std::sin(0.5)));
  CHECK(numbers.symmetric);
  CHECK(numbers.rank == 2);
  CHECK(numbers.smallest_eigenvalue == doctest::Approx(0.5));
  CHECK(numbers.largest_eigenvalue == doctest::Approx(0.5));

  state.q[1] = 0.1;
  const StepNumbers open = step_numbers(system, work, state, 0.01);
  CHECK(open.closed.empty());
  CHECK(open.rows.empty());
  CHECK(open.gaps[0] == 0.1);
  CHECK(open.rank == 0);
}
