// From the parse tree of a declaration to its struct in ast.hpp.
#include <fmt/core.h>

#include "compiler/syntax/build_ast.hpp"

namespace nsmc {

using namespace ast;

namespace {

// The grammar lets `quantity` start with one of four keywords; this is the one that stands there.
const antlr4::Token* first_token(const antlr4::ParserRuleContext* c) { return c->start; }

}  // namespace

Name AstBuilder::name(const antlr4::Token* token) const {
  return Name{std::string(tokens_.text(*token)), tokens_.span(*token)};
}

std::string AstBuilder::string(antlr4::tree::TerminalNode* node) const {
  std::string_view text = tokens_.text(*node->getSymbol());
  text.remove_prefix(1);
  if (text.ends_with('"')) text.remove_suffix(1);
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escaped = text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == '"' || text[i + 1] == '\\');
    if (escaped) ++i;
    result += text[i];
  }
  return result;
}

std::optional<Expr> AstBuilder::optional_expression(NsmParser::ExpressionContext* c) {
  if (!c) return std::nullopt;
  return expression(c);
}

IndexRange AstBuilder::range(Tree* whole, NsmParser::IntervalContext* c) {
  return IndexRange{name(c->NAME()), expression(c->sum(0)), expression(c->sum(1)), span(whole)};
}

Part<IndexRange> AstBuilder::range(NsmParser::IndexRangeContext* c) {
  if (!c) return std::nullopt;
  return range(c, c->interval());
}

Part<IndexRange> AstBuilder::range(NsmParser::LoopContext* c) {
  if (!c) return std::nullopt;
  return range(c, c->interval());
}

