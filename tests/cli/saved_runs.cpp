// nsmc run --save, --from, --checkpoint, --resume: a run that was stopped, by whatever, ends in the bytes of one that
// was not.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "tests/cli/program.hpp"

using namespace nsmc::test;

namespace {

// A pendulum held by a constraint over a table that it strikes and slides on: every method has something to remember.
const char* const kPendulum = R"(model pendulum
param L = 1 [m]
param mu = 0.2
coord x [m] = 0.8
coord z [m] = 0.4
kinetic (x'^2 + z'^2)/2 * 1[kg]
potential 9.81 [m/s^2] * 1[kg] * z
constraint rod { gap sqrt(x^2 + (z - 1[m])^2) - L }
contact table {
  gap z - 0.02[m] + 0.1*x
  slip x'
  law unilateral(restitution = 0.4)
  law coulomb(mu)
}
simulate { until 2 [s] step 1e-3 [s] }
)";

struct Method {
  const char* name;
  Names options;
};
const Method kMethods[] = {{"moreau", {}},
                           {"rk", {"--method", "rk"}},
                           {"accuracy", {"--accuracy", "1e-5", "--step", "5[ms]"}},
                           {"rk by accuracy", {"--method", "rk", "--accuracy", "1e-5", "--step", "5[ms]"}},
                           {"lie", {"--method", "lie"}},
                           {"event", {"--method", "event", "--step", "5[ms]"}}};

template <class Condition>
void wait_until(Condition&& holds) {
  for (int k = 0; k < 2000 && !holds(); ++k) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

std::string rest_of(const std::string& text) { return text.substr(text.find('\n') + 1); }

// Without what depends on the clock and on the names of files.
std::string numbers_of(const std::string& summary) {
  std::string kept;
  for (const std::string& line : lines(summary)) {
    if (!line.starts_with("  time") && !line.starts_with("  written")) kept += line + "\n";
  }
  return kept;
}

}  // namespace

// The end is at a time that is the same as a decimal and as a multiple of the step: the last row has it as it was
// given.
TEST_CASE("a run in two parts has the bytes and the summary of one") {
  const Workplace place;
  place.write("p.nsm", kPendulum);
  for (const Method& method : kMethods) {
    const Names run = Names{"run", "p.nsm"} + method.options;
    const Finished whole = place.run(run + Names{"-o", "whole.csv"});
    REQUIRE(whole.code == 0);
    REQUIRE(place.run(run + Names{"-o", "a.csv", "--until", "0.5", "--save", "a.state", "--quiet"}).code == 0);
    // Nothing but the state and the end: all else is taken from there.
    const Finished second = place.run({"run", "p.nsm", "--from", "a.state", "-o", "b.csv", "--until", "2"});
    CHECK(second.err == whole.err);  // warnings of both parts
    REQUIRE(second.code == 0);
    CHECK_MESSAGE(place.read("a.csv") + rest_of(place.read("b.csv")) == place.read("whole.csv"), method.name);
    CHECK(numbers_of(second.out) == numbers_of(whole.out));
  }
}

TEST_CASE("a run of a small model, compiled into one program, goes on bit by bit") {
  const Workplace place;
  place.write("ball.nsm", kBall);
  const Names run{"run", "ball.nsm", "--step", "1e-6", "--every", "1000"};
  REQUIRE(place.run(run + Names{"--until", "1", "-o", "whole.csv"}).code == 0);
  REQUIRE(place.run(run + Names{"--until", "0.4005", "-o", "a.csv", "--save", "s"}).code == 0);
  REQUIRE(place.run({"run", "ball.nsm", "--from", "s", "--until", "1", "-o", "b.csv"}).code == 0);
  // The last state is always recorded: here it is not one of every thousand.
  const std::string first = place.read("a.csv");
  const std::string planned = first.substr(0, first.rfind('\n', first.size() - 2) + 1);
  CHECK(planned + rest_of(place.read("b.csv")) == place.read("whole.csv"));
}

