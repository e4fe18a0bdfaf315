#include "compiler/mechanics/latex_lines.hpp"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <numeric>
#include <utility>
#include <vector>

namespace nsmc {

namespace {

// The command, brace or character at a place.
std::string_view token_at(std::string_view text, std::size_t at) {
  if (text[at] != '\\') return text.substr(at, 1);
  std::size_t end = at + 1;
  while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end])) != 0) ++end;
  return text.substr(at, std::max(end, std::min(at + 2, text.size())) - at);
}

bool is_one_of(std::string_view token, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), token) != list.end();
}

// The printer's expressions are bounded in length, and so is the depth of this recursion.
class Ruler {
 public:
  explicit Ruler(std::string_view text) : text_(text) {}

  // Up to the brace or \end that closes what was opened before; rows of an environment stand below each other, and
  // its columns are as wide as their widest entries.
  double rest() {
    std::vector<double> columns{0};
    std::size_t column = 0;
    double entry = 0;
    const auto next = [&](std::size_t where) {
      columns[column] = std::max(columns[column], entry);
      entry = 0;
      column = where;
      if (column == columns.size()) columns.push_back(0);
    };
    while (at_ < text_.size()) {
      const std::string_view token = take();
      if (token == "}") break;
      if (token == "\\end") {
        group();
        break;
      }
      if (token == "\\\\") {
        next(0);
      } else if (token == "&") {
        next(column + 1);
      } else {
        entry += of(token);
      }
    }
    next(0);
    return std::accumulate(columns.begin(), columns.end(), kSign * static_cast<double>(columns.size() - 1));
  }

 private:
  static constexpr double kSign = 2;  // with the blanks around it, in letters

  std::string_view take() {
    const std::string_view token = token_at(text_, at_);
    at_ += token.size();
    return token;
  }

  // The argument of a command: a group in braces or one token.
  double group() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    if (at_ == text_.size()) return 0;
    const std::string_view token = take();
    return token == "{" ? rest() : of(token);
  }

  double of(std::string_view token) {
    constexpr double kSmall = 0.7;  // letters in exponents and indices
    if (token == "{") return rest();
    if (token == "\\begin") {
      group();
      return rest() + 2;
    }
    if (token == "\\frac") {
      const double numerator = group();
      return std::max(numerator, group());
    }
    if (token == "\\sqrt") return group() + 1;
    if (token == "^" || token == "_") return kSmall * group();
    if (is_one_of(token, {" ", "\n", "\\left", "\\right", "\\,", "\\mathrm", "\\mathbf", "\\mathcal", "\\operatorname",
                          "\\boldsymbol", "\\text", "\\dot", "\\ddot"}))
      return 0;
    if (is_one_of(token, {"+", "-", "=", "<", ">", "\\leq", "\\in", "\\times", "\\quad"})) return kSign;
    if (is_one_of(token, {"\\sin", "\\cos", "\\tan", "\\exp", "\\log", "\\min", "\\max", "\\dots"})) return 3;
    const bool continues_a_letter = (token[0] & 0xC0) == 0x80;  // UTF-8
    return continues_a_letter ? 0 : 1;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// The group in braces that begins at `at`, without them; `at` moves behind it.
std::string_view take_group(std::string_view text, std::size_t& at) {
  const std::size_t begin = at + 1;
  std::size_t depth = 0;
  while (at < text.size()) {
    const std::string_view token = token_at(text, at);
    at += token.size();
    if (token == "{") ++depth;
    if (token == "}" && --depth == 0) return text.substr(begin, at - 1 - begin);
  }
  return text.substr(begin);
}

bool group_follows(std::string_view text, std::size_t at) { return at < text.size() && text[at] == '{'; }

// The formula with brackets in place of fractions, roots and groups that are too wide for a line.
std::string with_brackets(std::string_view text, double width) {
  const auto bracketed = [&](std::string_view inner) { return "\\left(" + with_brackets(inner, width) + "\\right)"; };
  const auto wide = [&](std::string_view inner) { return latex_width(inner) > width; };
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view token = token_at(text, at);
    const std::size_t begin = at;
    const bool is_argument = is_one_of(token, {"^", "_"}) || (token.size() > 1 && token[0] == '\\');
    if (token == "{") {  // {x}^{2}: the power of something
      const std::string_view inner = take_group(text, at);
      if (!wide(inner)) {
        out += text.substr(begin, at - begin);
      } else {
        out += inner.starts_with("\\left") ? with_brackets(inner, width) : bracketed(inner);
      }
      continue;
    }
    at += token.size();
    if (token == "\\frac" && group_follows(text, at)) {
      const std::string_view numerator = take_group(text, at);
      const std::string_view denominator = take_group(text, at);
      if (wide(denominator)) {
        out += bracketed(numerator) + " / " + bracketed(denominator);
      } else if (wide(numerator)) {
        out += "\\frac{1}{" + std::string(denominator) + "} \\, " + bracketed(numerator);
      } else {
        out += text.substr(begin, at - begin);
      }
    } else if (token == "\\sqrt" && group_follows(text, at)) {
      const std::string_view inner = take_group(text, at);
      out += wide(inner) ? bracketed(inner) + "^{1/2}" : std::string(text.substr(begin, at - begin));
    } else {
      if (token == "\\sqrt" && text.substr(at, 1) == "[") at = std::min(text.find(']', at), text.size() - 1) + 1;
      if (is_argument && group_follows(text, at)) take_group(text, at);
      out += text.substr(begin, at - begin);
    }
  }
  return out;
}

