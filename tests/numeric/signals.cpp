// States, inputs, tables and events: closed forms, orders of convergence, instants, and runs that go on bit for bit.
#include <array>
#include <cmath>
#include <numbers>

#include "event_run.hpp"
#include "nsmc/nsmc.hpp"
#include "run_model.hpp"
#include "runtime/tables/table.hpp"

using namespace nsmc::test;
using doctest::Approx;
namespace rt = nsmc::rt;

namespace {

// An oscillator with a filter: x = cos t, s' = -s + x, s(0) = 0, so that s = (cos t + sin t - exp(-t))/2.
const char* const filter = R"(model filter
coord x = 1
state s = 0  s' = -s + x
kinetic x'^2/2
potential x^2/2
simulate { until 2  step 1e-2 })";

double filtered(double t) { return (std::cos(t) + std::sin(t) - std::exp(-t)) / 2; }

// Wear and temperature of models/brake.nsm, with its own numbers.
constexpr double m = 2, mu = 0.4, v0 = 10, g = 9.81, C = 50, k = 20, c = 1e-6;
double brake_heat(double t) {
  const double a = k / C, P = mu * m * g / C, t1 = v0 / (mu * g);
  const auto sliding = [&](double s) { return P * ((v0 + mu * g / a) * (1 - std::exp(-a * s)) / a - mu * g * s / a); };
  return t < t1 ? sliding(t) : sliding(t1) * std::exp(-a * (t - t1));
}

}  // namespace

TEST_CASE("states: every method integrates them with its order") {
  Model model = Model::text(filter);
  const auto error = [&](double step, const RunSettings& settings) {
    RunSettings with = settings;
    with.step = step;
    return max_error(model.run({}, with), "s", filtered);
  };
  check_convergence("moreau", convergence(0.1, 4, [&](double h) { return error(h, {}); }), 1.95, 2e-5);
  check_convergence("rk4", convergence(0.1, 4, [&](double h) { return error(h, {.method = rt::Method::rk}); }), 3.9,
                    1e-8);
  check_convergence(
      "rk heun", convergence(0.1, 4, [&](double h) { return error(h, {.method = rt::Method::rk, .tableau = "heun"}); }),
      1.9, 1e-4);
  check_convergence("lie", convergence(0.1, 4, [&](double h) { return error(h, {.method = rt::Method::lie}); }), 0.9,
                    2e-2);
  CHECK(error(0.5, {.method = rt::Method::event}) < 1e-8);
  CHECK(error(0.1, {.integrator = {.accuracy = 1e-6}}) < 1e-5);
}

TEST_CASE("brake: heat and wear by the forces of the contact") {
  Model model = Model::named("brake");
  for (const rt::Method method : {rt::Method::moreau, rt::Method::rk}) {
    const auto error = [&](double h) {
      return worst_error(h, [&](double step) {
        return max_error(model.run({}, {.step = step, .method = method}), "heat",
                         [](double t) { return C * brake_heat(t); });
      });
    };
    check_convergence("heat", convergence(2e-2, 4, error), 0.9, 0.5);
  }
  CHECK(model.run().last("w") == Approx(c * m * v0 * v0 / (2 * mu)).epsilon(1e-5));
  // Without cooling all of the energy is there, to the last digit but for the step in which the block stops.
  CHECK(model.run({{"k", 0}}).last("heat") == Approx(m * v0 * v0 / 2).epsilon(1e-5));
  // It stands on the road from an impact on, whose percussions wear it, too.
  CHECK(model.run({{"v0", 20}, {"C", 1}, {"k", 0}}).summary.stopped_by == "the brake burns");
}

