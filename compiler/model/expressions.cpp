#include "compiler/model/expressions.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "compiler/model/arrays.hpp"
#include "compiler/model/calls.hpp"
#include "compiler/model/names.hpp"
#include "compiler/model/sets.hpp"

namespace nsmc {
namespace {

// Bounds on what a model may expand to: functions that call functions can double at every level.
constexpr std::size_t kMostNodes = 3'000'000;
constexpr std::size_t kDeepestNesting = 600;  // a stack of 8 MB must do, also with sanitizers
constexpr std::size_t kMostErrors = 200;

// x as a fraction with a small denominator, if it is one.
std::optional<std::pair<long, long>> as_fraction(double x) {
  for (long denominator = 1; denominator <= 12; ++denominator) {
    const double numerator = x * static_cast<double>(denominator);
    const double rounded = std::round(numerator);
    if (std::abs(numerator - rounded) < 1e-9 && std::abs(rounded) < 1e6) {
      return std::pair(static_cast<long>(rounded), denominator);
    }
  }
  return std::nullopt;
}

}  // namespace

Result Expressions::expression(const ast::Expr& expr, const Scope& scope) {
  // After so many errors more of them do not help, and suggestions for each cost time.
  core_.stopped = core_.stopped || diagnostics_.error_count() > kMostErrors;
  if (core_.stopped) return std::nullopt;
  if (model_.nodes.size() > kMostNodes) {
    core_.stopped = true;
    report(Kind::model_too_large, expr.span, fmt::format("the model expands to more than {} expressions", kMostNodes),
           "a function that calls another several times doubles the work at each level; name values with let");
    return std::nullopt;
  }
  if (depth_ >= kDeepestNesting) {
    core_.stopped = true;
    report(Kind::nesting_too_deep, expr.span, "definitions are nested too deeply",
           "declare definitions before their use, or name parts with let");
    return std::nullopt;
  }
  ++depth_;
  struct Leave {
    std::size_t& depth;
    ~Leave() { --depth; }
  } leave{depth_};

  switch (expr.kind) {
    case ast::ExprKind::number: return number(expr);
    case ast::ExprKind::name: return names_.name(expr, scope);
    case ast::ExprKind::sum: return sum(expr, scope);
    case ast::ExprKind::product: return product(expr, scope);
    case ast::ExprKind::negate: {
      const Result a = expression(expr.args[0], scope);
      return a ? negate(*a, expr.span) : std::nullopt;
    }
    case ast::ExprKind::power: return power(expr, scope);
    case ast::ExprKind::derivative: return names_.derivative(expr, scope);
    case ast::ExprKind::index: return index(expr, scope);
    case ast::ExprKind::member: return names_.member(expr, scope);
    case ast::ExprKind::call: return calls_.call(expr, scope);
    case ast::ExprKind::reduction: return arrays_.reduction(expr, scope);
    case ast::ExprKind::vector: return vector(expr, scope);
    case ast::ExprKind::comparison: return comparison(expr, scope);
    case ast::ExprKind::logic_and:
    case ast::ExprKind::logic_or:
    case ast::ExprKind::logic_not: return logic(expr, scope);
    case ast::ExprKind::piecewise: return piecewise(expr, scope);
    case ast::ExprKind::intersection: return sets_.set_intersection(expr.args, scope, expr.span);
    case ast::ExprKind::gauge:
    case ast::ExprKind::support: return sets_.set_by_function(expr, scope);
  }
  return std::nullopt;
}

Result Expressions::scalar(const ast::Expr& expr, const Scope& scope, const char* what) {
  const Result value = expression(expr, scope);
  if (!value) return std::nullopt;
  if (type(*value).kind != ValueKind::number) {
    report(Kind::wrong_kind, expr.span, fmt::format("{} must be a number, this is {}", what, shape_text(type(*value))));
    return std::nullopt;
  }
  if (!type(*value).is_scalar()) {
    report(Kind::shape_mismatch, expr.span,
           fmt::format("{} must be a single number, this is {}", what, shape_text(type(*value))));
    return std::nullopt;
  }
  return value;
}

Result Expressions::number(const ast::Expr& expr) {
  if (expr.unit) {
    const UnitValue unit = resolve(*expr.unit, diagnostics_);
    return make_number(expr.value * unit.factor, model_.dimensional ? unit.dimension : Dimension{}, expr.span);
  }
  return make_number(expr.value, expr.value == 0 ? Dimension::any() : Dimension{}, expr.span);
}

std::optional<Type> Expressions::common_type(const Type& ta, const Type& tb, Span span, const char* doing) {
  if (ta.kind != tb.kind || ta.kind == ValueKind::set) {
    report(Kind::wrong_kind, span, fmt::format("cannot {} {} and {}", doing, shape_text(ta), shape_text(tb)));
    return std::nullopt;
  }
  if (ta.rows != tb.rows || ta.cols != tb.cols) {
    report(Kind::shape_mismatch, span, fmt::format("cannot {} {} and {}", doing, shape_text(ta), shape_text(tb)));
    return std::nullopt;
  }
  Type result = ta;
  for (std::size_t i = 0; i < result.dimensions.size(); ++i) {
    if (!ta.dimensions[i].fits(tb.dimensions[i])) {
      std::string hint;
      if (ta.dimensions[i].is_dimensionless() || tb.dimensions[i].is_dimensionless()) {
        hint = "a number without a unit is a pure number; give it one in brackets, as in 3 [m]";
      }
      report(Kind::dimension_mismatch, span,
             fmt::format("cannot {} {} and {}", doing, ta.dimensions[i].description(), tb.dimensions[i].description()),
             hint);
      return std::nullopt;
    }
    if (result.dimensions[i].is_any()) result.dimensions[i] = tb.dimensions[i];
  }
  return result;
}

// Which of the summands has the wrong dimension: the one that differs from most of them; of two the one that is a plain
// number. False if none does; then sum goes on, and has the other errors.
bool Expressions::odd_summand(const ast::Expr& expr, const std::vector<NodeId>& terms) {
  std::vector<Dimension> dimensions;
  for (const NodeId term : terms) {
    const Type& t = type(term);
    if (t.kind != ValueKind::number || !t.is_scalar()) return false;
    dimensions.push_back(t.dimensions[0]);
  }
  const auto alike = [&](std::size_t i) { return std::count(dimensions.begin(), dimensions.end(), dimensions[i]); };
  std::optional<std::size_t> common;  // one of the most
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    if (dimensions[i].is_any()) continue;
    const auto more = common ? alike(i) - alike(*common) : 1;
    if (more > 0 || (more == 0 && dimensions[*common].is_dimensionless())) common = i;
  }
  std::size_t odd = 0;
  while (odd < dimensions.size() && (!common || dimensions[odd].fits(dimensions[*common]))) ++odd;
  if (odd == dimensions.size()) return false;
  const Dimension& usual = dimensions[*common];
  std::string hint = without_unit({terms[odd], terms[*common]});
  if (hint.empty() && (dimensions[odd].is_dimensionless() || usual.is_dimensionless()))
    hint = "a number without a unit is a pure number; give it one in brackets, as in 3 [m]";
  Diagnostic& d =
      report(Kind::dimension_mismatch, expr.args[odd].span,
             fmt::format("cannot add or subtract {} and {}", dimensions[std::min(odd, *common)].description(),
                         dimensions[std::max(odd, *common)].description()),
             std::move(hint));
  if (dimensions.size() > 2 && alike(*common) > alike(odd)) {
    d.labels.push_back({expr.args[*common].span, fmt::format("this is {}, as {} of the {} summands are",
                                                             usual.description(), alike(*common), dimensions.size())});
  }
  return true;
}

