// Completion and the signature of the call that is being written.
#include <algorithm>

#include "compiler/lsp/features/feature.hpp"

namespace nsmc::lsp {
namespace {

// CompletionItemKind of the protocol.
int item_kind(const std::string& kind) {
  struct Row {
    std::string_view kind;
    int item;
  };
  static constexpr Row kRows[] = {
      {"keyword", 14}, {"function", 3}, {"law", 3},      {"set", 7},         {"parameter", 21}, {"let", 6},
      {"argument", 6}, {"index", 6},    {"force", 6},    {"variable", 6},    {"coordinate", 5}, {"velocity", 5},
      {"state", 5},    {"discrete", 5}, {"input", 21},   {"table", 3},       {"member", 10},    {"label", 10},
      {"setting", 10}, {"choice", 20},  {"unit", 11},    {"color", 16},      {"body", 22},      {"shape", 22},
      {"joint", 22},   {"drawing", 22}, {"contact", 23}, {"constraint", 23}, {"constant", 21}};
  const auto row = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& one) { return one.kind == kind; });
  return row == std::end(kRows) ? 1 : row->item;
}

Json plain(const std::string& text) { return {{"kind", "plaintext"}, {"value", text}}; }

}  // namespace

Json completion_options() {
  return {{"triggerCharacters", Json::array({".", "(", ",", "[", "\""})}, {"resolveProvider", false}};
}

Json completion(const Session& session, const Json& params) {
  const Subject subject = session.subject(params);
  const Completions found = complete(subject.text(), subject.offset, subject.names());
  const Json range = json_of(session.range(subject, found.begin, found.end));
  Json items = Json::array();
  for (const Completion& one : found.items) {
    Json item{{"label", one.text},
              {"kind", item_kind(one.kind)},
              {"sortText", std::to_string(one.rank) + one.text},
              {"textEdit", {{"range", range}, {"newText", one.text}}}};
    if (!one.detail.empty()) item["detail"] = one.detail;
    if (!one.doc.empty()) item["documentation"] = plain(one.doc);
    items.push_back(std::move(item));
  }
  return {{"isIncomplete", false}, {"items", std::move(items)}};
}

Json signature_options() { return {{"triggerCharacters", Json::array({"(", ","})}}; }

Json signature_help(const Session& session, const Json& params) {
  const Subject subject = session.subject(params);
  const auto found = signature_at(subject.text(), subject.offset, subject.names());
  if (!found) return nullptr;
  Json arguments = Json::array();
  for (const std::string& argument : found->arguments) arguments.push_back({{"label", argument}});
  Json signature{{"label", found->label}, {"parameters", std::move(arguments)}, {"activeParameter", found->active}};
  if (!found->doc.empty()) signature["documentation"] = plain(found->doc);
  return {
      {"signatures", Json::array({std::move(signature)})}, {"activeSignature", 0}, {"activeParameter", found->active}};
}

}  // namespace nsmc::lsp
