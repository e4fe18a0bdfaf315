// nsmc run and sweep: where the energy went, as columns, measures and in the summary; and what rows are recorded.
#include <doctest/doctest.h>

#include <cmath>

#include "nsmc/nsmc.hpp"
#include "tests/cli/program.hpp"

using namespace nsmc::test;

namespace {

const char* const kSlider = R"(model slider
param mu = 0.3
coord x [m]
coord z [m] = 0.05
initial x' = 1 [m/s]
kinetic 0.5 [kg]*(x'^2 + z'^2)
potential 1 [kg]*9.81 [m/s^2]*z
contact floor { gap z  slip x'  law unilateral(restitution = 0.4)  law coulomb(mu) }
simulate { until 1 [s]  step 1e-3 [s] }
)";

}  // namespace

TEST_CASE("energy: columns on request, a summary that says where it went") {
  const Workplace place;
  place.write("s.nsm", kSlider);
  REQUIRE(place.run({"run", "s.nsm", "-o", "all.csv"}).code == 0);
  for (const std::string& name : read_csv(place.read("all.csv")).names) CHECK_FALSE(contains(name, "dissipated"));
  const Names wanted{"t",
                     "floor.dissipated",
                     "floor.N.dissipated",
                     "floor.T.dissipated",
                     "energy_damped",
                     "energy_supplied",
                     "energy_balance",
                     "energy"};
  for (const char* method : {"moreau", "rk", "lie", "event"}) {
    CAPTURE(method);
    std::string list;
    for (std::size_t k = 1; k < wanted.size(); ++k) list += (k > 1 ? "," : "") + wanted[k];
    const Finished run = place.run({"run", "s.nsm", "--method", method, "--outputs", list, "-o", "w.csv"});
    REQUIRE(run.code == 0);
    CHECK(contains(run.out, " by coulomb"));
    CHECK(contains(run.out, " by unilateral"));
    CHECK(contains(run.out, "method "));
    const Table table = read_csv(place.read("w.csv"));
    CHECK(table.names == wanted);
    const auto last = [&](const char* name) { return table.columns.at(name).back(); };
    CHECK(last("floor.dissipated") == doctest::Approx(0.981 * 0.5 + 0.5).epsilon(5e-3));
    CHECK(last("floor.dissipated") == doctest::Approx(last("floor.N.dissipated") + last("floor.T.dissipated")));
    const double change = last("energy") - table.columns.at("energy").front();
    CHECK(change + last("floor.dissipated") == doctest::Approx(last("energy_balance")).epsilon(1e-9));
    // In two parts: what was counted is remembered.
    REQUIRE(place
                .run({"run", "s.nsm", "--method", method, "--outputs", list, "-o", "a.csv", "--until", "0.5", "--save",
                      "s.state"})
                .code == 0);
    REQUIRE(place.run({"run", "s.nsm", "--from", "s.state", "--outputs", list, "-o", "b.csv", "--until", "1"}).code ==
            0);
    const std::string second = place.read("b.csv");
    CHECK(place.read("a.csv") + second.substr(second.find('\n') + 1) == place.read("w.csv"));
  }
  CHECK(contains(place.run({"run", "s.nsm", "--energy"}).out, " by coulomb"));
  CHECK_FALSE(contains(place.run({"run", "s.nsm"}).out, " by coulomb"));  // the small step does not count by itself
  CHECK(contains(place.run({"run", "s.nsm", "--method", "rk"}).out, " by coulomb"));
}

