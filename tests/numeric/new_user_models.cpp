// Models as a new user writes them from the manual, run as they are: nobody chooses a method, a step or an accuracy.
// Each is right within a small multiple of the accuracy that it gets, or says with a code that it is not; against
// answers by hand, a Runge-Kutta integration of the reduced equation, or event-driven integration.
#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <sstream>

#include "nsmc/model.hpp"
#include "nsmc/run.hpp"

namespace {

constexpr double g = 9.81;
constexpr double default_accuracy = 1e-4;

using Values = std::vector<double>;

struct Case {
  std::string file;
  std::vector<std::string> columns;
  std::function<Values()> exact{};  // of the columns at the end; none: event-driven integration
  double factor = 20;               // of error over accuracy: what the motion makes of errors
  std::string simulate{};           // takes the place of the last line, which has a step
  double fixed = 0.02;              // error with 4000 steps of the same length, of whatever method
};

std::string text_of(const Case& c) {
  std::ifstream in(std::string(NSMC_SOURCE_DIR "/") + c.file + ".nsm");
  std::stringstream text;
  text << in.rdbuf();
  REQUIRE(text.str().size() > 0);
  if (c.simulate.empty()) return text.str();
  return text.str().substr(0, text.str().rfind("simulate")) + c.simulate;
}

double bounced(bool speed) {
  const double e = 0.8, until = 1.6;
  double t = std::sqrt(2 / g), v = g * t;
  while (true) {
    v *= e;
    if (t + 2 * v / g > until) break;
    t += 2 * v / g;
  }
  return speed ? v - g * (until - t) : v * (until - t) - g / 2 * (until - t) * (until - t);
}

// th'' = (W^2 cos(th) - g/R) sin(th), by the classical Runge-Kutta method.
Values slide_on_hoop() {
  double th = 0.3, w = 0;
  const int n = 20000;
  const double dt = 2.0 / n;
  const auto a = [](double x) { return (25 * std::cos(x) - g) * std::sin(x); };
  for (int k = 0; k < n; ++k) {
    const double w1 = w, a1 = a(th), w2 = w + dt / 2 * a1, a2 = a(th + dt / 2 * w1), w3 = w + dt / 2 * a2,
                 a3 = a(th + dt / 2 * w2), w4 = w + dt * a3, a4 = a(th + dt * w3);
    th += dt / 6 * (w1 + 2 * w2 + 2 * w3 + w4);
    w += dt / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return {th, w};
}

Values billiard() {
  const double n1 = std::sqrt(0.03) / 0.2, n2 = 0.5, t = 0.5 - std::sqrt(0.03), rest = 1 - t;
  return {t + (1 - n1 * n1) * rest, -n1 * n2 * rest, 0.5 + n1 * n1 * rest, 0.1 + n1 * n2 * rest};
}

const std::string own = "tests/numeric/models/", models = "models/", benches = "bench/models/";

const std::vector<Case> cases{
    {own + "ball",
     {"z", "z'"},
     [] {
       return Values{bounced(false), bounced(true)};
     }},
    {own + "stuck_bead", {"theta"}, [] { return Values{0.5}; }},
    {own + "sliding_bead", {"th", "th'"}, slide_on_hoop},
    {own + "pendulum_with_stop", {"phi", "phi'"}, {}},
    {own + "clutch",
     {"a", "b", "a'", "b'"},
     [] {
       return Values{232, 112, 40, 40};
     }},
    {own + "stick_slip", {"x", "x'"}, {}},
    {own + "block_on_slope",
     {"x", "x'"},
     [] {
       return Values{2 / g / (std::sin(0.3) + 0.5 * std::cos(0.3)), 0};
     }},
    {own + "skidding_ball",
     {"ball.position[1]", "ball.velocity[1]"},
     [] {
       const double a = 0.3 * g, t = 2.0 / 7 * 3 / a, v = 15.0 / 7;
       return Values{3 * t - a / 2 * t * t + v * (1 - t), v};
     }},
    {own + "turntable",
     {"ball.position[1]", "ball.position[2]"},
     [] {
       return Values{0.2 + 0.1 * std::sin(3.0), 0.1 * (1 - std::cos(3.0))};
     }},
    {own + "billiards", {"one.position[1]", "one.position[2]", "two.position[1]", "two.position[2]"}, billiard},
    {own + "cradle",
     {"x[1]", "x[4]", "x[4]'"},
     [] {
       return Values{0.12, 0.44 + 0.47, 1};
     }},
    {own + "stacked_boxes",
     {"a.position[2]", "b.position[2]", "c.position[2]", "c.position[1]", "c.angle"},
     [] {
       return Values{0.1, 0.3, 0.5, 0, 0};
     }},
    {own + "chain", {"x[1]", "y[2]", "x[4]", "y[4]'"}, {}},
    {own + "double_spring", {"x", "y", "x'", "y'"}, {}, 20, "", 0.1},
    {own + "drawbridge", {"phi", "phi'"}, {}},
    {own + "top",
     {"top.spin[1]", "top.spin[2]"},
     [] {
       return Values{std::cos(10.0), -std::sin(10.0)};
     }},
    {own + "atwood", {"y1", "y2", "y2'"}, {}},
    {own + "belt",
     {"x[1]", "x[2]", "x[4]", "x[4]'"},
     [] {
       // Box i has the velocity v - 1.5 on the belt, which friction of 0.4 takes from it.
       const auto place = [](int i) {
         const double v = i - 2, s = v - 1.5;
         return i + 1.5 * 2 + s * std::abs(s) / (2 * 0.4 * g);
       };
       return Values{place(1), place(2), place(4), 1.5};
     }},
    {own + "brakes", {"phi[1]", "phi[2]", "phi[3]'"}, {}},
    {own + "crates", {"x[1]", "x[3]", "x[5]"}, {}},
    {own + "funnel", {"disc[1].position[2]", "disc[2].position[2]", "disc[2].angle", "disc[3].position[1]"}, {}},
    // Its nutation grows by the scheme (moreau, lie).
    {own + "heavy_top", {"tilt", "top.position[1]"}, {}, 20, "", 0.6},
    // Where in a step the light foot lands decides on its next jump.
    {own + "hopper", {"y", "z", "y'"}, {}, 20, "", 0.8},
    {own + "ladder", {"rod.position[1]", "rod.position[2]", "rod.spin"}, {}},
    {own + "latch", {"door.position[2]", "door.quaternion[4]"}, {}},
    {own + "loaded_hoop", {"hoop.position[1]", "hoop.angle", "hoop.spin"}, {}},
    {own + "nail",
     {"x", "y"},
     [] {
       const double v = 4 / 1.005, way = v * v / 2 / (400 / 1.005);
       return Values{way, way};
     }},
    {own + "press", {"crank.angle", "ram.position[1]", "ram.velocity[1]"}, {}},
    {own + "rod_drop", {"rod.position[1]", "rod.position[2]", "rod.angle"}, {}},
    {own + "shaker", {"y", "y'"}, {}},
    {own + "uphill",
     {"ball.position[1]", "ball.velocity[1]"},
     [] {
       const double a = 5.0 / 7 * g * std::sin(0.2);
       return Values{2 * 2 - a * 2 * 2 / 2, 2 - a * 2};
     }},
    {benches + "linkage_in_angles", {}, {}, 20, "simulate { until 1 [s] }"},
    // It decides on its reversal by what little is left of its pitching.
    {models + "rattleback", {"turning"}, {}, 100, "simulate { until 1 [s] }", 0.12},
    {models + "walker", {"x", "phi", "phi'"}, {}, 100, "simulate { until 2 [s] }"},
    {models + "rocking_block", {"block.angle", "block.spin"}, {}, 100, "simulate { until 0.8 [s] }"},
};

Values exact_values(const Case& c, const nsmc::Model& model, const std::vector<std::string>& columns, double step) {
  if (c.exact) return c.exact();
  nsmc::RunRequest by_events;
  by_events.settings = {{"method", "event"}, {"rtol", 1e-11}, {"atol", 1e-13}, {"step", step}};
  nsmc::Table reference;
  REQUIRE(model.run(by_events, reference).end == nsmc::RunEnd::finished);
  Values exact;
  for (const std::string& name : columns) exact.push_back(reference.column(name).back());
  return exact;
}

// At the end, relative to the largest value of the run, for each column.
Values errors(const nsmc::Table& rows, const std::vector<std::string>& columns, const Values& exact) {
  Values errors;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const std::vector<double>& values = rows.column(columns[k]);
    double scale = 1e-3;
    for (const double x : values) scale = std::max(scale, std::abs(x));
    errors.push_back(std::abs(values.back() - exact[k]) / scale);
  }
  return errors;
}

}  // namespace

