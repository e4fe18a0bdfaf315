// Declarations first, then the uses in every expression, with the scopes of the language: arguments, indices and lets
// before the quantities of a contact, these before what the model declares, and that before the library.
#include "compiler/model/symbols.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

#include "compiler/model/check.hpp"
#include "compiler/model/settings.hpp"
#include "compiler/support/overload.hpp"

namespace nsmc {
namespace {

class Collector {
 public:
  explicit Collector(const SourceModels& models) : models_(models) {}

  SymbolTable run() {
    for (const ast::Model& file : models_.files) {
      for (const ast::Declaration& declaration : file.declarations) declare(declaration, false);
    }
    name_contacts();
    for (const ast::Declaration& declaration : models_.library.declarations) declare(declaration, true);
    if (models_.functions) {
      for (const auto& [text, function] : models_.functions->entries()) {
        Symbol symbol;
        symbol.name = text;
        symbol.kind = Symbol::Kind::function;
        symbol.declared = function.name;
        symbol.declaration = function.declaration;
        symbol.library = true;
        add(std::move(symbol));
      }
    }
    for (const ast::Model& file : models_.files) {
      for (const ast::Declaration& declaration : file.declarations) walk(declaration);
    }
    return std::move(table_);
  }

 private:
  using Index = std::size_t;

  // ------------------------------------------------------------------------------------------------- declarations

  Index add(Symbol symbol) {
    const Index index = table_.symbols.size();
    if (!symbol.local && !symbol.name.empty()) globals_.try_emplace(symbol.name, index);  // the first is meant
    table_.symbols.push_back(std::move(symbol));
    return index;
  }

  Index add(const ast::Name& name, Symbol::Kind kind, const ast::Declaration& declaration, bool library,
            bool array = false) {
    Symbol symbol;
    symbol.name = name.text;
    symbol.kind = kind;
    symbol.declared = name.span;
    symbol.declaration = declaration.span;
    symbol.array = array;
    symbol.library = library;
    symbol.doc = declaration.doc;
    return add(std::move(symbol));
  }

  Index add_local(const ast::Name& name, Symbol::Kind kind, Span scope, bool library = false) {
    Symbol symbol;
    symbol.name = name.text;
    symbol.kind = kind;
    symbol.declared = name.span;
    symbol.declaration = scope;
    symbol.local = true;
    symbol.library = library;
    return add(std::move(symbol));
  }

  void add_arguments(Index owner, const std::vector<ast::Parameter>& parameters, const ast::Declaration& d) {
    for (const ast::Parameter& parameter : parameters) {
      table_.symbols[owner].arguments.push_back(parameter.name.text);
      const Index argument = add_local(parameter.name, Symbol::Kind::argument, d.span, table_.symbols[owner].library);
      arguments_[owner].push_back(argument);
      inside_[&d].push_back(argument);
    }
  }

  // The laws whose forces are members of the contact of this name.
  void acts(const std::string& contact, const std::vector<ast::ContactItem>& items,
            std::vector<std::string> laws = {}) {
    for (const ast::ContactItem& item : items) {
      if (const auto* law = std::get_if<ast::LawUse>(&item)) laws.push_back(law->call.text);
    }
    laws_of_[contact] = std::move(laws);
  }