TEST_CASE("a state in a gap moves the contact") {
  // A lift y' = v pushes a ball up; while it lies there, z' = v.
  Model model = Model::text(R"(model lift
param v = 0.5 [m/s]
coord z [m]
state y [m] = 0  y' = v*(1 - exp(-t/1 [s]))
kinetic 0.5 [kg]*z'^2
potential 1 [kg]*9.81 [m/s^2]*z
contact floor { gap z - y  law unilateral }
simulate { until 2 [s]  step 1 [ms] })");
  for (const rt::Method method : {rt::Method::moreau, rt::Method::rk, rt::Method::event}) {
    const Trajectory run = model.run({}, {.method = method});
    CHECK(max_error(run, "z", [](double t) { return 0.5 * (t - 1 + std::exp(-t)); }) < 1e-3);
    CHECK(std::abs(run.last("z") - run.last("y")) < 1e-3);
    CHECK(run.last("floor.N") == Approx(9.81 + 0.5 * std::exp(-2)).epsilon(1e-3));
  }
}

TEST_CASE("inputs: by samples, in all forms and methods") {
  const nsmc::Model model = nsmc::Model::from_text(R"(model cart
input F [N] = 0
coord x [m]
kinetic 0.5 [kg]*x'^2
force x : F
simulate { until 2 [s]  step 1 [ms] })");
  REQUIRE_MESSAGE(model.ok(), model.diagnostics_text());
  const auto end = [&](const std::string& form, const std::string& method) {
    nsmc::RunRequest request;
    request.settings["method"] = method;
    request.inputs["F"] = {{0, 1, 2}, {0, 2, 2}, form};
    nsmc::Table table;
    model.run(request, table);
    return std::array<double, 2>{table.column("x'").back(), table.column("x").back()};
  };
  for (const char* method : {"moreau", "rk", "lie", "event"}) {
    CAPTURE(method);
    // v' = 2 t up to 1, then 2: v(2) = 3, x(2) = 1/3 + 1 + 1.
    CHECK(end("linear", method)[0] == Approx(3).epsilon(1e-9));
    CHECK(end("linear", method)[1] == Approx(7.0 / 3).epsilon(1e-5));
    CHECK(end("held", method)[0] == Approx(2).epsilon(1e-9));
    CHECK(end("held", method)[1] == Approx(1).epsilon(1e-9));
    // A monotone cubic: from slope 2.5 at 0 ... its integral is (0 + 2)/2 + (m0 - m1)/12 with m1 = 0 at the flat piece.
    const double m0 = nsmc::rt::tables::monotone_slopes(std::array{0.0, 1.0, 2.0}, std::array{0.0, 2.0, 2.0})[0];
    CHECK(end("cubic", method)[0] == Approx(1 + m0 / 12 + 2).epsilon(1e-5));
  }
}

TEST_CASE("inputs: set between steps, and saved with the run") {
  const nsmc::Model model = nsmc::Model::from_text(R"(model cart
input F [N] = 0 in -5..5
coord x [m]
kinetic 0.5 [kg]*x'^2
force x : F
simulate { until 2 [s]  step 10 [ms] })");
  for (const char* method : {"moreau", "rk", "event"}) {
    CAPTURE(method);
    nsmc::Run run = model.start({.settings = {{"method", method}}});
    run.advance(0.5);
    run.set({{"F", "2[N]"}});
    run.advance(1);
    CHECK(run.value("x'") == Approx(1).epsilon(1e-9));
    const nsmc::SavedState saved = run.save();
    nsmc::Run other = model.resume(saved);
    run.advance(2);
    other.advance(2);
    CHECK(run.value("x") == other.value("x"));
    CHECK(run.value("x'") == Approx(3).epsilon(1e-9));
  }
  CHECK_THROWS_AS(model.run({.inputs = {{"G", {{0}, {1}}}}}), nsmc::SettingError);
  CHECK_THROWS_AS(model.run({.inputs = {{"F", {{1, 0}, {1, 1}}}}}), nsmc::SettingError);
}

