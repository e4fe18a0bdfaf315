#include "compiler/api/editing/symbol_text.hpp"

#include <fmt/core.h>

#include "compiler/support/diagnostics.hpp"

namespace nsmc {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

// The comment at the end of the line where it begins, else the lines of comments directly above.
std::string comment_of(std::string_view whole, const Place& declaration) {
  const std::size_t end = std::min(whole.find('\n', declaration.begin), whole.size());
  const std::string_view line = whole.substr(declaration.begin, end - declaration.begin);
  if (const std::size_t comment = line.find("//"); comment != line.npos)
    return std::string(trimmed(line.substr(comment + 2)));
  std::string above;
  std::size_t begin = whole.rfind('\n', declaration.begin);
  while (begin != whole.npos && begin > 0) {
    const std::size_t before = whole.rfind('\n', begin - 1);
    const std::size_t first = before == whole.npos ? 0 : before + 1;
    const std::string_view one = trimmed(whole.substr(first, begin - first));
    if (!one.starts_with("// ")) break;
    above = std::string(trimmed(one.substr(2))) + (above.empty() ? "" : " ") + above;
    begin = before;
  }
  return above;
}

}  // namespace

std::string short_text(const SymbolInfo& symbol) {
  std::string text = symbol.kind;
  if (!symbol.type.empty() && symbol.type != "a number") text += ", " + symbol.type;
  const std::optional<double> value = symbol.value_in_unit ? symbol.value_in_unit : symbol.value;
  if (value) text += fmt::format(" = {:.6g}", *value);
  if (!symbol.unit.empty()) text += fmt::format(" [{}]", symbol.unit);
  return text;
}

std::string signature_text(const SymbolInfo& symbol) {
  // Functions of the library are parsed when they are needed: their arguments stand in its text.
  if (symbol.library) {
    const std::string_view text = library_text(symbol.declared.file);
    const std::size_t first = symbol.declared.begin, after = symbol.declared.end;
    if (after < text.size() && text[after] == '(')
      return std::string(text.substr(first, text.find(')', after) + 1 - first));
  }
  std::vector<std::string> arguments = symbol.arguments;
  return arguments.empty() ? symbol.name : fmt::format("{}({})", symbol.name, joined(arguments));
}

std::string doc_text(const SymbolInfo& symbol) {
  if (!symbol.doc.empty() || !symbol.library || symbol.local) return symbol.doc;
  const std::string_view text = library_text(symbol.declared.file);
  return text.empty() ? "" : comment_of(text, symbol.declaration);
}

}  // namespace nsmc
