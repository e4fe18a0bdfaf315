// nsmc sweep: the grid, measures, failures as rows, threads, signals, --resume.
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <thread>

#include "tests/cli/program.hpp"

using namespace nsmc::test;

namespace {

namespace fs = std::filesystem;
const Names kMeasures{"--measure", "z", "max(table.N)", "steps"};

struct Ball : Workplace {
  Ball() { write("ball.nsm", kBall); }

  // nsmc sweep ball.nsm ARGUMENTS, the table on standard output.
  std::string table(const Names& arguments) const {
    const Finished run = Workplace::run(Names{"sweep", "ball.nsm", "--quiet"} + arguments);
    CHECK(run.err == "");
    CHECK(run.code == 0);
    return run.out;
  }

  // A wrong command line: exit code 2, one line, no file.
  std::string refused(const Names& arguments) const {
    const std::string before = files();
    const Finished run = Workplace::run(Names{"sweep", "ball.nsm", "-o", "refused.csv"} + arguments);
    CHECK(run.code == 2);
    CHECK(run.out == "");
    CHECK(files() == before);
    return run.err;
  }

  // What does not end before a signal: runs of some milliseconds, thousands of them.
  Start endless(const Names& more = {}) const {
    Start start;
    start.arguments =
        Names{"sweep", "ball.nsm", "--vary", "h0=1:2:4000", "--step", "1e-5", "-o", "t.csv", "--measure", "z"} + more;
    start.folder = path();
    return start;
  }

