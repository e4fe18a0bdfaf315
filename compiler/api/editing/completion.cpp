// What may be written at a place: first which kinds of things fit there, from the tokens before it, then their names.
#include <algorithm>
#include <array>
#include <set>

#include "compiler/api/editing/cursor.hpp"
#include "compiler/api/editing/symbol_text.hpp"
#include "compiler/api/editing/words.hpp"

namespace nsmc {
namespace {

using Strings = std::vector<std::string_view>;

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

// The clauses that may follow in a declaration after an operand.
Strings clauses_of(std::string_view declaration) {
  if (declaration == "param" || declaration == "input") return {"in"};
  if (declaration == "shape") return {"on", "at"};
  if (declaration == "contact") return {"on", "for", "while"};
  if (declaration == "joint" || declaration == "constraint") return {"while"};
  if (declaration == "table") return {"beyond"};
  if (declaration == "spring") return {"between", "and", "on", "stiffness", "length", "angle", "damping"};
  if (declaration == "damper") return {"between", "and", "on", "damping"};
  if (declaration == "draw") return {"at", "along", "turned", "color"};
  if (declaration == "force") return {"at", "for"};
  if (is_one_of(declaration, {"torque", "kinetic", "potential", "dissipation"})) return {"for"};
  return {};
}

class Completer {
 public:
  Completer(std::string_view text, std::uint32_t offset, const Names& names)
      : cursor_(text, offset), names_(names), offset_(offset) {}

  Completions run() {
    Completions result{cursor_.begin(), cursor_.end(), {}};
    if (cursor_.in_string()) {
      if (cursor_.before() == "color") group("color", 0);
      result.begin = cursor_.end();
    } else if (!cursor_.silent()) {
      find();
    }
    result.items = std::move(items_);
    std::stable_sort(result.items.begin(), result.items.end(),
                     [](const Completion& a, const Completion& b) { return a.rank < b.rank; });
    return result;
  }

 private:
  enum Rank { kLocal, kFitting, kModel, kLanguage, kLibrary, kOther };

  // --------------------------------------------------------------------------------------------------- where it is

  void find() {
    if (cursor_.before() == ".") return members(cursor_.owner());
    if (cursor_.depth() == 0) return outside();
    switch (*cursor_.enclosure()) {
      case Enclosure::unit: return group("unit", kFitting);
      case Enclosure::call: return in_call();
      case Enclosure::body: return in_body();
      default: return operand_or({"in", "and", "or"});
    }
  }

  // Where an operand is complete its continuation, elsewhere a value.
  void operand_or(const Strings& continuation) {
    if (cursor_.after_operand()) return keywords(continuation, kFitting);
    values();
  }

  void outside() {
    const std::string_view declaration = cursor_.declaration(), before = cursor_.before();
    const SourceToken* last = cursor_.token();
    if (last == nullptr) return declarations(kFitting);
    if (last->declares) return target(declaration);
    if (cursor_.after_operand() || last->kind == TokenKind::string) {
      if (!cursor_.begins_line()) keywords(clauses_of(declaration), kFitting);
      declarations(cursor_.begins_line() ? kFitting : kOther);
      if (cursor_.begins_line()) keywords(clauses_of(declaration), kOther);
      return;
    }
    if (before == "color") return;
    if (before == "on") return on(declaration);
    if (before == "=") {
      for (const std::string_view kind : {"body", "shape", "joint"}) {
        if (declaration == kind) return group(kind, kFitting);
      }
      if (declaration == "draw") return group("drawing", kFitting);
      if (declaration == "contact") return symbols({"shape", "body"}, kFitting);
      if (declaration == "set") sets();
    }
    if (declaration == "set" || declaration == "let" || declaration == "fn") sets();
    values();
  }

  // Directly behind the keyword of a declaration. Most introduce a name, which is new.
  void target(std::string_view declaration) {
    if (declaration == "initial") return symbols({"coordinate", "velocity"}, kFitting);
    if (declaration == "kinematics") return symbols({"coordinate"}, kFitting);
    if (declaration == "contact") return symbols({"shape", "body"}, kFitting);
    if (declaration == "torque") return symbols({"body"}, kFitting);
    if (declaration == "force") {
      symbols({"coordinate", "velocity", "body"}, kFitting);
      return values();
    }
    if (declaration == "stop") return keywords({"when"}, kFitting);
    if (is_one_of(declaration, {"kinetic", "potential", "dissipation", "mass", "gravity", "when", "every"})) values();
  }

  void on(std::string_view declaration) {
    if (declaration == "shape") return symbols({"body"}, kFitting);
    if (declaration == "contact") return symbols({"shape", "body"}, kFitting);
    symbols({"joint"}, kFitting);
  }

