// Shapes and dimensions of expressions.
#include <doctest/doctest.h>

#include "tests/unit/model/check_text.hpp"

using namespace nsmc;
using namespace nsmc::test;

TEST_CASE("numbers and their dimensions") {
  CHECK(type_of("1") == "number [1]");
  CHECK(type_of("3 [mm]") == "number [m]");
  CHECK(type_of("x") == "number [m]");
  CHECK(type_of("x'") == "number [m/s]");
  CHECK(type_of("phi'") == "number [1/s]");
  CHECK(type_of("t") == "number [s]");
  CHECK(type_of("energy") == "number [kg m^2/s^2]");
  CHECK(type_of("m*x'^2/2") == "number [kg m^2/s^2]");
  CHECK(type_of("x + y") == "number [m]");
  CHECK(type_of("x + 0") == "number [m]");
  CHECK(type_of("0 + x") == "number [m]");
  CHECK(type_of("x/y") == "number [1]");
  CHECK(type_of("1/t") == "number [1/s]");
  CHECK(type_of("-x") == "number [m]");
  CHECK(type_of("pi*x") == "number [m]");
}

TEST_CASE("powers and roots") {
  CHECK(type_of("x^2") == "number [m^2]");
  CHECK(type_of("x^-1") == "number [1/m]");
  CHECK(type_of("x^(1/2)") == "number [m^(1/2)]");
  CHECK(type_of("x^0.5") == "number [m^(1/2)]");
  CHECK(type_of("pow(x, 3)") == "number [m^3]");
  CHECK(type_of("sqrt(x^2 + y^2)") == "number [m]");
  CHECK(type_of("sqrt(x)") == "number [m^(1/2)]");
  CHECK(type_of("2^phi") == "number [1]");
  CHECK(type_of("x^phi") == "");
  CHECK(type_of("2^x") == "");
}

TEST_CASE("functions") {
  CHECK(type_of("sin(phi)") == "number [1]");
  CHECK(type_of("sin(x/1 [m])") == "number [1]");
  CHECK(type_of("sin(x)") == "");
  CHECK(type_of("abs(x)") == "number [m]");
  CHECK(type_of("sign(x)") == "number [1]");
  CHECK(type_of("atan2(x, y)") == "number [1]");
  CHECK(type_of("atan2(x, m)") == "");
  CHECK(type_of("hypot(x, y)") == "number [m]");
  CHECK(type_of("max(x, y, 0)") == "number [m]");
  CHECK(type_of("max(0, x)") == "number [m]");
  CHECK(type_of("min(x, m)") == "");
  CHECK(type_of("floor(x/1 [m])") == "number [1]");
  CHECK(type_of("floor(x)") == "");
  CHECK(type_of("mod(x, y)") == "number [m]");
  CHECK(type_of("mod(x, m)") == "");
  CHECK(type_of("mod(x, y, y)") == "");
  CHECK(type_of("cbrt(x^2*y)") == "number [m]");
  CHECK(type_of("cbrt(x)") == "number [m^(1/3)]");
}

TEST_CASE("vectors and matrices") {
  CHECK(type_of("[x, y]") == "vector 2 [m, m]");
  CHECK(type_of("[x, phi]") == "vector 2 [m, 1]");
  CHECK(type_of("[[x, y], phi]") == "");
  CHECK(type_of("[1, 2, 3] [mm]") == "vector 3 [m, m, m]");
  CHECK(type_of("[x]") == "number [m]");
  CHECK(type_of("2*[x, y]") == "vector 2 [m, m]");
  CHECK(type_of("[x, y]/t") == "vector 2 [m/s, m/s]");
  CHECK(type_of("[x, y] + [y, x]") == "vector 2 [m, m]");
  CHECK(type_of("[x, y] + [phi, x]") == "");
  CHECK(type_of("[[1, 2], [3, 4]] * [x, y]") == "vector 2 [m, m]");
  CHECK(type_of("[[m, 0], [0, 1]] * [x, y]") == "vector 2 [kg m, m]");
  CHECK(type_of("diag(m, 1) * [x, y]") == "vector 2 [kg m, m]");
  CHECK(type_of("identity(2) * [x, phi]") == "vector 2 [m, 1]");
  CHECK(type_of("dot([x, y], [x, y])") == "number [m^2]");
  CHECK(type_of("norm([x, y])") == "number [m]");
  CHECK(type_of("norm([x, phi])") == "");
  CHECK(type_of("cross([x, y, x], [1, 2, 3])") == "vector 3 [m, m, m]");
  CHECK(type_of("cross([x, y, 0], [0, 0, 1])") == "vector 3 [m, m, any]");
  CHECK(type_of("transpose([[1, 2], [3, 4]]) * [x, y]") == "vector 2 [m, m]");
  CHECK(type_of("v[2]\nlet v = [x, phi]") == "number [1]");
  CHECK(type_of("A[2, 2]\nlet A = [[x, y], [phi, m]]") == "number [kg]");
  CHECK(type_of("[x, y]'") == "vector 2 [m/s, m/s]");
  CHECK(type_of("(x*y)'") == "number [m^2/s]");
  CHECK(type_of("dim([x, y])") == "number [1]");
}

