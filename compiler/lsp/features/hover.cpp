// What a word means, as a box beside it.
#include "compiler/lsp/features/feature.hpp"

namespace nsmc::lsp {
namespace {

std::string lines_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : "\n") + line;
  return text;
}

std::string markdown(const Explanation& found) {
  std::string text = "```nsm\n" + found.title + "\n```";
  for (const char c : found.text.empty() ? std::string() : "\n\n" + found.text) {
    if (std::string_view("\\`*_<>[]").find(c) != std::string_view::npos) text += '\\';
    text += c;
  }
  if (!found.formulas.empty()) text += "\n\n```text\n" + lines_of(found.formulas) + "\n```";
  return text;
}

std::string plain(const Explanation& found) {
  std::string text = found.title;
  if (!found.text.empty()) text += "\n" + found.text;
  if (!found.formulas.empty()) text += "\n" + lines_of(found.formulas);
  return text;
}

}  // namespace

Json hover(const Session& session, const Json& params) {
  const Subject subject = session.subject(params);
  const auto equations = session.checker->equations(subject.document->path);
  const auto found = explain(subject.text(), subject.offset, subject.names(),
                             equations != nullptr ? equations->contacts : std::vector<ContactInfo>());
  if (!found) return nullptr;
  const bool rich = session.client.markdown;
  return {{"contents", {{"kind", rich ? "markdown" : "plaintext"}, {"value", rich ? markdown(*found) : plain(*found)}}},
          {"range", json_of(session.range(subject, found->begin, found->end))}};
}

}  // namespace nsmc::lsp
