#include "compiler/model/sets.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "compiler/model/calls.hpp"
#include "compiler/model/expressions.hpp"

namespace nsmc {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();

// A limit that is negative is a slip of the pen. So is a 0 that stands where the extent is written; through a name, the
// argument of a law for example, it turns friction off.
std::optional<std::string> extent_fault(const ast::Expr& expr, std::optional<double> value, const std::string& what) {
  if (!value || *value > 0 || (*value == 0 && expr.kind == ast::ExprKind::name)) return std::nullopt;
  return fmt::format("{} must be positive, this is {:.4g}", what, *value);
}

constexpr const char* kExtentHint = "a set without extent is written zero; for no friction leave the law out";

}  // namespace

// A set that is part of the language: its name, how many arguments it takes, and what makes it.
struct Sets::SetConstructor {
  const char* name;
  std::size_t least, most;
  const char* takes;  // in words
  Result (Sets::*make)(const ast::Expr& expr, const Scope& scope);
  const char* hint = "";
};

std::span<const Sets::SetConstructor> Sets::set_constructors() {
  using E = Sets;
  static constexpr SetConstructor rows[] = {
      {"nonneg", 0, 0, "no arguments", &E::half_line},
      {"nonpos", 0, 0, "no arguments", &E::half_line},
      {"reals", 0, 0, "no arguments", &E::half_line},
      {"zero", 0, 0, "no arguments", &E::half_line},
      {"interval", 2, 2, "two bounds", &E::interval_set},
      {"disc", 1, 1, "a radius", &E::disc},
      {"ball", 2, 2, "a radius and a number of dimensions", &E::ball},
      {"box", 1, kAny, "one extent or more", &E::box},
      {"ellipse", 2, 2, "two semi-axes", &E::ellipsoid},
      {"ellipsoid", 1, kAny, "one extent or more", &E::ellipsoid},
      {"cylinder", 2, 2, "a radius and a half height", &E::cylinder},
      {"product", 2, kAny, "two sets or more", &E::product_of_sets},
      {"superellipse", 3, 3, "two semi-axes and an exponent", &E::superellipse},
      {"polygon", 3, kAny, "three corners or more", &E::polygon},
      {"intersect", 0, kAny, "", &E::intersection},
      {"union", 2, kAny, "two sets or more", &E::union_of_sets},
      {"contensou", 3, 3, "a friction force, a radius and a pressure", &E::contensou,
       "contensou(mu*N, R, parabolic) or contensou(mu*N, R, uniform)"},
  };
  return rows;
}

std::vector<std::string> Sets::set_constructor_names() {
  std::vector<std::string> names;
  for (const SetConstructor& row : set_constructors()) names.emplace_back(row.name);
  return names;
}

bool Sets::is_set_constructor(const std::string& name) {
  const auto rows = set_constructors();
  return std::any_of(rows.begin(), rows.end(), [&](const SetConstructor& row) { return name == row.name; });
}

Result Sets::set_constructor(const ast::Expr& expr, const Scope& scope) {
  const auto rows = set_constructors();
  const auto row =
      std::find_if(rows.begin(), rows.end(), [&](const SetConstructor& known) { return expr.text == known.name; });
  const std::size_t given = expr.kind == ast::ExprKind::call ? expr.args.size() : 0;
  if (expr.kind == ast::ExprKind::call && !calls_.positional_only(expr)) return std::nullopt;
  if (given < row->least || given > row->most) {
    report(Kind::wrong_argument_count, expr.span, fmt::format("'{}' takes {}, {} given", expr.text, row->takes, given),
           row->hint);
    return std::nullopt;
  }
  return (this->*row->make)(expr, scope);
}

NodeId Sets::make_set(SetKind kind, std::vector<Dimension> dimensions, std::vector<NodeId> args, Span span) {
  const auto n = static_cast<std::uint32_t>(dimensions.size());
  const NodeId id = make(NodeKind::set, {ValueKind::set, n, 1, std::move(dimensions)}, std::move(args), span);
  model_.nodes[id].set = kind;
  return id;
}

