#include "compiler/api/editing/cursor.hpp"

#include <algorithm>

namespace nsmc {
namespace {

bool is_closed_string(std::string_view text) { return text.size() >= 2 && text.back() == '"'; }
bool is_closed_comment(std::string_view text) { return text.starts_with("/*"); }  // others would be no token

}  // namespace

Cursor::Cursor(std::string_view text, std::uint32_t offset)
    : text_(text.substr(0, offset)),
      begin_(static_cast<std::uint32_t>(text_.size())),
      end_(static_cast<std::uint32_t>(text_.size())) {
  tokens_ = source_tokens(text_);
  const std::uint32_t last_end = tokens_.empty() ? 0 : tokens_.back().end;
  silent_ = text_.find("/*", last_end) != text_.npos;  // a comment without its end
  if (!tokens_.empty() && last_end == end_) {
    const SourceToken last = tokens_.back();
    const std::string_view written = this->text(last);
    switch (last.kind) {
      case TokenKind::comment: silent_ = !is_closed_comment(written); break;
      case TokenKind::string: in_string_ = silent_ = !is_closed_string(written); break;
      case TokenKind::number: silent_ = true; break;
      case TokenKind::keyword:
      case TokenKind::name:
      case TokenKind::label:
        begin_ = last.begin;
        begins_line_ = last.begins_line;
        tokens_.pop_back();
        break;
      default: break;
    }
  }
  if (begin_ == end_) {
    const std::size_t newline = text_.rfind('\n');
    begins_line_ = tokens_.empty() || (newline != text_.npos && tokens_.back().end <= newline);
  }
  if (in_string_) tokens_.pop_back();
  std::erase_if(tokens_, [](const SourceToken& token) { return token.kind == TokenKind::comment; });
  find_brackets();
}

void Cursor::find_brackets() {
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const SourceToken& token = tokens_[i];
    if (token.declares) {
      open_.clear();
      declaration_at_ = i;
      declaration_ = text(token);
    }
    if (token.kind == TokenKind::opening) open_.push_back(i);
    if (token.kind == TokenKind::closing && !open_.empty()) open_.pop_back();
  }
  if (open_.empty()) return;
  std::size_t deeper = 0;
  for (std::size_t i = open_.back() + 1; i < tokens_.size(); ++i) {
    const SourceToken& token = tokens_[i];
    if (token.kind == TokenKind::opening) ++deeper;
    if (token.kind == TokenKind::closing) --deeper;
    if (deeper > 0) continue;
    if (text(token) == ",") {
      ++argument_;
      label_ = {};
    }
    if (text(token) == "=" && i > 0) label_ = text(tokens_[i - 1]);
  }
}

const SourceToken* Cursor::token(std::size_t k) const {
  return k < tokens_.size() ? &tokens_[tokens_.size() - 1 - k] : nullptr;
}

std::string_view Cursor::before(std::size_t k) const {
  const SourceToken* found = token(k);
  return found == nullptr ? std::string_view() : text(*found);
}

bool Cursor::after_operand() const {
  const SourceToken* last = token();
  return last != nullptr && last->operand;
}

std::optional<Enclosure> Cursor::enclosure() const {
  return open_.empty() ? std::nullopt : tokens_[open_.back()].opens;
}

std::string_view Cursor::opener() const {
  return open_.empty() || open_.back() == 0 ? std::string_view() : text(tokens_[open_.back() - 1]);
}

bool Cursor::begins_argument() const { return before() == "(" || before() == ","; }

std::string_view Cursor::owner() const {
  if (before() != ".") return {};
  std::size_t k = 1, deeper = 0;
  for (const SourceToken* at = token(k); at != nullptr; at = token(++k)) {
    if (at->kind == TokenKind::closing) {
      ++deeper;
    } else if (at->kind == TokenKind::opening) {
      if (deeper-- == 0) return {};
    } else if (deeper == 0) {
      return at->kind == TokenKind::name ? text(*at) : std::string_view();
    }
  }
  return {};
}

}  // namespace nsmc
