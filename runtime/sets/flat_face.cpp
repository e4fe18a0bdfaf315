#include "runtime/sets/flat_face.hpp"

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/sets/exposed_face.hpp"

namespace nsmc::rt {

namespace {

constexpr int max_dim = static_cast<int>(FlatFace::max_dim);
constexpr double finest = 1e-9, widest = 1e-3;  // how far from v points are looked for, rad
constexpr double least_jump = 1e-6;             // of the size of the set, within twice the finest reach
constexpr double most_curvature = 30;           // of the size of the set per rad: what moves more has jumped

using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, max_dim, 1>;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, max_dim, max_dim>;

Vector exposed(const ConvexSet& set, const Vector& v) {
  Vector x(v.size());
  exposed_unit_point(set, v.data(), x.data());
  return x;
}

double size_of(const ConvexSet& set) {
  const auto n = static_cast<Eigen::Index>(set.set->dim);
  double size = 0;
  for (Eigen::Index h = 0; h < n; ++h) {
    const Vector axis = Vector::Unit(n, h);
    size = std::max(size, (exposed(set, axis) - exposed(set, -axis)).norm());
  }
  return size;
}

// Columns: an orthonormal basis whose first vectors span those of A.
Matrix completed(const Matrix& A) {
  const Eigen::HouseholderQR<Matrix> qr(A);
  Matrix Q = Matrix::Identity(A.rows(), A.rows());
  Q.applyOnTheLeft(qr.householderQ());
  return Q;
}

// The jumps of F around v, as columns; 0 columns if there are none within this reach.
Matrix jumps_around(const ConvexSet& set, const Vector& v, double reach, double size) {
  const Eigen::Index n = v.size();
  const double least = size * std::max(least_jump, most_curvature * reach);
  Matrix jumps(n, 0), known(n, 1);  // known: v, the jumps, and directions across which there is none
  known.col(0) = v;
  for (Eigen::Index found = 1; found < n; ++found) {
    const Vector d = completed(known).col(found);
    const Vector e = exposed(set, v + reach * d) - exposed(set, v - reach * d);
    known.conservativeResize(n, found + 1);
    known.col(found) = d;
    if (!(d.dot(e) > least)) continue;
    known.col(found) = e;
    jumps.conservativeResize(n, jumps.cols() + 1);
    jumps.col(jumps.cols() - 1) = e;
  }
  return jumps;
}

// The jumps across the tangents of a face.
Matrix jumps_across(const ConvexSet& set, const Vector& v, const Matrix& tangents, double reach) {
  Matrix jumps(v.size(), tangents.cols());
  for (Eigen::Index j = 0; j < tangents.cols(); ++j)
    jumps.col(j) = exposed(set, v + reach * tangents.col(j)) - exposed(set, v - reach * tangents.col(j));
  return jumps;
}

// Newton's method for e_j . v = 0, along the tangents. With points from within a reach it is exact to its square.
bool put_on_ridge(const Matrix& jumps, const Matrix& tangents, Vector& v) {
  const Matrix A = jumps.transpose() * tangents;
  const Vector b = jumps.transpose() * v;
  const Eigen::FullPivLU<Matrix> lu(A);
  if (!lu.isInvertible()) return false;
  const Vector step = lu.solve(b);
  v -= tangents * step;
  v.normalize();
  return v.allFinite();
}

double next_reach(double reach) { return std::max(finest, std::min(reach / 4, 8 * reach * reach)); }

// With the ends of the face on both sides of the ridge, extrapolated to the ridge itself.
bool complete(const ConvexSet& set, const Vector& v, const Matrix& tangents, double size, FlatFace& face) {
  const Eigen::Index n = v.size(), k = tangents.cols();
  Matrix jumps(n, k);
  Vector inner = Vector::Zero(n);
  for (Eigen::Index j = 0; j < k; ++j) {
    const Vector d = finest * tangents.col(j);
    const Vector ahead_1 = exposed(set, v + d), behind_1 = exposed(set, v - d);
    const Vector ahead = 2 * ahead_1 - exposed(set, v + 2 * d), behind = 2 * behind_1 - exposed(set, v - 2 * d);
    jumps.col(j) = ahead - behind;
    // A smooth motion, however fast, is twice as long over twice the way, and nothing is left of it.
    const double jump = tangents.col(j).dot(jumps.col(j)), near = tangents.col(j).dot(ahead_1 - behind_1);
    if (!(jump > size * least_jump / 2) || !(jump > 0.5 * near)) return false;
    inner += (ahead + behind) / static_cast<double>(2 * k);
  }
  face.n = static_cast<std::uint32_t>(n);
  face.k = static_cast<std::uint32_t>(k);
  face.size = size;
  const Matrix Q = completed(jumps);
  for (Eigen::Index h = 0; h < n; ++h) {
    face.normal[h] = v[h];
    face.inner[h] = inner[h];
    for (Eigen::Index j = 0; j < n; ++j) face.basis[j][h] = Q(h, j);
  }
  return true;
}

Matrix tangents_of(const FlatFace& face) {
  Matrix T(face.n, face.k);
  for (Eigen::Index j = 0; j < T.cols(); ++j) T.col(j) = Eigen::Map<const Eigen::VectorXd>(face.basis[j], face.n);
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
    const Eigen::Map<const Eigen::VectorXd> v(face->normal, face->n), inner(face->inner, face->n);
    const Matrix T = tangents_of(*face);
    const Vector aside = T * (reach * d);
    const Vector x = 2 * exposed(*set, v + aside) - exposed(*set, v + 2 * aside) - inner;
    return T.transpose() * x;
  }
};

void face_support(const nsm_view* view, double* out) {
  const auto& f = *reinterpret_cast<const FaceFunction*>(view->self);
  const auto k = static_cast<Eigen::Index>(f.face->k);
  const Vector d = Eigen::Map<const Eigen::VectorXd>(view->lambda, k);
  const Vector point = f.point(d);
  out[0] = d.dot(point);
  Eigen::Map<Eigen::VectorXd>(out + 1, k) = point;
  Eigen::Map<Eigen::MatrixXd> H(out + 1 + k, k, k);
  H.setZero();
  constexpr double small = 1e-4;
  const Matrix Q = completed(d);
  for (Eigen::Index j = 1; j < k; ++j) {
    const Vector e = f.point(d + small * Q.col(j)) - f.point(d - small * Q.col(j));
    if (!(e.norm() <= most_curvature * 2 * small * f.face->size)) {  // a kink
      H.setConstant(std::numeric_limits<double>::quiet_NaN());
      return;
    }
    const Vector slope = e / (2 * small);
    H += (slope * Q.col(j).transpose() + Q.col(j) * slope.transpose()) / 2;
  }
}

// The ends of a face of one dimension.
struct Ends {
  double low, high;
};
Ends ends_of(const FaceFunction& f) {
  const Vector one = Vector::Ones(1);
  return {f.point(-one)[0], f.point(one)[0]};
}

}  // namespace

