// Nearest point of a polygon: that of the visible edges, those with z on their outer side, whose nearest point is best.
//
// What counts as inside. All edges with z on their inner side; or a distance to the boundary within the rounding of the
// corners, so that the points which prox returns are inside and prox(prox(z)) == prox(z) bit by bit. A polygon without
// area (up to rounding) has no inner side, there the distance alone decides.
#include "runtime/sets/polygon.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/sets/interval.hpp"

namespace nsmc::rt {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double infinity = std::numeric_limits<double>::infinity();

// Points farther away than this, in units of the largest coordinate of a corner, are moved in along their direction.
constexpr double far_away = 1e100;

struct Point {
  double x, y;
};

Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
Point operator*(double s, Point a) { return {s * a.x, s * a.y}; }
double cross(Point a, Point b) { return a.x * b.y - a.y * b.x; }
double dot(Point a, Point b) { return a.x * b.x + a.y * b.y; }

// The corners in units in which squares neither under- nor overflow.
struct Scaled {
  const Polygon& polygon;
  double size = 0;  // largest coordinate, in the user's units; NaN or infinite if a corner is
  double unit = 1;  // size of a unit here in the user's units: 1 unless the numbers are extreme
  double area = 0;  // twice the area, relative to the first corner, in units
  bool flat = true;

  explicit Scaled(const Polygon& p) : polygon(p) {
    for (std::uint32_t k = 0; k < 2 * p.n; ++k) {
      if (!(std::abs(p.corners[k]) <= size)) size = std::abs(p.corners[k]);
      if (std::isnan(size)) return;
    }
    if (size != 0 && !(size > 1e-100 && size < 1e100)) unit = std::ldexp(1.0, std::ilogb(size));
    for (std::uint32_t k = 2; k < p.n; ++k) area += cross(corner(k - 1) - corner(0), corner(k) - corner(0));
    const double here = size / unit;
    flat = !(area > 16 * epsilon * here * here);
  }
  bool finite() const { return size <= std::numeric_limits<double>::max(); }
  Point corner(std::uint32_t k) const {
    const double* c = polygon.corners + 2 * (k < polygon.n ? k : 0);
    return unit == 1 ? Point{c[0], c[1]} : Point{c[0] / unit, c[1] / unit};
  }
  double slack() const { return 8 * epsilon * (size / unit); }
};

struct Nearest {
  bool inside = false;
  Point foot{0, 0};          // in units
  std::int64_t corner = -1;  // >= 0: the foot is this corner
};

// Takes p if it is nearer to z than the best so far: |z - p|^2 - |z - b|^2 = (b - p) . (2 z - p - b), which tells
// points apart however far away z is.
void look_at(Nearest& best, Point p, std::int64_t corner, Point z) {
  if (dot(best.foot - p, (z - p) + (z - best.foot)) < 0) best = {false, p, corner};
}

Nearest find_nearest(const Scaled& scaled, Point z) {
  const std::uint32_t n = scaled.polygon.n;
  Nearest best{false, scaled.corner(0), 0};
  bool outside = scaled.flat;
  for (std::uint32_t k = 0; k < n; ++k) {
    const Point p = scaled.corner(k), q = scaled.corner(k + 1), edge = q - p, from = z - p;
    const double length2 = dot(edge, edge);
    if (length2 == 0) continue;
    if (cross(edge, from) >= 0 && !scaled.flat) continue;
    outside = true;
    const double along = dot(edge, from) / length2;
    if (along >= 1) {
      look_at(best, q, k + 1 < n ? k + 1 : 0, z);
    } else if (along <= 0) {
      look_at(best, p, k, z);
    } else {
      look_at(best, p + along * edge, -1, z);
    }
  }
  const Point difference = z - best.foot;
  best.inside = !outside || dot(difference, difference) <= scaled.slack() * scaled.slack();
  return best;
}

// x in units, moved in if it is very far away; infinite coordinates beat finite ones.
Point point_of(const Scaled& scaled, const double* x) {
  const double largest = std::max(std::abs(x[0]), std::abs(x[1])), limit = far_away * scaled.size;
  if (!(largest > limit)) return {x[0] / scaled.unit, x[1] / scaled.unit};
  const auto component = [&](double value) {
    if (std::isinf(largest)) return std::isinf(value) ? std::copysign(1.0, value) : 0.0;
    return value / largest;
  };
  return (scaled.size / scaled.unit * far_away) * Point{component(x[0]), component(x[1])};
}

}  // namespace

