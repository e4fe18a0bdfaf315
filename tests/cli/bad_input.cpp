// Files that are no models, models that are no mechanics, numbers that are none: a message, a documented exit code, no
// crash, no hang, bounded memory, and nothing left behind.
#include <doctest/doctest.h>

#include <random>

#include "tests/cli/program.hpp"

using namespace nsmc::test;

namespace {

std::string repeat(const std::string& text, std::size_t times) {
  std::string result;
  result.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

// A text that is no model: exit code 1, this kind of diagnostic, and no output file.
void refused(const std::string& text, const std::string& code) {
  const Workplace place;
  place.write("bad.nsm", text);
  const Finished check = place.run({"check", "bad.nsm"});
  CHECK(check.code == 1);
  CHECK(check.out == "");
  CHECK_MESSAGE(contains(check.err, "error[" + code + "]"), check.err.substr(0, 500));
  if (text.size() < 100'000) CHECK(place.run({"run", "bad.nsm", "-o", "out.csv"}).code == 1);
  CHECK(place.files() == "bad.nsm");
}

std::string random_bytes(std::size_t n, int low, int high) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> byte(low, high);
  std::string text;
  for (std::size_t i = 0; i < n; ++i) text += static_cast<char>(byte(random));
  return text;
}

}  // namespace

TEST_CASE("files that are no text") {
  refused("", "N0106");
  refused("\n\n  \n", "N0106");
  refused(random_bytes(100'000, 1, 255), "N0001");
  refused("coord z = 1\nkinetic z'^2 // \xFF\n", "N0001");
  refused("param \xED\xA0\x80 = 1\n", "N0001");  // a surrogate
  refused(random_bytes(50'000, 32, 126), "N0101");
  refused("\x7F\x45LF\x02\x01\x01" + std::string(1000, '\0'), "N0101");
}

TEST_CASE("10 MB of parentheses") {
  refused(repeat("(", 10'000'000), "N0003");
  refused("param a = " + repeat("(", 10'000'000), "N0003");
  refused("param a = 1" + repeat(")", 1'000'000), "N0004");
}

TEST_CASE("files of 16 MB and more") {
  // A million parameters fit below the limit.
  const Workplace place;
  const std::size_t n = kSanitized ? 50'000 : 1'000'000;
  std::string text = "coord z = 1\nkinetic z'^2\n";
  for (std::size_t i = 0; i < n; ++i) text += "param p" + std::to_string(i) + "=1\n";
  REQUIRE(text.size() < 16 << 20);
  place.write("million.nsm", text);
  const Finished run = place.run({"check", "million.nsm"});
  CHECK(run.code == 0);
  CHECK(contains(run.out, std::to_string(n) + " parameters"));

  refused(text + std::string((16 << 20) - text.size() + 1, '\n'), "N0002");
  refused(repeat("param a = 1\n", 2'000'000), "N0002");
}

TEST_CASE("definitions and files in circles") {
  refused("coord z = 1\nkinetic z'^2\nlet a = b\nlet b = a\noutput c = a\n", "N0203");
  refused("import \"bad.nsm\"\ncoord z = 1\nkinetic z'^2\n", "N0006");
  const Workplace place;
  place.write("a.nsm", "import \"b.nsm\"\ncoord z = 1\nkinetic z'^2\n");
  place.write("b.nsm", "import \"c.nsm\"\n");
  place.write("c.nsm", "import \"a.nsm\"\n");
  const Finished run = place.run({"check", "a.nsm"});
  CHECK(run.code == 1);
  CHECK(contains(run.err, "c.nsm:1:1: error[N0006]"));
  // The same file along another path.
  place.write("d.nsm", "import \"../" + place.path().substr(place.path().rfind('/') + 1) + "/./d.nsm\"\ncoord z = 1\n");
  CHECK(contains(place.run({"check", "d.nsm"}).err, "error[N0006]"));
}

TEST_CASE("numbers that are none") {
  refused("coord z = 1\nkinetic z'^2\nparam a = 1e999\n", "N0105");
  refused("coord z = 1\nkinetic z'^2\nparam a = 1/0\n", "N0513");
  refused("coord z = 1\nkinetic z'^2\nparam a = 1e200\nparam b = a*a\n", "N0513");
  refused("coord z = log(0)\nkinetic z'^2\n", "N0513");
  refused("param m = 0\ncoord z = 1\nkinetic m*z'^2\n", "N0508");
  refused("coord z = 1\nkinetic z'^2\nsimulate { step 0 }\n", "N0701");
  refused("coord z = 1\nkinetic z'^2\nsimulate { step -1e-3 }\n", "N0701");
}

TEST_CASE("settings that only parameters make wrong") {
  const Workplace place;
  place.write("a.nsm", "param T = 1\ncoord z = 1\nkinetic z'^2\nsimulate { until T  step 0.1*T }\n");
  CHECK(place.run({"run", "a.nsm"}).code == 0);
  const Finished run = place.run({"run", "a.nsm", "--set", "T=-1", "-o", "a.csv"});
  CHECK(run.code == 2);
  CHECK(contains(run.err, "until must be"));
  CHECK(place.files() == "a.nsm");
}

TEST_CASE("files that are not there") {
  const Workplace place;
  for (const std::string command : {"check", "run", "emit", "describe", "fmt"}) {
    CAPTURE(command);
    Finished run = place.run({command, "missing.nsm"});
    CHECK(run.code == 4);
    CHECK(run.err == "nsmc: cannot read missing.nsm: No such file or directory\n");
    run = place.run({command, "."});
    CHECK(run.code == 4);
    CHECK(run.err == "nsmc: cannot read .: Is a directory\n");
  }
  CHECK(place.run({"check", "--json", "missing.nsm"}).code == 4);
}

TEST_CASE("the mass matrix becomes singular in the run") {
  const Workplace place;
  place.write("singular.nsm",
              "model singular\ncoord x = 1\ncoord y = 0\ninitial x' = -1\nkinetic max(x - 0.505, 0)*y'^2 + 0.5*x'^2\n"
              "simulate { until 1  step 0.01 }\n");
  const Finished run = place.run({"run", "singular.nsm", "-o", "s.csv"});
  CHECK(run.code == 3);
  CHECK(contains(run.err, "nsmc: the mass matrix is not positive definite"));
  CHECK(contains(run.err, "in step 50 from t = 0.49"));
  const Table table = read_csv(place.read("s.csv"));  // the good steps are kept
  CHECK(table.rows == 50);
  CHECK(table.columns.at("t").back() == doctest::Approx(0.49));
  CHECK(place.files() == "s.csv singular.nsm");
}

TEST_CASE("a value becomes NaN in the run") {
  const Workplace place;
  place.write("nan.nsm",
              "model nan_model\ncoord x = 1\ninitial x' = -1\nkinetic 0.5*x'^2\npotential 0.001*sqrt(x - 0.5)\n"
              "simulate { until 1  step 0.01 }\n");
  const Finished run = place.run({"run", "nan.nsm", "-o", "n.csv", "--quiet"});
  CHECK(run.code == 3);
  CHECK(run.out == "");
  CHECK(contains(run.err, "nsmc: a value is not finite"));
  CHECK(contains(run.err, "in step 51 from t = 0.5"));
  const Table table = read_csv(place.read("n.csv"));
  CHECK(table.rows == 51);
  for (const double x : table.columns.at("x")) CHECK(std::isfinite(x));
}

TEST_CASE("parameters that make M wrong are told before the run, with the place") {
  const Workplace place;
  place.write("ball.nsm", kBall);
  for (const std::string mass : {"m=0", "m=-1"}) {
    const Finished run = place.run({"run", "ball.nsm", "--set", mass});
    CHECK(run.code == 1);
    CHECK(contains(run.err, "error[N0508]: the mass matrix is not positive definite at the initial state"));
  }
}
