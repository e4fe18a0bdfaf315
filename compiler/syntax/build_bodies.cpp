// From the parse tree of a declaration about bodies to its struct in ast.hpp: shapes, contacts between them, springs,
// forces and torques, drawings.
#include <fmt/core.h>

#include "compiler/syntax/build_ast.hpp"

namespace nsmc {

using namespace ast;

Use AstBuilder::use(NsmParser::UseContext* c) {
  return Use{name(c->NAME()), optional_expression(c->expression()), c->STAR() != nullptr, span(c)};
}

Use AstBuilder::use(NsmParser::ElementContext* c) {
  return Use{name(c->NAME()), optional_expression(c->expression()), false, span(c)};
}

// The grammar reads the target of a force as an expression, so that it need not look for the ':' first.
void AstBuilder::add_force(NsmParser::ForceContext* c, Declaration declaration) {
  Expr first = expression(c->expression(0));
  if (!c->COLON()) {
    declaration.value = ForceVector{std::move(first)};
    model_.declarations.push_back(std::move(declaration));
    return;
  }
  const bool indexed = first.kind == ExprKind::index && first.args.size() == 2;
  const Expr& target = indexed ? first.args[0] : first;
  if (target.kind != ExprKind::name) {
    diagnostics_.report(Kind::unexpected_token, first.span, "expected a coordinate, a velocity or a body before ':'",
                        "a force is written force x : value, or force z[i] : value for i in 1..n");
    return;
  }
  const bool at = c->AT() != nullptr;
  Force force;
  force.target = Name{target.text, target.span};
  if (indexed) force.index = first.args[1];
  if (at) force.at = expression(c->expression(1));
  force.value = expression(c->expression(at ? 2 : 1));
  force.range = range(c->loop());
  declaration.value = std::move(force);
  model_.declarations.push_back(std::move(declaration));
}

Force AstBuilder::torque(NsmParser::TorqueContext* c) {
  Force result;
  result.target = name(c->element()->NAME());
  result.index = optional_expression(c->element()->expression());
  result.torque = true;
  result.value = expression(c->expression());
  result.range = range(c->loop());
  return result;
}

Contact AstBuilder::contact(NsmParser::ContactContext* c) {
  Contact result;
  result.name = name(c->NAME());
  result.active = optional_expression(c->expression());
  result.items = contact_items(c->contactItem());
  NsmParser::ContactOfContext* of = c->contactOf();
  if (!of) return result;
  if (of->indexRange()) {
    result.range = range(of->indexRange());
    return result;
  }
  result.range = range(of->loop());
  if (of->ASSIGN()) {
    result.pair = ShapePair{use(of->use(0)), use(of->use(1))};
    return result;
  }
  Use first{result.name, optional_expression(of->expression()), of->STAR() != nullptr, result.name.span};
  if (of->RBRACK()) first.span.end = tokens_.span(*of->RBRACK()->getSymbol()).end;
  Use second = use(of->use(0));
  result.name = Name{{}, {first.span.begin, second.span.end, first.span.file}};  // head on floor
  result.pair = ShapePair{std::move(first), std::move(second)};
  return result;
}

Shape AstBuilder::shape(NsmParser::ShapeContext* c) {
  Shape result{name(c->NAME()), range(c->indexRange()), expression(c->expression(0)), {}, {}};
  if (c->element()) result.body = use(c->element());
  result.at = optional_expression(c->expression(1));
  return result;
}

void AstBuilder::ends(NsmParser::EndsContext* c, Spring& spring) {
  if (c->element()) {
    spring.joint = use(c->element());
  } else {
    spring.from = expression(c->sum(0));
    spring.to = expression(c->sum(1));
  }
}

Spring AstBuilder::spring(NsmParser::SpringContext* c) {
  Spring result;
  result.name = name(c->NAME());
  result.range = range(c->indexRange());
  ends(c->ends(), result);
  std::optional<Span> stiffness, rest, damping;  // where each was given
  for (NsmParser::SpringItemContext* item : c->springItem()) {
    const Name word = name(item->start);
    const bool is_rest = item->LENGTH() || item->ANGLE();
    Part<Expr>& value = item->STIFFNESS() ? result.stiffness : is_rest ? result.rest : result.damping;
    std::optional<Span>& given = item->STIFFNESS() ? stiffness : is_rest ? rest : damping;
    if (is_rest && result.joint.has_value() != (item->ANGLE() != nullptr)) {
      diagnostics_.report(
          Kind::unexpected_token, word.span,
          fmt::format("'{}' of a spring {}", word.text, result.joint ? "on a joint" : "between two points"),
          result.joint ? "it has an angle without force: spring s on hinge stiffness k angle a"
                       : "it has a length without force: spring s between p and q stiffness k length l");
    } else if (given) {
      diagnostics_.report(Kind::unexpected_token, word.span, fmt::format("second '{}' of one spring", word.text))
          .labels.push_back({*given, "it was given here"});
    }
    value = expression(item->expression());
    given = word.span;
  }
  return result;
}

Spring AstBuilder::damper(NsmParser::DamperContext* c) {
  Spring result;
  result.name = name(c->NAME());
  result.range = range(c->indexRange());
  result.damper = true;
  ends(c->ends(), result);
  result.damping = expression(c->expression());
  return result;
}

Draw AstBuilder::draw(NsmParser::DrawContext* c) {
  NsmParser::DrawingContext* drawing = c->drawing();
  Draw result;
  result.name = name(c->NAME());
  result.range = range(c->indexRange());
  result.call = make(drawing->CALL() ? ExprKind::call : ExprKind::name, drawing);
  result.call.text = tokens_.text(*drawing->NAME()->getSymbol());
  add_arguments(result.call, drawing->arguments(), 1);
  const auto text = [&](antlr4::tree::TerminalNode* node) {
    return Name{string(node), tokens_.span(*node->getSymbol())};
  };
  if (drawing->STRING()) result.text = text(drawing->STRING());
  for (NsmParser::DrawItemContext* item : c->drawItem()) {
    const Name word = name(item->start);
    Part<Expr>& place = item->AT() ? result.at : item->ALONG() ? result.along : result.turned;
    if (item->COLOR() ? result.color.has_value() : place.has_value())
      diagnostics_.report(Kind::unexpected_token, word.span, fmt::format("second '{}' of one drawing", word.text));
    if (item->COLOR())
      result.color = text(item->STRING());
    else
      place = expression(item->expression());
  }
  return result;
}

}  // namespace nsmc
