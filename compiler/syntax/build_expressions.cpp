// From the parse tree of an expression to ast::Expr. The layers of the grammar that hold a single operand vanish.
#include <fmt/core.h>

#include <charconv>
#include <numeric>

#include "compiler/syntax/build_ast.hpp"
#include "compiler/syntax/limits.hpp"

namespace nsmc {

using namespace ast;

namespace {

using Tree = antlr4::ParserRuleContext;

Tree* operand(const Tree* c, std::size_t i) { return static_cast<Tree*>(c->children[i]); }

const antlr4::Token& symbol(const Tree* c, std::size_t i) {
  return *static_cast<antlr4::tree::TerminalNode*>(c->children[i])->getSymbol();
}

// The layers from `expression` to `power` with one child say nothing: the grammar walks through them to get to the
// next tighter operator.
Tree* skip_layers(Tree* c) {
  while (c->children.size() == 1 && c->getRuleIndex() >= NsmParser::RuleExpression &&
         c->getRuleIndex() < NsmParser::RulePostfix)
    c = operand(c, 0);
  return c;
}

}  // namespace

static_assert(NsmParser::RulePostfix - NsmParser::RuleExpression == 9,
              "the order of the layers in Nsm.g4 is used here");

Expr AstBuilder::make(ExprKind kind, const Tree* c) const {
  Expr result;
  result.kind = kind;
  result.span = span(c);
  return result;
}

Expr AstBuilder::expression(Tree* c, std::size_t depth) {
  c = skip_layers(c);
  if (depth > max_nesting) throw NestingTooDeep{c->start};
  switch (c->getRuleIndex()) {
    case NsmParser::RuleExpression: return chain(ExprKind::logic_or, c, depth);
    case NsmParser::RuleConjunction: return chain(ExprKind::logic_and, c, depth);
    case NsmParser::RuleNegation: return prefix(ExprKind::logic_not, c, depth);
    case NsmParser::RuleComparison: return comparison(c, depth);
    case NsmParser::RuleIntersection: return chain(ExprKind::intersection, c, depth);
    case NsmParser::RuleSum: return operation(ExprKind::sum, c, depth);
    case NsmParser::RuleProduct: return operation(ExprKind::product, c, depth);
    case NsmParser::RuleUnary: return prefix(ExprKind::negate, c, depth);
    case NsmParser::RulePower: return power(c, depth);
    default: return postfix(static_cast<NsmParser::PostfixContext*>(c), depth);
  }
}

// Children alternate: operand, operator, operand, ...
Expr AstBuilder::chain(ExprKind kind, Tree* c, std::size_t depth) {
  Expr result = make(kind, c);
  result.args.reserve(c->children.size() / 2 + 1);
  for (std::size_t i = 0; i < c->children.size(); i += 2) result.args.push_back(expression(operand(c, i), depth + 1));
  return result;
}

Expr AstBuilder::operation(ExprKind kind, Tree* c, std::size_t depth) {
  Expr result = chain(kind, c, depth);
  result.ops = kind == ExprKind::sum ? "+" : "*";
  for (std::size_t i = 1; i < c->children.size(); i += 2) {
    const antlr4::Token& op = symbol(c, i);
    result.ops += op.getType() == NsmParser::TIMES ? 'x' : tokens_.text(op)[0];
  }
  return result;
}

Expr AstBuilder::comparison(Tree* c, std::size_t depth) {
  Expr result = chain(ExprKind::comparison, c, depth);
  result.text = tokens_.text(symbol(c, 1));
  return result;
}

Expr AstBuilder::prefix(ExprKind kind, Tree* c, std::size_t depth) {
  Expr result = make(kind, c);
  result.args.push_back(expression(operand(c, 1), depth + 1));
  return result;
}

Expr AstBuilder::power(Tree* c, std::size_t depth) { return chain(ExprKind::power, c, depth); }

Expr AstBuilder::postfix(NsmParser::PostfixContext* c, std::size_t depth) {
  if (c->NUMBER()) return number(c);
  if (c->piecewise()) return piecewise(c->piecewise(), depth);
  // Every suffix wraps what stands before it, so the innermost is as deep as there are suffixes.
  const std::size_t inner = depth + c->children.size() - 1;
  if (inner > max_nesting) throw NestingTooDeep{c->start};
  Expr result = c->vector() ? vector(c->vector(), inner) : primary(c->primary(), inner);
  for (std::size_t i = 1; i < c->children.size(); ++i) {
    if (c->vector() && i == 1) {  // the grammar writes the first prime of a vector outside `suffix`
      Expr derivative = make(ExprKind::derivative, c);
      derivative.span.end = tokens_.span(symbol(c, 1)).end;
      derivative.args.push_back(std::move(result));
      result = std::move(derivative);
    } else {
      result = suffix(std::move(result), static_cast<NsmParser::SuffixContext*>(c->children[i]), depth);
      result.span.begin = span(c).begin;
    }
  }
  return result;
}

Expr AstBuilder::suffix(Expr base, NsmParser::SuffixContext* c, std::size_t depth) {
  Expr result;
  result.span = span(c);
  result.args.push_back(std::move(base));
  if (c->PRIME()) {
    result.kind = ExprKind::derivative;
  } else if (c->NAME()) {
    result.kind = ExprKind::member;
    result.text = tokens_.text(*c->NAME()->getSymbol());
    result.called = c->CALL() != nullptr;
  } else {
    result.kind = ExprKind::index;
  }
  // the indices, or the arguments of a member
  for (NsmParser::ExpressionContext* argument : c->expression()) result.args.push_back(expression(argument, depth + 1));
  return result;
}

Expr AstBuilder::primary(NsmParser::PrimaryContext* c, std::size_t depth) {
  if (c->LPAREN()) return expression(c->expression(), depth);
  if (c->LBRACE()) return set_by_function(c, depth);
  if (c->loop()) return reduction(c, depth);
  Expr result = make(c->CALL() ? ExprKind::call : ExprKind::name, c);
  result.text = tokens_.text(*c->start);
  add_arguments(result, c->arguments(), depth + 1);
  return result;
}

// sum(c[i].N for i in 1..n)
Expr AstBuilder::reduction(NsmParser::PrimaryContext* c, std::size_t depth) {
  Expr result = make(ExprKind::reduction, c);
  result.text = tokens_.text(*c->start);
  const auto& arguments = c->arguments()->argument();
  if (arguments.size() != 1 || arguments[0]->LABEL()) {
    diagnostics_.report(Kind::unexpected_token, span(c->arguments()),
                        fmt::format("'{}' over a range takes one expression", result.text),
                        "sum(c[i].N for i in 1..n)");
  }
  NsmParser::IntervalContext* range = c->loop()->interval();
  result.names.push_back(name(range->NAME()));
  result.args.push_back(expression(arguments[0]->expression(), depth + 1));
  result.args.push_back(expression(range->sum(0), depth + 1));
  result.args.push_back(expression(range->sum(1), depth + 1));
  return result;
}

Expr AstBuilder::set_by_function(NsmParser::PrimaryContext* c, std::size_t depth) {
  Expr result = make(c->GAUGE() ? ExprKind::gauge : ExprKind::support, c);
  for (NsmParser::ArgumentContext* argument : c->arguments()->argument()) {
    if (argument->start == argument->stop && argument->start->getType() == NsmParser::NAME)
      result.names.push_back(name(argument->start));
    else
      diagnostics_.report(
          Kind::unexpected_token, span(argument),
          fmt::format("expected the name of a variable between the parentheses of '{}'", tokens_.text(*c->start)),
          fmt::format("write {} (x, y) {{ ... }} with plain names", tokens_.text(*c->start)));
  }
  result.args.push_back(expression(c->expression(), depth + 1));
  return result;
}

void AstBuilder::add_arguments(Expr& call, NsmParser::ArgumentsContext* c, std::size_t depth) {
  if (!c) return;
  for (NsmParser::ArgumentContext* argument : c->argument()) {
    call.args.push_back(expression(argument->expression(), depth));
    call.names.push_back(argument->LABEL() ? name(argument->LABEL()) : Name{});
  }
}

Expr AstBuilder::number(NsmParser::PostfixContext* c) {
  Expr result = make(ExprKind::number, c);
  result.value = value(*c->NUMBER()->getSymbol());
  result.unit = unit(c->unit());
  return result;
}

Expr AstBuilder::vector(NsmParser::VectorContext* c, std::size_t depth) {
  Expr result = make(ExprKind::vector, c);
  for (NsmParser::ExpressionContext* component : c->expression())
    result.args.push_back(expression(component, depth + 1));
  result.unit = unit(c->unit());
  return result;
}

Expr AstBuilder::piecewise(NsmParser::PiecewiseContext* c, std::size_t depth) {
  Expr result = make(ExprKind::piecewise, c);
  for (NsmParser::PieceContext* piece : c->piece())
    for (NsmParser::ExpressionContext* part : piece->expression()) result.args.push_back(expression(part, depth + 1));
  result.args.push_back(expression(c->otherwise()->expression(), depth + 1));
  return result;
}

double AstBuilder::value(const antlr4::Token& number) {
  const std::string_view digits = tokens_.text(number);
  double result = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), result);
  if (error != std::errc()) {
    diagnostics_.report(Kind::number_out_of_range, tokens_.span(number),
                        fmt::format("'{}' is too large or too small for a number",
                                    digits.size() > 40 ? std::string(digits.substr(0, 37)) + "..." : digits),
                        "numbers lie between about 1e-308 and 1.8e308");
    return 0;
  }
  return result;
}

