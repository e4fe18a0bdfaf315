// Exposed points: xi is normal to the set there, which the projection of the set tells: prox(x + T xi) = x for T > 0.
#include "runtime/sets/exposed_face.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "tests/unit/runtime/function_sets.hpp"

using namespace nsmc::rt;

namespace {

struct Example {
  std::string name;
  nsm_set set;
  std::vector<double> arguments;
};

Example example(const std::string& name, std::uint32_t kind, std::uint32_t dim, std::vector<double> arguments,
                nsm_kernel function = nullptr, bool shifted = false) {
  nsm_set set{};
  set.kind = kind;
  set.dim = dim;
  set.n_arguments = static_cast<std::uint32_t>(arguments.size()) - (shifted ? dim : 0);
  set.shifted = shifted ? 1 : 0;
  set.function = function;
  return {name, set, std::move(arguments)};
}

std::vector<Example> examples() {
  return {
      example("disc", NSM_SET_BALL, 2, {1.7}),
      example("ball off the origin", NSM_SET_BALL, 3, {0.7, 0.1, -0.3, 0.2}, nullptr, true),
      example("ellipse", NSM_SET_ELLIPSOID, 2, {3, 0.5}),
      example("ellipsoid", NSM_SET_ELLIPSOID, 3, {3, 0.5, 1}),
      example("polygon", NSM_SET_POLYGON, 2, {2, 0, 1, 2, -1, 1, -2, -1, 1, -1}),
      example("gauge of an ellipse", NSM_SET_GAUGE, 2, {2, 1.5, 0.4}, functions::ellipsoid_gauge<2>),
      example("superellipse", NSM_SET_GAUGE, 2, {2, 1.5, 0.4, 4}, functions::superellipsoid_gauge<2>),
      example("flat superellipse", NSM_SET_GAUGE, 2, {2, 1.5, 0.4, 1.3}, functions::superellipsoid_gauge<2>),
      example("gauge of an ellipsoid", NSM_SET_GAUGE, 3, {2, 1.5, 0.4, 1}, functions::ellipsoid_gauge<3>),
      example("superellipsoid", NSM_SET_GAUGE, 3, {2, 1.5, 0.8, 1, 2.5}, functions::superellipsoid_gauge<3>),
      example("support of an ellipsoid", NSM_SET_SUPPORT, 3, {2, 1.5, 0.4, 1}, functions::ellipsoid_support<3>),
      example("support of a superellipse", NSM_SET_SUPPORT, 2, {2, 1.5, 0.4, 3}, functions::superellipsoid_support<2>),
      example("contensou, parabolic", NSM_SET_CONTENSOU_PARABOLIC, 3, {2, 0.3}),
      example("contensou, uniform", NSM_SET_CONTENSOU_UNIFORM, 3, {2, 0.3})};
}

}  // namespace

TEST_CASE("exposed points: the velocity is normal to the set") {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (const Example& e : examples()) {
    CAPTURE(e.name);
    const ConvexSet set{&e.set, e.arguments.data()};
    double worst = 0;
    for (int trial = 0; trial < 300; ++trial) {
      double xi[3], x[3], y[3], length = 0;
      for (std::uint32_t k = 0; k < e.set.dim; ++k) xi[k] = normal(random), length = std::hypot(length, xi[k]);
      for (std::uint32_t k = 0; k < e.set.dim; ++k) xi[k] *= std::pow(10.0, trial % 7 - 3);
      length *= std::pow(10.0, trial % 7 - 3);
      exposed_point(set, xi, x);
      for (std::uint32_t k = 0; k < e.set.dim; ++k) y[k] = x[k] + xi[k] / length;
      CHECK_FALSE(set.prox(y));
      for (std::uint32_t k = 0; k < e.set.dim; ++k) worst = std::max(worst, std::abs(y[k] - x[k]));
    }
    MESSAGE(e.name << ": " << worst);
    CHECK(worst <= 1e-9);
  }
}

TEST_CASE("exposed points: velocities along the axes") {
  for (const Example& e : examples()) {
    CAPTURE(e.name);
    const ConvexSet set{&e.set, e.arguments.data()};
    for (std::uint32_t axis = 0; axis < e.set.dim; ++axis) {
      double xi[3] = {0, 0, 0}, x[3], y[3];
      xi[axis] = -2;
      exposed_point(set, xi, x);
      for (std::uint32_t k = 0; k < e.set.dim; ++k) y[k] = x[k] + xi[k];
      set.prox(y);
      for (std::uint32_t k = 0; k < e.set.dim; ++k) CHECK(std::abs(y[k] - x[k]) <= 1e-7);
    }
  }
}

TEST_CASE("exposed points: a length below zero continues the set smoothly") {
  const Example disc = example("disc", NSM_SET_BALL, 2, {-0.5});
  const double xi[2] = {3, 4};
  double x[2];
  exposed_point({&disc.set, disc.arguments.data()}, xi, x);
  CHECK(x[0] == doctest::Approx(-0.3));
  CHECK(x[1] == doctest::Approx(-0.4));
}

TEST_CASE("exposed faces of intervals and polygons") {
  const Example interval = example("interval", NSM_SET_INTERVAL, 2, {-1, 3, 10, 20}, nullptr, true);
  const ConvexSet rows{&interval.set, interval.arguments.data()};
  CHECK(exposed_end(rows, 0, true) == 13);
  CHECK(exposed_end(rows, 1, false) == 19);
  const Example square = example("square", NSM_SET_POLYGON, 2, {1, 1, -1, 1, -1, -1, 1, -1, 5, 6}, nullptr, true);
  const ConvexSet corners{&square.set, square.arguments.data()};
  const double xi[2] = {-1, -0.1};
  const std::uint32_t corner = exposed_corner(corners, xi);
  CHECK(corner == 2);
  double x[2];
  corner_of(corners, corner, x);
  CHECK(x[0] == 4);
  CHECK(x[1] == 5);
}
