// Mistakes that nsmc made once. The models are small; what they ask for must not take long.
#include <doctest/doctest.h>

#include <csignal>

#include "tests/cli/program.hpp"

using namespace nsmc::test;

namespace {

constexpr const char* kBody = "coord z [m] = 1\nkinetic 0.5 [kg] * z'^2\n";

// A run that must not take long.
Finished quick(const Workplace& place, std::vector<std::string> arguments) {
  Start start;
  start.arguments = std::move(arguments);
  start.folder = place.path();
  start.seconds = 10;
  return Process(start).wait();
}

Finished check(const std::string& text) {
  const Workplace place;
  place.write("a.nsm", text);
  return quick(place, {"check", "a.nsm"});
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("a function that calls itself twice") {
  const Finished run = check(std::string("fn f(x) = f(x) + f(x)\n") + kBody + "output a = f(z)\n");
  CHECK(run.code == 1);
  CHECK(count(run.err, "error[") <= 2);  // one for each call
}

TEST_CASE("a constant of many lets is not computed again and again") {
  std::string text = "let a0 = 1\n";
  for (int i = 1; i < 60; ++i) {
    const std::string before = "a" + std::to_string(i - 1);
    text += "let a" + std::to_string(i) + " = " + before + " + " + before + "\n";
  }
  CHECK(check(text + kBody + "simulate { until a59 }\n").code == 0);
}

TEST_CASE("a constant of very many lets does not overflow the stack") {
  std::string text = "let a0 = 1\n";
  for (int i = 1; i <= 100'000; ++i) text += "let a" + std::to_string(i) + " = -a" + std::to_string(i - 1) + "\n";
  const Finished run = check(text + kBody + "simulate { until a100000 }\n");
  CHECK(run.signal == 0);
}

TEST_CASE("emit --stage model of wide sums ends") {
  std::string text = "let a0 = z\n";
  for (int i = 1; i < 30; ++i) {
    text += "let a" + std::to_string(i) + " = z";
    for (int k = 0; k < 10; ++k) text += " + a" + std::to_string(i - 1);
    text += "\n";
  }
  const Workplace place;
  place.write("a.nsm", text + kBody + "output b = a29\n");
  CHECK(quick(place, {"emit", "--stage", "model", "a.nsm"}).code == 0);
}

TEST_CASE("0/0 is not 0") { CHECK(contains(check(std::string("param a = 0/0\n") + kBody).err, "error[N0513]")); }

TEST_CASE("a gap that is wrong is not also missing") {
  const Finished run = check(std::string(kBody) + "contact c {\n  gap z'*1 [s]\n  law unilateral\n}\n");
  CHECK(contains(run.err, "error[N0509]"));
  CHECK_FALSE(contains(run.err, "error[N0601]"));
}

TEST_CASE("an argument with a wrong name is not also missing") {
  const Finished run = check(std::string("fn f(radius) = 2*radius\n") + kBody + "output a = f(raduis = 1)\n");
  CHECK(contains(run.err, "error[N0302]"));
  CHECK_FALSE(contains(run.err, "error[N0301]"));
}

TEST_CASE("an error in nested functions names the place in the model") {
  const Finished run = check(std::string("fn f(x) = x + 1 [m]\nfn g(x) = 2*f(x)\n") + kBody + "output w = g(3 [kg])\n");
  CHECK(contains(run.err, "(a.nsm:5:12)"));
}

TEST_CASE("a note does not repeat the place of its diagnostic") {
  const Finished run = check(std::string(kBody) + "contact c {\n  slip z'\n  law unilateral\n}\n");
  CHECK(contains(run.err, "error[N0601]"));
  CHECK_FALSE(contains(run.err, "note:"));
}

TEST_CASE("import \"-\" is a file, not standard input") {
  const Workplace place;
  place.write("a.nsm", std::string("import \"-\"\n") + kBody);
  Start start;
  start.arguments = {"check", "a.nsm"};
  start.folder = place.path();
  start.input = "param a = 1\n";
  CHECK(Process(start).wait().code == 1);
}

TEST_CASE("the number of errors is that of the errors shown") {
  const Finished run = check(std::string("law wrong {\n  force N\n  gap' in normal_cone(reach, -N)\n}\n") + kBody +
                             "contact a { gap z  law wrong }\ncontact b { gap z  law wrong }\n");
  CHECK(count(run.err, "error[") == 1);
  CHECK(run.err.ends_with("\n1 error\n"));
}

TEST_CASE("an unknown command is named") {
  const Workplace place;
  CHECK(contains(place.run({"chekc", "a.nsm"}).err, "chekc"));
}

TEST_CASE("a file that may not grow: exit code 4 and no temporary file") {
  const Workplace place;
  place.write("ball.nsm", kBall);
  Start start;
  start.arguments = {"run", "ball.nsm", "--until", "100", "-o", "out.csv"};
  start.folder = place.path();
  start.file_limit = 100'000;
  const Finished run = Process(start).wait();
  CHECK(run.code == 4);
  CHECK(contains(run.err, "File too large"));
  CHECK(place.files() == "ball.nsm");
}

TEST_CASE("an initial value that --set makes infinite") {
  const Workplace place;
  place.write("a.nsm", "param a = 1\ncoord z = 1/a\nkinetic z'^2\nsimulate { until 1  step 0.5 }\n");
  const Finished run = place.run({"run", "a.nsm", "--set", "a=0", "-o", "a.csv"});
  CHECK(run.code == 1);
  CHECK(contains(run.err, "the initial value of z is infinite"));
  CHECK(place.files() == "a.nsm");
}

TEST_CASE("a step that is far too small does not touch the old file") {
  const Workplace place;
  place.write("ball.nsm", kBall);
  place.write("out.csv", "old\n");
  const Finished run = place.run({"run", "ball.nsm", "--step", "1e-20", "-o", "out.csv"});
  CHECK(run.code == 2);
  CHECK(run.out == "");
  CHECK(place.read("out.csv") == "old\n");
}

TEST_CASE("control characters of a file are not printed") {
  const Finished run = check(std::string(kBody) + "param a = 1 \x1b[31m" + std::string(1, '\0') + "\nparam b = $\n");
  CHECK_FALSE(contains(run.err, "\x1b"));
  CHECK_FALSE(contains(run.err, std::string(1, '\0')));
  CHECK(contains(run.err, "unexpected character '$'"));
}

TEST_CASE("a hundred thousand errors are not all printed") {
  std::string text = kBody;
  for (int i = 0; i < 100'000; ++i) text += "output a" + std::to_string(i) + " = nowhere\n";
  const Finished run = check(text);
  CHECK(run.code == 1);
  CHECK(run.err.size() < 1'000'000);
}

TEST_CASE("very many unknown characters") {
  std::string text;
  for (int i = 0; i < 500'000; ++i) text += "$ ";
  CHECK(check(text).code == 1);
}

TEST_CASE("--set with an unknown unit says which") {
  const Workplace place;
  place.write("ball.nsm", kBall);
  CHECK(contains(place.run({"run", "ball.nsm", "--set", "m=1[lightyear]"}).err, "unknown unit 'lightyear'"));
}
