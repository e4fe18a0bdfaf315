// In one dimension the graph of the law, -force over velocity; in two the sets with their normals; in three bodies.
#include "compiler/driver/plot_set.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "compiler/api/view_data.hpp"
#include "compiler/driver/usage_error.hpp"

namespace nsmc {
namespace {

using Points = std::vector<std::vector<double>>;

double value_at(const Channel& channel, const Table& rows, std::size_t row) {
  return channel.column.empty() ? channel.value : rows.column(channel.column)[row];
}

std::vector<double> values_at(const Channels& channels, const Table& rows, std::size_t row) {
  std::vector<double> values;
  for (const Channel& channel : channels) values.push_back(value_at(channel, rows, row));
  return values;
}

double extent_of(const Points& points) {
  double largest = 0;
  for (const auto& point : points) {
    for (const double x : point) largest = std::max(largest, std::abs(x));
  }
  return largest;
}

constexpr std::size_t kMostCorners = 16, kNormals = 24;

// Outward normals of a closed curve, counter-clockwise or not: at the corners of a polygon those of both edges, on a
// smooth curve at equal distances.
Series normals_of(const Points& points) {
  Series arrows;
  arrows.style = Series::Style::vectors;
  struct Edge {
    std::vector<double> from, to;
    double length;
  };
  std::vector<Edge> edges;
  double area = 0, around = 0;
  const double least = 1e-6 * extent_of(points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto& to = points[(i + 1) % points.size()];
    const auto& from = points[i];
    const double length = std::hypot(to[0] - from[0], to[1] - from[1]);
    area += from[0] * to[1] - from[1] * to[0];
    if (length <= least) continue;  // samples that meet in a corner
    around += length;
    edges.push_back({from, to, length});
  }
  const double size = 0.18 * extent_of(points) * (area < 0 ? -1 : 1);
  const auto arrow = [&](const Edge& edge, double share) {
    const double dx = edge.to[0] - edge.from[0], dy = edge.to[1] - edge.from[1];
    arrows.rows.push_back(
        {edge.from[0] + share * dx, edge.from[1] + share * dy, size * dy / edge.length, -size * dx / edge.length});
  };
  double passed = 0, next = 0;
  for (const Edge& edge : edges) {
    if (edges.size() <= kMostCorners) {
      arrow(edge, 0);
      arrow(edge, 1);
      continue;
    }
    for (passed += edge.length; next < passed; next += around / kNormals)
      arrow(edge, 1 - (passed - next) / edge.length);
  }
  return arrows;
}

// At this time; if none is given, where the set has its usual size: the largest one is that of an impact.
std::size_t row_for(const SceneSet& set, const Table& rows, double at) {
  std::size_t best = 0;
  std::vector<std::pair<double, std::size_t>> sizes;
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    if (std::abs(rows.t[row] - at) < std::abs(rows.t[best] - at)) best = row;
    if (at >= 0) continue;
    const double size = extent_of(set.boundary(values_at(set.arguments, rows, row), 0));
    if (size > 0) sizes.emplace_back(size, row);
  }
  if (at >= 0 || sizes.empty()) return best;
  std::sort(sizes.begin(), sizes.end());
  return sizes[sizes.size() / 2].second;
}

// An axis of forces in thousandths or thousands of its unit, where plain numbers would have many zeros.
struct ForceAxis {
  std::string label;
  double scale = 1;  // what numbers are multiplied by
};

ForceAxis force_axis(const std::string& name, const std::string& unit, double largest) {
  static constexpr std::pair<const char*, double> prefixes[] = {{"n", 1e-9}, {"µ", 1e-6}, {"m", 1e-3},
                                                                {"", 1},     {"k", 1e3},  {"M", 1e6}};
  if ((unit != "N" && unit != "N m") || !(largest > 0) || (largest >= 0.1 && largest < 1e4))
    return {labelled("-" + name, unit), 1};
  const auto* best = &prefixes[0];
  for (const auto& prefix : prefixes) {
    if (prefix.second <= largest) best = &prefix;
  }
  return {labelled("-" + name, best->first + unit), 1 / best->second};
}

// The graph of a law of one dimension is vertical where nothing slides.
Points graph_of(const Points& bounds, double widest) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const auto& bound : bounds) {
    low = std::min(low, bound[0]);
    high = std::max(high, bound[0]);
  }
  return {{-widest, low}, {0, low}, {0, high}, {widest, high}};
}

