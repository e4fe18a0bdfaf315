// Edges of sets: of polygons, and of sets by functions in the plane that have flats. A velocity that is normal to an
// edge exposes all of it; others expose a corner of the polygon, or a point of the arc between two flats.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "runtime/methods/event/accelerations.hpp"
#include "runtime/sets/exposed_face.hpp"
#include "runtime/sets/flats.hpp"

namespace nsmc::rt::event {

namespace {

constexpr double turn = 2 * std::numbers::pi;
constexpr double near_normal = 1e-7;  // rad: of a direction that is normal to an edge
constexpr double off_corner = 1e-9;   // of an edge: a force that sits between its ends

double angle_of(const double* v) { return std::atan2(v[1], v[0]); }

// From 0 to below 2 pi.
double positive_angle(double angle) {
  angle = std::fmod(angle, turn);
  return angle < 0 ? angle + turn : angle;
}

// Between two flats, or all round from the only one back to it.
struct Arc {
  double first, width;
};

Arc arc_of(const std::vector<Flat>& flats, std::uint32_t arc) {
  const auto n = static_cast<std::uint32_t>(flats.size());
  const Flat& before = flats[(arc + n - 1) % n];
  const double width = n == 1 ? turn : positive_angle(flats[arc].normal - before.normal);
  return {before.normal + flat_angle, width - 2 * flat_angle};
}

}  // namespace

bool Accelerations::has_edges(const ContactRows& rows, const Unit& unit) const {
  return system_.contacts()[rows.contact].type->sets[unit.set].kind == NSM_SET_POLYGON ||
         !modes_.flats[unit.index].all.empty();
}

// Looked for at events. Normals of flats do not depend on the size of a set, which is why its first argument does not
// count; what else forces change of its shape is looked at once in an event.
void Accelerations::find_flats_of(const ContactRows& rows, const Unit& unit, const double* own) {
  const ConvexSet set = set_of(rows, unit, own);
  if (!may_have_flats(*set.set)) return;
  Flats& flats = modes_.flats[unit.index];
  const double *first = set.own() + 1, *last = set.own() + set.set->n_arguments;
  if (flats.found_at == t_ && !flats.shape.empty()) return;
  if (flats.shape.size() == static_cast<std::size_t>(last - first) + 1 &&
      std::equal(first, last, flats.shape.begin() + 1))
    return;
  if (!std::all_of(first, last, [](double value) { return std::isfinite(value); })) return;
  // A set of the size 1 at the origin, whatever the forces are.
  std::vector<double> arguments(set.own(), set.own() + set.set->n_arguments);
  arguments[0] = 1;
  nsm_set centred = *set.set;
  centred.first_argument = 0;
  centred.shifted = centred.scaled = 0;
  if (!find_flats({&centred, arguments.data()}, flats.all, stop)) return;
  flats.shape = std::move(arguments);
  flats.found_at = t_;
}

Accelerations::Edge Accelerations::edge_of(const ContactRows& rows, const Unit& unit, const double* own) {
  const ConvexSet set = set_of(rows, unit, own);
  Edge edge{};
  double end[2];
  if (set.set->kind == NSM_SET_POLYGON) {
    corner_of(set, unit.corner, edge.corner);
    corner_of(set, (unit.corner + 1) % (set.set->n_arguments / 2), end);
    edge.length = std::hypot(end[0] - edge.corner[0], end[1] - edge.corner[1]);
    for (int k = 0; k < 2; ++k) edge.along[k] = (end[k] - edge.corner[k]) / edge.length;
    return edge;
  }
  const Flat& flat = modes_.flats[unit.index].all[unit.corner];
  exposed_at(set, flat.normal - flat.half, edge.corner);
  exposed_at(set, flat.normal + flat.half, end);
  edge.along[0] = -std::sin(flat.normal);
  edge.along[1] = std::cos(flat.normal);
  for (int k = 0; k < 2; ++k) edge.length += edge.along[k] * (end[k] - edge.corner[k]);
  return edge;
}

double Accelerations::place_on_edge(const ContactRows& rows, const Unit& unit, const double* own) {
  const Edge edge = edge_of(rows, unit, own);
  const double alpha = set_of(rows, unit, own).alpha();
  double place = 0;
  for (int k = 0; k < 2; ++k) place += edge.along[k] * (-alpha * own[unit.row + k] - edge.corner[k]);
  return place / edge.length;
}

// On a bend the force tells what the velocity is.
double Accelerations::slope_on_edge(const ContactRows& rows, const Unit& unit, const double* own) {
  if (!has_bends(unit)) return 0;
  const Flat& flat = modes_.flats[unit.index].all[unit.corner];
  const Edge edge = edge_of(rows, unit, own);
  const double place = place_on_edge(rows, unit, own) * edge.length;
  const ConvexSet set = set_of(rows, unit, own);
  double low = -flat.half, high = flat.half;
  for (int round = 0; round < 40; ++round) {
    const double middle = (low + high) / 2;
    double x[2];
    exposed_at(set, flat.normal + middle, x);
    const double there = edge.along[0] * (x[0] - edge.corner[0]) + edge.along[1] * (x[1] - edge.corner[1]);
    (there < place ? low : high) = middle;
  }
  return (low + high) / 2;
}

// The bend pulls the velocity in from both of its ends: by the forces of its contact alone, those of others given.
bool Accelerations::attracts(const ContactRows& rows, const Unit& unit, const double* own) {
  const Flat& flat = modes_.flats[unit.index].all[unit.corner];
  if (flat.half <= 2 * flat_angle || is_compliant(rows.first_row + unit.row)) return false;
  const Edge edge = edge_of(rows, unit, own);
  const double alpha = set_of(rows, unit, own).alpha();
  double rate = 0, G = 0, first = 0;
  for (std::uint32_t h = 0; h < 2; ++h) {
    rate += edge.along[h] * xi_rate(rows, unit.row + h);
    first += edge.along[h] * (edge.corner[h] / alpha + own[unit.row + h]);
    const double* g = work_.problem.G.data() + rows.first_value + std::size_t{unit.row + h} * rows.width + rows.own;
    for (std::uint32_t k = 0; k < 2; ++k) G += edge.along[h] * g[unit.row + k] * edge.along[k];
  }
  return rate - G * first > 0 && rate - G * (first + edge.length / alpha) < 0;
}

bool Accelerations::bend_attracts(const ContactRows& rows, const Unit& unit, const double* own,
                                  const double* velocity) {
  const std::vector<Flat>& flats = modes_.flats[unit.index].all;
  const auto n = static_cast<std::uint32_t>(flats.size());
  Unit side = unit;
  for (const std::uint32_t flat : {unit.corner, (unit.corner + n - 1) % n}) {
    const double off = std::remainder(angle_of(velocity) - flats[flat].normal, turn);
    side.corner = flat;
    if (std::abs(off) < 0.999 * flats[flat].half && attracts(rows, side, own)) return true;
  }
  return false;
}

bool Accelerations::has_bends(const Unit& unit) const {
  return unit.mode == Mode::edge && !modes_.flats[unit.index].all.empty() &&
         modes_.flats[unit.index].all[unit.corner].half > 2 * flat_angle;
}

bool Accelerations::find_edge(const ContactRows& rows, Unit& unit, const double* own, const double* velocity,
                              double tolerance) {
  find_flats_of(rows, unit, own);
  if (!has_edges(rows, unit)) return false;
  const std::vector<Flat>& flats = modes_.flats[unit.index].all;
  const ConvexSet set = set_of(rows, unit, own);
  const bool polygon = set.set->kind == NSM_SET_POLYGON;
  const auto n = static_cast<std::uint32_t>(polygon ? set.set->n_arguments / 2 : flats.size());
  std::uint32_t corner = 0;
  if (polygon) {
    corner = exposed_corner(set, velocity);
  } else {
    const double angle = angle_of(velocity);
    while (corner < n && flats[corner].normal < angle) ++corner;
    corner %= n;
  }
  for (const std::uint32_t first : {corner, (corner + n - 1) % n}) {
    unit.corner = first;
    const Edge edge = edge_of(rows, unit, own);
    const double along = edge.along[0] * velocity[0] + edge.along[1] * velocity[1];
    const double forward = edge.along[1] * velocity[0] - edge.along[0] * velocity[1];
    if (!(edge.length > 0 && forward > 0)) continue;
    if (std::abs(along) <= tolerance) return true;
    if (!polygon && std::abs(along) <= flats[first].half * forward && attracts(rows, unit, own)) return true;
  }
  unit.corner = corner;
  return false;
}

void Accelerations::find_corner(const ContactRows& rows, Unit& unit, const double* own, const double* point,
                                double* n0) {
  if (!find_edge(rows, unit, own, n0, near_normal)) return;
  const Edge edge = edge_of(rows, unit, own);
  double place = 0;
  for (int k = 0; k < 2; ++k) place += edge.along[k] * (point[k] - edge.corner[k]) / edge.length;
  if (place > off_corner && place < 1 - off_corner) {
    unit.mode = Mode::edge;
  } else {
    leave_edge(rows, unit, own, place > 0.5, n0);
  }
}

void Accelerations::leave_edge(const ContactRows& rows, Unit& unit, const double* own, bool at_end, double* n0) {
  const std::vector<Flat>& flats = modes_.flats[unit.index].all;
  const Edge edge = edge_of(rows, unit, own);
  // To the side of a flat, so that it is clear which end of an arc this is.
  double aside = 0;
  if (!flats.empty()) {
    const double* v = xi_.data() + rows.first_row + unit.row;
    const double forward = edge.along[1] * v[0] - edge.along[0] * v[1];
    const double slope = forward > 0 ? (edge.along[0] * v[0] + edge.along[1] * v[1]) / forward : 0;
    aside = at_end ? std::max(slope, flat_angle) : std::min(slope, -flat_angle);
  }
  n0[0] = edge.along[1] + aside * edge.along[0];
  n0[1] = -edge.along[0] + aside * edge.along[1];
  const ConvexSet set = set_of(rows, unit, own);
  const auto n = static_cast<std::uint32_t>(set.set->kind == NSM_SET_POLYGON ? set.set->n_arguments / 2 : flats.size());
  if (at_end) unit.corner = (unit.corner + 1) % n;
}

double Accelerations::place_in_arc(const Unit& unit, const double* n0, const double* velocity) const {
  const Arc arc = arc_of(modes_.flats[unit.index].all, unit.corner);
  const double before = angle_of(n0), middle = arc.first + arc.width / 2;
  return arc.width / 2 + std::remainder(before - middle, turn) + std::remainder(angle_of(velocity) - before, turn);
}

void Accelerations::direction_in_arc(const Unit& unit, const double* n0, const double* velocity,
                                     double* direction) const {
  if (unit.dim > 2) return direction_near_ridge(unit, velocity, direction);
  const std::vector<Flat>& flats = modes_.flats[unit.index].all;
  if (!flats.empty()) {
    const Arc arc = arc_of(flats, unit.corner);
    const double place = place_in_arc(unit, n0, velocity);
    if (!(place >= 0 && place <= arc.width)) {
      const double angle = arc.first + (place < 0 ? 0 : arc.width);
      direction[0] = std::cos(angle);
      direction[1] = std::sin(angle);
      return;
    }
  }
  double length = 0;
  for (std::uint32_t k = 0; k < unit.dim; ++k) length = std::hypot(length, velocity[k]);
  for (std::uint32_t k = 0; k < unit.dim; ++k) direction[k] = velocity[k] / length;
}

std::array<Accelerations::Margin, 2> Accelerations::corner_margins(const ContactRows& rows, const Unit& unit,
                                                                   const double* own, const double* velocity,
                                                                   const double* rate) {
  std::array<Margin, 2> margins{Margin{1, 1}, Margin{1, 1}};
  const ConvexSet set = set_of(rows, unit, own);
  if (set.set->kind == NSM_SET_POLYGON) {
    // xi must not prefer a neighbour.
    const std::uint32_t n = set.set->n_arguments / 2;
    double corner[2], other[2];
    corner_of(set, unit.corner, corner);
    const std::uint32_t neighbours[2] = {(unit.corner + n - 1) % n, (unit.corner + 1) % n};
    for (int side = 0; side < 2; ++side) {
      corner_of(set, neighbours[side], other);
      const double e[2] = {corner[0] - other[0], corner[1] - other[1]};
      const double length = std::hypot(e[0], e[1]);
      if (!(length > 0)) continue;
      margins[side] = {(e[0] * velocity[0] + e[1] * velocity[1]) / length, (e[0] * rate[0] + e[1] * rate[1]) / length};
    }
    return margins;
  }
  const double* n0 = modes_.direction.data() + system_.contacts()[rows.contact].first_row + unit.row;
  const Arc arc = arc_of(modes_.flats[unit.index].all, unit.corner);
  const double place = place_in_arc(unit, n0, velocity), speed = std::hypot(velocity[0], velocity[1]);
  constexpr double right = turn / 4;
  for (int side = 0; side < 2; ++side) {
    const double sign = side == 0 ? 1 : -1, end = side == 0 ? arc.first : arc.first + arc.width;
    const double inside = side == 0 ? place : arc.width - place;
    margins[side] = {speed * std::sin(std::clamp(inside, -right, right)),
                     sign * (std::cos(end) * rate[1] - std::sin(end) * rate[0])};
  }
  return margins;
}

}  // namespace nsmc::rt::event
