// Faces of sets by functions in three and more dimensions (runtime/sets/flat_face.hpp). Their ridges are not known
// before but found where the force has jumped while the velocity has hardly turned; the step is then taken again, with
// a force that goes on beyond the ridge as before it, so that the moment of crossing can be found. There the inclusions
// decide whether the face holds the velocity.
#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/methods/event/accelerations.hpp"
#include "runtime/sets/exposed_face.hpp"
#include "runtime/sets/flat_face.hpp"

namespace nsmc::rt::event {

namespace {

// Angles in rad.
constexpr double beside_ridge = 1e-7;  // as near to a ridge as the force is asked for
constexpr double far_from_ridge = 1e-2;
constexpr double look_ahead = 30;            // times what the velocity has turned in a step
constexpr double jump = 1e-6, fastest = 30;  // of the size of the set: what counts as a jump, and per rad
constexpr double same_tangents = 1e-4;       // of unit vectors along two faces
constexpr double widest_face = 1e-4, narrowest_face = 1e-8;  // around a direction that is not exact
constexpr double inside_face = 1 - 1e-9;  // of the gauge of a face: a force that does not sit on its border
constexpr double most_tolerance = 1e-2;   // for the ridge that a step has met
constexpr double on_ridge = 1e-12;        // a velocity that is on it already
constexpr double oblique = 4e-4;          // 1 - cos^2 of the way to a ridge of more dimensions

double norm(const double* x, std::uint32_t n) {
  double square = 0;
  for (std::uint32_t h = 0; h < n; ++h) square += x[h] * x[h];
  return std::sqrt(square);
}

double dot(const double* a, const double* b, std::uint32_t n) {
  double sum = 0;
  for (std::uint32_t h = 0; h < n; ++h) sum += a[h] * b[h];
  return sum;
}

// The part of v along the face.
void along_face(const FlatFace& face, const double* v, double* part) {
  std::fill_n(part, face.n, 0.0);
  for (std::uint32_t j = 0; j < face.k; ++j) {
    const double along = face.along(v, j);
    for (std::uint32_t h = 0; h < face.n; ++h) part[h] += along * face.basis[j][h];
  }
}

// Whether they have one normal and the same tangents.
bool same_face(const FlatFace& a, const FlatFace& b) {
  if (a.k != b.k) return false;
  double off = 0, part[FlatFace::max_dim];
  for (std::uint32_t j = 0; j < a.k; ++j) {
    along_face(b, a.basis[j], part);
    for (std::uint32_t h = 0; h < a.n; ++h) off = std::max(off, std::abs(part[h] - a.basis[j][h]));
  }
  return off < same_tangents;
}

// In short steps, since tangents may turn.
bool follow_far(const ConvexSet& set, const double* direction, FlatFace& face) {
  constexpr double short_way = 5e-3;
  double first[FlatFace::max_dim], between[FlatFace::max_dim], way = 0;
  std::copy_n(face.normal, face.n, first);
  for (std::uint32_t h = 0; h < face.n; ++h) way = std::hypot(way, direction[h] - first[h]);
  const int n = static_cast<int>(way / short_way) + 1;
  for (int k = 1; k <= n; ++k) {
    const double part = static_cast<double>(k) / n;
    for (std::uint32_t h = 0; h < face.n; ++h) between[h] = first[h] + part * (direction[h] - first[h]);
    if (!follow_flat_face(set, between, face)) return false;
  }
  return true;
}

}  // namespace

bool Accelerations::has_faces(const ContactRows& rows, const Unit& unit) const {
  return may_have_flat_faces(system_.contacts()[rows.contact].type->sets[unit.set]);
}

bool Accelerations::is_without_modes(const ContactRows& rows, const Unit& unit) {
  if (!has_faces(rows, unit)) return false;
  const ContactInfo& contact = system_.contacts()[rows.contact];
  const nsm_set& set = contact.type->sets[unit.set];
  bool shape_changes = rows.arguments != nullptr;  // not affine in the forces
  for (std::uint32_t m = 1; m < set.n_arguments && rows.K != nullptr; ++m) {
    const double* K = rows.K + std::size_t{set.first_argument + m} * rows.n_rows;
    shape_changes = shape_changes || std::any_of(K, K + rows.n_rows, [](double value) { return value != 0; });
  }
  return shape_changes || is_compliant(rows.first_row + unit.row) ||
         has_kinks(set_of(rows, unit, modes_.lambda.data() + contact.first_row));
}

void Accelerations::direction_near_ridge(const Unit& unit, const double* velocity, double* direction) const {
  const Ridges& ridges = modes_.ridges[unit.index];
  const double length = norm(velocity, unit.dim);
  double part[max_shifted_dim] = {};
  bool beyond = false;
  if (ridges.near) {
    along_face(ridges.ridge, velocity, part);
    beyond = dot(part, ridges.side, unit.dim) < beside_ridge * length;
  }
  double v[max_shifted_dim];
  for (std::uint32_t h = 0; h < unit.dim; ++h)
    v[h] = beyond ? velocity[h] - part[h] + beside_ridge * length * ridges.side[h] : velocity[h];
  const double size = norm(v, unit.dim);
  for (std::uint32_t h = 0; h < unit.dim; ++h) direction[h] = v[h] / size;
}

const FlatFace& Accelerations::face_of(const ContactRows& rows, const Unit& unit, const double* own) {
  Ridges& ridges = modes_.ridges[unit.index];
  const double* n0 = modes_.direction.data() + system_.contacts()[rows.contact].first_row + unit.row;
  double velocity[max_shifted_dim], direction[max_shifted_dim], forward = 0, size = 0;
  for (std::uint32_t h = 0; h < unit.dim; ++h) {
    velocity[h] = xi_of(rows, unit.row + h, own);
    forward += velocity[h] * n0[h];
    size = std::max(size, std::abs(velocity[h]));
  }
  const bool as_before = !(forward > 0) || size <= no_velocity * unit.speed;
  direction_near_ridge(unit, as_before ? n0 : velocity, direction);
  if (!ridges.asked || !std::equal(direction, direction + unit.dim, ridges.asked_for)) {
    ridges.answer = ridges.held;
    ridges.lost = false;
    if (!follow_far(set_of(rows, unit, own), direction, ridges.answer)) {
      // A little beyond the end of the face the force goes on as before. Farther away nothing is known.
      ridges.answer = ridges.held;
      double turned = 0;
      for (std::uint32_t h = 0; h < unit.dim; ++h) turned = std::hypot(turned, direction[h] - ridges.held.normal[h]);
      ridges.lost = turned > 0.1;
    }
    std::copy_n(direction, unit.dim, ridges.asked_for);
    ridges.asked = true;
  }
  return ridges.answer;
}

double Accelerations::gauge_on_face(const ContactRows& rows, const Unit& unit, const double* own) {
  const FlatFace& face = face_of(rows, unit, own);
  const ConvexSet set = set_of(rows, unit, own);
  double x[max_shifted_dim];
  for (std::uint32_t h = 0; h < unit.dim; ++h)
    x[h] = -set.alpha() * own[unit.row + h] - (set.centre() != nullptr ? set.centre()[h] : 0);
  return flat_face_gauge(set, face, x);
}

void Accelerations::find_first_face(const ContactRows& rows, Unit& unit, const double* own, const double* point,
                                    double* n0) {
  Ridges& ridges = modes_.ridges[unit.index];
  ridges.near = ridges.asked = false;
  if (!has_faces(rows, unit)) return;
  const ConvexSet set = set_of(rows, unit, own);
  double x[max_shifted_dim], off[max_shifted_dim];
  for (std::uint32_t h = 0; h < unit.dim; ++h) x[h] = point[h] - (set.centre() != nullptr ? set.centre()[h] : 0);
  // The direction of a motion that begins with 0 is not exact: the largest face around that has the force inside.
  FlatFace face;
  for (double tolerance = widest_face; tolerance > narrowest_face; tolerance /= 10) {
    if (!find_flat_face(set, n0, tolerance, face)) return;
    for (std::uint32_t h = 0; h < unit.dim; ++h) off[h] = x[h] - set.own()[0] * face.inner[h];
    double across = 0;
    for (std::uint32_t j = face.k; j < face.n; ++j) across = std::max(across, std::abs(face.along(off, j)));
    if (across > 10 * tolerance * face.size * set.own()[0] || !(flat_face_gauge(set, face, x) < inside_face)) continue;
    unit.mode = Mode::edge;
    ridges.held = face;
    std::copy_n(face.normal, unit.dim, n0);
    return;
  }
  double side[max_shifted_dim];
  along_face(face, off, side);
  leave_face(rows, unit, own, face, side, n0);
}

void Accelerations::leave_face(const ContactRows& rows, Unit& unit, const double* own, const FlatFace& face,
                               const double* side, double* n0) {
  Ridges& ridges = modes_.ridges[unit.index];
  ridges.near = true;
  ridges.asked = false;
  ridges.ridge = face;
  const double length = norm(side, unit.dim);
  for (std::uint32_t h = 0; h < unit.dim; ++h) ridges.side[h] = side[h] / length;
  unit.mode = Mode::slip;
  ++unit.corner;
  // The border of a face may have faces, too: the edges of a cube.
  const ConvexSet set = set_of(rows, unit, own);
  double aside[max_shifted_dim];
  constexpr double away = 1e-4;
  for (std::uint32_t h = 0; h < unit.dim; ++h) aside[h] = face.normal[h] + away * ridges.side[h];
  FlatFace edge;
  if (face.k > 1 && find_flat_face(set, aside, same_tangents * away, edge) && edge.k < face.k) {
    double x[max_shifted_dim];
    for (std::uint32_t h = 0; h < unit.dim; ++h)
      x[h] = -set.alpha() * own[unit.row + h] - (set.centre() != nullptr ? set.centre()[h] : 0);
    if (flat_face_gauge(set, edge, x) < inside_face) {
      unit.mode = Mode::edge;
      ridges.held = edge;
    }
  }
  direction_near_ridge(unit, face.normal, n0);
}

bool Accelerations::find_ridges(bool step_was_short) {
  bool found = false;
  for (const ContactRows& rows : work_.problem.contacts) {
    for (std::uint32_t k = modes_.first_unit[rows.contact]; k < modes_.first_unit[rows.contact + 1]; ++k) {
      const Unit& unit = modes_.units[k];
      if (unit.mode == Mode::hold || !has_faces(rows, unit)) continue;
      found = find_ridge(rows, unit, step_was_short) || found;
    }
  }
  return found;
}

bool Accelerations::find_ridge(const ContactRows& rows, const Unit& unit, bool step_was_short) {
  const std::uint32_t first = system_.contacts()[rows.contact].first_row, n = unit.dim;
  const double *n0 = modes_.direction.data() + first + unit.row, *velocity = xi_.data() + rows.first_row + unit.row;
  if (!(norm(velocity, n) > no_velocity * unit.speed)) return false;
  Ridges& ridges = modes_.ridges[unit.index];
  const ConvexSet set = set_of(rows, unit, modes_.lambda.data() + first);
  double direction[max_shifted_dim], where[max_shifted_dim], turned = 0, tolerance = beside_ridge;
  bool located = false;
  direction_near_ridge(unit, velocity, direction);
  for (std::uint32_t h = 0; h < n; ++h) {
    turned = std::hypot(turned, direction[h] - n0[h]);
    where[h] = (direction[h] + n0[h]) / 2;
  }
  if (turned == 0 || turned > 1) return false;
  if (unit.mode == Mode::edge) {
    // Beyond the end of its face the force goes on as before, and a step may be long.
    if (ridges.held.k + 1 == n) return false;
    located = flat_face_breaks(set, ridges.held, direction, where);
    if (!located) {
      if (!step_was_short) return false;
      tolerance = std::min(most_tolerance, look_ahead * turned);
    }
  } else {
    double x[max_shifted_dim], before[max_shifted_dim], moved = 0, size = 0;
    exposed_unit_point(set, n0, before);
    exposed_unit_point(set, direction, x);
    for (std::uint32_t h = 0; h < n; ++h) {
      moved = std::hypot(moved, x[h] - before[h]);
      size = std::max({size, std::abs(x[h]), std::abs(before[h])});
    }
    const bool jumped = moved > size * std::max(jump, fastest * turned);
    if (!jumped && !step_was_short) return false;
    tolerance = std::min(most_tolerance, turned * (jumped ? 4 * std::max(1.0, size / moved) : look_ahead));
  }
  const double length = norm(where, n);
  for (std::uint32_t h = 0; h < n; ++h) where[h] /= length;
  // The ridge around that is reached first as the velocity goes on to turn; from the faces of the most
  // dimensions to those whose ridges are nearer.
  Ridges next;
  FlatFace face;
  double soonest = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 8 && find_flat_face(set, where, tolerance, face); ++round) {
    const std::uint32_t held = unit.mode == Mode::edge ? ridges.held.k : 0;
    if (face.k <= held) break;
    double side[max_shifted_dim], way[max_shifted_dim], distance = 0;
    for (std::uint32_t h = 0; h < n; ++h) {
      distance = std::hypot(distance, face.normal[h] - where[h]);
      way[h] = direction[h] - n0[h];
    }
    if (distance >= tolerance) break;
    tolerance = 0.9 * distance;
    along_face(face, n0, side);
    double pull[max_shifted_dim];
    along_face(face, way, pull);
    const double pace = norm(pull, n);
    if (!(pace > 0)) continue;
    double off = norm(side, n);
    if (off <= on_ridge) {  // on the ridge already: where it came from is behind it
      for (std::uint32_t h = 0; h < n; ++h) side[h] = -on_ridge * pull[h] / pace;
      off = on_ridge;
    }
    const double approach = -dot(side, pull, n) / off;
    if (!(approach > 0) || !(off / approach < soonest)) continue;
    // A ridge of several dimensions less must be met by itself; others around it are met before.
    if (!located && face.k > held + 1 && pace * pace - approach * approach > oblique * pace * pace) continue;
    soonest = off / approach;
    next.ridge = face;
    for (std::uint32_t h = 0; h < n; ++h) next.side[h] = side[h] / off;
  }
  if (!std::isfinite(soonest) || (ridges.near && same_face(next.ridge, ridges.ridge))) return false;
  ridges.near = true;
  ridges.asked = false;
  ridges.ridge = next.ridge;
  std::copy_n(next.side, n, ridges.side);
  return true;
}

