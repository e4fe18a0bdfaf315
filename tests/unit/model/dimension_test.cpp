// Physical dimensions and units.
#include "compiler/model/dimension.hpp"

#include <doctest/doctest.h>

#include <numbers>

#include "tests/unit/model/check_text.hpp"

using namespace nsmc;
using namespace nsmc::test;

namespace {

// Factor and dimension of a unit as it stands in a model.
std::pair<double, std::string> unit(const std::string& text) {
  const Checked checked("param a = 1 [" + text + "]\nparam u = 1 [kg]\ncoord z [m] = 1\nkinetic u*z'^2\n");
  const TypedParameter& p = checked.good().parameters.at(0);
  return {checked.good().node(p.value).value, p.dimension.text()};
}

bool is(const std::string& text, double factor, const std::string& dimension) {
  const auto [f, d] = unit(text);
  INFO(text, " is ", f, " ", d);
  CHECK(f == doctest::Approx(factor).epsilon(1e-14));
  CHECK(d == dimension);
  return true;
}

}  // namespace

TEST_CASE("units and prefixes") {
  is("m", 1, "m");
  is("km", 1e3, "m");
  is("mm", 1e-3, "m");
  is("µm", 1e-6, "m");  // the sign micro
  is("μm", 1e-6, "m");  // the Greek letter
  is("um", 1e-6, "m");
  is("kg", 1, "kg");
  is("g", 1e-3, "kg");
  is("t", 1e3, "kg");
  is("min", 60, "s");  // not a milli-inch
  is("ms", 1e-3, "s");
  is("h", 3600, "s");
  is("d", 86400, "s");
  is("dam", 10, "m");
  is("N", 1, "kg m/s^2");
  is("kN", 1e3, "kg m/s^2");
  is("Pa", 1, "kg/(m s^2)");
  is("hPa", 100, "kg/(m s^2)");
  is("bar", 1e5, "kg/(m s^2)");
  is("J", 1, "kg m^2/s^2");
  is("W", 1, "kg m^2/s^3");
  is("L", 1e-3, "m^3");
  is("V", 1, "kg m^2/(s^3 A)");
  is("Hz", 1, "1/s");
}

TEST_CASE("angles are pure numbers") {
  is("rad", 1, "1");
  is("mrad", 1e-3, "1");
  is("deg", std::numbers::pi / 180, "1");
  is("°", std::numbers::pi / 180, "1");
  is("rev", 2 * std::numbers::pi, "1");
  is("rpm", 2 * std::numbers::pi / 60, "1/s");
  is("rad/s", 1, "1/s");
}

TEST_CASE("products, quotients and powers of units") {
  is("kg m^2/s^2", 1, "kg m^2/s^2");
  is("N m", 1, "kg m^2/s^2");
  is("N*m", 1, "kg m^2/s^2");
  is("N·m", 1, "kg m^2/s^2");
  is("mm^2", 1e-6, "m^2");
  is("cm^-1", 1e2, "1/m");
  is("m/s/s", 1, "m/s^2");
  is("km/h", 1 / 3.6, "m/s");
  is("1/s", 1, "1/s");
  is("1", 1, "1");
  is("N/m s", 1, "kg/s");  // a '/' divides by the next factor only
  is("m^(1/2)", 1, "m^(1/2)");
  is("mm^(3/2)", 3.1622776601683795e-05, "m^(3/2)");
}

TEST_CASE("names that are no units") {
  for (const char* name : {"", "xyz", "kkg", "kmin", "mdeg", "krpm", "Kg", "mmm", "µ"}) {
    CHECK_MESSAGE(!find_unit(name), name);
  }
}

TEST_CASE("dimensions multiply, divide and have powers") {
  const Dimension length{0, 1, 0};
  const Dimension time{0, 0, 1};
  CHECK((length / time).text() == "m/s");
  CHECK((length * length).text() == "m^2");
  CHECK((length / length).is_dimensionless());
  CHECK(length.power(1, 2)->text() == "m^(1/2)");
  CHECK(*length.power(1, 2)->power(2, 1) == length);
  CHECK(*length.power(1, 3)->power(3, 1) == length);
  CHECK(*length.power(0, 1) == Dimension{});
  CHECK(length.power(-2, 1)->text() == "1/m^2");
  CHECK_FALSE(length.power(1, 5));
  CHECK_FALSE(length.power(1, 0));
  CHECK_FALSE(length.power(1000, 1));
  CHECK_FALSE(length == time);
}

TEST_CASE("the dimension of zero fits every other") {
  const Dimension length{0, 1, 0};
  CHECK(Dimension::any().fits(length));
  CHECK(length.fits(Dimension::any()));
  CHECK(Dimension::any().is_dimensionless());
  CHECK((Dimension::any() * length).is_any());
  CHECK_FALSE(length.fits(Dimension{}));
}

TEST_CASE("text for people") {
  CHECK(Dimension{}.text() == "1");
  CHECK(Dimension{}.description() == "a pure number");
  CHECK(Dimension{0, 1, 0}.description() == "length [m]");
  CHECK(Dimension{1, 1, -2}.description() == "force [N = kg m/s^2]");
  CHECK(Dimension{1, 0, 0}.description() == "mass [kg]");
  CHECK(Dimension{1, 1, 1}.description() == "[kg m s]");
  CHECK(Dimension{0, -1, -2}.text() == "1/(m s^2)");
}