TEST_CASE("a run that was killed goes on from its checkpoint and ends in the same bytes") {
  const Workplace place;
  place.write("p.nsm", kPendulum);
  for (const Method& method : kMethods) {
    // Long enough to be killed within, short enough to be done twice.
    Names run = Names{"run", "p.nsm", "--quiet"} + method.options;
    const bool event = std::string(method.name) == "event";
    if (event) {
      run = run + Names{"--until", "4", "--events", "e.csv"};
    } else if (std::find(run.begin(), run.end(), "--accuracy") != run.end()) {
      run = run + Names{"--until", "100"};
    } else {
      run = run + Names{"--until", "12", "--step", "2e-4"};
    }
    const Finished whole = place.run(run + Names{"-o", "out.csv"});
    REQUIRE(whole.code == 0);
    const std::string rows = place.read("out.csv"), events = event ? place.read("e.csv") : "";
    for (const char* name : {"out.csv", "e.csv"}) std::filesystem::remove(place.path(name));

    const Names kept = run + Names{"-o", "out.csv", "--checkpoint", "0.1"};
    int kills = 0, looks = 0;
    for (int attempt = 0; attempt < 3; ++attempt) {
      Start start;
      start.arguments = attempt == 0 ? kept : kept + Names{"--resume"};
      start.folder = place.path();
      const std::string before = place.has("out.csv.state") ? place.read("out.csv.state") : "";
      Process process(start);
      wait_until([&] {
        if (place.has("out.csv")) return true;  // too late
        return place.has("out.csv.state") && place.read("out.csv.state") != before && ++looks > 3 * attempt;
      });
      process.send(SIGKILL);
      if (process.wait().signal == SIGKILL) ++kills;
    }
    CHECK_MESSAGE(kills > 0, method.name);
    if (kills > 0 && !place.has("out.csv")) CHECK(place.has("out.csv.part"));
    const Finished last = place.run(kept + Names{"--resume"});
    CHECK(last.err == whole.err);  // steps of lie that do not converge are counted over all of it
    REQUIRE(last.code == 0);
    CHECK_MESSAGE(place.read("out.csv") == rows, method.name);
    if (event) CHECK(place.read("e.csv") == events);
    CHECK_FALSE(place.has("out.csv.part"));
    CHECK_FALSE(place.has("out.csv.state"));
  }
}

TEST_CASE("a run with checkpoints that is interrupted waits for --resume") {
  const Workplace place;
  place.write("p.nsm", kPendulum);
  const Names run{"run", "p.nsm", "--until", "60", "--step", "1e-4", "--every", "100"};
  const Names kept = run + Names{"-o", "out.csv", "--checkpoint", "0.5[s]"};
  Start start;
  start.arguments = kept;
  start.folder = place.path();
  Process process(start);
  wait_until([&] { return place.has("out.csv.state"); });
  process.send(SIGINT);
  const Finished interrupted = process.wait();
  REQUIRE(interrupted.code == 130);
  CHECK(contains(interrupted.err, "--resume goes on"));
  CHECK_FALSE(place.has("out.csv"));
  CHECK(place.has("out.csv.part"));
  CHECK(place.has("out.csv.state"));
  REQUIRE(place.run(kept + Names{"--resume"}).code == 0);
  REQUIRE(place.run(run + Names{"-o", "whole.csv"}).code == 0);
  CHECK(place.read("out.csv") == place.read("whole.csv"));
}

