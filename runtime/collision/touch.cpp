#include "runtime/collision/touch.hpp"

#include <algorithm>
#include <limits>

#include "runtime/collision/closest.hpp"

namespace nsmc::rt::collision {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kLeads = 0.999;  // cosine between a face that leads and the direction of the distance

// Tolerances, of the size of the solids unless said otherwise.
constexpr double kSame = 1e-9,  // places that are one place: points of a face, ends of an edge, equal separations
    kBetter = 1e-12,            // by what one kind of axis must be better than another, beyond rounding
    kMissed = 2e-3,             // of the distance of the cores: twice what an inclined face may lose
    kParallelArcs = 1e-20,      // sin^2 of the angle between edges that span no direction
    kParallelEdges = 1e-16,     // likewise, between edges that have no crossing
    kFree = 1e-12;              // a pivot, of unit vectors: the point is free to wander

// A direction, its separation, and the features that it comes from.
struct Axis {
  double separation = -kInfinite;
  Vec n{0, 0, 1};  // from B to A
  enum Kind { face_of_a, face_of_b, edges } kind = face_of_a;
  int a = -1, b = -1;  // face, or edges
};

double separation_along(const Placed& a, const Placed& b, Vec n) {  // of A above B
  return dot(n, a.corners[a.lowest(n)]) - dot(n, b.corners[b.lowest(-n)]);
}

// The face of a with the largest separation from b, and of almost equal ones that closest to the horizontal.
Axis best_face(const Placed& a, const Placed& b, Axis::Kind kind) {
  const double tie = kSame * (a.size + b.size);
  Axis best;
  double most = -kInfinite;
  for (int f = 0; f < a.hull.n_faces(); ++f) {
    const Vec m = a.normals[f];
    const double s = dot(m, b.corners[b.lowest(m)]) - a.offsets[f];
    const double rank = s + tie * std::abs(m.z);
    if (rank <= most) continue;
    most = rank;
    best = {s, kind == Axis::face_of_a ? -m : m, kind, f, f};
  }
  return best;
}

Vec direction(const Placed& s, int edge) { return s.corners[s.hull.edge(edge, 1)] - s.corners[s.hull.edge(edge, 0)]; }

// Whether two edges make a face of A - B: their arcs on the sphere of normals cross. An edge without faces is a whole
// circle there.
bool arcs_cross(const Placed& a, int e, const Placed& b, int f, Vec u, Vec w) {
  const auto parted = [](const Placed& s, int edge, Vec across) {  // its faces are on both sides of the other's circle
    const int left = s.hull.edge(edge, 2), right = s.hull.edge(edge, 3);
    return left < 0 || dot(across, s.normals[left]) * dot(across, s.normals[right]) < 0;
  };
  if (!parted(a, e, w) || !parted(b, f, u)) return false;
  if (a.hull.edge(e, 2) < 0 || b.hull.edge(f, 2) < 0) return true;
  // On the same half of the sphere: sums of the arcs' ends, those of B reversed.
  const Vec middle_a = a.normals[a.hull.edge(e, 2)] + a.normals[a.hull.edge(e, 3)];
  const Vec middle_b = b.normals[b.hull.edge(f, 2)] + b.normals[b.hull.edge(f, 3)];
  const Vec n = cross(u, w);
  return dot(n, middle_a) * dot(n, middle_b) < 0;
}

// The best product of edges, if it separates more than `least`.
Axis best_edges(const Placed& a, const Placed& b, double least) {
  Axis best;
  best.separation = least;
  for (int e = 0; e < a.hull.n_edges(); ++e) {
    const Vec u = direction(a, e);
    for (int f = 0; f < b.hull.n_edges(); ++f) {
      const Vec w = direction(b, f);
      const Vec product = cross(u, w);
      const double square = dot(product, product);
      if (square <= kParallelArcs * dot(u, u) * dot(w, w) || !arcs_cross(a, e, b, f, u, w)) continue;
      const Vec n = 1 / std::sqrt(square) * product;
      const double up = dot(n, a.corners[a.hull.edge(e, 0)] - b.corners[b.hull.edge(f, 0)]);
      // From B to A is against the outer normals at the edge of A, along those at the edge of B.
      const int left_a = a.hull.edge(e, 2), left_b = b.hull.edge(f, 2);
      const double outward = left_a >= 0   ? -dot(n, a.normals[left_a] + a.normals[a.hull.edge(e, 3)])
                             : left_b >= 0 ? dot(n, b.normals[left_b] + b.normals[b.hull.edge(f, 3)])
                                           : up;
      const double sign = outward < 0 ? -1 : 1;
      if (sign * up <= best.separation) continue;
      // The whole solids count: a direction that rounding has turned is a separation all the same, a smaller one.
      const double s = separation_along(a, b, sign * n);
      if (s > best.separation) best = {s, sign * n, Axis::edges, e, f};
    }
  }
  return best;
}

// Where two lines p + s u and q + t w are closest.
void nearest_on_lines(Vec p, Vec u, Vec q, Vec w, double& s, double& t) {
  const Vec r = p - q;
  const double ww = dot(w, w), uw = dot(u, w), ur = dot(u, r), wr = dot(w, r);
  const Vec product = cross(u, w);
  const double square = dot(product, product);
  s = square > 0 ? (uw * wr - ww * ur) / square : 0;
  t = (uw * s + wr) / ww;
}

Point point_between(Vec on_a, Vec on_b, Vec n, double radius_a, double radius_b) {
  Point p{};
  p.n = n;
  p.p1 = on_a - radius_a * n;
  p.p2 = on_b + radius_b * n;
  p.gap = dot(n, p.p1 - p.p2);
  return p;
}

// One corner of what is clipped: where it is, and from which feature.
struct Clipped {
  Vec at;
  std::uint32_t key;
  int side = -1;       // of the face that it is clipped on, by the corner where it begins; -1: a corner
  Vec along{0, 0, 0};  // of a point on a side: the edge that crosses it
};

// The polygon (or edge, or corner) of `other` that turns towards -m: among the faces at its lowest corner that whose
// normal is closest to -m, which is `best`.
int incident(const Placed& other, Vec m, Clipped* polygon, int& best) {
  const int lowest = other.lowest(m);
  if (other.hull.n_faces() == 0) {
    for (int i = 0; i < other.hull.n_corners(); ++i) polygon[i] = {other.corners[i], static_cast<std::uint32_t>(i)};
    return other.hull.n_corners();
  }
  double least = kInfinite;
  for (int f = 0; f < other.hull.n_faces(); ++f) {
    const double turned = dot(m, other.normals[f]);
    if (turned >= least) continue;
    bool at_lowest = false;
    for (int k = 0; k < other.hull.face_size(f); ++k) {
      const double above = dot(m, other.corners[other.hull.cycle(f, k)] - other.corners[lowest]);
      at_lowest = at_lowest || above <= kSame * other.size;
    }
    if (!at_lowest) continue;
    least = turned;
    best = f;
  }
  const int n = other.hull.face_size(best);
  for (int k = 0; k < n; ++k) {
    const int i = other.hull.cycle(best, k);
    polygon[k] = {other.corners[i], static_cast<std::uint32_t>(i)};
  }
  return n;
}

// The part of the polygon before face `f` of `lead`: inside of all planes through its edges. Points within 1e-9 of the
// size of a plane are on it, so that corners that coincide are one point.
int clip(const Placed& lead, int f, Clipped* polygon, int n) {
  Clipped next[2 * most_corners];
  const int sides = lead.hull.face_size(f);
  for (int k = 0; k < sides && n > 0; ++k) {
    const Vec from = lead.corners[lead.hull.cycle(f, k)];
    const Vec out = unit(cross(lead.corners[lead.hull.cycle(f, (k + 1) % sides)] - from, lead.normals[f]));
    const double margin = kSame * lead.size;
    int kept = 0;
    for (int i = 0; i < n; ++i) {
      const Clipped& a = polygon[i];
      const Clipped& b = polygon[(i + 1) % n];
      const double da = dot(out, a.at - from), db = dot(out, b.at - from);
      if (da <= margin) next[kept++] = a;
      const bool crosses = (da > margin && db < -margin) || (da < -margin && db > margin);
      if (!crosses || (n == 2 && i == 1)) continue;
      // Keyed by the side and by which of the two crossings of it this is.
      const std::uint32_t key =
          0x10000u + 2 * static_cast<std::uint32_t>(lead.hull.cycle(f, k)) + (da > margin ? 1 : 0);
      next[kept++] = {a.at + da / (da - db) * (b.at - a.at), key, k, b.at - a.at};
    }
    n = kept;
    std::copy_n(next, n, polygon);
  }
  return n;
}

// Of many points those that are farthest in eight directions fixed on the face, and the deepest.
int thin_out(Clipped* points, int n, const double* heights, Vec e1, Vec e2) {
  bool chosen[2 * most_corners]{};
  chosen[std::min_element(heights, heights + n) - heights] = true;
  int count = 1;
  for (int d = 0; d < 16 && count < most_points; ++d) {
    const double angle = 0.3926990816987241 * (d % 2 == 0 ? d : d + 7);
    const Vec out = std::cos(angle) * e1 + std::sin(angle) * e2;
    int best = 0;
    for (int i = 1; i < n; ++i) best = dot(out, points[i].at) > dot(out, points[best].at) ? i : best;
    count += chosen[best] ? 0 : 1;
    chosen[best] = true;
  }
  int kept = 0;
  for (int i = 0; i < n; ++i) {
    if (chosen[i]) points[kept++] = points[i];
  }
  return kept;
}

// The points on face f of `lead`, which is the first solid or the second one.
void points_on_face(const Placed& a, const Placed& b, bool of_a, int f, Touch& touch) {
  const Placed& lead = of_a ? a : b;
  const Placed& other = of_a ? b : a;
  const Vec m = lead.normals[f];
  const Vec n = of_a ? -m : m;
  Clipped polygon[2 * most_corners];
  double heights[2 * most_corners];
  int facing = -1;
  int count = incident(other, m, polygon, facing);
  const Vec normal_of_other = facing >= 0 ? other.normals[facing] : -m;
  count = clip(lead, f, polygon, count);
  for (int i = 0; i < count; ++i) heights[i] = dot(m, polygon[i].at) - lead.offsets[f];
  if (count > most_points) {
    const Vec e1 = unit(lead.corners[lead.hull.cycle(f, 1)] - lead.corners[lead.hull.cycle(f, 0)]);
    count = thin_out(polygon, count, heights, e1, cross(m, e1));
  }
  std::sort(polygon, polygon + count, [](const Clipped& p, const Clipped& q) { return p.key < q.key; });
  for (int i = 0; i < count; ++i) {
    const Vec v = polygon[i].at;
    if (other.hull.n_corners() == 2 && other.radius > 0 && polygon[i].side >= 0) {
      // A capsule over the edge of the face: the closest points of the two edges.
      const int sides = lead.hull.face_size(f), k = polygon[i].side;
      const Vec from = lead.corners[lead.hull.cycle(f, k)];
      const Vec side = lead.corners[lead.hull.cycle(f, (k + 1) % sides)] - from, w = direction(other, 0);
      double s = 0, t = 0;
      nearest_on_lines(from, side, other.corners[0], w, s, t);
      const Vec on_lead = from + s * side, on_other = other.corners[0] + t * w;
      const Vec apart = on_other - on_lead;
      if (dot(apart, m) > kLeads * norm(apart) && norm(apart) > 0) {
        const Surface edge_lead{Surface::edge, side}, edge_other{Surface::edge, w};
        Point p = point_between(of_a ? on_lead : on_other, of_a ? on_other : on_lead,
                                (of_a ? -1 : 1) / norm(apart) * apart, a.radius, b.radius);
        p.a = of_a ? edge_lead : edge_other;
        p.b = of_a ? edge_other : edge_lead;
        p.key = polygon[i].key;
        touch.points[touch.n_points++] = p;
        continue;
      }
    }
    const Vec foot = v - (dot(m, v) - lead.offsets[f]) * m;
    Point p = point_between(of_a ? foot : v, of_a ? v : foot, n, a.radius, b.radius);
    Surface on_lead{Surface::face}, on_other{};
    if (const int k = polygon[i].side; k >= 0) {
      const Vec side =
          lead.corners[lead.hull.cycle(f, (k + 1) % lead.hull.face_size(f))] - lead.corners[lead.hull.cycle(f, k)];
      on_lead = {Surface::border, side};
      on_other = {Surface::crossed, polygon[i].along};
      for (int c = 0; c < lead.hull.face_size(f); ++c) {
        if (norm(lead.corners[lead.hull.cycle(f, c)] - foot) > kSame * lead.size) continue;
        on_lead = {Surface::pin};
        on_other = {Surface::beneath, normal_of_other};
      }
    }
    p.a = of_a ? on_lead : on_other;
    p.b = of_a ? on_other : on_lead;
    p.key = polygon[i].key;
    touch.points[touch.n_points++] = p;
  }
}

// Two edges, of capsules: their closest points, and every end that is beside the other edge.
void points_of_segments(const Placed& a, const Placed& b, Touch& touch) {
  const Vec u = direction(a, 0), w = direction(b, 0);
  const double uu = dot(u, u), ww = dot(w, w);
  const double margin = kSame * (a.size + b.size);
  const auto add = [&](Vec on_a, Vec on_b, Surface sa, Surface sb, std::uint32_t key) {
    const Vec r = on_a - on_b;
    const double d = norm(r);
    for (int i = 0; i < touch.n_points; ++i) {
      if (norm(on_a - a.radius * touch.n - touch.points[i].p1) <= margin) return;
    }
    Point p = point_between(on_a, on_b, d > margin ? 1 / d * r : touch.n, a.radius, b.radius);
    p.a = sa;
    p.b = sb;
    p.key = key;
    touch.points[touch.n_points++] = p;
  };
  double s = 0, t = 0;
  nearest_on_lines(a.corners[0], u, b.corners[0], w, s, t);
  const Vec product = cross(u, w);
  const bool crossing = dot(product, product) > kParallelEdges * uu * ww && s > 0 && s < 1 && t > 0 && t < 1;
  const Surface edge_a{Surface::edge, u}, edge_b{Surface::edge, w}, corner{};
  for (int i = 0; i < 2; ++i) {
    const double along = dot(a.corners[i] - b.corners[0], w) / ww;
    if (along >= -kSame && along <= 1 + kSame) {
      add(a.corners[i], b.corners[0] + std::clamp(along, 0.0, 1.0) * w, corner, edge_b, 1 + static_cast<unsigned>(i));
    }
  }
  for (int i = 0; i < 2; ++i) {
    const double along = dot(b.corners[i] - a.corners[0], u) / uu;
    if (along >= -kSame && along <= 1 + kSame) {
      add(a.corners[0] + std::clamp(along, 0.0, 1.0) * u, b.corners[i], edge_a, corner, 3 + static_cast<unsigned>(i));
    }
  }
  if (crossing) add(a.corners[0] + s * u, b.corners[0] + t * w, edge_a, edge_b, 5);
}

// What of a polytope is closest: the corners within rounding of the plane across n.
Surface surface_at(const Placed& s, Vec n, Vec at) {
  int found[3]{};
  int count = 0;
  const double height = dot(n, at);
  for (int i = 0; i < s.hull.n_corners() && count < 3; ++i) {
    if (std::abs(dot(n, s.corners[i]) - height) <= kSame * (s.size + 1e-300)) found[count++] = i;
  }
  if (count < 2) return {};
  const Vec along = s.corners[found[1]] - s.corners[found[0]];
  if (count == 2) {
    const bool at_end = std::min(norm(at - s.corners[found[0]]), norm(at - s.corners[found[1]])) <= kSame * s.size;
    return at_end ? Surface{} : Surface{Surface::edge, along};
  }
  return {Surface::face, {0, 0, 0}};
}

void one_point(const Placed& a, const Placed& b, Vec on_a, Vec on_b, Vec n, Touch& touch) {
  Point p = point_between(on_a, on_b, n, a.radius, b.radius);
  p.a = surface_at(a, n, on_a);
  p.b = surface_at(b, n, on_b);
  p.key = 0;
  touch.points[touch.n_points++] = p;
}

// The face of one of the two that leads: the one turned most towards the direction of the distance.
bool leading_face(const Placed& a, const Placed& b, Vec n, const Axis& face_a, const Axis& face_b, bool& of_a, int& f) {
  const double tie = kSame * (a.size + b.size);
  const double turned_a = face_a.a >= 0 ? dot(face_a.n, n) : -1, turned_b = face_b.b >= 0 ? dot(face_b.n, n) : -1;
  if (turned_a < kLeads && turned_b < kLeads) return false;
  of_a = turned_b < kLeads || (turned_a >= kLeads && face_a.separation + tie >= face_b.separation);
  f = of_a ? face_a.a : face_b.b;
  return true;
}

}  // namespace

