// Sets by themselves: projections, gauges and support functions against what is known of them, and against each other.
#include "nsmc/sets.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "nsmc/errors.hpp"

using namespace nsmc;

namespace {

using Vector = std::vector<double>;

Vector prox(const Set& set, Vector z) {
  set.prox(z);
  return z;
}

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

}  // namespace

TEST_CASE("sets: known projections, gauges and support functions") {
  const Set disc = Set::from_text("disc(0.5)");
  CHECK(disc.dim() == 2);
  CHECK(prox(disc, {3, 4})[0] == doctest::Approx(0.3));
  CHECK(prox(disc, {3, 4})[1] == doctest::Approx(0.4));
  CHECK(prox(disc, {0.1, 0.2}) == Vector{0.1, 0.2});
  CHECK(disc.gauge(Vector{3, 4}) == doctest::Approx(10));
  CHECK(disc.support(Vector{3, 4}) == doctest::Approx(2.5));
  CHECK(disc.contains(Vector{0.3, 0.4}));
  CHECK_FALSE(disc.contains(Vector{0.31, 0.4}));

  const Set box = Set::from_text("box(1, 2, 3)");
  CHECK(box.dim() == 3);
  CHECK(prox(box, {5, -1, -9}) == Vector{1, -1, -3});
  CHECK(box.gauge(Vector{0.5, 4, 0}) == doctest::Approx(2));
  CHECK(box.support(Vector{1, -1, 2}) == doctest::Approx(9));

  const Set half = Set::from_text("nonpos");
  CHECK(half.dim() == 1);
  CHECK(prox(half, {2}) == Vector{0});
  CHECK(half.support(Vector{1}) == 0);
  CHECK(half.support(Vector{-1}) == std::numeric_limits<double>::infinity());
  CHECK(half.support(Vector{0}) == 0);

  const Set shifted = Set::from_text("disc(1) + [2, 0]");
  CHECK(prox(shifted, {5, 0}) == Vector{3, 0});
  CHECK(shifted.support(Vector{2, 0}) == doctest::Approx(6));

  const Set ellipse = Set::from_text("diag(a, 1)*disc(1)", "param a = 2");
  CHECK(ellipse.support(Vector{3, 4}) == doctest::Approx(std::hypot(6, 4)));
  CHECK(ellipse.gauge(Vector{4, 0}) == doctest::Approx(2));
}

// x = prox(z) is in the set, and (z - x) . (y - x) <= 0 for all y in it, so (z - x) . x = support(z - x); a point on
// the boundary has gauge 1, and v . x <= support(v) with equality for one of them.
TEST_CASE("sets: projection, support function, gauge and boundary belong together") {
  for (const char* text : {"ellipse(1, 2)", "superellipse(1, 2, 3)", "polygon([1, 0], [0, 2], [-1, 0], [0, -1])",
                           "disc(1) ∩ box(0.5, 2)", "contensou(2, 0.1, parabolic)", "contensou(1, 2, uniform)",
                           "cylinder(1, 2)", "product(disc(1), interval(-1, 2))", "gauge (x, y) { (x^4 + y^4)^(1/4) }",
                           "support (x, y) { sqrt(x^2 + 4*y^2) + abs(x) }", "ball(2, 3)"}) {
    CAPTURE(text);
    const Set set = Set::from_text(text);
    const std::vector<Vector> boundary = set.boundary();
    REQUIRE(boundary.size() >= 4);
    for (const Vector& x : boundary) {
      REQUIRE(x.size() == set.dim());
      CHECK(set.gauge(x) == doctest::Approx(1).epsilon(1e-6));
    }
    for (int k = 0; k < 12; ++k) {
      const double angle = 2 * std::numbers::pi * (k + 0.3) / 12;
      Vector z{3 * std::cos(angle), 4 * std::sin(angle)};
      if (set.dim() == 3) z.push_back(2 - k % 5);
      const Vector x = prox(set, z);
      Vector out = z;
      for (std::size_t i = 0; i < out.size(); ++i) out[i] -= x[i];
      CHECK(set.gauge(x) == doctest::Approx(1).epsilon(1e-6));
      CHECK(dot(out, x) == doctest::Approx(set.support(out)).epsilon(1e-6));
      double farthest = -1e300;
      for (const Vector& y : boundary) farthest = std::max(farthest, dot(z, y));
      CHECK(farthest <= set.support(z) * (1 + 1e-9));
      CHECK(farthest >= set.support(z) * 0.9);
    }
  }
}