  // Until the journal has rows.
  void wait_for_rows() const {
    for (int i = 0; i < 20'000; ++i) {
      std::error_code none;
      if (fs::file_size(path("t.csv.part"), none) > 1000 && !none) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    FAIL("the sweep writes nothing");
  }
};

// As numbers: the status of good runs is 0, also of those that begin below the floor.
Table good_runs(const std::string& text) {
  return read_csv(std::regex_replace(text, std::regex(",(ok|\"?R0102:[^\n]*)\n"), ",0\n"));
}

// A study of twelve runs, some of which fail.
const Names kStudy{"--vary", "e=0:1:4", "--list", "omega=0.5,1,2.5", "--measure", "z", "max(table.N)"};

}  // namespace

TEST_CASE("sweep: the full grid, the last axis fastest, values in SI") {
  const Ball ball;
  const Names rows = lines(ball.table({"--vary", "e=0.1:0.5:3", "--list", "h0=10[cm],2", "--measure", "steps", "h=z"}));
  REQUIRE(rows.size() == 7);
  CHECK(rows[0] == "e,h0,steps,h,status");
  const Names starts{"0.1,0.1,100,", "0.1,2,100,", "0.3,0.1,100,", "0.3,2,100,", "0.5,0.1,100,", "0.5,2,100,"};
  for (std::size_t k = 0; k < 6; ++k) {
    CHECK(rows[k + 1].starts_with(starts[k]));
    CHECK(rows[k + 1].ends_with(",ok"));
  }
  CHECK(contains(ball.table({"--vary", "m=1:100:3:log", "--measure", "steps"}), "\n1,100,ok\n10,100,ok\n100,100,ok\n"));
  CHECK(contains(ball.table({"--vary", "h0=1[mm]:5[mm]:5", "--measure", "steps"}), "\n0.003,100,ok\n"));
}

TEST_CASE("sweep: a row is what run prints for these options") {
  const Ball ball;
  const Table sweep = good_runs(ball.table({"--vary", "e=0.2,0.7", "--vary", "step=1[ms],2[ms]", "--measure", "z",
                                            "end(table.N)", "max(z')", "min(double_height)"}));
  REQUIRE(sweep.rows == 4);
  for (std::size_t k = 0; k < 4; ++k) {
    const std::string e = k < 2 ? "0.2" : "0.7", step = k % 2 == 0 ? "1e-3" : "2e-3";
    REQUIRE(ball.run({"run", "ball.nsm", "--set", "e=" + e, "--step", step, "-o", "run.csv"}).code == 0);
    const Table run = read_csv(ball.read("run.csv"));
    CHECK(sweep.columns.at("z")[k] == run.columns.at("z").back());
    CHECK(sweep.columns.at("end(table.N)")[k] == run.columns.at("table.N").back());
    const auto& speed = run.columns.at("z'");
    CHECK(sweep.columns.at("max(z')")[k] == *std::max_element(speed.begin(), speed.end()));
    const auto& height = run.columns.at("double_height");
    CHECK(sweep.columns.at("min(double_height)")[k] == *std::min_element(height.begin(), height.end()));
  }
}

TEST_CASE("sweep: times and means have their exact values") {
  const Ball ball;
  // Free fall from 1 m: z = 1/2 after sqrt(1/9.81) s; it lands with e = 0 and lies there: the mean force times 1 s is
  // the weight.
  const Names rows = lines(ball.table({"--list", "step=1e-4,1e-5", "--set", "e=0", "--measure",
                                       "half=crossing(z, 50[cm])", "never=time(z > 2)", "N=mean(table.N)"}));
  REQUIRE(rows.size() == 3);
  CHECK(rows[0] == "step,half,never,N,status");
  double last = 1;
  for (const std::string& row : {rows[1], rows[2]}) {
    const std::size_t comma = row.find(',');
    const double error = std::abs(std::stod(row.substr(comma + 1)) - std::sqrt(1 / 9.81));
    CHECK(error < 0.2 * last);
    last = error;
    CHECK(contains(row, ",,"));
    CHECK(std::stod(row.substr(row.find(",,") + 2)) == doctest::Approx(0.981).epsilon(1e-6));
  }
  CHECK(last < 1e-5);
}

TEST_CASE("sweep: settings and solvers vary, too") {
  const Ball ball;
  const std::string text =
      ball.table({"--list", "solver=jor,sor,newton", "--vary", "max_iterations=10:20:2", "--list", "tol=1e-6", "--vary",
                  "until=0.1[s]:0.2[s]:2", "--measure", "steps", "unconverged"});
  CHECK(lines(text).size() == 13);
  CHECK(contains(text, "newton,20,1e-06,0.2,20,0,ok\n"));
  // A name that is both.
  ball.write("both.nsm",
             "param omega = 1\ncoord z = 1\nkinetic z'^2\nforce z : omega\nsimulate { until 1 step 0.1 }\n");
  const Finished both = ball.run({"sweep", "both.nsm", "--vary", "omega=0.5:1.5:2", "--measure", "z"});
  CHECK(both.code == 2);
  CHECK(contains(both.err,
                 "'omega' is a parameter of the model and a setting of the run: write param.omega or simulate.omega"));
  const Finished param = ball.run({"sweep", "both.nsm", "--vary", "param.omega=1:2:2", "--measure", "z'", "--quiet"});
  const Names rows = lines(param.out);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0] == "param.omega,z',status");
  CHECK(std::stod(rows[1].substr(2)) == doctest::Approx(0.5));  // kinetic z'^2: u' = omega/2
  CHECK(std::stod(rows[2].substr(2)) == doctest::Approx(1));
  const Finished setting =
      ball.run({"sweep", "both.nsm", "--vary", "simulate.omega=0.5,1", "--measure", "z'", "--quiet"});
  CHECK(lines(setting.out).size() == 3);
  CHECK(setting.out.substr(setting.out.find("\n0.5,") + 5, 10) == setting.out.substr(setting.out.find("\n1,") + 3, 10));
}

TEST_CASE("sweep: a run that fails is a row with its reason, and the others go on") {
  const Ball ball;
  const Finished some = ball.run(Names{"sweep", "ball.nsm", "-o", "t.csv"} + kStudy);
  CHECK(some.code == 0);
  const Names rows = lines(ball.read("t.csv"));
  REQUIRE(rows.size() == 13);
  CHECK(rows[3] == "0,2.5,,,omega must lie between 0 and 2");
  CHECK(rows[2].ends_with(",ok"));
  CHECK(contains(some.out, "4 runs; the first is"));
  CHECK(ball.files() == "ball.nsm t.csv");
  // All of them.
  const Finished all = ball.run({"sweep", "ball.nsm", "--list", "m=0,-1", "--measure", "z", "-o", "all.csv"});
  CHECK(all.code == 3);
  CHECK(contains(ball.read("all.csv"), "mass matrix is not positive definite"));
  // Steps that do not converge are no failure, but are not passed over in silence.
  ball.write("stack.nsm",
             "coord a = 0\ncoord b = 0\nkinetic (a'^2 + b'^2)/2\nforce a : -1\nforce b : -1\n"
             "contact one { gap a  law unilateral }\ncontact two { gap b - a  law unilateral }\n"
             "simulate { until 1 step 0.1 solver sor max_iterations 1 }\n");
  const Finished rough =
      ball.run({"sweep", "stack.nsm", "--list", "max_iterations=1,1000", "--measure", "unconverged"});
  CHECK(rough.code == 0);
  CHECK(contains(rough.out, "did not converge\n1000,0,ok\n"));
  CHECK(contains(rough.err, "not every step of 1 run"));
  const Finished strict =
      ball.run({"sweep", "stack.nsm", "--list", "max_iterations=1,1000", "--measure", "steps", "--strict"});
  CHECK(contains(strict.out, "1,,\"ended by strict in step 1 at t = "));
}

