// check, emit, describe, fmt, --help, --version, and command lines that are none of these.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/program.hpp"

using namespace nsmc::test;

namespace {

constexpr const char* kWrong = "coord z [m] = 1\nkinetic 0.5 [kg] * z'\noutput a = sin(z)\n";

}  // namespace

TEST_CASE("check: a good model") {
  const Workplace place;
  place.write("block.nsm", kBlock);
  const Finished run = place.run({"check", "block.nsm"});
  CHECK(run.code == 0);
  CHECK(run.out == "block.nsm: no errors (3 coordinates, 1 contact, 0 parameters)\n");
  CHECK(run.err == "");
}

TEST_CASE("what is written wrongly on the command line is answered by how it is written") {
  const Workplace place;
  place.write("block.nsm", kBlock);
  const auto says = [&](const std::vector<std::string>& arguments, const std::string& words) {
    const Finished run = place.run(arguments);
    CHECK(run.code == 2);
    CHECK_MESSAGE(run.err == "nsmc: " + words + "\n", run.err);
  };
  says({}, "what is to be done? nsmc run FILE simulates a model, nsmc --help lists the rest");
  says({"block.nsm"}, "unknown command 'block.nsm'; did you mean nsmc run block.nsm?");
  says({"run", "block.nsm", "-set", "m=2"}, "-set m=2 is not understood; did you mean '--set'?");
  says({"run", "block.nsm", "--mu", "0.2"},
       "--mu 0.2 is not understood; a parameter of the model is --set mu=VALUE, 'nsmc run --help' lists the rest");
  says({"run", "block.nsm", "--untill", "3"}, "--untill 3 is not understood; did you mean '--until'?");
  says({"run", "block.nsm", "3"}, "3 is not understood; 'nsmc run --help' lists what there is");
  says({"run", "block.nsm", "--until", "1.5 s"}, "--until: '1.5 s' has its unit not in brackets: 1.5[s]");
  says({"plot", "block.nsm", "-y", "x", "-o", "a.jpg"}, "-o a.jpg: a figure is a file .svg, .pdf or .png");
}

TEST_CASE("run: a short run without contacts tells by how much its energy rose, and of no penetration") {
  const Workplace place;
  place.write(
      "stiff.nsm",
      "coord x [m] = 1\nkinetic 1 [kg]/2*x'^2\npotential 1 [N/m]/2*x^2\nsimulate { until 9 [s]  step 3 [s] }\n");
  const std::string summary = place.run({"run", "stiff.nsm"}).out;
  CHECK(contains(summary, "  method      energy rose by "));
  CHECK_FALSE(contains(summary, "energy rose by 0 "));
}

TEST_CASE("check: with other values of parameters, and what a run gains by them") {
  const Workplace place;
  place.write("ball.nsm",
              "param m = 1 [kg]\nparam e = 0.5\ncoord z [m] = 0.1\nkinetic m/2*z'^2\npotential m*9.81 [m/s^2]*z\n"
              "contact floor { gap z  law unilateral(e) }\nsimulate { until 0.3 [s] }\n");
  CHECK(place.run({"check", "ball.nsm", "--strict"}).code == 0);
  Finished run = place.run({"check", "ball.nsm", "--strict", "--set", "e=1.2"});
  CHECK(run.code == 3);
  CHECK(contains(run.err, "warning[N0617]"));
  CHECK(place.run({"check", "ball.nsm", "--set", "m=-1"}).code == 1);
  run = place.run({"check", "ball.nsm", "--set", "f=1"});
  CHECK(run.code == 2);
  CHECK(contains(run.err, "no parameter 'f'"));
  CHECK(contains(place.run({"run", "ball.nsm", "--set", "e=1.2"}).out, "  gained 0.432 by unilateral;"));
  CHECK(contains(place.run({"run", "ball.nsm"}).out, "  lost 0.92 by unilateral;"));
}

TEST_CASE("check: errors, as text and as JSON") {
  const Workplace place;
  place.write("wrong.nsm", kWrong);
  Finished run = place.run({"check", "wrong.nsm"});
  CHECK(run.code == 1);
  CHECK(run.out == "");
  CHECK(contains(run.err, "wrong.nsm:2:9: error[N0403]: the kinetic energy must be"));
  CHECK(contains(run.err, "    3 | output a = sin(z)\n      |                ^\n"));
  CHECK(run.err.ends_with("2 errors\n"));
  CHECK_FALSE(contains(run.err, "\x1b"));  // colours are for terminals

  run = place.run({"check", "--json", "wrong.nsm"});
  CHECK(run.code == 1);
  CHECK(run.err == "");
  const auto json = nlohmann::json::parse(run.out);
  REQUIRE(json["diagnostics"].size() == 2);
  CHECK(json["diagnostics"][0]["code"] == "N0403");
  CHECK(json["diagnostics"][0]["file"] == "wrong.nsm");
  CHECK(json["diagnostics"][0]["line"] == 2);
  CHECK(json["diagnostics"][0]["column"] == 9);
  CHECK(json["diagnostics"][1]["code"] == "N0402");

  place.write("good.nsm", kBall);
  run = place.run({"check", "--json", "good.nsm"});
  CHECK(run.code == 0);
  CHECK(nlohmann::json::parse(run.out)["diagnostics"].empty());
}

