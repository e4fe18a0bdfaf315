// Pairs of shapes, rotations and joints of models/std/bodies.nsm against distances found by brute force: the surface of
// a shape is sampled, the best samples are refined. Nothing here uses the formulas of the library.
#include <algorithm>
#include <array>
#include <functional>
#include <random>

#include "run_model.hpp"

using namespace nsmc::test;

namespace {

using V = std::array<double, 3>;  // in the plane, the third component is 0

V operator+(const V& a, const V& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
V operator-(const V& a, const V& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
V operator*(double s, const V& a) { return {s * a[0], s * a[1], s * a[2]}; }
double dot(const V& a, const V& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
V cross(const V& a, const V& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double norm(const V& a) { return std::sqrt(dot(a, a)); }

constexpr double kPi = 3.14159265358979323846;

// Position, quaternion, velocity, spin in the frame of the body.
struct Pose {
  V c{};
  std::array<double, 4> e{1, 0, 0, 0};
  V v{};
  V w{};

  // By v + 2 e0 (e x v) + 2 e x (e x v), not by a matrix.
  V turn(const V& x) const {
    const V u{e[1], e[2], e[3]};
    return x + 2 * e[0] * cross(u, x) + 2.0 * cross(u, cross(u, x));
  }
  V world(const V& x) const { return c + turn(x); }
  V axis(int k) const { return turn({k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0}); }
};

// A piece of a surface: points of the shape's frame over the unit square.
using Patch = std::function<V(double, double)>;
using Surface = std::vector<Patch>;

// The least value of f over a surface.
double least(const Surface& surface, const std::function<double(const V&)>& f) {
  struct Start {
    double value, u, v;
    const Patch* patch;
  };
  std::vector<Start> starts;
  constexpr int n = 20;
  for (const Patch& patch : surface) {
    for (int i = 0; i <= n; ++i) {
      for (int j = 0; j <= n; ++j) {
        const double u = double(i) / n;
        const double v = double(j) / n;
        const V x = patch(u, v);
        if (j > 0 && x == patch(u, v - 1.0 / n)) continue;  // a curve
        starts.push_back({f(x), u, v, &patch});
      }
    }
  }
  const std::size_t kept = std::min<std::size_t>(24, starts.size());
  std::partial_sort(starts.begin(), starts.begin() + kept, starts.end(),
                    [](const Start& a, const Start& b) { return a.value < b.value; });
  starts.resize(kept);
  double best = starts[0].value;
  for (Start s : starts) {
    for (double step = 1.0 / n; step > 1e-10;) {
      bool better = false;
      for (int i = -1; i <= 1; ++i) {
        for (int j = -1; j <= 1; ++j) {
          const double u = std::clamp(s.u + i * step, 0.0, 1.0);
          const double v = std::clamp(s.v + j * step, 0.0, 1.0);
          const double value = f((*s.patch)(u, v));
          if (value < s.value) s = {value, u, v, s.patch}, better = true;
        }
      }
      if (!better) step /= 2;
    }
    best = std::min(best, s.value);
  }
  return best;
}

// The faces of the cube of half size 1, or with `upper` only what lies above z = 0.
Surface cube(bool upper = false) {
  Surface s;
  for (std::size_t k = 0; k < 3; ++k) {
    for (const double sign : {-1.0, 1.0}) {
      if (upper && k == 2 && sign < 0) continue;
      s.push_back([=](double u, double v) {
        V x;
        x[k] = sign, x[(k + 1) % 3] = 2 * u - 1, x[(k + 2) % 3] = 2 * v - 1;
        if (upper && k != 2) x[2] = (x[2] + 1) / 2;
        return x;
      });
    }
  }
  return s;
}
// The pieces have neither poles nor seams: there the search would stop.
Surface mapped(const Surface& surface, const std::function<V(const V&)>& map) {
  Surface s;
  for (const Patch& patch : surface) s.push_back([=](double u, double v) { return map(patch(u, v)); });
  return s;
}
Surface box(V h) {
  return mapped(cube(), [h](const V& x) { return V{h[0] * x[0], h[1] * x[1], h[2] * x[2]}; });
}
Surface ellipsoid(V h) {
  return mapped(cube(), [h](const V& x) { return 1 / norm(x) * V{h[0] * x[0], h[1] * x[1], h[2] * x[2]}; });
}
Surface ring(double r, double l) {  // in quarters
  Surface s;
  for (int k = 0; k < 4; ++k) {
    s.push_back([=](double u, double v) {
      const double a = kPi / 2 * (k + u);
      return V{r * std::cos(a), r * std::sin(a), (2 * v - 1) * l};
    });
  }
  return s;
}
Surface cylinder(double r, double l) {
  Surface s = ring(r, l);
  for (const double z : {-l, l}) {
    s.push_back([=](double u, double v) {
      const double x = 2 * u - 1;
      const double y = 2 * v - 1;
      return V{r * x * std::sqrt(1 - y * y / 2), r * y * std::sqrt(1 - x * x / 2), z};
    });
  }
  return s;
}
Surface capsule(double r, double l) {
  Surface s = ring(r, l);
  for (const double sign : {-1.0, 1.0}) {
    const Surface cap = mapped(cube(true), [=](const V& x) {
      const V y = r / norm(x) * x;
      return V{y[0], y[1], sign * (l + y[2])};
    });
    s.insert(s.end(), cap.begin(), cap.end());
  }
  return s;
}
Surface polygon(const std::vector<V>& corners) {
  Surface s;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const V a = corners[k];
    const V b = corners[(k + 1) % corners.size()];
    s.push_back([=](double u, double) { return a + u * (b - a); });
  }
  return s;
}

double distance(const Surface& surface, const Pose& pose, const V& p) {
  return least(surface, [&](const V& x) { return norm(pose.world(x) - p); });
}
double height(const Surface& surface, const Pose& pose, const V& c, const V& n) {
  return least(surface, [&](const V& x) { return dot(pose.world(x) - c, n); });
}

// Two free bodies in space or in the plane, and sizes a, b, c, r. Their poses are parameters.
constexpr double kStep = 1e-7;  // the error of a quotient of differences is of the order of the step

std::string two_bodies(const std::string& pair, int dim) {
  std::string s = "param a [m] = 1\nparam b [m] = 1\nparam c [m] = 1\nparam r [m] = 1\nlet h = [a, b, c]\n";
  const auto number = [](int k) { return std::to_string(k); };
  for (const std::string body : {"1", "2"}) {
    std::string position, spin, quaternion;
    for (int k = 1; k <= dim; ++k) {
      const std::string name = "x" + body + number(k);
      s += "param " + name + "_0 [m] = 0\nparam " + name + "_v [m/s] = 0\n";
      s += "coord " + name + " [m] = " + name + "_0\ninitial " + name + "' = " + name + "_v\n";
      position += (k > 1 ? ", " : "") + name;
    }
    s += "let c" + body + " = [" + position + "]\nlet v" + body + " = c" + body + "'\n";
    if (dim == 2) {
      s += "param e" + body + "_0 = 0\nparam w" + body + "_0 [1/s] = 0\n";
      s += "coord e" + body + " = e" + body + "_0\ninitial e" + body + "' = w" + body + "_0\n";
      s += "let w" + body + " = e" + body + "'\nlet R" + body + " = plane_matrix(e" + body + ")\n";
      continue;
    }
    for (int k = 1; k <= 3; ++k) {
      const std::string name = "w" + body + number(k);
      s += "param " + name + "_0 [1/s] = 0\nvelocity " + name + " [1/s] = " + name + "_0\n";
      spin += (k > 1 ? ", " : "") + name;
    }
    for (int k = 1; k <= 4; ++k) {
      const std::string name = "e" + body + number(k);
      s += "param " + name + "_0 = 0\ncoord " + name + " = " + name + "_0\n";
      s += "kinematics " + name + "' = quaternion_rate(e" + body + ", s" + body + ")[" + number(k) + "]\n";
      quaternion += (k > 1 ? ", " : "") + name;
    }
    s += "let e" + body + " = [" + quaternion + "]\nlet s" + body + " = [" + spin + "]\n";
    s += "let R" + body + " = quaternion_matrix(e" + body + ")\nlet w" + body + " = R" + body + "*s" + body + "\n";
    for (int k = 1; k <= 3; ++k) {  // axes: i1, j1, k1 and i2, j2, k2
      s += std::string("let ") + "ijk"[k - 1] + body + " = matrix_column(R" + body + ", " + number(k) + ")\n";
    }
  }
  const std::string kg = "1 [kg], ";
  const std::string kgm2 = "1 [kg m^2]";
  s += dim == 2 ? "mass diag(" + kg + kg + kgm2 + ", " + kg + kg + kgm2 + ")\n"
                : "mass diag(" + kg + kg + kg + kg + kg + kg + kgm2 + ", " + kgm2 + ", " + kgm2 + ", " + kgm2 + ", " +
                      kgm2 + ", " + kgm2 + ")\n";
  const std::string in = dim == 2 ? "2" : "";
  if (!pair.empty()) {
    s += "let pair = " + pair + "\noutput contact_pair = pair\noutput swapped = pair_swapped" + in + "(pair)\n";
    s += "output rate = pair_gap(pair)'\noutput approach = dot(pair_normal" + in + "(pair), velocity_at" + in +
         "(v1, w1, c1, pair_first" + in + "(pair)) - velocity_at" + in + "(v2, w2, c2, pair_second" + in + "(pair)))\n";
  }
  return s + "simulate { until 2e-7  step 1e-7 }\n";
}

Overrides parameters(const Pose& p1, const Pose& p2, int dim, const V& sizes, double r) {
  Overrides o{{"a", sizes[0]}, {"b", sizes[1]}, {"c", sizes[2]}, {"r", r}};
  const auto set = [&](const Pose& p, const std::string& body) {
    for (int k = 0; k < dim; ++k) {
      const std::string name = "x" + body + std::to_string(k + 1);
      o[name + "_0"] = p.c[k];
      o[name + "_v"] = p.v[k];
      if (dim == 3) o["w" + body + std::to_string(k + 1) + "_0"] = p.w[k];
    }
    if (dim == 2) {
      o["e" + body + "_0"] = 2 * std::atan2(p.e[3], p.e[0]);
      o["w" + body + "_0"] = p.w[2];
    } else {
      for (int k = 0; k < 4; ++k) o["e" + body + std::to_string(k + 1) + "_0"] = p.e[k];
    }
  };
  set(p1, "1");
  set(p2, "2");
  return o;
}

struct Pair {
  double gap;
  V n, p1, p2;
};

V read(const Trajectory& run, const std::string& name, int first, int dim, std::size_t row = 0) {
  V x{};
  for (int k = 0; k < dim; ++k) x[k] = run[name + "[" + std::to_string(first + k) + "]"][row];
  return x;
}

class Random {
 public:
  double number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  V vector(double size) { return {number(-size, size), number(-size, size), number(-size, size)}; }
  Pose pose(double size, int dim = 3) {
    Pose p{vector(size), {}, vector(1), vector(1)};
    if (dim == 2) p.c[2] = p.v[2] = p.w[0] = p.w[1] = 0;
    const double a = number(-kPi, kPi);
    V axis = dim == 2 ? V{0, 0, 1} : vector(1);
    axis = 1 / norm(axis) * axis;
    p.e = {std::cos(a / 2), std::sin(a / 2) * axis[0], std::sin(a / 2) * axis[1], std::sin(a / 2) * axis[2]};
    return p;
  }

 private:
  std::mt19937 engine_{20240607};
};

struct Case {
  Pose p1, p2;
  V sizes{0.3, 0.5, 0.7};
  double r = 0.2;
  bool smooth = true;           // whether the gap is differentiable there
  double cancellation = 1e-12;  // error of its derivative
};

// One run: the parts of a pair fit together, its swapped form too, and the velocity of the gap is that of the bodies at
// the contact points; by differences of the gap if it is smooth, as derived by the compiler in any case.
Pair pair_at(Model& model, const Case& at, int dim, bool extremal = true) {
  const Trajectory run = model.run(parameters(at.p1, at.p2, dim, at.sizes, at.r), {.step = kStep, .until = 2 * kStep});
  REQUIRE(run.rows() == 3);
  const Column& gap = run["contact_pair[1]"];
  const Pair pair{gap[0], read(run, "contact_pair", 2, dim), read(run, "contact_pair", 2 + dim, dim),
                  read(run, "contact_pair", 2 + 2 * dim, dim)};
  CHECK(std::abs(norm(pair.n) - 1) < 1e-12);
  CHECK(norm(pair.p1 - pair.p2 - pair.gap * pair.n) < 1e-13);
  CHECK(run["swapped[1]"][0] == gap[0]);
  CHECK(norm(read(run, "swapped", 2, dim) + pair.n) == 0);
  CHECK(norm(read(run, "swapped", 2 + dim, dim) - pair.p2) == 0);
  CHECK(norm(read(run, "swapped", 2 + 2 * dim, dim) - pair.p1) == 0);
  if (extremal) {
    CHECK(std::abs(run["rate"][0] - run["approach"][0]) < at.cancellation);
    if (at.smooth) CHECK(std::abs((gap[2] - gap[0]) / (2 * kStep) - run["approach"][1]) < 1e-6);
  }
  const V v1 = at.p1.v + cross(at.p1.turn(at.p1.w), pair.p1 - at.p1.c);
  const V v2 = at.p2.v + cross(at.p2.turn(at.p2.w), pair.p2 - at.p2.c);
  CHECK(std::abs(dot(pair.n, v1 - v2) - run["approach"][0]) < 1e-12);
  return pair;
}

constexpr int kPoses = 40;

// A sphere and a solid, by the surface of the solid and by what is inside of it.
void check_sphere(const std::string& call, const std::vector<Case>& special,
                  const std::function<Surface(const V&)>& shape,
                  const std::function<bool(const V&, const V&)>& contains) {
  Model model = Model::text(two_bodies(call, 3));
  Random random;
  std::vector<Case> cases = special;
  for (int k = 0; k < kPoses; ++k) cases.push_back({random.pose(k % 2 == 0 ? 0.3 : 1), random.pose(0.3)});
  for (int k = 0; k < kPoses; ++k) {  // on the third axis of a turned shape, up to rounding
    Case on_axis{random.pose(1), random.pose(1)};
    on_axis.p1.c = on_axis.p2.world({0, 0, k % 4 == 0 ? 0 : random.number(-1, 1)});
    on_axis.smooth = false;
    on_axis.cancellation = 1e-9;
    cases.push_back(on_axis);
  }
  int inside = 0;
  for (std::size_t k = 0; k < cases.size(); ++k) {
    CAPTURE(k);
    const Case& at = cases[k];
    const Pair pair = pair_at(model, at, 3);
    const Surface surface = shape(at.sizes);
    const V x = at.p1.c - at.p2.c;
    const bool in = contains(V{dot(x, at.p2.axis(0)), dot(x, at.p2.axis(1)), dot(x, at.p2.axis(2))}, at.sizes);
    inside += in;
    const double d = distance(surface, at.p2, at.p1.c);
    CHECK(std::abs(pair.gap - ((in ? -d : d) - at.r)) < 1e-9);
    CHECK(distance(surface, at.p2, pair.p2) < 1e-7);
    CHECK(std::abs(norm(pair.p1 - at.p1.c) - at.r) < 1e-13);
    CHECK(norm(pair.p1 - (at.p1.c - at.r * pair.n)) < 1e-13);
  }
  CHECK(inside >= 5);
  CHECK(inside <= 2 * kPoses);
}

// A body and the plane through c2 whose normal is the third axis of body 2: one call for each point, the surface of the
// body.
void check_plane(const std::vector<std::string>& calls, const std::vector<Case>& special,
                 const std::function<Surface(const V&, double)>& shape) {
  std::vector<Model> models;
  for (const std::string& call : calls) models.push_back(Model::text(two_bodies(call, 3)));
  Random random;
  std::vector<Case> cases = special;
  for (int k = 0; k < kPoses; ++k) cases.push_back({random.pose(1), random.pose(1)});
  for (std::size_t k = 0; k < cases.size(); ++k) {
    CAPTURE(k);
    const Case& at = cases[k];
    const Surface surface = shape(at.sizes, at.r);
    const V n = at.p2.axis(2);
    Pair lowest{1e9, {}, {}, {}};
    for (Model& model : models) {
      const Pair pair = pair_at(model, at, 3);
      CHECK(norm(pair.n - n) < 1e-14);
      CHECK(std::abs(dot(pair.p2 - at.p2.c, n)) < 1e-13);
      if (pair.gap < lowest.gap) lowest = pair;
    }
    CHECK(distance(surface, at.p1, lowest.p1) < 1e-7);  // at the upper end of a capsule p1 is inside of it
    CHECK(std::abs(lowest.gap - height(surface, at.p1, at.p2.c, n)) < 1e-9);
  }
}

Pose at(const V& c) {
  Pose p;
  p.c = c;
  p.v = {0.3, -0.5, 0.7};
  p.w = {1.1, -0.4, 0.6};
  return p;
}
Pose turned(Pose p, const V& axis, double angle) {
  const double s = std::sin(angle / 2) / norm(axis);
  p.e = {std::cos(angle / 2), s * axis[0], s * axis[1], s * axis[2]};
  return p;
}
Pose still(const V& c) {
  Pose p;
  p.c = c;
  return p;
}

const V kSizes{0.3, 0.5, 0.7};

void check_polygon(const std::vector<V>& corners, const std::vector<V>& special) {
  std::string text;
  std::string found;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const std::string v = std::to_string(k + 1);
    const std::string w = std::to_string((k + 1) % corners.size() + 1);
    text += "let v_" + v + " = c2 + R2*[" + std::to_string(corners[k][0]) + ", " + std::to_string(corners[k][1]) +
            "] [m]\n";
    const std::string edge = "point_segment(c1, v_" + v + ", v_" + w + ")";
    found = k == 0 ? edge : "nearer(" + found + ", " + edge + ")";
  }
  Model model = Model::text(two_bodies("circle_found(c1, r, " + found + ")", 2) + text);
  const Surface surface = polygon(corners);
  Random random;
  std::vector<Case> cases;
  for (const V& v : corners) cases.push_back({at(v), still({0, 0, 0}), kSizes, 0.2, false});     // on a corner
  cases.push_back({at(0.5 * (corners[0] + corners[1])), still({0, 0, 0}), kSizes, 0.2, false});  // on an edge
  for (const V& p : special) cases.push_back({at(p), still({0, 0, 0}), kSizes, 0.2, false});
  for (int k = 0; k < 3 * kPoses; ++k) cases.push_back({random.pose(k % 2 == 0 ? 0.4 : 1, 2), random.pose(0.1, 2)});
  int inside = 0;
  for (std::size_t k = 0; k < cases.size(); ++k) {
    CAPTURE(k);
    Case& at = cases[k];
    at.p1.w[0] = at.p1.w[1] = at.p1.v[2] = 0;
    at.r = k % 3 == 0 ? 0 : 0.2;
    const V x = at.p1.c - at.p2.c;
    const V y{dot(x, at.p2.axis(0)), dot(x, at.p2.axis(1)), 0};
    bool in = false;  // a ray to the right crosses the edges an odd number of times
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const V a = corners[i];
      const V b = corners[(i + 1) % corners.size()];
      if ((a[1] > y[1]) != (b[1] > y[1]) && y[0] < a[0] + (y[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0])) in = !in;
    }
    inside += in;
    const Pair pair = pair_at(model, at, 2);
    const double d = distance(surface, at.p2, at.p1.c);
    CHECK(std::abs(pair.gap - ((in ? -d : d) - at.r)) < 1e-9);
    CHECK(distance(surface, at.p2, pair.p2) < 1e-7);
    CHECK(std::abs(norm(pair.p1 - at.p1.c) - at.r) < 1e-13);
  }
  CHECK(inside >= 20);
  CHECK(inside <= 2 * kPoses);
}

}  // namespace

TEST_CASE("shape pairs: a sphere and a plane") {
  check_plane({"sphere_plane(c1, r, c2, k2)"}, {{at({0, 0, 0}), still({0, 0, 0})}}, [](const V&, double r) {
    return ellipsoid({r, r, r});
  });
}

TEST_CASE("shape pairs: the corners of a box and a plane") {
  std::vector<std::string> calls;
  for (const char* s1 : {"-1", "1"}) {
    for (const char* s2 : {"-1", "1"}) {
      for (const char* s3 : {"-1", "1"}) {
        calls.push_back(std::string("box_plane(c1, R1, h, [") + s1 + ", " + s2 + ", " + s3 + "], c2, k2)");
      }
    }
  }
  check_plane(calls, {{at({0, 0, 0.7}), still({0, 0, 0})}}, [](const V& h, double) { return box(h); });
}

TEST_CASE("shape pairs: the ends of a capsule and a plane") {
  check_plane({"capsule_plane(c1, k1, r, a, 1, c2, k2)", "capsule_plane(c1, k1, r, a, -1, c2, k2)"},
              {{at({0, 0, 0.5}), still({0, 0, 0})}, {turned(at({0, 0, 0.2}), {1, 0, 0}, kPi / 2), still({0, 0, 0})}},
              [](const V& h, double r) { return capsule(r, h[0]); });
}

TEST_CASE("shape pairs: an ellipsoid and a plane") {
  check_plane({"ellipsoid_plane(c1, R1, h, c2, k2)"}, {{at({0, 0, 0.7}), still({0, 0, 0})}},
              [](const V& h, double) { return ellipsoid(h); });
}

TEST_CASE("shape pairs: the rims of a cylinder and a plane") {
  // Upright, upside down, lying, nearly upright on both sides of the threshold.
  const std::vector<Case> special = {
      {at({0, 0, 0.5}), still({0, 0, 0}), kSizes, 0.2, false},
      {turned(at({0, 0, 0.5}), {1, 2, 0}, kPi), still({0, 0, 0}), kSizes, 0.2, false},
      {turned(at({0, 0, 0.3}), {1, 0, 0}, kPi / 2), still({0, 0, 0})},
      {turned(at({0, 0, 0.5}), {1, 1, 0}, 1e-8), still({0, 0, 0}), kSizes, 0.2, false},
      {turned(at({0, 0, 0.5}), {1, 1, 0}, 1e-5), still({0, 0, 0}), kSizes, 0.2, false, 1e-6}};
  check_plane({"cylinder_plane(c1, k1, i1, a, b, 1, 0, c2, k2)", "cylinder_plane(c1, k1, i1, a, b, -1, 0, c2, k2)"},
              special, [](const V& h, double) { return cylinder(h[0], h[1]); });
  check_plane({"disc_plane(c1, k1, i1, a, 0, c2, k2)"}, special, [](const V& h, double) { return cylinder(h[0], 0); });
}

TEST_CASE("shape pairs: three points of a rim") {
  std::vector<Model> models;
  for (const char* k : {"0", "1", "2"}) {
    models.push_back(
        Model::text(two_bodies(std::string("cylinder_plane(c1, k1, i1, a, b, -1, ") + k + ", c2, k2)", 3)));
  }
  Random random;
  std::vector<Case> cases = {{at({0, 0, 0.5}), still({0, 0, 0})}};
  for (int k = 0; k < kPoses; ++k) cases.push_back({random.pose(1), random.pose(1)});
  for (std::size_t k = 0; k < cases.size(); ++k) {
    CAPTURE(k);
    const Case& at = cases[k];
    const V axis = at.p1.axis(2);
    const V centre = at.p1.c - at.sizes[1] * axis;
    std::array<V, 3> p;
    for (std::size_t i = 0; i < 3; ++i) {
      const Pair pair = pair_at(models[i], at, 3, i == 0);
      p[i] = pair.p1 - centre;
      CHECK(std::abs(norm(p[i]) - at.sizes[0]) < 1e-12);
      CHECK(std::abs(dot(p[i], axis)) < 1e-12);
      CHECK(std::abs(pair.gap - dot(pair.p1 - at.p2.c, at.p2.axis(2))) < 1e-12);
    }
    CHECK(norm(p[0] + p[1] + p[2]) < 1e-12);  // 120 degrees apart
    CHECK(dot(cross(p[0], p[1]), axis) > 0);  // in the sense of the axis
    if (k == 0) {                             // upright: from e1, all on the plane
      CHECK(norm(p[0] - V{0.3, 0, 0}) < 1e-15);
      for (const V& x : p) CHECK(std::abs(dot(x, {0, 0, 1})) < 1e-15);
    }
  }
}

TEST_CASE("shape pairs: the lowest point of a rim lies in its plane whatever the length of the axis") {
  // A quaternion that drifts from norm 1 makes long axes.
  Model model = Model::text(two_bodies("disc_plane(c1, 1.01*k1, i1, a, 0, c2, k2)", 3));
  for (const double tilt : {0.0, 1e-3, 0.1, 1.0}) {
    CAPTURE(tilt);
    const Pair pair = pair_at(model, {turned(at({0, 0, 0.3}), {1, 2, 0}, tilt), still({0, 0, 0})}, 3, false);
    CHECK(std::abs(pair.gap - (0.3 - 0.3 * std::sin(tilt))) < 1e-12);
  }
}

TEST_CASE("shape pairs: two spheres") {
  check_sphere(
      "sphere_sphere(c1, r, c2, a)",
      {{at({0, 0, 0}), still({0, 0, 0}), kSizes, 0.2, false},  // one centre
       {at({1, 2, 3}), still({1, 2, 3}), kSizes, 0, false},
       {at({0.3, 0, 0}), still({0, 0, 0}), kSizes, 0}},
      [](const V& h) {
        return ellipsoid({h[0], h[0], h[0]});
      },
      [](const V& x, const V& h) { return norm(x) < h[0]; });
}

TEST_CASE("shape pairs: a sphere and a box") {
  const Pose o = still({0, 0, 0});
  check_sphere(
      "sphere_box(c1, r, c2, R2, h)",
      {{at({0, 0, 0}), o, kSizes, 0.2, false},           // in the middle
       {at({0, 0, 0}), o, {0.4, 0.4, 0.4}, 0.2, false},  // all faces equally near
       {at({0.1, 0.1, -0.1}), o, {0.4, 0.4, 0.4}, 0, false},
       {at({0.3, 0.1, 0}), o, kSizes, 0.2, false},  // on a face, an edge, a corner
       {at({0.3, 0.5, 0}), o, kSizes, 0.2, false},
       {at({0.3, -0.5, 0.7}), o, kSizes, 0.2, false},
       {at({0.6, -0.8, 1.0}), o, kSizes, 0.2},             // beyond a corner
       {at({0.3, 0, 1.0}), o, kSizes, 0.2},                // beyond an edge of a face
       {at({0.3 + 1e-12, 0, 0}), o, kSizes, 0.2, false}},  // just outside
      [](const V& h) { return box(h); },
      [](const V& x, const V& h) { return std::abs(x[0]) < h[0] && std::abs(x[1]) < h[1] && std::abs(x[2]) < h[2]; });
}

TEST_CASE("shape pairs: a sphere and a capsule") {
  const Pose o = still({0, 0, 0});
  check_sphere(
      "sphere_capsule(c1, r, c2, k2, a, b)",
      {{at({0, 0, 0.1}), o, kSizes, 0.2, false},  // on the axis: inside, at the end, in the cap, beyond
       {at({0, 0, 0.5}), o, kSizes, 0.2, false},
       {at({0, 0, 0.6}), o, kSizes, 0.2, false},
       {at({0, 0, 1.2}), o, kSizes, 0.2},
       {at({1, 0, 0.5}), o, kSizes, 0.2}},
      [](const V& h) { return capsule(h[0], h[1]); },
      [](const V& x, const V& h) {
        double nearest = 1e9;
        for (int k = 0; k <= 20000; ++k) {
          nearest = std::min(nearest, norm(x - V{0, 0, h[1] * (k / 10000.0 - 1)}));
        }
        return nearest < h[0];
      });
}

TEST_CASE("shape pairs: a sphere and a cylinder") {
  const Pose o = still({0, 0, 0});
  check_sphere(
      "sphere_cylinder(c1, r, c2, k2, a, b)",
      {{at({0, 0, 0}), o, kSizes, 0.2, false},  // on the axis: middle, nearer to a cap, on it, above
       {at({0, 0, -0.4}), o, kSizes, 0.2, false},
       {at({0, 0, 0.5}), o, kSizes, 0.2, false},
       {at({0, 0, 0.9}), o, kSizes, 0.2},
       {at({0, 0, 0}), o, {0.5, 0.4, 0}, 0.2, false},  // flat, in the middle
       {at({0.2, 0, 0.4}), o, kSizes, 0.2, false},     // side and cap equally near
       {at({0.3, 0, 0.1}), o, kSizes, 0.2, false},     // on the side, on the rim
       {at({0.3, 0, 0.5}), o, kSizes, 0.2, false},
       {at({0.3, 0, 0.8}), o, kSizes, 0.2},  // above the rim, beside it, beyond it
       {at({0.8, 0, 0.5}), o, kSizes, 0.2},
       {at({0.5, -0.5, 0.8}), o, kSizes, 0.2},
       {at({0.1, 0.1, 0.8}), turned(o, {1, 0, 0}, kPi / 2), kSizes, 0}},
      [](const V& h) { return cylinder(h[0], h[1]); },
      [](const V& x, const V& h) { return std::hypot(x[0], x[1]) < h[0] && std::abs(x[2]) < h[1]; });
}

TEST_CASE("shape pairs: circles, points and lines in the plane") {
  Random random;
  Model line = Model::text(two_bodies("circle_line(c1, r, c2, R2*[0, 1])", 2));
  Model point = Model::text(two_bodies("point_line(c1 + R1*[a, b], c2, R2*[0, 1])", 2));
  Model circle = Model::text(two_bodies("circle_circle(c1, r, c2, a)", 2));
  for (int k = 0; k < kPoses; ++k) {
    CAPTURE(k);
    Case at{random.pose(1, 2), random.pose(1, 2)};
    if (k == 0) at.p1.c = at.p2.c, at.smooth = false;
    const Surface ball = ring(at.r, 0);
    const Surface other = ring(at.sizes[0], 0);
    const V n = at.p2.axis(1);
    const Pair a = pair_at(line, at, 2);
    CHECK(std::abs(a.gap - height(ball, at.p1, at.p2.c, n)) < 1e-9);
    CHECK(std::abs(dot(a.p2 - at.p2.c, n)) < 1e-13);
    CHECK(distance(ball, at.p1, a.p1) < 1e-7);
    const Pair b = pair_at(point, at, 2);
    CHECK(norm(b.p1 - at.p1.world({0.3, 0.5, 0})) < 1e-13);
    CHECK(std::abs(b.gap - dot(at.p1.world({0.3, 0.5, 0}) - at.p2.c, n)) < 1e-13);
    const Pair c = pair_at(circle, at, 2);
    const double d = distance(other, at.p2, at.p1.c);
    const bool in = norm(at.p1.c - at.p2.c) < at.sizes[0];
    CHECK(std::abs(c.gap - ((in ? -d : d) - at.r)) < 1e-9);
    CHECK(distance(other, at.p2, c.p2) < 1e-7);
  }
}

TEST_CASE("shape pairs: a circle and a polygon in the plane") {
  check_polygon({{-0.5, -0.3, 0}, {0.6, -0.4, 0}, {0.7, 0.2, 0}, {0.1, 0.5, 0}, {-0.4, 0.4, 0}}, {});
  // A square: in its middle, on the lines of edges beyond their ends, beyond a corner.
  check_polygon({{-0.5, -0.5, 0}, {0.5, -0.5, 0}, {0.5, 0.5, 0}, {-0.5, 0.5, 0}},
                {{0, 0, 0}, {0.8, -0.5, 0}, {-0.8, -0.5, 0}, {0.5, 0.8, 0}, {-0.5, -0.9, 0}, {0.75, 0.75, 0}});
}

TEST_CASE("shape pairs: rotations and frames") {
  Model model = Model::text(two_bodies("", 3) + R"(
param psi [rad] = 0
param theta [rad] = 0
param phi [rad] = 0
output matrix = [i1, j1, k1]
output product = quaternion_matrix(quaternion_product(e1, e2))*[1, 2, 3]
output turning = j1'
output zxz = quaternion_matrix(euler_zxz(psi, theta, phi))*[1, 2, 3]
output zyx = quaternion_matrix(euler_zyx(psi, theta, phi))*[1, 2, 3]
output about = rotation([1, 2, -2] [mm], psi)
output nowhere = rotation([0, 0, 0], psi)
output unit = normalised(3*e1)
output none = normalised(0*e1)
output frame = [tangent(k1), binormal(k1), perpendicular(2 [m]*k1)]
output upright = [tangent([0, 0, 1]), binormal([0, 0, 1]), tangent2([0, 1])]
output sideways = [tangent([1, 0, 0]), binormal([1, 0, 0]), tangent2([1, 0])]
)");
  Random random;
  for (int k = 0; k < kPoses; ++k) {
    CAPTURE(k);
    const Case at{random.pose(1), random.pose(1)};
    Overrides o = parameters(at.p1, at.p2, 3, at.sizes, at.r);
    const V angles = random.vector(3);
    o["psi"] = angles[0], o["theta"] = angles[1], o["phi"] = angles[2];
    const Trajectory run = model.run(o, {.step = kStep, .until = 2 * kStep});
    for (int i = 0; i < 3; ++i) CHECK(norm(read(run, "matrix", 1 + 3 * i, 3) - at.p1.axis(i)) < 1e-14);
    const V x{1, 2, 3};
    CHECK(norm(read(run, "product", 1, 3) - at.p1.turn(at.p2.turn(x))) < 1e-13);
    CHECK(norm(read(run, "turning", 1, 3) - cross(at.p1.turn(at.p1.w), at.p1.axis(1))) < 1e-13);
    CHECK(norm((0.5 / kStep) * (read(run, "matrix", 4, 3, 2) - read(run, "matrix", 4, 3, 0)) -
               read(run, "turning", 1, 3, 1)) < 1e-6);
    const auto turn = [](double angle, std::size_t axis, const V& y) {
      V e{};
      e[axis] = 1;
      return turned(Pose{}, e, angle).turn(y);
    };
    const V zxz = turn(angles[0], 2, turn(angles[1], 0, turn(angles[2], 2, x)));
    const V zyx = turn(angles[0], 2, turn(angles[1], 1, turn(angles[2], 0, x)));
    CHECK(norm(read(run, "zxz", 1, 3) - zxz) < 1e-13);
    CHECK(norm(read(run, "zyx", 1, 3) - zyx) < 1e-13);
    const Pose about = turned(Pose{}, {1, 2, -2}, angles[0]);
    const Pose third = turned(Pose{}, {0, 0, 1}, angles[0]);
    for (int i = 0; i < 4; ++i) {
      const std::string index = "[" + std::to_string(i + 1) + "]";
      CHECK(std::abs(run["about" + index][0] - about.e[i]) < 1e-15);
      CHECK(std::abs(run["nowhere" + index][0] - third.e[i]) < 1e-15);
      CHECK(std::abs(run["unit" + index][0] - at.p1.e[i]) < 1e-15);
      CHECK(run["none" + index][0] == (i == 0 ? 1 : 0));
    }
    const V n = at.p1.axis(2);
    const V t1 = read(run, "frame", 1, 3);
    const V t2 = read(run, "frame", 4, 3);
    CHECK(std::abs(norm(t1) - 1) < 1e-14);
    CHECK(std::abs(norm(t2) - 1) < 1e-14);
    CHECK(std::abs(dot(t1, n)) < 1e-14);
    CHECK(norm(cross(t1, t2) - n) < 1e-14);
    CHECK(std::abs(dot(read(run, "frame", 7, 3), n)) < 1e-14);
    CHECK(std::abs(norm(read(run, "frame", 7, 3)) - 1) < 1e-14);
    const double upright[] = {1, 0, 0, 0, 1, 0, 1, 0};
    const double sideways[] = {0, 1, 0, 0, 0, 1, 0, -1};
    for (int i = 0; i < 8; ++i) {
      CHECK(run["upright[" + std::to_string(i + 1) + "]"][0] == upright[i]);
      CHECK(run["sideways[" + std::to_string(i + 1) + "]"][0] == sideways[i]);
    }
  }
}

TEST_CASE("shape pairs: residuals of joints") {
  Model model = Model::text(two_bodies("", 3) + R"(
output apart = joint_point(c1, c2)
output askew = joint_axis(i1, j1, k2)
output square = joint_cross(k1, k2)
output twist = joint_frame(R1, R2)
output beside = joint_line(i1, j1, c1, c2)
output angle = joint_angle(k1, i1, i2)
output travel = joint_travel(k1, c1, c2)
)");
  Random random;
  for (int k = 0; k < kPoses; ++k) {
    CAPTURE(k);
    Case at{random.pose(1), random.pose(1)};
    // Body 2 is body 1, turned by an angle about an axis fixed in body 1, and moved along the third axis of body 1.
    const double angle = random.number(-3, 3);
    const double travel = random.number(-1, 1);
    const V axis = k % 2 == 0 ? V{0, 0, 1} : random.vector(1);
    const Pose relative = turned(Pose{}, axis, angle);
    const V a{at.p1.e[1], at.p1.e[2], at.p1.e[3]};
    const V b{relative.e[1], relative.e[2], relative.e[3]};
    const V ab = at.p1.e[0] * b + relative.e[0] * a + cross(a, b);
    at.p2.e = {at.p1.e[0] * relative.e[0] - dot(a, b), ab[0], ab[1], ab[2]};
    if (k % 4 == 0) at.p2.c = at.p1.world({0, 0, travel});
    const Trajectory run = model.run(parameters(at.p1, at.p2, 3, at.sizes, at.r), {.step = kStep, .until = 2 * kStep});
    const V x = at.p2.c - at.p1.c;
    CHECK(norm(read(run, "apart", 1, 3) + x) < 1e-14);
    CHECK(std::abs(run["square"][0] - dot(at.p1.axis(2), at.p2.axis(2))) < 1e-14);
    const V twist = std::sin(angle) / norm(axis) * at.p1.turn(axis);
    CHECK(norm(read(run, "twist", 1, 3) - twist) < 1e-13);
    CHECK(std::abs(run["travel"][0] - dot(x, at.p1.axis(2))) < 1e-14);
    for (int i = 0; i < 2; ++i) {
      const std::string index = "[" + std::to_string(i + 1) + "]";
      CHECK(std::abs(run["askew" + index][0] - dot(at.p1.axis(i), at.p2.axis(2))) < 1e-14);
      CHECK(std::abs(run["beside" + index][0] - dot(at.p1.axis(i), x)) < 1e-14);
      if (k % 2 == 0) CHECK(std::abs(run["askew" + index][0]) < 1e-14);
      if (k % 4 == 0) CHECK(std::abs(run["beside" + index][0]) < 1e-14);
    }
    if (k % 2 == 0) CHECK(std::abs(run["angle"][0] - angle) < 1e-13);
    if (k % 4 == 0) CHECK(std::abs(run["travel"][0] - travel) < 1e-14);
  }
}

TEST_CASE("shape pairs: points are balls of radius 0, with units and without") {
  for (const std::string unit : {" [m]", ""}) {
    const std::string mass = unit.empty() ? "1" : "1 [kg]";
    const Trajectory run = Model::text("coord x" + unit + " = 3\nkinetic " + mass + "*x'^2\nlet one = 1" + unit + R"(
let o = [0, 0, 0]
output points = sphere_sphere([x, 0, 4*one], 0, o, 0)
output plane_points = circle_circle([x, 4*one], 0, [0, 0], 0)
output rod = sphere_capsule([x, 0, 5*one], 0, o, [0, 0, 1], 0, one)
output block = sphere_box([x, 0, 0], 0, o, identity(3), [one, one, one])
output can = sphere_cylinder([x, 0, 0], 0, o, [0, 0, 1], one, one)
output plate = disc_plane([x, 0, 0], [0, 0, 1], [1, 0, 0], one, 0, o, [0, 0, 1])
output egg = ellipsoid_plane([x, 0, 0], identity(3), [one, one, 2*one], o, [0, 0, 1])
output corner = circle_found([x, 0], 0, nearer(point_segment([x, 0], [0, one], [0, 0]),
                                               point_segment([x, 0], [0, 0], [one, 0])))
simulate { until 1  step 1 }
)")
                               .run();
    CHECK(run["points[1]"][0] == 5);
    CHECK(run["plane_points[1]"][0] == 5);
    CHECK(run["rod[1]"][0] == 5);
    CHECK(run["block[1]"][0] == 2);
    CHECK(run["can[1]"][0] == 2);
    CHECK(run["plate[5]"][0] == 4);
    CHECK(run["egg[1]"][0] == -2);
    CHECK(run["corner[1]"][0] == 0);
  }
}
