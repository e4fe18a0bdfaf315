// Parse tree in, abstract syntax out. One declaration at a time; the tree may be thrown away afterwards.
// Reports what the grammar cannot exclude: numbers out of range, odd exponents of units, a second `model`, a force on
// what is no name, a spring with two stiffnesses.
#pragma once

#include <NsmParser.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/support/diagnostics.hpp"
#include "compiler/syntax/ast.hpp"
#include "compiler/syntax/tokens.hpp"

namespace nsmc {

// Thrown where an expression is nested deeper than limits.hpp allows; caught by the parse loop.
struct NestingTooDeep {
  const antlr4::Token* at;
};

class AstBuilder {
 public:
  AstBuilder(const TokenReader& tokens, Diagnostics& diagnostics, ast::Model& model)
      : tokens_(tokens), diagnostics_(diagnostics), model_(model) {}

  void add(NsmParser::DeclarationContext* declaration);

 private:
  using Tree = antlr4::ParserRuleContext;

  // build_declarations.cpp
  void add_model_name(NsmParser::ModelNameContext* c, std::string doc);
  ast::Let let(NsmParser::LetContext* c);
  ast::Table table(NsmParser::TableContext* c);
  std::vector<ast::Assignment> assignments(const std::vector<NsmParser::AssignmentContext*>& list);
  ast::Law law(NsmParser::LawContext* c);
  ast::Part<ast::IndexRange> range(NsmParser::IndexRangeContext* c);
  ast::Part<ast::IndexRange> range(NsmParser::LoopContext* c);
  ast::IndexRange range(Tree* whole, NsmParser::IntervalContext* c);
  ast::Simulate simulate(NsmParser::SimulateContext* c);
  std::vector<ast::ContactItem> contact_items(const std::vector<NsmParser::ContactItemContext*>& items);
  ast::LawUse law_use(NsmParser::LawUseContext* c);
  std::vector<ast::Parameter> parameters(NsmParser::ParametersContext* c);
  std::optional<ast::Expr> optional_expression(NsmParser::ExpressionContext* c);

  // build_bodies.cpp
  void add_force(NsmParser::ForceContext* c, ast::Declaration declaration);
  ast::Force torque(NsmParser::TorqueContext* c);
  ast::Contact contact(NsmParser::ContactContext* c);
  ast::Shape shape(NsmParser::ShapeContext* c);
  ast::Spring spring(NsmParser::SpringContext* c);
  ast::Spring damper(NsmParser::DamperContext* c);
  void ends(NsmParser::EndsContext* c, ast::Spring& spring);
  ast::Draw draw(NsmParser::DrawContext* c);
  ast::Use use(NsmParser::UseContext* c);
  ast::Use use(NsmParser::ElementContext* c);

  // build_expressions.cpp
  ast::Expr expression(Tree* c, std::size_t depth = 0);
  ast::Expr chain(ast::ExprKind kind, Tree* c, std::size_t depth);
  ast::Expr operation(ast::ExprKind kind, Tree* c, std::size_t depth);
  ast::Expr comparison(Tree* c, std::size_t depth);
  ast::Expr prefix(ast::ExprKind kind, Tree* c, std::size_t depth);
  ast::Expr power(Tree* c, std::size_t depth);
  ast::Expr postfix(NsmParser::PostfixContext* c, std::size_t depth);
  ast::Expr suffix(ast::Expr base, NsmParser::SuffixContext* c, std::size_t depth);
  ast::Expr primary(NsmParser::PrimaryContext* c, std::size_t depth);
  ast::Expr reduction(NsmParser::PrimaryContext* c, std::size_t depth);
  ast::Expr set_by_function(NsmParser::PrimaryContext* c, std::size_t depth);
  ast::Expr number(NsmParser::PostfixContext* c);
  ast::Expr vector(NsmParser::VectorContext* c, std::size_t depth);
  ast::Expr piecewise(NsmParser::PiecewiseContext* c, std::size_t depth);
  void add_arguments(ast::Expr& call, NsmParser::ArgumentsContext* c, std::size_t depth);
  std::optional<ast::Unit> unit(NsmParser::UnitContext* c);
  ast::UnitFactor unit_factor(NsmParser::UnitFactorContext* c, bool divided);
  void unit_exponent(NsmParser::UnitExponentContext* c, ast::UnitFactor& factor);

  double value(const antlr4::Token& number);
  int whole(const antlr4::Token& number);
  ast::Name name(const antlr4::Token* token) const;
  ast::Name name(antlr4::tree::TerminalNode* node) const { return name(node->getSymbol()); }
  std::string string(antlr4::tree::TerminalNode* node) const;
  Span span(const Tree* c) const { return tokens_.span(*c->start, *c->stop); }
  ast::Expr make(ast::ExprKind kind, const Tree* c) const;

  const TokenReader& tokens_;
  Diagnostics& diagnostics_;
  ast::Model& model_;
};

}  // namespace nsmc
