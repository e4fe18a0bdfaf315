#include "runtime/sets/flat_face.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/linear/few.hpp"
#include "runtime/sets/exposed_face.hpp"

namespace nsmc::rt {

namespace {

constexpr int max_dim = static_cast<int>(FlatFace::max_dim);
constexpr double finest = 1e-9, widest = 1e-3;  // how far from v points are looked for, rad
constexpr double least_jump = 1e-6;             // of the size of the set, within twice the finest reach
constexpr double most_curvature = 30;           // of the size of the set per rad: what moves more has jumped
constexpr double small = 1e-4;                  // step of the differences that are second derivatives, rad
constexpr double narrowest = 1e-13;             // bracket around the break of a face, rad
constexpr int most_rounds = 20;                 // to put a velocity on its ridge

using Vector = FewVector;
using Matrix = FewMatrix;

Vector exposed(const ConvexSet& set, const Vector& v) {
  Vector x(v.n);
  exposed_unit_point(set, v.data(), x.v);
  return x;
}

double size_of(const ConvexSet& set) {
  const auto n = static_cast<int>(set.set->dim);
  double size = 0;
  for (int h = 0; h < n; ++h) {
    const Vector axis = Vector::unit(n, h);
    size = std::max(size, (exposed(set, axis) - exposed(set, -axis)).norm());
  }
  return size;
}

// Columns: an orthonormal basis whose first vectors span those of A.
Matrix completed(const Matrix& A) { return FewQr(A).Q(); }

// The jumps of F around v, as columns; 0 columns if there are none within this reach.
Matrix jumps_around(const ConvexSet& set, const Vector& v, double reach, double size) {
  const double least = size * std::max(least_jump, most_curvature * reach);
  Matrix jumps(v.n, 0), known(v.n, 0);  // known: v, the jumps, and directions across which there is none
  known.add_col(v);
  for (int found = 1; found < v.n; ++found) {
    const Vector d = completed(known).col(found);
    const Vector e = exposed(set, v + reach * d) - exposed(set, v - reach * d);
    const bool jumped = d.dot(e) > least;
    known.add_col(jumped ? e : d);
    if (jumped) jumps.add_col(e);
  }
  return jumps;
}

// The jumps across the tangents of a face.
Matrix jumps_across(const ConvexSet& set, const Vector& v, const Matrix& tangents, double reach) {
  Matrix jumps(v.n, 0);
  for (int j = 0; j < tangents.cols; ++j)
    jumps.add_col(exposed(set, v + reach * tangents.col(j)) - exposed(set, v - reach * tangents.col(j)));
  return jumps;
}

// Newton's method for e_j . v = 0, along the tangents. With points from within a reach it is exact to its square.
bool put_on_ridge(const Matrix& jumps, const Matrix& tangents, Vector& v) {
  const FewLu lu(jumps.transposed_times(tangents));
  if (!lu.is_invertible()) return false;
  v = (v - tangents * lu.solve(jumps.transposed_times(v))).normalized();
  return v.is_finite();
}

double next_reach(double reach) { return std::max(finest, std::min(reach / 4, 8 * reach * reach)); }

// With the ends of the face on both sides of the ridge, extrapolated to the ridge itself.
bool complete(const ConvexSet& set, const Vector& v, const Matrix& tangents, double size, FlatFace& face) {
  const int n = v.n, k = tangents.cols;
  Matrix jumps(n, 0);
  Vector inner(n);
  for (int j = 0; j < k; ++j) {
    const Vector d = finest * tangents.col(j);
    const Vector ahead_1 = exposed(set, v + d), behind_1 = exposed(set, v - d);
    const Vector ahead = 2 * ahead_1 - exposed(set, v + 2 * d), behind = 2 * behind_1 - exposed(set, v - 2 * d);
    jumps.add_col(ahead - behind);
    // A smooth motion, however fast, is twice as long over twice the way, and nothing is left of it.
    const double jump = tangents.col(j).dot(jumps.col(j)), near = tangents.col(j).dot(ahead_1 - behind_1);
    if (!(jump > size * least_jump / 2) || !(jump > 0.5 * near)) return false;
    inner += (ahead + behind) / (2 * k);
  }
  face.n = static_cast<std::uint32_t>(n);
  face.k = static_cast<std::uint32_t>(k);
  face.size = size;
  const Matrix Q = completed(jumps);
  for (int h = 0; h < n; ++h) {
    face.normal[h] = v[h];
    face.inner[h] = inner[h];
    for (int j = 0; j < n; ++j) face.basis[j][h] = Q(h, j);
  }
  return true;
}

Matrix tangents_of(const FlatFace& face) {
  const auto n = static_cast<int>(face.n);
  Matrix T(n, 0);
  for (std::uint32_t j = 0; j < face.k; ++j) T.add_col(Vector(face.basis[j], n));
  return T;
}

// The face in k dimensions, around its inner point, by its support function: d . F(v + 0 T d).
struct FaceFunction {
  const ConvexSet* set;
  const FlatFace* face;

