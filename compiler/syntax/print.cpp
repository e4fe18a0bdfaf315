#include "compiler/syntax/print.hpp"

#include <charconv>
#include <string_view>

namespace nsmc {

using namespace ast;

namespace {

// How tightly an expression binds; the order of the layers in Nsm.g4.
enum Precedence {
  loosest,
  disjunction,
  conjunction,
  negation,
  comparison,
  intersection,
  sum,
  product,
  unary,
  power,
  postfix
};

Precedence level(const Expr& e) {
  switch (e.kind) {
    case ExprKind::logic_or: return disjunction;
    case ExprKind::logic_and: return conjunction;
    case ExprKind::logic_not: return negation;
    case ExprKind::comparison: return comparison;
    case ExprKind::intersection: return intersection;
    case ExprKind::sum: return sum;
    case ExprKind::product: return product;
    case ExprKind::negate: return unary;
    case ExprKind::power: return power;
    default: return postfix;
  }
}

// May be followed by ', [i] or .name without parentheses.
bool takes_suffix(const Expr& e) {
  switch (e.kind) {
    case ExprKind::name:
    case ExprKind::call:
    case ExprKind::reduction:
    case ExprKind::derivative:
    case ExprKind::index:
    case ExprKind::member: return true;
    default: return false;
  }
}

bool begins_with_minus(const Expr& e) {
  const Expr* first = &e;
  while (first->kind == ExprKind::sum || first->kind == ExprKind::product || first->kind == ExprKind::comparison ||
         first->kind == ExprKind::intersection || first->kind == ExprKind::logic_and ||
         first->kind == ExprKind::logic_or)
    first = &first->args.front();
  return first->kind == ExprKind::negate;
}

class Printer {
 public:
  std::string text;

  void model(const Model& m);
  void expr(const Expr& e, Precedence at_least = loosest);

 private:
  void put(std::string_view s) { text += s; }
  void number(double value);
  void integer(int value) { text += std::to_string(value); }
  void string(std::string_view content);
  void unit(const std::optional<Unit>& u);
  void list(const std::vector<Expr>& args, std::string_view between, Precedence at_least, std::size_t from = 0);
  void bare(const Expr& e);
  void operation(const Expr& e);
  void suffix_base(const Expr& e);
  void call(const Expr& e);
  void member_arguments(const Expr& e);
  void set_by_function(const Expr& e, std::string_view keyword);
  void piecewise(const Expr& e);

  void parameters(const std::vector<Parameter>& list);
  void definition(std::string_view keyword, const Name& name, const std::optional<Unit>& u, const Expr* value,
                  const Part<IndexRange>& range = std::nullopt);
  void head(std::string_view keyword, const Name& name, const Part<IndexRange>& range);
  void interval(const IndexRange& range);
  void loop(const Part<IndexRange>& range);
  void index(const Part<Expr>& e);
  void use(const Use& u);
  void clause(std::string_view word, const Part<Expr>& value);

  void item(const ContactQuantity& q);
  void item(const LawUse& u);
  void item(const Let& l);
  void item(const LawForce& f);
  void item(const Inclusion& i);
  template <class Items>
  void body(const Items& items);