Result Sets::interval(NodeId low, NodeId high, Span span) {
  const auto common = expressions_.common_type(type(low), type(high), span, "span an interval between");
  if (!common) return std::nullopt;
  return make_set(SetKind::interval, {common->dimensions[0]}, {low, high}, span);
}

Result Sets::half_line(const ast::Expr& expr, const Scope&) {
  const auto end = [&](bool open, double at_infinity) {
    return make_number(open ? at_infinity : 0, Dimension::any(), expr.span);
  };
  const NodeId low = end(expr.text == "nonpos" || expr.text == "reals", -kInfinity);
  const NodeId high = end(expr.text == "nonneg" || expr.text == "reals", kInfinity);
  return interval(low, high, expr.span);
}

std::optional<std::vector<NodeId>> Sets::extents(const ast::Expr& expr, const Scope& scope,
                                                 const std::function<std::string(std::size_t)>& positive) {
  std::vector<NodeId> result;
  for (const ast::Expr& arg : expr.args) {
    const Result extent = expressions_.scalar(arg, scope, "the extent of a set");
    if (!extent) return std::nullopt;
    if (const std::string what = positive(result.size()); !what.empty()) {
      if (const auto fault = extent_fault(arg, constant_number(*extent), what)) {
        report(Kind::gauge_not_positive, arg.span, *fault, kExtentHint);
        return std::nullopt;
      }
    }
    result.push_back(*extent);
  }
  return result;
}

Result Sets::interval_set(const ast::Expr& expr, const Scope& scope) {
  const auto bounds = extents(expr, scope, [](std::size_t) { return ""; });
  if (!bounds) return std::nullopt;
  return interval((*bounds)[0], (*bounds)[1], expr.span);
}

Result Sets::disc(const ast::Expr& expr, const Scope& scope) {
  const auto r = extents(expr, scope, [](std::size_t) { return "the radius"; });
  if (!r) return std::nullopt;
  return make_set(SetKind::ball, std::vector<Dimension>(2, type((*r)[0]).dimensions[0]), *r, expr.span);
}

Result Sets::ball(const ast::Expr& expr, const Scope& scope) {
  const Result r = expressions_.scalar(expr.args[0], scope, "the radius");
  const auto n = calls_.dimension_count(expr.args[1], scope);
  if (!r || !n) return std::nullopt;
  if (const auto fault = extent_fault(expr.args[0], constant_number(*r), "the radius")) {
    report(Kind::gauge_not_positive, expr.args[0].span, *fault, kExtentHint);
    return std::nullopt;
  }
  return make_set(SetKind::ball, std::vector<Dimension>(*n, type(*r).dimensions[0]), {*r}, expr.span);
}

// [-a, a] x [-b, b] x ...
Result Sets::box(const ast::Expr& expr, const Scope& scope) {
  const auto sides = extents(expr, scope, [](std::size_t) { return ""; });
  if (!sides) return std::nullopt;
  std::vector<NodeId> factors;
  for (const NodeId side : *sides) factors.push_back(*interval(*expressions_.negate(side, expr.span), side, expr.span));
  return factors.size() == 1 ? Result(factors[0]) : set_product(factors, expr.span);
}

Result Sets::ellipsoid(const ast::Expr& expr, const Scope& scope) {
  auto axes = extents(expr, scope, [](std::size_t i) { return fmt::format("semi-axis {}", i + 1); });
  if (!axes) return std::nullopt;
  std::vector<Dimension> dimensions;
  for (const NodeId axis : *axes) dimensions.push_back(type(axis).dimensions[0]);
  return make_set(SetKind::ellipsoid, std::move(dimensions), std::move(*axes), expr.span);
}