Touch touch(const Placed& a, const Placed& b) {
  Touch touch;
  const Axis face_a = best_face(a, b, Axis::face_of_a);
  Axis face_b = best_face(b, a, Axis::face_of_b);
  Axis best = face_b.separation > face_a.separation + kBetter * (a.size + b.size) ? face_b : face_a;
  const Axis edges = best_edges(a, b, best.separation + kBetter * (a.size + b.size));
  if (edges.kind == Axis::edges) best = edges;

  // Without a face on either side the difference of the two has no inside: directions of edges do not tell all.
  const bool flat = a.hull.n_faces() == 0 && b.hull.n_faces() == 0;
  double core = best.separation;  // between the polytopes
  touch.n = best.n;
  Closest closest{0, {0, 0, 0}, {0, 0, 0}};
  if (flat || best.separation > 0) {
    closest = closest_points(a, b);
    core = closest.distance;
    // Where a face or two edges are closest, their normal is more exact than the difference of two points.
    const bool same = best.separation >= core - kBetter * (a.size + b.size);
    if (core > 0 && !same) touch.n = 1 / core * (closest.on_a - closest.on_b);
    if (core == 0 && best.kind != Axis::edges) touch.n = {0, 0, 1};  // two balls with one centre
    if (core > 0 && same) core = best.separation;
  }
  touch.distance = core - a.radius - b.radius;

  if (a.hull.n_corners() == 2 && b.hull.n_corners() == 2) points_of_segments(a, b, touch);
  bool of_a = true;
  int f = -1;
  if (touch.n_points == 0 && leading_face(a, b, touch.n, face_a, face_b, of_a, f)) points_on_face(a, b, of_a, f, touch);
  if (touch.n_points > 0) {
    double least = kInfinite;
    for (int i = 0; i < touch.n_points; ++i) least = std::min(least, touch.points[i].gap);
    // The closest points are not among them: a corner beside the face, beyond its edge.
    const bool missed = least - touch.distance > kMissed * core + kSame * (a.size + b.size);
    if (closest.distance > 0 && missed) touch.n_points = 0;
  }
  if (touch.n_points > 0) return touch;
  if (closest.distance > 0) {
    one_point(a, b, closest.on_a, closest.on_b, touch.n, touch);
  } else if (best.kind == Axis::edges) {
    const Vec u = direction(a, best.a), w = direction(b, best.b);
    const Vec p = a.corners[a.hull.edge(best.a, 0)], q = b.corners[b.hull.edge(best.b, 0)];
    double s = 0, t = 0;
    nearest_on_lines(p, u, q, w, s, t);
    Vec on_a = p + std::clamp(s, 0.0, 1.0) * u;
    one_point(a, b, on_a, q + std::clamp(t, 0.0, 1.0) * w, best.n, touch);
    touch.points[0].a = {Surface::edge, u};
    touch.points[0].b = {Surface::edge, w};
  } else {
    // A face that has nothing before it (by rounding), or two points in one place: the lowest corner.
    const Vec n = touch.n;
    const bool lead_a = best.kind == Axis::face_of_a && face_a.a >= 0;
    const Vec v = lead_a ? b.support(n) : a.corners[a.lowest(n)];
    const Vec foot = lead_a ? v + core * n : v - core * n;
    one_point(a, b, lead_a ? foot : v, lead_a ? v : foot, n, touch);
  }
  return touch;
}