  void declare(const ast::Declaration& d, bool library) {
    using Kind = Symbol::Kind;
    std::visit(
        Overload{
            [&](const ast::Param& v) { add(v.name, v.input ? Kind::input : Kind::parameter, d, library); },
            [&](const ast::Let& v) { add(v.name, Kind::let, d, library); },
            [&](const ast::Coord& v) { add(v.name, Kind::coordinate, d, library, v.range.has_value()); },
            [&](const ast::Velocity& v) { add(v.name, Kind::velocity, d, library); },
            [&](const ast::State& v) { add(v.name, Kind::state, d, library); },
            [&](const ast::Discrete& v) { add(v.name, Kind::discrete, d, library); },
            [&](const ast::Table& v) {
              const Index table = add(v.name, Kind::table, d, library);
              for (const ast::TableArgument& argument : v.arguments)
                table_.symbols[table].arguments.push_back(argument.name.text);
            },
            [&](const ast::Output& v) { add(v.name, Kind::output, d, library, v.range.has_value()); },
            [&](const ast::Body& v) {
              table_.symbols[add(v.name, Kind::body, d, library, v.range.has_value())].type = v.call.text;
            },
            [&](const ast::Shape& v) {
              table_.symbols[add(v.name, Kind::shape, d, library, v.range.has_value())].type = v.call.text;
            },
            [&](const ast::Spring& v) {
              add(v.name, v.damper ? Kind::damper : Kind::spring, d, library, v.range.has_value());
            },
            [&](const ast::Draw& v) {  // nothing can name it
              table_.symbols[add_local(v.name, Kind::drawing, d.span)].type = v.call.text;
            },
            [&](const ast::Contact& v) {  // one without a name gets it when all are known
              if (v.name.text.empty()) return;
              add(v.name, Kind::contact, d, library, v.range.has_value());
              acts(v.name.text, v.items);
            },
            [&](const ast::Constraint& v) {
              add(v.name, Kind::constraint, d, library, v.range.has_value());
              acts(v.name.text, v.items, {"bilateral", "bilateral_slip"});
            },
            [&](const ast::Joint& v) {
              table_.symbols[add(v.name, Kind::joint, d, library, v.range.has_value())].type = v.call.text;
              acts(v.name.text, v.items, {"bilateral"});
            },
            [&](const ast::Function& v) { add_arguments(add(v.name, Kind::function, d, library), v.parameters, d); },
            [&](const ast::SetDefinition& v) { add_arguments(add(v.name, Kind::set, d, library), v.parameters, d); },
            [&](const ast::Law& v) {
              const Index law = add(v.name, Kind::law, d, library);
              add_arguments(law, v.parameters, d);
              for (const ast::LawItem& item : v.items) {
                const auto* force = std::get_if<ast::LawForce>(&item);
                if (force == nullptr) continue;
                const Index index = add_local(force->name, Kind::force, d.span, library);
                table_.symbols[index].array = force->size.has_value();
                inside_[&d].push_back(index);
                forces_.try_emplace(force->name.text, index);
                forces_of_[law].push_back(index);
              }
            },
            [](const auto&) {}},
        d.value);
  }

  // Contacts without a name of their own are called like their first shape, or after both where that is ambiguous.
  void name_contacts() {
    std::map<std::string, int> named_after;
    const auto each = [&](auto&& visitor) {
      for (const ast::Model& file : models_.files) {
        for (const ast::Declaration& d : file.declarations) {
          const auto* contact = std::get_if<ast::Contact>(&d.value);
          if (contact != nullptr && contact->pair && contact->name.text.empty()) visitor(*contact, d);
        }
      }
    };
    each([&](const ast::Contact& c, const ast::Declaration&) { ++named_after[c.pair->first.name.text]; });
    each([&](const ast::Contact& c, const ast::Declaration& d) {
      const std::string& first = c.pair->first.name.text;
      const std::string name = named_after[first] == 1 ? first : first + "_" + c.pair->second.name.text;
      add({name, c.name.span}, Symbol::Kind::contact, d, false, c.range.has_value() || c.pair->first.all);
      acts(name, c.items);
    });
  }

  // --------------------------------------------------------------------------------------------------------- uses

  void used(Index symbol, Span span) { table_.symbols[symbol].uses.push_back(span); }

  void name(std::string_view text, Span span) {
    for (Index i = locals_.size(); i-- > 0;) {
      if (table_.symbols[locals_[i]].name == text) return used(locals_[i], span);
    }
    static constexpr std::array<std::string_view, 4> kQuantities{"gap", "slip", "spin", "roll"};
    if (in_contact_ && std::find(kQuantities.begin(), kQuantities.end(), text) != kQuantities.end()) return;
    if (global(text, span)) return;
    // A law may speak of the forces of the laws before it in the contact.
    const auto force = forces_.find(text);
    if (in_contact_ && force != forces_.end()) return used(force->second, span);
    table_.unknown.push_back({std::string(text), span});
  }