TEST_CASE("conditions and cases") {
  CHECK(type_of("piecewise { x < y : x  else : y }") == "number [m]");
  CHECK(type_of("piecewise { x < y and phi > 0 or not (m >= 1 [kg]) : x  else : 0 }") == "number [m]");
  CHECK(type_of("piecewise { x < 0 : [x, y]  else : [y, x] }") == "vector 2 [m, m]");
  CHECK(type_of("piecewise { x < m : x  else : y }") == "");
  CHECK(type_of("piecewise { x < 0 : x  else : m }") == "");
  CHECK(type_of("piecewise { x == y : 1  x != 0 : 2  else : 3 }") == "number [1]");
}

TEST_CASE("functions of the user take the types of their arguments") {
  const Checked checked(
      "fn twice(a) = 2*a\nfn mean(a, b = 0) = (a + b)/2\nfn nested(a) = twice(mean(a))\n"
      "coord x [m] = 1\nkinetic 1 [kg]*x'^2\n"
      "output a = twice(x)\noutput b = twice([1, 2])\noutput c = mean(x, b = x)\noutput d = mean(3 [s])\n"
      "output e = nested(x')\n");
  CHECK(checked.output("a").dimensions[0].text() == "m");
  CHECK(checked.output("b").rows == 2);
  CHECK(checked.output("c").dimensions[0].text() == "m");
  CHECK(checked.output("d").dimensions[0].text() == "s");
  CHECK(checked.output("e").dimensions[0].text() == "m/s");
}

TEST_CASE("arguments are found by place, by name, by default") {
  const Checked checked(
      "fn f(a, b = 2*a, c = 10) = 100*a + 10*b + c\ncoord x = 1\nkinetic x'^2\n"
      "output p = f(1)\noutput q = f(1, 3)\noutput r = f(c = 3, a = 1)\n");
  CHECK(checked.codes() == "");
  const auto printed = print(checked.good());
  CHECK(printed.find("output p = (100*1 + 10*2*1 + 10)") != std::string::npos);
  CHECK(printed.find("output q = (100*1 + 10*3 + 10)") != std::string::npos);
  CHECK(printed.find("output r = (100*1 + 10*2*1 + 3)") != std::string::npos);
}

TEST_CASE("a function sees the model, not the place of its call") {
  CHECK(Checked("fn f(a) = a + k\nparam k = 3\ncoord x = 1\nkinetic x'^2\noutput a = f(x)\n").codes() == "");
  CHECK(Checked("fn g(b) = f(b)\nfn f(a) = a + b\ncoord x = 1\nkinetic x'^2\noutput a = g(x)\n").codes() == "N0201");
}

TEST_CASE("units of initial values and parameters") {
  const Checked checked(
      "param a [mm] = 5\nparam b [mm] = 5 [m]\nparam c = 2*a\ncoord x [mm] = 3\ncoord y [mm] = 3 [m]\n"
      "kinetic 1 [kg]*(x'^2 + y'^2)\n");
  const TypedModel& model = checked.good();
  CHECK(model.dimensional);
  for (const TypedParameter& p : model.parameters) CHECK(p.dimension.text() == "m");
  CHECK(print(model).find("coordinate x [m] = 3*0.001") != std::string::npos);
  CHECK(print(model).find("coordinate y [m] = 3\n") != std::string::npos);
}

TEST_CASE("a model without units is written in pure numbers") {
  const Checked checked(
      "param m = 2\ncoord z = 1\nkinetic m/2*z'^2\npotential m*9.81*z + sin(z) + t\nforce z : -z' - z^3\n"
      "output a = z + m + t\nsimulate { until 1 step 0.1 }\n");
  CHECK(checked.codes() == "");
  CHECK_FALSE(checked.good().dimensional);
  CHECK(checked.output("a").dimensions[0].is_dimensionless());
  // One unit anywhere, and all quantities have dimensions.
  CHECK(Checked("param m = 2\ncoord z = 1\nkinetic m/2*z'^2\nparam k = 1 [kg]\n").codes() == "N0403");
  // [1] is no unit.
  CHECK(Checked("param m = 2 [1]\ncoord z = 1\nkinetic m/2*z'^2\n").codes() == "");
}