std::optional<Unit> AstBuilder::unit(NsmParser::UnitContext* c) {
  if (!c) return std::nullopt;
  Unit result;
  result.span = span(c);
  bool divided = false;
  for (antlr4::tree::ParseTree* child : c->children) {
    auto* factor = dynamic_cast<NsmParser::UnitFactorContext*>(child);
    if (!factor) {
      divided = static_cast<antlr4::tree::TerminalNode*>(child)->getSymbol()->getType() == NsmParser::SLASH;
      continue;
    }
    if (factor->NUMBER()) {
      if (tokens_.text(*factor->start) != "1")
        diagnostics_.report(Kind::unexpected_token, span(factor),
                            fmt::format("'{}' in a unit: 1 is the only number there", tokens_.text(*factor->start)),
                            "write the number before the bracket; an index touches the name of its vector: v[1]");
    } else {
      result.factors.push_back(unit_factor(factor, divided));
    }
    divided = false;  // a '/' applies to the next factor only
  }
  return result;
}

UnitFactor AstBuilder::unit_factor(NsmParser::UnitFactorContext* c, bool divided) {
  UnitFactor result;
  result.name = tokens_.text(*c->start);
  result.span = span(c);
  if (c->unitExponent()) unit_exponent(c->unitExponent(), result);
  if (divided) result.numerator = -result.numerator;
  return result;
}