TEST_CASE("models of new users are right by default, or say that they are not") {
  for (const Case& c : cases) {
    CAPTURE(c.file);
    const nsmc::Model model = nsmc::Model::from_text(text_of(c), c.file);
    nsmc::Table rows;
    const nsmc::RunResult result = model.run({}, rows);
    REQUIRE_MESSAGE(result.end == nsmc::RunEnd::finished, result.message);
    CHECK(result.default_steps);
    CHECK(result.accuracy == default_accuracy);
    const std::vector<std::string> columns =
        c.columns.empty() ? std::vector<std::string>(rows.names().begin(), rows.names().begin() + 3) : c.columns;
    const Values exact = exact_values(c, model, columns, result.step);
    const auto check = [&](const std::string& how, const nsmc::Settings& settings, double allowed) {
      CAPTURE(how);
      nsmc::RunRequest request;
      request.settings = settings;
      nsmc::Table table;
      const nsmc::RunResult run = model.run(request, table);
      REQUIRE_MESSAGE(run.end == nsmc::RunEnd::finished, run.message);
      const Values error = errors(table, columns, exact);
      for (std::size_t k = 0; k < columns.size(); ++k) {
        CAPTURE(columns[k]);
        CHECK_MESSAGE((error[k] <= allowed || !run.summary.warnings.empty()), "off by " << error[k]);
      }
    };
    check("by default", {}, c.factor * default_accuracy);
    check("rk by accuracy", {{"method", "rk"}, {"accuracy", default_accuracy}, {"step", result.step}},
          c.factor * default_accuracy);
    for (const char* method : {"moreau", "rk", "lie"})
      check(method, {{"method", method}, {"step", result.until / 4000}}, c.fixed);
  }
}