// disc(r) x [-h, h]
Result Sets::cylinder(const ast::Expr& expr, const Scope& scope) {
  const auto given = extents(expr, scope, [](std::size_t i) { return i == 0 ? "the radius" : ""; });
  if (!given) return std::nullopt;
  const NodeId r = (*given)[0], h = (*given)[1];
  const NodeId round = make_set(SetKind::ball, std::vector<Dimension>(2, type(r).dimensions[0]), {r}, expr.span);
  return set_product({round, *interval(*expressions_.negate(h, expr.span), h, expr.span)}, expr.span);
}

Result Sets::product_of_sets(const ast::Expr& expr, const Scope& scope) {
  std::vector<NodeId> factors;
  for (const ast::Expr& arg : expr.args) {
    const Result factor = expressions_.expression(arg, scope);
    if (!factor) return std::nullopt;
    factors.push_back(*factor);
  }
  return set_product(factors, expr.span);
}

Result Sets::set_product(const std::vector<NodeId>& factors, Span span) {
  std::vector<Dimension> dimensions;
  for (const NodeId factor : factors) {
    if (!is_set(factor)) {
      report(Kind::wrong_kind, span, "the product × combines sets only", "numbers are multiplied with *");
      return std::nullopt;
    }
    dimensions.insert(dimensions.end(), type(factor).dimensions.begin(), type(factor).dimensions.end());
  }
  return make_set(SetKind::product, std::move(dimensions), factors, span);
}

Result Sets::set_power(NodeId set, const ast::Expr& exponent, const Scope& scope, Span span) {
  const auto n = calls_.dimension_count(exponent, scope);
  if (!n) return std::nullopt;
  return *n == 1 ? Result(set) : set_product(std::vector<NodeId>(*n, set), span);
}

Result Sets::set_map(NodeId matrix, NodeId set, Span span) {
  const Type tm = type(matrix);
  const Type ts = type(set);
  if (tm.size() == 1) {  // s * C
    if (const auto factor = constant_number(matrix); factor && *factor == 0) {
      report(Kind::gauge_not_positive, span, "the set is scaled by 0", kExtentHint);
      return std::nullopt;
    }
    std::vector<Dimension> dimensions = ts.dimensions;
    for (Dimension& d : dimensions) d = d * tm.dimensions[0];
    return make_set(SetKind::scale, std::move(dimensions), {matrix, set}, span);
  }
  if (tm.rows != tm.cols || tm.cols != ts.rows) {
    report(Kind::shape_mismatch, span,
           fmt::format("a linear map of a set in R^{} is a {}x{} matrix, this one is {}x{}", ts.rows, ts.rows, ts.rows,
                       tm.rows, tm.cols));
    return std::nullopt;
  }
  std::vector<Dimension> dimensions(tm.rows, Dimension::any());
  for (std::uint32_t i = 0; i < tm.rows; ++i) {
    for (std::uint32_t k = 0; k < tm.cols; ++k) {
      const Dimension term = tm.dimensions[i * tm.cols + k] * ts.dimensions[k];
      if (!dimensions[i].fits(term)) {
        report(Kind::dimension_mismatch, span,
               fmt::format("the map adds {} and {}", dimensions[i].description(), term.description()));
        return std::nullopt;
      }
      if (dimensions[i].is_any()) dimensions[i] = term;
    }
  }
  return make_set(SetKind::map, std::move(dimensions), {matrix, set}, span);
}

Result Sets::set_shift(NodeId set, NodeId vector, Span span) {
  const Type& tv = type(vector);
  if (tv.kind != ValueKind::number || tv.cols != 1 || tv.rows != type(set).rows) {
    report(tv.kind == ValueKind::set ? Kind::wrong_kind : Kind::shape_mismatch, span,
           fmt::format("a set in R^{} is shifted by a vector of {}, this is {}", type(set).rows, type(set).rows,
                       shape_text(tv)));
    return std::nullopt;
  }
  std::vector<Dimension> dimensions = type(set).dimensions;
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    if (!dimensions[i].fits(tv.dimensions[i])) {
      report(Kind::dimension_mismatch, span,
             fmt::format("cannot shift a set of extent {} by {}", dimensions[i].description(),
                         tv.dimensions[i].description()));
      return std::nullopt;
    }
    if (dimensions[i].is_any()) dimensions[i] = tv.dimensions[i];
  }
  return make_set(SetKind::shift, std::move(dimensions), {set, vector}, span);
}

