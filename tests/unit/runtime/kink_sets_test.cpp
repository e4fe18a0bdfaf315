// Projections on sets that mix curvature and kinks, against a reference in long double; build/bench/projections looks
// at many more points.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "runtime/sets/by_function/gauge_set.hpp"
#include "runtime/sets/by_function/nearest_by_cuts.hpp"
#include "runtime/sets/by_function/quad_vector.hpp"
#include "runtime/sets/by_function/support_set.hpp"
#include "tests/kink_families/kink_families.hpp"

using namespace nsmc::rt;
using kink_families::by_gauge;
using kink_families::Direction;
using kink_families::Family;
using kink_families::for_each_point;

namespace {

template <int n>
int prox(Given given, const HomogeneousFunction& f, Direction<n>& z) {
  return given == by_gauge ? GaugeSet{f, 1}.prox(z.data()) : SupportSet{f, 1}.prox(z.data());
}

struct Tally {
  double error = 0, again = 0, expansion = 0;
  int evaluations = 0, from_right = 0, from_wrong = 0;
};

template <int n>
void check(const Family& family, int sets, Tally& tally) {
  std::mt19937 generator(5);
  std::normal_distribution<double> normal;
  for_each_point<n>(family, sets, 99,
                    [&](const HomogeneousFunction& f, const auto& y, const auto& nearest, double size) {
                      Direction<n> z = y, step, beside = y;
                      const int evaluations = prox<n>(family.asked(), f, z);
                      for (int i = 0; i < n; ++i) beside[i] += step[i] = 1e-6 * normal(generator);
                      prox<n>(family.asked(), f, beside);
                      Direction<n> again = z;
                      prox<n>(family.asked(), f, again);
                      CHECK(z.allFinite());
                      tally.evaluations = std::max(tally.evaluations, evaluations);
                      tally.error = std::max(tally.error, (z - nearest).norm() / size);
                      tally.again = std::max(tally.again, (again - z).norm() / size);
                      tally.expansion = std::max(tally.expansion, ((beside - z).norm() - step.norm()) / size);
                    });
}

template <int n>
void check_cuts(const Family& family, Tally& tally) {
  for_each_point<n>(family, n < 5 ? 2 : 1, 7,
                    [&](const HomogeneousFunction& f, const auto& y, const auto& nearest, double size) {
                      // x, as a part of the right answer: none at all, the right one, wrong ones.
                      const auto find = [&](double part, int& most) {
                        Direction<n> x = part * nearest;
                        int evaluations = 0;
                        REQUIRE(nearest_by_cuts(f, family.asked(), y.data(), x.data(), evaluations));
                        tally.error = std::max(tally.error, (x - nearest).norm() / size);
                        most = std::max(most, evaluations / ((n + 1) * (n + 1)));
                      };
                      find(std::numeric_limits<double>::quiet_NaN(), tally.evaluations);
                      if (n > 3) return;
                      find(1, tally.from_right);
                      find(1 + 1e-9, tally.from_wrong);
                      find(0, tally.from_wrong);
                    });
}

}  // namespace

TEST_CASE("kinks and curvature: prox against long double, idempotent, not expansive") {
  for (const Family& family : kink_families::all) {
    const int sets = family.root ? 1 : family.s == 2 ? 12 : 2;
    Tally tally;
    if (family.kind != Family::disc) check<2>(family, 4 * sets, tally);
    if (!family.is_polar() || (family.s >= 2 && family.s <= 4)) check<3>(family, sets, tally);
    if (!family.is_polar()) check<4>(family, sets, tally);
    if (!family.root) {
      check<5>(family, sets, tally);
      check<6>(family, sets, tally);
    }
    CAPTURE(std::string(family.name));
    CHECK(tally.error <= 1e-12);
    CHECK(tally.again <= 1e-12);
    CHECK(tally.expansion <= 2e-12);
    CHECK(tally.evaluations <= 4000);
  }
}

