// nsmc sweep: a run that cannot be begun is a row, whatever its place; what is wrong with all runs ends the sweep. The
// settings that can vary.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/cli/program.hpp"

using namespace nsmc::test;

namespace {

struct Ball : Workplace {
  Ball() { write("ball.nsm", kBall); }

  Finished sweep(const Names& arguments, const std::string& file = "ball.nsm", const std::string& input = "") const {
    Start start;
    start.arguments = {"sweep", file, "--quiet"};
    start.arguments.insert(start.arguments.end(), arguments.begin(), arguments.end());
    start.folder = path();
    start.input = input;
    return Process(start).wait();
  }
};

}  // namespace

TEST_CASE("sweep: a bad run is a row wherever it stands") {
  const Ball ball;
  const auto bad_and_good = [&](const std::string& name, const std::string& bad, const std::string& good,
                                const std::string& reason, const Names& more = {}) {
    CAPTURE(name);
    std::string rows[2];
    for (const bool bad_first : {true, false}) {
      Names arguments{"--list", name + "=" + (bad_first ? bad + "," + good : good + "," + bad), "--measure", "steps"};
      arguments.insert(arguments.end(), more.begin(), more.end());
      const Finished run = ball.sweep(arguments);
      CHECK(run.code == 0);
      const Names found = lines(run.out);
      REQUIRE(found.size() == 3);
      CHECK(found[bad_first ? 2 : 1].ends_with(",ok"));
      rows[bad_first ? 0 : 1] = found[bad_first ? 1 : 2];
    }
    CHECK(rows[0] == rows[1]);
    CHECK_MESSAGE(contains(rows[0], reason), rows[0]);
  };
  bad_and_good("omega", "2.5", "1", "omega must lie between 0 and 2");
  bad_and_good("step", "-1", "0.01", "step must be a finite number greater than 0");
  bad_and_good("until", "0", "1", "until must be a finite number greater than 0");
  bad_and_good("method", "moreau", "event", "belong to --method event, not to moreau", {"--rtol", "1e-6"});
  bad_and_good("m", "-1", "1", "mass matrix is not positive definite");
}

