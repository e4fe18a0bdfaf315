#include "runtime/evaluation/contact_search.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/contact_family.hpp"
#include "runtime/view.hpp"

namespace nsmc::rt {

namespace {

using neighbours::Box;
using neighbours::BoxGrid;

// The margin, as a part of the size of a typical shape, and how many looks it should last.
constexpr double first_margin = 0.05, least_margin = 1e-3, most_margin = 0.2;
constexpr std::uint64_t few_looks = 20, many_looks = 60;
constexpr double further = 1.5;           // than a shape was seen to go in a step
constexpr std::uint64_t few_shapes = 16;  // that are compared with all others one by one

double distance(const double (&a)[3], const double (&b)[3]) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

bool is_same(const double (&a)[3], const double (&b)[3]) { return std::equal(a, a + 3, b); }

// How far the box moved out of where it was.
double way(const Box& from, const Box& to) {
  double most = std::max(0.0, to.radius - from.radius) + distance(from.centre, to.centre);
  for (int k = 0; k < 3; ++k)
    most = std::max(most, std::abs(to.centre[k] - from.centre[k]) + to.reach[k] - from.reach[k]);
  return most;
}

}  // namespace

ContactSearch::ContactSearch(const System& system) {
  const nsm_model& model = system.model();
  groups_.resize(model.n_shapes);
  for (std::uint32_t g = 0; g < model.n_shapes; ++g) {
    const nsm_shapes& shapes = model.shapes[g];
    if (shapes.kind == NSM_BOUNDS_HALF_SPACE) continue;
    groups_[g].boxes.resize(shapes.count);
    groups_[g].now.resize(shapes.count);
    groups_[g].beyond.assign(shapes.count, 0);
  }
}

void ContactSearch::remember(Memory& memory) {
  for (Group& group : groups_) {
    for (Box& box : group.boxes) memory(box.centre, box.reach, box.radius, box.margin);
    memory(group.plane.point, group.plane.normal, group.plane_margin, group.turns, group.beyond);
  }
  memory(size_, margin_, searches_, looks_);
}

void ContactSearch::look(const System& system, const Workspace& work, double t, const double* q) {
  // Kernels of bounds read parameters and constants only, which stand in `shared` already.
  nsm_view view = view_at(system, const_cast<double*>(work.shared.data()), t);
  for (std::uint32_t g = 0; g < groups_.size(); ++g) {
    const nsm_shapes& shapes = system.model().shapes[g];
    Group& group = groups_[g];
    double out[7];
    for (std::uint64_t k = 0; k < shapes.count; ++k) {
      const double self = static_cast<double>(shapes.first + static_cast<std::int64_t>(k));
      if (shapes.blocks != nullptr) view.q[0] = q + system.blocks()[shapes.blocks[k]].first_q;
      view.self = &self;
      shapes.bounds(&view, out);
      if (shapes.kind == NSM_BOUNDS_HALF_SPACE) {
        std::copy_n(out, 3, group.plane_now.point);
        std::copy_n(out + 3, 3, group.plane_now.normal);
        continue;
      }
      Box& box = group.now[k];
      std::copy_n(out, 3, box.centre);
      std::copy_n(out + 3, 3, box.reach);
      box.radius = out[6];
    }
  }
}

bool ContactSearch::is_covered(const Group& group, std::uint32_t kind) const {
  if (kind == NSM_BOUNDS_HALF_SPACE) {
    if (group.turns) return true;
    const double* n = group.plane.normal;
    double moved = 0;
    for (int k = 0; k < 3; ++k) moved += n[k] * (group.plane_now.point[k] - group.plane.point[k]);
    return is_same(group.plane.normal, group.plane_now.normal) && std::abs(moved) <= group.plane_margin;
  }
  for (std::size_t k = 0; k < group.boxes.size(); ++k) {
    // What is not a number is not covered, and found by nobody: the step sees to that.
    if (way(group.boxes[k], group.now[k]) > group.boxes[k].margin) return false;
  }
  return true;
}

bool ContactSearch::covers(const System& system, const Workspace& work, double t, const double* q) {
  if (searches_ == 0) return false;
  ++looks_;
  look(system, work, t, q);
  bool all = true;
  for (std::uint32_t g = 0; g < groups_.size(); ++g) all = all && is_covered(groups_[g], system.model().shapes[g].kind);
  if (all) return true;
  for (Group& group : groups_) {
    for (std::size_t k = 0; k < group.boxes.size(); ++k) {
      const double needed = further * way(group.boxes[k], group.now[k]);
      if (needed > group.boxes[k].margin) group.beyond[k] = std::max(group.beyond[k], needed);
    }
    if (!is_same(group.plane.normal, group.plane_now.normal)) group.turns = true;
    double moved = distance(group.plane.point, group.plane_now.point);
    if (moved > group.plane_margin) group.plane_margin = further * moved;
  }
  return false;
}

void ContactSearch::begin_step() {
  for (Group& group : groups_) std::fill(group.beyond.begin(), group.beyond.end(), 0.0);
}

// By the middle one of the shapes' sizes; smaller where searches are rare, larger where they are frequent.
void ContactSearch::choose_margins(const System& system) {
  if (searches_ == 0) {
    std::vector<double> sizes;
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
      if (system.model().shapes[g].blocks == nullptr) continue;
      for (const Box& box : groups_[g].now) sizes.push_back(box.radius);
    }
    if (!sizes.empty()) {
      std::nth_element(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2), sizes.end());
      size_ = sizes[sizes.size() / 2];
    }
    margin_ = first_margin * size_;
  } else if (looks_ < few_looks) {
    margin_ = std::min(1.5 * margin_, most_margin * size_);
  } else if (looks_ > many_looks) {
    margin_ = std::max(margin_ / 1.5, least_margin * size_);
  }
  for (std::uint32_t g = 0; g < groups_.size(); ++g) {
    Group& group = groups_[g];
    group.boxes = group.now;
    group.plane = group.plane_now;
    group.plane_margin = std::max(group.plane_margin, margin_);
    // What stands still in the world needs none, what moves there by time does.
    for (std::size_t k = 0; k < group.boxes.size(); ++k) group.boxes[k].margin = margin_ + group.beyond[k];
  }
}