TEST_CASE("tables: values, slopes and ends") {
  using namespace nsmc::rt::tables;
  const std::array x{0.0, 1.0, 2.0, 4.0}, f{0.0, 1.0, 1.5, 1.5};
  const auto at = [](const std::vector<double>& table, double t, int order) {
    double out[16];
    nsm_table(nullptr, table.data(), 0, 1, &t, out);
    return out[order];
  };
  const std::vector<double> straight = make_table(Form::linear, Beyond::extend, x, {}, f);
  CHECK(at(straight, 0.25, 0) == 0.25);
  CHECK(at(straight, 1.5, 1) == 0.5);
  CHECK(at(straight, -1, 0) == -1);
  CHECK(at(make_table(Form::linear, Beyond::held, x, {}, f), 9, 0) == 1.5);
  CHECK(std::isnan(at(make_table(Form::linear, Beyond::stop, x, {}, f), 9, 0)));
  const auto left = take_left();
  REQUIRE(left);
  CHECK(left->at == 9);
  const std::vector<double> smooth = make_table(Form::cubic, Beyond::extend, x, {}, f);
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(at(smooth, x[i], 0) == Approx(f[i]));
  for (double t = -0.5; t < 4.5; t += 0.01) {
    CAPTURE(t);
    CHECK(at(smooth, t, 1) >= -1e-12);  // what rises keeps rising
    for (const int order : {0, 1, 2}) {
      const double h = 1e-6;
      const bool knot = std::any_of(x.begin(), x.end(), [&](double row) { return std::abs(t - row) < 2 * h; });
      if (knot) continue;
      CHECK((at(smooth, t + h, order) - at(smooth, t - h, order)) / (2 * h) ==
            Approx(at(smooth, t, order + 1)).epsilon(1e-6).scale(1));
    }
  }
  // Two arguments: a cubic one has the slopes of each, continuous over the rows.
  const std::array u{0.0, 1.0, 3.0};
  const std::array v{0.0, 2.0};
  std::vector<double> w;
  for (const double a : u) {
    for (const double b : v) w.push_back(a * a + b + a * b);
  }
  for (const Form form : {Form::linear, Form::cubic}) {
    const std::vector<double> table = make_table(form, Beyond::extend, u, v, w);
    const auto value = [&](double a, double b, int order) {
      const double at_both[2] = {a, b};
      double out[16];
      nsm_table(nullptr, table.data(), 0, 2, at_both, out);
      return out[order];
    };
    CHECK(value(1, 2, 0) == Approx(5));
    for (const double a : {0.3, 0.8, 1.7}) {
      for (const double b : {0.4, 1.1}) {
        const double h = 1e-6;
        CHECK((value(a + h, b, 0) - value(a - h, b, 0)) / (2 * h) == Approx(value(a, b, 4)).epsilon(1e-6));
        CHECK((value(a, b + h, 0) - value(a, b - h, 0)) / (2 * h) == Approx(value(a, b, 1)).epsilon(1e-6));
        CHECK((value(a + h, b, 1) - value(a - h, b, 1)) / (2 * h) == Approx(value(a, b, 5)).epsilon(1e-6));
      }
    }
  }
}

TEST_CASE("tables: a potential by a table, and what leaves it") {
  // A cubic table of x^2/2 at many rows is nearly the oscillator.
  std::string rows;
  for (int i = -40; i <= 40; ++i) {
    const double x = 0.05 * i;
    rows += (rows.empty() ? "[" : ", [") + std::to_string(x) + ", " + std::to_string(x) + "]";
  }
  const std::string spring = "model hook\ntable f(x) = [" + rows +
                             "] cubic\ncoord x = 1\nkinetic x'^2/2\nforce x : -f(x)\nsimulate { until 1  step 1e-3 }";
  Model model = Model::text(spring);
  CHECK(model.run({}, {.method = rt::Method::rk}).last("x") == Approx(std::cos(1.0)).epsilon(1e-6));
  const nsmc::Model short_one = nsmc::Model::from_text(
      "model m\ntable f(x) = [[0, 1], [1, 1]]\ncoord x = 0.5\ninitial x' = 1\nkinetic x'^2/2\nforce x : f(x)\n"
      "simulate { until 2  step 1e-2 }");
  const nsmc::RunResult result = short_one.run();
  CHECK(result.end == nsmc::RunEnd::numerical_failure);
  CHECK(result.message.find("a table that goes from 0 to 1 was asked at 1.0") != std::string::npos);
}

