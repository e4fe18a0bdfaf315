#include "compiler/syntax/format.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "compiler/syntax/parse.hpp"
#include "compiler/syntax/tokens.hpp"

namespace nsmc {

namespace {

struct Piece {
  std::size_t type;
  std::string_view text;
  std::size_t line;      // from 1
  std::size_t end_line;  // a comment may span several
  std::size_t column;    // in code points, from 0
  std::size_t gap;       // blanks before it if it does not begin its line
  bool begins_line;
  bool bounds_a_range = false;  // a sign, see find_signs_of_bounds
};

std::size_t code_points(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

bool is_comment(std::size_t type) { return type == NsmParser::LINE_COMMENT || type == NsmParser::BLOCK_COMMENT; }

bool hugs_inside(std::size_t opening) { return opens(opening) && opening != NsmParser::LBRACE; }

bool is_multiplication(std::size_t type) {
  return type == NsmParser::STAR || type == NsmParser::SLASH || type == NsmParser::CDOT;
}

// Tokens that stand between two operands, so that a line beginning or ending with one continues an expression.
bool joins(std::size_t type) {
  switch (type) {
    case NsmParser::ASSIGN:
    case NsmParser::BECOMES:
    case NsmParser::EQUAL:
    case NsmParser::NOT_EQUAL:
    case NsmParser::LESS_EQUAL:
    case NsmParser::GREATER_EQUAL:
    case NsmParser::LESS:
    case NsmParser::GREATER:
    case NsmParser::PLUS:
    case NsmParser::MINUS:
    case NsmParser::STAR:
    case NsmParser::SLASH:
    case NsmParser::TIMES:
    case NsmParser::CAP:
    case NsmParser::CARET:
    case NsmParser::COLON:
    case NsmParser::IN:
    case NsmParser::AND:
    case NsmParser::OR:
    case NsmParser::RESTITUTION:
    case NsmParser::SOLVE:
    case NsmParser::ON:
    case NsmParser::AT:
    case NsmParser::ALONG:
    case NsmParser::TURNED:
    case NsmParser::COLOR:
    case NsmParser::FOR:
    case NsmParser::WHILE:
    case NsmParser::BEYOND:
    case NsmParser::BETWEEN: return true;
    default: return false;
  }
}

std::vector<Piece> read_pieces(const Sources& sources, FileId file, Diagnostics& diagnostics) {
  TokenReader reader(sources, file, diagnostics, TokenReader::Comments::keep);
  std::vector<Piece> pieces;
  for (TokenPtr token = reader.next(); token->getType() != antlr4::Token::EOF; token = reader.next()) {
    Piece piece{};
    piece.type = token->getType();
    piece.text = reader.text(*token);
    piece.line = token->getLine();
    piece.end_line = piece.line + static_cast<std::size_t>(std::count(piece.text.begin(), piece.text.end(), '\n'));
    piece.column = token->getCharPositionInLine();
    piece.begins_line = pieces.empty() || pieces.back().end_line < piece.line;
    if (!piece.begins_line) {
      const std::string_view before = pieces.back().text;
      const auto end = before.data() + before.size();
      piece.gap = static_cast<std::size_t>(piece.text.data() - end);
    }
    pieces.push_back(piece);
  }
  return pieces;
}

class Formatter {
 public:
  explicit Formatter(std::vector<Piece> pieces) : pieces_(std::move(pieces)) { find_signs_of_bounds(); }
  std::string run();

 private:
  void begin_line(std::size_t i);
  std::size_t indentation(std::size_t i) const;
  bool continues(std::size_t i) const;
  std::size_t blanks_before(std::size_t i) const;
  std::size_t aligned(std::size_t i, std::size_t at_least) const;
  bool spaced_multiplication(std::size_t i) const;
  void find_signs_of_bounds();
  bool last_on_line(std::size_t i) const { return i + 1 == pieces_.size() || pieces_[i + 1].begins_line; }
  const Piece* neighbour(std::size_t i) const;  // the last token before i that is no comment
  void put_text(const Piece& piece);
  void follow(const Piece& piece);

  std::vector<Piece> pieces_;
  std::string out_;
  std::size_t line_start_ = 0;  // in out_
  struct Open {
    std::size_t type;
    std::size_t level;  // indentation of what stands inside
  };
  std::vector<Open> open_;
  std::size_t line_level_ = 0;  // indentation of the current line, continuation not counted
};

const Piece* Formatter::neighbour(std::size_t i) const {
  while (i-- > 0)
    if (!is_comment(pieces_[i].type)) return &pieces_[i];
  return nullptr;
}

// Does the line that begins here carry on an expression or declaration of the line before, outside parentheses?
bool Formatter::continues(std::size_t i) const {
  const Piece& piece = pieces_[i];
  const Piece* before = neighbour(i);
  if (!before || is_comment(piece.type) || piece.type == NsmParser::RBRACE || piece.type == NsmParser::LBRACE)
    return false;
  if (!open_.empty() && open_.back().type != NsmParser::LBRACE) return false;
  if (open_.empty()) return !is_declaration_keyword(piece.type);
  if (before->type == NsmParser::LBRACE || before->type == NsmParser::COMMA) return false;
  return joins(piece.type) || joins(before->type) || before->type == NsmParser::NEGATE;
}

std::size_t Formatter::indentation(std::size_t i) const {
  std::size_t closing = 0;  // brackets closed before anything else on this line
  while (i + closing < pieces_.size() && closes(pieces_[i + closing].type) &&
         !(closing > 0 && last_on_line(i + closing - 1)))
    ++closing;
  if (closing == 0) return open_.empty() ? 0 : open_.back().level;
  closing = std::min(closing, open_.size());
  return closing == 0 ? 0 : open_[open_.size() - closing].level - 1;
}

void Formatter::begin_line(std::size_t i) {
  if (i > 0) {
    out_ += '\n';
    if (pieces_[i].line > pieces_[i - 1].end_line + 1) out_ += '\n';
  }
  line_start_ = out_.size();
  line_level_ = indentation(i);
  out_.append(2 * line_level_ + (continues(i) ? 4 : 0), ' ');
}

// A '*' or '/' keeps the space that its author gave it, on both sides.
bool Formatter::spaced_multiplication(std::size_t i) const {
  const bool before = !pieces_[i].begins_line && pieces_[i].gap > 0;
  const bool after = i + 1 < pieces_.size() && !pieces_[i + 1].begins_line && pieces_[i + 1].gap > 0;
  return before || after || pieces_[i].begins_line || last_on_line(i);
}

// Comments and documentation at the end of a line stay in their column, so that a column of them stays one.
std::size_t Formatter::aligned(std::size_t i, std::size_t at_least) const {
  if (pieces_[i].gap < 2) return at_least;
  const std::size_t width = code_points(std::string_view(out_).substr(line_start_));
  return pieces_[i].column >= width + 2 ? pieces_[i].column - width : 2;
}

// The signs between the terms of a range's bounds, which are written close: 1..n-1.
void Formatter::find_signs_of_bounds() {
  const auto is_sign = [](std::size_t type) { return type == NsmParser::PLUS || type == NsmParser::MINUS; };
  const auto belongs = [&](std::size_t type) {
    return is_sign(type) || type == NsmParser::NEGATE || type == NsmParser::DOT || type == NsmParser::CARET ||
           is_multiplication(type) || ends_operand(type) || hugs_inside(type);
  };
  for (std::size_t dots = 0; dots < pieces_.size(); ++dots) {
    if (pieces_[dots].type != NsmParser::DOTS) continue;
    std::size_t depth = 0;
    for (std::size_t i = dots + 1; i < pieces_.size() && belongs(pieces_[i].type); ++i) {
      if (opens(pieces_[i].type)) ++depth;
      if (closes(pieces_[i].type) && depth-- == 0) break;
      if (depth == 0 && is_sign(pieces_[i].type)) pieces_[i].bounds_a_range = true;
    }
    depth = 0;
    for (std::size_t i = dots; i-- > 0 && belongs(pieces_[i].type);) {
      if (closes(pieces_[i].type)) ++depth;
      if (opens(pieces_[i].type) && depth-- == 0) break;
      if (depth == 0 && is_sign(pieces_[i].type)) pieces_[i].bounds_a_range = true;
    }
  }
}

std::size_t Formatter::blanks_before(std::size_t i) const {
  const Piece& piece = pieces_[i];
  const Piece& before = pieces_[i - 1];
  const std::size_t type = piece.type;
  if (is_comment(type)) return last_on_line(i) ? aligned(i, 2) : 1;
  if (is_comment(before.type)) return 1;
  if (type == NsmParser::STRING) {
    const bool ends_line = last_on_line(i) || is_comment(pieces_[i + 1].type);
    if (before.type == NsmParser::CALL) return 0;
    const bool doc = before.type != NsmParser::IMPORT && before.type != NsmParser::COLOR;
    return doc && ends_line ? aligned(i, 1) : 1;
  }

  if (hugs_inside(before.type) || (closes(type) && type != NsmParser::RBRACE)) return 0;
  if (type == NsmParser::COMMA || type == NsmParser::PRIME || type == NsmParser::INDEX) return 0;
  if (type == NsmParser::DOT || before.type == NsmParser::DOT) return 0;
  if (type == NsmParser::DOTS || before.type == NsmParser::DOTS) return 0;
  if (type == NsmParser::CARET || before.type == NsmParser::CARET || before.type == NsmParser::NEGATE) return 0;
  if (type == NsmParser::CALL) {
    // gauge (x, y) { ... } is written apart, the call gauge(C, x) is not: the author knows which it is.
    const bool word = before.type == NsmParser::GAUGE || before.type == NsmParser::SUPPORT;
    return word ? std::min<std::size_t>(piece.gap, 1) : 0;
  }
  if (piece.bounds_a_range || before.bounds_a_range) return 0;
  if (is_multiplication(type)) return spaced_multiplication(i) ? 1 : 0;
  if (is_multiplication(before.type)) return spaced_multiplication(i - 1) ? 1 : 0;
  // Items side by side on a line, as in simulate { until 3 [s]  step 1e-4 [s] }, may be set apart.
  if (ends_operand(before.type) && is_word(type) && !joins(type)) return std::clamp<std::size_t>(piece.gap, 1, 2);
  return 1;
}

void Formatter::put_text(const Piece& piece) {
  if (!is_comment(piece.type)) {
    out_ += piece.text;
    return;
  }
  for (char c : piece.text) {  // no blanks at the ends of its lines
    if (c == '\r') continue;
    if (c == '\n') {
      while (!out_.empty() && (out_.back() == ' ' || out_.back() == '\t')) out_.pop_back();
      line_start_ = out_.size() + 1;
    }
    out_ += c;
  }
  while (!out_.empty() && (out_.back() == ' ' || out_.back() == '\t')) out_.pop_back();
}

void Formatter::follow(const Piece& piece) {
  // However many brackets a line opens, what stands inside is one step further in. The body of a declaration is one
  // step in from the declaration, on whichever of its lines it begins.
  const bool body = piece.type == NsmParser::LBRACE && open_.empty();
  if (opens(piece.type)) open_.push_back({piece.type, body ? 1 : line_level_ + 1});
  if (closes(piece.type) && !open_.empty()) open_.pop_back();
}

std::string Formatter::run() {
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    if (pieces_[i].begins_line)
      begin_line(i);
    else
      out_.append(blanks_before(i), ' ');
    put_text(pieces_[i]);
    follow(pieces_[i]);
  }
  out_ += '\n';
  return std::move(out_);
}

}  // namespace

std::optional<std::string> format(const Sources& sources, FileId file, Diagnostics& diagnostics) {
  if (!parse(sources, file, diagnostics)) return std::nullopt;
  return Formatter(read_pieces(sources, file, diagnostics)).run();
}

}  // namespace nsmc
