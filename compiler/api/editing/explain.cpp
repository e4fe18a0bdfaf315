// What a word means, and the call that is being written.
#include <fmt/core.h>

#include <algorithm>

#include "compiler/api/editing/cursor.hpp"
#include "compiler/api/editing/symbol_text.hpp"
#include "compiler/api/editing/words.hpp"
#include "compiler/model/dimension.hpp"

namespace nsmc {
namespace {

std::string number_text(double value) { return fmt::format("{:.6g}", value); }

// "parameter m = 2 [kg]"
std::string title_of(const SymbolInfo& s) {
  const bool called = !s.arguments.empty() || s.kind == "function" || s.kind == "table";
  std::string title = s.kind + " " + (called ? signature_text(s) : s.name);
  const std::optional<double> value = s.value_in_unit ? s.value_in_unit : s.value;
  const bool starts = s.kind == "coordinate" || s.kind == "velocity" || s.kind == "state" || s.kind == "discrete";
  if (value && !starts) title += " = " + number_text(*value);
  if (!s.unit.empty()) title += fmt::format(" [{}]", s.unit);
  return title;
}

void add_line(std::string& text, const std::string& line) {
  if (line.empty()) return;
  if (!text.empty()) text += '\n';
  text += line;
}

std::string more_of(const SymbolInfo& s) {
  std::string text;
  add_line(text, doc_text(s));
  if (!s.type.empty() && s.type != "a number") add_line(text, s.type);
  const bool starts = s.kind == "coordinate" || s.kind == "velocity" || s.kind == "state" || s.kind == "discrete";
  if (starts && s.value_in_unit && *s.value_in_unit != 0)
    add_line(text, "starts at " + number_text(*s.value_in_unit) + (s.unit.empty() ? "" : " " + s.unit));
  if (s.value && s.value_in_unit && *s.value != *s.value_in_unit && *s.value != 0)
    add_line(text, "in SI: " + number_text(*s.value));
  if (!s.members.empty()) {
    std::string members;
    for (const std::string& member : s.members) members += (members.empty() ? "" : ", ") + member;
    add_line(text, "it has " + members);
  }
  if (s.library) add_line(text, "of the standard library");
  return text;
}

// floor of "floor[i]", the name that a contact is declared with.
bool is_contact(const ContactInfo& contact, const std::string& name) {
  return contact.name.substr(0, contact.name.find('[')) == name;
}

std::vector<std::string> formulas_of(const std::string& name, const std::vector<ContactInfo>& contacts) {
  std::vector<std::string> formulas;
  for (const ContactInfo& contact : contacts) {
    if (!is_contact(contact, name)) continue;
    for (const LawInfo& law : contact.laws) {
      formulas.push_back(law.name + ": " + law.text);
      for (const auto& [part, value] : law.parts) formulas.push_back("  " + part + " = " + value);
    }
  }
  return formulas;
}

// A member of a body or contact, or a word of the language.
std::optional<Explanation> explain_word(const Cursor& cursor, std::string_view written, std::uint32_t begin,
                                        std::uint32_t end, const std::vector<ContactInfo>& contacts) {
  Explanation found{begin, end, "", "", {}};
  if (const std::string_view owner = cursor.owner(); !owner.empty()) {
    if (const Word* word = find_word("member", written)) return Explanation{begin, end, word->form, word->doc, {}};
    for (const ContactInfo& contact : contacts) {
      for (const LawInfo& law : contact.laws) {
        for (const auto& [force, unit] : law.forces) {
          if (!is_contact(contact, std::string(owner)) || force.substr(0, force.find('[')) != written) continue;
          return Explanation{
              begin, end, fmt::format("force {}.{} [{}]", owner, written, unit), "of the law " + law.name, {law.text}};
        }
      }
    }
    return std::nullopt;
  }
  if (cursor.enclosure() == Enclosure::unit) {
    const auto unit = find_unit(written);
    if (!unit) return std::nullopt;
    found.title = fmt::format("unit {}", written);
    found.text = unit->dimension.is_dimensionless() ? "a pure number" : unit->dimension.description();
    if (unit->factor != 1) found.text += fmt::format(", {:.6g} in SI", unit->factor);
    return found;
  }
  const std::string_view declaration = cursor.declaration();
  const Word* word = nullptr;
  if (cursor.before() == "=" && cursor.depth() == 0)
    word = find_word(declaration == "draw" ? "drawing" : declaration, written);
  if (word == nullptr) {
    const bool of_run = declaration == "simulate" && cursor.depth() > 0;
    word = of_run ? find_word({"setting", "constant", "function"}, written)
                  : find_word({"keyword", "function", "set", "constant"}, written);
  }
  if (word == nullptr || (word->doc.empty() && word->form == word->name)) return std::nullopt;
  found.title = word->form;
  found.text = word->doc;
  return found;
}

const SymbolInfo* find_callable(const Names& names, std::string_view name) {
  for (const SymbolInfo& s : names.symbols) {
    if (!s.local && s.name == name && (s.kind == "function" || s.kind == "law" || s.kind == "set")) return &s;
  }
  return nullptr;
}

// The words between the parentheses of a form: "ball(r, n)" has r and n.
std::vector<std::string> arguments_in(const std::string& form) {
  std::vector<std::string> list;
  const std::size_t open = form.find('('), close = form.rfind(')');
  if (open == form.npos || close == form.npos || close < open) return list;
  std::string_view inside = std::string_view(form).substr(open + 1, close - open - 1);
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= inside.size(); ++i) {
    const char c = i < inside.size() ? inside[i] : ',';
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c != ',' || depth > 0) continue;
    std::string_view one = inside.substr(begin, i - begin);
    while (one.starts_with(' ')) one.remove_prefix(1);
    if (!one.empty()) list.emplace_back(one);
    begin = i + 1;
  }
  return list;
}