TEST_CASE("motor: the measured torque, and the clutch") {
  Model model = Model::named("motor");
  const double J = 0.01, a = 0.005, b = 0.015;
  const double t1 = J / a * std::log(1 / (1 - 100 * a / 2)), t2 = t1 + J / b * std::log(5.0);
  const auto error = [&](double step) {
    const Trajectory run = model.run({}, {.step = step});
    return max_error(run, "motor'", [&](double t) {
      if (t < t1) return 2 / a * (1 - std::exp(-a * t / J));
      return t < t2 ? 200 - 100 * std::exp(-b * (t - t1) / J) : run["motor'"][static_cast<std::size_t>(t / step + 0.5)];
    });
  };
  // Moreau's rule is of order one in forces that depend on the velocity.
  check_convergence("speed", convergence(8e-3, 4, error), 0.9, 0.2);
  const Trajectory run = model.run();
  for (std::size_t i = 0; i < run.rows(); ++i) {
    const bool slips = run["motor'"][i] > run["wheel'"][i] + 1;
    if (run.t[i] > t2 + 0.01 && slips) CHECK(std::abs(run["wheel'"][i] - (run.t[i] - t2) / 0.02) < 0.1);
    if (run.t[i] < t2 - 0.01) CHECK(run["wheel'"][i] == 0);
  }
  CHECK(run.last("motor'") == Approx(run.last("wheel'")));
}

TEST_CASE("balance: a sampled controller, instant by instant") {
  Model model = Model::named("balance");
  const double w = std::sqrt(9.81 / 0.5), mgl = 9.81 * 0.5;
  const auto exact = [&](double T, int n) {
    std::array x{0.1, 0.0};
    for (int i = 0; i < n; ++i) {
      const double M = -20 * x[0] - 4 * x[1], shift = M / mgl, C = std::cosh(w * T), S = std::sinh(w * T);
      x = {(x[0] + shift) * C + x[1] / w * S - shift, (x[0] + shift) * w * S + x[1] * C};
    }
    return x[0];
  };
  // Fixed grids that have every instant, and event-driven integration, which finds them by itself.
  CHECK(model.run({}, {.step = 1e-3, .until = 0.5, .method = rt::Method::rk}).last("phi") ==
        Approx(exact(0.01, 50)).epsilon(1e-9));
  CHECK(model.run({{"T", 0.013}}, {.step = 0.02, .until = 0.52, .method = rt::Method::event}).last("phi") ==
        Approx(exact(0.013, 40)).epsilon(1e-7));
  CHECK(std::abs(model.run().last("phi")) < 1e-3);
  const Trajectory fallen = model.run({{"T", 0.3}});
  CHECK(fallen.summary.stopped_by == "the stick has fallen");
  CHECK(std::abs(fallen.last("phi")) == Approx(1).epsilon(0.05));
}

TEST_CASE("events: the instant, the order, resets of velocities") {
  // A ball that is thrown back by an event: as a contact with restitution 1 at z = 0, without a contact.
  const std::string ball = R"(model ball
coord z = 1
discrete n = 0
state fallen = 0  fallen' = abs(z')
kinetic z'^2/2
potential z
when z < 0 { z' := -z'  n := n + 1  fallen := 0 }
simulate { until 5  step 1e-2 })";
  Model model = Model::text(ball);
  const double first = std::sqrt(2.0), period = 2 * first;
  const auto height = [&](double t) {
    const double s = std::abs(std::remainder(t, period));
    return 1 - s * s / 2;
  };
  const Trajectory exact = model.run({}, {.method = rt::Method::event});
  CHECK(max_error(exact, "z", height) < 1e-8);
  CHECK(exact.last("n") == 2);
  const auto error = [&](double step) {
    return worst_error(step, [&](double h) { return max_error(model.run({}, {.step = h}), "z", height); });
  };
  check_convergence("thrown back at the step", convergence(1e-2, 3, error), 0.8, 2e-2);
  // In one block what stands below sees what stands above; events happen in the order of the file.
  Model order = Model::text(R"(model order
coord z
discrete a = 1
discrete b = 0
discrete c = 0
kinetic z'^2/2
when t > 0.5 { a := 2  b := a }
when b > 1 { c := 10*a }
when t > 0.5 { a := 3 }
simulate { until 1  step 0.1 })");
  const Trajectory run = order.run();
  CHECK(run.last("a") == 3);
  CHECK(run.last("b") == 2);
  CHECK(run.last("c") == 20);
}