Result Sets::superellipse(const ast::Expr& expr, const Scope& scope) {
  const auto given =
      extents(expr, scope, [](std::size_t i) { return i < 2 ? fmt::format("semi-axis {}", i + 1) : std::string(); });
  if (!given) return std::nullopt;
  const std::vector<NodeId>& args = *given;
  if (!type(args[2]).dimensions[0].is_dimensionless()) {
    report(Kind::not_dimensionless, expr.args[2].span, "the exponent of a superellipse is a pure number");
    return std::nullopt;
  }
  if (const auto s = constant_number(args[2]); s && !(*s >= 1)) {
    report(Kind::set_not_convex, expr.args[2].span,
           fmt::format("a superellipse is convex for exponents of 1 and more, this is {}", *s));
    return std::nullopt;
  }
  return make_set(SetKind::superellipse, {type(args[0]).dimensions[0], type(args[1]).dimensions[0]}, args, expr.span);
}

// contensou(f, R, parabolic|uniform): the pressure is a word of this set alone, not a name of the model.
Result Sets::contensou(const ast::Expr& expr, const Scope& scope) {
  const Result f = expressions_.scalar(expr.args[0], scope, "the friction force");
  const Result R = expressions_.scalar(expr.args[1], scope, "the radius of the contact area");
  const ast::Expr& pressure = expr.args[2];
  const bool uniform = pressure.kind == ast::ExprKind::name && pressure.text == "uniform";
  if (!uniform && !(pressure.kind == ast::ExprKind::name && pressure.text == "parabolic")) {
    report(Kind::wrong_kind, pressure.span, "the pressure of 'contensou' is parabolic or uniform");
    return std::nullopt;
  }
  if (!f || !R) return std::nullopt;
  const Dimension force = type(*f).dimensions[0], length = type(*R).dimensions[0];
  for (std::size_t i = 0; i < 2; ++i) {
    const auto fault = extent_fault(expr.args[i], constant_number(i == 0 ? *f : *R),
                                    i == 0 ? "the friction force" : "the radius of the contact area");
    if (!fault) continue;
    report(Kind::gauge_not_positive, expr.args[i].span, *fault, kExtentHint);
    return std::nullopt;
  }
  return make_set(uniform ? SetKind::contensou_uniform : SetKind::contensou_parabolic, {force, force, force * length},
                  {*f, *R}, expr.span);
}

Result Sets::polygon(const ast::Expr& expr, const Scope& scope) {
  std::vector<NodeId> coordinates;
  std::vector<Dimension> dimensions(2, Dimension::any());
  for (const ast::Expr& arg : expr.args) {
    const Result corner = expressions_.expression(arg, scope);
    if (!corner) return std::nullopt;
    if (type(*corner).kind != ValueKind::number || type(*corner).rows != 2 || type(*corner).cols != 1) {
      report(Kind::shape_mismatch, arg.span, "a corner of a polygon is a vector of 2: [x, y]");
      return std::nullopt;
    }
    for (std::uint32_t k = 0; k < 2; ++k) {
      const Dimension d = type(*corner).dimensions[k];
      if (!dimensions[k].fits(d)) {
        report(Kind::dimension_mismatch, arg.span,
               fmt::format("corners of {} and {} do not span a polygon", dimensions[k].description(), d.description()));
        return std::nullopt;
      }
      if (dimensions[k].is_any()) dimensions[k] = d;
      const NodeId component = make(NodeKind::component, {ValueKind::number, 1, 1, {d}}, {*corner}, arg.span);
      model_.nodes[component].index = k;
      coordinates.push_back(component);
    }
  }
  return make_set(SetKind::polygon, std::move(dimensions), std::move(coordinates), expr.span);
}

