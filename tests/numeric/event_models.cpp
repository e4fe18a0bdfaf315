// Event-driven integration as the reference of time-stepping: for every model of models/, the difference falls with the
// order of the time-stepping method: 1 for Moreau's rule, 4 for rk as long as nothing closes, opens, sticks or slips.
//
// Compared are coordinates and velocities at the end of a horizon that lies away from impacts: where one follows, the
// velocities of both methods differ by all of the jump for a moment. Horizons are short where the motion is sensitive.
// Every model moves: what is at rest, or moves with constant accelerations, is integrated exactly, and has no order.
#include <algorithm>
#include <filesystem>
#include <set>

#include "changed_model.hpp"
#include "event_run.hpp"
#include "heaps.hpp"

using namespace nsmc::test;

namespace {

struct Case {
  std::string model;
  double until, step;  // of time-stepping, the first of four, each half of the one before
  double error;        // at the smallest step, relative to the largest values of the columns
  Overrides parameters = {};
  double order = 1;
  int runs = 3;  // with nearly equal steps, of which the worst counts: more where the error depends on where in a step
                 // an event falls
  std::vector<std::string> forces = {};  // columns that are compared as well
  std::vector<Edit> edits = {};          // of what no parameter gives
};

// The orders that are not 1:
// - double_pendulum, four_bar: mechanisms without friction, for which the rule is symmetric.
// - rolling_friction, rolling_sphere, slider_collinear, slider_rectangle: friction is constant while its direction is,
//   and the rule exact. What is left is the quaternion of a rolling ball, of order 2, and the last step before the
//   stop, a dt^2/8 of the way.
// - slider_circle: led along its way; the force belongs to the velocity at the end of the step.
const Case kCases[] = {
    {"billiard", 0.1, 2e-4, 2e-4, {}, 1, 8},
    // It falls on its left corner, then on its right one, slides and sticks. What remains of an impact in time-stepping
    // is the way into the floor within a step, anything up to v dt.
    {.model = "block",
     .until = 0.2,
     .step = 2e-3,
     .error = 5e-2,
     .parameters = {{"Fx", 0}},
     .runs = 8,
     .edits = {{"coord y [m] = 0", "coord y [m] = 0.02"},
               {"coord phi [rad] = 0", "initial x' = 0.4 [m/s]  coord phi [rad] = 0.03"}}},
    {"bouncing_ball", 0.9, 2e-3, 1e-2, {}, 1, 8},
    // Three spheres that slide over each other: two contacts stick, the top one takes off, one slips again.
    {.model = "column",
     .until = 0.08,
     .step = 1e-3,
     .error = 5e-3,
     .runs = 8,
     .edits = {{"param n = 10", "param n = 3"},
               {"(2*i - 1)*r - i*s]", "(2*i - 1)*r - i*s], velocity = [0.1 [m/s]*i^2, 0.05 [m/s]*i, 0 [m/s]]"}}},
    // The discs are held: only their forces change, as the table gets faster.
    {.model = "contensou_disc",
     .until = 1,
     .step = 4e-3,
     .error = 5e-4,
     .parameters = {{"gamma_tau_rate", -0.5}},
     .forces = {"parabolic.T[1]", "parabolic.tau", "uniform.T[1]", "uniform.tau"}},
    {"cradle", 0.2, 2e-3, 2e-3, {}, 1, 8},
    {"domino", 0.3, 4e-4, 2e-3},
    {"double_pendulum", 1, 4e-3, 2e-5, {}, 2},
    {"four_bar", 0.5, 4e-3, 1e-4, {}, 2},
    {"free_top", 1, 4e-3, 3e-5},
    // Up the incline, and down again: at the turn friction changes its sign within a step.
    {"incline", 0.5, 4e-3, 2e-3, {{"v0", -1}}, 1, 8},
    {"pendulum", 2, 4e-3, 2e-3},
    // Pushed apart by too little friction: all six contacts slide.
    {"pyramid", 0.05, 4e-3, 2e-2, {{"mu", 0.1}, {"mu_floor", 0.05}}},
    // Spun the wrong way, until it has turned round.
    {"rattleback", 0.3, 1e-4, 5e-2},
    {"rocking_block", 0.5, 8e-4, 2e-2, {}, 1, 8},
    {"rolling_friction", 0.5, 4e-3, 5e-6, {}, 2},
    {"rolling_sphere", 0.4, 4e-3, 1e-6, {}, 2, 8},
    {.model = "slider_circle",
     .until = 1,
     .step = 4e-3,
     .error = 1e-7,
     .order = 2,
     .forces = {"surface.T[1]", "surface.T[2]"}},
    // The sliders, until they have stopped.
    {"slider_collinear", 0.6, 4e-3, 1e-6, {}, 2, 8},
    {"slider_crank", 0.5, 4e-3, 1e-2},
    {"slider_ellipse", 0.6, 4e-3, 5e-4},
    {"slider_nonconvex", 0.6, 4e-3, 5e-4},
    {"slider_rectangle", 0.6, 4e-3, 3e-6, {}, 2, 8},
    {"slider_superellipse", 0.6, 4e-3, 1e-3},
    {"slider_two_set", 0.6, 4e-3, 1e-3, {{"p1", 1.2}}},
    {"spinning_disc", 0.05, 4e-5, 1e-3},
    // The tip touches at 1.37 s, the head takes off, and the top stands on its tip.
    {"tippe_top", 3, 6.4e-5, 1e-3, {}, 1, 1},
    // The head slides until 0.036 s, then it sticks.
    {"tippe_top_cylinder", 2, 1e-4, 1e-3},
    {"tippe_top_ellipsoid", 3, 6.4e-5, 2e-3, {}, 1, 1},
    // Up to the angles' singularity, which it passes at 0.141 s.
    {"tippe_top_euler", 0.13, 2e-5, 5e-3},
    {"two_masses", 3.7, 8e-3, 3e-3, {}, 1, 8},
    {"vibrating_table", 0.6, 4e-3, 3e-2},
    // One footfall.
    {"walker", 0.8, 4e-3, 2e-2, {}, 1, 8},
    // Most of a cycle: slip, take-off, impacts of both ends of the sleeve and of the beak.
    {"woodpecker", 0.14, 2e-4, 1e-2, {}, 1, 8},
};

// Of these smooth motions rk has the order of its tableau: free and in joints, in contact that slides, sticks or rolls.
// Bodies that begin just above the floor are put into contact.
const Case kSmooth[] = {
    {"double_pendulum", 0.5, 1e-2, 2e-8, {}, 4, 1},
    {"four_bar", 0.5, 1e-2, 1e-8, {}, 4, 1},
    {"free_top", 1, 4e-2, 2e-11, {}, 4, 1},
    {"pendulum", 0.4, 2e-2, 1e-9, {}, 4, 1},
    {"pyramid", 0.05, 8e-3, 1e-7, {{"mu", 0.1}, {"mu_floor", 0.05}}, 4, 1},
    {"rocking_block", 0.1, 4e-3, 2e-11, {}, 4, 1},
    {"rolling_friction", 0.3, 2e-2, 5e-9, {}, 4, 1},
    {"rolling_sphere", 0.1, 2e-2, 5e-10, {}, 4, 1},
    {"slider_crank", 0.25, 4e-3, 1e-8, {}, 4, 1},
    {"slider_ellipse", 0.2, 2e-2, 2e-8, {}, 4, 1},
    {"slider_nonconvex", 0.2, 2e-2, 2e-9, {}, 4, 1},
    {"slider_superellipse", 0.2, 2e-2, 5e-8, {}, 4, 1},
    {"slider_two_set", 0.2, 1e-2, 5e-8, {{"p1", 1.2}}, 4, 1},
    {"spinning_disc", 0.05, 1e-3, 1e-10, {}, 4, 1},
    {"tippe_top", 0.1, 1e-3, 5e-10, {{"z0", 0.01201498}}, 4, 1},
    {"tippe_top_cylinder", 0.03, 1e-3, 2e-10, {{"z0", 0.01201498}}, 4, 1},
    {"tippe_top_ellipsoid", 0.1, 1e-3, 5e-10, {{"z0", 0.01201498}}, 4, 1},
    {"tippe_top_euler", 0.1, 1e-3, 2e-9, {{"theta0", 0.5}, {"z0", 0.0123}}, 4, 1},
    {"two_masses", 0.9, 2e-2, 1e-11, {}, 4, 1},
    {"woodpecker", 0.02, 2e-3, 2e-11, {}, 4, 1},
};

Model model_of(const Case& c) {
  return c.edits.empty() ? Model::named(c.model) : Model::text(changed(c.model, c.edits));
}

// From event to event. Its steps are bounded where it has to look for events; the rows of a long run need not be close.
RunSettings event_settings(const Case& c) {
  RunSettings settings{.step = std::max(c.step, c.until / 1000), .until = c.until, .every = 1000000};
  settings.method = nsmc::rt::Method::event;
  return settings;
}

// q and u at the end, and the forces that are asked for.
Column state(Model& model, const Case& c, const Trajectory& run) {
  const nsm_model& table = model.kernels().table();
  Column values;
  for (std::size_t k = 0; k < table.n_q + table.n_u; ++k) values.push_back(run.last(run.names()[k]));
  for (const std::string& force : c.forces) values.push_back(run.last(force));
  return values;
}

// Of time-stepping to `reference`, the state at the end.
Convergence difference_to(const Column& reference, Model& model, const Case& c, nsmc::rt::Method method) {
  const auto difference = [&](double step) {
    RunSettings settings{.step = step, .until = c.until, .every = 1000000};
    settings.method = method;
    const Column found = state(model, c, model.run(c.parameters, settings));
    double scale = 0, worst = 0;
    for (std::size_t k = 0; k < found.size(); ++k) {
      scale = std::max(scale, std::abs(reference[k]));
      worst = std::max(worst, std::abs(found[k] - reference[k]));
    }
    return worst / std::max(scale, 1e-3);
  };
  return convergence(c.step, 4, [&](double step) { return worst_error(step, difference, c.runs); });
}

// Differences that are there at all, and fall by their order. An event may fall anywhere in a step, and the worst of a
// few runs hides this in part only: a fifth of the order is left to chance.
void check_order(const Case& c, const Convergence& found, double reference_error) {
  MESSAGE(c.model << ": differences " << found.errors[0] << ", " << found.errors[1] << ", " << found.errors[2] << ", "
                  << found.errors[3] << ", order " << found.order);
  CHECK(found.errors.front() > 100 * reference_error);
  CHECK(found.errors.back() <= c.error);
  CHECK(found.order >= 0.8 * c.order);
  CHECK(found.order <= 1.2 * c.order);
}

}  // namespace