TEST_CASE("events: chattering is said, and a stop ends at its instant") {
  Model chatter = Model::text(R"(model chatter
coord z
discrete a = 0
kinetic z'^2/2
when a < 1 and t > 0.5 { a := 1 }
when a > 0 { a := 0 }
simulate { until 1  step 0.1 })");
  const Trajectory run = chatter.run();
  REQUIRE(run.summary.warning_words.size() == 1);
  CHECK(run.summary.warning_words[0].code == std::string("R0203"));
  Model stop = Model::text(
      "model stop\ncoord z\ninitial z' = 1\nkinetic z'^2/2\nstop when z > 0.25 \"far\"\n"
      "simulate { until 1  step 0.1 }");
  const Trajectory found = stop.run({}, {.method = rt::Method::event});
  CHECK(found.summary.stop_time == Approx(0.25).epsilon(1e-10));
  CHECK(found.t.back() == Approx(0.25).epsilon(1e-10));
  CHECK(stop.run().summary.stop_time == Approx(0.3));
  CHECK(stop.run().summary.stopped_by == "far");
}

TEST_CASE("while: a latch that is released, a floor that is taken away") {
  // Held at x = 1 by a constraint up to t = 0.5, then an oscillator.
  Model latch = Model::text(R"(model latch
coord x = 1
kinetic x'^2/2
potential x^2/2
constraint latch while t < 0.5 { slip x' }
simulate { until 2  step 1e-3 })");
  for (const rt::Method method : {rt::Method::moreau, rt::Method::rk}) {
    const Trajectory run = latch.run({}, {.method = method});
    CHECK(max_error(run, "x", [](double t) { return t < 0.5 ? 1 : std::cos(t - 0.5); }) < 2e-3);
  }
  Model floor = Model::text(R"(model floor
coord z
discrete open = 0
kinetic z'^2/2
potential z
when t > 1 { open := 1 }
contact floor while open == 0 { gap z  law unilateral }
simulate { until 2  step 1e-3 })");
  CHECK(max_error(floor.run(), "z", [](double t) { return t < 1 ? 0 : -(t - 1) * (t - 1) / 2; }) < 3e-3);
  const nsmc::Model model = nsmc::Model::open(NSMC_SOURCE_DIR "/models/motor.nsm");
  CHECK_THROWS_AS(model.run({.settings = {{"method", "event"}}}), nsmc::SettingError);
}

TEST_CASE("sums over arrays") {
  Model model = Model::text(R"(model beads
param n = 4
coord z[i in 1..n]
kinetic i*z[i]'^2/2 for i in 1..n
potential i*z[i] for i in 1..n
contact land[i in 1..n] { gap z[i]  law unilateral }
output weight = sum(land[i].N for i in 1..n)
output most = max(land[i].N for i in 1..n)
output least = min(land[i].N for i in 1..n)
output length = norm(land[i].N for i in 1..n)
output centre = sum([i, 2]*land[i].N for i in 1..n)/sum(land[i].N for i in 1..n)
output neighbours = sum(land[i].N*land[i + 1].N for i in 1..n-1)
simulate { until 0.1  step 1e-2 })");
  const Trajectory run = model.run();
  CHECK(run.last("weight") == Approx(10));
  CHECK(run.last("most") == Approx(4));
  CHECK(run.last("least") == Approx(1));
  CHECK(run.last("length") == Approx(std::sqrt(30.0)));
  CHECK(run.last("centre[1]") == Approx(3));
  CHECK(run.last("centre[2]") == Approx(2));
  CHECK(run.last("neighbours") == Approx(2 + 6 + 12));
}
