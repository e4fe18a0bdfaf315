// Inputs by files, tables from files, and what may be read for them.
#include <doctest/doctest.h>

#include "program.hpp"

using namespace nsmc::test;

namespace {

const char* const cart = R"(input F [N] = 0
coord x [m]
kinetic 0.5 [kg]*x'^2
force x : F
simulate { until 2 [s]  step 10 [ms] })";

}  // namespace

TEST_CASE("inputs: files of samples, values, and what is wrong with them") {
  const Workplace place;
  place.write("cart.nsm", cart);
  place.write("force.csv", "time, force\n# a ramp\n0, 0\n1; 2\n2, 2\n");
  place.write("words.csv", "t, F\n0, zero\n");
  place.write("back.csv", "0, 1\n0, 2\n");
  const auto last = [&](const std::string& input) {
    const Finished done =
        place.run({"run", "cart.nsm", "--quiet", "-o", "-", "--outputs", "x'", "--input", "F=" + input});
    CHECK_MESSAGE(done.code == 0, done.err);
    return read_csv(done.out).columns.at("x'").back();
  };
  CHECK(last("force.csv") == doctest::Approx(3));
  CHECK(last("force.csv:held") == doctest::Approx(2));
  CHECK(last("1.5[N]") == doctest::Approx(3));
  const auto refused = [&](const std::string& input, const std::string& because) {
    const Finished done = place.run({"run", "cart.nsm", "--input", input});
    CHECK(done.code != 0);
    CHECK_MESSAGE(contains(done.err, because), done.err);
  };
  refused("F", "expected name=file or name=value");
  refused("G=force.csv", "the model has no input 'G'; it has F");
  refused("F=words.csv", "line 2 of words.csv is not a time and a value");
  refused("F=back.csv", "times ascend");
  refused("F=nothing.csv", "cannot read nothing.csv");
}

TEST_CASE("tables: a file below the folder of the model, with units") {
  const Workplace place;
  const auto checked = [&](const std::string& file) {
    place.write("m.nsm", "table f(a [rad]) [N m] = \"" + file +
                             "\" beyond extend\ncoord a [rad] = 1\nkinetic 1 [kg m^2]*a'^2\nforce a : f(a)\n"
                             "output torque = f(a)\nsimulate { until 1 [s]  step 1 [ms] }");
    return place.run({"check", "m.nsm"});
  };
  place.write("f.csv", "angle [deg], torque [N m]\n0, 0\n180, 1000\n");
  const Finished good = checked("f.csv");
  CHECK_MESSAGE(good.code == 0, good.err);
  const Finished run = place.run({"run", "m.nsm", "--until", "1e-3", "--quiet", "-o", "-", "--outputs", "torque"});
  CHECK(read_csv(run.out).columns.at("torque").front() == doctest::Approx(1000 / 3.14159265358979));
  place.write("seconds.csv", "angle [s], torque [N m]\n0, 0\n1, 1\n");
  CHECK(contains(checked("seconds.csv").err, "column 1 of 'seconds.csv' is in [s]"));
  place.write("ragged.csv", "0, 0\n1, 1, 2\n");
  CHECK(contains(checked("ragged.csv").err, "line 2 of 'ragged.csv' has 3 columns, the table 2"));
  CHECK(contains(checked("missing.csv").err, "N0005"));
  CHECK(contains(checked("../outside.csv").err, "N0007"));
}
