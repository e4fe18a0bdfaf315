// Steps over lanes against steps of single runs: the same numbers, bit by bit, step by step, in every lane.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "compiler/api/pipeline.hpp"
#include "compiler/codegen/lane_kernels.hpp"
#include "compiler/mechanics/initial_values.hpp"
#include "runtime/methods/make_integrator.hpp"
#include "runtime/methods/moreau.hpp"
#include "runtime/simulation/lane_group.hpp"

using namespace nsmc;

namespace {

// The numbers of lanes that can be tested on this machine.
std::vector<unsigned> lane_counts() {
  if (rt::lanes_of_processor() == 8) return {4, 8};
  if (rt::lanes_of_processor() == 4) return {4};
  MESSAGE("this processor has no lanes: nothing is tested");
  return {};
}

// A run of its own and, in a lane, the same run once more.
struct Pair {
  explicit Pair(const nsm_model& table, const std::vector<double>& p)
      : system(table, p),
        integrator(rt::make_integrator(rt::Method::moreau, system, {})),
        work(system),
        lane_work(system),
        state(rt::initial_state(system)),
        lane_state(state) {}

  rt::System system;
  std::unique_ptr<rt::Integrator> integrator;
  rt::Workspace work, lane_work;
  rt::State state, lane_state;
  rt::SolverOptions options;
};

// A model with kernels of both kinds.
struct LaneModel {
  LaneModel(const std::string& name, const LaneShape& shape) : pipeline(NSMC_SOURCE_DIR "/models/" + name + ".nsm") {
    const Equations* equations = pipeline.derived();
    REQUIRE_MESSAGE(equations != nullptr, name);
    table = &pipeline.compiled(Level::velocity)->table();
    parameters = parameter_values(pipeline.pool(), *equations, {});
    for (const ParameterEquation& parameter : equations->parameters) names.push_back(parameter.name);
    lanes = pipeline.compiled_lanes(Level::velocity, shape);
  }

  Pipeline pipeline;
  const nsm_model* table = nullptr;
  std::vector<double> parameters;
  std::vector<std::string> names;  // of the parameters
  std::unique_ptr<LaneKernels> lanes;
};

struct Lanes {
  Lanes(const LaneModel& model, double spread) {
    const nsm_lane_model& kernels = model.lanes->table();
    for (unsigned l = 0; l < kernels.lanes; ++l) {
      std::vector<double> p = model.parameters;
      for (std::size_t k = 0; k < p.size(); ++k)
        p[k] *= 1 + spread * (static_cast<double>((l * 7 + k * 3) % 11) / 5 - 1) * (l > 0);
      pairs.push_back(std::make_unique<Pair>(*model.table, p));
    }
    step_over_lanes = rt::make_lane_step(pairs[0]->system, kernels);
    for (unsigned l = 0; l < pairs.size(); ++l) enter(l);
  }

  void enter(unsigned l) {
    Pair& pair = *pairs[l];
    step_over_lanes->enter(l, pair.system, pair.lane_state, pair.lane_work, pair.options);
  }

  // All lanes of `wanted` take a step; returns those in which lanes did it.
  std::uint32_t step(std::uint32_t wanted, double dt) {
    rt::LaneValues t, steps;
    for (unsigned l = 0; l < pairs.size(); ++l) {
      t.of[l] = pairs[l]->state.t;
      steps.of[l] = dt * (1 + 0.1 * l);
    }
    const std::uint32_t done = step_over_lanes->step(wanted, t, steps, reports);
    for (unsigned l = 0; l < pairs.size(); ++l) {
      CAPTURE(l);
      Pair& pair = *pairs[l];
      step_over_lanes->leave(l, pair.lane_state, pair.lane_work);
      if ((wanted >> l & 1) == 0) {
        same(pair);
        continue;
      }
      const rt::StepReport expected =
          pair.integrator->step(pair.system, pair.state, pair.work, steps.of[l], pair.options);
      if ((done >> l & 1) == 0) {
        // As LaneGroup does it.
        reports[l] = pair.integrator->step(pair.system, pair.lane_state, pair.lane_work, steps.of[l], pair.options);
        enter(l);
      }
      REQUIRE(reports[l].status == expected.status);
      REQUIRE(reports[l].n_closed == expected.n_closed);
      REQUIRE(reports[l].iterations == expected.iterations);
      REQUIRE(reports[l].converged == expected.converged);
      if (!(std::isnan(expected.residual))) REQUIRE(reports[l].residual == expected.residual);
      REQUIRE(reports[l].contact == expected.contact);
      closed += expected.n_closed;
      same(pair);
    }
    return done;
  }

  static void same(const Pair& pair) {
    REQUIRE(pair.lane_state.q == pair.state.q);
    REQUIRE(pair.lane_state.u == pair.state.u);
    REQUIRE(pair.lane_state.Lambda == pair.state.Lambda);
    REQUIRE(pair.lane_state.closed == pair.state.closed);
    REQUIRE(pair.lane_work.gap_slack == pair.work.gap_slack);
  }