bool may_have_flat_faces(const nsm_set& set) {
  return set.dim > 2 && set.dim <= FlatFace::max_dim && (set.kind == NSM_SET_GAUGE || set.kind == NSM_SET_SUPPORT);
}

bool find_flat_face(const ConvexSet& set, const double* v, double tolerance, FlatFace& face) {
  const auto n = static_cast<Eigen::Index>(set.set->dim);
  Vector start = Eigen::Map<const Eigen::VectorXd>(v, n);
  const double length = start.norm(), size = size_of(set);
  if (!(length > 0) || !std::isfinite(length) || !(size > 0) || !std::isfinite(size)) return false;
  start /= length;
  tolerance /= length;
  // From far to near: faces of fewer dimensions are those whose ridges are nearer than those of the others.
  for (double reach = std::clamp(4 * tolerance, 4 * finest, widest);; reach = std::max(finest, reach / 8)) {
    Vector w = start;
    Matrix jumps = jumps_around(set, w, reach, size);
    const Eigen::Index k = jumps.cols();
    if (k == 0) return false;
    bool settled = true;
    for (double near = reach; settled; near = next_reach(near)) {
      const Matrix T = completed(jumps).leftCols(k);
      settled = put_on_ridge(jumps, T, w) && (w - start).norm() <= tolerance;
      if (!settled) break;
      jumps = jumps_around(set, w, next_reach(near), size);
      settled = jumps.cols() == k;
      if (settled && near == finest) {
        const Matrix tangents = completed(jumps).leftCols(k);
        return complete(set, w, tangents, size, face);
      }
    }
    if (reach == finest) return false;
  }
}

