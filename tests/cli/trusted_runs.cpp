// Runs that once died, or were wrong without a word: what the answer must be, or what must be said.
#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "tests/cli/program.hpp"

using namespace nsmc::test;

namespace {

struct Ran {
  Finished program;
  Table table;

  double last(const std::string& name) const { return table.columns.at(name).back(); }
};

// `run a.nsm OPTIONS -o a.csv`. The table is left out where names of columns have commas in them.
Ran run(const std::string& model, std::vector<std::string> options = {}, bool with_table = true) {
  const Workplace place;
  place.write("a.nsm", model);
  Start start;
  start.arguments = {"run", "a.nsm", "-o", "a.csv"};
  start.arguments.insert(start.arguments.end(), options.begin(), options.end());
  start.folder = place.path();
  Ran result{Process(start).wait(), {}};
  std::ifstream file(place.path() + "/a.csv");
  std::stringstream text;
  text << file.rdbuf();
  if (with_table && !text.str().empty()) result.table = read_csv(text.str());
  return result;
}

constexpr const char* kChain = R"(
param n = 12
param L = 2 [cm]
param m = 10 [g]
param t_r = 0.1 [s]
param tilt = 0.02 [rad]
gravity [0, -9.81] [m/s^2]
body link[i in 1..n] = planar(mass = m, inertia = m*L^2/12,
  position = [0, 0.5 [m] + (n - i + 0.5)*L*cos(tilt)], angle = tilt*cos(pi*i))
joint pin[i in 1..n-1] = revolute(link[i], link[i + 1],
  at = [L/2*sin(tilt)*cos(pi*i), 0.5 [m] + (n - i)*L*cos(tilt)])
let grip = piecewise { t < t_r : 1e4 [N], else : 0 [N] }
contact hook { slip link[1].velocity_at([0, L/2])  law friction(interval(-grip, grip)^2) }
shape rod = box(size = [2 [mm], L]) on link
shape floor = plane(normal = [0, 1])
contact land = rod[*] on floor { law unilateral  law coulomb(0.3) }
output low = link[n].point([0, -L/2])
simulate { until 0.8 [s]  step 1e-3 [s]  record 1e-2 [s] }
)";

constexpr const char* kThreshold = R"(
param N0 = 20 [N]
coord x [m]
coord y [m]
coord z [m]
initial x' = 1 [m/s]
kinetic 1 [kg]/2*(x'^2 + y'^2 + z'^2)
potential 9.81 [N]*z
law off(mu, N0) { force T[2]  slip in normal_cone(disc(mu*(N - N0)), -T) }
contact floor { gap z  slip [x', y']  law unilateral  law off(0.3, N0) }
simulate { until 0.1 [s]  step 1e-3 [s] }
)";

constexpr const char* kFading = R"(
coord x [m]
coord z [m]
initial x' = 10 [m/s]
kinetic 1 [kg]/2*(x'^2 + z'^2)
potential 9.81 [N]*z
contact floor { gap z  slip x'  law unilateral  law coulomb(0.3 - t/(1 [s])) }
simulate { until 1 [s]  step 1e-3 [s] }
)";

constexpr const char* kDrilling = R"(
param w = 0 [rad/s]
param R = 0.5 [mm]
coord x [m]
coord y [m]
coord z [m]
coord phi [rad]
initial phi' = w
kinetic 1 [kg]/2*(x'^2 + y'^2 + z'^2) + 1 [kg*m^2]/2*phi'^2
potential 9.81 [N]*z
force x : 1 [N]
force phi : 1e-4 [N*m]
contact floor { gap z  slip [x', y']  spin phi'  law unilateral  law coulomb_contensou(0.3, R) }
simulate { until 0.1 [s]  step 1 [ms] }
)";

constexpr const char* kMassRatio = R"(
param R = 1e6
coord a [m] = 0
coord b [m] = 0
kinetic 1 [kg]/2*a'^2 + R*1 [kg]/2*b'^2
potential 9.81 [N]*a + R*9.81 [N]*b
contact low { gap a law unilateral }
contact high { gap b - a law unilateral }
simulate { until 0.3 [s] step 1 [ms] }
)";