// Each bounce of the bead takes half of the time of the one before, and the blocks go on. Followed to the last of them
// this took hours.
TEST_CASE("a body that rattles without end is followed for a bounded time, and that is said") {
  const Case rattles{own + "rattling_bead", {}};
  const nsmc::Model model = nsmc::Model::from_text(text_of(rattles), rattles.file);
  nsmc::Table rows;
  const nsmc::RunResult result = model.run({}, rows);
  REQUIRE(result.end == nsmc::RunEnd::finished);
  REQUIRE(result.summary.warnings.size() == 1);
  CHECK(result.summary.warnings.front().code == "R0202");
  CHECK(result.summary.internal_steps < 400000);
  // What the blocks do does not depend on it: they bounce off each other with half of the velocity.
  CHECK(rows.column("a'").back() == doctest::Approx(-0.5).epsilon(2e-3));
  CHECK(std::abs(rows.column("b").back() - rows.column("a").back()) < 1e-4);
}

TEST_CASE("very many contacts get fixed steps by default, and a choice of the step takes the place of the accuracy") {
  const auto run = [](int n, const nsmc::Settings& settings) {
    const nsmc::Model model =
        nsmc::Model::from_text("coord z[i in 1.." + std::to_string(n) +
                               "] [m] = 1 [m]\n"
                               "kinetic 0.5 [kg]*z[i]'^2 for i in 1.." +
                               std::to_string(n) + "\ncontact floor[i in 1.." + std::to_string(n) +
                               "] { gap z[i]  law unilateral }\n"
                               "simulate { until 0.01 [s] }\n");
    nsmc::RunRequest request;
    request.settings = settings;
    return model.run(request);
  };
  CHECK(run(100, {}).accuracy == default_accuracy);
  CHECK(run(101, {}).accuracy == 0);
  CHECK(run(101, {}).default_steps);
  CHECK(run(1, {{"step", 1e-3}}).accuracy == 0);
  CHECK(run(1, {{"method", "moreau"}}).accuracy == 0);
  CHECK(run(1, {{"method", "rk"}}).accuracy == 0);
  CHECK(run(1, {{"accuracy", 1e-6}}).accuracy == 1e-6);
}