Result Expressions::sum(const ast::Expr& expr, const Scope& scope) {
  std::vector<NodeId> terms;
  std::vector<NodeId> all;
  bool failed = false;
  std::optional<Type> result;
  for (std::size_t i = 0; i < expr.args.size(); ++i) {
    Result term = expression(expr.args[i], scope);
    if (!term) {
      failed = true;
      continue;
    }
    if (expr.ops[i] == '-') {
      term = negate(*term, expr.args[i].span);
      if (!term) return std::nullopt;
    }
    all.push_back(*term);
  }
  if (!failed && all.size() > 1 && odd_summand(expr, all)) return std::nullopt;
  for (std::size_t i = 0; !failed && i < all.size(); ++i) {
    const Result term = all[i];
    if (!terms.empty() && is_set(terms[0])) {  // C + c
      const Result shifted = sets_.set_shift(terms[0], *term, expr.span);
      if (!shifted) return std::nullopt;
      terms[0] = *shifted;
      continue;
    }
    if (type(*term).kind == ValueKind::condition) {
      report(Kind::wrong_kind, expr.args[i].span, "cannot add a condition");
      return std::nullopt;
    }
    result = result ? common_type(*result, type(*term), expr.args[i].span, "add or subtract") : type(*term);
    if (!result) return std::nullopt;
    terms.push_back(*term);
  }
  if (failed) return std::nullopt;
  if (terms.size() == 1) return terms[0];
  return make(NodeKind::sum, *result, std::move(terms), expr.span);
}

