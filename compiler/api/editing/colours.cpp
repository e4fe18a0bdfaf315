// Colours and folds: from the tokens, and for names from the symbols.
#include <algorithm>
#include <map>

#include "compiler/api/editing/words.hpp"
#include "compiler/syntax/source_tokens.hpp"

namespace nsmc {
namespace {

struct NameAt {
  const SymbolInfo* symbol;
  bool declares;
};

std::map<std::uint32_t, NameAt> names_by_place(const Names& names) {
  std::map<std::uint32_t, NameAt> found;
  for (const SymbolInfo& s : names.symbols) {
    for (const Place& use : s.uses) {
      if (use.file == names.file) found.try_emplace(use.begin, NameAt{&s, false});
    }
    if (s.declared.file == names.file && s.declared.begin < s.declared.end)
      found.insert_or_assign(s.declared.begin, NameAt{&s, true});
  }
  return found;
}

}  // namespace

std::vector<ColouredWord> coloured_words(const std::string& text, const Names& names) {
  const std::map<std::uint32_t, NameAt> known = names_by_place(names);
  std::vector<ColouredWord> list;
  std::string_view declaration;
  const std::vector<SourceToken> tokens = source_tokens(text);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const SourceToken& token = tokens[i];
    const std::string_view written = std::string_view(text).substr(token.begin, token.end - token.begin);
    const auto before = [&](std::size_t k) {
      return i < k ? std::string_view()
                   : std::string_view(text).substr(tokens[i - k].begin, tokens[i - k].end - tokens[i - k].begin);
    };
    if (token.declares) declaration = written;
    ColouredWord word{token.begin, token.end, "", false, false};
    switch (token.kind) {
      case TokenKind::keyword: word.kind = "keyword"; break;
      case TokenKind::label: word.kind = "argument"; break;
      case TokenKind::number: word.kind = "number"; break;
      case TokenKind::string: word.kind = "string"; break;
      case TokenKind::comment: word.kind = "comment"; break;
      case TokenKind::name: {
        const auto at = known.find(token.begin);
        if (token.within == Enclosure::unit) {
          word.kind = "unit";
        } else if (before(1) == ".") {
          word.kind = "member";
        } else if (at != known.end()) {
          word.kind = at->second.symbol->kind;
          word.declares = at->second.declares;
          word.library = at->second.symbol->library;
        } else {
          const Word* of_kind =
              before(1) == "=" ? find_word(declaration == "draw" ? "drawing" : declaration, written) : nullptr;
          if (of_kind == nullptr) {
            of_kind = declaration == "simulate" ? find_word({"setting", "choice", "constant", "function"}, written)
                                                : find_word({"function", "set", "constant", "choice"}, written);
          }
          if (of_kind != nullptr) word.kind = of_kind->group;
          word.library = of_kind != nullptr;
        }
        break;
      }
      default: break;
    }
    if (!word.kind.empty()) list.push_back(std::move(word));
  }
  return list;
}

std::vector<Fold> folds(const std::string& text) {
  std::vector<std::uint32_t> lines{0};
  for (std::uint32_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') lines.push_back(i + 1);
  }
  const auto line_of = [&](std::uint32_t offset) {
    return static_cast<std::uint32_t>(std::upper_bound(lines.begin(), lines.end(), offset) - lines.begin() - 1);
  };
  std::vector<Fold> list;
  std::vector<std::uint32_t> open;
  std::optional<Fold> comments;  // lines of comments that follow each other
  const auto end_comments = [&] {
    if (comments && comments->last_line > comments->first_line) list.push_back(*comments);
    comments.reset();
  };
  for (const SourceToken& token : source_tokens(text)) {
    const std::uint32_t first = line_of(token.begin), last = line_of(token.end - 1);
    if (token.kind == TokenKind::comment && token.begins_line) {
      if (comments && first > comments->last_line + 1) end_comments();
      if (!comments) comments = Fold{first, last, true};
      comments->last_line = last;
      continue;
    }
    if (token.kind != TokenKind::comment) end_comments();
    if (token.declares) open.clear();
    if (token.kind == TokenKind::opening) open.push_back(first);
    if (token.kind == TokenKind::closing && !open.empty()) {
      if (last > open.back()) list.push_back({open.back(), last, false});
      open.pop_back();
    }
  }
  end_comments();
  return list;
}

}  // namespace nsmc