constexpr const char* kContradiction = R"(
param second = 2 [m]
coord x [m] = 1
coord y [m]
kinetic 1 [kg]/2*(x'^2 + y'^2)
potential 9.81 [N]*y
constraint a { gap x - 1 [m] }
constraint b { gap x - second }
constraint other { gap y }
simulate { until 0.1 [s] step 1 [ms] }
)";

constexpr const char* kStiff = R"(
param k = 1e6 [N/m]
param F = 0 [N]
coord x [m] = 1e-3
coord y [m]
kinetic 1 [kg]/2*(x'^2 + y'^2)
potential k/2*x^2
force y : F
simulate { until 0.1 [s] step 1 [ms] }
)";

constexpr const char* kStack = R"(
param n = 4
param a = 10 [cm]
gravity [0, -9.81] [m/s^2]
body b[i in 1..n] = planar(mass = 1 [kg], inertia = 1 [kg]*a^2/6, position = [0 [m], (i - 0.5)*a])
shape s = box(size = [a, a]) on b
shape floor = plane(normal = [0, 1])
contact f = s[1] on floor { law unilateral  law coulomb(0.5) }
contact c = s[i] on s[i + 1] for i in 1..n-1 { law unilateral  law coulomb(0.5) }
output top = b[n].position[2]
simulate { until 0.3 [s]  step 1e-3 [s] }
)";

constexpr const char* kLight = R"(
param m = 1e-200 [kg]
coord z[i in 1..4] [m] = i*0.1 [m]
kinetic m/2*z[i]'^2 for i in 1..4
potential m*9.81 [m/s^2]*z[i] for i in 1..4
contact floor { gap z[1]  law unilateral }
contact pair[i in 1..3] { gap z[i + 1] - z[i]  law unilateral }
simulate { until 1 [s] step 1 [ms] record 0.1 [s] }
)";

}  // namespace

TEST_CASE("a normal force that is negative by rounding is not a negative friction coefficient") {
  for (const char* tolerance : {"1e-10", "1e-4"}) {
    for (const char* solver : {"auto", "newton", "sor"}) {
      CAPTURE(tolerance);
      CAPTURE(solver);
      const Ran chain = run(kChain, {"--solver", solver, "--tol", tolerance}, false);
      CHECK(chain.program.code == 0);
      CHECK(!contains(chain.program.err, "negative"));
      CHECK(contains(chain.program.out, "800 steps"));
    }
  }
}

TEST_CASE("an extent that depends on forces counts as 0 where it is negative") {
  for (const char* method : {"moreau", "rk", "lie", "event"}) {
    CAPTURE(method);
    const Ran below = run(kThreshold, {"--method", method});
    CHECK(below.program.code == 0);
    CHECK(below.last("x'") == 1);
    // Above N0 = 5 N the friction is 0.3*(9.81 - 5).
    const Ran above = run(kThreshold, {"--method", method, "--set", "N0=5"});
    CHECK(above.program.code == 0);
    CHECK(above.last("x'") == doctest::Approx(1 - 0.1 * 0.3 * 4.81));
  }
  for (const char* solver : {"jor", "sor", "newton", "jprox", "uzawa", "multiplier"}) {
    CAPTURE(solver);
    CHECK(run(kThreshold, {"--solver", solver}).last("x'") == 1);
  }
}

TEST_CASE("a friction coefficient that becomes negative ends the run and is named") {
  const Ran fading = run(kFading);
  CHECK(fading.program.code == 3);
  CHECK(contains(fading.program.err, "negative extent"));
  CHECK(contains(fading.program.err, "in contact floor"));
  CHECK(fading.last("t") == doctest::Approx(0.3).epsilon(0.01));
}