TEST_CASE("every command answers a wrong model with exit code 1 and the diagnostics") {
  const Workplace place;
  place.write("wrong.nsm", kWrong);
  for (const Names& arguments : {Names{"run", "wrong.nsm", "-o", "a.csv"}, Names{"emit", "wrong.nsm"},
                                 Names{"emit", "--stage", "c", "wrong.nsm"}, Names{"describe", "wrong.nsm"}}) {
    const Finished run = place.run(arguments);
    CAPTURE(arguments[0]);
    CHECK(run.code == 1);
    CHECK(run.out == "");
    CHECK(contains(run.err, "error[N0402]"));
  }
  CHECK(place.files() == "wrong.nsm");
}

TEST_CASE("emit: every stage") {
  const Workplace place;
  place.write("block.nsm", kBlock);
  const auto emit = [&](Names arguments) {
    arguments.insert(arguments.begin(), {"emit", "block.nsm"});
    const Finished run = place.run(arguments);
    CHECK(run.code == 0);
    CHECK(run.err == "");
    const Finished again = place.run(arguments);
    CHECK(again.out == run.out);
    return run.out;
  };
  CHECK(contains(emit({"--stage", "ast"}), "contact table {"));
  CHECK(contains(emit({"--stage", "model"}), "coordinate x [m]"));
  CHECK(contains(emit({"--stage", "model"}), "law coulomb: "));
  CHECK(contains(emit({"--stage", "equations"}), "table"));
  CHECK(emit({}) == emit({"--stage", "equations"}));
  CHECK(contains(emit({"--stage", "equations", "--latex"}), "\\begin{document}"));
  CHECK(contains(emit({"--stage", "llvm"}), "define"));
  CHECK(contains(emit({"--stage", "asm"}), "ret"));
  CHECK(contains(emit({"--stage", "c"}), "#include <math.h>"));

  CHECK(place.run({"emit", "block.nsm", "--stage", "c", "--latex"}).code == 2);
  const Finished unknown = place.run({"emit", "block.nsm", "--stage", "fortran"});
  CHECK(unknown.code == 2);
  CHECK(contains(unknown.err, "fortran"));
}

TEST_CASE("emit: the abstract syntax is a model again") {
  const Workplace place;
  place.write("ball.nsm", kBall);
  const Finished ast = place.run({"emit", "--stage", "ast", "ball.nsm"});
  place.write("again.nsm", ast.out);
  CHECK(place.run({"emit", "--stage", "ast", "again.nsm"}).out == ast.out);
  CHECK(place.run({"emit", "again.nsm"}).out == place.run({"emit", "ball.nsm"}).out);
}

TEST_CASE("emit: the C compiles without a warning") {
  const Workplace place;
  place.write("functions.nsm",
              "coord x = 0.5\ncoord y = 0.2\nkinetic 0.5*x'^2*(2 + sin(x)) + 0.5*y'^2\n"
              "potential atan2(y, x) + hypot(x, y) + abs(x) + log(2 + x^2) + tanh(x) + x^y\n"
              "force x : piecewise { x < 0 and y > 0 : -x'  x == 1 : 2  else : min(x, y, 1) - sign(y)*sqrt(abs(x)) }\n"
              "contact c { gap x  slip y'  law unilateral  law coulomb(0.1) }\n");
  place.write("block.nsm", kBlock);
  for (const std::string model : {"functions.nsm", "block.nsm"}) {
    place.write("model.c", place.run({"emit", "--stage", "c", model}).out);
    Start cc;
    cc.program = "/usr/bin/cc";
    cc.arguments = {"-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O1", "-c", "model.c", "-o", "model.o"};
    cc.folder = place.path();
    const Finished compiled = Process(cc).wait();
    CHECK_MESSAGE(compiled.code == 0, compiled.err);
  }
}