  bool global(std::string_view text, Span span) {
    const auto found = globals_.find(text);
    if (found != globals_.end()) used(found->second, span);
    return found != globals_.end();
  }

  void name(const ast::Name& name) { global(name.text, name.span); }

  void use(const ast::Use& use) {
    name(use.name);
    if (use.index) expression(*use.index);
  }

  void part(const ast::Part<ast::Expr>& expr) {
    if (expr) expression(*expr);
  }
  void part(const std::optional<ast::Expr>& expr) {
    if (expr) expression(*expr);
  }

  // A function, a set or a law with its arguments by name.
  void call(const ast::Expr& expr) {
    const auto length = static_cast<std::uint32_t>(expr.text.size());
    global(expr.text, {expr.span.begin, expr.span.begin + length, expr.span.file});
    const auto found = globals_.find(expr.text);
    for (const ast::Name& label : expr.names) {
      if (found == globals_.end() || label.text.empty()) continue;
      for (const Index argument : arguments_[found->second]) {
        if (table_.symbols[argument].name == label.text) used(argument, label.span);
      }
    }
    // The pressure of contensou(f, R, parabolic) is a word of the language.
    const bool word = found == globals_.end() && expr.text == "contensou" && expr.args.size() == 3;
    for (Index i = 0; i + (word ? 1 : 0) < expr.args.size(); ++i) expression(expr.args[i]);
  }

  void expression(const ast::Expr& expr) {
    switch (expr.kind) {
      case ast::ExprKind::name: name(expr.text, expr.span); return;
      case ast::ExprKind::call: call(expr); return;
      case ast::ExprKind::reduction: {  // the ends of a range belong to the model
        expression(expr.args[1]);
        expression(expr.args[2]);
        const Index outer = locals_.size();
        locals_.push_back(add_local(expr.names[0], Symbol::Kind::index, expr.span));
        expression(expr.args[0]);
        locals_.resize(outer);
        return;
      }
      case ast::ExprKind::gauge:
      case ast::ExprKind::support: {
        const Index outer = locals_.size();
        for (const ast::Name& variable : expr.names) {
          locals_.push_back(add_local(variable, Symbol::Kind::variable, expr.span));
        }
        for (const ast::Expr& arg : expr.args) expression(arg);
        locals_.resize(outer);
        return;
      }
      case ast::ExprKind::member: {  // what has members is declared in the model, whatever the locals are called
        const ast::Expr& owner = expr.args[0];
        const bool indexed = owner.kind == ast::ExprKind::index && owner.args[0].kind == ast::ExprKind::name;
        const ast::Expr& named = indexed ? owner.args[0] : owner;
        if (named.kind == ast::ExprKind::name) {
          global(named.text, named.span);
          for (Index i = 1; indexed && i < owner.args.size(); ++i) expression(owner.args[i]);
        } else {
          expression(owner);
        }
        for (Index i = 1; i < expr.args.size(); ++i) expression(expr.args[i]);
        if (named.kind == ast::ExprKind::name && !expr.called) force_of(named.text, expr);
        return;
      }
      default:
        for (const ast::Expr& arg : expr.args) expression(arg);
    }
  }

  // contact.F is the force F of one of its laws.
  void force_of(const std::string& contact, const ast::Expr& member) {
    const auto laws = laws_of_.find(contact);
    if (laws == laws_of_.end()) return;
    for (const std::string& name : laws->second) {
      const auto law = globals_.find(name);
      if (law == globals_.end()) continue;
      for (const Index force : forces_of_[law->second]) {
        const auto length = static_cast<std::uint32_t>(member.text.size());
        if (table_.symbols[force].name == member.text)
          return used(force, {member.span.end - length, member.span.end, member.span.file});
      }
    }
  }

  // The ends of a range belong to the model, its variable to the declaration.
  void range(const ast::Part<ast::IndexRange>& range, const ast::Declaration& d) {
    if (!range) return;
    expression(range->first);
    expression(range->last);
    locals_.push_back(add_local(range->variable, Symbol::Kind::index, d.span));
  }