bool follow_flat_face(const ConvexSet& set, const double* v, FlatFace& face) {
  Vector start = Eigen::Map<const Eigen::VectorXd>(v, face.n);
  start.normalize();
  if (!start.allFinite()) return false;
  Vector w = start;
  Matrix T = tangents_of(face);
  // Farther away there are other faces.
  double off = 0;
  for (Eigen::Index k = 0; k < T.cols(); ++k) off = std::hypot(off, T.col(k).dot(w));
  const double farthest = std::max(1e3 * finest, 8 * off);
  double reach = std::clamp(4 * off, finest, 10 * widest);
  for (int round = 0; round < 20; ++round) {
    const Matrix jumps = jumps_across(set, w, T, reach);
    if (!(jumps.cwiseProduct(T).colwise().sum().minCoeff() > least_jump / 2 * face.size)) {  // all on one side
      reach *= 30;
      if (reach > farthest) return false;
      continue;
    }
    if (!put_on_ridge(jumps, T, w) || (w - start).norm() > farthest) return false;
    const Matrix Q = completed(jumps).leftCols(T.cols());
    T = Q;
    if (reach == finest) return complete(set, w, T, face.size, face);
    reach = next_reach(reach);
  }
  return false;
}

bool flat_face_breaks(const ConvexSet& set, const FlatFace& face, const double* v, double* where) {
  constexpr int look_back = 4;
  const Eigen::Map<const Eigen::VectorXd> first(face.normal, face.n), last(v, face.n);
  const Vector way = last / last.norm() - first;
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
  for (int round = 1; (high.part - low.part) * way.norm() > 1e-13; ++round) {
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
  Eigen::Map<Eigen::VectorXd>(where, face.n) = first + (low.part + high.part) / 2 * way;
  return true;
}

bool ConvexSet::prox_on_face(double* z) const {
  const auto& face_set = *reinterpret_cast<const FaceSet*>(set);
  flat_face_prox({&face_set.of, arguments}, face_set.face, z);
  return false;
}

double flat_face_gauge(const ConvexSet& set, const FlatFace& face, const double* x) {
  const double s = set.own()[0];
  const FaceFunction f{&set, &face};
  Vector y(face.k);
  for (std::uint32_t j = 0; j < face.k; ++j) y[j] = face.along(x, j) / s - face.along(face.inner, j);
  if (face.k == 1) {
    const Ends ends = ends_of(f);
    return y[0] > 0 ? y[0] / ends.high : y[0] / ends.low;
  }
  const HomogeneousFunction function{face_support, reinterpret_cast<const double*>(&f), 0, face.k};
  return SupportSet{function, 1}.gauge(y.data());
}

void flat_face_prox(const ConvexSet& set, const FlatFace& face, double* z) {
  const double s = set.own()[0];
  if (!(s > 0)) {
    for (std::uint32_t h = 0; h < face.n; ++h) z[h] = s * face.inner[h];
    return;
  }
  const FaceFunction f{&set, &face};
  Vector y(face.k);
  for (std::uint32_t j = 0; j < face.k; ++j) y[j] = face.along(z, j) / s - face.along(face.inner, j);
  if (face.k == 1) {
    const Ends ends = ends_of(f);
    y[0] = std::clamp(y[0], ends.low, ends.high);
  } else {
    const HomogeneousFunction function{face_support, reinterpret_cast<const double*>(&f), 0, face.k};
    SupportSet{function, 1}.prox(y.data());
  }
  for (std::uint32_t h = 0; h < face.n; ++h) {
    z[h] = face.inner[h];
    for (std::uint32_t j = 0; j < face.k; ++j) z[h] += y[j] * face.basis[j][h];
    z[h] *= s;
  }
}

}  // namespace nsmc::rt
