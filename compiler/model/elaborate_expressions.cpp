// Expressions: operators on numbers, vectors, matrices and conditions, with their shapes and dimensions.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "compiler/model/elaborator.hpp"

namespace nsmc {
namespace {

// Bounds on what a model may expand to: functions that call functions can double at every level.
constexpr std::size_t kMostNodes = 3'000'000;
constexpr std::size_t kDeepest = 2'000;

std::string shape_text(const Type& type) {
  if (type.kind == ValueKind::condition) return "a condition";
  if (type.kind == ValueKind::set) return fmt::format("a set in R^{}", type.rows);
  if (type.size() == 1) return "a number";
  if (type.cols == 1) return fmt::format("a vector of {}", type.rows);
  return fmt::format("a {}x{} matrix", type.rows, type.cols);
}

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

NodeId Elaborator::make(NodeKind kind, Type type, std::vector<NodeId> args, Span span) {
  Node node;
  node.kind = kind;
  node.type = intern(std::move(type));
  node.span = span;
  for (const NodeId arg : args) node.depends = node.depends | model_.nodes[arg].depends;
  switch (kind) {
    case NodeKind::time:
    case NodeKind::coordinate: node.depends.state = true; break;
    case NodeKind::velocity: node.depends.velocity = true; break;
    case NodeKind::contact_velocity:
    case NodeKind::derivative:
    case NodeKind::energy: node.depends = {true, true, node.depends.force}; break;
    case NodeKind::force: node.depends.force = true; break;
    default: break;
  }
  node.args = std::move(args);
  model_.nodes.push_back(std::move(node));
  return static_cast<NodeId>(model_.nodes.size() - 1);
}

NodeId Elaborator::make_number(double value, Dimension dimension, Span span) {
  const NodeId id = make(NodeKind::number, {ValueKind::number, 1, 1, {dimension}}, {}, span);
  model_.nodes[id].value = value;
  return id;
}

NodeId Elaborator::make_call(const char* function, Type type, std::vector<NodeId> args, Span span) {
  const NodeId id = make(NodeKind::call, std::move(type), std::move(args), span);
  model_.nodes[id].function = function;
  return id;
}

TypeId Elaborator::intern(Type type) {
  // A model has a handful of types; the newest are the likeliest.
  for (std::size_t i = model_.types.size(); i-- > 0;) {
    if (model_.types[i] == type) return static_cast<TypeId>(i);
  }
  model_.types.push_back(std::move(type));
  return static_cast<TypeId>(model_.types.size() - 1);
}

Diagnostic& Elaborator::report(Kind kind, Span span, std::string message, std::string hint) {
  Diagnostic& diagnostic = diagnostics_.report(kind, span, std::move(message), std::move(hint));
  if (!expansions_.empty()) {
    const auto& [place, what] = expansions_.back();
    diagnostic.labels.push_back({place, what});
  }
  return diagnostic;
}

std::optional<double> Elaborator::constant_number(NodeId id) const {
  const Node& n = node(id);
  const auto arg = [&](std::size_t i) { return constant_number(n.args[i]); };
  switch (n.kind) {
    case NodeKind::number: return n.value;
    case NodeKind::negate:
      if (const auto a = arg(0)) return -*a;
      return std::nullopt;
    case NodeKind::product:
    case NodeKind::quotient:
    case NodeKind::power: {
      const auto a = arg(0);
      const auto b = a ? arg(1) : std::nullopt;
      if (!b) return std::nullopt;
      return n.kind == NodeKind::product ? *a * *b : n.kind == NodeKind::quotient ? *a / *b : std::pow(*a, *b);
    }
    case NodeKind::sum: {
      double total = 0;
      for (std::size_t i = 0; i < n.args.size(); ++i) {
        const auto a = arg(i);
        if (!a) return std::nullopt;
        total += *a;
      }
      return total;
    }
    default: return std::nullopt;
  }
}

Result Elaborator::expression(const ast::Expr& expr, const Scope& scope) {
  if (model_.nodes.size() > kMostNodes) {
    if (!too_large_) {
      report(Kind::model_too_large, expr.span,
             fmt::format("the model expands to more than {} expressions", kMostNodes),
             "a function that calls another several times doubles the work at each level; name values with let");
    }
    too_large_ = true;
    return std::nullopt;
  }
  if (depth_ >= kDeepest) {
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
    case ast::ExprKind::name: return name(expr, scope);
    case ast::ExprKind::sum: return sum(expr, scope);
    case ast::ExprKind::product: return product(expr, scope);
    case ast::ExprKind::negate: {
      const Result a = expression(expr.args[0], scope);
      return a ? negate(*a, expr.span) : std::nullopt;
    }
    case ast::ExprKind::power: return power(expr, scope);
    case ast::ExprKind::derivative: return derivative(expr, scope);
    case ast::ExprKind::index: return index(expr, scope);
    case ast::ExprKind::member: return member(expr, scope);
    case ast::ExprKind::call: return call(expr, scope);
    case ast::ExprKind::vector: return vector(expr, scope);
    case ast::ExprKind::comparison: return comparison(expr, scope);
    case ast::ExprKind::logic_and:
    case ast::ExprKind::logic_or:
    case ast::ExprKind::logic_not: return logic(expr, scope);
    case ast::ExprKind::piecewise: return piecewise(expr, scope);
    case ast::ExprKind::intersection:
    case ast::ExprKind::gauge:
    case ast::ExprKind::support:
      report(Kind::wrong_kind, expr.span, "intersections, gauge and support sets are not part of this version",
             "sets are built from interval, ball, box, ellipsoid, cylinder and their maps, shifts and products");
      return std::nullopt;
  }
  return std::nullopt;
}

Result Elaborator::scalar(const ast::Expr& expr, const Scope& scope, const char* what) {
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

Result Elaborator::number(const ast::Expr& expr) {
  if (expr.unit) {
    const UnitValue unit = resolve(*expr.unit, diagnostics_);
    return make_number(expr.value * unit.factor, model_.dimensional ? unit.dimension : Dimension{}, expr.span);
  }
  return make_number(expr.value, expr.value == 0 ? Dimension::any() : Dimension{}, expr.span);
}

std::vector<std::string> Elaborator::visible_names(const Scope& scope) const {
  std::vector<std::string> names{"t", "pi", "inf", "energy"};
  for (const Scope* s = &scope; s != nullptr; s = s->parent) {
    for (const auto& [text, id] : s->names) names.push_back(text);
    if (s->contact) names.insert(names.end(), {"gap", "slip", "spin"});
  }
  for (const auto& [text, symbol] : globals_) {
    if (symbol.kind != SymbolKind::law && symbol.kind != SymbolKind::function) names.push_back(text);
  }
  return names;
}

Result Elaborator::name(const ast::Expr& expr, const Scope& scope) {
  std::optional<std::uint32_t> contact;
  for (const Scope* s = &scope; s != nullptr; s = s->parent) {
    if (const auto found = s->names.find(expr.text); found != s->names.end()) return found->second;
    if (!contact) contact = s->contact;
  }
  if (contact && (expr.text == "gap" || expr.text == "slip" || expr.text == "spin")) {
    const TypedContact& c = model_.contacts[*contact];
    const auto& quantity = expr.text == "gap" ? c.gap : expr.text == "slip" ? c.slip : c.spin;
    if (!quantity) {
      report(Kind::law_quantity_missing, expr.span,
             fmt::format("contact '{}' has no {}", c.name, expr.text),
             fmt::format("add '{} ...' to the contact, or use a law that does not need it", expr.text));
      return std::nullopt;
    }
    if (expr.text == "gap") return quantity;
    for (const NodeId velocity : c.velocities) {
      if (node(velocity).component == (expr.text == "slip" ? 1U : 2U)) return velocity;
    }
    return quantity;
  }
  if (const auto found = globals_.find(expr.text); found != globals_.end()) return symbol_value(found->second, expr);
  if (expr.text == "t") return make(NodeKind::time, {ValueKind::number, 1, 1, {time_dimension()}}, {}, expr.span);
  if (expr.text == "pi") return make_number(std::numbers::pi, {}, expr.span);
  if (expr.text == "inf") {
    return make_number(std::numeric_limits<double>::infinity(), Dimension::any(), expr.span);
  }
  if (expr.text == "energy") {
    return make(NodeKind::energy, {ValueKind::number, 1, 1, {energy_dimension()}}, {}, expr.span);
  }
  if (is_set_constructor(expr.text)) return set_constructor(expr, scope);
  const bool law_force = contact.has_value();
  std::string hint = did_you_mean(expr.text, visible_names(scope));
  if (law_force && hint.empty()) {
    hint = fmt::format("a law may use forces that earlier laws of the same contact introduce, such as N of unilateral");
  }
  report(Kind::unknown_name, expr.span, fmt::format("unknown name '{}'", expr.text), hint);
  return std::nullopt;
}

Result Elaborator::symbol_value(GlobalSymbol& symbol, const ast::Expr& expr) {
  switch (symbol.kind) {
    case SymbolKind::coordinate: {
      const NodeId id = make(NodeKind::coordinate,
                             {ValueKind::number, 1, 1, {model_.coordinates[symbol.index].dimension}}, {}, expr.span);
      model_.nodes[id].index = symbol.index;
      return id;
    }
    case SymbolKind::velocity: {
      const NodeId id = make(NodeKind::velocity,
                             {ValueKind::number, 1, 1, {model_.velocities[symbol.index].dimension}}, {}, expr.span);
      model_.nodes[id].index = symbol.index;
      return id;
    }
    case SymbolKind::parameter:
    case SymbolKind::let:
    case SymbolKind::set: {
      if (symbol.kind == SymbolKind::set &&
          !std::get<ast::SetDefinition>(symbol.declaration->value).parameters.empty()) {
        ast::Expr as_call = expr;
        as_call.kind = ast::ExprKind::call;
        return call(as_call, global_scope_);
      }
      if (symbol.state == GlobalSymbol::State::open) {
        report(Kind::cyclic_definition, expr.span, fmt::format("'{}' is defined by itself", expr.text))
            .labels.push_back({symbol.span, "its definition"});
        symbol.state = GlobalSymbol::State::failed;
        return std::nullopt;
      }
      if (symbol.state == GlobalSymbol::State::fresh) {
        // Definitions mean the same wherever they are used: they are elaborated in the global scope.
        const auto expansions = std::exchange(expansions_, {});
        if (symbol.kind == SymbolKind::parameter) {
          elaborate_parameter(symbol);
        } else {
          symbol.state = GlobalSymbol::State::open;
          const Result value = symbol.kind == SymbolKind::let
                                   ? expression(std::get<ast::Let>(symbol.declaration->value).value, global_scope_)
                                   : expression(std::get<ast::SetDefinition>(symbol.declaration->value).value,
                                                global_scope_);
          symbol.state = value && symbol.state != GlobalSymbol::State::failed ? GlobalSymbol::State::done
                                                                              : GlobalSymbol::State::failed;
          if (value) symbol.value = *value;
        }
        expansions_ = expansions;
      }
      if (symbol.state != GlobalSymbol::State::done) return std::nullopt;
      return symbol.value;
    }
    case SymbolKind::function:
      report(Kind::wrong_kind, expr.span, fmt::format("'{}' is a function: call it with its arguments", expr.text));
      return std::nullopt;
    case SymbolKind::law:
      report(Kind::wrong_kind, expr.span, fmt::format("'{}' is a law, not a value", expr.text),
             "a law stands in a contact: contact c { law " + expr.text + " }");
      return std::nullopt;
    case SymbolKind::contact:
      report(Kind::wrong_kind, expr.span, fmt::format("'{}' is a contact, not a value", expr.text),
             fmt::format("use one of its members, such as {}.gap", expr.text));
      return std::nullopt;
    case SymbolKind::output:
      report(Kind::wrong_kind, expr.span, fmt::format("'{}' is an output and cannot be used in expressions", expr.text),
             "name the value with let, and output that");
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Type> Elaborator::common_type(const Type& ta, const Type& tb, Span span, const char* doing) {
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

Result Elaborator::sum(const ast::Expr& expr, const Scope& scope) {
  std::vector<NodeId> terms;
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
    if (!terms.empty() && is_set(terms[0])) {  // C + c
      const Result shifted = set_shift(terms[0], *term, expr.span);
      if (!shifted) return std::nullopt;
      terms[0] = *shifted;
      continue;
    }
    if (type(*term).kind == ValueKind::condition) {
      report(Kind::wrong_kind, expr.args[i].span, "cannot add a condition");
      return std::nullopt;
    }
    result = result ? common_type(*result, type(*term), expr.args[i].span, "add") : type(*term);
    if (!result) return std::nullopt;
    terms.push_back(*term);
  }
  if (failed) return std::nullopt;
  if (terms.size() == 1) return terms[0];
  return make(NodeKind::sum, *result, std::move(terms), expr.span);
}

Result Elaborator::product(const ast::Expr& expr, const Scope& scope) {
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
      default: result = set_product({*result, *factor}, span); break;
    }
  }
  return result;
}

Result Elaborator::multiply(NodeId a, NodeId b, Span span) {
  const Type ta = type(a);
  const Type tb = type(b);
  if (ta.kind == ValueKind::condition || tb.kind == ValueKind::condition || ta.kind == ValueKind::set) {
    report(Kind::wrong_kind, span, fmt::format("cannot multiply {} and {}", shape_text(ta), shape_text(tb)),
           ta.kind == ValueKind::set ? "scale a set from the left: s * C; the product of sets is C × D" : "");
    return std::nullopt;
  }
  if (tb.kind == ValueKind::set) return set_map(a, b, span);
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

Result Elaborator::divide(NodeId a, NodeId b, Span span) {
  Type result = type(a);
  if (result.kind != ValueKind::number || !type(b).is_scalar()) {
    report(result.kind == ValueKind::number && type(b).kind == ValueKind::number ? Kind::shape_mismatch
                                                                                 : Kind::wrong_kind,
           span, fmt::format("cannot divide {} by {}", shape_text(result), shape_text(type(b))));
    return std::nullopt;
  }
  const Dimension divisor = type(b).dimensions[0].is_any() ? Dimension{} : type(b).dimensions[0];
  for (Dimension& d : result.dimensions) d = d / divisor;
  return make(NodeKind::quotient, std::move(result), {a, b}, span);
}

Result Elaborator::negate(NodeId a, Span span) {
  if (type(a).kind == ValueKind::condition) {
    report(Kind::wrong_kind, span, "cannot negate a condition", "the negation of a condition is 'not'");
    return std::nullopt;
  }
  if (is_set(a)) {  // -C is the reflected set
    return make(NodeKind::set_scale, type(a), {make_number(-1, {}, span), a}, span);
  }
  return make(NodeKind::negate, type(a), {a}, span);
}

Result Elaborator::power(const ast::Expr& expr, const Scope& scope) {
  const Result base = expression(expr.args[0], scope);
  if (base && is_set(*base)) return set_power(*base, expr.args[1], scope, expr.span);
  const Result exponent = scalar(expr.args[1], scope, "an exponent");
  if (!base || !exponent) return std::nullopt;
  if (!type(*base).is_scalar()) {
    report(Kind::shape_mismatch, expr.args[0].span,
           fmt::format("cannot raise {} to a power", shape_text(type(*base))), "the square of a vector is dot(v, v)");
    return std::nullopt;
  }
  if (!type(*exponent).dimensions[0].is_dimensionless()) {
    report(Kind::not_dimensionless, expr.args[1].span,
           fmt::format("an exponent must be a pure number, this is {}", type(*exponent).dimensions[0].description()));
    return std::nullopt;
  }
  Dimension dimension = type(*base).dimensions[0];
  if (dimension.is_any()) {
    dimension = Dimension{};
  } else if (!dimension.is_dimensionless()) {
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

Result Elaborator::derivative(const ast::Expr& expr, const Scope& scope) {
  const ast::Expr& operand = expr.args[0];
  if (operand.kind == ast::ExprKind::name) {
    std::optional<std::uint32_t> contact;
    bool local = false;
    for (const Scope* s = &scope; s != nullptr && !local; s = s->parent) {
      local = s->names.contains(operand.text);
      if (!contact) contact = s->contact;
    }
    if (!local && contact && operand.text == "gap") {
      const TypedContact& c = model_.contacts[*contact];
      for (const NodeId velocity : c.velocities) {
        if (node(velocity).component == 0) return velocity;
      }
      return name(operand, scope);  // reports the missing gap
    }
    const auto found = globals_.find(operand.text);
    if (!local && found != globals_.end() && found->second.kind == SymbolKind::coordinate) {
      const TypedCoordinate& coordinate = model_.coordinates[found->second.index];
      if (coordinate.rate) return coordinate.rate;
      const NodeId id = make(NodeKind::velocity,
                             {ValueKind::number, 1, 1, {model_.velocities[coordinate.velocity].dimension}}, {},
                             expr.span);
      model_.nodes[id].index = coordinate.velocity;
      return id;
    }
  }
  const Result value = expression(operand, scope);
  if (!value) return std::nullopt;
  const Node& n = node(*value);
  if (type(*value).kind != ValueKind::number || n.depends.velocity || n.depends.force) {
    report(Kind::not_differentiable, expr.span,
           "only functions of the coordinates and time have a time derivative here",
           n.depends.velocity ? "accelerations are not known in a model; use velocities, as in z'" : "");
    return std::nullopt;
  }
  Type result = type(*value);
  for (Dimension& d : result.dimensions) d = d / time_dimension();
  return make(NodeKind::derivative, std::move(result), {*value}, expr.span);
}

Result Elaborator::index(const ast::Expr& expr, const Scope& scope) {
  const Result value = expression(expr.args[0], scope);
  if (!value) return std::nullopt;
  const Type t = type(*value);
  if (t.kind != ValueKind::number) {
    report(Kind::wrong_kind, expr.span, fmt::format("cannot index {}", shape_text(t)));
    return std::nullopt;
  }
  const std::size_t wanted = t.cols == 1 ? 1 : 2;
  if (expr.args.size() - 1 != wanted) {
    report(Kind::index_out_of_range, expr.span, fmt::format("{} takes {} index{}", shape_text(t), wanted,
                                                            wanted == 1 ? "" : "es"));
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
             fmt::format("an index must be a whole number from 1 to {}", limit));
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

Result Elaborator::member(const ast::Expr& expr, const Scope& scope) {
  const ast::Expr& owner = expr.args[0];
  const auto found = owner.kind == ast::ExprKind::name ? globals_.find(owner.text) : globals_.end();
  if (found == globals_.end()) {
    if (owner.kind == ast::ExprKind::name) {
      name(owner, scope);  // reports the unknown name
    } else {
      report(Kind::unknown_member, expr.span, "only contacts have members");
    }
    return std::nullopt;
  }
  if (found->second.kind != SymbolKind::contact) {
    report(Kind::unknown_member, expr.span, fmt::format("'{}' has no members", owner.text));
    return std::nullopt;
  }
  const TypedContact& contact = model_.contacts[found->second.index];
  std::vector<std::string> known;
  for (const auto& [text, value] : {std::pair("gap", contact.gap), std::pair("slip", contact.slip),
                                    std::pair("spin", contact.spin)}) {
    if (!value) continue;
    if (expr.text == text) return *value;
    known.emplace_back(text);
  }
  for (const TypedLaw& law : contact.laws) {
    for (const ForceVariable& force : law.forces) {
      known.push_back(force.name);
      if (expr.text != force.name) continue;
      Type t{ValueKind::number, force.size, 1, {}};
      t.dimensions.assign(contact.force_dimensions.begin() + force.first,
                          contact.force_dimensions.begin() + force.first + force.size);
      const NodeId id = make(NodeKind::force, std::move(t), {}, expr.span);
      model_.nodes[id].index = found->second.index;
      model_.nodes[id].component = force.first;
      return id;
    }
  }
  std::string hint = did_you_mean(expr.text, known);
  if (hint.empty()) hint = fmt::format("it has {}", fmt::join(known, ", "));
  report(Kind::unknown_member, expr.span, fmt::format("contact '{}' has no '{}'", owner.text, expr.text), hint);
  return std::nullopt;
}

Result Elaborator::vector(const ast::Expr& expr, const Scope& scope) {
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
        component = make(NodeKind::component, {ValueKind::number, 1, 1, {t.dimensions[k]}}, {parts[i]},
                         expr.args[i].span);
        model_.nodes[component].index = k;
      }
      if (expr.unit) {
        const auto scaled = multiply(component, make_number(unit.factor, model_.dimensional ? unit.dimension : Dimension{}, expr.span), expr.span);
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

Result Elaborator::comparison(const ast::Expr& expr, const Scope& scope) {
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

Result Elaborator::logic(const ast::Expr& expr, const Scope& scope) {
  std::vector<NodeId> args;
  for (const ast::Expr& arg : expr.args) {
    const Result value = expression(arg, scope);
    if (!value) return std::nullopt;
    if (type(*value).kind != ValueKind::condition) {
      report(Kind::wrong_kind, arg.span, fmt::format("'{}' takes conditions, this is {}",
                                                     expr.kind == ast::ExprKind::logic_and  ? "and"
                                                     : expr.kind == ast::ExprKind::logic_or ? "or"
                                                                                            : "not",
                                                     shape_text(type(*value))));
      return std::nullopt;
    }
    args.push_back(*value);
  }
  const NodeId id = make(NodeKind::logic, {ValueKind::condition, 1, 1, {Dimension{}}}, std::move(args), expr.span);
  model_.nodes[id].function = expr.kind == ast::ExprKind::logic_and ? "and"
                              : expr.kind == ast::ExprKind::logic_or ? "or"
                                                                     : "not";
  return id;
}

Result Elaborator::piecewise(const ast::Expr& expr, const Scope& scope) {
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

}  // namespace nsmc
