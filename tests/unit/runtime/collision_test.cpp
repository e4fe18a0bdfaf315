// How convex solids touch, against all pairs of features one by one, against sampled points, and against finite
// differences; what must not depend on order and place; and positions where features coincide.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "runtime/collision/closest.hpp"
#include "runtime/collision/convex_hull.hpp"
#include "runtime/collision/touch.hpp"

using namespace nsmc::rt::collision;

namespace {

struct Solid {
  std::vector<double> hull;
  double radius = 0;
  Vec centre{0, 0, 0};
  Frame frame{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
};

Solid box(Vec half, Vec centre = {0, 0, 0}) {
  Solid s;
  s.hull.resize(box_numbers);
  write_box(half, s.hull.data());
  s.centre = centre;
  return s;
}

Solid capsule(double radius, double half, Vec centre = {0, 0, 0}) {
  Solid s;
  s.hull.resize(segment_numbers);
  write_segment(half, s.hull.data());
  s.radius = radius;
  s.centre = centre;
  return s;
}

Solid ball(double radius, Vec centre = {0, 0, 0}) {
  Solid s;
  s.hull.resize(point_numbers);
  write_point(s.hull.data());
  s.radius = radius;
  s.centre = centre;
  return s;
}

// A pyramid on a pentagon: faces of three and of five corners.
Solid pyramid() {
  std::vector<Vec> corners;
  for (int k = 0; k < 5; ++k)
    corners.push_back({std::cos(1.2566370614359172 * k), std::sin(1.2566370614359172 * k), -0.4});
  corners.push_back({0.1, 0.05, 0.8});
  std::vector<std::vector<int>> faces{{4, 3, 2, 1, 0}};
  for (int k = 0; k < 5; ++k) faces.push_back({k, (k + 1) % 5, 5});
  Solid s;
  s.hull = hull_of_faces(corners, faces);
  return s;
}

Frame turned(Vec axis, double angle, const Frame& f = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}) {
  const Vec a = unit(axis);
  const auto turn = [&](Vec v) {
    return std::cos(angle) * v + std::sin(angle) * cross(a, v) + (1 - std::cos(angle)) * dot(a, v) * a;
  };
  return {turn(f.x), turn(f.y), turn(f.z)};
}

Placed place(const Solid& s, Vec origin) { return {s.hull.data(), s.radius, s.centre, s.frame, origin}; }

Touch touch_of(const Solid& a, const Solid& b) {
  const auto pa = std::make_unique<Placed>(place(a, a.centre)), pb = std::make_unique<Placed>(place(b, a.centre));
  return touch(*pa, *pb);
}

// Signed distance of two polytopes by all their features.
double by_all_features(const Solid& sa, const Solid& sb) {
  const auto pa = std::make_unique<Placed>(place(sa, {0, 0, 0})), pb = std::make_unique<Placed>(place(sb, {0, 0, 0}));
  const Placed &a = *pa, &b = *pb;
  std::vector<Vec> axes;
  for (int f = 0; f < a.hull.n_faces(); ++f) axes.push_back(-a.normals[f]);
  for (int f = 0; f < b.hull.n_faces(); ++f) axes.push_back(b.normals[f]);
  const auto direction = [](const Placed& s, int e) {
    return s.corners[s.hull.edge(e, 1)] - s.corners[s.hull.edge(e, 0)];
  };
  for (int e = 0; e < a.hull.n_edges(); ++e) {
    for (int f = 0; f < b.hull.n_edges(); ++f) {
      const Vec n = cross(direction(a, e), direction(b, f));
      if (norm(n) < 1e-6) continue;
      axes.push_back(unit(n));
      axes.push_back(-unit(n));
    }
  }
  double most = -std::numeric_limits<double>::infinity();
  for (const Vec n : axes) {
    double low = 1e300, high = -1e300;
    for (int i = 0; i < a.hull.n_corners(); ++i) low = std::min(low, dot(n, a.corners[i]));
    for (int i = 0; i < b.hull.n_corners(); ++i) high = std::max(high, dot(n, b.corners[i]));
    most = std::max(most, low - high);
  }
  if (most <= 0) return most - a.radius - b.radius;
  double least = 1e300;
  const auto on_segment = [](Vec p, Vec v, Vec d) {
    return norm(p - (v + std::clamp(dot(p - v, d) / dot(d, d), 0.0, 1.0) * d));
  };
  const auto corner_on = [&](const Placed& s, const Placed& t) {
    for (int i = 0; i < s.hull.n_corners(); ++i) {
      for (int f = 0; f < t.hull.n_faces(); ++f) {
        const Vec p = s.corners[i], n = t.normals[f];
        const double h = dot(n, p) - t.offsets[f];
        bool inside = h > 0;
        for (int k = 0; k < t.hull.face_size(f); ++k) {
          const Vec v = t.corners[t.hull.cycle(f, k)], w = t.corners[t.hull.cycle(f, (k + 1) % t.hull.face_size(f))];
          inside = inside && dot(cross(n, w - v), p - v) >= 0;
        }
        if (inside) least = std::min(least, h);
      }
      for (int e = 0; e < t.hull.n_edges(); ++e)
        least = std::min(least, on_segment(s.corners[i], t.corners[t.hull.edge(e, 0)], direction(t, e)));
    }
  };
  corner_on(a, b);
  corner_on(b, a);
  for (int e = 0; e < a.hull.n_edges(); ++e) {
    for (int f = 0; f < b.hull.n_edges(); ++f) {
      const Vec u = direction(a, e), w = direction(b, f), n = cross(u, w);
      const Vec p = a.corners[a.hull.edge(e, 0)], q = b.corners[b.hull.edge(f, 0)];
      if (norm(n) < 1e-9) continue;
      const double s = dot(cross(q - p, w), n) / dot(n, n), t = dot(cross(q - p, u), n) / dot(n, n);
      if (s >= 0 && s <= 1 && t >= 0 && t <= 1) least = std::min(least, std::abs(dot(unit(n), p - q)));
    }
  }
  return least - a.radius - b.radius;
}

struct Chance {
  std::mt19937 engine{7};
  double in(double a, double b) { return std::uniform_real_distribution<double>(a, b)(engine); }
  Vec vec(double r) { return {in(-r, r), in(-r, r), in(-r, r)}; }
  Solid solid(int kind) {
    Solid s = kind == 0   ? box({in(0.1, 1), in(0.1, 1), in(0.1, 1)})
              : kind == 1 ? capsule(in(0.1, 0.5), in(0.1, 1))
              : kind == 2 ? ball(in(0.1, 0.7))
                          : pyramid();
    s.frame = turned(vec(1), in(0, 6));
    s.centre = vec(1.6);
    return s;
  }
};

// How far p is outside of the solid: 0 on its surface.
double outside(const Solid& s, Vec p) {
  Solid dot_at = ball(0, p);
  return touch_of(dot_at, s).distance;
}

}  // namespace