  void in_body() {
    const std::string_view opener = cursor_.opener(), declaration = cursor_.declaration();
    if (opener == "piecewise" || cursor_.depth() > 1 || is_one_of(declaration, {"set", "let", "fn", "param"})) {
      if (opener == "piecewise") keywords({"else"}, kFitting);
      return operand_or({"and", "or", "else"});
    }
    if (declaration == "simulate") return in_simulate();
    if (declaration == "law") return in_law();
    in_contact();
  }

  void in_contact() {
    const std::string_view before = cursor_.before();
    if (before == "law") return symbols({"law"}, kFitting);
    if (before == "let") return;
    const bool of_shapes =
        std::any_of(cursor_.declaration_begin(), cursor_.declaration_end(),
                    [&](const SourceToken& token) { return !token.within && cursor_.text(token) == "on"; });
    if (before == "{" || cursor_.after_operand()) {
      keywords({"law", "let"}, kFitting);
      if (!of_shapes && cursor_.declaration() != "joint") keywords({"gap", "slip", "spin", "roll"}, kFitting);
      return;
    }
    values();
  }

  void in_law() {
    const std::string_view before = cursor_.before();
    if (is_one_of(before, {"let", "force"})) return;
    if (before == "solve") return choices({"direct", "transformed"});
    if (before == "in") return words_named("function", {"normal_cone"}, kFitting);
    if (before == "{" || cursor_.begins_line()) keywords({"force", "let"}, kFitting);
    if (cursor_.after_operand() && !cursor_.begins_line())
      return keywords({"in", "restitution", "solve", "let"}, kFitting);
    values();
  }

  // Names and values in turns.
  void in_simulate() {
    const SourceToken* last = cursor_.token();
    if (last != nullptr && last->kind == TokenKind::name) {
      const Word* setting = find_word("setting", cursor_.before());
      if (setting != nullptr && setting->arguments.empty()) return values();
      if (setting != nullptr) return choices({setting->arguments.begin(), setting->arguments.end()});
    }
    group("setting", kFitting);
  }

  void in_call() {
    const std::string_view callee = cursor_.opener();
    if (cursor_.after_operand()) return;
    if (cursor_.begins_argument()) labels(callee);
    const bool first = cursor_.argument() == 0;
    if (find_word("joint", callee) != nullptr && cursor_.declaration() == "joint" && cursor_.argument() < 2) {
      symbols({"body"}, kFitting);
      return words_named("constant", {"world"}, kFitting);
    }
    if ((is_one_of(callee, {"normal_cone", "gauge"}) && first) ||
        is_one_of(callee, {"product", "intersect", "union"}) || takes_set(callee)) {
      sets();
    }
    if (callee == "contensou" && cursor_.argument() == 2) return choices({"parabolic", "uniform"});
    values();
  }

  // Arguments of laws that are sets, by the custom of giving them a capital letter.
  bool takes_set(std::string_view callee) const {
    const SymbolInfo* law = symbol(callee);
    if (law == nullptr || law->kind != "law") return false;
    const std::string_view label = cursor_.label();
    const auto& arguments = law->arguments;
    const std::string_view name = !label.empty() ? label
                                  : cursor_.argument() < arguments.size()
                                      ? std::string_view(arguments[cursor_.argument()])
                                      : std::string_view();
    return name == "C" || name == "D";
  }

  // -------------------------------------------------------------------------------------------------- what fits there

  const SymbolInfo* symbol(std::string_view name) const {
    const auto found = std::find_if(names_.symbols.begin(), names_.symbols.end(),
                                    [&](const SymbolInfo& s) { return !s.local && s.name == name; });
    return found == names_.symbols.end() ? nullptr : &*found;
  }

  void add(Completion item) {
    if (!item.text.empty() && seen_.insert(item.text).second) items_.push_back(std::move(item));
  }

  void add(const Word& word, int rank) {
    add({word.name, word.group, word.form == word.name ? "" : word.form, word.doc, rank});
  }

  void add(const SymbolInfo& s, int rank) {
    const std::string detail = s.arguments.empty() ? short_text(s) : signature_text(s);
    add({s.name, s.kind, detail, doc_text(s), s.library ? std::max<int>(rank, kLibrary) : rank});
  }

  void group(std::string_view name, int rank) {
    for (const Word& word : words()) {
      if (word.group == name) add(word, rank);
    }
  }

  void words_named(std::string_view group, const Strings& list, int rank) {
    for (const std::string_view name : list) {
      if (const Word* word = find_word(group, name)) add(*word, rank);
    }
  }

