// Sets, with numbers: gauge and support functions are homogeneous and positive, extents are not negative, what stands
// in a normal cone is convex, what has a gauge is star-shaped about the origin. A failure is shown with the point that
// proves it.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "compiler/mechanics/gauge_function.hpp"
#include "compiler/mechanics/linear_algebra.hpp"
#include "compiler/mechanics/sets.hpp"
#include "compiler/mechanics/trial.hpp"

namespace nsmc {

using sym::Expr;
using sym::Source;

namespace {

constexpr double kTolerance = 1e-9;
using Fault = std::optional<Diagnostic>;

// Positively homogeneous of degree one, and positive (a support function: not negative, 0 belongs to the set).
Fault function_fault(const Trial& trial, const Node& node, Expr body, std::size_t dim) {
  const bool gauge = node.set == SetKind::gauge;
  const char* name = gauge ? "gauge" : "support";
  const char* symbol = gauge ? "k" : "Phi";
  const auto value = [&](const Point& x) { return trial.value(body, x, kSetVariable + node.index); };
  const std::vector<Point> all = directions(dim);
  double largest = 0;
  for (const Point& x : all) largest = std::max(largest, std::abs(value(x)));
  for (const Point& x : all) {
    const double k = value(x);
    // A support function may vanish; then rounding may take it below 0.
    if (!(gauge ? k > 0 : k >= -kTolerance * largest) || !std::isfinite(k)) {
      return Diagnostic{Kind::gauge_not_positive,
                        node.span,
                        fmt::format("the {} function is not {}: {}{} = {:.4g}", name,
                                    gauge ? "positive" : "non-negative", symbol, point_text(x), k),
                        {},
                        "the set must contain the origin and be bounded in every direction"};
    }
    for (const double factor : {0.5, 3.0}) {
      const double other = value(scaled(x, factor));
      if (std::abs(other - factor * k) <= kTolerance * factor * std::max(k, gauge ? 0 : largest)) continue;
      return Diagnostic{
          Kind::function_not_homogeneous,
          node.span,
          fmt::format("the {} function is not positively homogeneous of degree one: {}{} = {:.6g}, but {}{} = {:.6g} "
                      "instead of {:.6g}",
                      name, symbol, point_text(x), k, symbol, point_text(scaled(x, factor)), other, factor * k),
          {},
          gauge ? "of a level function f(x) of degree n, the gauge is f(x)^(1/n)" : ""};
    }
  }
  return std::nullopt;
}

// An ellipsoid is a ball under the map of its semi-axes, a superellipse has their moduli in its gauge: a negative one
// mirrors it, and would pass unnoticed.
void semi_axes(Trial& trial, const Node& node) {
  const bool ellipsoid = node.set == SetKind::ellipsoid;
  for (std::size_t i = 0; i < (ellipsoid ? node.args.size() : 2); ++i) {
    const Expr axis = trial.d.lowering.scalar(node.args[i]);
    const bool fine = trial.expect(std::span(&axis, 1), [&]() -> Fault {
      const double length = trial.value(axis);
      if (ellipsoid ? length >= 0 : length > 0) return std::nullopt;
      const char* kind = length < 0 ? "negative" : "not positive";
      return Diagnostic{Kind::gauge_not_positive,
                        node.span,
                        fmt::format("semi-axis {} is {}: {:.4g}", i + 1, kind, length),
                        {},
                        "a friction coefficient or limit must not be negative"};
    });
    if (!fine) return;
  }
}

// s*C with a negative s from parameters: a sign that is not written is hardly meant. A state may choose it.
void scale_factor(Trial& trial, const Node& node) {
  sym::ExprPool& pool = trial.d.pool;
  Expr factor = trial.d.lowering.scalar(node.args[0]);
  if (has_minus_sign(pool, factor)) factor = pool.neg(factor);
  for (const Source source : {Source::coordinate, Source::velocity, Source::time, Source::signal}) {
    if (depends_on_source(pool, factor, source)) return;
  }
  trial.expect(std::span(&factor, 1), [&]() -> Fault {
    if (trial.value(factor) >= 0) return std::nullopt;
    return Diagnostic{Kind::gauge_not_positive,
                      node.span,
                      fmt::format("the set is scaled by {:.4g}", trial.value(factor)),
                      {},
                      "a factor of a set is positive; the reflected set has a minus sign before the factor: -a*C"};
  });
}

// Corners one after another counter-clockwise as seen from the origin, once around: every ray leaves the polygon once.
Fault star_fault(const Trial& trial, const GaugePolygon& polygon) {
  const std::vector<double> c = trial.values(polygon.corners);
  const std::size_t n = c.size() / 2;
  double around = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t j = (i + 1) % n;
    const double cross = c[2 * i] * c[2 * j + 1] - c[2 * i + 1] * c[2 * j];
    const double dot = c[2 * i] * c[2 * j] + c[2 * i + 1] * c[2 * j + 1];
    around += std::atan2(cross, dot);
    if (cross > 0) continue;
    return Diagnostic{Kind::gauge_not_available,
                      polygon.span,
                      fmt::format("the polygon has no gauge: from its corner {} to {} it does not go counter-clockwise "
                                  "around the origin",
                                  point_text({c[2 * i], c[2 * i + 1]}), point_text({c[2 * j], c[2 * j + 1]})),
                      {},
                      "every ray from the origin leaves the polygon once; it need not be convex"};
  }
  if (around < 3 * std::numbers::pi) return std::nullopt;
  return Diagnostic{Kind::gauge_not_available,
                    polygon.span,
                    "the polygon has no gauge: it goes around the origin more than once",
                    {},
                    "every ray from the origin leaves the polygon once; it need not be convex"};
}

// What gauge(C, x), intersections and unions need of C: maps with an inverse, and the origin inside. False if that was
// reported.
bool gauge_exists(Trial& trial, NodeId set, Span span) {
  const std::size_t n = trial.d.model.type(set).rows;
  std::vector<Expr> x;
  for (std::size_t i = 0; i < n; ++i) x.push_back(set_point(trial.d.pool, i));
  GaugeParts parts;
  const Expr gauge = gauge_function(trial.d.model, trial.d.lowering, trial.d.pool, set, x, GaugeOf::star, &parts);
  for (const NodeId map : parts.maps) {
    const auto entries = trial.d.lowering.components(trial.d.model.node(map).args[0]);
    const bool fine = trial.expect(entries, [&]() -> Fault {
      const std::vector<double> numbers = trial.values(entries);
      if (solve_numbers(numbers, Point(trial.d.model.type(map).rows))) return std::nullopt;
      return Diagnostic{Kind::map_not_invertible,
                        trial.d.model.node(map).span,
                        "the linear map of the set is singular",
                        {},
                        "a set is mapped by an invertible matrix"};
    });
    if (!fine) return false;
  }
  for (const GaugePolygon& polygon : parts.polygons) {
    if (!trial.expect(polygon.corners, [&] { return star_fault(trial, polygon); })) return false;
  }
  return trial.expect(std::span(&gauge, 1), [&]() -> Fault {
    for (const Point& direction : directions(n)) {
      const double k = trial.value(gauge, direction);
      if (k >= 0 && std::isfinite(k)) continue;
      return Diagnostic{Kind::gauge_not_available,
                        span,
                        fmt::format("the set has no gauge: in the direction {} it does not reach beyond the origin",
                                    point_text(direction)),
                        {},
                        "gauge(C, x), intersections and unions need sets with the origin inside"};
    }
    return std::nullopt;
  });
}

Label used_by(const LawEquation& law) { return {law.span, fmt::format("used by law '{}' here", law.name)}; }

// The segment between two points of the boundary stays inside.
Fault convex_gauge(const Trial& trial, const LawEquation& law, const SimpleSet& set) {
  std::vector<Point> boundary;
  const std::vector<Point> all = directions(set.dim);
  for (const Point& x : all) {
    const double k = trial.value(set.function, x);
    if (k > 0 && std::isfinite(k)) boundary.push_back(scaled(x, 1 / k));
  }
  if (2 * boundary.size() < all.size()) return Diagnostic{};  // empty, or without bounds: not at this size of forces
  struct {
    Point from, to, middle;
    double gauge = 1;
  } worst;
  for (std::size_t i = 0; i < boundary.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      Point middle;
      for (std::size_t k = 0; k < set.dim; ++k) middle.push_back(0.5 * (boundary[i][k] + boundary[j][k]));
      const double value = trial.value(set.function, middle);
      if (value > worst.gauge * (1 + kTolerance)) worst = {boundary[j], boundary[i], middle, value};
    }
  }
  if (worst.middle.empty()) return std::nullopt;
  return Diagnostic{
      Kind::set_not_convex,
      set.span,
      fmt::format("the set is not convex: the segment from {} to {} leaves it at {}, where the gauge is {:.4g}",
                  point_text(worst.from), point_text(worst.to), point_text(worst.middle), worst.gauge),
      {used_by(law)},
      "a non-convex set can be the reservoir of a two-set law: law two_set(C, D)"};
}