TEST_CASE("solids: the distance is that of all features one by one, apart and overlapping") {
  Chance chance;
  int apart = 0, overlapping = 0;
  for (int k = 0; k < 4000; ++k) {
    const Solid a = chance.solid(k % 4), b = chance.solid(k / 4 % 4);
    const double expected = by_all_features(a, b);
    if ((a.hull[0] <= 2 && b.hull[0] <= 2) && expected < -a.radius - b.radius + 1e-6) continue;  // lines that cross
    const Touch found = touch_of(a, b);
    CAPTURE(k);
    CHECK(found.distance == doctest::Approx(expected).epsilon(1e-12).scale(1));
    CHECK(norm(found.n) == doctest::Approx(1).epsilon(1e-14));
    ++(expected > 0 ? apart : overlapping);
  }
  CHECK(apart > 1000);
  CHECK(overlapping > 400);
}

TEST_CASE("solids: points lie on both surfaces, gap apart along their normals") {
  Chance chance;
  int close = 0;
  for (int k = 0; k < 3000; ++k) {
    const Solid a = chance.solid(k % 4), b = chance.solid(k / 4 % 4);
    const Touch found = touch_of(a, b);
    CAPTURE(k);
    REQUIRE(found.n_points >= 1);
    REQUIRE(found.n_points <= most_points);
    double least = 1e300;
    for (int i = 0; i < found.n_points; ++i) {
      const Point& p = found.points[i];
      least = std::min(least, p.gap);
      CHECK(norm(p.p1 - p.p2 - p.gap * p.n) < 1e-12);
      // Far above the closest point it may be inside, as the upper end of a capsule that stands; deep, the other way
      // out.
      if (p.gap > found.distance + (b.hull[0] == 2 ? 1e-9 : 0.005) || std::abs(found.distance) > 0.1) continue;
      CHECK(dot(p.n, found.n) > 0.99);
      ++close;
      CHECK(std::abs(outside(a, a.centre + p.p1)) < 1e-9 + 2e-3 * std::abs(p.gap));
      CHECK(std::abs(outside(b, a.centre + p.p2)) < 1e-9 + 2e-3 * std::abs(p.gap));
    }
    if (found.distance > 0) {
      const double core = found.distance + a.radius + b.radius;
      CHECK(std::abs(least - found.distance) < 2.1e-3 * core + 1e-9);
    }
  }
  CHECK(close > 50);
}