bool Accelerations::reaches_ridge(const ContactRows& rows, const Unit& unit) const {
  const Ridges& ridges = modes_.ridges[unit.index];
  if (!ridges.near) return false;
  const double* velocity = xi_.data() + rows.first_row + unit.row;
  double part[max_shifted_dim];
  along_face(ridges.ridge, velocity, part);
  return norm(part, unit.dim) <= beside_ridge * norm(velocity, unit.dim);
}

void Accelerations::keep_face(const ContactRows& rows, Unit& unit, const double* own, double* n0) {
  Ridges& ridges = modes_.ridges[unit.index];
  const double* velocity = xi_.data() + rows.first_row + unit.row;
  const double length = norm(velocity, unit.dim);
  if (unit.mode == Mode::edge) {
    ridges.held = face_of(rows, unit, own);
    std::copy_n(ridges.held.normal, unit.dim, n0);
  }
  if (!ridges.near || !(length > no_velocity * unit.speed)) return;
  double part[max_shifted_dim];
  along_face(ridges.ridge, velocity, part);
  const double off = norm(part, unit.dim);
  if (off > far_from_ridge * length) {
    ridges.near = ridges.asked = false;
  } else if (off > no_velocity * unit.speed && dot(part, ridges.side, unit.dim) > 0) {
    for (std::uint32_t h = 0; h < unit.dim; ++h) ridges.side[h] = part[h] / off;
  }
}

}  // namespace nsmc::rt::event