  void declaration(const Import& d);
  void declaration(const Param& d) {
    definition(d.input ? "input " : "param ", d.name, d.unit, &d.value);
    if (d.bounds) put(" in "), expr(d.bounds->least, sum), put(".."), expr(d.bounds->greatest, sum);
  }
  void declaration(const State& d) {
    definition("state ", d.name, d.unit, d.initial ? &*d.initial : nullptr);
    put("  "), put(d.rated.text), put("' = "), expr(d.rate);
  }
  void declaration(const Discrete& d) { definition("discrete ", d.name, d.unit, d.initial ? &*d.initial : nullptr); }
  void declaration(const Table& d);
  void declaration(const When& d) { put("when "), expr(d.condition), assignments(d.assignments); }
  void declaration(const Every& d) { put("every "), expr(d.interval), assignments(d.assignments); }
  void declaration(const Stop& d) { put("stop when "), expr(d.condition); }
  void assignments(const std::vector<Assignment>& list);
  void declaration(const Let& d) { item(d); }
  void declaration(const Function& d);
  void declaration(const Coord& d) { definition("coord ", d.name, d.unit, d.initial ? &*d.initial : nullptr, d.range); }
  void declaration(const Velocity& d) { definition("velocity ", d.name, d.unit, d.initial ? &*d.initial : nullptr); }
  void declaration(const Kinematics& d);
  void declaration(const Initial& d);
  void declaration(const Kinetic& d) { put("kinetic "), expr(d.energy), loop(d.range); }
  void declaration(const Potential& d) { put("potential "), expr(d.energy), loop(d.range); }
  void declaration(const Dissipation& d) { put("dissipation "), expr(d.potential), loop(d.range); }
  void declaration(const Force& d);
  void declaration(const ForceVector& d) { put("force "), expr(d.value); }
  void declaration(const Mass& d) { put("mass "), expr(d.matrix); }
  void declaration(const Contact& d);
  void declaration(const Constraint& d) {
    head("constraint ", d.name, d.range), clause(" while ", d.active), body(d.items);
  }
  void declaration(const Body& d) { definition("body ", d.name, std::nullopt, &d.call, d.range); }
  void declaration(const Gravity& d) { put("gravity "), expr(d.value); }
  void declaration(const Shape& d);
  void declaration(const Joint& d);
  void declaration(const Spring& d);
  void declaration(const Draw& d);
  void declaration(const SetDefinition& d);
  void declaration(const Law& d);
  void declaration(const Output& d) { definition("output ", d.name, d.unit, &d.value, d.range); }
  void declaration(const Simulate& d);
};

void Printer::number(double value) {
  char digits[32];
  const auto result = std::to_chars(digits, digits + sizeof digits, value);
  const std::string_view shortest(digits, static_cast<std::size_t>(result.ptr - digits));
  const std::size_t e = shortest.find('e');
  put(shortest.substr(0, e));
  if (e == std::string_view::npos) return;
  // to_chars writes 1e-04 and 1e+20; people write 1e-4 and 1e20.
  put(shortest[e + 1] == '-' ? "e-" : "e");
  put(shortest.substr(shortest.find_first_not_of('0', e + 2)));
}

void Printer::string(std::string_view content) {
  text += '"';
  for (char c : content) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  text += '"';
}

void Printer::unit(const std::optional<Unit>& u) {
  if (!u) return;
  put(" [");
  if (u->factors.empty()) put("1");
  for (std::size_t i = 0; i < u->factors.size(); ++i) {
    const UnitFactor& factor = u->factors[i];
    if (i > 0) put(" ");
    put(factor.name);
    if (factor.denominator != 1) {
      put("^("), integer(factor.numerator), put("/"), integer(factor.denominator), put(")");
    } else if (factor.numerator != 1) {
      put("^"), integer(factor.numerator);
    }
  }
  put("]");
}

void Printer::list(const std::vector<Expr>& args, std::string_view between, Precedence at_least, std::size_t from) {
  for (std::size_t i = from; i < args.size(); ++i) {
    if (i > from) put(between);
    expr(args[i], at_least);
  }
}

void Printer::expr(const Expr& e, Precedence at_least) {
  const bool parentheses = level(e) < at_least;
  if (parentheses) put("(");
  bare(e);
  if (parentheses) put(")");
}

void Printer::bare(const Expr& e) {
  switch (e.kind) {
    case ExprKind::number: return number(e.value), unit(e.unit);
    case ExprKind::name: return put(e.text);
    case ExprKind::sum:
    case ExprKind::product: return operation(e);
    case ExprKind::negate: return put("-"), expr(e.args[0], unary);
    case ExprKind::power: return expr(e.args[0], postfix), put("^"), expr(e.args[1], unary);
    case ExprKind::derivative:
      if (e.args[0].kind == ExprKind::vector)
        expr(e.args[0]);
      else
        suffix_base(e.args[0]);
      return put("'");
    case ExprKind::index: return suffix_base(e.args[0]), put("["), list(e.args, ", ", loosest, 1), put("]");
    case ExprKind::member: return suffix_base(e.args[0]), put("."), put(e.text), member_arguments(e);
    case ExprKind::call: return call(e);
    case ExprKind::reduction:
      put(e.text), put("("), expr(e.args[0]), put(" for "), put(e.names[0].text), put(" in ");
      return expr(e.args[1], sum), put(".."), expr(e.args[2], sum), put(")");
    case ExprKind::vector: return put("["), list(e.args, ", ", loosest), put("]"), unit(e.unit);
    case ExprKind::comparison:
      return expr(e.args[0], intersection), put(" "), put(e.text), put(" "), expr(e.args[1], intersection);
    case ExprKind::logic_and: return list(e.args, " and ", negation);
    case ExprKind::logic_or: return list(e.args, " or ", conjunction);
    case ExprKind::logic_not: return put("not "), expr(e.args[0], negation);
    case ExprKind::intersection: return list(e.args, " ∩ ", sum);
    case ExprKind::piecewise: return piecewise(e);
    case ExprKind::gauge: return set_by_function(e, "gauge");
    case ExprKind::support: return set_by_function(e, "support");
  }
}

void Printer::operation(const Expr& e) {
  const Precedence operand = e.kind == ExprKind::sum ? product : unary;
  for (std::size_t i = 0; i < e.args.size(); ++i) {
    if (i > 0) {
      const char op = e.ops[i];
      put(op == '+' ? " + " : op == '-' ? " - " : op == 'x' ? " × " : op == '*' ? "*" : "/");
    }
    expr(e.args[i], operand);
  }
}

void Printer::suffix_base(const Expr& e) {
  const bool parentheses = !takes_suffix(e);
  if (parentheses) put("(");
  bare(e);
  if (parentheses) put(")");
}

void Printer::call(const Expr& e) {
  put(e.text), put("(");
  for (std::size_t i = 0; i < e.args.size(); ++i) {
    if (i > 0) put(", ");
    if (i < e.names.size() && !e.names[i].text.empty()) put(e.names[i].text), put(" = ");
    expr(e.args[i]);
  }
  put(")");
}

void Printer::member_arguments(const Expr& e) {
  if (e.called) put("("), list(e.args, ", ", loosest, 1), put(")");
}

void Printer::set_by_function(const Expr& e, std::string_view keyword) {
  put(keyword), put(" (");
  for (std::size_t i = 0; i < e.names.size(); ++i) put(i > 0 ? ", " : ""), put(e.names[i].text);
  put(") { "), expr(e.args[0]), put(" }");
}

void Printer::piecewise(const Expr& e) {
  put("piecewise { ");
  for (std::size_t i = 0; i + 1 < e.args.size(); i += 2) {
    expr(e.args[i]), put(" : "), expr(e.args[i + 1]), put(", ");
  }
  put("else : "), expr(e.args.back()), put(" }");
}

void Printer::parameters(const std::vector<Parameter>& list) {
  put("(");
  for (std::size_t i = 0; i < list.size(); ++i) {
    put(i > 0 ? ", " : ""), put(list[i].name.text);
    if (list[i].default_value) put(" = "), expr(*list[i].default_value);
  }
  put(")");
}

void Printer::interval(const IndexRange& range) {
  put(range.variable.text), put(" in "), expr(range.first, sum), put(".."), expr(range.last, sum);
}

void Printer::loop(const Part<IndexRange>& range) {
  if (range) put(" for "), interval(*range);
}

void Printer::head(std::string_view keyword, const Name& name, const Part<IndexRange>& range) {
  put(keyword), put(name.text);
  if (range) put("["), interval(*range), put("]");
}

void Printer::definition(std::string_view keyword, const Name& name, const std::optional<Unit>& u, const Expr* value,
                         const Part<IndexRange>& range) {
  head(keyword, name, range), unit(u);
  if (value) put(" = "), expr(*value);
}

void Printer::index(const Part<Expr>& e) {
  if (e) put("["), expr(*e), put("]");
}

void Printer::use(const Use& u) { put(u.name.text), put(u.all ? "[*]" : ""), index(u.index); }

void Printer::clause(std::string_view word, const Part<Expr>& value) {
  if (value) put(word), expr(*value);
}

// One item a line: a '[' or '(' at the start of a line begins a new expression, so items cannot run together.
template <class Items>
void Printer::body(const Items& items) {
  put(" {\n");
  for (const auto& entry : items) {
    put("  ");
    std::visit([this](const auto& value) { item(value); }, entry);
    put("\n");
  }
  put("}");
}

void Printer::item(const ContactQuantity& q) { put(q.kind.text), put(" "), expr(q.value); }
void Printer::item(const LawUse& u) { put("law "), expr(u.call); }
void Printer::item(const Let& l) { put("let "), put(l.name.text), put(" = "), expr(l.value); }

void Printer::item(const LawForce& f) { put("force "), put(f.name.text), index(f.size); }

void Printer::item(const Inclusion& i) {
  // A minus sign at the start would continue the expression of the item before.
  const bool parentheses = begins_with_minus(i.left);
  if (parentheses) put("(");
  expr(i.left);
  if (parentheses) put(")");
  put(" in "), expr(i.cone);
  if (i.restitution) put(" restitution "), expr(*i.restitution);
  if (i.solve) put(" solve "), put(i.solve->text);
}

void Printer::declaration(const Import& d) { put("import "), string(d.path); }

void Printer::declaration(const Table& d) {
  put("table "), put(d.name.text), put("(");
  for (std::size_t i = 0; i < d.arguments.size(); ++i)
    put(i > 0 ? ", " : ""), put(d.arguments[i].name.text), unit(d.arguments[i].unit);
  put(")"), unit(d.unit), put(" = ");
  if (d.file) string(d.file->text);
  if (d.values) expr(*d.values);
  if (d.form) put(" "), put(d.form->text);
  if (d.beyond) put(" beyond "), put(d.beyond->text);
}

void Printer::assignments(const std::vector<Assignment>& list) {
  put(" {\n");
  for (const Assignment& a : list)
    put("  "), put(a.target.text), put(a.derivative ? "' := " : " := "), expr(a.value), put("\n");
  put("}");
}

void Printer::declaration(const Function& d) {
  put("fn "), put(d.name.text), parameters(d.parameters), put(" = "), expr(d.body);
}

void Printer::declaration(const Kinematics& d) { put("kinematics "), put(d.coord.text), put("' = "), expr(d.rate); }

void Printer::declaration(const Initial& d) {
  head("initial ", d.name, d.range), put(d.derivative ? "' = " : " = "), expr(d.value);
}

void Printer::declaration(const Force& d) {
  put(d.torque ? "torque " : "force "), put(d.target.text), index(d.index), clause(" at ", d.at);
  put(" : "), expr(d.value), loop(d.range);
}

void Printer::declaration(const Contact& d) {
  if (d.pair) {
    put("contact ");
    if (!d.name.text.empty()) put(d.name.text), put(" = ");
    use(d.pair->first), put(" on "), use(d.pair->second), loop(d.range);
  } else {
    head("contact ", d.name, d.range);
  }
  clause(" while ", d.active);
  body(d.items);
}

void Printer::declaration(const Shape& d) {
  definition("shape ", d.name, std::nullopt, &d.call, d.range);
  if (d.body) put(" on "), use(*d.body);
  clause(" at ", d.at);
}

void Printer::declaration(const Joint& d) {
  definition("joint ", d.name, std::nullopt, &d.call, d.range);
  clause(" while ", d.active);
  if (!d.items.empty()) body(d.items);
}

void Printer::declaration(const Spring& d) {
  head(d.damper ? "damper " : "spring ", d.name, d.range);
  if (d.joint) {
    put(" on "), use(*d.joint);
  } else {
    put(" between "), expr(*d.from, sum), put(" and "), expr(*d.to, sum);
  }
  clause(" stiffness ", d.stiffness);
  clause(d.joint ? " angle " : " length ", d.rest);
  clause(" damping ", d.damping);
}

void Printer::declaration(const Draw& d) {
  head("draw ", d.name, d.range), put(" = ");
  if (d.text) {
    put(d.call.text), put("("), string(d.text->text), put(")");
  } else {
    expr(d.call);
  }
  clause(" at ", d.at), clause(" along ", d.along), clause(" turned ", d.turned);
  if (d.color) put(" color "), string(d.color->text);
}

void Printer::declaration(const SetDefinition& d) {
  put("set "), put(d.name.text);
  if (!d.parameters.empty()) parameters(d.parameters);
  put(" = "), expr(d.value);
}

void Printer::declaration(const Law& d) {
  put("law "), put(d.name.text);
  if (!d.parameters.empty()) parameters(d.parameters);
  body(d.items);
}

void Printer::declaration(const Simulate& d) {
  put("simulate {\n");
  for (const Setting& setting : d.settings) put("  "), put(setting.name.text), put(" "), expr(setting.value), put("\n");
  put("}");
}

void Printer::model(const Model& m) {
  auto finish = [this](const std::string& doc) {
    if (!doc.empty()) put(" "), string(doc);
    put("\n");
  };
  if (m.name) put("model "), put(m.name->text), finish(m.doc);
  for (const Declaration& d : m.declarations) {
    std::visit([this](const auto& value) { declaration(value); }, d.value);
    finish(d.doc);
  }
}

}  // namespace

std::string print(const Model& model) {
  Printer printer;
  printer.model(model);
  return std::move(printer.text);
}

std::string print(const Expr& expression) {
  Printer printer;
  printer.expr(expression);
  return std::move(printer.text);
}

}  // namespace nsmc