void AstBuilder::unit_exponent(NsmParser::UnitExponentContext* c, UnitFactor& factor) {
  factor.numerator = whole(*c->NUMBER(0)->getSymbol());
  if (c->NUMBER(1)) {
    factor.denominator = whole(*c->NUMBER(1)->getSymbol());
    if (factor.denominator == 0) {
      diagnostics_.report(Kind::unexpected_token, span(c), "exponent of a unit divided by zero");
      factor.denominator = 1;
    }
    const int divisor = std::gcd(factor.numerator, factor.denominator);
    factor.numerator /= divisor;
    factor.denominator /= divisor;
  }
  if (c->NEGATE()) factor.numerator = -factor.numerator;
}

int AstBuilder::whole(const antlr4::Token& number) {
  const std::string_view digits = tokens_.text(number);
  int result = 1;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), result);
  if (error != std::errc() || result > 1000)
    diagnostics_.report(Kind::number_out_of_range, tokens_.span(number),
                        fmt::format("exponent '{}' of a unit is too large", digits));
  else if (end != digits.data() + digits.size())
    diagnostics_.report(Kind::unexpected_token, tokens_.span(number),
                        fmt::format("expected a whole number in the exponent of a unit, found '{}'", digits),
                        "write a fraction in parentheses: m^(1/2)");
  else
    return result;
  return 1;
}

}  // namespace nsmc
