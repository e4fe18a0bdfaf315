// Changes that mend an error: what it says itself to write (Diagnostic::replacement), or read from its hint: whoever
// words a hint in one of these ways gives editors a fix.
//   did you mean 'X'?                       X in the place of the word that the message quotes, or of all that is
//   marked write X, of an unexpected character     X in its place; no semicolons: nothing; a comment starts with //:
//   that
//   ... such as 'X' of a word of the language, ... as in X of a number that lacks its unit
//   close it with X; a string ends with "
#include <fmt/core.h>

#include <algorithm>

#include "compiler/syntax/source_tokens.hpp"
#include "nsmc/editing.hpp"

namespace nsmc {
namespace {

// What stands between quotes behind `lead`, of which the closing one may be a prime: 'x''.
std::optional<std::string> quoted_after(const std::string& text, std::string_view lead) {
  const std::size_t at = text.find(lead);
  if (at == text.npos) return std::nullopt;
  const std::size_t first = at + lead.size();
  std::size_t last = text.find('\'', first);
  if (last == text.npos || last == first) return std::nullopt;
  while (last + 1 < text.size() && text[last + 1] == '\'') ++last;
  return text.substr(first, last - first);
}

// The word in the text of the place that the message quotes last: "contact 'floor' has no 'gab'".
std::optional<std::pair<std::uint32_t, std::uint32_t>> word_meant(const DiagnosticInfo& d, const std::string& text) {
  const std::string_view marked = std::string_view(text).substr(d.place.begin, d.place.end - d.place.begin);
  const std::vector<SourceToken> tokens = source_tokens(marked);
  const SourceToken* meant = nullptr;
  std::size_t quoted_at = 0;
  for (const SourceToken& token : tokens) {
    const std::size_t at = d.message.rfind(fmt::format("'{}'", marked.substr(token.begin, token.end - token.begin)));
    if (at == d.message.npos || (meant != nullptr && at <= quoted_at)) continue;
    meant = &token;
    quoted_at = at;
  }
  if (meant != nullptr) return std::pair(d.place.begin + meant->begin, d.place.begin + meant->end);
  if (tokens.size() == 1) return std::pair(d.place.begin, d.place.end);
  return std::nullopt;
}

std::optional<Fix> for_character(const DiagnosticInfo& d) {
  const auto in_its_place = [&](std::string title, std::string with) {
    return Fix{std::move(title), d.place.begin, d.place.end, std::move(with)};
  };
  if (d.hint.starts_with("no semicolons")) return in_its_place("leave out the semicolon", "");
  if (d.hint.starts_with("a comment starts with //")) return in_its_place("begin the comment with //", "//");
  constexpr std::string_view kWrite = "write ";
  if (!d.hint.starts_with(kWrite)) return std::nullopt;
  std::string with = d.hint.substr(kWrite.size());
  with = with.substr(0, with.find_first_of(" ,"));
  const bool quoted = with.size() > 2 && with.front() == '\'' && with.back() == '\'';
  if (quoted) with = with.substr(1, with.size() - 2);
  if (with.find('(') != with.npos) return std::nullopt;  // more than a sign
  return in_its_place("write " + with, quoted ? with + " " : with);
}

}  // namespace

std::vector<Fix> fixes(const DiagnosticInfo& d, const std::string& text) {
  if (d.place.begin > d.place.end || d.place.end > text.size()) return {};
  if (d.replacement) {
    const auto& [place, with] = *d.replacement;
    if (place.file != d.place.file || place.begin > place.end || place.end > text.size()) return {};
    const std::string title =
        with.empty() ? "leave out " + text.substr(place.begin, place.end - place.begin) : "write " + with;
    return {{title, place.begin, place.end, with}};
  }
  const std::string_view marked = std::string_view(text).substr(d.place.begin, d.place.end - d.place.begin);
  if (const auto meant = quoted_after(d.hint, "did you mean '")) {
    if (const auto word = word_meant(d, text)) return {{"write " + *meant, word->first, word->second, *meant}};
    return {};
  }
  if (d.name == "unexpected_character") {
    if (const auto fix = for_character(d)) return {*fix};
  }
  if (const auto name = quoted_after(d.hint, "choose another name, such as '")) {
    if (const auto word = word_meant(d, text)) return {{"call it " + *name, word->first, word->second, *name}};
  }
  if (d.hint.starts_with("close it with ")) {
    const auto end = static_cast<std::uint32_t>(text.size());
    return {{"close the comment", end, end, " */"}};
  }
  if (d.hint.starts_with("a string ends with \"")) return {{"close the string", d.place.end, d.place.end, "\""}};
  // A number without its unit, and the number with one.
  if (const std::size_t as = d.hint.find("as in "); as != d.hint.npos && d.hint.ends_with(']') && !marked.empty()) {
    const std::string with = d.hint.substr(as + 6);
    if (with.starts_with(marked) && with.size() > marked.size() && with[marked.size()] == ' ')
      return {{"write " + with, d.place.begin, d.place.end, with}};
  }
  return {};
}

}  // namespace nsmc