Result Expressions::product(const ast::Expr& expr, const Scope& scope) {
  Result result = expression(expr.args[0], scope);
  for (std::size_t i = 1; i < expr.args.size(); ++i) {
    const Result factor = expression(expr.args[i], scope);
    if (!result || !factor) {
      result = std::nullopt;
      continue;
    }
    const Span span = join(expr.args[0].span, expr.args[i].span);
    switch (expr.ops[i]) {
      case '*': result = multiply(*result, *factor, span); break;
      case '/': result = divide(*result, *factor, span); break;
      default: result = sets_.set_product({*result, *factor}, span); break;
    }
  }
  return result;
}

Result Expressions::multiply(NodeId a, NodeId b, Span span) {
  const Type ta = type(a);
  const Type tb = type(b);
  if (ta.kind == ValueKind::condition || tb.kind == ValueKind::condition || ta.kind == ValueKind::set) {
    report(Kind::wrong_kind, span, fmt::format("cannot multiply {} and {}", shape_text(ta), shape_text(tb)),
           ta.kind == ValueKind::set || tb.kind == ValueKind::set
               ? "scale a set from the left: s * C; the product of sets is C × D"
               : "a value that depends on a condition is written piecewise { z > 0: 1, else: 0 }");
    return std::nullopt;
  }
  if (tb.kind == ValueKind::set) return sets_.set_map(a, b, span);
  if (ta.size() == 1 || tb.size() == 1) {
    const bool scalar_first = ta.size() == 1;
    Type result = scalar_first ? tb : ta;
    const Dimension factor = scalar_first ? ta.dimensions[0] : tb.dimensions[0];
    for (Dimension& d : result.dimensions) d = d * factor;
    return make(NodeKind::product, std::move(result), {a, b}, span);
  }
  if (ta.cols != tb.rows) {
    report(Kind::shape_mismatch, span, fmt::format("cannot multiply {} and {}", shape_text(ta), shape_text(tb)),
           ta.cols == 1 && tb.cols == 1 ? "the scalar product is dot(a, b)" : "");
    return std::nullopt;
  }
  Type result{ValueKind::number, ta.rows, tb.cols, std::vector<Dimension>(ta.rows * tb.cols, Dimension::any())};
  for (std::uint32_t i = 0; i < ta.rows; ++i) {
    for (std::uint32_t j = 0; j < tb.cols; ++j) {
      Dimension& total = result.dimensions[i * tb.cols + j];
      for (std::uint32_t k = 0; k < ta.cols; ++k) {
        const Dimension term = ta.dimensions[i * ta.cols + k] * tb.dimensions[k * tb.cols + j];
        if (!total.fits(term)) {
          report(Kind::dimension_mismatch, span,
                 fmt::format("the product adds {} and {}", total.description(), term.description()));
          return std::nullopt;
        }
        if (total.is_any()) total = term;
      }
    }
  }
  return make(NodeKind::product, std::move(result), {a, b}, span);
}

Result Expressions::divide(NodeId a, NodeId b, Span span) {
  Type result = type(a);
  if (result.kind != ValueKind::number || !type(b).is_scalar()) {
    report(
        result.kind == ValueKind::number && type(b).kind == ValueKind::number ? Kind::shape_mismatch : Kind::wrong_kind,
        span, fmt::format("cannot divide {} by {}", shape_text(result), shape_text(type(b))));
    return std::nullopt;
  }
  const Dimension divisor = type(b).dimensions[0].is_any() ? Dimension{} : type(b).dimensions[0];
  for (Dimension& d : result.dimensions) d = d / divisor;
  return make(NodeKind::quotient, std::move(result), {a, b}, span);
}

Result Expressions::negate(NodeId a, Span span) {
  if (type(a).kind == ValueKind::condition) {
    report(Kind::wrong_kind, span, "cannot negate a condition", "the negation of a condition is 'not'");
    return std::nullopt;
  }
  if (is_set(a)) {  // -C is the reflected set
    return sets_.make_set(SetKind::scale, type(a).dimensions, {make_number(-1, {}, span), a}, span);
  }
  return make(NodeKind::negate, type(a), {a}, span);
}