std::optional<Sets::Alike> Sets::alike_sets(const std::vector<ast::Expr>& sets, const Scope& scope, const char* made,
                                            const char* doing) {
  Alike result;
  for (const ast::Expr& expr : sets) {
    const Result set = expressions_.expression(expr, scope);
    if (!set) return std::nullopt;
    if (!is_set(*set) || (!result.sets.empty() && type(*set).rows != type(result.sets[0]).rows)) {
      report(is_set(*set) ? Kind::set_wrong_dimension : Kind::wrong_kind, expr.span,
             fmt::format("{} is made of sets in one space", made));
      return std::nullopt;
    }
    if (result.sets.empty()) result.dimensions = type(*set).dimensions;
    for (std::size_t k = 0; k < result.dimensions.size(); ++k) {
      const Dimension d = type(*set).dimensions[k];
      if (!result.dimensions[k].fits(d)) {
        report(Kind::dimension_mismatch, expr.span,
               fmt::format("sets of extent {} and {} {}", result.dimensions[k].description(), d.description(), doing));
        return std::nullopt;
      }
      if (result.dimensions[k].is_any()) result.dimensions[k] = d;
    }
    result.sets.push_back(*set);
  }
  return result;
}

Result Sets::set_intersection(const std::vector<ast::Expr>& sets, const Scope& scope, Span span) {
  const auto parts = alike_sets(sets, scope, "an intersection", "do not intersect");
  if (!parts) return std::nullopt;
  if (parts->sets.size() < 2) {
    report(Kind::wrong_argument_count, span, "'intersect' takes two sets or more");
    return std::nullopt;
  }
  return make_set(SetKind::intersection, parts->dimensions, parts->sets, span);
}

Result Sets::intersection(const ast::Expr& expr, const Scope& scope) {
  return set_intersection(expr.args, scope, expr.span);
}

Result Sets::union_of_sets(const ast::Expr& expr, const Scope& scope) {
  const auto parts = alike_sets(expr.args, scope, "a union", "have no union");
  if (!parts) return std::nullopt;
  return make_set(SetKind::union_of, parts->dimensions, parts->sets, expr.span);
}

// The variables of a gauge are forces, or pure numbers if the set is scaled afterwards: mu*N * gauge (x, y) {...};
// those of a support function velocities, or pure numbers. Whichever makes the body consistent is meant.
Result Sets::set_by_function(const ast::Expr& expr, const Scope& scope) {
  const std::size_t n = expr.names.size();
  if (n < 1 || n > 6) {
    report(Kind::wrong_argument_count, expr.span,
           fmt::format("a set by its function has 1 to 6 variables, this {}", n));
    return std::nullopt;
  }
  std::vector<std::vector<Dimension>> candidates{std::vector<Dimension>(n)};
  if (model_.dimensional && law_forces_.size() == n) {
    std::vector<Dimension> of_law = law_forces_;
    if (expr.kind == ast::ExprKind::support) {
      for (Dimension& d : of_law) d = power_dimension() / d;
    }
    candidates.push_back(std::move(of_law));
  }
  const Diagnostics before = diagnostics_;
  for (const auto& dimensions : candidates) {
    diagnostics_ = before;
    if (const Result set = set_by_function(expr, scope, dimensions)) return set;
  }
  // Would forces have been right, had the law more or fewer of them? Then their number is the error, not their unit.
  if (model_.dimensional && !law_forces_.empty() && law_forces_.size() != n) {
    const Diagnostics of_units = std::exchange(diagnostics_, before);
    const Dimension force = law_forces_[0];
    const bool gauge = expr.kind == ast::ExprKind::gauge;
    if (set_by_function(expr, scope, std::vector<Dimension>(n, gauge ? force : power_dimension() / force))) {
      diagnostics_ = before;
      report(Kind::set_wrong_dimension, expr.span,
             fmt::format("the set has {} variable{}, its point has {} component{}", n, n == 1 ? "" : "s",
                         law_forces_.size(), law_forces_.size() == 1 ? "" : "s"),
             "a set that is a factor of a product has pure numbers as variables: r*gauge (x) {...} × ...");
      return std::nullopt;
    }
    diagnostics_ = of_units;
  }
  return std::nullopt;  // with the diagnostics of the last candidate, the law's own
}