  void let(const ast::Let& let, const ast::Declaration& d) {
    expression(let.value);
    locals_.push_back(add_local(let.name, Symbol::Kind::let, d.span));
  }

  void items(const std::vector<ast::ContactItem>& items, const ast::Declaration& d) {
    in_contact_ = true;
    for (const ast::ContactItem& item : items) {
      std::visit(Overload{[&](const ast::Let& v) { let(v, d); }, [&](const ast::LawUse& v) { call(v.call); },
                          [&](const ast::ContactQuantity& v) { expression(v.value); }},
                 item);
    }
  }

  void arguments(const std::vector<ast::Parameter>& parameters, const ast::Declaration& d) {
    locals_ = inside_[&d];
    for (const ast::Parameter& parameter : parameters) part(parameter.default_value);
  }

  void law(const ast::Law& law, const ast::Declaration& d) {
    in_contact_ = true;
    arguments(law.parameters, d);
    for (const ast::LawItem& item : law.items) {
      std::visit(Overload{[&](const ast::Let& v) { let(v, d); }, [&](const ast::LawForce& v) { part(v.size); },
                          [&](const ast::Inclusion& v) {
                            expression(v.left);
                            expression(v.cone);
                            part(v.restitution);
                          }},
                 item);
    }
  }

  void assignments(const std::vector<ast::Assignment>& list) {
    for (const ast::Assignment& assignment : list) {
      name(assignment.target);
      expression(assignment.value);
    }
  }

  void walk(const ast::Declaration& d) {
    locals_.clear();
    in_contact_ = false;
    std::visit(Overload{[&](const ast::Import&) {},
                        [&](const ast::Param& v) {
                          expression(v.value);
                          if (v.bounds) expression(v.bounds->least), expression(v.bounds->greatest);
                        },
                        [&](const ast::State& v) {
                          part(v.initial);
                          name(v.rated);
                          expression(v.rate);
                        },
                        [&](const ast::Discrete& v) { part(v.initial); },
                        [&](const ast::Table& v) { part(v.values); },
                        [&](const ast::When& v) {
                          expression(v.condition);
                          assignments(v.assignments);
                        },
                        [&](const ast::Every& v) {
                          expression(v.interval);
                          assignments(v.assignments);
                        },
                        [&](const ast::Stop& v) { expression(v.condition); },
                        [&](const ast::Let& v) { expression(v.value); },
                        [&](const ast::Function& v) {
                          arguments(v.parameters, d);
                          expression(v.body);
                        },
                        [&](const ast::SetDefinition& v) {
                          arguments(v.parameters, d);
                          expression(v.value);
                        },
                        [&](const ast::Law& v) { law(v, d); },
                        [&](const ast::Coord& v) {
                          range(v.range, d);
                          part(v.initial);
                        },
                        [&](const ast::Velocity& v) { part(v.initial); },
                        [&](const ast::Kinematics& v) {
                          name(v.coord);
                          expression(v.rate);
                        },
                        [&](const ast::Initial& v) {
                          name(v.name);
                          range(v.range, d);
                          expression(v.value);
                        },
                        [&](const ast::Kinetic& v) {
                          range(v.range, d);
                          expression(v.energy);
                        },
                        [&](const ast::Potential& v) {
                          range(v.range, d);
                          expression(v.energy);
                        },
                        [&](const ast::Dissipation& v) {
                          range(v.range, d);
                          expression(v.potential);
                        },
                        [&](const ast::Force& v) {
                          name(v.target);
                          range(v.range, d);
                          part(v.index);
                          part(v.at);
                          expression(v.value);
                        },
                        [&](const ast::ForceVector& v) { expression(v.value); },
                        [&](const ast::Mass& v) { expression(v.matrix); },
                        [&](const ast::Contact& v) {
                          range(v.range, d);
                          if (v.pair) use(v.pair->first);
                          if (v.pair) use(v.pair->second);
                          part(v.active);
                          items(v.items, d);
                        },
                        [&](const ast::Constraint& v) {
                          range(v.range, d);
                          part(v.active);
                          items(v.items, d);
                        },
                        [&](const ast::Joint& v) {
                          range(v.range, d);
                          constructor(v.call);
                          part(v.active);
                          items(v.items, d);
                        },
                        [&](const ast::Body& v) {
                          range(v.range, d);
                          constructor(v.call);
                        },
                        [&](const ast::Shape& v) {
                          range(v.range, d);
                          constructor(v.call);
                          if (v.body) use(*v.body);
                          part(v.at);
                        },
                        [&](const ast::Spring& v) {
                          range(v.range, d);
                          if (v.joint) use(*v.joint);
                          for (const auto* value : {&v.from, &v.to, &v.stiffness, &v.rest, &v.damping}) part(*value);
                        },
                        [&](const ast::Draw& v) {
                          range(v.range, d);
                          constructor(v.call);
                          for (const auto* value : {&v.at, &v.along, &v.turned}) part(*value);
                        },
                        [&](const ast::Gravity& v) { expression(v.value); },
                        [&](const ast::Output& v) {
                          range(v.range, d);
                          expression(v.value);
                        },
                        [&](const ast::Simulate& v) {
                          for (const ast::Setting& setting : v.settings) {  // `method rk`: not a name of the model
                            const auto known = find_setting(setting.name.text);
                            if (!known || row(*known).kind != SettingKind::word) expression(setting.value);
                          }
                        }},
               d.value);
  }