TEST_CASE("describe") {
  const Workplace place;
  place.write("ball.nsm", kBall);
  const Finished run = place.run({"describe", "ball.nsm"});
  CHECK(run.code == 0);
  CHECK(run.err == "");
  CHECK(run.out.starts_with("model ball: A ball on a table\n"));
  for (const char* part :
       {"parameters (SI)", "m   = 0.1  [kg]  mass", "coordinates q, at the start", "height", "velocities u",
        "law unilateral", "force table.N", "[kg m/s^2]", "outputs", "double_height", "until", "step"}) {
    CHECK_MESSAGE(contains(run.out, part), part << " is missing in\n" << run.out);
  }
  const Finished top = place.run({"describe", NSMC_SOURCE_DIR "/models/tippe_top_ellipsoid.nsm"});
  std::istringstream lines(top.out);
  for (std::string line; std::getline(lines, line);) CHECK_MESSAGE(line.size() <= 122, line);
  CHECK(contains(top.out, "\n  head                       closed where its gap <= 0\n"));
}

TEST_CASE("fmt: in place, idempotent, comments kept") {
  const Workplace place;
  const std::string untidy =
      "// a ball\nparam   m=0.1[kg]// mass\n/* here */ coord z[m]=1\n\n\n\nkinetic m/2*z'^2 \"T\"\n";
  place.write("a.nsm", untidy);
  place.write("b.nsm", untidy);
  Finished run = place.run({"fmt", "--check", "a.nsm"});
  CHECK(run.code == 1);
  CHECK(run.out == "a.nsm: not formatted\n");
  CHECK(place.read("a.nsm") == untidy);

  run = place.run({"fmt", "a.nsm", "b.nsm"});
  CHECK(run.code == 0);
  CHECK(run.out + run.err == "");
  const std::string tidy = place.read("a.nsm");
  CHECK(tidy != untidy);
  CHECK(place.read("b.nsm") == tidy);
  for (const char* part : {"// a ball", "// mass", "/* here */", "param m = 0.1 [kg]", "\"T\""}) {
    CHECK_MESSAGE(contains(tidy, part), part << " is missing in\n" << tidy);
  }
  CHECK(place.run({"fmt", "a.nsm"}).code == 0);
  CHECK(place.read("a.nsm") == tidy);
  CHECK(place.run({"fmt", "--check", "a.nsm", "b.nsm"}).code == 0);
  CHECK(place.files() == "a.nsm b.nsm");

  Start filter;
  filter.arguments = {"fmt", "-"};
  filter.folder = place.path();
  filter.input = untidy;
  CHECK(Process(filter).wait().out == tidy);
}

TEST_CASE("fmt: a broken file stays as it is, the others are formatted") {
  const Workplace place;
  place.write("broken.nsm", "param   a =\n");
  place.write("good.nsm", "param   a =  1\n");
  const Finished run = place.run({"fmt", "broken.nsm", "good.nsm"});
  CHECK(run.code == 1);
  CHECK(contains(run.err, "broken.nsm:"));
  CHECK(place.read("broken.nsm") == "param   a =\n");
  CHECK(place.read("good.nsm") == "param a = 1\n");
  CHECK(place.files() == "broken.nsm good.nsm");
  CHECK(place.run({"fmt", "missing.nsm"}).code == 4);
  CHECK(place.run({"fmt"}).code == 2);
}

TEST_CASE("--help and --version") {
  const Workplace place;
  Finished run = place.run({"--help"});
  CHECK(run.code == 0);
  CHECK(run.err == "");
  for (const char* word : {"check", "run", "emit", "describe", "fmt", "exit codes", "130"})
    CHECK(contains(run.out, word));
  for (const std::string command : {"check", "run", "emit", "describe", "fmt"}) {
    run = place.run({command, "--help"});
    CHECK(run.code == 0);
    CHECK(run.out.size() > 100);
  }
  run = place.run({"--version"});
  CHECK(run.code == 0);
  CHECK(run.out.starts_with("nsmc "));
  CHECK(lines(run.out).size() == 1);
}

TEST_CASE("wrong command lines: exit code 2, where to look, nothing on standard output") {
  const Workplace place;
  place.write("ball.nsm", kBall);
  for (const Names& arguments :
       {Names{}, Names{"frobnicate"}, Names{"run"}, Names{"run", "ball.nsm", "--frobnicate"}, Names{"check"},
        Names{"run", "ball.nsm", "second.nsm"}, Names{"run", "ball.nsm", "--step"}, Names{"--frobnicate"},
        Names{"describe"}, Names{"emit"}}) {
    const Finished run = place.run(arguments);
    CHECK(run.code == 2);
    CHECK(run.out == "");
    CHECK(run.err.starts_with("nsmc: "));
    CHECK((contains(run.err, "--help") || contains(run.err, "commands are")));
  }
}