Touch touch_plane(const Placed& a, Vec at, Vec n) {
  Touch touch;
  touch.n = n;
  Clipped polygon[2 * most_corners];
  double heights[2 * most_corners];
  int facing = -1;
  int count = incident(a, n, polygon, facing);
  for (int i = 0; i < count; ++i) heights[i] = dot(n, polygon[i].at - at);
  touch.distance = *std::min_element(heights, heights + count) - a.radius;
  if (count > most_points) {
    const Vec e1 = unit(a.corners[a.hull.cycle(facing, 1)] - a.corners[a.hull.cycle(facing, 0)]);
    count = thin_out(polygon, count, heights, e1, cross(a.normals[facing], e1));
  }
  std::sort(polygon, polygon + count, [](const Clipped& p, const Clipped& q) { return p.key < q.key; });
  for (int i = 0; i < count; ++i) {
    const Vec v = polygon[i].at;
    Point p = point_between(v, v - dot(n, v - at) * n, n, a.radius, 0);
    p.b = {Surface::face};
    p.key = polygon[i].key;
    touch.points[touch.n_points++] = p;
  }
  return touch;
}

namespace {

constexpr int kUnknowns = 6, kMotions = 12;
using Ties = double[kUnknowns][kUnknowns + kMotions];  // unknowns, then the right sides for all motions

// Gauss and Jordan, with pivots. What no row ties is left: two faces, two edges in line.
void eliminate(Ties& m) {
  for (int c = 0; c < kUnknowns; ++c) {
    int pivot = c;
    for (int r = c + 1; r < kUnknowns; ++r) pivot = std::abs(m[r][c]) > std::abs(m[pivot][c]) ? r : pivot;
    if (std::abs(m[pivot][c]) < kFree) continue;
    if (pivot != c) std::swap_ranges(m[c], m[c] + kUnknowns + kMotions, m[pivot]);
    for (int r = 0; r < kUnknowns; ++r) {
      if (r == c || m[r][c] == 0) continue;
      const double factor = m[r][c] / m[c][c];
      for (int k = c; k < kUnknowns + kMotions; ++k) m[r][k] -= factor * m[c][k];
    }
  }
}

}  // namespace