void AstBuilder::add(NsmParser::DeclarationContext* declaration) {
  const std::string doc = declaration->STRING() ? string(declaration->STRING()) : std::string();
  auto push = [&](auto value) { model_.declarations.push_back({span(declaration), doc, std::move(value)}); };
  antlr4::ParserRuleContext* tree = static_cast<antlr4::ParserRuleContext*>(declaration->children[0]);
  switch (tree->getRuleIndex()) {
    case NsmParser::RuleModelName: return add_model_name(static_cast<NsmParser::ModelNameContext*>(tree), doc);
    case NsmParser::RuleImportFile:
      return push(Import{string(static_cast<NsmParser::ImportFileContext*>(tree)->STRING())});
    case NsmParser::RuleParam: {
      auto* c = static_cast<NsmParser::ParamContext*>(tree);
      Part<Bounds> bounds;
      if (c->IN()) bounds = Bounds{expression(c->sum(0)), expression(c->sum(1))};
      return push(Param{name(c->NAME()), unit(c->unit()), expression(c->expression()), std::move(bounds)});
    }
    case NsmParser::RuleInput: {
      auto* c = static_cast<NsmParser::InputContext*>(tree);
      Part<Bounds> bounds;
      if (c->IN()) bounds = Bounds{expression(c->sum(0)), expression(c->sum(1))};
      return push(Param{name(c->NAME()), unit(c->unit()), expression(c->expression()), std::move(bounds), true});
    }
    case NsmParser::RuleState: {
      auto* c = static_cast<NsmParser::StateContext*>(tree);
      const bool starts = c->expression().size() == 2;
      return push(State{name(c->NAME(0)), unit(c->unit()), optional_expression(starts ? c->expression(0) : nullptr),
                        name(c->NAME(1)), expression(c->expression(starts ? 1 : 0))});
    }
    case NsmParser::RuleDiscrete: {
      auto* c = static_cast<NsmParser::DiscreteContext*>(tree);
      return push(Discrete{name(c->NAME()), unit(c->unit()), optional_expression(c->expression())});
    }
    case NsmParser::RuleTable: return push(table(static_cast<NsmParser::TableContext*>(tree)));
    case NsmParser::RuleWhen: {
      auto* c = static_cast<NsmParser::WhenContext*>(tree);
      return push(When{expression(c->expression()), assignments(c->assignment())});
    }
    case NsmParser::RuleEvery: {
      auto* c = static_cast<NsmParser::EveryContext*>(tree);
      return push(Every{expression(c->expression()), assignments(c->assignment())});
    }
    case NsmParser::RuleStop: return push(Stop{expression(static_cast<NsmParser::StopContext*>(tree)->expression())});
    case NsmParser::RuleLet: return push(let(static_cast<NsmParser::LetContext*>(tree)));
    case NsmParser::RuleFunction: {
      auto* c = static_cast<NsmParser::FunctionContext*>(tree);
      return push(Function{name(c->NAME()), parameters(c->parameters()), expression(c->expression())});
    }
    case NsmParser::RuleCoord: {
      auto* c = static_cast<NsmParser::CoordContext*>(tree);
      return push(
          Coord{name(c->NAME()), range(c->indexRange()), unit(c->unit()), optional_expression(c->expression())});
    }
    case NsmParser::RuleVelocity: {
      auto* c = static_cast<NsmParser::VelocityContext*>(tree);
      return push(Velocity{name(c->NAME()), unit(c->unit()), optional_expression(c->expression())});
    }
    case NsmParser::RuleKinematics: {
      auto* c = static_cast<NsmParser::KinematicsContext*>(tree);
      return push(Kinematics{name(c->NAME()), expression(c->expression())});
    }
    case NsmParser::RuleInitial: {
      auto* c = static_cast<NsmParser::InitialContext*>(tree);
      return push(Initial{name(c->NAME()), range(c->indexRange()), c->PRIME() != nullptr, expression(c->expression())});
    }
    case NsmParser::RuleKinetic: {
      auto* c = static_cast<NsmParser::KineticContext*>(tree);
      return push(Kinetic{expression(c->expression()), range(c->loop())});
    }
    case NsmParser::RulePotential: {
      auto* c = static_cast<NsmParser::PotentialContext*>(tree);
      return push(Potential{expression(c->expression()), range(c->loop())});
    }
    case NsmParser::RuleDissipation: {
      auto* c = static_cast<NsmParser::DissipationContext*>(tree);
      return push(Dissipation{expression(c->expression()), range(c->loop())});
    }
    case NsmParser::RuleForce:
      return add_force(static_cast<NsmParser::ForceContext*>(tree), {span(declaration), doc, {}});
    case NsmParser::RuleTorque: return push(torque(static_cast<NsmParser::TorqueContext*>(tree)));
    case NsmParser::RuleMass: return push(Mass{expression(static_cast<NsmParser::MassContext*>(tree)->expression())});
    case NsmParser::RuleContact: return push(contact(static_cast<NsmParser::ContactContext*>(tree)));
    case NsmParser::RuleConstraint: {
      auto* c = static_cast<NsmParser::ConstraintContext*>(tree);
      return push(Constraint{name(c->NAME()), range(c->indexRange()), optional_expression(c->expression()),
                             contact_items(c->contactItem())});
    }
    case NsmParser::RuleSetDefinition: {
      auto* c = static_cast<NsmParser::SetDefinitionContext*>(tree);
      return push(SetDefinition{name(c->NAME()), parameters(c->parameters()), expression(c->expression())});
    }
    case NsmParser::RuleLaw: return push(law(static_cast<NsmParser::LawContext*>(tree)));
    case NsmParser::RuleOutput: {
      auto* c = static_cast<NsmParser::OutputContext*>(tree);
      return push(Output{name(c->NAME()), range(c->indexRange()), unit(c->unit()), expression(c->expression())});
    }
    case NsmParser::RuleBody: {
      auto* c = static_cast<NsmParser::BodyContext*>(tree);
      return push(Body{name(c->NAME()), range(c->indexRange()), expression(c->expression())});
    }
    case NsmParser::RuleGravity:
      return push(Gravity{expression(static_cast<NsmParser::GravityContext*>(tree)->expression())});
    case NsmParser::RuleShape: return push(shape(static_cast<NsmParser::ShapeContext*>(tree)));
    case NsmParser::RuleJoint: {
      auto* c = static_cast<NsmParser::JointContext*>(tree);
      return push(Joint{name(c->NAME()), range(c->indexRange()), expression(c->expression(0)),
                        optional_expression(c->expression(1)), contact_items(c->contactItem())});
    }
    case NsmParser::RuleSpring: return push(spring(static_cast<NsmParser::SpringContext*>(tree)));
    case NsmParser::RuleDraw: return push(draw(static_cast<NsmParser::DrawContext*>(tree)));
    case NsmParser::RuleDamper: return push(damper(static_cast<NsmParser::DamperContext*>(tree)));
    default: return push(simulate(static_cast<NsmParser::SimulateContext*>(tree)));
  }
}