TEST_CASE("sweep: arrays of other sizes are compiled for each size") {
  const Workplace place;
  place.write(
      "row.nsm",
      "param n = 2\nlet last = 2*n\nparam k = 1\ncoord z[i in 1..last] = 0.1*i\nkinetic z[i]'^2/2 for i in 1..last\n"
      "output top = z[last] + k\nsimulate { until 1 step 0.1 }\n");
  const Finished sweep =
      place.run({"sweep", "row.nsm", "--list", "n=2,3,1", "--vary", "k=0:1:2", "--measure", "top", "-o", "t.csv"});
  CHECK(sweep.err == "");
  CHECK(contains(sweep.out, "compiled    3 times"));
  const Table table = good_runs(place.read("t.csv"));
  const double expected[] = {0.4, 1.4, 0.6, 1.6, 0.2, 1.2};
  for (std::size_t k = 0; k < 6; ++k) CHECK(table.columns.at("top")[k] == doctest::Approx(expected[k]));
}

TEST_CASE("sweep: bad input") {
  const Ball ball;
  const auto says = [&](const Names& arguments, const std::string& part) {
    const std::string err = ball.refused(arguments);
    CHECK_MESSAGE(contains(err, part), err);
  };
  const Names z{"--measure", "z"};
  says(z, "--vary or --list is required");
  says({"--vary", "e=0:1:3"}, "--measure is required");
  says(Names{"--vary", "e"} + z, "--vary e: expected name=from:to:n or name=value,value,...");
  says(Names{"--vary", "ee=0:1:3"} + z, "the model has no parameter 'ee'; did you mean 'e'?");
  says(Names{"--vary", "omga=0:1:3"} + z, "there is no parameter and no setting 'omga'; did you mean 'omega'?");
  says(Names{"--vary", "simulate.e=0:1:3"} + z, "there is no setting 'e'; there are until, step, accuracy, omega");
  says(Names{"--vary", "e=0:1"} + z, "a range is from:to:n or from:to:n:log");
  says(Names{"--vary", "e=0:1:3:lin"} + z, "a range is from:to:n or from:to:n:log");
  says(Names{"--vary", "e=0:1:1"} + z, "'1' is not a number of values, a whole number from 2 on");
  says(Names{"--vary", "e=0:1:2.5"} + z, "'2.5' is not a number of values");
  says(Names{"--vary", "e=1:1:3"} + z, "from and to are the same");
  says(Names{"--vary", "e=0:1:3:log"} + z, "a logarithmic range has no 0 in it");
  says(Names{"--vary", "e=1,a"} + z, "'a' is not a number");
  says(Names{"--vary", "e=0.1,0.2,0.1"} + z, "the value 0.1 is there twice");
  says(Names{"--vary", "h0=1[kg],2"} + z, "'1[kg]' is mass [kg], expected [m]");
  says(Names{"--vary", "e=0,1", "--vary", "e=0:1:3"} + z, "'e' is varied twice");
  says(Names{"--vary", "e=0,1", "--set", "e=0"} + z, "'e' is varied, and given by --set as well");
  says(Names{"--vary", "omega=0.5,1", "--omega", "1"} + z, "'omega' is varied, and given by --omega as well");
  says(Names{"--list", "solver=jr,sor"} + z, "there is no solver 'jr'; did you mean 'jor'?");
  says(Names{"--vary", "e=0:1:100000", "--vary", "m=1:2:100000"} + z, "that would be 1e+10 runs");
  says({"--vary", "e=0,1", "--measure", "zz"}, "nothing is called 'zz'");
  says({"--vary", "e=0,1", "--measure", "z", "max(y)"}, "nothing is called 'y'");
  says({"--vary", "e=0,1", "--measure", "z", "z"}, "two columns of the table are called 'z'");
  says({"--vary", "e=0,1", "--measure", "status=z"}, "two columns of the table are called 'status'");
  says(Names{"--vary", "e=0,1", "-j", "0"} + z, "Value 0 not in range 1 to");
  says(Names{"--vary", "e=0,1", "--resume", "--restart"} + z, "excludes");
  const Finished pipe = ball.run(Names{"sweep", "ball.nsm", "--vary", "e=0,1", "--resume"} + z);
  CHECK(pipe.code == 2);
  CHECK(contains(pipe.err, "--resume needs a file: -o table.csv"));
  CHECK(ball.run(Names{"sweep", "none.nsm", "--vary", "e=0,1"} + z).code == 4);
  CHECK(ball.run(Names{"sweep", "ball.nsm", "--vary", "e=0,1", "-o", "no/t.csv"} + z).code == 4);
  CHECK(ball.run(Names{"sweep", "ball.nsm", "--vary", "e=0,1", "-o", "/dev/full"} + z).code == 4);
  ball.write("wrong.nsm", "coord z = 1\n");
  CHECK(ball.run(Names{"sweep", "wrong.nsm", "--vary", "e=0,1"} + z).code == 1);
  CHECK(ball.files() == "ball.nsm wrong.nsm");
}