// Where a line may end, and how many \\left are open there. `weak`: within a term.
struct Break {
  std::size_t at;
  std::size_t open;
  bool weak = false;
  const char* next = "";  // what the next line begins with
};

// Groups and environments around the place that was come to.
struct Nesting {
  std::size_t braces = 0, environments = 0;

  void pass(std::string_view token) {
    if (token == "{") ++braces;
    if (token == "}" && braces > 0) --braces;
    if (token == "\\begin") ++environments;
    if (token == "\\end" && environments > 0) --environments;
  }
  bool is_outside() const { return braces == 0 && environments == 0; }
};

std::vector<Break> breaks_of(std::string_view text) {
  std::vector<Break> breaks;
  Nesting nesting;
  std::size_t open = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view token = token_at(text, at);
    nesting.pass(token);
    if (nesting.is_outside()) {
      if (token == "\\left") ++open;
      if (token == "\\right" && open > 0) --open;
      const std::string_view rest = text.substr(at);
      const auto follows = [&](std::initializer_list<std::string_view> list) {
        return std::any_of(list.begin(), list.end(), [&](std::string_view sign) { return rest.starts_with(sign); });
      };
      if (follows({" + ", " - "})) breaks.push_back({at + 1, open});
      if (follows({" = ", " < ", " > ", " / ", " \\leq ", " \\geq ", " \\times ", " \\text{"}))
        breaks.push_back({at + 1, open, true});
      if (follows({" \\, "})) breaks.push_back({at, open, true, "\\cdot "});
      if (follows({", "})) breaks.push_back({at + 2, open, true});
    }
    at += token.size();
  }
  return breaks;
}

std::string repeated(const char* text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

}  // namespace

double latex_width(std::string_view formula) { return Ruler(formula).rest(); }

std::vector<std::string> latex_lines(std::string_view written, double width) {
  const std::string whole = with_brackets(written, width);
  const std::string_view formula = whole;
  const std::vector<Break> breaks = breaks_of(formula);
  std::vector<std::string> lines;
  Break begin{0, 0};
  const auto put = [&](const Break& end) {
    const std::string reopened = repeated("\\left. ", begin.open), closed = repeated(" \\right.", end.open);
    lines.push_back(reopened + (begin.at > 0 ? "{} " : "") + begin.next +
                    std::string(formula.substr(begin.at, end.at - begin.at)) + closed);
    begin = end;
  };
  const auto wide = [&](const Break& end) {
    const double brackets = static_cast<double>(begin.open + end.open);
    return latex_width(formula.substr(begin.at, end.at - begin.at)) + brackets > width;
  };
  const Break end{formula.size(), 0};
  while (wide(end)) {
    // The last sign of a sum that fits on the line; if there is none, the last place within the term; or the first.
    const Break *sign = nullptr, *within = nullptr, *any = nullptr;
    for (const Break& next : breaks) {
      if (next.at <= begin.at) continue;
      if (any == nullptr) any = &next;
      if (wide(next)) break;
      (next.weak ? within : sign) = &next;
    }
    const Break* chosen = sign != nullptr ? sign : within != nullptr ? within : any;
    if (chosen == nullptr) break;
    put(*chosen);
  }
  put(end);
  return lines;
}

namespace {

// The parts between `separator`s that are in no group or environment.
std::vector<std::string_view> parts_between(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  Nesting nesting;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view token = token_at(text, at);
    nesting.pass(token);
    if (token == separator && nesting.is_outside()) {
      parts.push_back(text.substr(begin, at - begin));
      begin = at + token.size();
    }
    at += token.size();
  }
  parts.push_back(text.substr(begin));
  return parts;
}

constexpr std::string_view kBegin = "\\begin{cases}", kEnd = "\\end{cases}";

// Behind the \end that belongs to the \begin at `begin`.
std::size_t end_of_cases(std::string_view text, std::size_t begin) {
  std::size_t depth = 0, at = begin;
  for (;;) {
    const std::size_t open = text.find(kBegin, at), close = text.find(kEnd, at);
    if (close == std::string_view::npos) return text.size();
    if (open < close) {
      ++depth;
      at = open + kBegin.size();
    } else {
      at = close + kEnd.size();
      if (--depth == 0) return at;
    }
  }
}

}  // namespace

std::string LatexCases::named(std::string_view formula, double width) {
  std::string out;
  for (std::size_t at = 0;;) {
    const std::size_t begin = formula.find(kBegin, at);
    out += formula.substr(at, begin - at);
    if (begin == std::string_view::npos) return out;
    at = end_of_cases(formula, begin);
    const std::size_t inner = begin + kBegin.size();
    const std::string body = named(formula.substr(inner, at - kEnd.size() - inner), width);
    const std::string whole = std::string(kBegin) + body + std::string(kEnd);
    if (latex_width(whole) <= width) {
      out += whole;
      continue;
    }
    auto [known, is_new] = names_.try_emplace(body);
    if (is_new) {
      known->second = "\\mathcal{P}_{" + std::to_string(names_.size()) + "}";
      Named part{known->second, {}};
      for (const std::string_view row : parts_between(body, "\\\\")) {
        const std::vector<std::string_view> cells = parts_between(row, "&");
        part.rows.emplace_back(cells.front(), cells.size() > 1 ? cells[1] : "");
      }
      fresh_.push_back(std::move(part));
    }
    out += known->second;
  }
}

}  // namespace nsmc