bool ContactSearch::same_body(const System& system, const nsm_family& family, const std::uint64_t (&shape)[2]) const {
  const nsm_shapes& a = system.model().shapes[family.shapes[0]];
  const nsm_shapes& b = system.model().shapes[family.shapes[1]];
  if (a.blocks == nullptr || b.blocks == nullptr) return a.blocks == b.blocks;
  return a.blocks[shape[0]] == b.blocks[shape[1]];
}

namespace {

void add(const nsm_family& family, std::uint32_t number, const std::uint64_t (&shape)[2],
         std::vector<Candidate>& found) {
  FamilyMember member;
  for (int side = 0; side < 2; ++side) {
    if (family.shape_index[side] != NSM_NONE) member.position[family.shape_index[side]] = shape[side];
  }
  for (member.point = 0; member.point < family.n_points; ++member.point)
    found.push_back({number, number_of(family, member)});
}

}  // namespace

void ContactSearch::find_on_plane(const System& system, std::uint32_t f, std::uint32_t side,
                                  std::vector<Candidate>& found) {
  const nsm_family& family = system.families()[f];
  const Group& planes = groups_[family.shapes[side]];
  const Group& others = groups_[family.shapes[1 - side]];
  const HalfSpace& plane = planes.plane;
  for (std::uint64_t k = 0; k < others.boxes.size(); ++k) {
    const Box& box = others.boxes[k];
    double height = 0, reach = 0;
    for (int d = 0; d < 3; ++d) {
      height += plane.normal[d] * (box.centre[d] - plane.point[d]);
      reach += std::abs(plane.normal[d]) * box.reach[d];
    }
    const bool is_near = height <= std::min(reach, box.radius) + 2 * box.margin + planes.plane_margin;
    std::uint64_t shape[2] = {0, 0};
    shape[1 - side] = k;
    if ((planes.turns || is_near) && !same_body(system, family, shape)) add(family, f, shape, found);
  }
}

void ContactSearch::find_in(const System& system, std::uint32_t f, std::vector<Candidate>& found) {
  const nsm_family& family = system.families()[f];
  for (std::uint32_t side = 0; side < 2; ++side) {
    if (system.model().shapes[family.shapes[side]].kind == NSM_BOUNDS_HALF_SPACE)
      return find_on_plane(system, f, side, found);
  }
  // The larger group is asked for what is near each of the smaller one.
  const std::uint32_t large = groups_[family.shapes[1]].boxes.size() >= groups_[family.shapes[0]].boxes.size() ? 1 : 0;
  const std::uint32_t g = family.shapes[large];
  const std::vector<Box>& boxes = groups_[g].boxes;
  const std::vector<Box>& asking = groups_[family.shapes[1 - large]].boxes;
  const bool one_by_one = asking.size() <= few_shapes;
  if (!one_by_one && grid_of_[g] == NSM_NONE) {
    grid_of_[g] = static_cast<std::uint32_t>(grids_.size());
    grids_.emplace_back(boxes);
  }
  std::vector<std::uint32_t> here;
  for (std::uint64_t k = 0; k < asking.size(); ++k) {
    here.clear();
    if (one_by_one) {
      for (std::uint32_t i = 0; i < boxes.size(); ++i) {
        if (near(asking[k], boxes[i])) here.push_back(i);
      }
    } else {
      grids_[grid_of_[g]].find(asking[k], here);
      std::sort(here.begin(), here.end());
    }
    for (const std::uint32_t i : here) {
      std::uint64_t shape[2];
      shape[large] = i;
      shape[1 - large] = k;
      // A pair is met from both of its shapes, and counted from the second one.
      if (family.pairs != 0) {
        if (i >= k) continue;
        shape[0] = i;
        shape[1] = k;
      }
      if (!same_body(system, family, shape)) add(family, f, shape, found);
    }
  }
}

std::vector<Candidate> ContactSearch::find(const System& system, const Workspace& work, double t, const double* q,
                                           std::span<const Candidate> kept) {
  look(system, work, t, q);
  choose_margins(system);
  ++searches_;
  looks_ = 0;
  grids_.clear();
  grids_.reserve(groups_.size());
  grid_of_.assign(groups_.size(), NSM_NONE);
  std::vector<Candidate> found(kept.begin(), kept.end());
  for (std::uint32_t f = 0; f < system.families().size(); ++f) find_in(system, f, found);
  if (!std::is_sorted(found.begin(), found.end())) std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace nsmc::rt