TEST_CASE("sweep: one thread, several threads and several processes write the same table") {
  const Ball ball;
  for (const char* threads : {"1", "2", "7"}) {
    CHECK(ball.run(Names{"sweep", "ball.nsm", "-o", std::string("t") + threads, "-j", threads} + kStudy).code == 0);
  }
  CHECK(ball.read("t2") == ball.read("t1"));
  CHECK(ball.read("t7") == ball.read("t1"));
  CHECK(ball.table(kStudy) == ball.read("t1"));  // standard output: in order as well
}

namespace {

// The Tippe-Top: some runs invert and some do not, contacts differ, and one run has no mass.
struct Tops : Workplace {
  std::string table(const std::string& model, const Names& arguments) const {
    const std::string file = NSMC_SOURCE_DIR "/models/" + model + ".nsm";
    const Finished run =
        Workplace::run(Names{"sweep", file, "--quiet", "--until", "0.3", "--step", "2e-4"} + arguments);
    CHECK_MESSAGE(run.code == 0, run.err);
    return run.out;
  }
};

const Names kOfTops{"--vary",         "mu=0.1:0.6:3", "--vary",     "theta0=0.05,0.1,0.5,1.5", "--list", "m=6e-3,-1",
                    "--measure",      "inclination",  "iterations", "max(iterations)",         "steps",  "max(head.N)",
                    "time(tip.N > 0)"};

bool has_lanes() {
  const Workplace place;
  place.write("b.nsm", kBall);
  return place.run({"sweep", "b.nsm", "--quiet", "--lanes", "4", "--vary", "e=0,1", "--measure", "z"}).code == 0;
}

}  // namespace

TEST_CASE("sweep: rows in lanes are those of single runs") {
  const Tops tops;
  for (const char* model : {"tippe_top_ellipsoid", "tippe_top"}) {
    CAPTURE(model);
    const std::string expected = tops.table(model, kOfTops + Names{"--lanes", "1", "-j", "1"});
    const Names rows = lines(expected);
    REQUIRE(rows.size() == 25);
    // The steep ones begin below the floor, which is a warning.
    CHECK(std::count_if(rows.begin(), rows.end(), [](const std::string& row) { return row.ends_with(",ok"); }) == 6);
    CHECK(std::count_if(rows.begin(), rows.end(), [](const std::string& row) { return contains(row, "R0102"); }) == 6);
    CHECK(contains(expected, "not positive definite"));
    // Exact without being asked: these models have no functions in their kernels.
    for (const char* threads : {"1", "2", "3"}) {
      CHECK(tops.table(model, kOfTops + Names{"-j", threads}) == expected);
      CHECK(tops.table(model, kOfTops + Names{"--reproducible", "-j", threads}) == expected);
    }
    if (has_lanes()) CHECK(tops.table(model, kOfTops + Names{"--lanes", "4", "-j", "1"}) == expected);
  }
}

