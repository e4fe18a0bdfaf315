// Polygons, also those without area, and the ends of sets that are given by functions.
#include "runtime/sets/polygon.hpp"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "runtime/sets/by_function/gauge_set.hpp"
#include "runtime/sets/by_function/support_set.hpp"
#include "tests/unit/runtime/function_sets.hpp"

using namespace nsmc::rt;
using Eigen::Vector2d;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

struct Corners {
  std::vector<double> values;
  Polygon view() const { return {values.data(), static_cast<std::uint32_t>(values.size() / 2)}; }
};

Vector2d prox(const Corners& corners, Vector2d z) {
  corners.view().prox(z.data());
  return z;
}

}  // namespace

TEST_CASE("polygon: corners, edges and the inside") {
  const Corners square{{1, -1, 1, 1, -1, 1, -1, -1}};
  CHECK(prox(square, {3, 0.25}) == Vector2d(1, 0.25));
  CHECK(prox(square, {3, 5}) == Vector2d(1, 1));
  CHECK(prox(square, {-1e6, -2e6}) == Vector2d(-1, -1));
  CHECK(prox(square, {0.3, -0.99}) == Vector2d(0.3, -0.99));
  CHECK(prox(square, {1, 1}) == Vector2d(1, 1));
  CHECK(prox(square, {1e12, 0.25}) == Vector2d(1, 0.25));
  CHECK(prox(square, {inf, 0}) == Vector2d(1, 0));
  CHECK(prox(square, {1e300, 1}) == Vector2d(1, 0));  // moved in along its direction
  CHECK(square.view().gauge(Vector2d(0.5, -2).data()) == 2);
  CHECK(square.view().gauge(Vector2d(0, 0).data()) == 0);
  for (const double scale : {1e-300, 1e-150, 1e150, 1e300}) {
    Corners scaled = square;
    for (double& value : scaled.values) value *= scale;
    CHECK((prox(scaled, Vector2d(3, 0.25) * scale) / scale - Vector2d(1, 0.25)).norm() <= 1e-15);
    CHECK(scaled.view().contains(Vector2d(0.5 * scale, scale).data()));
    CHECK_FALSE(scaled.view().contains(Vector2d(0.5 * scale, 1.001 * scale).data()));
  }
}

TEST_CASE("polygon: without area it is a segment or a point, and repeated corners do no harm") {
  const Corners segment{{-1, -1, 2, 2}}, folded{{-1, -1, 0.5, 0.5, 2, 2, 2, 2, 0, 0}}, point{{3, 4, 3, 4, 3, 4}},
      single{{3, 4}}, origin{{0, 0}}, doubled{{1, -1, 1, -1, 1, 1, 1, 1, -1, 1, -1, 1, -1, -1, -1, -1}};
  for (const Corners* corners : {&segment, &folded}) {
    CHECK((prox(*corners, {2, 0}) - Vector2d(1, 1)).norm() <= 1e-15);
    CHECK(prox(*corners, {5, 4}) == Vector2d(2, 2));
    CHECK(prox(*corners, {-5, 0}) == Vector2d(-1, -1));
    CHECK(corners->view().contains(Vector2d(0.25, 0.25).data()));
    CHECK_FALSE(corners->view().contains(Vector2d(3, 3).data()));
    CHECK(corners->view().gauge(Vector2d(1, 1).data()) == doctest::Approx(0.5));
    CHECK(corners->view().gauge(Vector2d(-2, -2).data()) == doctest::Approx(2));
    CHECK(corners->view().gauge(Vector2d(1, 0).data()) == inf);
  }
  for (const Corners* corners : {&point, &single}) {
    CHECK(prox(*corners, {5, 4}) == Vector2d(3, 4));
    CHECK(corners->view().gauge(Vector2d(1, 0).data()) == inf);
  }
  CHECK(prox(origin, {1e-200, 0}) == Vector2d(0, 0));
  CHECK(prox(doubled, {3, 0.25}) == Vector2d(1, 0.25));
  CHECK(prox(doubled, {0.1, 0.2}) == Vector2d(0.1, 0.2));
  const Corners broken{{0, 0, std::nan(""), 1, 1, 1}};
  CHECK(prox(broken, {1, 1}).hasNaN());
  CHECK(prox(doubled, {std::nan(""), 1}).hasNaN());
}