Result Expressions::power(const ast::Expr& expr, const Scope& scope) {
  const Result base = expression(expr.args[0], scope);
  if (base && is_set(*base)) return sets_.set_power(*base, expr.args[1], scope, expr.span);
  const Result exponent = scalar(expr.args[1], scope, "an exponent");
  if (!base || !exponent) return std::nullopt;
  if (!type(*base).is_scalar()) {
    report(Kind::shape_mismatch, expr.args[0].span, fmt::format("cannot raise {} to a power", shape_text(type(*base))),
           "the square of a vector is dot(v, v)");
    return std::nullopt;
  }
  if (!type(*exponent).dimensions[0].is_dimensionless()) {
    report(Kind::not_dimensionless, expr.args[1].span,
           fmt::format("an exponent must be a pure number, this is {}", type(*exponent).dimensions[0].description()));
    return std::nullopt;
  }
  Dimension dimension = type(*base).dimensions[0];
  if (!dimension.is_dimensionless()) {
    const auto value = constant_number(*exponent);
    const auto fraction = value ? as_fraction(*value) : std::nullopt;
    const auto result = fraction ? dimension.power(fraction->first, fraction->second) : std::nullopt;
    if (!result) {
      report(Kind::not_dimensionless, expr.args[0].span,
             fmt::format("{} can be raised to a fixed rational power only", dimension.description()),
             "divide by a reference value first: (x/x0)^s");
      return std::nullopt;
    }
    dimension = *result;
  }
  return make(NodeKind::power, {ValueKind::number, 1, 1, {dimension}}, {*base, *exponent}, expr.span);
}

Result Expressions::index(const ast::Expr& expr, const Scope& scope) {
  if (const CoordinateArray* array = names_.named_array(expr, scope))
    return arrays_.array_element(*array, expr, scope, false);
  const Result value = expression(expr.args[0], scope);
  if (!value) return std::nullopt;
  const Type t = type(*value);
  if (t.kind != ValueKind::number) {
    report(Kind::wrong_kind, expr.span, fmt::format("cannot index {}", shape_text(t)));
    return std::nullopt;
  }
  const std::size_t wanted = t.cols == 1 ? 1 : 2;
  if (expr.args.size() - 1 != wanted) {
    report(Kind::index_out_of_range, expr.span,
           fmt::format("{} takes {} index{}", shape_text(t), wanted, wanted == 1 ? "" : "es"));
    return std::nullopt;
  }
  std::array<std::uint32_t, 2> at{0, 0};
  for (std::size_t i = 0; i < wanted; ++i) {
    const Result position = scalar(expr.args[i + 1], scope, "an index");
    if (!position) return std::nullopt;
    const auto k = constant_number(*position);
    const std::uint32_t limit = i == 0 ? t.rows : t.cols;
    if (!k || *k != std::floor(*k) || *k < 1 || *k > limit) {
      report(Kind::index_out_of_range, expr.args[i + 1].span,
             fmt::format("an index must be a whole number from 1 to {}", limit),
             k && *k == 0 ? "the first has the index 1" : "");
      return std::nullopt;
    }
    at[i] = static_cast<std::uint32_t>(*k) - 1;
  }
  const std::uint32_t component = at[0] * t.cols + at[1];
  const NodeId id =
      make(NodeKind::component, {ValueKind::number, 1, 1, {t.dimensions[component]}}, {*value}, expr.span);
  model_.nodes[id].index = component;
  return id;
}

Result Expressions::vector(const ast::Expr& expr, const Scope& scope) {
  std::vector<NodeId> parts;
  bool failed = false;
  for (const ast::Expr& arg : expr.args) {
    const Result part = expression(arg, scope);
    failed = failed || !part;
    if (part) parts.push_back(*part);
  }
  if (failed) return std::nullopt;
  UnitValue unit;
  if (expr.unit) unit = resolve(*expr.unit, diagnostics_);
  // [[a, b], [c, d]] is a matrix: rows are literal vectors. Otherwise vectors are stacked: [slip, spin].
  const bool matrix = !expr.args.empty() && expr.args[0].kind == ast::ExprKind::vector;
  Type result{ValueKind::number, 0, 1, {}};
  std::vector<NodeId> components;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Type t = type(parts[i]);
    if (t.kind != ValueKind::number || t.cols != 1) {
      report(t.kind == ValueKind::number ? Kind::shape_mismatch : Kind::wrong_kind, expr.args[i].span,
             fmt::format("a vector is made of numbers and vectors, this is {}", shape_text(t)));
      return std::nullopt;
    }
    if (matrix && (expr.args[i].kind != ast::ExprKind::vector || t.rows != type(parts[0]).rows)) {
      report(Kind::shape_mismatch, expr.args[i].span,
             fmt::format("the rows of a matrix have one length, {} here", type(parts[0]).rows));
      return std::nullopt;
    }
    for (std::uint32_t k = 0; k < t.rows; ++k) {
      NodeId component = parts[i];
      if (t.rows > 1) {
        component =
            make(NodeKind::component, {ValueKind::number, 1, 1, {t.dimensions[k]}}, {parts[i]}, expr.args[i].span);
        model_.nodes[component].index = k;
      }
      if (expr.unit) {
        const auto scaled =
            multiply(component, make_number(unit.factor, model_.dimensional ? unit.dimension : Dimension{}, expr.span),
                     expr.span);
        component = *scaled;
      }
      components.push_back(component);
      result.dimensions.push_back(type(component).dimensions[0]);
    }
  }
  if (components.empty()) {
    report(Kind::shape_mismatch, expr.span, "a vector needs at least one component");
    return std::nullopt;
  }
  result.rows = static_cast<std::uint32_t>(matrix ? parts.size() : components.size());
  result.cols = static_cast<std::uint32_t>(components.size() / result.rows);
  if (components.size() == 1) return components[0];
  return make(NodeKind::vector, std::move(result), std::move(components), expr.span);
}