void AstBuilder::add_model_name(NsmParser::ModelNameContext* c, std::string doc) {
  const Name given = name(c->NAME());
  if (model_.name) {
    diagnostics_.report(Kind::unexpected_token, span(c), fmt::format("second 'model' in one file, '{}'", given.text))
        .labels.push_back({model_.name->span, "the model is named here"});
    return;
  }
  model_.name = given;
  model_.doc = std::move(doc);
}

Table AstBuilder::table(NsmParser::TableContext* c) {
  Table result;
  result.name = name(c->NAME(0));
  for (NsmParser::TableArgumentContext* argument : c->tableArgument())
    result.arguments.push_back({name(argument->NAME()), unit(argument->unit())});
  result.unit = unit(c->unit());
  if (c->STRING()) result.file = Name{string(c->STRING()), tokens_.span(*c->STRING()->getSymbol())};
  if (c->expression()) result.values = expression(c->expression());
  std::size_t next = 1;  // of the names behind the values
  const bool has_form = c->NAME().size() > (c->BEYOND() != nullptr ? 2 : 1);
  if (has_form) result.form = name(c->NAME(next++));
  if (c->BEYOND()) result.beyond = name(c->NAME(next));
  return result;
}

std::vector<Assignment> AstBuilder::assignments(const std::vector<NsmParser::AssignmentContext*>& list) {
  std::vector<Assignment> result;
  for (NsmParser::AssignmentContext* c : list)
    result.push_back({name(c->NAME()), c->PRIME() != nullptr, expression(c->expression())});
  return result;
}

Let AstBuilder::let(NsmParser::LetContext* c) { return Let{name(c->NAME()), expression(c->expression())}; }

std::vector<ContactItem> AstBuilder::contact_items(const std::vector<NsmParser::ContactItemContext*>& items) {
  std::vector<ContactItem> result;
  for (NsmParser::ContactItemContext* item : items) {
    if (auto* quantity = item->quantity())
      result.push_back(ContactQuantity{name(first_token(quantity)), expression(quantity->expression())});
    else if (item->lawUse())
      result.push_back(law_use(item->lawUse()));
    else
      result.push_back(let(item->let()));
  }
  return result;
}

LawUse AstBuilder::law_use(NsmParser::LawUseContext* c) {
  const bool called = c->CALL() != nullptr;
  Expr call = make(called ? ExprKind::call : ExprKind::name, c);
  call.span.begin = tokens_.span(*c->NAME()->getSymbol()).begin;  // without the keyword `law`
  call.text = tokens_.text(*c->NAME()->getSymbol());
  add_arguments(call, c->arguments(), 1);
  return LawUse{std::move(call)};
}

std::vector<Parameter> AstBuilder::parameters(NsmParser::ParametersContext* c) {
  std::vector<Parameter> result;
  if (!c) return result;
  for (NsmParser::ParameterContext* parameter : c->parameter()) {
    if (parameter->NAME())
      result.push_back({name(parameter->NAME()), std::nullopt});
    else
      result.push_back({name(parameter->LABEL()), expression(parameter->expression())});
  }
  return result;
}

Law AstBuilder::law(NsmParser::LawContext* c) {
  Law result{name(c->NAME()), parameters(c->parameters()), {}};
  for (NsmParser::LawItemContext* item : c->lawItem()) {
    if (item->lawForces()) {
      for (NsmParser::LawForceContext* force : item->lawForces()->lawForce())
        result.items.push_back(LawForce{name(force->NAME()), optional_expression(force->expression())});
    } else if (item->let()) {
      result.items.push_back(let(item->let()));
    } else {
      auto* inclusion = item->inclusion();
      std::optional<Name> solve;
      if (inclusion->SOLVE()) solve = name(inclusion->NAME());
      result.items.push_back(Inclusion{expression(inclusion->expression(0)), expression(inclusion->expression(1)),
                                       optional_expression(inclusion->expression(2)), solve});
    }
  }
  return result;
}

Simulate AstBuilder::simulate(NsmParser::SimulateContext* c) {
  Simulate result;
  for (NsmParser::SettingContext* setting : c->setting())
    result.settings.push_back({name(setting->NAME()), expression(setting->expression())});
  return result;
}

}  // namespace nsmc
