// Sets: the built-in shapes reduced to intervals, balls and ellipsoids, and the combinators map, scaling, shift,
// product.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "compiler/model/elaborator.hpp"

namespace nsmc {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Type set_type(std::vector<Dimension> dimensions) {
  const auto n = static_cast<std::uint32_t>(dimensions.size());
  return {ValueKind::set, n, 1, std::move(dimensions)};
}

// A limit that is negative is a slip of the pen. So is a 0 that stands where the extent is written; through a name, the
// argument of a law for example, it turns friction off.
std::optional<std::string> extent_fault(const ast::Expr& expr, std::optional<double> value, const std::string& what) {
  if (!value || *value > 0 || (*value == 0 && expr.kind == ast::ExprKind::name)) return std::nullopt;
  return fmt::format("{} must be positive, this is {:.4g}", what, *value);
}

constexpr const char* kExtentHint = "a set without extent is written zero; for no friction leave the law out";

}  // namespace

bool Elaborator::is_set_constructor(const std::string& name) const {
  return std::find(set_constructors.begin(), set_constructors.end(), name) != set_constructors.end();
}

Result Elaborator::interval(NodeId low, NodeId high, Span span) {
  const auto common = common_type(type(low), type(high), span, "span an interval between");
  if (!common) return std::nullopt;
  return make(NodeKind::set_interval, set_type({common->dimensions[0]}), {low, high}, span);
}

Result Elaborator::set_constructor(const ast::Expr& expr, const Scope& scope) {
  const std::string& name = expr.text;
  const std::size_t given = expr.kind == ast::ExprKind::call ? expr.args.size() : 0;
  if (expr.kind == ast::ExprKind::call && !positional_only(expr)) return std::nullopt;
  const auto wrong_count = [&](const char* wanted) -> Result {
    report(Kind::wrong_argument_count, expr.span, fmt::format("'{}' takes {}, {} given", name, wanted, given));
    return std::nullopt;
  };
  const auto literal = [&](double value) { return make_number(value, Dimension::any(), expr.span); };

  if (name == "nonneg" || name == "nonpos" || name == "reals" || name == "zero") {
    if (given != 0) return wrong_count("no arguments");
    const double low = name == "nonpos" || name == "reals" ? -kInfinity : 0;
    const double high = name == "nonneg" || name == "reals" ? kInfinity : 0;
    return interval(literal(low), literal(high), expr.span);
  }
  if (name == "superellipse") return superellipse(expr, scope);
  if (name == "contensou") return contensou(expr, scope);
  if (name == "polygon") return polygon(expr, scope);
  if (name == "intersect") return set_intersection(expr.args, scope, expr.span);
  if (name == "product") {
    if (given < 2) return wrong_count("two sets or more");
    std::vector<NodeId> factors;
    for (const ast::Expr& arg : expr.args) {
      const Result factor = expression(arg, scope);
      if (!factor) return std::nullopt;
      factors.push_back(*factor);
    }
    return set_product(factors, expr.span);
  }
  if (name == "ball") {
    if (given != 2) return wrong_count("a radius and a number of dimensions");
    const Result r = scalar(expr.args[0], scope, "the radius");
    const auto n = dimension_count(expr.args[1], scope);
    if (!r || !n) return std::nullopt;
    if (const auto fault = extent_fault(expr.args[0], constant_number(*r), "the radius")) {
      report(Kind::gauge_not_positive, expr.args[0].span, *fault, kExtentHint);
      return std::nullopt;
    }
    return make(NodeKind::set_ball, set_type(std::vector<Dimension>(*n, type(*r).dimensions[0])), {*r}, expr.span);
  }

  // The others take extents, one number each.
  const bool count_ok = name == "disc"       ? given == 1
                        : name == "interval" ? given == 2
                        : name == "ellipse"  ? given == 2
                        : name == "cylinder" ? given == 2
                                             : given >= 1;
  if (!count_ok) {
    return wrong_count(name == "disc"       ? "a radius"
                       : name == "interval" ? "two bounds"
                       : name == "ellipse"  ? "two semi-axes"
                       : name == "cylinder" ? "a radius and a half height"
                                            : "one extent or more");
  }
  std::vector<NodeId> extents;
  for (const ast::Expr& arg : expr.args) {
    const Result extent = scalar(arg, scope, "the extent of a set");
    if (!extent) return std::nullopt;
    const bool radius = name == "disc" || (name == "cylinder" && extents.empty());
    if (radius || name == "ellipse" || name == "ellipsoid") {
      const std::string what = radius ? "the radius" : fmt::format("semi-axis {}", extents.size() + 1);
      if (const auto fault = extent_fault(arg, constant_number(*extent), what)) {
        report(Kind::gauge_not_positive, arg.span, *fault, kExtentHint);
        return std::nullopt;
      }
    }
    extents.push_back(*extent);
  }
  const auto dimension = [&](std::size_t i) { return type(extents[i]).dimensions[0]; };
  if (name == "interval") return interval(extents[0], extents[1], expr.span);
  if (name == "disc") {
    return make(NodeKind::set_ball, set_type({dimension(0), dimension(0)}), {extents[0]}, expr.span);
  }
  if (name == "ellipse" || name == "ellipsoid") {
    std::vector<Dimension> dimensions;
    for (std::size_t i = 0; i < extents.size(); ++i) dimensions.push_back(dimension(i));
    return make(NodeKind::set_ellipsoid, set_type(std::move(dimensions)), std::move(extents), expr.span);
  }
  // box(a, b, ...) = [-a, a] x [-b, b] x ...; cylinder(r, h) = disc(r) x [-h, h]
  std::vector<NodeId> factors;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    if (name == "cylinder" && i == 0) {
      factors.push_back(make(NodeKind::set_ball, set_type({dimension(0), dimension(0)}), {extents[0]}, expr.span));
      continue;
    }
    const Result factor = interval(*negate(extents[i], expr.span), extents[i], expr.span);
    factors.push_back(*factor);
  }
  return factors.size() == 1 ? Result(factors[0]) : set_product(factors, expr.span);
}