// Against a fine sampling of the boundary, which knows nothing of how the nearest point is found.
TEST_CASE("sets: what is not convex has a nearest point where it is the only one") {
  const auto clover = [](double x, double y) {
    return 2.5 * (std::hypot(x / 3, y / 2) - 0.6 * std::pow(std::pow(x / 3, 4) + std::pow(y / 2, 4), 0.25));
  };
  const Model model = Model::open(NSMC_SOURCE_DIR "/models/slider_nonconvex.nsm");
  const Set set = Set::from_model("clover(3, 2)", model);
  CHECK_FALSE(set.convex());
  CHECK(set.boundary().size() == 120);
  for (const Vector& z : {Vector{4, 1}, Vector{1, 5}, Vector{-5, 5}, Vector{0, 50}, Vector{2.6, -1.2}}) {
    Vector best;
    double least = 1e300, widest = -1e300;
    for (int k = 0; k < 100'000; ++k) {
      const double angle = 2 * std::numbers::pi * k / 100'000, radius = 1 / clover(std::cos(angle), std::sin(angle));
      const Vector p{radius * std::cos(angle), radius * std::sin(angle)};
      if (const double d = std::hypot(p[0] - z[0], p[1] - z[1]); d < least) {
        least = d;
        best = p;
      }
      widest = std::max(widest, dot(z, p));
    }
    const Vector x = prox(set, z);
    CHECK(set.gauge(x) == doctest::Approx(1).epsilon(1e-12));
    CHECK(std::hypot(x[0] - best[0], x[1] - best[1]) < 2e-4);
    CHECK(std::hypot(x[0] - z[0], x[1] - z[1]) <= least);
    CHECK(set.support(z) == doctest::Approx(widest).epsilon(1e-8));
  }
  CHECK(prox(set, {1, 0.5}) == Vector{1, 0.5});

  const Set both = Set::from_text("union(ball(1, 3), box(0.9, 0.9, 0.2))");
  const Vector corner = prox(both, {2, 2, 0});
  CHECK(corner[0] == doctest::Approx(0.9).epsilon(1e-7));
  CHECK(corner[1] == doctest::Approx(0.9).epsilon(1e-7));
  CHECK(both.support(Vector{1, 1, 0}) == doctest::Approx(1.8));
  const Set dented = Set::from_text("polygon([1, 0], [0.2, 0.2], [0, 1], [-1, 0], [0, -1])");
  CHECK_THROWS_WITH_AS(prox(dented, {1, 1}), doctest::Contains("(0.764706, 0.0588235) and (0.0588235, 0.764706)"),
                       SettingError);
}

TEST_CASE("sets: what cannot be one") {
  CHECK_THROWS_WITH_AS(Set::from_text("disk(1)"), doctest::Contains("disk"), ModelError);
  CHECK_THROWS_WITH_AS(Set::from_text("1 + 2"), doctest::Contains("set"), ModelError);
  CHECK_THROWS_WITH_AS(
      Set::from_text("gauge (x, y, z, w) { (sqrt(abs(x)) + sqrt(abs(y)) + sqrt(abs(z)) + sqrt(abs(w)))^2 }"),
      doctest::Contains("not convex"), ModelError);
  CHECK_THROWS_AS(Set::from_text("disc(1)").gauge(Vector{1, 2, 3}), SettingError);
  CHECK_THROWS_AS(Set::from_text("ball(1, 4)").boundary(), SettingError);
  CHECK(Set::from_text("ball(1, 6)").dim() == 6);
}