Result Sets::set_by_function(const ast::Expr& expr, const Scope& scope, const std::vector<Dimension>& variables) {
  Scope inner;
  inner.parent = &scope;
  const std::uint32_t first = model_.set_variables;
  for (std::size_t k = 0; k < variables.size(); ++k) {
    const NodeId variable =
        make(NodeKind::set_variable, {ValueKind::number, 1, 1, {variables[k]}}, {}, expr.names[k].span);
    model_.nodes[variable].index = model_.set_variables++;
    if (!inner.names.emplace(expr.names[k].text, variable).second) {
      report(Kind::duplicate_name, expr.names[k].span,
             fmt::format("the variable '{}' stands twice", expr.names[k].text));
      return std::nullopt;
    }
  }
  const bool gauge = expr.kind == ast::ExprKind::gauge;
  const Result body = expressions_.scalar(expr.args[0], inner, gauge ? "a gauge function" : "a support function");
  if (!body) return std::nullopt;
  const Dimension given = type(*body).dimensions[0];
  if (gauge && !given.is_dimensionless()) {
    report(Kind::not_dimensionless, expr.args[0].span,
           fmt::format("a gauge function is a pure number, this is {}", given.description()),
           "divide the variables by the extents of the set, as in (x/a)^2");
    return std::nullopt;
  }
  std::vector<Dimension> extents = variables;
  if (!gauge) {
    for (Dimension& d : extents) d = given / d;
  }
  const NodeId id = make_set(gauge ? SetKind::gauge : SetKind::support, std::move(extents), {*body}, expr.span);
  model_.nodes[id].index = first;
  return id;
}

Result Sets::gauge_of_set(const ast::Expr& expr, const Scope& scope) {
  if (expr.args.size() != 2 || !calls_.positional_only(expr)) {
    report(Kind::wrong_argument_count, expr.span, "'gauge' takes a set and a point: gauge(C, x)");
    return std::nullopt;
  }
  const Result point = expressions_.expression(expr.args[1], scope);
  if (!point) return std::nullopt;
  // The variables of a gauge in the set are what the point is.
  const std::vector<Dimension> outer = std::exchange(law_forces_, type(*point).dimensions);
  const Result set = expressions_.expression(expr.args[0], scope);
  law_forces_ = outer;
  if (!set) return std::nullopt;
  if (!is_set(*set)) {
    report(Kind::wrong_kind, expr.args[0].span, "'gauge' takes a set first: gauge(C, x)");
    return std::nullopt;
  }
  if (type(*point).kind != ValueKind::number || type(*point).cols != 1 || type(*point).rows != type(*set).rows) {
    report(Kind::shape_mismatch, expr.args[1].span, fmt::format("a point of R^{} is expected", type(*set).rows));
    return std::nullopt;
  }
  for (std::uint32_t k = 0; k < type(*set).rows; ++k) {
    if (type(*set).dimensions[k].fits(type(*point).dimensions[k])) continue;
    report(Kind::dimension_mismatch, expr.span,
           fmt::format("the set has the extent {}, the point is {}", type(*set).dimensions[k].description(),
                       type(*point).dimensions[k].description()));
    return std::nullopt;
  }
  return make(NodeKind::gauge, {ValueKind::number, 1, 1, {Dimension{}}}, {*set, *point}, expr.span);
}

}  // namespace nsmc