// The same command goes on; what would be another run is no continuation of this one.
TEST_CASE("--resume with other options than the interrupted run is refused, and nothing is lost") {
  const Workplace place;
  place.write("p.nsm", kPendulum);
  const Names run{"run", "p.nsm", "--step", "100[us]", "--every", "100", "--set", "mu=0.3"};
  const Names rows{"-o", "out.csv"}, kept{"--checkpoint", "0.5", "--save", "s", "--resume"};
  const Names end{"--until", "60"}, columns{"--outputs", "x", "z"};
  Start start;
  start.arguments = run + end + rows + columns + kept;
  start.folder = place.path();
  Process process(start);
  wait_until([&] { return place.has("s"); });
  process.send(SIGINT);
  REQUIRE(process.wait().code == 130);
  const std::string state = place.read("s"), part = place.read("out.csv.part");
  const auto refused = [&](const Names& options, const std::string& reason) {
    const Finished other = place.run(options + kept);
    CHECK_MESSAGE(other.code == 2, other.err);
    CHECK_MESSAGE(contains(other.err, reason), other.err);
    CHECK(place.read("s") == state);
    CHECK(place.read("out.csv.part") == part);
  };
  refused(Names{"run", "p.nsm", "--step", "0.001"} + end + rows + columns,
          "--step 0.001: the run that --resume goes on with had --step 100[us]");
  refused(run + rows + columns + Names{"--until", "70"}, "had --until 60");
  refused(run + end + rows + columns + Names{"--tol", "1e-6"}, "--resume goes on with had none");
  refused(Names{"run", "p.nsm", "--set", "mu=0.4"} + end + rows + columns, "had --set mu=0.3");
  refused(run + end + rows, "records other columns, those of out.csv.part: give the same --outputs");
  refused(run + end + rows + Names{"--outputs", "x"}, "other columns");
  refused(run + end + columns + Names{"-o", "other.csv"}, "wrote to out.csv");
  refused(run + end, "wrote to out.csv");
  // In another unit it is the same, and what is left out is taken over.
  const Finished rest = place.run(Names{"run", "p.nsm", "--step", "1e-4", "--until", "60[s]"} + rows + columns + kept);
  CHECK_MESSAGE(rest.code == 0, rest.err);
  REQUIRE(place.run(run + end + columns + Names{"-o", "whole.csv"}).code == 0);
  CHECK(place.read("out.csv") == place.read("whole.csv"));
}

TEST_CASE("--from: other parameters and settings from there on") {
  const Workplace place;
  place.write("ball.nsm", kBall);
  REQUIRE(place.run({"run", "ball.nsm", "--until", "0.3", "--save", "s", "--set", "e=0.9"}).code == 0);
  REQUIRE(place.run({"run", "ball.nsm", "--from", "s", "--until", "1", "-o", "a.csv"}).code == 0);
  REQUIRE(place.run({"run", "ball.nsm", "--from", "s", "--until", "1", "-o", "b.csv", "--set", "e=0.1"}).code == 0);
  const Table a = read_csv(place.read("a.csv")), b = read_csv(place.read("b.csv"));
  CHECK(a.rows == 70);
  CHECK(a.first_row[0] == "0.31");
  CHECK(a.first_row == b.first_row);  // it falls still
  CHECK(a.columns.at("z").back() > 2 * b.columns.at("z").back());
  // Another step: from this state on.
  REQUIRE(place.run({"run", "ball.nsm", "--from", "s", "--until", "0.4", "--step", "0.025", "-o", "c.csv"}).code == 0);
  CHECK(read_csv(place.read("c.csv")).rows == 4);
}