  void keywords(const Strings& list, int rank) { words_named("keyword", list, rank); }
  void choices(const Strings& list) { words_named("choice", list, kFitting); }

  void declarations(int rank) {
    for (const std::string& name : declaration_keywords()) words_named("keyword", {name}, rank);
  }

  void symbols(const Strings& kinds, int rank) {
    for (const SymbolInfo& s : names_.symbols) {
      if (!s.local && std::find(kinds.begin(), kinds.end(), s.kind) != kinds.end()) add(s, rank);
    }
  }

  void sets() {
    symbols({"set"}, kFitting);
    group("set", kFitting);
    keywords({"gauge", "support"}, kFitting);
  }

  // Everything that an expression can begin with.
  void values() {
    locals();
    symbols({"parameter", "let", "coordinate", "velocity", "state", "discrete", "input", "body", "contact",
             "constraint", "joint", "function", "table"},
            kModel);
    group("constant", kLanguage);
    group("function", kLanguage);
    keywords({"piecewise", "not", "gauge"}, kLanguage);
  }

  void labels(std::string_view callee) {
    std::vector<std::string> arguments;
    if (const SymbolInfo* s = symbol(callee)) {
      arguments = s->arguments;
    } else {
      for (const std::string_view kind : {"body", "shape", "joint", "drawing"}) {
        const bool here = cursor_.declaration() == (kind == "drawing" ? "draw" : kind);
        const Word* word = here ? find_word(kind, callee) : nullptr;
        if (word != nullptr) arguments = word->arguments;
      }
    }
    for (const std::string& argument : arguments) {
      if (!is_one_of(argument, {"first", "second"}) || find_word("joint", callee) == nullptr)
        add({argument + " = ", "label", "argument of " + std::string(callee), "", kLocal});
    }
  }

  void members(std::string_view owner) {
    if (owner == "world") return words_named("member", {"point"}, kFitting);
    for (const SymbolInfo& s : names_.symbols) {
      if (s.local || s.name != owner) continue;
      for (const std::string& member : s.members) {
        const Word* word = find_word("member", member);
        add({member, "member", word != nullptr ? word->form : "force", word != nullptr ? word->doc : "", kFitting});
      }
    }
  }

  // Names that only this declaration knows: read from its tokens, since it may be broken.
  void locals() {
    const std::string_view declaration = cursor_.declaration();
    const bool has_parameters = is_one_of(declaration, {"fn", "law", "set"});
    const bool law = declaration == "law";
    std::size_t deep = 0;
    bool in_forces = false, in_header = has_parameters;
    for (const SourceToken* token = cursor_.declaration_begin(); token < cursor_.declaration_end(); ++token) {
      const std::string_view text = cursor_.text(*token);
      const std::string_view next = token + 1 < cursor_.declaration_end() ? cursor_.text(token[1]) : std::string_view();
      const std::string_view last = token > cursor_.declaration_begin() ? cursor_.text(token[-1]) : std::string_view();
      if (token->kind == TokenKind::opening) ++deep;
      if (token->kind == TokenKind::closing) in_header = --deep > 0 && in_header;
      if (text == "{") in_header = false;
      if (token->kind == TokenKind::keyword) in_forces = law && text == "force";
      if (token->kind != TokenKind::name && token->kind != TokenKind::label) continue;
      const bool parameter = in_header && deep == 1 && is_one_of(last, {"(", ","});
      const bool index = next == "in" && token->within == Enclosure::index && deep == 1;
      const bool looped = next == "in" && last == "for";
      const bool force = in_forces && deep == 1 && is_one_of(last, {"force", ","});
      if (parameter) add({std::string(text), "argument", "argument", "", kLocal});
      if (index || looped) add({std::string(text), "index", "index", "", kLocal});
      if (force) add({std::string(text), "force", "force of the law", "", kLocal});
      if (last == "let" && deep > 0) add({std::string(text), "let", "let", "", kLocal});
    }
    if (is_one_of(declaration, {"law", "contact", "constraint", "joint"}))
      words_named("member", {"gap", "slip", "spin", "roll"}, kLocal);
    if (!law) return;
    // Forces of laws before it in a contact.
    for (const SymbolInfo& s : names_.symbols) {
      if (s.kind == "force") add({s.name, s.kind, "force of another law", "", kModel});
    }
  }

  Cursor cursor_;
  const Names& names_;
  std::uint32_t offset_;
  std::vector<Completion> items_;
  std::set<std::string> seen_;
};

}  // namespace

Completions complete(const std::string& text, std::uint32_t offset, const Names& names) {
  return Completer(text, offset, names).run();
}

}  // namespace nsmc
