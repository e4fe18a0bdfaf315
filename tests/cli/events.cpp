// nsmc run --method event: its options, its summary, the log of events, and what it refuses.
#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <thread>

#include "tests/cli/program.hpp"

using namespace nsmc::test;

namespace {

// The lines of a text, without their ends.
Names lines_of(const std::string& text) {
  Names lines;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

struct Ball : Workplace {
  Ball() { write("ball.nsm", kBall); }

  Finished event(Names more) const {
    Names all{"run", "ball.nsm", "--method", "event"};
    all.insert(all.end(), more.begin(), more.end());
    return run(all);
  }
};

}  // namespace

TEST_CASE("method event: summary, recording and log") {
  const Ball ball;
  const Finished run = ball.event({"-o", "out.csv", "--events", "events.csv"});
  CHECK(run.err == "");
  REQUIRE(run.code == 0);
  CHECK(run.out.starts_with("ball: 100 steps of 0.01 s (event, auto)\n"));
  CHECK(run.out.find("\n  events      impact ") != std::string::npos);
  CHECK(run.out.find("internal steps") != std::string::npos);
  CHECK(run.out.find("(rtol 1e-10, atol 1e-12)") != std::string::npos);
  CHECK(run.out.find("\n  written     out.csv (101 rows)\n  written     events.csv (") != std::string::npos);
  CHECK(read_csv(ball.read("out.csv")).rows == 101);
  const Names lines = lines_of(ball.read("events.csv"));
  REQUIRE(lines.size() >= 2);
  CHECK(lines[0] == "t,contact,kind,before[1],after[1]");
  const std::string first = lines[1];
  CHECK(std::abs(std::stod(first) - std::sqrt(2 / 9.81)) <= 1e-12);
  CHECK(first.find(",table,impact,-4.42") != std::string::npos);
  CHECK(first.find(",2.21") != std::string::npos);
  // Only the two files that were asked for.
  CHECK(ball.files().find("tmp") == std::string::npos);
}

TEST_CASE("method event: in the model, to standard output, and the same bytes again") {
  const Ball ball;
  const Finished log = ball.event({"--events", "-"});
  REQUIRE(log.code == 0);
  CHECK(log.out.starts_with("t,contact,kind,"));
  CHECK(log.err.starts_with("ball: "));
  CHECK(ball.event({"--events", "-"}).out == log.out);
  std::string text = kBall;
  text.replace(text.find("simulate {"), 10, "simulate { method event ");
  ball.write("event.nsm", text);
  const Finished written = ball.run({"run", "event.nsm", "--events", "-", "--quiet"});
  CHECK(written.code == 0);
  CHECK(written.out == log.out);
}

TEST_CASE("method event: names of contacts with commas, and contacts of different size") {
  const Workplace place;
  place.write("two.nsm", R"(model two
coord x [m] = 0
coord y [m] = 1
initial x' = 1 [m/s]
kinetic (x'^2 + y'^2)/2*1 [kg]
potential y*1 [N]
contact floor { gap y  law unilateral }
contact guide { slip x'  law joint_friction(2 [N]) }
contact plane { gap y + 1 [m]  slip x'  law unilateral  law coulomb(0.1) }
simulate { until 3 [s]  step 0.1 [s] }
)");
  const Finished run = place.run({"run", "two.nsm", "--method", "event", "--events", "-", "--quiet"});
  CHECK(run.err == "");
  REQUIRE(run.code == 0);
  const Names lines = lines_of(run.out);
  REQUIRE(lines.size() == 4);
  CHECK(lines[0] == "t,contact,kind,before[1],before[2],after[1],after[2]");
  CHECK(lines[1].find(",guide,stick,") != std::string::npos);
  CHECK(lines[2].find(",floor,impact,-1.41") != std::string::npos);
  CHECK(lines[2].find(",,") != std::string::npos);
  CHECK(lines[3].find(",floor,closing,") != std::string::npos);
}

TEST_CASE("method event: velocities in the log are those of the model, whatever the law makes of them") {
  const Workplace place;
  // It lands with x' = 1.3 + integral of the force, y' = 0.4, at sqrt(0.1/9.81).
  const double t = std::sqrt(0.1 / 9.81), x = 1.3 + 2.0 / 5 * (1 - std::cos(5 * t)), z = -9.81 * t;
  for (const char* law :
       {"coulomb(0.3)", "orthotropic(0.4, 0.2)", "collinear(0.4, 0.2)", "mapped", "turned", "yielding"}) {
    CAPTURE(law);
    place.write("block.nsm", R"(model block
coord x [m] = 0
coord y [m] = 0
coord z [m] = 0.05
initial x' = 1.3 [m/s]
initial y' = 0.4 [m/s]
kinetic 0.5 [kg]*(x'^2 + y'^2 + z'^2)
potential 9.81 [N]*z
force x : 2 [N]*sin(5 [rad/s]*t)
law mapped { force T[2]  slip in normal_cone(N*([[1, 0.5], [0, 1]]*disc(0.3)), -T) }
law turned { force T[2]  [[0, 1], [-1, 0]]*slip in normal_cone(N*disc(0.3), -T) }
law yielding { force T[2]  slip + 0.1 [m/s/N]*T in normal_cone(disc(2 [N]), -T) }
contact floor { gap z  slip [x', y']  law unilateral(restitution = 0.3)  law )" +
                                 std::string(law) + R"( }
simulate { until 0.15 [s]  step 1e-2 [s] }
)");
    const Finished run = place.run({"run", "block.nsm", "--method", "event", "--events", "-", "--quiet"});
    REQUIRE_MESSAGE(run.code == 0, run.err);
    const Names lines = lines_of(run.out);
    REQUIRE(lines.size() >= 2);
    CHECK(contains(lines[1], ",floor,impact,"));
    std::string cells = lines[1].substr(lines[1].find("impact,") + 7);
    const double expected[] = {z, x, 0.4, -0.3 * z};
    for (const double value : expected) {
      CHECK(std::stod(cells) == doctest::Approx(value).epsilon(1e-9));
      cells = cells.substr(cells.find(',') + 1);
    }
  }
}

TEST_CASE("method event: tolerances are obeyed, and the form does not matter where G is regular") {
  const Ball ball;
  const auto last = [&](Names more) {
    more.insert(more.end(), {"-o", "out.csv", "--quiet"});
    REQUIRE(ball.event(more).code == 0);
    return read_csv(ball.read("out.csv")).columns.at("z").back();
  };
  const double z = last({});
  CHECK(last({"--form", "kappa"}) == doctest::Approx(z).epsilon(1e-12));
  CHECK(last({"--rtol", "1e-6", "--atol", "1e-6"}) == doctest::Approx(z).epsilon(1e-4));
}

TEST_CASE("method event: what is refused") {
  const Ball ball;
  const auto refused = [&](const Names& arguments, const std::string& message) {
    Names all{"run", "ball.nsm"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Finished run = ball.run(all);
    CHECK(run.code == 2);
    CHECK(run.out == "");
    CHECK(run.err.find(message) != std::string::npos);
    CHECK(ball.files().find(".csv") == std::string::npos);
  };
  refused({"--events", "e.csv"}, "--events belongs to --method event, not to moreau");
  refused({"--rtol", "1e-8"}, "--rtol, --atol and --form belong to --method event, not to moreau");
  refused({"--form", "kappa"}, "belong to --method event");
  refused({"--method", "event", "--rtol", "0"}, "rtol must be a finite number greater than 0");
  refused({"--method", "event", "--atol", "-1"}, "atol must be a finite number greater than 0");
  refused({"--method", "event", "--form", "other"}, "--form");
  refused({"--method", "event", "--events", "-", "-o", "-"}, "cannot share standard output");
  refused({"--method", "event", "--rtol", "1e-17", "--atol", "1e-20"}, "rtol 1e-17 is below the rounding of numbers");
  refused({"--method", "event", "--events", "x.csv", "-o", "x.csv"}, "cannot share the file x.csv");
  refused({"--method", "event", "--events", "x.csv", "-o", "./x.csv"}, "cannot share the file x.csv");
  refused({"--method", "event", "--events", "x.csv", "-o", ball.path("x.csv")}, "cannot share the file x.csv");
  CHECK(ball.event({"--events", "/dev/null", "-o", "/dev/null"}).code == 0);
  const Finished nowhere = ball.event({"--events", "missing/e.csv", "-o", "out.csv"});
  CHECK(nowhere.code == 4);
  CHECK(nowhere.err == "nsmc: cannot write missing/e.csv: No such file or directory\n");
  CHECK(ball.files().find("csv") == std::string::npos);
}

TEST_CASE("method event: trouble is told, and what was found before is kept") {
  const Workplace place;
  // A rod that slides on its tip: no accelerations satisfy the laws (Painleve).
  place.write("rod.nsm", R"(model rod
coord x [m] = 0
coord y [m] = sin(phi0)*1 [m]
param phi0 = 65 [deg]
coord phi [rad] = phi0
initial x' = -2 [m/s]
kinetic (x'^2 + y'^2)/2*1 [kg] + phi'^2/6*1 [kg m^2]
force y : -9.81 [N]
contact tip {
  gap y - sin(phi)*1 [m]
  slip x' + sin(phi)*phi'*1 [m]
  law unilateral
  law coulomb(2)
}
simulate { until 0.3 [s]  step 1e-3 [s] }
)");
  const Finished rod = place.run({"run", "rod.nsm", "--method", "event", "-o", "rod.csv", "--quiet"});
  CHECK(rod.code == 3);
  CHECK(rod.err.find("at t = 0, the contact solver did not converge to accelerations that satisfy the laws in contact "
                     "tip (residual ") != std::string::npos);
  CHECK(rod.err.find("there may be none, as in the examples of Painleve") != std::string::npos);
  CHECK(read_csv(place.read("rod.csv")).rows == 1);
  // Two legs hold a block in more ways than it can move.
  place.write("legs.nsm", R"(model legs
coord x [m] = 0
kinetic x'^2/2*1 [kg]
force x : -1 [N]
contact left { gap x  law unilateral }
contact right { gap x  law unilateral }
simulate { until 1 [s]  step 0.1 [s] }
)");
  CHECK(place.run({"run", "legs.nsm", "--method", "event", "--quiet"}).code == 0);
  const Finished legs = place.run({"run", "legs.nsm", "--method", "event", "--form", "kappa", "--quiet"});
  CHECK(legs.code == 3);
  CHECK(legs.err.find("form kappa needs an inverse of G, and the rows of ") != std::string::npos);
  // A cylinder as a reservoir, by a function in three dimensions: slip ends before the spin, normal to its top.
  place.write("flat.nsm", R"(model flat
coord x = 0
coord y = 0
coord psi = 0
initial x' = 1
initial y' = 0.5
initial psi' = 3
kinetic x'^2 + y'^2 + psi'^2/100
law mine(C) { force T[2], tau  [slip, spin] in normal_cone(C, -[T, tau]) }
contact floor { slip [x', y']  spin psi'  law mine(support (v, w, s) { 6*sqrt(v^2 + w^2) + abs(s)/10 }) }
simulate { until 1  step 1e-2 }
)");
  const Finished flat = place.run({"run", "flat.nsm", "--method", "event", "-o", "flat.csv", "--quiet"});
  CHECK(flat.code == 0);
  const auto rest = read_csv(place.read("flat.csv"));
  // |v| = sqrt(5)/2 falls by 3 in a unit of time, the spin of 3 by 5.
  CHECK(std::abs(rest.columns.at("x").back() - std::sqrt(1.25) / 6) <= 1e-9);
  CHECK(std::abs(rest.columns.at("psi").back() - 0.9) <= 1e-9);
  // A law that mixes the rate of the gap with its force.
  place.write("soft.nsm", R"(model soft
coord x [m] = 0
kinetic x'^2/2*1 [kg]
force x : -1 [N]
law soft { force N  gap' + 0.1 [m/s/N]*N in normal_cone(nonpos, -N) }
contact floor { gap x  law soft }
simulate { until 1 [s]  step 0.1 [s] }
)");
  const Finished soft = place.run({"run", "soft.nsm", "--method", "event", "--quiet"});
  CHECK(soft.code == 3);
  CHECK(soft.err.find("needs a law for gap' by itself") != std::string::npos);
}

TEST_CASE("method event: ctrl-C and SIGTERM end a run within a step, and what was found before is kept") {
  const Workplace place;
  // The gauge has kinks, so that there are no modes to follow, and a step of the run takes a million of its own.
  place.write("cones.nsm", R"(model cones
coord x = 0
coord y = 0
coord z = 0
initial x' = 1
kinetic x'^2 + y'^2 + z'^2
force x : 8*sin(5*t)
force y : 8*cos(3*t)
law mine(C) { force T[3]  slip in normal_cone(C, -T) }
contact floor { slip [x', y', z']  law mine(gauge (a, b, c) { sqrt(a^2 + b^2)/6 + abs(c)/4 }) }
simulate { until 1e6  step 1e4 }
)");
  for (const int signal : {SIGINT, SIGTERM}) {
    Start start;
    start.arguments = {"run", "cones.nsm", "--method", "event", "-o", "out.csv", "--events", "events.csv", "--quiet"};
    start.folder = place.path();
    Process process(start);
    for (int i = 0; i < 10'000 && !contains(place.files(), "events.csv.tmp-"); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    REQUIRE(contains(place.files(), "events.csv.tmp-"));
    std::this_thread::sleep_for(std::chrono::seconds(1));  // well into the first step
    process.send(signal);
    const Finished run = process.wait();
    CHECK(run.code == 130);
    CHECK(run.err == "nsmc: interrupted after 0 steps at t = 0\n");
    CHECK(read_csv(place.read("out.csv")).rows == 1);
    CHECK(lines_of(place.read("events.csv")).front().starts_with("t,contact,kind,"));
    CHECK(place.files() == "cones.nsm events.csv out.csv");
  }
}
