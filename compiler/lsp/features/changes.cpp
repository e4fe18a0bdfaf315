// Changes of the text that the editor may make: layout, and fixes of errors.
#include <algorithm>

#include "compiler/lsp/features/feature.hpp"
#include "compiler/lsp/uris.hpp"

namespace nsmc::lsp {
namespace {

// The lines that differ, as one change: what stays where it is keeps marks and cursors.
Json edit_between(const Text& old, const std::string& fresh, Encoding encoding) {
  const std::string& before = old.text;
  std::size_t first = 0;
  const std::size_t least = std::min(before.size(), fresh.size());
  while (first < least && before[first] == fresh[first]) ++first;
  while (first > 0 && before[first - 1] != '\n') --first;
  std::size_t last = 0;
  while (last < least - first && before[before.size() - 1 - last] == fresh[fresh.size() - 1 - last]) ++last;
  while (last > 0 && before[before.size() - last - 1] != '\n') --last;
  const auto begin = static_cast<std::uint32_t>(first), end = static_cast<std::uint32_t>(before.size() - last);
  return {{"range", json_of(range_in(old, begin, end, encoding))},
          {"newText", fresh.substr(first, fresh.size() - last - first)}};
}

bool touches(const Range& a, const Range& b) {
  const auto before = [](Position p, Position q) {
    return p.line < q.line || (p.line == q.line && p.character < q.character);
  };
  return !before(a.end, b.start) && !before(b.end, a.start);
}

}  // namespace

Json formatting(const Session& session, const Json& params) {
  const Document* document = session.documents.find(params.at("textDocument").at("uri").get<std::string>());
  if (document == nullptr) throw Refusal{kInvalidParams, "the document is not open"};
  const auto layout = formatted(document->text->text);
  if (!layout || *layout == document->text->text) return Json::array();
  return Json::array({edit_between(*document->text, *layout, session.encoding)});
}

Json code_action_options() { return {{"codeActionKinds", Json::array({"quickfix"})}}; }

Json code_actions(const Session& session, const Json& params) {
  const Subject subject = session.fresh_subject(params);
  const Range asked = range_of(params.at("range"));
  const std::string here = canonical_path(subject.document->path);
  Json list = Json::array();
  for (const auto& [uri, document] : session.documents.all()) {
    for (const DiagnosticInfo& d : session.diagnostics(document.path)) {
      if (d.place.file != subject.document->path && canonical_path(d.place.file) != here) continue;
      if (!touches(session.range(subject, d.place.begin, d.place.end), asked)) continue;
      for (const Fix& fix : fixes(d, subject.text())) {
        const Json edit{{"range", json_of(session.range(subject, fix.begin, fix.end))}, {"newText", fix.text}};
        Json action{{"title", fix.title},
                    {"kind", "quickfix"},
                    {"isPreferred", true},
                    {"edit", {{"changes", {{subject.document->uri, Json::array({edit})}}}}}};
        if (std::find(list.begin(), list.end(), action) == list.end()) list.push_back(std::move(action));
      }
    }
  }
  return list;
}

}  // namespace nsmc::lsp