TEST_CASE("energy: a measure of a sweep") {
  const Workplace place;
  place.write("s.nsm", kSlider);
  const Finished sweep =
      place.run({"sweep", "s.nsm", "--vary", "mu=0.3:0.6:4", "--measure", "floor.T.dissipated", "--measure",
                 "max(floor.dissipated)", "--measure", "energy_balance", "-o", "t.csv"});
  REQUIRE(sweep.code == 0);
  std::string text = place.read("t.csv");  // without its last column, which is no number
  for (const std::string word : {",status", ",ok"}) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word)) text.erase(at, word.size());
  }
  const Table table = read_csv(text);
  REQUIRE(table.rows == 4);
  for (std::size_t k = 0; k < 4; ++k) {
    const double mu = table.columns.at("mu")[k];
    const Finished run = place.run({"run", "s.nsm", "--set", "mu=" + std::to_string(mu), "--outputs",
                                    "floor.T.dissipated,energy_balance", "-o", "r.csv"});
    REQUIRE(run.code == 0);
    const Table own = read_csv(place.read("r.csv"));
    CHECK(table.columns.at("floor.T.dissipated")[k] == doctest::Approx(own.columns.at("floor.T.dissipated").back()));
    CHECK(table.columns.at("max(floor.dissipated)")[k] == doctest::Approx(0.981 * 0.5 + 0.5).epsilon(1e-2));
  }
}

TEST_CASE("energy: by name in the library, and what a change of parameters supplies") {
  const nsmc::Model model = nsmc::Model::from_text(kSlider);
  nsmc::Run plain = model.start({});
  plain.advance(0.5);
  CHECK_THROWS_AS(plain.value("floor.dissipated"), nsmc::SettingError);
  nsmc::Run run = model.start({.settings = {{"energy", 1}}});
  run.advance(1);
  CHECK(run.value("floor.dissipated") == doctest::Approx(0.981 * 0.5 + 0.5).epsilon(5e-3));
  const nsmc::EnergyShares energy = run.result().summary.energy;
  REQUIRE(energy.counted);
  REQUIRE(energy.losses.size() == 2);
  CHECK(energy.losses[0].second + energy.losses[1].second == doctest::Approx(run.value("floor.dissipated")));
  CHECK(energy.rest == doctest::Approx(run.value("energy_balance")));
  nsmc::Table table;
  model.run({.outputs = {"floor.T.dissipated"}}, table);
  CHECK(table.column("floor.T.dissipated").back() == doctest::Approx(run.value("floor.T.dissipated")));

  const nsmc::Model spring = nsmc::Model::from_text(
      "param k = 10 [N/m]\ncoord x [m] = 0.2\nkinetic 0.5 [kg]*x'^2\npotential k/2*x^2\nsimulate { until 1 step 1e-3 "
      "}\n");
  nsmc::Run stretched = spring.start({.settings = {{"energy", 1}, {"method", "event"}}});
  stretched.advance(0.25);
  const double x = stretched.value("x");
  stretched.set({{"k", 30}});
  CHECK(stretched.value("energy_supplied") == doctest::Approx(10 * x * x));
  stretched.advance(1);
  CHECK(std::abs(stretched.value("energy_balance")) < 1e-12);
}

TEST_CASE("record: an interval beyond every number of steps records the first and the last row") {
  const Workplace place;
  place.write("b.nsm", kBall);
  for (const char* interval : {"1e16", "1e300[s]"}) {
    REQUIRE(place.run({"run", "b.nsm", "--record", interval, "-o", "x.csv"}).code == 0);
    CHECK(read_csv(place.read("x.csv")).rows == 2);
  }
}

TEST_CASE("describe: control characters of documentation strings do not reach the terminal") {
  const Workplace place;
  place.write("m.nsm",
              "model m \"a\x1b[31mred\"\nparam k = 1 \"b\x07\x1b]0;title\x07\"\ncoord x [m] = 0 \"c\x1b[2J\"\nkinetic "
              "0.5 [kg]*x'^2\n");
  const Finished described = place.run({"describe", "m.nsm"});
  REQUIRE(described.code == 0);
  CHECK(described.out.find('\x1b') == std::string::npos);
  CHECK(described.out.find('\x07') == std::string::npos);
  CHECK(contains(described.out, "a?[31mred"));
}