class SetFigure {
 public:
  SetFigure(const SceneContact& contact, const SceneLaw& law, const Table& rows, double at)
      : law_(law), rows_(rows), dim_(law.sets.front().dim), row_(row_for(law.sets.front(), rows, at)) {
    figure_.title = fmt::format("{}: {} at t = {:.4g} s", contact.name, law.name, rows.t[row_]);
    for (const SceneSet& set : law.sets)
      boundaries_.push_back(set.boundary(values_at(set.arguments, rows, row_), detail()));
    // Axes of one unit have one scale.
    for (std::size_t k = 0; k < dim_; ++k) {
      double largest = 0;
      for (const Points& points : boundaries_) {
        for (const auto& point : points) {
          for (std::size_t j = 0; j < dim_; ++j)
            if (law.units[j] == law.units[k]) largest = std::max(largest, std::abs(point[j]));
        }
      }
      axes_.push_back(force_axis(law.axes[k], shown_unit(law.units[k]), largest));
    }
  }

  Figure draw() {
    Series forces = forces_of_run();
    for (std::size_t i = 0; i < boundaries_.size(); ++i) add_set(law_.sets[i], boundaries_[i]);
    figure_.series.push_back(std::move(forces));
    const std::string force = shown_unit(law_.units[0]);
    const std::string speed = force == "N" ? "m/s" : force == "N m" ? "1/s" : "";
    figure_.x_label = dim_ == 1 ? labelled("velocity", speed) : axes_[0].label;
    figure_.y_label = axes_[dim_ == 1 ? 0 : 1].label;
    if (dim_ == 3) figure_.z_label = axes_[2].label;
    figure_.equal_axes = dim_ == 2;
    figure_.space = dim_ == 3;
    return std::move(figure_);
  }

 private:
  int detail() const { return dim_ == 2 ? 2 : 1; }

  std::vector<double> scaled(std::vector<double> point) const {
    for (std::size_t k = 0; k < dim_; ++k) point[k] *= axes_[k].scale;
    return point;
  }

  Series forces_of_run() {
    double largest = 0;
    for (const Points& points : boundaries_) largest = std::max(largest, extent_of(points));
    Series forces;
    forces.style = Series::Style::thin;
    forces.label = "-force of the run";
    // The first row lies before the first step and has no force yet.
    for (std::size_t r = rows_.rows() > 1 ? 1 : 0; r < rows_.rows(); ++r) {
      std::vector<double> point = values_at(law_.force, rows_, r);
      for (double& x : point) x = -x;
      // Percussions of impacts are in sets of their own, beside which this one would be a dot: the line has a gap
      // there.
      if (extent_of({point}) > 5 * largest && largest > 0) {
        forces.rows.emplace_back();
        continue;
      }
      point = scaled(std::move(point));
      if (dim_ == 1) point.insert(point.begin(), value_at(law_.velocity.at(0), rows_, r));
      if (dim_ == 1) widest_ = std::max(widest_, std::abs(point[0]));
      forces.rows.push_back(std::move(point));
    }
    return forces;
  }

  void add_set(const SceneSet& set, const Points& boundary) {
    Points points;
    for (const auto& point : boundary) points.push_back(scaled(point));
    Series shape;
    // A body that is alone needs no word.
    shape.label = set.role != "both" ? set.role : dim_ == 3 ? "" : "set";
    if (dim_ == 1) {
      shape.rows = graph_of(points, widest_);
      figure_.series.push_back(std::move(shape));
    } else if (dim_ == 2) {
      // The reservoir is around the set whose normals are the directions of sliding.
      const bool reservoir = set.role == "reservoir";
      shape.style = reservoir ? Series::Style::line : Series::Style::area;
      shape.rows = points;
      if (!shape.rows.empty()) shape.rows.push_back(shape.rows.front());
      figure_.series.push_back(std::move(shape));
      if (!reservoir) figure_.series.push_back(normals_of(points));
    } else {
      shape.style = Series::Style::mesh;
      for (const auto& triangle : set_triangles(detail())) {
        for (const std::size_t k : {0, 1, 2, 0}) shape.rows.push_back(points.at(triangle[k]));
        shape.rows.insert(shape.rows.end(), 2, {});
      }
      figure_.series.push_back(std::move(shape));
    }
  }

  const SceneLaw& law_;
  const Table& rows_;
  std::size_t dim_, row_;
  std::vector<Points> boundaries_;
  std::vector<ForceAxis> axes_;
  double widest_ = 1e-9;  // velocity of the run
  Figure figure_;
};

}  // namespace

Figure set_figure(const SceneContact& contact, const Table& rows, double at) {
  const auto law =
      std::find_if(contact.laws.begin(), contact.laws.end(), [](const SceneLaw& one) { return !one.sets.empty(); });
  if (law == contact.laws.end())
    throw UsageError(fmt::format("--set-of {}: none of its laws has a set with an end", contact.name));
  return SetFigure(contact, *law, rows, at).draw();
}

}  // namespace nsmc