  std::uint32_t everybody() const { return (1u << pairs.size()) - 1; }

  std::vector<std::unique_ptr<Pair>> pairs;
  std::unique_ptr<rt::LaneStep> step_over_lanes;
  rt::StepReport reports[rt::max_lanes];
  std::uint64_t closed = 0;
};

struct Subject {
  const char* name;
  double dt;
  int steps;
};

}  // namespace

TEST_CASE("lanes: every lane has the numbers of a run of its own") {
  // Impacts and rest, a vibrating table, two corners that stick and rock, dense masses, quaternions, discs and
  // ellipsoids; in every lane with other parameters, steps and contacts.
  constexpr Subject subjects[] = {
      {"bouncing_ball", 1e-3, 3000}, {"vibrating_table", 1e-3, 2000}, {"block", 1e-3, 100},
      {"rocking_block", 1e-3, 2000}, {"rolling_sphere", 1e-3, 400},   {"slider_circle", 1e-3, 1000},
      {"woodpecker", 1e-4, 5000},    {"spinning_disc", 1e-4, 2000},   {"tippe_top_ellipsoid", 1e-4, 20000},
      {"tippe_top", 1e-4, 20000},    {"contensou_disc", 1e-3, 2000}};
  for (const unsigned lanes : lane_counts()) {
    int models = 0;
    std::uint64_t closed = 0, by_lanes = 0, all = 0;
    for (const Subject& subject : subjects) {
      CAPTURE(subject.name);
      CAPTURE(lanes);
      const LaneModel model(subject.name, {lanes, true});
      if (!rt::fits_lanes(rt::System(*model.table, model.parameters))) continue;
      REQUIRE(model.lanes->table().exact == 1);
      ++models;
      Lanes group(model, 0.05);
      for (int k = 0; k < subject.steps; ++k) {
        CAPTURE(k);
        const std::uint32_t done = group.step(group.everybody(), subject.dt);
        by_lanes += static_cast<std::uint64_t>(__builtin_popcount(done));
        all += lanes;
      }
      closed += group.closed;
    }
    CHECK(models >= 6);
    CHECK(closed > 10000);
    CHECK(static_cast<double>(by_lanes) > 0.95 * static_cast<double>(all));
  }
}

TEST_CASE("lanes: who wants no step keeps its state, and time of its own") {
  for (const unsigned lanes : lane_counts()) {
    const LaneModel model("tippe_top_ellipsoid", {lanes, true});
    Lanes group(model, 0.05);
    for (int k = 0; k < 2000; ++k) {
      const auto wanted = static_cast<std::uint32_t>(k * 2654435761u >> 7) & group.everybody();
      group.step(wanted, 1e-4);
    }
    CHECK(group.closed > 1000);
  }
}

TEST_CASE("lanes: what is unusual in a lane is left to a single step, and disturbs no other") {
  for (const unsigned lanes : lane_counts()) {
    const LaneModel model("tippe_top_ellipsoid", {lanes, true});
    Lanes group(model, 0.05);
    group.pairs[1]->options.max_iterations = 1;
    group.pairs[2]->options.tolerance = 1e-6;
    group.pairs[3]->options.kind = rt::SolverKind::automatic;
    for (unsigned l = 1; l < 4; ++l) group.enter(l);
    bool unconverged = false;
    std::uint32_t always_done = group.everybody();
    for (int k = 0; k < 1000; ++k) {
      always_done &= group.step(group.everybody(), 1e-4);
      unconverged = unconverged || !group.reports[1].converged;
    }
    CHECK(unconverged);
    CHECK((always_done & 2u) == 0);
    CHECK((always_done & 1u) != 0);

    // Numbers that are not finite: the lane is not done and unchanged, the others go on.
    for (const double bad : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
      Pair& pair = *group.pairs[2];
      const double before = pair.lane_state.u[0];
      pair.lane_state.u[0] = bad;
      group.enter(2);
      rt::LaneValues t, dt;
      for (unsigned l = 0; l < lanes; ++l) dt.of[l] = 1e-4;
      CHECK(group.step_over_lanes->step(4u, t, dt, group.reports) == 0);
      group.step_over_lanes->leave(2, pair.lane_state, pair.lane_work);
      CHECK(pair.lane_state.q == pair.state.q);
      pair.lane_state.u[0] = before;
      group.enter(2);
    }
    group.step(group.everybody(), 1e-4);
  }
}