  // rigid(...), sphere(...), revolute(...): the kind is a word of the language, its arguments are expressions.
  void constructor(const ast::Expr& call) {
    for (const ast::Expr& arg : call.args) expression(arg);
  }

  const SourceModels& models_;
  SymbolTable table_;
  std::map<std::string, Index, std::less<>> globals_, forces_;
  std::unordered_map<Index, std::vector<Index>> arguments_;                 // by the function, set or law
  std::unordered_map<Index, std::vector<Index>> forces_of_;                 // by the law
  std::map<std::string, std::vector<std::string>, std::less<>> laws_of_;    // by the contact, constraint or joint
  std::unordered_map<const ast::Declaration*, std::vector<Index>> inside_;  // its arguments and forces
  std::vector<Index> locals_;                                               // innermost last
  bool in_contact_ = false;  // gap, slip, spin and roll mean those of the contact
};

bool covers(Span span, FileId file, std::uint32_t offset) {
  return span.file == file && span.begin <= offset && offset < span.end;
}

}  // namespace

std::string_view text(Symbol::Kind kind) {
  static constexpr std::string_view kTexts[] = {
      "parameter", "input", "let",   "coordinate", "velocity",   "state", "discrete", "table",
      "function",  "set",   "law",   "contact",    "constraint", "joint", "spring",   "damper",
      "output",    "body",  "shape", "drawing",    "argument",   "force", "index",    "variable"};
  static_assert(std::size(kTexts) == static_cast<std::size_t>(Symbol::Kind::variable) + 1);
  return kTexts[static_cast<std::size_t>(kind)];
}

const Symbol* SymbolTable::find(std::string_view name) const {
  const auto found = std::find_if(symbols.begin(), symbols.end(),
                                  [&](const Symbol& symbol) { return !symbol.local && symbol.name == name; });
  return found == symbols.end() ? nullptr : &*found;
}

const Symbol* SymbolTable::at(FileId file, std::uint32_t offset) const {
  const auto here = [&](const Symbol& symbol) {
    return covers(symbol.declared, file, offset) ||
           std::any_of(symbol.uses.begin(), symbol.uses.end(),
                       [&](const Span& span) { return covers(span, file, offset); });
  };
  // A contact without a name is declared by its two shapes, whose names are theirs.
  const Symbol* found = nullptr;
  for (const Symbol& symbol : symbols) {
    if (here(symbol) && (found == nullptr || found->kind == Symbol::Kind::contact)) found = &symbol;
  }
  return found;
}

SymbolTable declared_symbols(const SourceModels& models) { return Collector(models).run(); }

}  // namespace nsmc