TEST_CASE("states that do not fit are refused, with a reason and a code") {
  const Workplace place;
  place.write("ball.nsm", kBall);
  place.write("block.nsm", kBlock);
  REQUIRE(place.run({"run", "ball.nsm", "--save", "s", "--until", "0.5", "--quiet"}).code == 0);
  const auto refused = [&](const Names& options, int code, const std::string& reason) {
    const Finished run = place.run(Names{"run"} + options);
    CHECK_MESSAGE(run.code == code, run.err);
    CHECK_MESSAGE(contains(run.err, reason), run.err);
  };
  refused({"block.nsm", "--from", "s"}, 2, "another model");
  refused({"ball.nsm", "--from", "s", "--method", "lie", "--until", "1"}, 2, "another method");
  refused({"ball.nsm", "--from", "s"}, 2, "at t = 0.5");
  refused({"ball.nsm", "--from", "s", "--until", "0.1"}, 2, "0.5");
  refused({"ball.nsm", "--from", "no.state"}, 4, "cannot read the state in no.state");
  refused({"ball.nsm", "--resume"}, 2, "--resume belongs to --checkpoint");
  refused({"ball.nsm", "--checkpoint", "0.1"}, 2, "--checkpoint needs a place");
  refused({"ball.nsm", "--checkpoint", "0.1", "-o", "-"}, 2, "standard output");
  refused({"ball.nsm", "--checkpoint", "0", "-o", "o.csv"}, 2, "--checkpoint");
  refused({"ball.nsm", "--checkpoint", "0.1[m]", "-o", "o.csv"}, 2, "--checkpoint");

  // Comments and layout do not matter, and another model does.
  place.write("same.nsm", "// a remark\n" + std::string(kBall));
  CHECK(place.run({"run", "same.nsm", "--from", "s", "--until", "1", "--quiet"}).code == 0);

  std::string text = place.read("s");
  place.write("cut", text.substr(0, text.size() / 2));
  refused({"ball.nsm", "--from", "cut", "--until", "1"}, 4, "the state in cut is damaged");
  text[text.size() / 2] = text[text.size() / 2] == '0' ? '1' : '0';
  place.write("bit", text);
  refused({"ball.nsm", "--from", "bit", "--until", "1"}, 4, "the state in bit is damaged");
  place.write("new", "nsmc state 99\n");
  refused({"ball.nsm", "--from", "new", "--until", "1"}, 4, "another version");
}

TEST_CASE("inspect: the matrices of the block of Studer and Glocker") {
  const Workplace place;
  const std::string block = NSMC_SOURCE_DIR "/models/block.nsm";
  const Finished text = place.run({"inspect", block});
  CHECK(text.err == "");
  REQUIRE(text.code == 0);
  // (74)-(77), in the order left.N, left.T, right.N, right.T.
  CHECK(contains(text.out, "\n  left.N      1.72619  -0.4166667  -0.7738095  -0.4166667\n"));
  CHECK(contains(text.out, "rank of G: 3 of 4\n"));
  CHECK(contains(text.out, "\n  left     0  closed\n"));

  const Finished json = place.run({"inspect", block, "--json"});
  REQUIRE(json.code == 0);
  CHECK(contains(json.out, "\"velocities\": [\"x'\",\"y'\",\"phi'\"]"));
  CHECK(contains(json.out, "\"rows\": [\"left.N\",\"left.T\",\"right.N\",\"right.T\"]"));
  CHECK(contains(json.out, "\"rank\": 3"));
}

TEST_CASE("inspect: at a time and at a saved state") {
  const Workplace place;
  place.write("ball.nsm", kBall);
  REQUIRE(place.run({"run", "ball.nsm", "--until", "0.2", "--save", "s", "--quiet"}).code == 0);
  const Finished at = place.run({"inspect", "ball.nsm", "--at", "0.2"});
  REQUIRE(at.code == 0);
  CHECK(contains(at.out, "ball at t = 0.2 s, for a step of 0.01 s"));
  CHECK(contains(at.out, "no contact is closed"));
  const Finished from = place.run({"inspect", "ball.nsm", "--from", "s"});
  CHECK(from.out == at.out);
  CHECK(place.run({"inspect", "ball.nsm", "--from", "s", "--at", "0.1"}).code == 2);
  CHECK(place.run({"inspect", "ball.nsm", "--from", "nothing"}).code == 4);
  const Finished heavier = place.run({"inspect", "ball.nsm", "--set", "m=3[kg]", "--json"});
  CHECK(contains(heavier.out, "\"M\": [\n    [3.0]]"));
}