  // Rounding of the direction moves points along a curved rim by its ratio to the reach, which the function does not
  // feel. From two of them to reach 0.
  Vector point(const Vector& d) const {
    const double reach = face->k == 1 ? finest : 10 * finest;
    const auto n = static_cast<int>(face->n);
    const Vector v(face->normal, n), inner(face->inner, n);
    const Matrix T = tangents_of(*face);
    const Vector aside = T * (reach * d);
    return T.transposed_times(2 * exposed(*set, v + aside) - exposed(*set, v + 2 * aside) - inner);
  }
};

void face_support(const nsm_view* view, double* out) {
  const auto& f = *static_cast<const FaceFunction*>(view->context);
  const auto k = static_cast<int>(f.face->k);
  const Vector d(view->lambda, k), point = f.point(d);
  out[0] = d.dot(point);
  double* rest = std::copy_n(point.v, k, out + 1);
  Matrix along(k, 0), H(k, k);
  along.add_col(d);
  const Matrix Q = completed(along);
  for (int j = 1; j < k; ++j) {
    const Vector e = f.point(d + small * Q.col(j)) - f.point(d - small * Q.col(j));
    if (!(e.norm() <= most_curvature * 2 * small * f.face->size)) {  // a kink
      std::fill_n(rest, k * k, std::numeric_limits<double>::quiet_NaN());
      return;
    }
    H.add_outer(0.25 / small, e, Q.col(j));
    H.add_outer(0.25 / small, Q.col(j), e);
  }
  for (int i = 0; i < k; ++i) rest = std::copy_n(H.a[i], k, rest);
}

// The ends of a face of one dimension.
struct Ends {
  double low, high;
};
Ends ends_of(const FaceFunction& f) {
  const Vector one(1, 1);
  return {f.point(-one)[0], f.point(one)[0]};
}

}  // namespace

bool may_have_flat_faces(const nsm_set& set) {
  return set.dim > 2 && set.dim <= FlatFace::max_dim && is_by_function(set);
}

bool find_flat_face(const ConvexSet& set, const double* v, double tolerance, FlatFace& face) {
  Vector start(v, static_cast<int>(set.set->dim));
  const double length = start.norm(), size = size_of(set);
  if (!(length > 0) || !std::isfinite(length) || !(size > 0) || !std::isfinite(size)) return false;
  start = start / length;
  tolerance /= length;
  // From far to near: faces of fewer dimensions are those whose ridges are nearer than those of the others.
  for (double reach = std::clamp(4 * tolerance, 4 * finest, widest);; reach = std::max(finest, reach / 8)) {
    Vector w = start;
    Matrix jumps = jumps_around(set, w, reach, size);
    const int k = jumps.cols;
    if (k == 0) return false;
    bool settled = true;
    for (double near = reach; settled; near = next_reach(near)) {
      const Matrix T = completed(jumps).first_cols(k);
      settled = put_on_ridge(jumps, T, w) && (w - start).norm() <= tolerance;
      if (!settled) break;
      jumps = jumps_around(set, w, next_reach(near), size);
      settled = jumps.cols == k;
      if (settled && near == finest) {
        return complete(set, w, completed(jumps).first_cols(k), size, face);
      }
    }
    if (reach == finest) return false;
  }
}

bool follow_flat_face(const ConvexSet& set, const double* v, FlatFace& face) {
  const Vector start = Vector(v, static_cast<int>(face.n)).normalized();
  if (!start.is_finite()) return false;
  Vector w = start;
  Matrix T = tangents_of(face);
  // Farther away there are other faces.
  double off = 0;
  for (int j = 0; j < T.cols; ++j) off = std::hypot(off, T.col(j).dot(w));
  const double farthest = std::max(1e3 * finest, 8 * off);
  double reach = std::clamp(4 * off, finest, 10 * widest);
  for (int round = 0; round < most_rounds; ++round) {
    const Matrix jumps = jumps_across(set, w, T, reach);
    bool jumped = true;
    for (int j = 0; j < T.cols; ++j) jumped = jumped && jumps.col(j).dot(T.col(j)) > least_jump / 2 * face.size;
    if (!jumped) {  // all on one side
      reach *= 30;
      if (reach > farthest) return false;
      continue;
    }
    if (!put_on_ridge(jumps, T, w) || (w - start).norm() > farthest) return false;
    T = completed(jumps).first_cols(T.cols);
    if (reach == finest) return complete(set, w, T, face.size, face);
    reach = next_reach(reach);
  }
  return false;
}

bool flat_face_breaks(const ConvexSet& set, const FlatFace& face, const double* v, double* where) {
  constexpr int look_back = 4;
  const Vector first(face.normal, static_cast<int>(face.n));
  const Vector way = Vector(v, first.n).normalized() - first;
  struct Place {
    double part;
    FlatFace face;
    bool exists;
  };
  const auto look = [&](double part, const FlatFace& from) {
    Place place{part, from, false};
    const Vector direction = first + part * way;
    place.exists = follow_flat_face(set, direction.data(), place.face);
    return place;
  };
  const auto chord = [&](const Place& a, const Place& b) {
    if (!b.exists) return std::numeric_limits<double>::infinity();
    // Which of its points are found is chance, in two and more dimensions: across the face they are the same.
    double square = 0, difference[max_dim];
    for (std::uint32_t h = 0; h < face.n; ++h) difference[h] = a.face.inner[h] - b.face.inner[h];
    for (std::uint32_t j = face.k > 1 ? face.k : 0; j < face.n; ++j)
      square += a.face.along(difference, j) * a.face.along(difference, j);
    return std::sqrt(square);
  };
  Place low{0, face, true}, high = look(1, face);
  const double least = least_jump * face.size;
  double slope = chord(low, high);
  // Follows the half in which the face moves more, for as long as this is more than a smooth motion.
  for (int round = 1; (high.part - low.part) * way.norm() > narrowest; ++round) {
    if (!(chord(low, high) > least)) return false;
    const Place middle = look(low.part + (high.part - low.part) / 2, low.face);
    if (!(middle.part > low.part && middle.part < high.part)) break;
    const double before = chord(low, middle);
    const bool early = high.exists ? before >= chord(middle, high) : before > least;
    (early ? high : low) = middle;
    if (round % look_back != 0 || !high.exists || (high.part - low.part) * way.norm() < finest) continue;
    const double now = chord(low, high) / (high.part - low.part);
    if (std::isfinite(slope) && !(now > 2 * slope)) return false;
    slope = now;
  }
  std::copy_n((first + (low.part + high.part) / 2 * way).v, first.n, where);
  return true;
}

namespace {

const FaceSet& face_set_of(const ConvexSet& view) { return *reinterpret_cast<const FaceSet*>(view.set); }

}  // namespace

double FaceOfSet::gauge(const double* x) const {
  const FaceSet& face_set = face_set_of(*view);
  return flat_face_gauge({&face_set.of, view->arguments}, face_set.face, x);
}

bool FaceOfSet::prox(double* z) const {
  const FaceSet& face_set = face_set_of(*view);
  flat_face_prox({&face_set.of, view->arguments}, face_set.face, z);
  return false;
}

void FaceOfSet::expose(const double*, double* x) const {
  const FlatFace& face = face_set_of(*view).face;
  for (std::uint32_t h = 0; h < face.n; ++h) x[h] = view->own()[0] * face.inner[h];
}

double flat_face_gauge(const ConvexSet& set, const FlatFace& face, const double* x) {
  const double s = set.own()[0];
  const FaceFunction f{&set, &face};
  Vector y(static_cast<int>(face.k));
  for (std::uint32_t j = 0; j < face.k; ++j) y[j] = face.along(x, j) / s - face.along(face.inner, j);
  if (face.k == 1) {
    const Ends ends = ends_of(f);
    return y[0] > 0 ? y[0] / ends.high : y[0] / ends.low;
  }
  const HomogeneousFunction function{face_support, nullptr, 0, face.k, &f};
  return SupportSet{function, 1}.gauge(y.v);
}

void flat_face_prox(const ConvexSet& set, const FlatFace& face, double* z) {
  const double s = set.own()[0];
  if (!(s > 0)) {
    for (std::uint32_t h = 0; h < face.n; ++h) z[h] = s * face.inner[h];
    return;
  }
  const FaceFunction f{&set, &face};
  Vector y(static_cast<int>(face.k));
  for (std::uint32_t j = 0; j < face.k; ++j) y[j] = face.along(z, j) / s - face.along(face.inner, j);
  if (face.k == 1) {
    const Ends ends = ends_of(f);
    y[0] = std::clamp(y[0], ends.low, ends.high);
  } else {
    const HomogeneousFunction function{face_support, nullptr, 0, face.k, &f};
    SupportSet{function, 1}.prox(y.v);
  }
  for (std::uint32_t h = 0; h < face.n; ++h) {
    z[h] = face.inner[h];
    for (std::uint32_t j = 0; j < face.k; ++j) z[h] += y[j] * face.basis[j][h];
    z[h] *= s;
  }
}

}  // namespace nsmc::rt