TEST_CASE("lanes: percussions whose squares underflow") {
  for (const char* name : {"tippe_top_ellipsoid", "tippe_top", "rolling_sphere"}) {
    for (const unsigned lanes : lane_counts()) {
      CAPTURE(name);
      const LaneModel model(name, {lanes, true});
      Lanes group(model, 0.0);
      for (unsigned l = 0; l < lanes; l += 2) {
        // Masses and inertias: what has the dimension of mass.
        std::vector<double> p = model.parameters;
        for (std::size_t k = 0; k < p.size(); ++k) {
          const std::string& parameter = model.names[k];
          if (parameter == "m" || parameter == "I1" || parameter == "I3") p[k] *= 1e-145;
        }
        group.pairs[l] = std::make_unique<Pair>(*model.table, p);
        group.enter(l);
      }
      for (int k = 0; k < 500; ++k) group.step(group.everybody(), 1e-3);
      CHECK(group.closed > 100);
    }
  }
}

TEST_CASE("lanes: a group of runs has the results of single runs") {
  struct OneRun {
    OneRun(const LaneModel& model, const std::vector<double>& p, const rt::SimulationOptions& given)
        : system(*model.table, p), state(rt::initial_state(system)), options(given) {}
    rt::System system;
    rt::State state;
    rt::SimulationOptions options;
    rt::NullRecorder nowhere;
    std::unique_ptr<rt::Simulation> simulation;
  };
  for (const unsigned lanes : lane_counts()) {
    const LaneModel model("tippe_top_ellipsoid", {lanes, true});
    for (const int n : {1, 3, 19}) {
      std::vector<std::unique_ptr<OneRun>> runs;
      std::vector<rt::State> ends;
      std::vector<rt::SimulationResult> results(static_cast<std::size_t>(n));
      for (int k = 0; k < n; ++k) {
        std::vector<double> p = model.parameters;
        p[7] *= 1 + 0.02 * k;                                         // mu
        if (k == 5) p[0] = -1;                                        // a mass that is none
        if (k == 9) p[9] = std::numeric_limits<double>::quiet_NaN();  // gravity
        rt::SimulationOptions options;
        options.step = 1e-4 * (1 + k % 3);
        options.until = 0.05 * (1 + k % 4);
        options.record_every = k % 2 == 0 ? 0 : 3;
        options.solver.tolerance = k % 5 == 0 ? 1e-8 : 1e-10;
        OneRun single(model, p, options);
        results[static_cast<std::size_t>(k)] = rt::simulate(single.system, single.state, options, single.nowhere);
        ends.push_back(single.state);
        runs.push_back(std::make_unique<OneRun>(model, p, options));
      }
      rt::LaneGroup group(runs[0]->system, model.lanes->table());
      std::vector<std::size_t> in_lane(lanes);
      std::size_t next = 0, ended = 0;
      while (ended < runs.size()) {
        while (next < runs.size() && group.running() < lanes) {
          OneRun& run = *runs[next];
          run.simulation = std::make_unique<rt::Simulation>(run.system, run.state, run.options, run.nowhere);
          in_lane[group.start({&run.system, &run.state, run.simulation.get(), &run.options.solver})] = next++;
        }
        const std::optional<unsigned> lane = group.run(100, next == runs.size());
        if (!lane) continue;
        const std::size_t k = in_lane[*lane];
        CAPTURE(k);
        const rt::SimulationResult result = runs[k]->simulation->finish();
        ++ended;
        CHECK(result.reason == results[k].reason);
        CHECK(result.message == results[k].message);
        CHECK(result.summary.steps == results[k].summary.steps);
        CHECK(result.summary.iterations_total == results[k].summary.iterations_total);
        CHECK(result.summary.closed_mean == results[k].summary.closed_mean);
        CHECK(result.summary.worst_residual == results[k].summary.worst_residual);
        CHECK(result.summary.worst_time == results[k].summary.worst_time);
        if (k != 9) CHECK(result.summary.energy_last == results[k].summary.energy_last);
        CHECK(runs[k]->state.q == ends[k].q);
        CHECK(runs[k]->state.u == ends[k].u);
        CHECK(runs[k]->state.t == ends[k].t);
      }
      if (n == 19) {
        CHECK(results[5].reason == rt::EndReason::numerical_failure);
        CHECK(results[9].reason == rt::EndReason::numerical_failure);
        CHECK(results[0].reason == rt::EndReason::finished);
      }
    }
  }
}

TEST_CASE("lanes: models and solvers that have none") {
  for (const char* name : {"column", "four_bar", "slider_two_set"}) {
    CAPTURE(name);
    Pipeline pipeline(NSMC_SOURCE_DIR "/models/" + std::string(name) + ".nsm");
    const nsm_model& table = pipeline.compiled(Level::velocity)->table();
    CHECK_FALSE(rt::fits_lanes(rt::System(table, parameter_values(pipeline.pool(), *pipeline.derived(), {}))));
  }
  rt::SolverOptions options;
  CHECK(rt::fits_lanes(options));
  options.omega = 0.8;
  CHECK_FALSE(rt::fits_lanes(options));
  CHECK_FALSE(rt::fits_lanes(rt::SolverOptions{rt::SolverKind::jor}));
}