TEST_CASE("event: every model is compared with time-stepping") {
  std::set<std::string> listed, there;
  for (const Case& c : kCases) listed.insert(c.model);
  for (const auto& entry : std::filesystem::directory_iterator(NSMC_SOURCE_DIR "/models")) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() == ".nsm" && !is_heap(name) && !is_controlled(name)) there.insert(name);
  }
  CHECK(listed == there);
}

TEST_CASE("event: time-stepping converges to it with its order, on every model") {
  for (const Case& c : kCases) {
    CAPTURE(c.model);
    Model model = model_of(c);
    const RunSettings settings = event_settings(c);
    const Column reference = state(model, c, model.run(c.parameters, settings));
    check_order(c, difference_to(reference, model, c, nsmc::rt::Method::moreau), settings.integrator.rtol);
  }
}

TEST_CASE("event: rk converges to it with order four, on every model that has a smooth motion") {
  for (const Case& c : kSmooth) {
    CAPTURE(c.model);
    Model model = model_of(c);
    RunSettings settings = event_settings(c);
    settings.integrator.rtol = 1e-13;
    settings.integrator.atol = 1e-14;
    const Column reference = state(model, c, model.run(c.parameters, settings));
    check_order(c, difference_to(reference, model, c, nsmc::rt::Method::rk), settings.integrator.rtol);
  }
}

// On acceleration level the solvers see every mode, impact and transition. Velocities are unique, and so are the times
// of events; forces need not be.
TEST_CASE("event: all solvers meet in the same events and states, on every model") {
  using nsmc::rt::SolverKind;
  for (const Case& c : kCases) {
    CAPTURE(c.model);
    Model model = model_of(c);
    RunSettings settings = event_settings(c);
    settings.solver = SolverKind::automatic;
    const EventRun expected = run_events(model, c.parameters, settings);
    const Column end = state(model, c, expected.run);
    for (const SolverKind solver :
         {SolverKind::jor, SolverKind::sor, SolverKind::newton, SolverKind::jprox, SolverKind::uzawa}) {
      CAPTURE(static_cast<int>(solver));
      settings.solver = solver;
      const EventRun found = run_events(model, c.parameters, settings);
      const Column other = state(model, c, found.run);
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