// With n the normal, s_A and s_B how far the points of contact wander over the solids, across n, and nu_A, nu_B how the
// normal turns against them, in two directions e across n:
//     n' = omega_A x n + nu_A = omega_B x n + nu_B,   v_A + s_A - v_B - s_B = gap' n + gap n'   (across n),
// v the velocity of the solid at the point. Each surface ties s to nu: a corner with the radius r by s = -+ r nu, a
// face by nu = 0, an edge by both, along and across it. The outer normal is -n on A and n on B. Six unknowns: s_A, s_B,
// n'.
Slopes slopes(const Point& p, Vec centre_a, double radius_a, Vec centre_b, double radius_b) {
  const Vec n = p.n;
  const Vec e[2] = {across(n), cross(n, across(n))};
  Ties m{};  // s_A (2), s_B (2), n' (2)
  int row = 0;
  // c (d . nu) + k (d . s) = 0 for the solid whose unknowns and angular velocity begin there;
  // d . nu = d . n' - d . (omega x n) = d . n' - omega . (n x d)
  const auto tie = [&](int first, int motion, Vec d, double c, double k) {
    const Vec turn = cross(n, d);
    for (int j = 0; j < 2; ++j) {
      m[row][first + j] = k * dot(d, e[j]);
      m[row][4 + j] = c * dot(d, e[j]);
    }
    for (int j = 0; j < 3; ++j) m[row][6 + motion + 3 + j] = c * turn[j];
    ++row;
  };
  const auto tie_surface = [&](const Surface& surface, int first, int motion, double r) {
    Vec t = e[0];
    if (surface.kind == Surface::edge || surface.kind == Surface::border || surface.kind == Surface::crossed) {
      t = unit(surface.along - dot(surface.along, n) * n);
    }
    const Vec out = cross(n, t);
    switch (surface.kind) {
      case Surface::corner:
        tie(first, motion, t, -r, 1);
        tie(first, motion, out, -r, 1);
        break;
      case Surface::edge:
        tie(first, motion, t, 1, 0);
        tie(first, motion, out, -r, 1);
        break;
      case Surface::border: tie(first, motion, out, 0, 1); [[fallthrough]];
      case Surface::face:
        tie(first, motion, t, 1, 0);
        tie(first, motion, out, 1, 0);
        break;
      case Surface::crossed: tie(first, motion, out, -r, 1); break;
      case Surface::pin:
        for (const Vec d : e) {
          tie(first, motion, d, 1, 0);
          tie(first, motion, d, 0, 1);
        }
        break;
      case Surface::beneath: break;
    }
  };
  tie_surface(p.a, 0, 0, -radius_a);
  tie_surface(p.b, 2, 6, radius_b);
  const Vec arm_a = p.p1 - centre_a, arm_b = p.p2 - centre_b;
  for (int k = 0; k < 2; ++k) {
    // e . (s_A - s_B - gap n') = -e . (v_A - v_B),  e . (omega x arm) = omega . (arm x e)
    m[4 + k][k] = 1;
    m[4 + k][2 + k] = -1;
    m[4 + k][4 + k] = -p.gap;
    const Vec ra = cross(arm_a, e[k]), rb = cross(arm_b, e[k]);
    for (int j = 0; j < 3; ++j) {
      m[4 + k][6 + j] = -e[k][j];
      m[4 + k][9 + j] = -ra[j];
      m[4 + k][12 + j] = e[k][j];
      m[4 + k][15 + j] = rb[j];
    }
  }
  eliminate(m);
  Slopes result{};
  for (int motion = 0; motion < 12; ++motion) {
    const auto unknown = [&](int k) { return std::abs(m[k][k]) >= kFree ? m[k][6 + motion] / m[k][k] : 0.0; };
    const Vec axis{motion % 3 == 0 ? 1.0 : 0, motion % 3 == 1 ? 1.0 : 0, motion % 3 == 2 ? 1.0 : 0};
    const Vec still{0, 0, 0};
    const Vec va = motion < 3 ? axis : motion < 6 ? cross(axis, arm_a) : still;
    const Vec vb = motion < 6 ? still : motion < 9 ? axis : cross(axis, arm_b);
    const Vec dn = unknown(4) * e[0] + unknown(5) * e[1];
    // Along n the surfaces go with their solids, but for what has no say about n: there s - r nu is in the edge or the
    // face.
    const auto wandered = [&](const Surface& surface, Vec s, double r, bool turns) {
      if (surface.kind == Surface::beneath) return s - dot(s, surface.along) / dot(n, surface.along) * n;
      if (surface.kind != Surface::crossed) return s;
      const Vec t = surface.along - dot(surface.along, n) * n;
      const Vec in_edge = s - r * (dn - (turns ? cross(axis, n) : still));
      return s + dot(in_edge, t) / dot(t, t) * dot(surface.along, n) * n;
    };
    const bool turns_a = motion / 3 == 1, turns_b = motion / 3 == 3;
    const Vec dp1 = va + wandered(p.a, unknown(0) * e[0] + unknown(1) * e[1], -radius_a, turns_a);
    const Vec dp2 = vb + wandered(p.b, unknown(2) * e[0] + unknown(3) * e[1], radius_b, turns_b);
    for (int j = 0; j < 3; ++j) {
      result.of[j][motion] = dn[j];
      result.of[3 + j][motion] = dp1[j];
      result.of[6 + j][motion] = dp2[j];
    }
  }
  return result;
}

}  // namespace nsmc::rt::collision
