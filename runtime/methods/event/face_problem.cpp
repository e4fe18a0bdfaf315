#include "runtime/methods/event/face_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/sets/exposed_face.hpp"

namespace nsmc::rt::event {

namespace {

// The step of central differences in forces that arguments depend on, as a part of them.
constexpr double argument_step = 1e-6;

const double* forces_of(const Accelerations& at, const ContactRows& rows) {
  return at.problem().Lambda.data() + rows.first_row;
}

}  // namespace

Face FaceProblem::find_face(Accelerations& at, const ContactRows& rows, Unit& unit) {
  bool compliant = false;
  double velocity[max_shifted_dim], size = 0;
  for (std::uint32_t k = 0; k < unit.dim; ++k) {
    velocity[k] = at.xi(rows.first_row + unit.row + k);
    size = std::max(size, std::abs(velocity[k]));
    compliant = compliant || at.is_compliant(rows.first_row + unit.row + k);
  }
  // Compliant laws are decided on velocity level, which is the level of their rows.
  if (compliant || size <= zero_velocity * unit.speed) return Face::whole;
  const nsm_set& set = at.system_.contacts()[rows.contact].type->sets[unit.set];
  double* n0 = at.modes_.direction.data() + at.system_.contacts()[rows.contact].first_row + unit.row;
  double length = 0;
  for (std::uint32_t k = 0; k < unit.dim; ++k) length = std::hypot(length, velocity[k]);
  for (std::uint32_t k = 0; k < unit.dim; ++k) n0[k] = velocity[k] / length;
  if (set.kind == NSM_SET_INTERVAL) {
    // Rows without an end on this side move against the law: drift, which the projection takes away.
    const ConvexSet K = at.set_of(rows, unit, forces_of(at, rows));
    return std::isinf(exposed_end(K, unit.row_in_set, velocity[0] > 0)) ? Face::whole : Face::point;
  }
  const double normal = zero_velocity * unit.speed;
  if (at.has_faces(rows, unit)) {
    const bool found =
        find_flat_face(at.set_of(rows, unit, forces_of(at, rows)), velocity, normal, face_sets[unit.index].face);
    return found ? Face::edge : Face::point;
  }
  return at.find_edge(rows, unit, forces_of(at, rows), velocity, normal) ? Face::edge : Face::point;
}

nsm_set& FaceProblem::add_set(const ContactRows& rows, const Unit& unit, std::uint32_t contact) {
  nsm_set set{};
  set.first_row = unit.row;
  set.dim = unit.dim;
  set.first_argument = static_cast<std::uint32_t>(a_.size() - first_a_);
  sets_.push_back(set);
  SetBlock block;
  block.contact = contact;
  block.first_row = rows.first_row + unit.row;
  block.dim = unit.dim;
  problem.sets.push_back(block);
  return sets_.back();
}

// Argument number `argument` of the unit's set as a + K lambda.
void FaceProblem::add_argument(Accelerations& at, const ContactRows& rows, const Unit& unit, std::uint32_t argument) {
  const nsm_set& set = at.system_.contacts()[rows.contact].type->sets[unit.set];
  const std::uint32_t index = set.first_argument + argument;
  if (rows.K != nullptr) {
    a_.push_back(rows.a[index]);
    K_.insert(K_.end(), rows.K + std::size_t{index} * rows.n_rows, rows.K + std::size_t{index + 1} * rows.n_rows);
    return;
  }
  affine = false;
  std::vector<double> own(forces_of(at, rows), forces_of(at, rows) + rows.n_rows);
  const auto value = [&] { return at.set_of(rows, unit, own.data()).arguments[index]; };
  double size = at.force_scale(rows, unit);
  for (const double force : own) size = std::max(size, std::abs(force));
  const double here = value();
  double constant = here;
  for (std::uint32_t k = 0; k < rows.n_rows; ++k) {
    const double delta = argument_step * (size > 0 ? size : 1), kept = own[k];
    own[k] += delta;
    const double slope = std::isfinite(here) && !frozen_ ? (value() - here) / delta : 0;
    own[k] = kept;
    K_.push_back(slope);
    if (slope != 0) constant -= slope * kept;
  }
  a_.push_back(constant);
}

void FaceProblem::add_whole(Accelerations& at, const ContactRows& rows, const Unit& unit) {
  const nsm_set& original = at.system_.contacts()[rows.contact].type->sets[unit.set];
  const std::uint32_t first_row = sets_.back().first_row, first_argument = sets_.back().first_argument;
  nsm_set set = original;
  set.first_row = first_row;
  set.first_argument = first_argument;
  set.dim = unit.dim;
  sets_.back() = set;
  for (std::uint32_t m = 0; m < original.n_arguments; ++m) add_argument(at, rows, unit, m);
  if (original.shifted != 0) {
    for (std::uint32_t k = 0; k < unit.dim; ++k)
      add_argument(at, rows, unit, original.n_arguments + unit.row_in_set + k);
  }
  if (original.scaled != 0) add_argument(at, rows, unit, total_arguments(original) - 1);
}

// The point {x} is the interval [0, 0] with the centre x.
void FaceProblem::add_point(Accelerations& at, const ContactRows& rows, const Unit& unit) {
  nsm_set& set = sets_.back();
  set.kind = NSM_SET_INTERVAL;
  set.n_arguments = set.n_lengths = 2;
  set.shifted = 1;
  a_.insert(a_.end(), 2, 0.0);
  K_.insert(K_.end(), std::size_t{2} * rows.n_rows, 0.0);
  const nsm_set& original = at.system_.contacts()[rows.contact].type->sets[unit.set];
  const bool fixed = at.problem().sets[rows.first_set + unit.set].constant && original.scaled == 0;
  if (!fixed && (rows.K == nullptr || original.kind == NSM_SET_ELLIPSOID || original.scaled != 0)) affine = false;
  add_linearised(at, rows, unit, unit.dim, fixed,
                 [&](const double* own, double* x) { at.slip_point(rows, unit, own, x); });
}

// n values of f(forces of the contact) as arguments a + K lambda.
template <class F>
void FaceProblem::add_linearised(Accelerations& at, const ContactRows& rows, const Unit& unit, std::uint32_t n,
                                 bool fixed, F&& f) {
  std::vector<double> own(forces_of(at, rows), forces_of(at, rows) + rows.n_rows);
  double here[max_shifted_dim], there[max_shifted_dim];
  f(own.data(), here);
  const std::size_t first = a_.size(), first_K = K_.size();
  a_.insert(a_.end(), here, here + n);
  K_.insert(K_.end(), std::size_t{n} * rows.n_rows, 0.0);
  if (fixed) return;
  double size = at.force_scale(rows, unit);
  for (const double force : own) size = std::max(size, std::abs(force));
  const double delta = argument_step * (size > 0 ? size : 1);
  for (std::uint32_t m = 0; m < rows.n_rows; ++m) {
    const double kept = own[m];
    own[m] += delta;
    f(own.data(), there);
    own[m] = kept;
    for (std::uint32_t k = 0; k < n; ++k) {
      const double slope = frozen_ ? 0 : (there[k] - here[k]) / delta;
      K_[first_K + std::size_t{k} * rows.n_rows + m] = slope;
      a_[first + k] -= slope * kept;
    }
  }
}

// An edge is a polygon with two corners.
void FaceProblem::add_edge(Accelerations& at, const ContactRows& rows, const Unit& unit) {
  const nsm_set& original = at.system_.contacts()[rows.contact].type->sets[unit.set];
  nsm_set set = original;
  set.kind = NSM_SET_POLYGON;
  set.first_row = sets_.back().first_row;
  set.first_argument = sets_.back().first_argument;
  set.n_arguments = set.n_lengths = 4;
  if (original.kind != NSM_SET_POLYGON) {  // a flat of a set by a function: its ends, which know of its centre
    set.shifted = 0;
    sets_.back() = set;
    if (rows.K == nullptr || original.scaled != 0) affine = false;
    add_linearised(at, rows, unit, 4, at.problem().sets[rows.first_set + unit.set].constant,
                   [&](const double* own, double* corners) {
                     const Accelerations::Edge edge = at.edge_of(rows, unit, own);
                     for (int k = 0; k < 2; ++k) {
                       corners[k] = edge.corner[k];
                       corners[2 + k] = edge.corner[k] + edge.length * edge.along[k];
                     }
                   });
    if (original.scaled != 0) add_argument(at, rows, unit, total_arguments(original) - 1);
    return;
  }
  sets_.back() = set;
  const std::uint32_t n = original.n_arguments / 2;
  for (const std::uint32_t corner : {unit.corner, (unit.corner + 1) % n}) {
    for (std::uint32_t k = 0; k < 2; ++k) add_argument(at, rows, unit, 2 * corner + k);
  }
  for (std::uint32_t k = 0; original.shifted != 0 && k < 2; ++k) add_argument(at, rows, unit, original.n_arguments + k);
  if (original.scaled != 0) add_argument(at, rows, unit, total_arguments(original) - 1);
}

// The arguments are those of the whole set. Where forces change its shape, the face is the one at the last forces.
void FaceProblem::add_face(Accelerations& at, const ContactRows& rows, const Unit& unit) {
  const nsm_set& original = at.system_.contacts()[rows.contact].type->sets[unit.set];
  add_whole(at, rows, unit);
  FaceSet& face_set = face_sets[unit.index];
  face_set.of = face_set.set = sets_.back();
  face_set.set.kind = NSM_SET_FACE;
  if (original.n_arguments > 1 && !at.problem().sets[rows.first_set + unit.set].constant) affine = false;
}

void FaceProblem::build(Accelerations& at, bool frozen) {
  frozen_ = frozen;
  const ContactProblem& from = at.problem();
  problem.dt = 1;
  problem.contacts = from.contacts;
  problem.runs = from.runs;
  problem.G = from.G;
  problem.c = from.c;
  problem.c_magnitude = from.c_magnitude;
  problem.Lambda = from.Lambda;
  problem.sets.clear();
  sets_.clear();
  sets_.reserve(at.modes_.units.size());
  units_.clear();
  face_sets.resize(at.modes_.units.size());
  a_.clear();
  K_.clear();
  affine = true;
  faces.assign(at.modes_.units.size(), Face::whole);
  std::vector<std::size_t> first_a, first_K;
  std::size_t most_rows = 0, most_dim = 0;
  for (std::uint32_t i = 0; i < from.contacts.size(); ++i) {
    const ContactRows& rows = from.contacts[i];
    first_a_ = a_.size();
    first_a.push_back(a_.size());
    first_K.push_back(K_.size());
    problem.contacts[i].first_set = static_cast<std::uint32_t>(problem.sets.size());
    for (std::uint32_t k = at.modes_.first_unit[rows.contact]; k < at.modes_.first_unit[rows.contact + 1]; ++k) {
      Unit& unit = at.modes_.units[k];
      faces[k] = find_face(at, rows, unit);
      add_set(rows, unit, i);
      units_.push_back(k);
      if (faces[k] == Face::whole) {
        add_whole(at, rows, unit);
      } else if (faces[k] == Face::edge && unit.dim > 2) {
        add_face(at, rows, unit);
      } else if (faces[k] == Face::edge) {
        add_edge(at, rows, unit);
      } else {
        add_point(at, rows, unit);
      }
      most_dim = std::max<std::size_t>(most_dim, unit.dim);
    }
    ContactRows& own = problem.contacts[i];
    own.n_sets = static_cast<std::uint32_t>(problem.sets.size()) - own.first_set;
    own.n_arguments = static_cast<std::uint32_t>(a_.size() - first_a_);
    own.first_argument = first_a_;
    own.arguments = nullptr;
    most_rows = std::max<std::size_t>(most_rows, rows.n_rows);
  }
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    problem.contacts[i].a = a_.data() + first_a[i];
    problem.contacts[i].K = K_.data() + first_K[i];
  }
  for (std::size_t j = 0; j < sets_.size(); ++j) {
    const bool face = faces[units_[j]] == Face::edge && sets_[j].dim > 2;
    problem.sets[j].set = face ? &face_sets[units_[j]].set : &sets_[j];
  }
  problem.arguments.assign(a_.size(), 0);
  problem.z.assign(most_dim, 0);
  problem.force.assign(most_rows, 0);
  problem.trial.assign(most_rows, 0);
  problem.next.assign(problem.c.size(), 0);
  problem.change.assign(problem.c.size(), 0);
  problem.finish();
}

}  // namespace nsmc::rt::event
