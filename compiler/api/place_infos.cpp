#include "compiler/api/place_infos.hpp"

namespace nsmc {

Place place_of(const Sources& sources, Span span) {
  const SourceFile& file = sources.file(span.file);
  const Position first = file.position(span.begin), last = file.position(span.end);
  return {file.name(), first.line, first.column, last.line, last.column, span.begin, span.end};
}

std::vector<DiagnosticInfo> diagnostic_infos(const Diagnostics& diagnostics, const Sources& sources) {
  std::vector<DiagnosticInfo> list;
  for (const Diagnostic& d : diagnostics.sorted()) {
    const CatalogueEntry& kind = entry(d.kind);
    DiagnosticInfo& info = list.emplace_back();
    info.code = kind.code;
    info.name = kind.name;
    info.error = kind.severity == Severity::error;
    info.message = d.message;
    info.place = place_of(sources, d.span);
    for (const Label& label : d.labels) info.notes.push_back({place_of(sources, label.span), label.text});
    info.hint = d.hint;
    if (d.replacement) info.replacement = {place_of(sources, d.replacement->span), d.replacement->text};
  }
  return list;
}

std::vector<SymbolInfo> symbol_infos(const SymbolTable& table, const Sources& sources) {
  std::vector<SymbolInfo> list;
  for (const Symbol& symbol : table.symbols) {
    SymbolInfo& info = list.emplace_back();
    info.name = symbol.name;
    info.kind = text(symbol.kind);
    info.declared = place_of(sources, symbol.declared);
    info.declaration = place_of(sources, symbol.declaration);
    for (const Span& use : symbol.uses) info.uses.push_back(place_of(sources, use));
    info.doc = symbol.doc;
    info.type = symbol.type;
    info.unit = symbol.unit;
    info.value = symbol.value;
    info.value_in_unit = symbol.value_in_unit;
    info.arguments = symbol.arguments;
    info.members = symbol.members;
    info.local = symbol.local;
    info.array = symbol.array;
    info.library = symbol.library;
  }
  return list;
}

}  // namespace nsmc