Result Elaborator::set_product(const std::vector<NodeId>& factors, Span span) {
  std::vector<Dimension> dimensions;
  for (const NodeId factor : factors) {
    if (!is_set(factor)) {
      report(Kind::wrong_kind, span, "the product × combines sets only", "numbers are multiplied with *");
      return std::nullopt;
    }
    dimensions.insert(dimensions.end(), type(factor).dimensions.begin(), type(factor).dimensions.end());
  }
  return make(NodeKind::set_product, set_type(std::move(dimensions)), factors, span);
}

Result Elaborator::set_power(NodeId set, const ast::Expr& exponent, const Scope& scope, Span span) {
  const auto n = dimension_count(exponent, scope);
  if (!n) return std::nullopt;
  return *n == 1 ? Result(set) : set_product(std::vector<NodeId>(*n, set), span);
}

Result Elaborator::set_map(NodeId matrix, NodeId set, Span span) {
  const Type tm = type(matrix);
  const Type ts = type(set);
  if (tm.size() == 1) {  // s * C
    if (const auto factor = constant_number(matrix); factor && *factor == 0) {
      report(Kind::gauge_not_positive, span, "the set is scaled by 0", kExtentHint);
      return std::nullopt;
    }
    std::vector<Dimension> dimensions = ts.dimensions;
    for (Dimension& d : dimensions) d = d * tm.dimensions[0];
    return make(NodeKind::set_scale, set_type(std::move(dimensions)), {matrix, set}, span);
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
  return make(NodeKind::set_map, set_type(std::move(dimensions)), {matrix, set}, span);
}

Result Elaborator::set_shift(NodeId set, NodeId vector, Span span) {
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
  return make(NodeKind::set_shift, set_type(std::move(dimensions)), {set, vector}, span);
}

Result Elaborator::superellipse(const ast::Expr& expr, const Scope& scope) {
  if (expr.args.size() != 3) {
    report(Kind::wrong_argument_count, expr.span,
           fmt::format("'superellipse' takes two semi-axes and an exponent, {} given", expr.args.size()));
    return std::nullopt;
  }
  std::vector<NodeId> args;
  for (const ast::Expr& arg : expr.args) {
    const Result value = scalar(arg, scope, "the extent of a set");
    if (!value) return std::nullopt;
    const std::string what = fmt::format("semi-axis {}", args.size() + 1);
    const auto fault = args.size() < 2 ? extent_fault(arg, constant_number(*value), what) : std::nullopt;
    if (fault) {
      report(Kind::gauge_not_positive, arg.span, *fault, kExtentHint);
      return std::nullopt;
    }
    args.push_back(*value);
  }
  if (!type(args[2]).dimensions[0].is_dimensionless()) {
    report(Kind::not_dimensionless, expr.args[2].span, "the exponent of a superellipse is a pure number");
    return std::nullopt;
  }
  if (const auto s = constant_number(args[2]); s && !(*s >= 1)) {
    report(Kind::set_not_convex, expr.args[2].span,
           fmt::format("a superellipse is convex for exponents of 1 and more, this is {}", *s));
    return std::nullopt;
  }
  Type result = set_type({type(args[0]).dimensions[0], type(args[1]).dimensions[0]});
  return make(NodeKind::set_superellipse, std::move(result), std::move(args), expr.span);
}

// contensou(f, R, parabolic|uniform): the pressure is a word of this set alone, not a name of the model.
Result Elaborator::contensou(const ast::Expr& expr, const Scope& scope) {
  if (expr.args.size() != 3) {
    report(Kind::wrong_argument_count, expr.span,
           fmt::format("'contensou' takes a friction force, a radius and a pressure, {} given", expr.args.size()),
           "contensou(mu*N, R, parabolic) or contensou(mu*N, R, uniform)");
    return std::nullopt;
  }
  const Result f = scalar(expr.args[0], scope, "the friction force");
  const Result R = scalar(expr.args[1], scope, "the radius of the contact area");
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
  const NodeId id = make(NodeKind::set_contensou, set_type({force, force, force * length}), {*f, *R}, expr.span);
  model_.nodes[id].index = uniform ? 1 : 0;
  return id;
}

Result Elaborator::polygon(const ast::Expr& expr, const Scope& scope) {
  if (expr.args.size() < 3) {
    report(Kind::wrong_argument_count, expr.span,
           fmt::format("'polygon' takes three corners or more, {} given", expr.args.size()));
    return std::nullopt;
  }
  std::vector<NodeId> coordinates;
  std::vector<Dimension> dimensions(2, Dimension::any());
  for (const ast::Expr& arg : expr.args) {
    const Result corner = expression(arg, scope);
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
  return make(NodeKind::set_polygon, set_type(std::move(dimensions)), std::move(coordinates), expr.span);
}

Result Elaborator::set_intersection(const std::vector<ast::Expr>& sets, const Scope& scope, Span span) {
  std::vector<NodeId> args;
  std::vector<Dimension> dimensions;
  for (const ast::Expr& expr : sets) {
    const Result set = expression(expr, scope);
    if (!set) return std::nullopt;
    if (!is_set(*set) || (!args.empty() && type(*set).rows != type(args[0]).rows)) {
      report(is_set(*set) ? Kind::set_wrong_dimension : Kind::wrong_kind, expr.span,
             "an intersection is made of sets in one space");
      return std::nullopt;
    }
    if (args.empty()) dimensions = type(*set).dimensions;
    for (std::size_t k = 0; k < dimensions.size(); ++k) {
      const Dimension d = type(*set).dimensions[k];
      if (!dimensions[k].fits(d)) {
        report(Kind::dimension_mismatch, expr.span,
               fmt::format("sets of extent {} and {} do not intersect", dimensions[k].description(), d.description()));
        return std::nullopt;
      }
      if (dimensions[k].is_any()) dimensions[k] = d;
    }
    args.push_back(*set);
  }
  if (args.size() < 2) {
    report(Kind::wrong_argument_count, span, "'intersect' takes two sets or more");
    return std::nullopt;
  }
  return make(NodeKind::set_intersection, set_type(std::move(dimensions)), std::move(args), span);
}

// The variables of a gauge are forces, or pure numbers if the set is scaled afterwards: mu*N * gauge (x, y) {...};
// those of a support function velocities, or pure numbers. Whichever makes the body consistent is meant.
Result Elaborator::set_by_function(const ast::Expr& expr, const Scope& scope) {
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

Result Elaborator::set_by_function(const ast::Expr& expr, const Scope& scope, const std::vector<Dimension>& variables) {
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
  const Result body = scalar(expr.args[0], inner, gauge ? "a gauge function" : "a support function");
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
  const NodeId id =
      make(gauge ? NodeKind::set_gauge : NodeKind::set_support, set_type(std::move(extents)), {*body}, expr.span);
  model_.nodes[id].index = first;
  return id;
}

Result Elaborator::gauge_of_set(const ast::Expr& expr, const Scope& scope) {
  if (expr.args.size() != 2 || !positional_only(expr)) {
    report(Kind::wrong_argument_count, expr.span, "'gauge' takes a set and a point: gauge(C, x)");
    return std::nullopt;
  }
  const Result point = expression(expr.args[1], scope);
  if (!point) return std::nullopt;
  // The variables of a gauge in the set are what the point is.
  const std::vector<Dimension> outer = std::exchange(law_forces_, type(*point).dimensions);
  const Result set = expression(expr.args[0], scope);
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
