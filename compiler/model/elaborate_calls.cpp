// Calls: the built-in functions with their dimensions, the user's functions and set functions by expansion.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "compiler/model/elaborator.hpp"
#include "compiler/support/functions.hpp"

namespace nsmc {
namespace {

constexpr const char* kOtherFunctions[] = {"pow", "dot", "cross", "norm", "transpose", "diag", "identity", "dim"};

bool is_other_function(std::string_view name) {
  return std::any_of(std::begin(kOtherFunctions), std::end(kOtherFunctions),
                     [&](const char* known) { return name == known; });
}

constexpr int kMostDimensions = 16;  // of a set

Type number_type(Dimension dimension) { return {ValueKind::number, 1, 1, {dimension}}; }

}  // namespace

Result Elaborator::call(const ast::Expr& expr, const Scope& scope) {
  if (scope.library) {
    if (library_function(expr.text) != nullptr) {
      std::vector<NodeId> args;
      for (const ast::Expr& arg : expr.args) {
        const Result value = expression(arg, scope);
        if (!value) return std::nullopt;
        args.push_back(*value);
      }
      return library(expr.text.c_str(), args, expr.span);
    }
    // What the library calls by a name of the language stays that, whatever a model declares.
    if (is_set_constructor(expr.text)) return set_constructor(expr, scope);
    if (find_scalar_function(expr.text) != nullptr || is_other_function(expr.text)) return builtin_call(expr, scope);
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
    report(Kind::wrong_kind, expr.span, fmt::format("'{}' is not a function", expr.text))
        .labels.push_back({symbol.span, "declared here"});
    return std::nullopt;
  }
  if (is_set_constructor(expr.text)) return set_constructor(expr, scope);
  if (expr.text == "gauge") return gauge_of_set(expr, scope);
  return builtin_call(expr, scope);
}

bool Elaborator::positional_only(const ast::Expr& call) {
  for (std::size_t i = 0; i < call.names.size(); ++i) {
    if (call.names[i].text.empty()) continue;
    report(Kind::unknown_argument, call.names[i].span, fmt::format("'{}' takes its arguments by position", call.text));
    return false;
  }
  return true;
}

Result Elaborator::builtin_call(const ast::Expr& expr, const Scope& scope) {
  const ScalarFunction* function = find_scalar_function(expr.text);
  if (function == nullptr && !is_other_function(expr.text)) {
    std::vector<std::string> names;
    for (const ScalarFunction& f : scalar_functions) names.emplace_back(f.name);
    for (const char* f : kOtherFunctions) names.emplace_back(f);
    for (const auto& [text, symbol] : globals_) {
      if (symbol.kind == SymbolKind::function || symbol.kind == SymbolKind::set) names.push_back(text);
    }
    for (std::string& set : set_constructor_names()) names.push_back(std::move(set));
    report(Kind::unknown_function, expr.span, fmt::format("unknown function '{}'", expr.text),
           did_you_mean(expr.text, names));
    return std::nullopt;
  }
  if (!positional_only(expr)) return std::nullopt;
  const auto wrong_count = [&](const char* wanted) -> Result {
    report(Kind::wrong_argument_count, expr.span,
           fmt::format("'{}' takes {}, {} given", expr.text, wanted, expr.args.size()));
    return std::nullopt;
  };

  if (function != nullptr) {
    switch (function->arity) {
      case Arity::one:
        if (expr.args.size() != 1) return wrong_count("one argument");
        break;
      case Arity::two:
        if (expr.args.size() != 2) return wrong_count("two arguments");
        break;
      case Arity::many:
        if (expr.args.size() < 2) return wrong_count("two arguments or more");
        break;
    }
    std::vector<NodeId> args;
    for (const ast::Expr& arg : expr.args) {
      const Result value = scalar(arg, scope, "the argument");
      if (!value) return std::nullopt;
      args.push_back(*value);
    }
    Type result = type(args[0]);
    for (std::size_t i = 1; i < args.size(); ++i) {
      const auto common = common_type(result, type(args[i]), expr.args[i].span, "compare");
      if (!common) return std::nullopt;
      result = *common;
    }
    Dimension& dimension = result.dimensions[0];
    const auto root = [&](std::int32_t degree, const char* what) {
      const auto result_dimension = dimension.power(1, degree);
      if (!result_dimension) {
        report(Kind::not_dimensionless, expr.args[0].span,
               fmt::format("{} has no {} root", dimension.description(), what));
        return false;
      }
      dimension = *result_dimension;
      return true;
    };
    switch (function->dimensions) {
      case DimensionRule::pure:
        if (!dimension.is_dimensionless()) {
          report(Kind::not_dimensionless, expr.args[0].span,
                 fmt::format("'{}' takes a pure number, this is {}", expr.text, dimension.description()),
                 "divide by a reference value, as in sin(x/L)");
          return std::nullopt;
        }
        dimension = Dimension{};
        break;
      case DimensionRule::square_root:
        if (!root(2, "square")) return std::nullopt;
        break;
      case DimensionRule::cube_root:
        if (!root(3, "cube")) return std::nullopt;
        break;
      case DimensionRule::alike_to_pure: dimension = Dimension{}; break;
      case DimensionRule::alike: break;
    }
    NodeId value = make_call(function->name, result,
                             {args.begin(), args.begin() + std::min<std::size_t>(2, args.size())}, expr.span);
    for (std::size_t i = 2; i < args.size(); ++i)
      value = make_call(function->name, result, {value, args[i]}, expr.span);
    return value;
  }

  if (expr.text == "pow") {
    if (expr.args.size() != 2) return wrong_count("two arguments");
    return power(expr, scope);
  }
  if (expr.text == "dim") {
    if (expr.args.size() != 1) return wrong_count("one argument");
    const Result value = expression(expr.args[0], scope);
    if (!value) return std::nullopt;
    return make_number(type(*value).rows, {}, expr.span);
  }
  if (expr.text == "identity") {
    if (expr.args.size() != 1) return wrong_count("one argument");
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
  std::vector<NodeId> args;
  for (const ast::Expr& arg : expr.args) {
    const Result value = expression(arg, scope);
    if (!value) return std::nullopt;
    if (type(*value).kind != ValueKind::number) {
      report(Kind::wrong_kind, arg.span, fmt::format("'{}' takes numbers, vectors and matrices", expr.text));
      return std::nullopt;
    }
    args.push_back(*value);
  }
  if (expr.text == "diag") {
    if (args.empty()) return wrong_count("one argument or more");
    const auto n = static_cast<std::uint32_t>(args.size());
    Type result{ValueKind::number, n, n, {}};
    std::vector<NodeId> entries;
    for (std::uint32_t i = 0; i < n * n; ++i) {
      const bool on_diagonal = i % (n + 1) == 0;
      if (on_diagonal && !type(args[i / (n + 1)]).is_scalar()) {
        report(Kind::shape_mismatch, expr.args[i / (n + 1)].span, "'diag' takes numbers: diag(a, b, ...)");
        return std::nullopt;
      }
      entries.push_back(on_diagonal ? args[i / (n + 1)] : make_number(0, Dimension::any(), expr.span));
      result.dimensions.push_back(type(entries.back()).dimensions[0]);
    }
    return n == 1 ? Result(args[0]) : make(NodeKind::vector, std::move(result), std::move(entries), expr.span);
  }
  if (expr.text == "transpose") {
    if (args.size() != 1) return wrong_count("one argument");
    const Type t = type(args[0]);
    Type result{ValueKind::number, t.cols, t.rows, {}};
    for (std::uint32_t j = 0; j < t.cols; ++j) {
      for (std::uint32_t i = 0; i < t.rows; ++i) result.dimensions.push_back(t.dimensions[i * t.cols + j]);
    }
    return make(NodeKind::transpose, std::move(result), {args[0]}, expr.span);
  }

  // dot, cross, norm: vectors
  const std::size_t wanted = expr.text == "norm" ? 1 : 2;
  if (args.size() != wanted) return wrong_count(wanted == 1 ? "one argument" : "two arguments");
  for (std::size_t i = 0; i < args.size(); ++i) {
    const Type& t = type(args[i]);
    if (t.cols != 1 || t.rows != type(args[0]).rows || (expr.text == "cross" && t.rows != 3)) {
      report(Kind::shape_mismatch, expr.args[i].span,
             expr.text == "cross" ? "'cross' takes two vectors of 3"
                                  : fmt::format("'{}' takes vectors of one length", expr.text));
      return std::nullopt;
    }
  }
  const auto component = [&](NodeId v, std::uint32_t k) {
    if (type(v).rows == 1) return v;
    const NodeId id = make(NodeKind::component, number_type(type(v).dimensions[k]), {v}, expr.span);
    model_.nodes[id].index = k;
    return id;
  };
  const auto times = [&](NodeId a, NodeId b) {
    return make(NodeKind::product, number_type(type(a).dimensions[0] * type(b).dimensions[0]), {a, b}, expr.span);
  };
  if (expr.text == "cross") {
    Type result{ValueKind::number, 3, 1, {}};
    std::vector<NodeId> entries;
    for (std::uint32_t k = 0; k < 3; ++k) {
      const std::uint32_t i = (k + 1) % 3;
      const std::uint32_t j = (k + 2) % 3;
      const NodeId first = times(component(args[0], i), component(args[1], j));
      const NodeId second = times(component(args[0], j), component(args[1], i));
      const auto common = common_type(type(first), type(second), expr.span, "add or subtract");
      if (!common) return std::nullopt;
      entries.push_back(make(NodeKind::sum, *common, {first, *negate(second, expr.span)}, expr.span));
      result.dimensions.push_back(common->dimensions[0]);
    }
    return make(NodeKind::vector, std::move(result), std::move(entries), expr.span);
  }
  std::vector<NodeId> terms;
  std::optional<Type> result;
  for (std::uint32_t k = 0; k < type(args[0]).rows; ++k) {
    const NodeId first = component(args[0], k);
    terms.push_back(times(first, wanted == 1 ? first : component(args[1], k)));
    result = result ? common_type(*result, type(terms.back()), expr.span, "add or subtract") : type(terms.back());
    if (!result) return std::nullopt;
  }
  const NodeId total = terms.size() == 1 ? terms[0] : make(NodeKind::sum, *result, std::move(terms), expr.span);
  if (expr.text == "dot") return total;
  const auto root = result->dimensions[0].power(1, 2);
  return make_call("sqrt", number_type(root ? *root : Dimension{}), {total}, expr.span);
}

std::optional<std::uint32_t> Elaborator::dimension_count(const ast::Expr& expr, const Scope& scope) {
  const Result value = scalar(expr, scope, "a number of dimensions");
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

std::optional<Scope> Elaborator::bind_arguments(const ast::Expr& call, const std::vector<ast::Parameter>& parameters,
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
        std::vector<std::string> names;
        for (const ast::Parameter& candidate : parameters) names.push_back(candidate.name.text);
        std::string hint = did_you_mean(named, names);
        if (hint.empty() && !names.empty()) hint = fmt::format("it takes {}", joined(names));
        report(Kind::unknown_argument, call.names[i].span,
               fmt::format("{} '{}' has no argument '{}'", what, call.text, named), hint);
        failed = true;
        continue;
      }
    }
    if (parameter == nullptr || bound.names.contains(parameter->name.text)) {
      report(Kind::wrong_argument_count, call.args[i].span,
             parameter == nullptr
                 ? fmt::format("{} '{}' takes {} argument{}, {} given", what, call.text, parameters.size(),
                               parameters.size() == 1 ? "" : "s", call.args.size())
                 : fmt::format("the argument '{}' of {} '{}' is given twice", parameter->name.text, what, call.text));
      return std::nullopt;
    }
    const Result value = expression(call.args[i], scope);
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
    const Result value = expression(*parameter.default_value, bound);
    failed = failed || !value;
    if (value) bound.names[parameter.name.text] = *value;
  }
  if (failed) return std::nullopt;
  return bound;
}

Result Elaborator::user_call(const ast::Expr& expr, const std::vector<ast::Parameter>& parameters,
                             const ast::Expr& body, const GlobalSymbol& symbol, const Scope& scope) {
  const auto bound = bind_arguments(expr, parameters, scope, symbol.kind == SymbolKind::function ? "function" : "set");
  if (!bound) return std::nullopt;
  if (std::find(expanding_.begin(), expanding_.end(), &symbol) != expanding_.end()) {
    report(Kind::cyclic_definition, expr.span, fmt::format("'{}' calls itself; functions cannot recurse", expr.text))
        .labels.push_back({symbol.span, "its definition"});
    return std::nullopt;
  }
  expanding_.push_back(&symbol);
  expansions_.emplace_back(expr.span, fmt::format("in this use of '{}'", expr.text));
  Scope inside = *bound;
  inside.library = symbol.library;
  const Result value = expression(body, inside);
  expansions_.pop_back();
  expanding_.pop_back();
  return value;
}

}  // namespace nsmc