TEST_CASE("sweep: lanes with steps, ends, solvers and tolerances of their own") {
  const Tops tops;
  const Names study{"--list", "solver=sor,auto,jor,newton", "--vary",    "omega=0.9,1", "--list",      "tol=1e-6,1e-10",
                    "--vary", "max_iterations=1,2000",      "--measure", "inclination", "unconverged", "steps"};
  CHECK(tops.table("tippe_top_ellipsoid", study) == tops.table("tippe_top_ellipsoid", study + Names{"--lanes", "1"}));
  const Ball ball;
  const Names times{"--vary",    "step=1e-3:5e-3:5", "--vary", "until=0.1:1:7", "--vary",
                    "h0=0.01,1", "--measure",        "z",      "mean(table.N)"};
  CHECK(ball.table(times) == ball.table(times + Names{"--lanes", "1"}));
  // Fewer runs than lanes.
  const Names three{"--vary", "e=0:1:3", "--measure", "z", "-j", "1"};
  CHECK(ball.table(three) == ball.table(three + Names{"--lanes", "1"}));
}

TEST_CASE("sweep: --reproducible rows have the bits of run, others those of a vector library") {
  const Tops tops;
  // Euler's angles: sines and cosines in every kernel.
  const Names study{"--vary", "mu=0.2:0.4:7", "--set", "theta0=0.4", "--measure", "theta", "phi", "psi"};
  const std::string single = tops.table("tippe_top_euler", study + Names{"--lanes", "1"});
  CHECK(tops.table("tippe_top_euler", study + Names{"--reproducible"}) == single);
  const std::string loose = tops.table("tippe_top_euler", study);
  CHECK(tops.table("tippe_top_euler", study + Names{"-j", "1"}) == loose);
  CHECK(tops.table("tippe_top_euler", study + Names{"-j", "5"}) == loose);
  const Table a = good_runs(single), b = good_runs(loose);
  for (const char* column : {"theta", "phi", "psi"}) {
    for (std::size_t k = 0; k < 7; ++k)
      CHECK(b.columns.at(column)[k] == doctest::Approx(a.columns.at(column)[k]).epsilon(1e-9));
  }
  const std::string file = NSMC_SOURCE_DIR "/models/tippe_top_euler.nsm";
  const Names one{"run", file, "--until", "0.3", "--step", "2e-4", "--set", "mu=0.4", "--set", "theta0=0.4"};
  REQUIRE(tops.run(one + Names{"-o", "run.csv"}).code == 0);
  CHECK(read_csv(tops.read("run.csv")).columns.at("psi").back() == a.columns.at("psi").back());
}

TEST_CASE("sweep: --lanes that are not there") {
  const Ball ball;
  CHECK(contains(ball.refused({"--vary", "e=0,1", "--measure", "z", "--lanes", "3"}), "--lanes"));
  const Finished run = ball.run({"sweep", "ball.nsm", "--vary", "e=0:1:9", "--measure", "z", "-o", "t.csv", "-j", "1"});
  CHECK(run.code == 0);
  if (has_lanes()) CHECK(contains(run.out, "lanes)"));
}

TEST_CASE("sweep: what is finished stays, by Ctrl-C, SIGTERM and kill -9, and --resume does the rest") {
  const Ball ball;
  for (const int signal : {SIGINT, SIGTERM}) {
    Process process(ball.endless());
    ball.wait_for_rows();
    process.send(signal);
    const Finished stopped = process.wait();
    CHECK(stopped.code == 130);
    CHECK(contains(stopped.err, "the same command with --resume goes on"));
    const Names rows = lines(ball.read("t.csv"));
    CHECK(rows.size() > 10);
    CHECK(rows.size() < 4001);
    for (std::size_t k = 1; k < rows.size(); ++k) CHECK(rows[k].ends_with(",ok"));
    CHECK(ball.files() == "ball.nsm t.csv t.csv.part");
    fs::remove(ball.path("t.csv"));
    fs::remove(ball.path("t.csv.part"));
  }
  {
    Process process(ball.endless());
    ball.wait_for_rows();
    process.send(SIGKILL);
    CHECK(process.wait().signal == SIGKILL);
    CHECK(ball.files() == "ball.nsm t.csv.part");
  }
  // It is not thrown away by mistake, nor taken for another study.
  const Finished again = Process(ball.endless()).wait();
  CHECK(again.code == 2);
  CHECK(contains(again.err, "--resume goes on with it, --restart throws it away"));
  const Finished other = Process(ball.endless({"--resume", "--set", "e=0.1"})).wait();
  CHECK(other.code == 2);
  CHECK(contains(other.err, "belongs to another study: there '--step 1e-5', here '--set e=0.1'"));
  ball.write("ball.nsm", std::string(kBall) + "output twice = 2*z\n");
  CHECK(contains(Process(ball.endless({"--resume"})).wait().err, "the model with the hash"));
}

