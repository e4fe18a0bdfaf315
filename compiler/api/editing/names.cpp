// The names of a text: parsed as far as it can be, checked, no further.
#include <algorithm>

#include "compiler/api/load.hpp"
#include "compiler/api/place_infos.hpp"
#include "compiler/api/simulation_setup.hpp"
#include "compiler/api/standard_library.hpp"
#include "compiler/model/check.hpp"
#include "compiler/syntax/format.hpp"
#include "compiler/syntax/source_tokens.hpp"
#include "nsmc/editing.hpp"

namespace nsmc {

Names names_of(const std::string& text, const std::string& file, const ModelOptions& options) {
  ModelSource source(file, text, options.files);
  source.import_paths = options.import_paths;
  Sources sources;
  Diagnostics of_syntax, of_check;
  const SourceModels models = load_partly(source, sources, of_syntax);
  SymbolTable table;
  check(models, of_check, GivenParameters(options.overrides).values(), &table);
  Names names;
  names.file = file;
  names.symbols = symbol_infos(table, sources);
  names.diagnostics = diagnostic_infos(of_syntax, sources);
  // What check misses may be in the declarations that could not be read.
  if (!of_syntax.has_errors()) {
    for (DiagnosticInfo& d : diagnostic_infos(of_check, sources)) names.diagnostics.push_back(std::move(d));
  }
  names.ok = !of_syntax.has_errors() && !of_check.has_errors();
  return names;
}

const SymbolInfo* symbol_at(const std::vector<SymbolInfo>& symbols, const std::string& file, std::uint32_t offset) {
  // The end counts, too: the cursor behind a word means the word; but what begins there comes first.
  const auto covers = [&](const Place& place, bool with_end) {
    return place.begin < place.end && place.begin <= offset &&
           (offset < place.end || (with_end && offset == place.end)) && place.file == file;
  };
  for (const bool with_end : {false, true}) {
    // A contact without a name is declared by its two shapes, whose names are theirs.
    const SymbolInfo* found = nullptr;
    for (const SymbolInfo& symbol : symbols) {
      const bool here =
          covers(symbol.declared, with_end) ||
          std::any_of(symbol.uses.begin(), symbol.uses.end(), [&](const Place& use) { return covers(use, with_end); });
      if (here && (found == nullptr || found->kind == "contact")) found = &symbol;
    }
    if (found != nullptr) return found;
  }
  return nullptr;
}

std::optional<std::string> formatted(const std::string& text) {
  Sources sources;
  Diagnostics diagnostics;
  return format(sources, sources.add("", text), diagnostics);
}

std::string_view library_text(const std::string& file) {
  for (const LibraryFile& one : standard_library()) {
    if (one.name == file) return one.text;
  }
  return {};
}

bool is_name(const std::string& text) {
  const std::vector<SourceToken> tokens = source_tokens("let " + text);
  if (tokens.size() != 2 || tokens[1].kind != TokenKind::name) return false;
  if (tokens[1].end - tokens[1].begin != text.size()) return false;
  return find_invalid_utf8(text) == std::string_view::npos;
}

}  // namespace nsmc
