// nsmc run: every option, the columns of the output, the numbers in it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/cli/program.hpp"

using namespace nsmc::test;

namespace {

struct Ball : Workplace {
  Ball() { write("ball.nsm", kBall); }

  // nsmc run ball.nsm -o out.csv --quiet ARGUMENTS
  Table table(std::vector<std::string> arguments) const {
    std::vector<std::string> all{"run", "ball.nsm", "-o", "out.csv", "--quiet"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Finished run = Workplace::run(all);
    CHECK(run.err == "");
    CHECK(run.out == "");
    REQUIRE(run.code == 0);
    return read_csv(read("out.csv"));
  }

  // A wrong command line: exit code 2, one line that names the option, nothing on standard output, no file.
  std::string refused(std::vector<std::string> arguments) const {
    std::vector<std::string> all{"run", "ball.nsm", "-o", "refused.csv"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const std::string before = files();
    const Finished run = Workplace::run(all);
    CHECK(run.code == 2);
    CHECK(run.out == "");
    CHECK(run.err.starts_with("nsmc: "));
    CHECK(files() == before);
    return run.err;
  }
};

}  // namespace

TEST_CASE("columns: time, coordinates, velocities, gaps, forces, energy, outputs") {
  const Ball ball;
  CHECK(ball.table({}).names == Names{"t", "z", "z'", "table.gap", "table.N", "energy", "double_height"});

  const Workplace place;
  place.write("block.nsm", kBlock);
  REQUIRE(place.run({"run", "block.nsm", "-o", "block.csv"}).code == 0);
  const Table block = read_csv(place.read("block.csv"));
  CHECK(block.names == Names{"t", "x", "y", "z", "x'", "y'", "z'", "table.gap", "table.N", "table.T[1]", "table.T[2]",
                             "energy", "v[1]", "v[2]"});
  CHECK(block.rows == 101);
  CHECK(block.columns.at("table.N").back() == doctest::Approx(9.81));
  CHECK(block.columns.at("table.T[1]").back() == doctest::Approx(-0.3 * 9.81));
  CHECK(block.columns.at("v[1]").back() == block.columns.at("x'").back());
}

TEST_CASE("several contacts stand in the order of the file, each gap before the forces of its contact") {
  const Workplace place;
  place.write(
      "two.nsm",
      "coord x [m] = 1\ncoord y [m] = 2\nkinetic 0.5 [kg] * (x'^2 + y'^2)\n"
      "contact upper { gap y  law unilateral }\ncontact lower { gap x  slip y'  law unilateral  law coulomb(0.1) }\n"
      "contact guide { slip x'  law joint_friction(1 [N]) }\n");
  REQUIRE(place.run({"run", "two.nsm", "--until", "1", "-o", "two.csv"}).code == 0);
  const Names names = read_csv(place.read("two.csv")).names;
  const auto at = [&](const std::string& name) {
    const auto found = std::find(names.begin(), names.end(), name);
    REQUIRE_MESSAGE(found != names.end(), name);
    return found - names.begin();
  };
  CHECK(at("upper.gap") < at("lower.gap"));
  CHECK(at("upper.N") < at("lower.N"));
  CHECK(at("lower.gap") < at("lower.N"));
  CHECK(at("lower.N") < at("lower.T"));
  CHECK(at("lower.T") < at("guide.T"));
  CHECK(at("guide.T") < at("energy"));
  CHECK(std::count(names.begin(), names.end(), "guide.gap") == 0);
}

TEST_CASE("numbers have 17 significant digits: they read back exactly") {
  const Ball ball;
  const Table table = ball.table({"--step", "0.1", "--set", "h0=0.1"});
  CHECK(table.first_row[1] == "0.10000000000000001");
  // The doubles themselves: the first steps of Moreau's midpoint rule, z_M = z + dt/2 z', z'+ = z' - g dt.
  CHECK(table.columns.at("z'")[1] == -9.8100000000000005 * 0.1);
  CHECK(table.columns.at("z")[0] == 0.1);
}

TEST_CASE("-o: file, standard output, nothing") {
  const Ball ball;
  Finished run = ball.run({"run", "ball.nsm"});
  CHECK(run.code == 0);
  CHECK(ball.files() == "ball.nsm");
  CHECK(contains(run.out, "ball: 100 steps of 0.01 s"));
  CHECK(contains(run.out, "every step converged"));

  run = ball.run({"run", "ball.nsm", "-o", "-"});
  CHECK(run.code == 0);
  CHECK(read_csv(run.out).rows == 101);  // the numbers own standard output
  CHECK(contains(run.err, "ball: 100 steps of 0.01 s"));

  run = ball.run({"run", "ball.nsm", "--output=long.csv"});
  CHECK(run.code == 0);
  CHECK(contains(run.out, "long.csv (101 rows)"));
  CHECK(read_csv(ball.read("long.csv")).rows == 101);
  CHECK(ball.files() == "ball.nsm long.csv");
}

TEST_CASE("--set: SI numbers, units, signs, several, and what depends on them") {
  const Ball ball;
  CHECK(ball.table({"--set", "h0=2"}).columns.at("z")[0] == 2);
  CHECK(ball.table({"--set", "h0=150[mm]"}).columns.at("z")[0] == doctest::Approx(0.15).epsilon(1e-15));
  CHECK(ball.table({"--set", "h0=150 [mm]"}).columns.at("z")[0] == doctest::Approx(0.15).epsilon(1e-15));
  const Finished below = ball.run({"run", "ball.nsm", "-o", "out.csv", "--set", "h0=-3", "--set", "m=200[g]"});
  CHECK(contains(below.err, "R0102: contact table overlaps at the start, 3 deep"));
  const Table table = read_csv(ball.read("out.csv"));
  CHECK(table.columns.at("z")[0] == -3);
  CHECK(table.columns.at("energy")[0] == doctest::Approx(-0.2 * 9.81 * 3).epsilon(1e-15));
  CHECK(ball.table({"--set", "m=1", "--set", "m=2"}).columns.at("energy")[0] == doctest::Approx(2 * 9.81));
}

TEST_CASE("--set: a default that depends on another parameter follows it") {
  const Workplace place;
  place.write("a.nsm", "param a = 1\nparam b = 2*a\ncoord z = b\nkinetic z'^2\nsimulate { until 1  step 0.5 }\n");
  REQUIRE(place.run({"run", "a.nsm", "-o", "a.csv", "--set", "a=5"}).code == 0);
  CHECK(read_csv(place.read("a.csv")).columns.at("z")[0] == 10);
  REQUIRE(place.run({"run", "a.nsm", "-o", "a.csv", "--set", "a=5", "--set", "b=1"}).code == 0);
  CHECK(read_csv(place.read("a.csv")).columns.at("z")[0] == 1);
}

TEST_CASE("--set: what is refused") {
  const Ball ball;
  CHECK(contains(ball.refused({"--set", "m=3[m]"}), "--set m: '3[m]' is length [m], expected [kg]"));
  CHECK(contains(ball.refused({"--set", "e=3[m]"}), "expected a pure number"));
  CHECK(contains(ball.refused({"--set", "mm=3"}), "no parameter 'mm'; did you mean 'm'?"));
  CHECK(contains(ball.refused({"--set", "temperature=3"}), "it has m, e, h0"));
  CHECK(contains(ball.refused({"--set", "m"}), "expected name=value"));
  CHECK(contains(ball.refused({"--set", "=3"}), "expected name=value"));
  for (const std::string value :
       {"nan", "inf", "-inf", "1e400", "1/0", "", "three", "1 2", "1\nparam x = 2", "0x10", "1e"}) {
    CAPTURE(value);
    CHECK(contains(ball.refused({"--set", "m=" + value}), "--set m"));
  }
}

TEST_CASE("--set: a parameter that is no longer finite") {
  const Workplace place;
  place.write("a.nsm", "param a = 1\nparam b = 1/a\ncoord z = b\nkinetic z'^2\nsimulate { until 1  step 0.5 }\n");
  const Finished run = place.run({"run", "a.nsm", "-o", "a.csv", "--set", "a=0"});
  CHECK(run.code == 1);
  CHECK(contains(run.err, "parameter 'b' is infinite, not a finite number"));
  CHECK(place.files() == "a.nsm");
}

TEST_CASE("--until and --step, with and without units") {
  const Ball ball;
  CHECK(ball.table({"--until", "2"}).columns.at("t").back() == 2);
  CHECK(ball.table({"--until", "20[ms]"}).columns.at("t").back() == doctest::Approx(0.02).epsilon(1e-15));
  CHECK(ball.table({"--step", "0.25"}).rows == 5);
  CHECK(ball.table({"--step", "250 [ms]"}).rows == 5);
  CHECK(ball.table({"--step", "0.3"}).columns.at("t") ==
        std::vector<double>{0, 0.3, 0.6, 3 * 0.3, 1});  // cut at the end
  for (const std::string option : {"--until", "--step"}) {
    CAPTURE(option);
    for (const std::string value : {"0", "-1", "nan", "inf", "1e400", "abc", "3[m]", ""}) {
      CAPTURE(value);
      const std::string name = option.substr(2);
      CHECK(contains(ball.refused({option + "=" + value}), name));
    }
  }
}

TEST_CASE("a model that does not say how long") {
  const Workplace place;
  place.write("a.nsm", "coord z = 1\nkinetic z'^2\n");
  const Finished run = place.run({"run", "a.nsm"});
  CHECK(run.code == 2);
  CHECK(contains(run.err, "--until T"));
  CHECK(place.run({"run", "a.nsm", "--until", "1"}).code == 0);
}

TEST_CASE("--method, --solver, --omega, --tol, --max-iterations") {
  const Ball ball;
  CHECK(ball.table({"--method", "moreau"}).rows == 101);
  CHECK(contains(ball.refused({"--method", "euler"}), "euler"));
  const Table sor = ball.table({"--solver", "sor"});
  const Table jor = ball.table({"--solver", "jor", "--omega", "0.5", "--tol", "1e-12", "--max-iterations", "1000"});
  CHECK(jor.columns.at("z").back() == doctest::Approx(sor.columns.at("z").back()).epsilon(1e-8));
  CHECK(contains(ball.run({"run", "ball.nsm", "--solver", "jor"}).out, "(moreau, jor)"));
  CHECK(contains(ball.refused({"--solver", "magic"}), "magic"));
  for (const std::string value : {"0", "2", "-1", "nan", "x"})
    CHECK(contains(ball.refused({"--omega", value}), "omega"));
  for (const std::string value : {"0", "-1", "nan", "inf", "x"}) CHECK(contains(ball.refused({"--tol", value}), "tol"));
  for (const std::string value : {"0", "-1", "1.5", "1e99"}) {
    CHECK(contains(ball.refused({"--max-iterations", value}), "max-iterations"));
  }
  CHECK(contains(ball.run({"run", "ball.nsm", "--tol", "1e-3"}).out, "tolerance 0.001"));
}

TEST_CASE("--method lie, --inner-steps, --rho") {
  const Ball ball;
  CHECK(contains(ball.run({"run", "ball.nsm", "--method", "lie"}).out, "(lie, multiplier)"));
  CHECK(contains(ball.run({"run", "ball.nsm", "--method", "lie", "--solver", "sor"}).out, "(lie, sor)"));
  const Table one = ball.table({"--method", "lie"});
  const Table four = ball.table({"--method", "lie", "--inner-steps", "4", "--rho", "0.5"});
  CHECK(one.rows == four.rows);
  for (const char* value : {"0", "-1", "1.5", "x"})
    CHECK(contains(ball.refused({"--method", "lie", "--inner-steps", value}), "inner-steps"));
  for (const char* value : {"0", "-1", "nan", "inf", "x"})
    CHECK(contains(ball.refused({"--method", "lie", "--rho", value}), "rho"));
  CHECK(contains(ball.refused({"--inner-steps", "2"}), "--inner-steps belongs to --method lie, this run is by moreau"));
  CHECK(contains(ball.refused({"--rho", "2"}), "--rho belongs to --solver multiplier, this run is by auto"));
  for (const char* solver : {"jprox", "uzawa", "multiplier"})
    CHECK(contains(ball.run({"run", "ball.nsm", "--solver", solver}).out, "every step converged"));

  // The same in a model, where they may wait for their method.
  const Workplace place;
  place.write("a.nsm",
              "coord z = 1\nkinetic z'^2\npotential z^2\ncontact c { slip z'  law joint_friction(0.1) }\n"
              "simulate { until 1  step 0.1  method lie  inner_steps 3  rho 5 }\n");
  CHECK(contains(place.run({"run", "a.nsm"}).out, "(lie, multiplier)"));
  CHECK(contains(place.run({"run", "a.nsm", "--method", "moreau"}).out, "(moreau, auto)"));
  const std::string described = place.run({"describe", "a.nsm"}).out;
  CHECK(contains(described, "inner_steps"));
  CHECK(contains(described, "rho"));
}

TEST_CASE("--every and --record: the first and the last row are always there") {
  const Ball ball;
  const Table every = ball.table({"--every", "30"});
  CHECK(every.rows == 5);
  CHECK(every.columns.at("t")[1] == doctest::Approx(0.3));
  CHECK(every.columns.at("t").back() == 1);
  CHECK(ball.table({"--every", "1000"}).rows == 2);
  const Table record = ball.table({"--record", "250[ms]"});
  CHECK(record.rows == 5);
  CHECK(record.columns.at("t")[1] == doctest::Approx(0.25));
  for (const std::string value : {"0", "-1", "1.5", "x"}) CHECK(contains(ball.refused({"--every", value}), "every"));
  for (const std::string value : {"0", "-1", "x", "3[kg]"})
    CHECK(contains(ball.refused({"--record", value}), "record"));
  CHECK(contains(ball.refused({"--every", "2", "--record", "1"}), "--every"));
}

TEST_CASE("the command line takes the place of what simulate says") {
  const Workplace place;
  place.write("a.nsm", "coord z = 1\nkinetic z'^2\nsimulate { until 1  step 0.1  every 5  solver jor }\n");
  const auto rows = [&](std::vector<std::string> more) {
    std::vector<std::string> all{"run", "a.nsm", "-o", "a.csv"};
    all.insert(all.end(), more.begin(), more.end());
    REQUIRE(place.run(all).code == 0);
    return read_csv(place.read("a.csv")).rows;
  };
  CHECK(rows({}) == 3);
  CHECK(rows({"--every", "1"}) == 11);
  CHECK(rows({"--record", "0.2"}) == 6);
  CHECK(contains(place.run({"run", "a.nsm"}).out, "(moreau, jor)"));
  CHECK(contains(place.run({"run", "a.nsm", "--solver", "sor"}).out, "(moreau, sor)"));
}

TEST_CASE("--outputs: columns in the order asked for, vectors by their name") {
  const Ball ball;
  CHECK(ball.table({"--outputs", "energy,z"}).names == Names{"t", "energy", "z"});
  CHECK(ball.table({"--outputs", "t,z'", "--outputs", "table.N"}).names == Names{"t", "z'", "table.N"});
  CHECK(contains(ball.refused({"--outputs", "zz"}), "nothing is called 'zz'; did you mean 'z'?"));
  CHECK(contains(ball.refused({"--outputs", "temperature"}), "there are z, z'"));
  const Workplace place;
  place.write("block.nsm", kBlock);
  REQUIRE(place.run({"run", "block.nsm", "-o", "b.csv", "--outputs", "table.T,v[2]"}).code == 0);
  CHECK(read_csv(place.read("b.csv")).names == Names{"t", "table.T[1]", "table.T[2]", "v[2]"});
}

TEST_CASE("--quiet says nothing, except that steps did not converge") {
  const Workplace place;
  place.write("two.nsm",
              "coord x = 0\ncoord y = 0\ncoord phi = 0\nkinetic 0.5*(x'^2 + y'^2) + 0.1*phi'^2\npotential 9.81*y\n"
              "initial x' = 3\ncontact a { gap y + phi  slip x' + phi'  law unilateral(0.5)  law coulomb(0.5) }\n"
              "contact b { gap y - phi  slip x' - phi'  law unilateral(0.5)  law coulomb(0.7) }\n"
              "simulate { until 0.05  step 0.001 }\n");
  Finished run = place.run({"run", "two.nsm", "--quiet"});
  CHECK(run.code == 0);
  CHECK(run.out + run.err == "");
  run = place.run({"run", "two.nsm", "--quiet", "--max-iterations", "1"});
  CHECK(run.code == 0);
  CHECK(run.err.starts_with("nsmc: warning R0201: "));
  CHECK(contains(run.err, "did not converge"));
  run = place.run({"run", "two.nsm", "--max-iterations", "1"});
  CHECK(run.code == 0);
  CHECK(contains(run.out, "did not converge"));

  // --strict: the run ends there, with what was computed.
  run = place.run({"run", "two.nsm", "--max-iterations", "1", "--strict", "-o", "s.csv"});
  CHECK(run.code == 3);
  CHECK(contains(run.err, "ended by strict in step 1 at t = "));
  CHECK(contains(run.err, "contact b"));
  CHECK(read_csv(place.read("s.csv")).rows == 2);
  CHECK(place.run({"run", "two.nsm", "--strict"}).code == 0);
}

TEST_CASE("--stream writes to the file itself") {
  const Ball ball;
  CHECK(ball.table({"--stream"}).rows == 101);
  CHECK(ball.files() == "ball.nsm out.csv");
}

TEST_CASE("a model from standard input, and two equal runs give equal bytes") {
  const Ball ball;
  Start start;
  start.arguments = {"run", "-", "-o", "-", "--quiet"};
  start.folder = ball.path();
  start.input = kBall;
  const Finished run = Process(start).wait();
  CHECK(run.code == 0);
  ball.table({});
  CHECK(run.out == ball.read("out.csv"));
}
