// The declarations of a text, and what of it can be folded.
#include <algorithm>

#include "compiler/lsp/features/feature.hpp"

namespace nsmc::lsp {
namespace {

// SymbolKind of the protocol.
int symbol_kind(const std::string& kind) {
  struct Row {
    std::string_view kind;
    int symbol;
  };
  static constexpr Row kRows[] = {
      {"parameter", 14},  {"let", 13},     {"coordinate", 8}, {"velocity", 8}, {"state", 8},  {"discrete", 8},
      {"input", 14},      {"table", 12},   {"function", 12},  {"set", 10},     {"law", 5},    {"contact", 24},
      {"constraint", 24}, {"joint", 23},   {"spring", 23},    {"damper", 23},  {"output", 7}, {"body", 19},
      {"shape", 19},      {"drawing", 19}, {"argument", 13},  {"force", 13}};
  const auto row = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& one) { return one.kind == kind; });
  return row == std::end(kRows) ? 13 : row->symbol;
}

}  // namespace

Json document_symbols(const Session& session, const Json& params) {
  const Subject subject = session.fresh_subject(params);
  const std::vector<SymbolInfo>& symbols = subject.names().symbols;
  const auto range = [&](const Place& place) { return json_of(session.range(subject, place.begin, place.end)); };
  const auto is_here = [&](const SymbolInfo& s) { return s.declared.file == subject.names().file && !s.name.empty(); };
  // Forces and lets, in the order of the text: those of a declaration stand together.
  std::vector<const SymbolInfo*> inside;
  for (const SymbolInfo& s : symbols) {
    if (s.local && (s.kind == "force" || s.kind == "let") && is_here(s)) inside.push_back(&s);
  }
  const auto begins_before = [](const SymbolInfo* s, std::uint32_t offset) { return s->declared.begin < offset; };
  std::sort(inside.begin(), inside.end(),
            [&](const SymbolInfo* a, const SymbolInfo* b) { return begins_before(a, b->declared.begin); });
  Json list = Json::array();
  for (const SymbolInfo& s : symbols) {
    if (!is_here(s) || (s.local && s.kind != "drawing")) continue;
    Json one{{"name", s.name}, {"kind", symbol_kind(s.kind)}};
    if (!session.client.nested_symbols) {
      one["location"] = {{"uri", subject.document->uri}, {"range", range(s.declaration)}};
      list.push_back(std::move(one));
      continue;
    }
    const bool named = s.declared.begin < s.declared.end;
    one["detail"] = s.doc.empty() ? s.kind : s.doc;
    one["range"] = range(s.declaration);
    one["selectionRange"] = range(named ? s.declared : s.declaration);
    Json children = Json::array();
    const auto first = std::lower_bound(inside.begin(), inside.end(), s.declaration.begin, begins_before);
    for (auto at = first; at != inside.end() && (*at)->declared.end <= s.declaration.end; ++at) {
      const SymbolInfo& inner = **at;
      children.push_back({{"name", inner.name},
                          {"kind", symbol_kind(inner.kind)},
                          {"detail", inner.kind},
                          {"range", range(inner.declared)},
                          {"selectionRange", range(inner.declared)}});
    }
    if (!children.empty()) one["children"] = std::move(children);
    list.push_back(std::move(one));
  }
  return list;
}

Json folding_ranges(const Session& session, const Json& params) {
  const Document* document = session.documents.find(params.at("textDocument").at("uri").get<std::string>());
  if (document == nullptr) throw Refusal{kInvalidParams, "the document is not open"};
  Json list = Json::array();
  for (const Fold& fold : folds(document->text->text)) {
    Json one{{"startLine", fold.first_line}, {"endLine", fold.last_line}};
    if (fold.comment) one["kind"] = "comment";
    list.push_back(std::move(one));
  }
  return list;
}

}  // namespace nsmc::lsp