TEST_CASE("sweep: a table that was resumed is the table of one go") {
  const Ball ball;
  const Names study{"sweep", "ball.nsm",  "--vary", "h0=1:2:300",   "--step",
                    "2e-5",  "--measure", "z",      "max(table.N)", "-o"};
  CHECK(ball.run(study + Names{"whole.csv"}).code == 0);
  Start start;
  start.arguments = study + Names{"t.csv"};
  start.folder = ball.path();
  {
    Process process(start);
    ball.wait_for_rows();
    process.send(SIGKILL);
    process.wait();
  }
  start.arguments.push_back("--resume");
  const Finished resumed = Process(start).wait();
  CHECK(resumed.code == 0);
  CHECK(contains(resumed.out, " were done before"));
  CHECK(ball.read("t.csv") == ball.read("whole.csv"));
  CHECK(ball.files() == "ball.nsm t.csv whole.csv");
  // It is complete: nothing to go on with.
  const Finished over = Process(start).wait();
  CHECK(over.code == 2);
  CHECK(contains(over.err, "came to its end"));
  // What is thrown away on purpose.
  ball.write("new.csv.part", "# nsmc, another study\n0,1,1,2,ok\n");
  CHECK(ball.run(Names{"sweep", "ball.nsm", "-o", "new.csv"} + kStudy).code == 2);
  CHECK(ball.run(Names{"sweep", "ball.nsm", "-o", "new.csv", "--restart"} + kStudy).code == 0);
  CHECK(ball.files() == "ball.nsm new.csv t.csv whole.csv");
  // What no sweep has written is not thrown away.
  ball.write("new.csv.part", "notes of somebody\n");
  const Finished foreign = ball.run(Names{"sweep", "ball.nsm", "-o", "new.csv", "--restart"} + kStudy);
  CHECK(foreign.code == 2);
  CHECK(contains(foreign.err, "new.csv.part is not the journal of a sweep: remove it"));
  fs::remove(ball.path("new.csv.part"));
  // Where nothing was begun, --resume begins.
  fs::remove(ball.path("new.csv"));
  CHECK(ball.run(Names{"sweep", "ball.nsm", "-o", "new.csv", "--resume"} + kStudy).code == 0);
}

TEST_CASE("sweep: a disk that is full ends it, and what was written before can be resumed") {
  const Ball ball;
  Start start = ball.endless();
  start.file_limit = 4000;  // as good as a full disk
  const Finished full = Process(start).wait();
  CHECK(full.code == 4);
  CHECK(contains(full.err, "nsmc: cannot write t.csv.part: File too large"));
  CHECK(ball.files() == "ball.nsm t.csv.part");
  start.file_limit.reset();
  start.arguments.push_back("--resume");
  Process process(start);
  std::this_thread::sleep_for(std::chrono::milliseconds(1000));
  process.send(SIGINT);
  const Finished resumed = process.wait();
  CHECK(resumed.code == 130);
  CHECK(contains(resumed.out, " were done before"));
}

TEST_CASE("run: a set whose extent becomes negative ends the run and is named") {
  Workplace place;
  for (const std::string set : {"disc(s)", "box(s, 2*s)", "ellipse(s, 2 [N])", "s*gauge (x, y) { sqrt(x^2 + y^2) }",
                                "support (v, w) { s*sqrt(v^2 + w^2) }"}) {
    CAPTURE(set);
    place.write("shrinking.nsm", R"(model shrinking
coord x [m]
coord y [m]
initial x' = 1 [m/s]
kinetic 0.5 [kg]*(x'^2 + y'^2)
let s = 1 [N] - t*20 [N/s]
law direct(C) { force T[2]  slip in normal_cone(C, -T) solve direct }
contact c { slip [x', y']  law direct()" +
                                     set + R"() }
simulate { until 0.1 [s]  step 1e-3 [s] }
)");
    const Finished run = place.run({"run", "shrinking.nsm", "--quiet"});
    CHECK(run.code == 3);
    CHECK(run.err.find("in contact c in step 51") != std::string::npos);
  }
}
