// Colours by meaning: what a grammar cannot see, as which names are parameters, coordinates or laws.
#include <algorithm>
#include <array>

#include "compiler/lsp/features/feature.hpp"

namespace nsmc::lsp {
namespace {

constexpr std::array<std::string_view, 12> kTypes{"keyword",  "comment",  "string", "number", "variable",   "parameter",
                                                  "property", "function", "type",   "class",  "enumMember", "unit"};
constexpr std::array<std::string_view, 3> kModifiers{"declaration", "readonly", "defaultLibrary"};

std::string_view type_of(std::string_view kind) {
  struct Row {
    std::string_view kind, type;
  };
  static constexpr Row kRows[] = {
      {"keyword", "keyword"}, {"comment", "comment"},    {"string", "string"},     {"number", "number"},
      {"unit", "unit"},       {"argument", "parameter"}, {"index", "parameter"},   {"variable", "parameter"},
      {"member", "property"}, {"setting", "property"},   {"output", "property"},   {"function", "function"},
      {"law", "function"},    {"set", "type"},           {"body", "class"},        {"shape", "class"},
      {"joint", "class"},     {"drawing", "class"},      {"contact", "class"},     {"constraint", "class"},
      {"spring", "class"},    {"damper", "class"},       {"choice", "enumMember"}, {"constant", "enumMember"}};
  const auto row = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& one) { return one.kind == kind; });
  return row == std::end(kRows) ? "variable" : row->type;
}

}  // namespace

Json semantic_token_options() {
  return {{"legend", {{"tokenTypes", kTypes}, {"tokenModifiers", kModifiers}}}, {"full", true}};
}

Json semantic_tokens(const Session& session, const Json& params) {
  const Subject subject = session.fresh_subject(params);
  const Text& text = *subject.document->text;
  Json data = Json::array();
  Position last;
  for (const ColouredWord& word : coloured_words(text.text, subject.names())) {
    const std::string_view name = type_of(word.kind);
    const auto type = std::find(kTypes.begin(), kTypes.end(), name) - kTypes.begin();
    const bool fixed = word.kind == "parameter" || word.kind == "constant" || word.kind == "let";
    const int modifiers = (word.declares ? 1 : 0) | (fixed ? 2 : 0) | (word.library ? 4 : 0);
    // A token of several lines, as a comment may be, is one on each of them.
    for (std::uint32_t begin = word.begin; begin < word.end;) {
      const Position at = text.lines.position(text.text, begin, session.encoding);
      const std::size_t next = at.line + 1 < text.lines.count() ? text.lines.start(at.line + 1) : text.text.size();
      std::uint32_t end = std::min(word.end, static_cast<std::uint32_t>(next));
      const std::uint32_t after = end;
      while (end > begin && (text.text[end - 1] == '\n' || text.text[end - 1] == '\r')) --end;
      if (end > begin) {
        const std::uint32_t length = units(std::string_view(text.text).substr(begin, end - begin), session.encoding);
        const bool same_line = at.line == last.line;
        for (const std::uint32_t number :
             {at.line - last.line, same_line ? at.character - last.character : at.character, length,
              static_cast<std::uint32_t>(type), static_cast<std::uint32_t>(modifiers)})
          data.push_back(number);
        last = at;
      }
      begin = after;
    }
  }
  return {{"data", std::move(data)}};
}

}  // namespace nsmc::lsp
