#include "compiler/model/calls.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "compiler/model/expressions.hpp"
#include "compiler/model/sets.hpp"
#include "compiler/model/tables.hpp"
#include "compiler/support/functions.hpp"
#include "compiler/support/habits.hpp"
#include "compiler/support/internal_check.hpp"

namespace nsmc {
namespace {

constexpr int kMostDimensions = 16;  // of a set

Type number_type(Dimension dimension) { return {ValueKind::number, 1, 1, {dimension}}; }

std::vector<std::string> names_of(const std::vector<ast::Parameter>& parameters) {
  std::vector<std::string> names;
  for (const ast::Parameter& parameter : parameters) names.push_back(parameter.name.text);
  return names;
}

}  // namespace

std::vector<KnownWord> Calls::words() {
  std::vector<KnownWord> words;
  for (const ScalarFunction& f : scalar_functions) words.push_back({WordGroup::function, f.name});
  for (const OtherFunction& f : other_functions()) words.push_back({WordGroup::function, f.name});
  return words;
}

Result Calls::call(const ast::Expr& expr, const Scope& scope) {
  if (scope.library) {
    if (library_function(expr.text) != nullptr) {
      std::vector<NodeId> args;
      for (const ast::Expr& arg : expr.args) {
        const Result value = expressions_.expression(arg, scope);
        if (!value) return std::nullopt;
        args.push_back(*value);
      }
      return library(expr.text.c_str(), args, expr.span);
    }
    // What the library calls by a name of the language stays that, whatever a model declares.
    if (sets_.is_set_constructor(expr.text)) return sets_.set_constructor(expr, scope);
    if (find_scalar_function(expr.text) != nullptr || find_other_function(expr.text) != nullptr)
      return builtin_call(expr, scope);
  }
  if (const auto found = globals_.find(expr.text); found != globals_.end()) {
    const GlobalSymbol& symbol = found->second;
    if (symbol.kind == SymbolKind::function) {
      const ast::Function& function = symbol.declaration == nullptr
                                          ? *library_function(expr.text)
                                          : std::get<ast::Function>(symbol.declaration->value);
      return user_call(expr, function.parameters, function.body, symbol, scope);
    }
    if (symbol.kind == SymbolKind::set) {
      const auto& set = std::get<ast::SetDefinition>(symbol.declaration->value);
      return user_call(expr, set.parameters, set.value, symbol, scope);
    }
    if (symbol.kind == SymbolKind::table) {
      if (!positional_only(expr)) return std::nullopt;
      return tables_.call(expr, symbol.index, scope);
    }
    const bool hides = known_to_the_language(expr.text);
    report(Kind::wrong_kind, expr.span,
           hides ? fmt::format("'{0}' is a value of the model, which hides the function '{0}'", expr.text)
                 : fmt::format("'{}' is not a function", expr.text),
           hides                                                         ? "give the value another name"
           : expr.args.size() == 1 && symbol.kind != SymbolKind::contact ? "an element is written with brackets: v[1]"
                                                                         : "")
        .labels.push_back({symbol.span, "declared here"});
    return std::nullopt;
  }
  if (sets_.is_set_constructor(expr.text)) return sets_.set_constructor(expr, scope);
  if (expr.text == "gauge") return sets_.gauge_of_set(expr, scope);
  return builtin_call(expr, scope);
}

bool Calls::known_to_the_language(std::string_view name) const {
  return find_scalar_function(name) != nullptr || find_other_function(name) != nullptr ||
         sets_.is_set_constructor(std::string(name));
}

bool Calls::positional_only(const ast::Expr& call) {
  for (std::size_t i = 0; i < call.names.size(); ++i) {
    if (call.names[i].text.empty()) continue;
    report(Kind::unknown_argument, call.names[i].span, fmt::format("'{}' takes its arguments by position", call.text));
    return false;
  }
  return true;
}

Result Calls::builtin_call(const ast::Expr& expr, const Scope& scope) {
  const ScalarFunction* function = find_scalar_function(expr.text);
  const OtherFunction* other = find_other_function(expr.text);
  if (function == nullptr && other == nullptr) {
    std::vector<std::string> names;
    for (const ScalarFunction& f : scalar_functions) names.emplace_back(f.name);
    for (const OtherFunction& f : other_functions()) names.emplace_back(f.name);
    for (const auto& [text, symbol] : globals_) {
      if (symbol.kind == SymbolKind::function || symbol.kind == SymbolKind::set) names.push_back(text);
    }
    for (std::string& set : sets_.set_constructor_names()) names.push_back(std::move(set));
    const std::optional<Advice> known = habit(HabitOf::function, expr.text);
    Diagnostic& d = report(Kind::unknown_function, expr.span, fmt::format("unknown function '{}'", expr.text),
                           known ? known->hint : did_you_mean(expr.text, names));
    const bool plain = expr.args.size() == 1 && expr.args[0].kind == ast::ExprKind::name && d.span == expr.span;
    if (known && known->write && plain) d.replacement = {expr.span, with_argument(*known->write, expr.args[0].text)};
    return std::nullopt;
  }
  if (!positional_only(expr)) return std::nullopt;
  return function != nullptr ? scalar_call(*function, expr, scope) : (this->*(other->elaborate))(expr, scope);
}

Result Calls::wrong_count(const ast::Expr& expr, const char* wanted) {
  report(Kind::wrong_argument_count, expr.span,
         fmt::format("'{}' takes {}, {} given", expr.text, wanted, expr.args.size()));
  return std::nullopt;
}

// --------------------------------------------------------------------------------------------- functions of numbers

Result Calls::scalar_call(const ScalarFunction& function, const ast::Expr& expr, const Scope& scope) {
  switch (function.arity) {
    case Arity::one:
      if (expr.args.size() != 1) return wrong_count(expr, "one argument");
      break;
    case Arity::two:
      if (expr.args.size() != 2) return wrong_count(expr, "two arguments");
      break;
    case Arity::many:
      if (expr.args.size() < 2) return wrong_count(expr, "two arguments or more");
      break;
  }
  std::vector<NodeId> args;
  for (const ast::Expr& arg : expr.args) {
    const Result value = expressions_.scalar(arg, scope, "the argument");
    if (!value) return std::nullopt;
    args.push_back(*value);
  }
  Type result = type(args[0]);
  for (std::size_t i = 1; i < args.size(); ++i) {
    const auto common = expressions_.common_type(result, type(args[i]), expr.args[i].span, "compare");
    if (!common) return std::nullopt;
    result = *common;
  }
  const auto dimension = value_dimension(function, result.dimensions[0], expr);
  if (!dimension) return std::nullopt;
  if (expr.text == "sin" || expr.text == "cos" || expr.text == "tan") look_at_angle(expr.args[0]);
  result.dimensions[0] = *dimension;
  NodeId value =
      make_call(function.name, result, {args.begin(), args.begin() + std::min<std::size_t>(2, args.size())}, expr.span);
  for (std::size_t i = 2; i < args.size(); ++i) value = make_call(function.name, result, {value, args[i]}, expr.span);
  return value;
}

// A number without a unit that is more than a turn in radians, here or where the parameter or coordinate is declared.
void Calls::look_at_angle(const ast::Expr& expr) {
  const ast::Expr* value = &expr;
  if (expr.kind == ast::ExprKind::name) {
    const auto found = globals_.find(expr.text);
    if (found == globals_.end() || found->second.declaration == nullptr) return;
    const auto& declaration = found->second.declaration->value;
    if (const auto* param = std::get_if<ast::Param>(&declaration); param != nullptr && !param->unit) {
      value = &param->value;
    } else if (const auto* coord = std::get_if<ast::Coord>(&declaration);
               coord != nullptr && coord->initial && (!coord->unit || unit_text(*coord->unit) == "rad")) {
      value = &*coord->initial;
    }
  }
  const bool negative = value->kind == ast::ExprKind::negate;
  if (negative) value = &value->args[0];
  constexpr double kTurn = 2 * std::numbers::pi;
  if (value->kind != ast::ExprKind::number || value->unit || value->value <= kTurn) return;
  const double degrees = value->value;
  if (degrees != std::floor(degrees) || std::fmod(degrees, 5) != 0) return;  // 45, 30, 180: not 6.5
  Diagnostic& d = report(Kind::angle_without_unit, value->span,
                         fmt::format("an angle of {} radians is {:.3g} turns", degrees, degrees / kTurn),
                         fmt::format("degrees have their unit: {} [deg]", degrees));
  if (d.span == value->span) d.replacement = {value->span, fmt::format("{} [deg]", degrees)};
}

std::optional<Dimension> Calls::value_dimension(const ScalarFunction& function, const Dimension& argument,
                                                const ast::Expr& expr) {
  const auto root = [&](std::int32_t degree, const char* what) {
    const auto result = argument.power(1, degree);
    if (!result) {
      report(Kind::not_dimensionless, expr.args[0].span,
             fmt::format("{} has no {} root", argument.description(), what));
    }
    return result;
  };
  switch (function.dimensions) {
    case DimensionRule::pure:
      if (argument.is_dimensionless()) return Dimension{};
      report(Kind::not_dimensionless, expr.args[0].span,
             fmt::format("'{}' takes a pure number, this is {}", expr.text, argument.description()),
             "divide by a reference value, as in sin(x/L)");
      return std::nullopt;
    case DimensionRule::square_root: return root(2, "square");
    case DimensionRule::cube_root: return root(3, "cube");
    case DimensionRule::alike_to_pure: return Dimension{};
    case DimensionRule::alike: return argument;
  }
  return std::nullopt;
}

// -------------------------------------------------------------------------------- functions of vectors and matrices

std::span<const Calls::OtherFunction> Calls::other_functions() {
  static constexpr OtherFunction kFunctions[] = {
      {"pow", &Calls::pow},
      {"dot", &Calls::dot},
      {"cross", &Calls::cross},
      {"norm", &Calls::norm},
      {"transpose", &Calls::transpose},
      {"diag", &Calls::diag},
      {"identity", &Calls::identity},
      {"dim", &Calls::dim},
      {"d", &Calls::partial},
      {"det", &Calls::det},
      {"inverse", &Calls::inverse},
      {"solve", &Calls::solve},
      {"random", &Calls::random},
      {"smoothstep", &Calls::smoothstep},
  };
  return kFunctions;
}

const Calls::OtherFunction* Calls::find_other_function(std::string_view name) {
  const auto functions = other_functions();
  const auto found =
      std::find_if(functions.begin(), functions.end(), [&](const OtherFunction& f) { return name == f.name; });
  return found == functions.end() ? nullptr : &*found;
}

Result Calls::pow(const ast::Expr& expr, const Scope& scope) {
  return expr.args.size() == 2 ? expressions_.power(expr, scope) : wrong_count(expr, "two arguments");
}

Result Calls::dim(const ast::Expr& expr, const Scope& scope) {
  if (expr.args.size() != 1) return wrong_count(expr, "one argument");
  const Result value = expressions_.expression(expr.args[0], scope);
  if (!value) return std::nullopt;
  return make_number(type(*value).rows, {}, expr.span);
}

Result Calls::identity(const ast::Expr& expr, const Scope& scope) {
  if (expr.args.size() != 1) return wrong_count(expr, "one argument");
  const auto n = dimension_count(expr.args[0], scope);
  if (!n) return std::nullopt;
  Type result{ValueKind::number, *n, *n, {}};
  std::vector<NodeId> entries;
  for (std::uint32_t i = 0; i < *n * *n; ++i) {
    const bool one = i % (*n + 1) == 0;
    entries.push_back(make_number(one ? 1 : 0, one ? Dimension{} : Dimension::any(), expr.span));
    result.dimensions.push_back(type(entries.back()).dimensions[0]);
  }
  return make(NodeKind::vector, std::move(result), std::move(entries), expr.span);
}

std::optional<std::vector<NodeId>> Calls::numeric_arguments(const ast::Expr& expr, const Scope& scope) {
  std::vector<NodeId> args;
  for (const ast::Expr& arg : expr.args) {
    const Result value = expressions_.expression(arg, scope);
    if (!value) return std::nullopt;
    if (type(*value).kind != ValueKind::number) {
      report(Kind::wrong_kind, arg.span, fmt::format("'{}' takes numbers, vectors and matrices", expr.text));
      return std::nullopt;
    }
    args.push_back(*value);
  }
  return args;
}

Result Calls::diag(const ast::Expr& expr, const Scope& scope) {
  const auto args = numeric_arguments(expr, scope);
  if (!args) return std::nullopt;
  if (args->empty()) return wrong_count(expr, "one argument or more");
  const auto n = static_cast<std::uint32_t>(args->size());
  Type result{ValueKind::number, n, n, {}};
  std::vector<NodeId> entries;
  for (std::uint32_t i = 0; i < n * n; ++i) {
    const bool on_diagonal = i % (n + 1) == 0;
    if (on_diagonal && !type((*args)[i / (n + 1)]).is_scalar()) {
      report(Kind::shape_mismatch, expr.args[i / (n + 1)].span, "'diag' takes numbers: diag(a, b, ...)");
      return std::nullopt;
    }
    entries.push_back(on_diagonal ? (*args)[i / (n + 1)] : make_number(0, Dimension::any(), expr.span));
    result.dimensions.push_back(type(entries.back()).dimensions[0]);
  }
  return n == 1 ? Result(args->front()) : make(NodeKind::vector, std::move(result), std::move(entries), expr.span);
}

Result Calls::transpose(const ast::Expr& expr, const Scope& scope) {
  const auto args = numeric_arguments(expr, scope);
  if (!args) return std::nullopt;
  if (args->size() != 1) return wrong_count(expr, "one argument");
  const Type t = type(args->front());
  Type result{ValueKind::number, t.cols, t.rows, {}};
  for (std::uint32_t j = 0; j < t.cols; ++j) {
    for (std::uint32_t i = 0; i < t.rows; ++i) result.dimensions.push_back(t.dimensions[i * t.cols + j]);
  }
  return make(NodeKind::transpose, std::move(result), *args, expr.span);
}

std::optional<std::vector<NodeId>> Calls::vectors(const ast::Expr& expr, const Scope& scope, std::size_t count,
                                                  std::optional<std::uint32_t> rows) {
  const auto args = numeric_arguments(expr, scope);
  if (!args) return std::nullopt;
  if (args->size() != count) {
    wrong_count(expr, count == 1 ? "one argument" : "two arguments");
    return std::nullopt;
  }
  for (std::size_t i = 0; i < args->size(); ++i) {
    const Type& t = type((*args)[i]);
    if (t.cols == 1 && t.rows == type(args->front()).rows && (!rows || t.rows == *rows)) continue;
    report(Kind::shape_mismatch, expr.args[i].span,
           rows ? fmt::format("'{}' takes two vectors of {}", expr.text, *rows)
                : fmt::format("'{}' takes vectors of one length", expr.text));
    return std::nullopt;
  }
  return args;
}

NodeId Calls::component(NodeId vector, std::uint32_t k, Span span) {
  if (type(vector).rows == 1) return vector;
  const NodeId id = make(NodeKind::component, number_type(type(vector).dimensions[k]), {vector}, span);
  model_.nodes[id].index = k;
  return id;
}

NodeId Calls::times(NodeId a, NodeId b, Span span) {
  return make(NodeKind::product, number_type(type(a).dimensions[0] * type(b).dimensions[0]), {a, b}, span);
}

// The partial derivative of a value by a coordinate, a velocity, a parameter or time, everything else held.
Result Calls::partial(const ast::Expr& expr, const Scope& scope) {
  const auto args = numeric_arguments(expr, scope);
  if (!args) return std::nullopt;
  if (args->size() != 2) return wrong_count(expr, "a value and a variable");
  const NodeId value = (*args)[0], by = (*args)[1];
  const NodeKind kind = node(by).kind;
  const bool variable = kind == NodeKind::coordinate || kind == NodeKind::velocity || kind == NodeKind::parameter ||
                        kind == NodeKind::time || kind == NodeKind::set_variable || kind == NodeKind::signal;
  if (!variable) {
    report(Kind::not_differentiable, expr.args[1].span,
           "a partial derivative is one by a coordinate, a velocity, a parameter or t", "as in d(V, x)");
    return std::nullopt;
  }
  if (node(value).depends.force || node(value).depends.energy) {
    report(Kind::not_differentiable, expr.args[0].span,
           "a partial derivative is one of a value that has no contact forces");
    return std::nullopt;
  }
  Type result = type(value);
  for (Dimension& d : result.dimensions) d = d / type(by).dimensions[0];
  return make(NodeKind::partial, std::move(result), {value, by}, expr.span);
}

// A number between 0 and 1 that looks random and is the same in every run: random(seed, i).
Result Calls::random(const ast::Expr& expr, const Scope& scope) {
  if (expr.args.empty() || expr.args.size() > 2) return wrong_count(expr, "a seed and a number");
  std::vector<NodeId> args;
  for (const ast::Expr& arg : expr.args) {
    const Result value = expressions_.scalar(arg, scope, "the argument");
    if (!value) return std::nullopt;
    if (!type(*value).dimensions[0].is_dimensionless()) {
      report(Kind::not_dimensionless, arg.span,
             fmt::format("'random' takes whole numbers, this is {}", type(*value).dimensions[0].description()));
      return std::nullopt;
    }
    if (node(*value).depends.any()) {
      report(Kind::not_constant, arg.span, "'random' takes numbers that do not change: a parameter, an index",
             "reproducible scatter: radius = r*(1 + 0.1*random(seed, i))");
      return std::nullopt;
    }
    args.push_back(*value);
  }
  if (args.size() == 1) args.push_back(make_number(0, {}, expr.span));
  return library("random_number", args, expr.span);
}

// From 0 at a to 1 at b with a continuous derivative.
Result Calls::smoothstep(const ast::Expr& expr, const Scope& scope) {
  if (expr.args.size() != 3) return wrong_count(expr, "three arguments: where it begins, where it ends, and x");
  std::vector<NodeId> args;
  std::optional<Type> common;
  for (const ast::Expr& arg : expr.args) {
    const Result value = expressions_.scalar(arg, scope, "the argument");
    if (!value) return std::nullopt;
    args.push_back(*value);
    common = common ? expressions_.common_type(*common, type(*value), arg.span, "compare") : type(*value);
    if (!common) return std::nullopt;
  }
  return library("smooth_step", args, expr.span);
}

// a1 b2 - a2 b1; of a number and a vector the velocity of a turn: cross(w, r) = w [-r2, r1].
Result Calls::cross_in_the_plane(const ast::Expr& expr, NodeId a, NodeId b) {
  const Span span = expr.span;
  if (type(a).rows == 1) {
    const NodeId first = *expressions_.negate(times(a, component(b, 1, span), span), span);
    const NodeId second = times(a, component(b, 0, span), span);
    return make(NodeKind::vector, {ValueKind::number, 2, 1, {type(first).dimensions[0], type(second).dimensions[0]}},
                {first, second}, span);
  }
  const NodeId first = times(component(a, 0, span), component(b, 1, span), span);
  const NodeId second = times(component(a, 1, span), component(b, 0, span), span);
  const auto common = expressions_.common_type(type(first), type(second), span, "add or subtract");
  if (!common) return std::nullopt;
  return make(NodeKind::sum, *common, {first, *expressions_.negate(second, span)}, span);
}

Result Calls::cross(const ast::Expr& expr, const Scope& scope) {
  const auto given = numeric_arguments(expr, scope);
  if (!given) return std::nullopt;
  if (given->size() == 2) {
    const Type& ta = type((*given)[0]);
    const Type& tb = type((*given)[1]);
    const bool plane = tb.rows == 2 && tb.cols == 1 && ta.cols == 1 && (ta.rows == 2 || ta.rows == 1);
    if (plane) return cross_in_the_plane(expr, (*given)[0], (*given)[1]);
  }
  const auto args = vectors(expr, scope, 2, 3);
  if (!args) return std::nullopt;
  const Span span = expr.span;
  const NodeId a = (*args)[0], b = (*args)[1];
  Type result{ValueKind::number, 3, 1, {}};
  std::vector<NodeId> entries;
  for (std::uint32_t k = 0; k < 3; ++k) {
    const std::uint32_t i = (k + 1) % 3;
    const std::uint32_t j = (k + 2) % 3;
    NodeId x = component(a, i, span);
    NodeId y = component(b, j, span);
    const NodeId first = times(x, y, span);
    x = component(a, j, span);
    y = component(b, i, span);
    const NodeId second = times(x, y, span);
    const auto common = expressions_.common_type(type(first), type(second), span, "add or subtract");
    if (!common) return std::nullopt;
    entries.push_back(make(NodeKind::sum, *common, {first, *expressions_.negate(second, span)}, span));
    result.dimensions.push_back(common->dimensions[0]);
  }
  return make(NodeKind::vector, std::move(result), std::move(entries), span);
}

// a . b
Result Calls::sum_of_products(NodeId a, NodeId b, Span span) {
  std::vector<NodeId> terms;
  std::optional<Type> result;
  for (std::uint32_t k = 0; k < type(a).rows; ++k) {
    const NodeId first = component(a, k, span);
    terms.push_back(times(first, b == a ? first : component(b, k, span), span));
    result =
        result ? expressions_.common_type(*result, type(terms.back()), span, "add or subtract") : type(terms.back());
    if (!result) return std::nullopt;
  }
  return terms.size() == 1 ? terms[0] : make(NodeKind::sum, *result, std::move(terms), span);
}

Result Calls::dot(const ast::Expr& expr, const Scope& scope) {
  const auto args = vectors(expr, scope, 2, std::nullopt);
  return args ? sum_of_products((*args)[0], (*args)[1], expr.span) : std::nullopt;
}

Result Calls::norm(const ast::Expr& expr, const Scope& scope) {
  const auto args = vectors(expr, scope, 1, std::nullopt);
  const Result square = args ? sum_of_products(args->front(), args->front(), expr.span) : std::nullopt;
  if (!square) return std::nullopt;
  const auto root = type(*square).dimensions[0].power(1, 2);
  return make_call("sqrt", number_type(root ? *root : Dimension{}), {*square}, expr.span);
}

std::optional<std::uint32_t> Calls::dimension_count(const ast::Expr& expr, const Scope& scope) {
  const Result value = expressions_.scalar(expr, scope, "a number of dimensions");
  if (!value) return std::nullopt;
  const auto n = constant_number(*value);
  if (!n || *n != std::floor(*n) || *n < 1 || *n > kMostDimensions) {
    report(Kind::index_out_of_range, expr.span,
           fmt::format("a number of dimensions is a whole number from 1 to {}", kMostDimensions),
           "it must be known when the model is compiled: write 2 or dim(slip)");
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(*n);
}

std::optional<Scope> Calls::bind_arguments(const ast::Expr& call, const std::vector<ast::Parameter>& parameters,
                                           const Scope& scope, const char* what) {
  Scope bound;
  bool failed = false;
  std::size_t next = 0;
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    const std::string& named = i < call.names.size() ? call.names[i].text : std::string{};
    const ast::Parameter* parameter = nullptr;
    if (named.empty()) {
      if (next < parameters.size()) parameter = &parameters[next++];
    } else {
      for (const ast::Parameter& candidate : parameters) {
        if (candidate.name.text == named) parameter = &candidate;
      }
      if (parameter == nullptr) {
        const std::vector<std::string> names = names_of(parameters);
        std::string hint = did_you_mean(named, names);
        if (hint.empty() && !names.empty()) hint = fmt::format("it takes {}", joined(names));
        report(Kind::unknown_argument, call.names[i].span,
               fmt::format("{} '{}' has no argument '{}'", what, call.text, named), hint);
        failed = true;
        continue;
      }
    }
    if (parameter == nullptr || bound.names.contains(parameter->name.text)) {
      report(
          Kind::wrong_argument_count, call.args[i].span,
          parameter == nullptr
              ? fmt::format("{} '{}' takes {} argument{}, {} given", what, call.text, parameters.size(),
                            parameters.size() == 1 ? "" : "s", call.args.size())
              : fmt::format("the argument '{}' of {} '{}' is given twice", parameter->name.text, what, call.text),
          parameter == nullptr && !parameters.empty() ? fmt::format("it takes {}", joined(names_of(parameters))) : "");
      return std::nullopt;
    }
    const Result value = expressions_.expression(call.args[i], scope);
    failed = failed || !value;
    if (value) bound.names[parameter->name.text] = *value;
    if (!value) bound.names[parameter->name.text] = make_number(0, Dimension::any(), call.args[i].span);
  }
  if (failed) return std::nullopt;
  bound.parent = &global_scope_;
  for (const ast::Parameter& parameter : parameters) {
    if (bound.names.contains(parameter.name.text)) continue;
    if (!parameter.default_value) {
      report(Kind::wrong_argument_count, call.span,
             fmt::format("{} '{}' needs a value for '{}'", what, call.text, parameter.name.text))
          .labels.push_back({parameter.name.span, "declared here"});
      failed = true;
      continue;
    }
    const Result value = expressions_.expression(*parameter.default_value, bound);
    failed = failed || !value;
    if (value) bound.names[parameter.name.text] = *value;
  }
  if (failed) return std::nullopt;
  return bound;
}

Result Calls::user_call(const ast::Expr& expr, const std::vector<ast::Parameter>& parameters, const ast::Expr& body,
                        const GlobalSymbol& symbol, const Scope& scope) {
  const auto bound = bind_arguments(expr, parameters, scope, symbol.kind == SymbolKind::function ? "function" : "set");
  if (!bound) return std::nullopt;
  if (std::find(expanding_.begin(), expanding_.end(), &symbol) != expanding_.end()) {
    report(Kind::cyclic_definition, expr.span, fmt::format("'{}' calls itself; functions cannot recurse", expr.text))
        .labels.push_back({symbol.span, "its definition"});
    return std::nullopt;
  }
  expanding_.push_back(&symbol);
  core_.expansions.push_back({expr.span, fmt::format("in this use of '{}'", expr.text)});
  Scope inside = *bound;
  inside.library = symbol.library;
  const Result value = expressions_.expression(body, inside);
  core_.expansions.pop_back();
  expanding_.pop_back();
  return value;
}

NodeId Calls::library(const char* function, const std::vector<NodeId>& args, Span span) {
  const ast::Function* found = library_function(function);
  internal_check(found != nullptr, "a function is missing in the standard library");
  const ast::Function& f = *found;
  internal_check(f.parameters.size() == args.size(), "a function of the standard library has other arguments");
  Scope scope;
  scope.parent = &global_scope_;
  scope.library = true;
  for (std::size_t i = 0; i < args.size(); ++i) scope.names[f.parameters[i].name.text] = args[i];
  core_.expansions.push_back({span, "needed here"});
  const Result value = expressions_.expression(f.body, scope);
  core_.expansions.pop_back();
  if (value) return *value;
  // Too large or too deep: reported, and the model is given up.
  internal_check(diagnostics_.has_errors(), "a function of the standard library failed");
  return make_number(0, Dimension::any(), span);
}

const ast::Function* Calls::library_function(std::string_view name) const {
  const auto found = library_functions_.find(name);
  if (found != library_functions_.end()) return found->second;
  return core_.models.functions ? core_.models.functions->find(name) : nullptr;
}

}  // namespace nsmc