TEST_CASE("solids: the order of the two does not matter, nor where they are together") {
  Chance chance;
  for (int k = 0; k < 1000; ++k) {
    Solid a = chance.solid(k % 4), b = chance.solid(k / 4 % 4);
    const Touch one = touch_of(a, b), other = touch_of(b, a);
    CAPTURE(k);
    CHECK(one.distance == doctest::Approx(other.distance).epsilon(1e-12).scale(1));
    CHECK(norm(one.n + other.n) < 1e-9);
    CHECK(one.n_points == other.n_points);
    const Vec axis = chance.vec(1), shift = chance.vec(10);
    const double angle = chance.in(0, 6);
    const Frame turn = turned(axis, angle);
    for (Solid* s : {&a, &b}) {
      s->centre = shift + turn * s->centre;
      s->frame = turned(axis, angle, s->frame);
    }
    const Touch moved = touch_of(a, b);
    CHECK(moved.distance == doctest::Approx(one.distance).epsilon(1e-11).scale(1));
    CHECK(norm(moved.n - turn * one.n) < 1e-9);
    REQUIRE(moved.n_points == one.n_points);
    for (int i = 0; i < one.n_points; ++i) {
      CHECK(moved.points[i].key == one.points[i].key);
      CHECK(norm(moved.points[i].p1 - turn * one.points[i].p1) < 1e-8);
    }
  }
}

TEST_CASE("solids: faces on faces, corners on corners, edges on edges, one place for two") {
  const double h = 0.5;
  SUBCASE("a box on an equal box has four points, however little it leans or sinks") {
    for (const double lean : {0.0, 1e-15, -1e-12, 1e-9, 1e-6}) {
      for (const double sunk : {0.0, 1e-16, 1e-10, 1e-6}) {
        Solid upper = box({h, h, h}, {0, 0, 1 - sunk});
        upper.frame = turned({1, 0.3, 0}, lean);
        const Touch found = touch_of(upper, box({h, h, h}));
        CHECK(found.n_points == 4);
        CHECK(norm(found.n - Vec{0, 0, 1}) < 2e-6);
        CHECK(std::abs(found.distance + sunk) < 1e-6);
      }
    }
  }
  SUBCASE("keys stay while the same features touch") {
    Solid upper = box({0.3, 0.2, 0.1}, {0.45, 0.1, 0.6 - 1e-7});
    upper.frame = turned({0, 0, 1}, 0.3);
    const Touch before = touch_of(upper, box({h, h, h}));
    upper.centre = {0.451, 0.101, 0.6 - 2e-7};
    const Touch after = touch_of(upper, box({h, h, h}));
    REQUIRE(before.n_points == after.n_points);
    CHECK(before.n_points >= 4);
    for (int i = 0; i < before.n_points; ++i) {
      CHECK(before.points[i].key == after.points[i].key);
      CHECK(norm(before.points[i].p1 - after.points[i].p1) < 0.01);
    }
  }
  SUBCASE("corner to corner, edge to edge") {
    const Touch corner = touch_of(box({h, h, h}, {1, 1, 1}), box({h, h, h}));
    CHECK(std::abs(corner.distance) < 1e-15);
    CHECK(corner.n_points >= 1);
    const Touch edge = touch_of(box({h, h, h}, {1, 0, 1}), box({h, h, h}));
    CHECK(std::abs(edge.distance) < 1e-15);
    CHECK(edge.n_points >= 1);
    CHECK(norm(edge.n - Vec{0, 0, 1}) < 1e-12);  // what looks up counts
  }
  SUBCASE("edges that cross have one point") {
    Solid upper = box({h, h, h}, {0, 0, 2 * h * std::sqrt(2) - 1e-3});
    upper.frame = turned({0, 0, 1}, 1.5707963267948966, turned({1, 0, 0}, 0.7853981633974483));
    Solid lower = box({h, h, h});
    lower.frame = turned({1, 0, 0}, 0.7853981633974483);
    const Touch found = touch_of(upper, lower);
    CHECK(found.n_points == 1);
    CHECK(found.distance == doctest::Approx(-1e-3).epsilon(1e-10));
    CHECK(norm(found.n - Vec{0, 0, 1}) < 1e-12);
    CHECK(norm(found.points[0].p2 - Vec{0, 0, -h * std::sqrt(2) + 1e-3}) < 1e-9);
  }
  SUBCASE("in the same place") {
    const Touch boxes = touch_of(box({0.5, 0.4, 0.3}), box({0.5, 0.4, 0.3}));
    CHECK(boxes.distance == doctest::Approx(-0.6));
    CHECK(norm(boxes.n) == doctest::Approx(1));
    CHECK(std::abs(boxes.n.z) == doctest::Approx(1));
    const Touch balls = touch_of(ball(0.2), ball(0.3));
    CHECK(balls.distance == doctest::Approx(-0.5));
    CHECK(balls.n.z == 1);
    const Touch capsules = touch_of(capsule(0.2, 1), capsule(0.1, 1));
    CHECK(capsules.distance == doctest::Approx(-0.3));
    CHECK(norm(capsules.n) == doctest::Approx(1));
    for (int i = 0; i < capsules.n_points; ++i) CHECK(std::isfinite(capsules.points[i].gap));
  }
}