bool Polygon::contains(const double* x) const {
  const Scaled scaled(*this);
  if (!scaled.finite() || std::isnan(x[0]) || std::isnan(x[1])) return false;
  if (scaled.size == 0) return x[0] == 0 && x[1] == 0;
  return find_nearest(scaled, point_of(scaled, x)).inside;
}

double Polygon::gauge(const double* x) const {
  const Scaled scaled(*this);
  if (!scaled.finite() || std::isnan(x[0]) || std::isnan(x[1])) return std::numeric_limits<double>::quiet_NaN();
  if (!find_nearest(scaled, {0, 0}).inside) return infinity;
  if (x[0] == 0 && x[1] == 0) return 0;
  const Point z{x[0] / scaled.unit, x[1] / scaled.unit};
  double largest = 0;
  if (scaled.flat) {
    // The two corners farthest apart in the direction of the longest edge are the ends of the segment.
    Point along{0, 0};
    for (std::uint32_t k = 1; k < n; ++k) {
      const Point edge = scaled.corner(k) - scaled.corner(0);
      if (dot(edge, edge) > dot(along, along)) along = edge;
    }
    const double length = std::sqrt(dot(along, along));
    if (length == 0 || std::abs(cross(along, z)) > length * scaled.slack() * (1 + std::hypot(z.x, z.y))) {
      return infinity;
    }
    double low = infinity, high = -infinity;
    for (std::uint32_t k = 0; k < n; ++k) {
      const double t = dot(along, scaled.corner(k));
      low = std::min(low, t);
      high = std::max(high, t);
    }
    return Interval{std::min(low, 0.0), std::max(high, 0.0)}.gauge(dot(along, z));
  }
  // K = { x : n_k . x <= n_k . p_k for all edges }, n_k the outer normal.
  for (std::uint32_t k = 0; k < n; ++k) {
    const Point p = scaled.corner(k), edge = scaled.corner(k + 1) - p;
    const double wanted = cross(z, edge), allowed = cross(p, edge);
    if (wanted <= 0) continue;
    largest = allowed <= 0 ? infinity : std::max(largest, wanted / allowed);
  }
  return largest;
}

bool Polygon::prox(double* z) const {
  const Scaled scaled(*this);
  if (!scaled.finite() || std::isnan(z[0]) || std::isnan(z[1])) {
    z[0] = z[1] = std::numeric_limits<double>::quiet_NaN();
    return false;
  }
  const Nearest nearest = find_nearest(scaled, point_of(scaled, z));
  if (nearest.inside && !(scaled.size == 0 && (z[0] != 0 || z[1] != 0))) return true;
  if (nearest.corner >= 0) {
    z[0] = corners[2 * nearest.corner];
    z[1] = corners[2 * nearest.corner + 1];
  } else {
    z[0] = nearest.foot.x * scaled.unit;
    z[1] = nearest.foot.y * scaled.unit;
  }
  return false;
}

ProxDerivative Polygon::differentiate(const double* z, const double* x, double slack, double* P, double*) const {
  const double u = z[0] - x[0], v = z[1] - x[1], length2 = u * u + v * v;
  if (length2 <= slack * slack) {
    set_identity(P, 2);
    return {true, false};
  }
  for (std::uint32_t k = 0; k < n; ++k) {
    if (corners[2 * k] == x[0] && corners[2 * k + 1] == x[1]) return {true, false};
  }
  // The edge is perpendicular to z - x.
  P[0] = v * v / length2;
  P[1] = P[2] = -u * v / length2;
  P[3] = u * u / length2;
  return {true, false};
}

std::uint32_t Polygon::exposed_corner(const double* xi) const {
  std::uint32_t best = 0;
  double most = -std::numeric_limits<double>::infinity();
  for (std::uint32_t k = 0; k < n; ++k) {
    const double value = corners[2 * k] * xi[0] + corners[2 * k + 1] * xi[1];
    if (value > most) most = value, best = k;
  }
  return best;
}

void Polygon::expose(const double* xi, double* x) const { std::copy_n(corners + 2 * exposed_corner(xi), 2, x); }

}  // namespace nsmc::rt