TEST_CASE("nearest point by cuts: whatever the function looks like") {
  Tally tally;
  for (const Family& family : kink_families::all) {
    if (family.is_polar()) continue;
    if (family.kind != Family::disc) check_cuts<2>(family, tally);
    check_cuts<3>(family, tally);
    if (!family.root) check_cuts<5>(family, tally);
  }
  CHECK(tally.error <= 2e-13);
  // Over (n + 1)^2.
  CHECK(tally.evaluations <= 60);
  CHECK(tally.from_right <= 40);
  CHECK(tally.from_wrong <= 80);
}

TEST_CASE("nearest point by cuts: kinks at the very start, points inside, no answers") {
  // |v_1| + |v_2| + |v_3| as sqrt(v^2): no gradient where a coordinate vanishes.
  const auto box = [](const nsm_quad_view* view, nsm_quad* out) {
    out[0] = 0;
    for (int i = 0; i < 3; ++i) {
      const nsm_quad root = nsmc::rt::root(view->lambda[i] * view->lambda[i]);
      out[0] += root;
      out[1 + i] = view->lambda[i] / root;
    }
  };
  HomogeneousFunction f{nullptr, nullptr, 0, 3, box};
  double x[3] = {};
  int evaluations = 0;
  const double far[] = {5, 0, 0.25}, inside[] = {0.5, 0, 0};
  REQUIRE(nearest_by_cuts(f, Given::by_support, far, x, evaluations));
  CHECK(x[0] == doctest::Approx(1).epsilon(1e-12));
  CHECK(std::abs(x[1]) <= 1e-12);
  CHECK(x[2] == doctest::Approx(0.25).epsilon(1e-12));
  REQUIRE(nearest_by_cuts(f, Given::by_support, inside, x, evaluations));
  CHECK(x[0] == doctest::Approx(0.5).epsilon(1e-12));
  // As a gauge it is the octahedron.
  REQUIRE(nearest_by_cuts(f, Given::by_gauge, far, x, evaluations));
  CHECK(x[0] == doctest::Approx(1).epsilon(1e-12));
  CHECK(std::abs(x[2]) <= 1e-12);
  f.precise = [](const nsm_quad_view*, nsm_quad* out) { out[0] = out[1] = out[2] = out[3] = 0 / nsm_quad(0); };
  CHECK_FALSE(nearest_by_cuts(f, Given::by_support, far, x, evaluations));
  f.precise = nullptr;
  CHECK_FALSE(nearest_by_cuts(f, Given::by_support, far, x, evaluations));
}

// k is the largest v . d for all gradients v, wherever they are from. Second derivatives of Phi that are rounding, at
// the ridges of exponents below 2, must not lead away from it.
TEST_CASE("gauges of support functions: every gradient is a bound below in all directions") {
  constexpr int n = 3;
  std::mt19937 generator(3);
  std::normal_distribution<double> normal;
  for (const Family& family : kink_families::all) {
    if (!family.is_polar()) continue;
    CAPTURE(std::string(family.name));
    const kink_families::Member<n> member(family, 1, generator);
    const HomogeneousFunction k = member.function(family);
    std::vector<QuadVector> d, v;
    std::vector<Quad> value;
    for (int number = 0; number < 60; ++number) {
      Direction<n> own;  // beside a ridge
      for (double& x : own)
        x = normal(generator) * std::pow(10, -8 * (number % 3 == 0 ? 0 : std::abs(normal(generator))));
      const Direction<n> there = member.R * own;
      QuadVector at{}, g;
      std::copy_n(there.data(), n, at.v);
      Quad here = 0;
      REQUIRE(look_precisely(k, at, length(at, n), here, g));
      d.push_back(at);
      v.push_back(g);
      value.push_back(here);
    }
    Quad missed = 0;
    for (std::size_t i = 0; i < d.size(); ++i) {
      for (const QuadVector& other : v) missed = std::max(missed, (dot(other, d[i], n) - value[i]) / value[i]);
    }
    CHECK(missed <= 1e-26);
  }
}