TEST_CASE("the drilling torque of a small contact area is judged in its own unit") {
  // At rest friction carries what pulls: T = -1 N, tau = -1e-4 N m, an eighth of its limit.
  for (const char* solver : {"auto", "sor", "jor", "jprox", "newton", "uzawa", "multiplier"}) {
    CAPTURE(solver);
    const Ran rest = run(kDrilling, {"--solver", solver, "--strict"});
    CHECK(rest.program.code == 0);
    CHECK(rest.last("floor.tau") == doctest::Approx(-1e-4).epsilon(1e-8));
    CHECK(rest.last("floor.T[1]") == doctest::Approx(-1).epsilon(1e-8));
    CHECK(std::abs(rest.last("phi'")) < 1e-11);
  }
  // Drilling: the same torque whatever solves it.
  const double tau = run(kDrilling, {"--set", "w=1e-3", "--tol", "1e-14"}).last("floor.tau");
  for (const char* solver : {"sor", "newton"})
    CHECK(run(kDrilling, {"--set", "w=1e-3", "--solver", solver, "--strict"}).last("floor.tau") ==
          doctest::Approx(tau).epsilon(1e-7));
}

TEST_CASE("a heavy block on a light one rests, or the run says that it does not know") {
  for (const char* ratio : {"R=1", "R=1e6", "R=1e9"}) {
    CAPTURE(ratio);
    const Ran heavy = run(kMassRatio, {"--set", ratio, "--strict"});
    CHECK(heavy.program.code == 0);
    // What they fall in a few steps: rounding may open a contact for one, now and then.
    CHECK(std::abs(heavy.last("a")) < 5e-5);
    CHECK(std::abs(heavy.last("b")) < 1e-4);
  }
  const Ran beyond = run(kMassRatio, {"--set", "R=1e13", "--until", "0.05"});
  CHECK(beyond.program.code == 0);
  CHECK(contains(beyond.program.err, "R0201"));
  CHECK(run(kMassRatio, {"--set", "R=1e13", "--strict"}).program.code == 3);
}

TEST_CASE("contradictory constraints are found at the start and named") {
  for (const char* method : {"moreau", "rk", "lie", "event"}) {
    CAPTURE(method);
    const Ran both = run(kContradiction, {"--method", method});
    CHECK(both.program.code == 3);
    CHECK(contains(both.program.err, "the constraints a and b contradict each other"));
    CHECK(both.table.rows == 1);
    // The same constraint twice is none.
    CHECK(run(kContradiction, {"--method", method, "--set", "second=1"}).program.code == 0);
  }
}

TEST_CASE("a step beyond stability is said, with the longest stable one") {
  for (const char* method : {"moreau", "lie", "rk"}) {
    CAPTURE(method);
    const Ran stiff = run(kStiff, {"--set", "k=9e6", "--method", method});
    CHECK(stiff.program.code == 0);
    CHECK(contains(stiff.program.err, "R0305"));
    CHECK(contains(stiff.program.err, method == std::string("rk") ? "about 0.000943 s" : "about 0.000667 s"));
    CHECK(run(kStiff, {"--set", "k=9e6", "--method", method, "--strict"}).program.code == 3);
    // A stable step, and a motor that feeds energy into another body.
    const Ran driven = run(kStiff, {"--set", "F=1e6", "--method", method, "--strict"});
    CHECK(driven.program.code == 0);
    CHECK(driven.last("energy") > 1e3 * driven.table.columns.at("energy").front());
  }
}

TEST_CASE("a step at the border of stability, where energy grows as a power of time, is said") {
  const Ran border = run(kStiff, {"--set", "k=4e6", "--until", "1"});
  CHECK(contains(border.program.err, "R0305"));
  CHECK(contains(border.program.err, "the border of stability, about 0.001 s"));
  CHECK(run(kStiff, {"--set", "k=3.9e6", "--until", "1", "--strict"}).program.code == 0);
}

TEST_CASE("stacks of boxes rest with every method, and nothing is to be warned of") {
  for (const char* method : {"moreau", "rk", "lie", "event"}) {
    for (const int n : {4, 6, 8, 10}) {
      if (method == std::string("event") && n > 6) continue;
      CAPTURE(method);
      CAPTURE(n);
      const Ran stack =
          run(kStack, {"--set", "n=" + std::to_string(n), "--method", method, "--strict", "--outputs", "top"});
      CHECK(stack.program.err == "");
      CHECK(stack.program.code == 0);
      CHECK(std::abs(stack.last("top") - (n - 0.5) * 0.1) < 3e-5);
    }
  }
}