bool names_argument(const std::string& argument, std::string_view label) {
  return argument.substr(0, argument.find(' ')) == label;
}

}  // namespace

std::optional<Explanation> explain(const std::string& text, std::uint32_t offset, const Names& names,
                                   const std::vector<ContactInfo>& contacts) {
  // To the end of the word; a word is what Cursor says it is.
  std::uint32_t end = std::min(offset, static_cast<std::uint32_t>(text.size()));
  const auto of_word = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return std::isalnum(byte) != 0 || c == '_' || byte >= 0x80;
  };
  while (end < text.size() && of_word(text[end])) ++end;
  const Cursor cursor(text, end);
  if (cursor.silent() || cursor.begin() == cursor.end()) return std::nullopt;
  const std::string_view written = std::string_view(text).substr(cursor.begin(), cursor.end() - cursor.begin());
  const SymbolInfo* symbol = symbol_at(names.symbols, names.file, cursor.begin());
  if (symbol == nullptr || cursor.enclosure() == Enclosure::unit || !cursor.owner().empty()) {
    const auto found = explain_word(cursor, written, cursor.begin(), cursor.end(), contacts);
    if (found || symbol == nullptr) return found;
  }
  return Explanation{cursor.begin(), cursor.end(), title_of(*symbol), more_of(*symbol),
                     formulas_of(symbol->name, contacts)};
}

std::optional<Signature> signature_at(const std::string& text, std::uint32_t offset, const Names& names) {
  const Cursor cursor(text, offset);
  if (cursor.silent() || cursor.enclosure() != Enclosure::call) return std::nullopt;
  const std::string_view callee = cursor.opener();
  Signature signature;
  if (const SymbolInfo* symbol = find_callable(names, callee)) {
    signature.label = signature_text(*symbol);
    signature.doc = doc_text(*symbol);
  } else {
    const std::string_view declaration = cursor.declaration();
    const Word* word = find_word(declaration == "draw" ? "drawing" : declaration, callee);
    if (word == nullptr) word = find_word({"function", "set", "keyword"}, callee);
    if (word == nullptr) return std::nullopt;
    signature.label = word->form;
    signature.doc = word->doc;
  }
  signature.arguments = arguments_in(signature.label);
  if (signature.arguments.empty()) return std::nullopt;
  signature.active = std::min(cursor.argument(), signature.arguments.size() - 1);
  for (std::size_t i = 0; i < signature.arguments.size(); ++i) {
    if (!cursor.label().empty() && names_argument(signature.arguments[i], cursor.label())) signature.active = i;
  }
  return signature;
}

}  // namespace nsmc