TEST_CASE("sweep: a law that makes no sense in the first run") {
  const Ball ball;
  ball.write("slider.nsm", R"(model slider
param mu = 0.3
coord x [m]
initial x' = 1 [m/s]
kinetic 0.5 [kg]*x'^2
contact a { slip x'  law joint_friction(mu*10 [N]) }
simulate { until 0.1 [s]  step 1e-2 [s] }
)");
  for (const char* file : {"slider.nsm", "-"}) {
    CAPTURE(file);
    const Finished run = ball.sweep({"--list", "mu=-0.3,0.3", "--measure", "steps"}, file, ball.read("slider.nsm"));
    CHECK(run.code == 0);
    const Names rows = lines(run.out);
    REQUIRE(rows.size() == 3);
    CHECK(contains(rows[1], "-0.3,,\"mu is -0.3, so limit is -3 in contact 'a'"));
    CHECK(rows[2] == "0.3,10,ok");
  }
}

TEST_CASE("sweep: the laws are checked with the parameters of every run") {
  Workplace place;
  place.write("slider.nsm", R"(model slider
param mu = 0.3
param nu = 0.2
coord x [m]
coord y [m]
initial x' = 1 [m/s]
initial y' = 1 [m/s]
kinetic 0.5 [kg]*(x'^2 + y'^2)
contact a { slip [x', y']  law friction(disc(mu*10 [N])) }
contact b { slip [x', y']  law friction(nu*superellipse(1 [N], 2 [N], 3)) }
simulate { until 0.1 [s]  step 1e-2 [s] }
)");
  const Finished run = place.run(
      {"sweep", "slider.nsm", "--quiet", "--list", "mu=0.3,-0.3", "--list", "nu=0.2,-0.1", "--measure", "steps"});
  CHECK(run.code == 0);
  CHECK(run.out.find("0.3,0.2,10,ok\n") != std::string::npos);
  CHECK(run.out.find("the set has the negative extent -3") != std::string::npos);
  CHECK(run.out.find("0.3,-0.1,,") != std::string::npos);
  CHECK(run.out.find("-0.3,-0.1,,") != std::string::npos);
}

TEST_CASE("sweep: a size that makes no sense is a row") {
  const Ball ball;
  ball.write("row.nsm",
             "param n = 2\nparam k = 1\ncoord z[i in 1..n] = 0.1*i\nkinetic z[i]'^2/2 for i in 1..n\n"
             "output top = z[n] + k\nsimulate { until 1 step 0.1 }\n");
  for (const auto& [sizes, file] : {std::pair{"n=2.3,2,3", "row.nsm"}, {"n=2,2.3,3", "row.nsm"}, {"n=2.3,2,3", "-"}}) {
    CAPTURE(sizes);
    CAPTURE(file);
    const Finished run = ball.sweep({"--list", sizes, "--measure", "top"}, file, ball.read("row.nsm"));
    CHECK(run.code == 0);
    const Names rows = lines(run.out);
    REQUIRE(rows.size() == 4);
    CHECK(contains(run.out, "\n2,1.2,ok\n"));
    CHECK(contains(run.out, "\n3,1.3,ok"));
    CHECK(contains(run.out, "\n2.3,,"));
    CHECK_FALSE(contains(run.out, "\n2.3,,ok"));
  }
}

TEST_CASE("sweep: what is wrong with every run ends it") {
  const Ball ball;
  const Finished setting = ball.sweep({"--list", "e=0,1", "--omega", "2.5", "--measure", "z", "-o", "t.csv"});
  CHECK(setting.code == 2);
  CHECK(contains(setting.err, "omega must lie between 0 and 2"));
  CHECK(ball.files() == "ball.nsm");
  CHECK(ball.sweep({"--list", "ee=0,1", "--measure", "z"}).code == 2);
  CHECK(ball.sweep({"--list", "e=0,1", "--measure", "z", "-o", "missing/t.csv"}).code == 4);
}

TEST_CASE("sweep: the settings of single methods and solvers vary, and messages name the option") {
  const Ball ball;
  const auto table = [&](Names arguments, std::size_t rows) {
    arguments.insert(arguments.end(), {"--measure", "z"});
    const Finished run = ball.sweep(arguments);
    CHECK(run.err == "");
    CHECK(run.code == 0);
    CHECK(lines(run.out).size() == rows + 1);
    CHECK_FALSE(contains(run.out, ",,"));
    return run.out;
  };
  const std::string rtol =
      table({"--vary", "rtol=1e-8:1e-4:3:log", "--list", "atol=1e-8,1e-6", "--method", "event"}, 6);
  CHECK(contains(rtol, "rtol,atol,z,status\n1e-08,1e-08,"));
  CHECK(contains(table({"--list", "form=lambda,kappa", "--method", "event"}, 2), "\nkappa,"));
  table({"--list", "tableau=euler,rk4", "--method", "rk"}, 2);
  table({"--list", "inner_steps=1,2", "--list", "rho=0.5,1", "--method", "lie"}, 4);
  table({"--list", "inner-steps=1,2", "--method", "lie"}, 2);
  // A row of another method has its reason.
  const Finished mixed = ball.sweep({"--list", "method=event,moreau", "--list", "rtol=1e-8", "--measure", "steps"});
  CHECK(contains(mixed.out, "event,1e-08,100,ok\nmoreau,1e-08,,"));
  CHECK(contains(ball.sweep({"--list", "rtl=1", "--measure", "z"}).err,
                 "--list rtl=1: there is no parameter and no setting 'rtl'; did you mean 'rtol'?"));
  CHECK(contains(ball.sweep({"--list", "form=gamma", "--measure", "z"}).err, "--list form=gamma: there is no form"));
  CHECK(contains(ball.sweep({"--vary", "e=0:1", "--measure", "z"}).err, "--vary e=0:1: a range is"));
  CHECK(contains(ball.sweep({"--list", "rtol=1e-6,1e-8", "--rtol", "1e-4", "--measure", "z"}).err,
                 "'rtol' is varied, and given by --rtol as well"));
  // The order of the axes is that of the command line, whatever their options.
  const Finished order = ball.sweep({"--list", "e=0,1", "--vary", "m=1:2:2", "--list", "h0=1,2", "--measure", "steps"});
  CHECK(order.out.starts_with("e,m,h0,steps,status\n0,1,1,100,ok\n0,1,2,100,ok\n0,2,1,"));
}

TEST_CASE("sweep: measures of forces and iterations from event to event") {
  const Ball ball;
  // Free fall from 1 m and e = 1/2: what the table gives in 1 s is the weight, less what is left of the momentum.
  const Finished run = ball.sweep({"--list", "method=moreau,event", "--set", "e=0.5", "--step", "1e-4", "--measure",
                                   "mean(table.N)", "time(table.N > 0)", "hit=crossing(table.N, 5)",
                                   "total(iterations)", "z'", "impacts", "events", "max(table.N)"});
  CHECK(run.err == "");
  REQUIRE(run.code == 0);
  const Table table = read_csv([&] {
    std::string text = run.out;
    for (const auto& [from, to] :
         {std::pair<std::string, std::string>{"\nmoreau,", "\n0,"}, {"\nevent,", "\n1,"}, {",ok", ",0"}}) {
      for (std::size_t at = 0; (at = text.find(from)) != std::string::npos;) text.replace(at, from.size(), to);
    }
    return text;
  }());
  const auto value = [&](const std::string& column, std::size_t row) { return table.columns.at(column)[row]; };
  const double fall = std::sqrt(2 / 9.81), m = 0.1;
  // m z'(1) = P - m g.
  CHECK(std::abs(value("mean(table.N)", 1) - m * (value("z'", 1) + 9.81)) <= 1e-9);
  CHECK(value("mean(table.N)", 0) == doctest::Approx(value("mean(table.N)", 1)).epsilon(2e-3));
  CHECK(std::abs(value("time(table.N > 0)", 1) - fall) <= 1e-10);
  CHECK(std::abs(value("hit", 1) - fall) <= 1e-10);
  CHECK(std::abs(value("time(table.N > 0)", 0) - fall) <= 2e-4);
  CHECK(value("total(iterations)", 1) >= value("impacts", 1));
  CHECK(value("impacts", 1) == 2);
  CHECK(value("events", 1) == 2);
  CHECK(value("impacts", 0) == 0);
  CHECK(value("max(table.N)", 1) == 0);  // in flight at the ends of all steps
}

TEST_CASE("sweep: impulses from event to event with friction, stick and a contact that stays") {
  const Ball ball;
  // Slides, reverses under a force that grows, and lifts off: m x' = integral of T + t^2, m z' = integral of N + ...
  ball.write("block.nsm", R"(model block
coord x [m] = 0
coord z [m] = 0.1
initial x' = 2 [m/s]
kinetic (x'^2 + z'^2)/2*2 [kg]
force x : -8 [N/s]*t
force z : -19.62 [N] + 2 [N/s^2]*t^2
contact floor { gap z  slip x'  law unilateral(0.3)  law coulomb(0.4) }
simulate { until 4 [s]  step 0.05 [s] }
)");
  const Finished run = ball.sweep({"--list", "step=0.05,0.02", "--method", "event", "--measure", "N=mean(floor.N)",
                                   "T=mean(floor.T)", "vx=x'", "vz=z'", "iterations", "events"},
                                  "block.nsm");
  CHECK(run.err == "");
  REQUIRE(run.code == 0);
  std::string text = run.out;
  for (std::size_t at = 0; (at = text.find(",ok")) != std::string::npos;) text.replace(at, 3, ",0");
  const Table table = read_csv(text);
  for (std::size_t k = 0; k < 2; ++k) {
    const double N = 4 * table.columns.at("N")[k], T = 4 * table.columns.at("T")[k];
    // Forces are straight lines between internal steps: what they are not is of second order in the step.
    const double error = k == 0 ? 3e-3 : 5e-4;
    CHECK(std::abs(N - (2 * table.columns.at("vz")[k] + 19.62 * 4 - 2 * 64 / 3.0)) <= error);
    CHECK(std::abs(T - (2 * (table.columns.at("vx")[k] - 2) + 8 * 8)) <= error);
    CHECK(table.columns.at("iterations")[k] >= 1);
    CHECK(table.columns.at("events")[k] >= 5);
  }
}
