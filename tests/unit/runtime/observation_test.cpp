// Recorded rows: columns in their order, the user's forces, and nothing that was not asked for.
#include "runtime/output/observation.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "runtime/methods/moreau.hpp"
#include "runtime/simulation/simulate.hpp"
#include "tests/unit/runtime/body_models.hpp"

using namespace nsmc::rt;

namespace {

int forces_calls, gap_calls, observe_calls, output_calls, energy_calls;

// Two masses on a spring; the first is pinned at p_0 by a constraint, the second one touches a wall at p_1 whose
// hatted force is twice the user's.
struct Wired {
  double masses[2] = {2, 3}, spring[2] = {50, 1.5};
  double scale[2] = {10, 100};  // of the outputs
  models::Model model = models::two_masses(masses, spring);

  Wired() {
    forces_calls = gap_calls = observe_calls = output_calls = energy_calls = 0;
    model.block_classes[0].energy = [](const nsm_view* v, double* out) {
      ++energy_calls;
      out[0] = v->self[0] * v->u[0][0] * v->u[0][0] / 2;
    };
    model.contact_classes = {models::constraint(
                                 "pin", 1, 1, [](const nsm_view* v, double* out) { out[0] = v->q[0][0] - v->p[0]; },
                                 [](const nsm_view*, double* out) {
                                   out[0] = 1;
                                   models::write_bilateral(1, 0, out + 1);
                                 }),
                             models::contact_class(
                                 cases::unilateral, "wall", 1,
                                 [](const nsm_view* v, double* out) {
                                   ++gap_calls;
                                   out[0] = v->p[1] - v->q[0][0];
                                 },
                                 [](const nsm_view*, double* out) {
                                   models::write({-1, 0, 0, -cases::infinity, 0, 0, 0}, out);
                                 })};
    model.contact_classes[1].forces = [](const nsm_view* v, double* out) {
      ++forces_calls;
      out[0] = v->lambda[0] / 2;
    };
    model.contacts = {{1, {1, 0}, "wall", nullptr}, {0, {0, 0}, "pin", nullptr}};
    model.output_classes = {
        {"nothing", 0, 0, nullptr},
        {"force", 1, 2,
         [](const nsm_view* v, double* out) {
           ++output_calls;
           models::write({v->self[0] * v->lambda[0], v->q[0][0]}, out);
         }},
        {"clock", 0, 1, [](const nsm_view* v, double* out) { out[0] = v->lambda == nullptr ? v->t : -1; }}};
    model.outputs = {{1, {1, 0}, 0, scale},
                     {0, {0, 0}, NSM_NONE, nullptr},
                     {2, {0, 0}, NSM_NONE, nullptr},
                     {1, {0, 0}, 1, scale + 1}};
    model.finish(2);
    model.table.n_observed = 2;
    model.table.observe = [](const nsm_view* v, double* out) {
      ++observe_calls;
      models::write({v->lambda[0] + v->lambda[1], v->q[0][1] - v->q[0][0]}, out);
    };
  }
};

}  // namespace

TEST_CASE("observation: the columns of a row") {
  Wired wired;
  const System system(wired.model.table, std::vector<double>{0.25, 1.5});
  const ColumnLayout& columns = system.columns();
  CHECK(columns.u == 2);
  CHECK(columns.contacts == 4);
  CHECK(system.contacts()[1].first_column == 6);
  CHECK(system.energy_column() == 8);
  CHECK(columns.observed == 9);
  CHECK(columns.outputs == 11);
  CHECK(columns.work == 16);
  CHECK(system.n_columns() == 16 + 2 + 3);  // two contacts of one law each; damped, supplied, the rest

  Workspace work(system);
  State state(system);
  state.q = {0.25, 1.5};  // the spring is shortened by a quarter
  const double dt = 1e-3, push = 50 * 0.25;
  REQUIRE(moreau::step(system, state, work, dt, {}).converged);
  Observation observation(system);
  const std::span<const double> row = observation.row(state, work);
  const double expected[] = {0.25, 1.5,           0,   0,  0,          push / 2, 0, push, 50 * 0.0625 / 2, 1.5 * push,
                             1.25, 10 * push / 2, 1.5, dt, 100 * push, 0.25};
  REQUIRE(columns.work == std::size(expected));
  CHECK(std::isnan(row[columns.work]));  // not counted
  for (std::size_t k = 0; k < columns.work; ++k) {
    CAPTURE(k);
    CHECK(row[k] == doctest::Approx(expected[k]).epsilon(1e-12));
  }

  state.dt = 0;  // no step yet: no forces
  const std::span<const double> first = observation.row(state, work);
  for (const std::size_t k : {5, 7, 9, 11, 14}) CHECK(first[k] == 0);
}

TEST_CASE("observation: NSM_NONE evaluates what NSM_NONE wants") {
  Wired wired;
  const System system(wired.model.table, std::vector<double>{0.25, 1.5});
  const auto run = [&](std::vector<std::size_t> wanted) {
    Workspace work(system);
    State state(system);
    state.q = {0.25, 1.5};
    moreau::step(system, state, work, 1e-3, {});
    forces_calls = gap_calls = observe_calls = output_calls = energy_calls = 0;
    Observation observation(system, parts_of(system, wanted));
    const std::span<const double> row = observation.row(state, work);
    for (const std::size_t k : wanted) CHECK_FALSE(std::isnan(row[k]));
    CHECK(energy_calls == 2);
    CHECK(std::isnan(row[0]) == (wanted.empty() || wanted[0] > 3));
  };
  run({});
  CHECK(forces_calls + gap_calls + observe_calls + output_calls == 0);
  run({0, 3, 8});
  CHECK(forces_calls + gap_calls + observe_calls + output_calls == 0);
  run({6});
  CHECK(forces_calls == 1);
  CHECK(gap_calls == 1);
  CHECK(observe_calls + output_calls == 0);
  run({10});
  CHECK(observe_calls == 1);
  CHECK(forces_calls == 1);
  CHECK(gap_calls + output_calls == 0);
  run({15});
  CHECK(output_calls == 2);
  CHECK(forces_calls == 1);
  CHECK(gap_calls + observe_calls == 0);
}

TEST_CASE("observation: a gap may read what dynamics left for it, at the state of the row") {
  models::Model model = models::bouncing_ball();
  model.table.n_shared = 1;
  model.block_classes[0].dynamics = [](const nsm_view* v, double* out) {
    v->shared[0] = v->q[0][0];
    models::write({v->p[0], -v->p[0] * v->p[1]}, out);
  };
  model.contact_classes[0].gap = [](const nsm_view* v, double* out) { out[0] = v->shared[0]; };
  const System system(model.table, std::vector<double>{0.1, 9.81, 0.5});
  class Check final : public Recorder {
   public:
    int rows = 0;
    void record(double, std::span<const double> row) override {
      CHECK(row[0] == row[2]);
      ++rows;
    }
  } check;
  State state(system);
  state.q[0] = 0.05;
  SimulationOptions options;
  options.until = 0.3;
  CHECK(simulate(system, state, options, check).reason == EndReason::finished);
  CHECK(check.rows == 301);
}
