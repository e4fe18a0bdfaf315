// Sets: the built-in shapes reduced to intervals, balls and ellipsoids, and the combinators map, scaling, shift, product.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "compiler/model/elaborator.hpp"

namespace nsmc {
namespace {

constexpr std::array<std::string_view, 12> kConstructors{"nonneg", "nonpos", "reals",   "zero",      "interval", "disc",
                                                         "ball",   "box",    "ellipse", "ellipsoid", "cylinder", "product"};
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Type set_type(std::vector<Dimension> dimensions) {
  const auto n = static_cast<std::uint32_t>(dimensions.size());
  return {ValueKind::set, n, 1, std::move(dimensions)};
}

}  // namespace

bool Elaborator::is_set_constructor(const std::string& name) const {
  return std::find(kConstructors.begin(), kConstructors.end(), name) != kConstructors.end();
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
    return make(NodeKind::set_ball, set_type(std::vector<Dimension>(*n, type(*r).dimensions[0])), {*r}, expr.span);
  }

  // The others take extents, one number each.
  const bool count_ok = name == "disc"        ? given == 1
                        : name == "interval"  ? given == 2
                        : name == "ellipse"   ? given == 2
                        : name == "cylinder"  ? given == 2
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

}  // namespace nsmc
