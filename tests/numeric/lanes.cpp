// Steps over lanes against steps of single runs: the same numbers, bit by bit, step by step, in every lane.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "compiler/codegen/lane_kernels.hpp"
#include "compiler/driver/pipeline.hpp"
#include "compiler/mechanics/initial_values.hpp"
#include "runtime/integrators/moreau.hpp"
#include "runtime/lanes/lane_group.hpp"

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
    lanes = compile_lanes(*equations, pipeline.pool(), Level::velocity, shape);
  }

  Pipeline pipeline;
  const nsm_model* table = nullptr;
  std::vector<double> parameters;
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
