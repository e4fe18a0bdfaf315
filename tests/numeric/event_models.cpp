// Event-driven integration as the reference of time-stepping: for every model of models/, the difference falls with the
// order of Moreau's method, which is 1.
//
// Compared are coordinates and velocities at the end of a horizon that lies away from impacts: where one follows, the
// velocities of both methods differ by all of the jump for a moment. Horizons are short where the motion is sensitive.
#include <algorithm>
#include <filesystem>
#include <set>

#include "event_run.hpp"

using namespace nsmc::test;

namespace {

struct Case {
  std::string model;
  double until, step;  // of moreau, the first one; also the longest step from event to event
  double error;        // at the smallest step, relative to the largest values of the columns
};

const Case kCases[] = {
    {"billiard", 0.1, 2e-4, 1e-3},
    {"block", 0.1, 4e-3, 1e-9},
    {"bouncing_ball", 0.9, 2e-3, 2e-2},
    {"column", 0.02, 4e-3, 1e-9},
    {"contensou_disc", 0.5, 4e-3, 1e-9},
    {"cradle", 0.2, 2e-3, 1e-2},
    {"domino", 0.3, 4e-4, 2e-3},
    {"double_pendulum", 1, 4e-3, 1e-4},
    {"four_bar", 0.5, 4e-3, 1e-3},
    {"free_top", 1, 4e-3, 1e-4},
    {"incline", 0.5, 4e-3, 1e-2},
    {"pendulum", 2, 4e-3, 1e-2},
    {"pyramid", 0.02, 4e-3, 1e-9},
    {"rocking_block", 0.5, 8e-4, 2e-2},
    {"rolling_friction", 0.5, 4e-3, 1e-3},
    {"rolling_sphere", 0.4, 4e-3, 1e-3},
    {"slider_circle", 1, 4e-3, 1e-3},
    {"slider_collinear", 0.2, 2e-3, 1e-3},
    {"slider_crank", 0.5, 2e-3, 2e-2},
    {"slider_ellipse", 0.2, 2e-3, 1e-3},
    {"slider_nonconvex", 0.2, 2e-3, 1e-3},
    {"slider_rectangle", 0.3, 2e-3, 1e-3},
    {"slider_superellipse", 0.2, 2e-3, 1e-3},
    {"slider_two_set", 0.2, 2e-3, 1e-3},
    {"spinning_disc", 0.05, 4e-5, 1e-2},
    {"tippe_top", 0.1, 2e-4, 1e-2},
    {"tippe_top_cylinder", 0.1, 2e-4, 1e-2},
    {"tippe_top_ellipsoid", 0.1, 2e-4, 1e-2},
    {"tippe_top_euler", 0.02, 4e-5, 1e-2},
    {"two_masses", 3.7, 8e-3, 1e-2},
    {"vibrating_table", 0.6, 4e-3, 5e-2},
    {"woodpecker", 0.07, 4e-4, 1e-2},
};

// q and u at the end.
Column state(Model& model, const Trajectory& run) {
  const nsm_model& table = model.kernels().table();
  Column values;
  for (std::size_t k = 0; k < table.n_q + table.n_u; ++k) values.push_back(run.last(run.names()[k]));
  return values;
}

}  // namespace

TEST_CASE("event: every model is compared with time-stepping") {
  std::set<std::string> listed, there;
  for (const Case& c : kCases) listed.insert(c.model);
  for (const auto& entry : std::filesystem::directory_iterator(NSMC_SOURCE_DIR "/models")) {
    if (entry.path().extension() == ".nsm") there.insert(entry.path().stem().string());
  }
  for (const std::string& name : there) CHECK_MESSAGE(listed.contains(name), name);
}

TEST_CASE("event: time-stepping converges to it with order one, on every model") {
  for (const Case& c : kCases) {
    CAPTURE(c.model);
    Model model = Model::named(c.model);
    RunSettings settings{.step = c.step, .until = c.until, .every = 1000000};
    settings.method = nsmc::rt::Method::event;
    const Column reference = state(model, model.run({}, settings));
    const auto difference = [&](double step) {
      const Column found = state(model, model.run({}, {.step = step, .until = c.until, .every = 1000000}));
      double scale = 0, worst = 0;
      for (std::size_t k = 0; k < found.size(); ++k) {
        scale = std::max(scale, std::abs(reference[k]));
        worst = std::max(worst, std::abs(found[k] - reference[k]));
      }
      return worst / std::max(scale, 1e-3);
    };
    Convergence found = convergence(c.step, 3, [&](double step) { return worst_error(step, difference, 3); });
    MESSAGE(c.model << ": differences " << found.errors[0] << ", " << found.errors[1] << ", " << found.errors[2]
                    << ", order " << found.order);
    CHECK(found.errors.back() <= c.error);
    // At rest there is nothing but rounding.
    if (found.errors[0] > 1e-9) CHECK(found.order >= 0.8);
  }
}

// On acceleration level the solvers see every mode, impact and transition. Velocities are unique, and so are the times
// of events; forces need not be.
TEST_CASE("event: all solvers meet in the same events and states, on every model") {
  using nsmc::rt::SolverKind;
  for (const Case& c : kCases) {
    CAPTURE(c.model);
    Model model = Model::named(c.model);
    RunSettings settings{.step = c.step, .until = c.until, .solver = SolverKind::automatic, .every = 1000000};
    const EventRun expected = run_events(model, {}, settings);
    const Column end = state(model, expected.run);
    for (const SolverKind solver :
         {SolverKind::jor, SolverKind::sor, SolverKind::newton, SolverKind::jprox, SolverKind::uzawa}) {
      CAPTURE(static_cast<int>(solver));
      settings.solver = solver;
      const EventRun found = run_events(model, {}, settings);
      const Column other = state(model, found.run);
      for (std::size_t k = 0; k < end.size(); ++k) CHECK(std::abs(other[k] - end[k]) <= 1e-8 * (1 + std::abs(end[k])));
      REQUIRE(found.log.events.size() == expected.log.events.size());
      for (std::size_t k = 0; k < found.log.events.size(); ++k) {
        const LoggedEvent &one = expected.log.events[k], &two = found.log.events[k];
        CHECK(one.kind == two.kind);
        CHECK(one.contact == two.contact);
        CHECK(std::abs(one.t - two.t) <= 1e-8);
      }
    }
  }
}