Fault convex_support(const Trial& trial, const LawEquation& law, const SimpleSet& set) {
  const std::vector<Point> all = directions(set.dim);
  std::vector<double> Phi;
  double largest = 0;
  for (const Point& v : all) {
    Phi.push_back(trial.value(set.function, v));
    largest = std::max(largest, std::abs(Phi.back()));
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      Point middle;
      for (std::size_t k = 0; k < set.dim; ++k) middle.push_back(0.5 * (all[i][k] + all[j][k]));
      const double mean = 0.5 * (Phi[i] + Phi[j]);
      const double value = trial.value(set.function, middle);
      if (!(value > mean + kTolerance * largest)) continue;  // NaN: 0/0 at the origin, between opposite directions
      return Diagnostic{
          Kind::support_not_convex,
          set.span,
          fmt::format(
              "the support function is not convex: Phi{} = {:.6g} lies above the mean {:.6g} of Phi{} and Phi{}",
              point_text(middle), value, mean, point_text(all[j]), point_text(all[i])),
          {used_by(law)},
          ""};
    }
  }
  return std::nullopt;
}

// Left turns only, and one turn in all: a pentagram has left turns, too.
Fault convex_polygon(const Trial& trial, std::span<const Expr> corners, Span span, const LawEquation& law) {
  const std::vector<double> c = trial.values(corners);
  const std::size_t n = c.size() / 2;
  std::vector<std::pair<Point, Point>> edges;  // where it begins, and along it
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t j = (i + 1) % n;
    Point along{c[2 * j] - c[2 * i], c[2 * j + 1] - c[2 * i + 1]};
    if (norm(along) > 0) edges.push_back({{c[2 * i], c[2 * i + 1]}, std::move(along)});  // else a corner given twice
  }
  double around = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const Point& a = edges[i].second;
    const auto& [corner, b] = edges[(i + 1) % edges.size()];
    const double cross = a[0] * b[1] - a[1] * b[0];
    around += std::abs(std::atan2(cross, a[0] * b[0] + a[1] * b[1]));
    if (cross >= -1e-12 * norm(a) * norm(b)) continue;
    return Diagnostic{Kind::set_not_convex,
                      span,
                      fmt::format("the polygon is not convex at the corner {}", point_text(corner)),
                      {used_by(law)},
                      "corners are listed counter-clockwise"};
  }
  if (around < 3 * std::numbers::pi) return std::nullopt;
  return Diagnostic{
      Kind::set_not_convex,
      span,
      fmt::format("the polygon is not convex: it goes around {:.0f} times", around / (2 * std::numbers::pi)),
      {used_by(law)},
      "list the corners in the order in which they follow each other on the boundary"};
}