TEST_CASE("solids: capsules that lie on each other, across, and on a box") {
  Solid a = capsule(0.1, 1, {0, 0, 0.2}), b = capsule(0.1, 1);
  a.frame = b.frame = turned({0, 1, 0}, 1.5707963267948966);
  Touch found = touch_of(a, b);
  CHECK(found.n_points == 2);  // ends in one place are one contact
  CHECK(std::abs(found.distance) < 1e-15);
  a.centre.x = 0.5;
  found = touch_of(a, b);
  CHECK(found.n_points == 2);
  CHECK(norm(found.n - Vec{0, 0, 1}) < 1e-12);
  a.frame = turned({0, 1, 0}, 1.5707963267948966 + 1e-7);  // leans: both ends still
  CHECK(touch_of(a, b).n_points >= 2);
  a.frame = turned({1, 0, 0}, 1.5707963267948966);  // across
  found = touch_of(a, b);
  double least = 1;
  for (int i = 0; i < found.n_points; ++i) least = std::min(least, found.points[i].gap);
  CHECK(std::abs(least) < 1e-15);
  // Longer than the box: over two edges of its face.
  Solid across_box = capsule(0.1, 1, {0, 0, 0.6 - 1e-6});
  across_box.frame = turned({0, 1, 0}, 1.5707963267948966 + 1e-4);
  found = touch_of(across_box, box({0.5, 0.5, 0.5}));
  REQUIRE(found.n_points == 2);
  CHECK(std::min(found.points[0].gap, found.points[1].gap) ==
        doctest::Approx(found.distance).epsilon(1e-9).scale(1e-3));
}

