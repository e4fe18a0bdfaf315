// Flats of sets by functions, where they are known.
#include "runtime/sets/flats.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <numbers>
#include <vector>

#include "tests/unit/runtime/function_sets.hpp"

using namespace nsmc::rt;
using std::numbers::pi;

namespace {

std::vector<Flat> flats_of(std::uint32_t kind, nsm_kernel function, const std::vector<double>& arguments) {
  nsm_set set = functions::plain_set(kind, 2, static_cast<std::uint32_t>(arguments.size()));
  set.function = function;
  std::vector<Flat> flats;
  REQUIRE(find_flats({&set, arguments.data()}, flats));
  return flats;
}

void check_axes(const std::vector<Flat>& flats, double half) {
  REQUIRE(flats.size() == 4);
  for (int k = 0; k < 4; ++k) {  // the axis -x may be at -pi or at pi
    CHECK(std::abs(std::remainder(flats[k].normal, pi / 2)) <= 1e-14);
    CHECK(flats[k].half >= half / 2);
    CHECK(flats[k].half <= 2 * half);
  }
}

}  // namespace

TEST_CASE("flats: none on smooth sets, however slim") {
  CHECK(flats_of(NSM_SET_GAUGE, functions::ellipsoid_gauge<2>, {1, 1, 1}).empty());
  CHECK(flats_of(NSM_SET_GAUGE, functions::ellipsoid_gauge<2>, {1, 30, 1}).empty());
  CHECK(flats_of(NSM_SET_SUPPORT, functions::ellipsoid_support<2>, {1, 1, 30}).empty());
  CHECK(flats_of(NSM_SET_GAUGE, functions::superellipsoid_gauge<2>, {1, 1, 2, 1.5}).empty());
}

TEST_CASE("flats: of a rectangle and of a rhombus") {
  check_axes(flats_of(NSM_SET_SUPPORT, functions::box_support<2>, {1, 1, 2}), flat_angle);
  const std::vector<Flat> diamond = flats_of(NSM_SET_GAUGE, functions::diamond_gauge<2>, {1, 1, 2});
  REQUIRE(diamond.size() == 4);
  const double first = std::atan2(1, 2);  // |x| + |y|/2 <= 1: normals (2, 1), ...
  const double normals[] = {first - pi, -first, first, pi - first};
  for (int k = 0; k < 4; ++k) {
    CHECK(std::abs(diamond[k].normal - normals[k]) <= 1e-14);
    CHECK(diamond[k].half == flat_angle);
  }
}

TEST_CASE("flats: bends of superellipses are as wide as their exponent says") {
  // x(phi) = phi^p, p = 1/(s - 1), to leading order for unit semi-axes: the chord from phi to 2 phi is (2^p - 1) phi^p,
  // and 1e4 times the size 2 times phi at the end of the bend.
  for (const double s : {3.0, 4.0, 10.0}) {
    CAPTURE(s);
    const double p = 1 / (s - 1);
    check_axes(flats_of(NSM_SET_GAUGE, functions::superellipsoid_gauge<2>, {1, 1, 1, s}),
               std::pow((std::pow(2, p) - 1) / 2e4, 1 / (1 - p)) * std::sqrt(2.0));
  }
}

TEST_CASE("flats: none without a set") {
  nsm_set set = functions::plain_set(NSM_SET_GAUGE, 2, 3);
  set.function = functions::ellipsoid_gauge<2>;
  const double arguments[] = {1, std::nan(""), 1};
  std::vector<Flat> flats;
  CHECK(!find_flats({&set, arguments}, flats));
}

TEST_CASE("flats: who asks to stop does not wait for all of them") {
  nsm_set set = functions::plain_set(NSM_SET_GAUGE, 2, 3);
  int calls = 0;
  static int* counted;
  counted = &calls;
  set.function = [](const nsm_view* view, double* out) {
    ++*counted;
    functions::ellipsoid_gauge<2>(view, out);
  };
  const double arguments[] = {1, 1, 2};
  std::vector<Flat> flats;
  std::atomic<bool> stop{false};
  CHECK(find_flats({&set, arguments}, flats, &stop));
  const int all = calls;
  calls = 0;
  stop = true;
  CHECK_FALSE(find_flats({&set, arguments}, flats, &stop));
  CHECK(calls < all / 100);
}