TEST_CASE("bodies of 1e-200 kg move as others do") {
  for (const char* method : {"moreau", "lie"}) {
    for (const char* solver : {"auto", "sor", "newton"}) {
      CAPTURE(method);
      CAPTURE(solver);
      // The plain scheme: rounding decides which look puts positions right.
      const Ran light = run(kLight, {"--method", method, "--solver", solver, "--no-stabilisation"});
      const Ran usual = run(kLight, {"--method", method, "--solver", solver, "--no-stabilisation", "--set", "m=1"});
      CHECK(light.program.code == 0);
      for (int i = 1; i <= 4; ++i) {
        const std::string z = "z[" + std::to_string(i) + "]";
        CHECK(light.last(z) == doctest::Approx(usual.last(z)).epsilon(1e-6));
      }
    }
  }
}

TEST_CASE("a solver that does not get anywhere ends event-driven integration soon") {
  const std::string model =
      "coord x [m]\ncoord y [m]\ncoord X [m]\ncoord Y [m]\n"
      "initial x' = 1 [m/s]\ninitial y' = 1 [m/s]\ninitial X' = 1 [m/s]\ninitial Y' = 1 [m/s]\n"
      "kinetic 1e-300 [kg]*(x'^2 + y'^2 + X'^2 + Y'^2)\nlet f = 3 [N]\n"
      "set diamond = polygon([f, 0], [0, 2*f], [-f, 0], [0, -f])\nset cut_disc = disc(f) ∩ box(f, f/2)\n"
      "contact a { slip [x', y']  law friction(diamond) }\ncontact b { slip [X', Y']  law friction(cut_disc) }\n"
      "simulate { until 1e-2 [s]  step 1e-2 [s] }\n";
  const Ran slow = run(model, {"--method", "event", "--solver", "uzawa", "--max-iterations", "300"});
  CHECK(slow.program.signal == 0);
  CHECK((slow.program.code == 0 || slow.program.code == 3));
}

TEST_CASE("a fault inside a law of the library names the contact of the model first") {
  const Workplace place;
  place.write("a.nsm",
              "param mu = -0.3\ncoord x [m]\ncoord z [m]\nkinetic 1 [kg]/2*(x'^2 + z'^2)\npotential 9.81 [N]*z\n"
              "contact table { gap z  slip x'  law unilateral  law coulomb(mu) }\n");
  const Finished checked = place.run({"check", "a.nsm"});
  CHECK(checked.code == 1);
  CHECK(contains(lines(checked.err).at(0), "a.nsm:6:"));
  CHECK(contains(lines(checked.err).at(0), "N0609"));
  CHECK(contains(lines(checked.err).at(0), "mu is -0.3 in contact 'table'"));
}

TEST_CASE("a named set takes the pressure of contensou") {
  const std::string law =
      "law drill(B) { force T[2], tau\n [slip, spin] in normal_cone(B, -[T, tau]) }\n"
      "coord x [m]\ncoord y [m]\ncoord phi [rad]\ninitial x' = 1 [m/s]\n"
      "kinetic 1 [kg]/2*(x'^2 + y'^2) + 1 [kg*m^2]/2*phi'^2\nsimulate { until 0.1 [s]  step 1 [ms] }\n";
  for (const char* pressure : {"parabolic", "uniform"}) {
    const std::string set = std::string("contensou(2 [N], 1 [mm], ") + pressure + ")";
    const Ran named = run(law + "set B = " + set + "\ncontact a { slip [x', y']  spin phi'  law drill(B) }\n");
    const Ran written = run(law + "contact a { slip [x', y']  spin phi'  law drill(" + set + ") }\n");
    CHECK(named.program.code == 0);
    CHECK(named.last("x'") == written.last("x'"));
  }
}