TEST_CASE("solids: a convex hull has the corners and faces that it has, and nothing of what is inside") {
  Chance chance;
  std::vector<Vec> points;  // a cube, its middle, points of its faces and edges, a corner twice
  for (int k = 0; k < 8; ++k) points.push_back({k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, k & 4 ? 1.0 : -1.0});
  for (const Vec v : {Vec{0, 0, 0}, Vec{1, 0, 0.3}, Vec{1, 1, 0}, Vec{-1, -1, -1}}) points.push_back(v);
  std::shuffle(points.begin(), points.end(), chance.engine);
  const std::vector<double> row = convex_hull(points);
  REQUIRE_FALSE(row.empty());
  const Hull cube(row.data());
  CHECK(cube.n_corners() == 8);
  CHECK(cube.n_faces() == 6);
  CHECK(cube.n_edges() == 12);
  CHECK(cube.size() == static_cast<int>(row.size()));
  for (int turn = 0; turn < 20; ++turn) {
    points.clear();
    for (int k = 0; k < 40; ++k) points.push_back(chance.vec(1));
    const std::vector<double> random = convex_hull(points);
    const Hull hull(random.data());
    CHECK(hull.n_corners() - hull.n_edges() + hull.n_faces() == 2);  // Euler
    for (int f = 0; f < hull.n_faces(); ++f) {
      const double offset = dot(hull.normal(f), hull.corner(hull.cycle(f, 0)));
      for (const Vec p : points) CHECK(dot(hull.normal(f), p) <= offset + 1e-12);
    }
  }
  CHECK(convex_hull(std::vector<Vec>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}).empty());
  CHECK(convex_hull(std::vector<Vec>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}).empty());
  // A box by its corners is the box.
  Solid solid = box({0.3, 0.2, 0.1}), other = box({0.3, 0.2, 0.1}, {0.4, 0.3, 0.15});
  other.frame = turned({1, 2, 3}, 1);
  const double distance = touch_of(solid, other).distance;
  points.clear();
  for (int k = 0; k < 8; ++k) points.push_back({k & 1 ? 0.3 : -0.3, k & 2 ? 0.2 : -0.2, k & 4 ? 0.1 : -0.1});
  solid.hull = convex_hull(points);
  CHECK(touch_of(solid, other).distance == doctest::Approx(distance).epsilon(1e-13));
}

TEST_CASE("solids: how points wander when solids move, against differences") {
  Chance chance;
  int looked_at = 0;
  for (int k = 0; k < 600; ++k) {
    const Solid a = chance.solid(k % 4), b = chance.solid(k / 4 % 4);
    const Touch found = touch_of(a, b);
    if (std::abs(found.distance) > 0.3 || found.n_points > 4) continue;
    for (int i = 0; i < found.n_points; ++i) {
      const Point& p = found.points[i];
      const Slopes exact = slopes(p, {0, 0, 0}, a.radius, b.centre - a.centre, b.radius);
      for (int motion = 0; motion < 12; ++motion) {
        const double eps = 1e-6;
        const Vec axis{motion % 3 == 0 ? 1.0 : 0, motion % 3 == 1 ? 1.0 : 0, motion % 3 == 2 ? 1.0 : 0};
        Touch sides[2];
        for (const int side : {0, 1}) {
          Solid moved[2] = {a, b};
          Solid& s = moved[motion / 6];
          const double by = side == 0 ? eps : -eps;
          if (motion / 3 % 2 == 0) {
            s.centre = s.centre + by * axis;
          } else {
            s.frame = turned(axis, by, s.frame);
          }
          sides[side] = touch_of(moved[0], moved[1]);
          // seen from where the first solid was
          for (int j = 0; j < sides[side].n_points; ++j) {
            sides[side].points[j].p1 = sides[side].points[j].p1 + moved[0].centre - a.centre;
            sides[side].points[j].p2 = sides[side].points[j].p2 + moved[0].centre - a.centre;
          }
        }
        if (sides[0].n_points != found.n_points || sides[1].n_points != found.n_points) continue;
        if (sides[0].points[i].key != p.key || sides[1].points[i].key != p.key) continue;
        // Where a feature ends, one side is another one, and the two halves differ.
        const auto rate = [&](auto&& of) { return 0.5 / eps * (of(sides[0].points[i]) - of(sides[1].points[i])); };
        const auto half = [&](auto&& of) { return 1 / eps * (of(sides[0].points[i]) - of(p)); };
        const auto column = [&](int first) {
          return Vec{exact.of[first][motion], exact.of[first + 1][motion], exact.of[first + 2][motion]};
        };
        const auto compare = [&](auto&& of, int first) {
          if (norm(rate(of) - half(of)) > 1e-3 * (1 + norm(rate(of)))) return;
          CAPTURE(k);
          CAPTURE(i);
          CAPTURE(motion);
          CAPTURE(first);
          CHECK(norm(rate(of) - column(first)) < 2e-4 * (1 + norm(rate(of))));
          ++looked_at;
        };
        compare([](const Point& q) { return q.n; }, 0);
        compare([](const Point& q) { return q.p1; }, 3);
        compare([](const Point& q) { return q.p2; }, 6);
      }
    }
  }
  CHECK(looked_at > 5000);
}