void polygons_of_law(Trial& trial, const TypedLaw& typed, const LawEquation& law) {
  std::vector<NodeId> rest{typed.set};
  while (!rest.empty()) {
    const Node& node = trial.d.model.node(rest.back());
    rest.pop_back();
    if (node.set == SetKind::polygon) {
      std::vector<Expr> corners;
      for (const NodeId coordinate : node.args) corners.push_back(trial.d.lowering.scalar(coordinate));
      trial.expect(corners, [&] { return convex_polygon(trial, corners, node.span, law); });
    }
    for (const NodeId arg : node.args) {
      if (trial.d.model.type(arg).kind == ValueKind::set) rest.push_back(arg);
    }
  }
}

Fault extent_fault(const Trial& trial, const LawEquation& law, const SimpleSet& set) {
  const std::vector<double> extents = trial.values(set.arguments);
  const auto fault = [&](std::string message) {
    return Diagnostic{Kind::gauge_not_positive,
                      law.set_span,
                      std::move(message),
                      {},
                      "a friction coefficient or limit must not be negative"};
  };
  if (set.kind == SetKind::interval) {
    if (!(extents[0] > extents[1])) return std::nullopt;
    return fault(fmt::format("the set is empty: its interval reaches from {:.4g} to {:.4g}", extents[0], extents[1]));
  }
  for (const double extent : extents) {
    if (!(extent >= 0)) return fault(fmt::format("the set has the negative extent {:.4g}", extent));
  }
  return std::nullopt;
}