TEST_CASE("polygon: idempotent bit by bit, also for needles") {
  std::mt19937 generator(5);
  std::normal_distribution<double> normal;
  for (int n = 0; n < 2000; ++n) {
    const double width = std::pow(10.0, -(n % 18));
    const double angle = normal(generator), c = std::cos(angle), s = std::sin(angle);
    Corners corners;
    for (const Vector2d& corner : {Vector2d(2, -width), Vector2d(3, 0), Vector2d(-1, width)}) {
      corners.values.push_back(c * corner[0] - s * corner[1]);
      corners.values.push_back(s * corner[0] + c * corner[1]);
    }
    const Vector2d z(3 * normal(generator), 3 * normal(generator)), x = prox(corners, z);
    CHECK(prox(corners, x) == x);
    CHECK(corners.view().contains(x.data()));
    // No corner is beyond the line through x.
    for (std::size_t k = 0; k < 3; ++k) {
      const Vector2d corner(corners.values[2 * k], corners.values[2 * k + 1]);
      CHECK((z - x).dot(corner - x) <= 1e-13 * (1 + z.norm()));
    }
  }
}

TEST_CASE("sets by functions: no scale, no coefficients, no value") {
  const double good[] = {1, 2}, bad[] = {1, std::nan("")};
  const HomogeneousFunction k{functions::ellipsoid_gauge<2>, good, 2, 2},
      broken{functions::ellipsoid_gauge<2>, bad, 2, 2};
  Vector2d z(1, 2);
  CHECK(GaugeSet{k, 0}.prox(z.data()) == 1);
  CHECK(z.norm() == 0);
  z = {1, 2};
  CHECK(SupportSet{k, 0}.prox(z.data()) == 1);
  CHECK(z.norm() == 0);
  CHECK(GaugeSet{k, 0}.contains(z.data()));
  CHECK(SupportSet{k, -0.0}.contains(z.data()));
  CHECK(GaugeSet{k, 0}.gauge(Vector2d(1e-300, 0).data()) == inf);
  // A negative scale counts as 0, as forces may make it; whether data did is asked at the solution of a problem.
  z = {1, 2};
  CHECK(GaugeSet{k, -1e-18}.prox(z.data()) == 1);
  CHECK(z.norm() == 0);
  CHECK(SupportSet{k, -1}.contains(z.data()));
  // No set at all.
  for (const double s : {std::nan(""), inf}) {
    z = {1, 2};
    GaugeSet{k, s}.prox(z.data());
    CHECK(z.hasNaN());
    z = {1, 2};
    SupportSet{k, s}.prox(z.data());
    CHECK(z.hasNaN());
    z = {0, 0};
    GaugeSet{k, s}.prox(z.data());
    CHECK(z.hasNaN());
    CHECK_FALSE(GaugeSet{k, s}.contains(z.data()));
    CHECK_FALSE(SupportSet{k, s}.contains(z.data()));
    CHECK(std::isnan(SupportSet{k, s}.gauge(z.data())));
  }
  z = {1, 2};
  GaugeSet{broken, 1}.prox(z.data());
  CHECK(z.hasNaN());
  z = {std::nan(""), 2};
  GaugeSet{k, 1}.prox(z.data());
  CHECK(z.hasNaN());
  z = {std::nan(""), 2};
  SupportSet{k, 1}.prox(z.data());
  CHECK(z.hasNaN());
  // A kernel that answers nothing.
  const nsm_kernel mute = [](const nsm_view*, double* out) { std::fill_n(out, 7, std::nan("")); };
  z = {1, 2};
  GaugeSet{{mute, good, 2, 2}, 1}.prox(z.data());
  CHECK(z.hasNaN());
  z = {1, 2};
  SupportSet{{mute, good, 2, 2}, 1}.prox(z.data());
  CHECK(z.hasNaN());
}

TEST_CASE("sets by functions: extreme magnitudes and needles") {
  const double axes[] = {1, 2};
  const HomogeneousFunction k{functions::ellipsoid_gauge<2>, axes, 2, 2},
      Phi{functions::ellipsoid_support<2>, axes, 2, 2};
  for (const double scale : {1e-250, 1e-150, 1e150, 1e250}) {
    Vector2d z = scale * Vector2d(3, 4), w = z, reference(3, 4);
    GaugeSet{k, 1}.prox(reference.data());
    GaugeSet{k, scale}.prox(z.data());
    CHECK((z / scale - reference).norm() <= 1e-14);
    SupportSet{Phi, scale}.prox(w.data());
    CHECK((w / scale - reference).norm() <= 1e-14);
  }
  Vector2d z(inf, 1);
  GaugeSet{k, 1}.prox(z.data());
  CHECK((z - Vector2d(1, 0)).norm() <= 1e-15);
  z = {1, -inf};
  SupportSet{Phi, 1}.prox(z.data());
  CHECK((z - Vector2d(0, -2)).norm() <= 1e-15);
}
