// Projections on sets as users write them by functions, against answers that are known by construction;
// build/bench/projections looks at many more points.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "runtime/sets/by_function/gauge_set.hpp"
#include "runtime/sets/by_function/support_set.hpp"
#include "tests/set_families/set_families.hpp"

using namespace nsmc::rt;
using set_families::Asked;
using set_families::Family;
using set_families::Sample;
using set_families::Vector;

namespace {

constexpr double distances[] = {1e-9, 1e-6, 1e-4, 1e-2, 0.5, 10, 1e3, 1e6};

}  // namespace

TEST_CASE("kinks and curvature: exact in the plane, to 1e-9 beyond, and residuals tell") {
  std::mt19937 generator(5);
  std::normal_distribution<double> normal;
  for (const Family& family : set_families::families) {
    CAPTURE(std::string(family.name));
    for (int n = 2; n <= 6; ++n) {
      if (family.asked == Asked::polar && n > 3) continue;
      CAPTURE(n);
      const double allowed = n == 2 ? 1e-12 : 1e-9;
      const int rounds = family.asked == Asked::itself ? 4 : 1;
      int open = 0;
      double error = 0, again = 0, expansion = 0;
      for (int number = 0; number < 8 * rounds; ++number) {
        const Sample s = set_families::sample(family, n, distances[number % 8], generator);
        Vector z = s.y, beside = s.y, step(n);
        const double residual = s.set.prox(z);
        for (double& value : step) value = 1e-6 * normal(generator);
        beside += step;
        s.set.prox(beside);
        Vector twice = z;
        s.set.prox(twice);
        const double missed = (z - s.nearest).norm();
        if (residual > 1e-9 * s.size) ++open;
        CHECK(missed <= 10 * residual + 1e-10 * s.size);
        error = std::max(error, missed / s.size);
        again = std::max(again, (twice - z).norm() / s.size);
        expansion = std::max(expansion, ((beside - z).norm() - step.norm()) / s.size);
      }
      CHECK(error <= allowed);
      CHECK(again <= allowed);
      CHECK(expansion <= 2 * allowed);
      CHECK(open <= rounds);
    }
  }
}

TEST_CASE("kinks and curvature: points inside stay as they are") {
  std::mt19937 generator(6);
  for (const Family& family : set_families::families) {
    CAPTURE(std::string(family.name));
    for (int n = 2; n <= (family.asked == Asked::polar ? 2 : 6); ++n) {
      for (const double depth : {0.5, 1e-2, 1e-6}) {
        const Sample s = set_families::sample(family, n, 1, generator);
        const Vector below = s.nearest * (1 - depth);
        Vector z = below;
        s.set.prox(z);
        CHECK((z - below).norm() == 0);
      }
    }
  }
}

// Curvature without bounds along directions that are not the axes is beyond what is promised; but it ends.
TEST_CASE("exotic sets: projections end after a bounded number of evaluations, with a finite answer") {
  std::mt19937 generator(7);
  for (const Family& family : set_families::exotic_families) {
    CAPTURE(std::string(family.name));
    for (int n = 2; n <= 6; ++n) {
      for (const double distance : distances) {
        const Sample s = set_families::sample(family, n, distance, generator);
        Vector z = s.y;
        const HomogeneousFunction f = s.set.function();
        const int evaluations = s.set.by_gauge() ? GaugeSet{f, 1}.prox(z.data()) : SupportSet{f, 1}.prox(z.data());
        CHECK(evaluations <= 800);
        CHECK((z - s.nearest).norm() <= 1e-6 * s.size);
      }
    }
  }
}

TEST_CASE("kinks at the very start, and functions without values") {
  // |v_1| + |v_2| + |v_3| as sqrt(v^2): no gradient where a coordinate vanishes.
  const auto sum = [](const nsm_view* view, double* out) {
    std::fill_n(out, 13, 0.0);
    for (int i = 0; i < 3; ++i) {
      const double root = std::sqrt(view->lambda[i] * view->lambda[i]);
      out[0] += root;
      out[1 + i] = view->lambda[i] / root;
    }
  };
  const HomogeneousFunction f{sum, nullptr, 0, 3};
  double x[] = {5, 0, 0.25};
  SupportSet{f, 1}.prox(x);  // of the box
  CHECK(x[0] == doctest::Approx(1).epsilon(1e-12));
  CHECK(std::abs(x[1]) <= 1e-12);
  CHECK(x[2] == doctest::Approx(0.25).epsilon(1e-12));
  double y[] = {5, 0, 0.25};
  GaugeSet{f, 1}.prox(y);  // of the octahedron
  CHECK(y[0] == doctest::Approx(1).epsilon(1e-12));
  CHECK(std::abs(y[2]) <= 1e-12);
  const auto nothing = [](const nsm_view*, double* out) {
    std::fill_n(out, 13, std::numeric_limits<double>::quiet_NaN());
  };
  double z[] = {5, 0, 0.25};
  GaugeSet{{nothing, nullptr, 0, 3}, 1}.prox(z);
  CHECK(std::isnan(z[0]));
}