Result Expressions::comparison(const ast::Expr& expr, const Scope& scope) {
  const Result a = scalar(expr.args[0], scope, "a comparison");
  const Result b = scalar(expr.args[1], scope, "a comparison");
  if (!a || !b || !common_type(type(*a), type(*b), expr.span, "compare")) return std::nullopt;
  const Type condition{ValueKind::condition, 1, 1, {Dimension{}}};
  const bool swapped = expr.text == ">" || expr.text == ">=";
  const bool equality = expr.text == "==" || expr.text == "!=";
  const NodeId id = make(NodeKind::comparison, condition,
                         swapped ? std::vector<NodeId>{*b, *a} : std::vector<NodeId>{*a, *b}, expr.span);
  model_.nodes[id].function = equality ? "==" : expr.text.size() == 2 ? "<=" : "<";
  if (expr.text != "!=") return id;
  const NodeId negated = make(NodeKind::logic, condition, {id}, expr.span);
  model_.nodes[negated].function = "not";
  return negated;
}

Result Expressions::logic(const ast::Expr& expr, const Scope& scope) {
  std::vector<NodeId> args;
  for (const ast::Expr& arg : expr.args) {
    const Result value = expression(arg, scope);
    if (!value) return std::nullopt;
    if (type(*value).kind != ValueKind::condition) {
      report(Kind::wrong_kind, arg.span,
             fmt::format("'{}' takes conditions, this is {}",
                         expr.kind == ast::ExprKind::logic_and  ? "and"
                         : expr.kind == ast::ExprKind::logic_or ? "or"
                                                                : "not",
                         shape_text(type(*value))));
      return std::nullopt;
    }
    args.push_back(*value);
  }
  const NodeId id = make(NodeKind::logic, {ValueKind::condition, 1, 1, {Dimension{}}}, std::move(args), expr.span);
  model_.nodes[id].function = expr.kind == ast::ExprKind::logic_and  ? "and"
                              : expr.kind == ast::ExprKind::logic_or ? "or"
                                                                     : "not";
  return id;
}

Result Expressions::piecewise(const ast::Expr& expr, const Scope& scope) {
  std::vector<NodeId> args;
  std::optional<Type> result;
  for (std::size_t i = 0; i < expr.args.size(); ++i) {
    const Result value = expression(expr.args[i], scope);
    if (!value) return std::nullopt;
    const bool condition = i % 2 == 0 && i + 1 < expr.args.size();
    if (condition && type(*value).kind != ValueKind::condition) {
      report(Kind::wrong_kind, expr.args[i].span,
             fmt::format("a case of piecewise starts with a condition, this is {}", shape_text(type(*value))));
      return std::nullopt;
    }
    if (!condition && type(*value).kind == ValueKind::set) {
      report(Kind::wrong_kind, expr.args[i].span, "piecewise chooses between numbers, not sets");
      return std::nullopt;
    }
    if (!condition) {
      result = result ? common_type(*result, type(*value), expr.args[i].span, "choose between") : type(*value);
      if (!result) return std::nullopt;
    }
    args.push_back(*value);
  }
  return make(NodeKind::piecewise, *result, std::move(args), expr.span);
}

NodeId Expressions::difference(NodeId a, NodeId b, Span span) {
  const Result minus = negate(b, span);
  const auto common = common_type(type(a), type(*minus), span, "subtract");
  return common ? make(NodeKind::sum, *common, {a, *minus}, span) : zeros(type(a).rows, span);
}

}  // namespace nsmc
