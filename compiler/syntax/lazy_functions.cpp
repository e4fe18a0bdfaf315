#include "compiler/syntax/lazy_functions.hpp"

#include "compiler/support/diagnostics.hpp"
#include "compiler/support/internal_check.hpp"
#include "compiler/syntax/parse.hpp"

namespace nsmc {
namespace {

constexpr std::string_view kKeyword = "fn ";

// Where the next line that begins with `fn` does; the end of the text if there is none.
std::size_t next_function(std::string_view text, std::size_t from) {
  for (std::size_t at = text.find(kKeyword, from); at != text.npos; at = text.find(kKeyword, at + 1)) {
    if (at == 0 || text[at - 1] == '\n') return at;
  }
  return text.size();
}

}  // namespace

LazyFunctions::LazyFunctions(const Sources& sources, FileId file) : sources_(&sources) {
  const std::string_view text = sources.file(file).text();
  const auto span = [&](std::size_t begin, std::size_t end) {
    return Span{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), file};
  };
  for (std::size_t at = next_function(text, 0); at < text.size();) {
    const std::size_t next = next_function(text, at + 1);
    const std::size_t name = at + kKeyword.size();
    const std::size_t parenthesis = text.find('(', name);
    internal_check(parenthesis < next, "a function of the standard library has no parameters");
    Entry entry{span(name, parenthesis), span(at, next), nullptr};
    const bool added = entries_.emplace(text.substr(name, parenthesis - name), std::move(entry)).second;
    internal_check(added, "the standard library has two functions of one name");
    at = next;
  }
}

const ast::Function* LazyFunctions::find(std::string_view name) {
  const auto found = entries_.find(name);
  if (found == entries_.end()) return nullptr;
  Entry& entry = found->second;
  if (entry.parsed == nullptr) {
    Diagnostics diagnostics;
    auto part = parse(*sources_, entry.declaration, diagnostics);
    internal_check(part && part->declarations.size() == 1, "the standard library does not parse");
    auto* function = std::get_if<ast::Function>(&part->declarations.front().value);
    internal_check(function != nullptr, "the standard library does not parse");
    entry.parsed = std::make_unique<ast::Function>(std::move(*function));
  }
  return entry.parsed.get();
}

}  // namespace nsmc
