// The argument of a normal cone: sign, scaling and reservoir as the compiler reads them; gauges of star-shaped
// polygons.
#include "compiler/mechanics/law_text.hpp"
#include "tests/unit/mechanics/derived_model.hpp"

using namespace nsmc;
using namespace nsmc::test;

namespace {

DerivedModel plane(const std::string& declarations, const std::string& law) {
  return DerivedModel("model m\nparam k = 3  param r = 0.1\n" + declarations + R"(
    coord x  coord y
    initial x' = 1
    kinetic x'^2/2 + y'^2/2
    contact c { slip [x', y']  law )" +
                      law + " }");
}

Point at_force(std::vector<double> T) {
  Point point;
  point.p = {3, 0.1};
  point.q = {0, 0};
  point.u = {1, 0};
  point.lambda = std::move(T);
  return point;
}

double alpha(const DerivedModel& model, std::vector<double> T) {
  return model.at(at_force(std::move(T)), *model.law(0).alpha);
}

DerivedModel with_argument(const std::string& argument) {
  return plane("law f { force T[2]  slip in normal_cone(disc(2), " + argument + ") }", "f");
}

}  // namespace

TEST_CASE("the sign of a scaled force comes from the values of the parameters") {
  CHECK_FALSE(with_argument("-(k - 1)*T").law(0).positive_sign);
  CHECK(near(alpha(with_argument("-(k - 1)*T"), {1, 2}), 2));
  const DerivedModel turned = plane("law f { force T[2]  -slip in normal_cone(disc(2), (k - 1)*T) }", "f");
  CHECK(turned.law(0).positive_sign);
  CHECK(near(alpha(turned, {1, 2}), 2));
  // Positive for every force, and far from 1 for parameters of another size.
  const DerivedModel shrinking = with_argument("-T/(1 + gauge(disc(r), -T))");
  CHECK_FALSE(shrinking.law(0).positive_sign);
  CHECK(near(alpha(shrinking, {3, 4}), 1.0 / 51));
}

TEST_CASE("a scaling may stand in front of the force or in every term") {
  const DerivedModel terms = with_argument("-(T + gauge(disc(2), -T)*T)");
  const DerivedModel factor = with_argument("-(1 + gauge(disc(2), -T))*T");
  CHECK(near(alpha(terms, {3, 4}), 3.5));
  CHECK((*terms.law(0).alpha == *factor.law(0).alpha) == false);  // other expressions may be the same number
  CHECK(near(alpha(factor, {3, 4}), 3.5));
}

TEST_CASE("a two-set law is known by its scaling") {
  const DerivedModel model = plane("", "two_set(ellipse(6, 3), disc(r))");
  REQUIRE(model.law(0).reservoir);
  const Reservoir& reservoir = *model.law(0).reservoir;
  CHECK(near(model.at(at_force({3, 0}), reservoir.k_C), 0.5));
  CHECK(near(model.at(at_force({3, 0}), reservoir.k_D), 30));
  CHECK(reservoir.sets.size() == 1);
  CHECK_FALSE(with_argument("-T/(1 + gauge(disc(r), -T))").law(0).reservoir);
  // With +T, and the terms in another order.
  const DerivedModel plus =
      plane("law f(C, D) { force T[2]  -slip in normal_cone(D, 1/(1 - gauge(C, T) + gauge(D, T))*T) }",
            "f(disc(6), disc(r))");
  CHECK(plus.law(0).reservoir);
}

TEST_CASE("two sets in one and in three dimensions") {
  const DerivedModel line(
      "model m\ncoord x\nkinetic x'^2/2\ncontact c { slip x'  law two_set(interval(-3, 4), "
      "interval(-1, 1)) }");
  CHECK(line.law(0).size == 1);
  CHECK(line.law(0).reservoir);
  const DerivedModel space(
      "model m\ncoord x  coord y  coord z\nkinetic x'^2/2 + y'^2/2 + z'^2/2\n"
      "contact c { slip [x', y', z']  law two_set(ball(3, 3), ellipsoid(1, 2, 1)) }");
  CHECK(space.law(0).size == 3);
  CHECK(space.law(0).reservoir);
}

TEST_CASE("the gauge of a polygon that is star-shaped, not convex") {
  // Corners that depend on a parameter: which formula holds is decided with numbers, in the run.
  for (const std::string a : {"1", "k/3"}) {
    const DerivedModel model = plane("let a = " + a, R"(friction(disc(1)) }
      output k1 = gauge(polygon([4*a, 0], [a, a], [0, 4*a], [-4*a, 0], [0, -4*a]), -c.T)
      output k2 = gauge(polygon([a, a], [-a, a], [-a, -a], [a, -a]), -c.T)
      contact other { slip [x', y']  law friction(disc(1)))");
    const auto value = [&](std::size_t output, double x, double y) {
      Point point = at_force({-x, -y});
      return model.at(point, model.equations().outputs.at(output).value);
    };
    CHECK(near(value(0, 1.6, 0.8), 1));  // between (4, 0) and (1, 1)
    CHECK(near(value(0, 1, 1), 1));
    CHECK(near(value(0, 0.5, 2), 0.875));  // (4/7, 16/7) is on the edge from (1, 1) to (0, 4)
    CHECK(near(value(0, -2, -2), 1));
    CHECK(near(value(0, 0, -8), 2));
    CHECK(near(value(0, 0, 0), 0));
    // A convex one: the largest of its edges.
    CHECK(near(value(1, 0.5, -2), 2));
    CHECK(near(value(1, -3, 1), 3));
  }
}

TEST_CASE("laws are printed with the letters of the general form") {
  DerivedModel model =
      plane("law f(C) { force T[2]\n-2*slip in normal_cone(-C, T) }", "f(polygon([2, 0], [0, 3], [-1, -1]))");
  CHECK(law_text(model.pool, model.contact(), model.law(0)) == "B*[slip[1], slip[2]] in normal_cone(C, [T[1], T[2]])");
  const LawParts parts = law_parts(model.pool, model.law(0));
  REQUIRE(parts.size() == 4);
  CHECK(parts[0] == std::pair<std::string, std::string>("B", "[[-2, 0], [0, -2]]"));
  CHECK(parts[1] == std::pair<std::string, std::string>("s", "+1"));
  CHECK(parts[2] == std::pair<std::string, std::string>("alpha", "1"));
  CHECK(parts[3] == std::pair<std::string, std::string>("C", "polygon(-2, 0, 0, -3, 1, 1)"));
  const DerivedModel two = plane("", "two_set(support (v, w) { 4*norm([v, w]) + abs(v) }, disc(1))");
  CHECK(law_parts(two.pool, two.law(0)).back().first == "reservoir");
  const auto gauges = gauge_definitions(two.pool, expressions_with_gauges(two.equations()));
  REQUIRE(gauges.size() == 1);
  CHECK(gauges[0] == "gauge_1(x[1], x[2]) = gauge of support { 4*sqrt(x[1]^2 + x[2]^2) + abs(x[1]) } at x");
}