// Whatever the set serves for.
void set_node(Trial& trial, NodeId id, const Node& node) {
  switch (node.set) {
    case SetKind::ellipsoid:
    case SetKind::superellipse: return semi_axes(trial, node);
    case SetKind::scale: return scale_factor(trial, node);
    case SetKind::gauge:
    case SetKind::support: {
      const Expr body = trial.d.lowering.scalar(node.args[0]);
      trial.expect(std::span(&body, 1), [&] { return function_fault(trial, node, body, trial.d.model.type(id).rows); });
      return;
    }
    case SetKind::interval:  // looked at in the laws, where extents may depend on forces
    case SetKind::ball:
    case SetKind::polygon:
    case SetKind::contensou_parabolic:
    case SetKind::contensou_uniform:
    case SetKind::product:
    case SetKind::map:
    case SetKind::shift:
    case SetKind::intersection:  // parts_have_gauges
    case SetKind::union_of: return;
  }
}

bool parts_have_gauges(Trial& trial, const Node& node) {
  if (node.set != SetKind::intersection && node.set != SetKind::union_of) return true;
  bool all = true;
  for (const NodeId part : node.args) all = gauge_exists(trial, part, node.span) && all;
  return all;
}

// By node: the first law that it is a part of.
struct UsedBy {
  const TypedContact* contact = nullptr;
  const TypedLaw* law = nullptr;
};

std::vector<UsedBy> uses_of_nodes(const TypedModel& model) {
  std::vector<UsedBy> uses(model.nodes.size());
  std::vector<NodeId> rest;
  for (const TypedContact& contact : model.contacts) {
    for (const TypedLaw& law : contact.laws) {
      rest.assign({law.left, law.set, law.argument});
      while (!rest.empty()) {
        const NodeId id = rest.back();
        rest.pop_back();
        if (uses[id].law != nullptr) continue;
        uses[id] = {&contact, &law};
        rest.insert(rest.end(), model.node(id).args.begin(), model.node(id).args.end());
      }
    }
  }
  return uses;
}

}  // namespace

void verify_set_nodes(Trial& trial) {
  const std::vector<UsedBy> uses = uses_of_nodes(trial.d.model);
  // Sets without a gauge, and what they are parts of: one report is enough.
  std::vector<bool> without(trial.d.model.nodes.size(), false);
  for (NodeId id = 0; id < trial.d.model.nodes.size(); ++id) {
    const Node& node = trial.d.model.node(id);
    const UsedBy& use = uses[id];
    if (use.law != nullptr) {
      trial.look_at(with_index(use.contact->name, ""), *use.law);
    } else {
      trial.look_anywhere();
    }
    const bool known = std::any_of(node.args.begin(), node.args.end(), [&](NodeId part) { return without[part]; });
    if (node.kind == NodeKind::gauge && !known) gauge_exists(trial, node.args[0], node.span);
    if (node.kind != NodeKind::set) continue;
    set_node(trial, id, node);
    without[id] = known || !parts_have_gauges(trial, node);
  }
}

void verify_sets_of_law(Trial& trial, const TypedLaw& typed, const LawEquation& law) {
  polygons_of_law(trial, typed, law);
  for (const SimpleSet& set : law.sets) {
    const bool gauge = set.kind == SetKind::gauge;
    if (gauge || set.kind == SetKind::support) {
      trial.expect(std::span(&set.arguments[0], 1), [&]() -> Fault {
        const double factor = trial.value(set.arguments[0]);
        if (factor >= 0) return std::nullopt;
        return Diagnostic{Kind::gauge_not_positive,
                          law.set_span,
                          fmt::format("the set is scaled by {:.4g}", factor),
                          {},
                          "a factor of a set is positive; the reflected set has a minus sign before the factor: -a*C"};
      });
      trial.expect(std::span(&set.function, 1),
                   [&] { return gauge ? convex_gauge(trial, law, set) : convex_support(trial, law, set); });
    } else if (set.kind != SetKind::polygon) {
      trial.expect(set.arguments, [&] { return extent_fault(trial, law, set); });
    }
  }
}

}  // namespace nsmc
