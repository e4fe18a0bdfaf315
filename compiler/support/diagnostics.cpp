#include "compiler/support/diagnostics.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <utility>

namespace nsmc {
namespace {

constexpr auto kCatalogue = std::to_array<CatalogueEntry>({
#define NSMC_DIAGNOSTIC(name, code, severity, summary) {Kind::name, #name, code, Severity::severity, summary},
#include "compiler/support/catalogue.def"
#undef NSMC_DIAGNOSTIC
});

struct Colours {
  const char *error, *warning, *note, *bold, *reset;
};
constexpr Colours kPlain{"", "", "", "", ""};
constexpr Colours kTerminal{"\x1b[1;31m", "\x1b[1;33m", "\x1b[1;36m", "\x1b[1m", "\x1b[0m"};

std::string_view severity_word(Severity severity) { return severity == Severity::error ? "error" : "warning"; }

// What can be shown of a line, code point by code point: tabs as one blank, control characters and broken UTF-8 as '?'.
std::vector<std::string> printable(std::string_view line) {
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < line.size();) {
    std::size_t length = 1;
    while (i + length < line.size() && (static_cast<unsigned char>(line[i + length]) & 0xC0U) == 0x80U) ++length;
    const std::string_view point = line.substr(i, length);
    const auto lead = static_cast<unsigned char>(point[0]);
    const bool broken = find_invalid_utf8(point) != std::string_view::npos;
    shown.push_back(lead == '\t' ? " " : lead < 0x20 || lead == 0x7F || broken ? "?" : std::string(point));
    i += length;
  }
  return shown;
}

}  // namespace

std::string shown_line(std::string_view line) {
  std::string shown;
  for (const std::string& point : printable(line)) shown += point;
  return shown;
}

namespace {

// A part of a line around an offset in it, from and to the beginning of a code point: a line may have megabytes, of
// which nothing else is shown.
struct Window {
  std::string_view text;
  bool cut_before, cut_behind;
  std::size_t at;  // the offset, in the text
};

Window window_around(std::string_view line, std::size_t at) {
  constexpr std::size_t kBytes = 4096;  // on either side: more than can be shown
  const auto inside = [&](std::size_t i) {
    return i < line.size() && (static_cast<unsigned char>(line[i]) & 0xC0U) == 0x80U;
  };
  at = std::min(at, line.size());
  std::size_t from = at > kBytes ? at - kBytes : 0, to = std::min(line.size(), at + kBytes);
  while (from > 0 && from < at && inside(from)) ++from;
  while (to < line.size() && inside(to)) ++to;
  return {line.substr(from, to - from), from > 0, to < line.size(), at - from};
}

// The source line with a caret under the span (its part on the first line); long lines are cut around it.
std::string excerpt(const Sources& sources, Span span, const char* colour, const char* reset) {
  constexpr std::size_t kWidest = 150;
  constexpr std::size_t kBefore = 60;
  const SourceFile& file = sources.file(span.file);
  const Position begin = file.position(span.begin);
  const std::uint32_t end = std::max(span.begin, span.end);
  const std::string_view whole = file.line(begin.line);
  const std::size_t start = file.line_start(begin.line);
  const Window window = window_around(whole, span.begin - start);
  const std::vector<std::string> points = printable(window.text);
  const std::size_t column = printable(window.text.substr(0, window.at)).size();
  const std::size_t length = std::min<std::size_t>(end - span.begin, window.text.size() - window.at);
  const bool on_one_line = end <= start + whole.size();
  const std::size_t last = on_one_line ? printable(window.text.substr(0, window.at + length)).size() : points.size();
  const std::size_t from = (points.size() > kWidest || window.cut_before) && column > kBefore ? column - kBefore : 0;
  const std::size_t to = std::min(points.size(), from + kWidest);
  std::string line = from > 0 ? "..." : "";
  for (std::size_t i = from; i < to; ++i) line += points[i];
  if (to < points.size() || window.cut_behind) line += "...";
  const std::size_t indent = column - from + (from > 0 ? 3 : 0);
  const std::size_t width = std::max<std::size_t>(1, std::min(last, std::max(to, column + 1)) - std::min(last, column));
  return fmt::format("{:5} | {}\n      | {}{}{}{}\n", begin.line, line, std::string(indent, ' '), colour,
                     std::string(width, '^'), reset);
}

std::string place(const Sources& sources, Span span) {
  const SourceFile& file = sources.file(span.file);
  const Position at = file.position(span.begin);
  return fmt::format("{}:{}:{}", file.name(), at.line, at.column);
}

// Letters that are left out, added, changed, or swapped with the next one.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before = std::exchange(last, std::exchange(row, before));
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

bool same_but_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  });
}

template <class Text>
std::string with_commas(std::span<const Text> names) {
  std::string out;
  for (const Text& name : names) {
    if (!out.empty()) out += ", ";
    out += name;
  }
  return out;
}

}  // namespace

std::span<const CatalogueEntry> catalogue() { return kCatalogue; }

const CatalogueEntry& entry(Kind kind) { return kCatalogue.at(static_cast<std::size_t>(kind)); }

Diagnostic& Diagnostics::report(Kind kind, Span span, std::string message, std::string hint) {
  if (entry(kind).severity == Severity::error) ++errors_;
  list_.push_back({kind, span, std::move(message), {}, std::move(hint), {}});
  return list_.back();
}

std::vector<Diagnostic> Diagnostics::sorted() const {
  std::vector<Diagnostic> result = list_;
  const auto key = [](const Diagnostic& d) { return std::tuple(d.span.file, d.span.begin, d.span.end, d.kind); };
  std::stable_sort(result.begin(), result.end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return key(a) < key(b); });
  const auto same = [&](const Diagnostic& a, const Diagnostic& b) {
    return key(a) == key(b) && a.message == b.message;
  };
  result.erase(std::unique(result.begin(), result.end(), same), result.end());
  return result;
}

namespace {

// The same thing said again and again, a semicolon in every line: the first few are shown, of the others the lines.
class Repetition {
 public:
  explicit Repetition(const std::vector<Diagnostic>& all) {
    for (const Diagnostic& d : all) ++seen_[key(d)].total;
  }

  bool known(const Diagnostic& d) { return ++seen_[key(d)].shown > kShown && seen_[key(d)].total > kShown + 1; }

  // Behind the last one that is shown.
  std::string others(const Diagnostic& d, const Sources& sources) {
    const Seen& seen = seen_[key(d)];
    if (seen.shown != kShown || seen.total <= kShown + 1) return {};
    return fmt::format("      ... and {} more of these in {}\n", seen.total - kShown, sources.file(d.span.file).name());
  }

 private:
  static constexpr std::size_t kShown = 3;
  struct Seen {
    std::size_t total = 0, shown = 0;
  };
  using Key = std::tuple<FileId, Kind, std::string, std::string>;
  static Key key(const Diagnostic& d) { return {d.span.file, d.kind, d.message, d.hint}; }

  std::map<Key, Seen> seen_;
};

}  // namespace

std::string render(const Diagnostics& diagnostics, const Sources& sources, bool colour) {
  const Colours& c = colour ? kTerminal : kPlain;
  constexpr std::size_t kMost = 100;  // more are not read
  std::string out;
  const std::vector<Diagnostic> all = diagnostics.sorted();
  Repetition repetition(all);
  std::size_t shown = 0;
  for (const Diagnostic& d : all) {
    if (repetition.known(d)) continue;
    if (shown++ == kMost) {
      out += fmt::format("... and {} more\n", all.size() - kMost);
      break;
    }
    const CatalogueEntry& e = entry(d.kind);
    const char* tint = e.severity == Severity::error ? c.error : c.warning;
    out += fmt::format("{}{}:{} {}{}[{}]{}: {}{}{}\n", c.bold, place(sources, d.span), c.reset, tint,
                       severity_word(e.severity), e.code, c.reset, c.bold, d.message, c.reset);
    out += excerpt(sources, d.span, tint, c.reset);
    for (const Label& label : d.labels) {
      out += fmt::format("      {}note:{} {} ({})\n", c.note, c.reset, label.text, place(sources, label.span));
      out += excerpt(sources, label.span, c.note, c.reset);
    }
    if (!d.hint.empty()) out += fmt::format("      {}hint:{} {}\n", c.note, c.reset, d.hint);
    out += repetition.others(d, sources);
  }
  return out;
}

std::string render_json(const Diagnostics& diagnostics, const Sources& sources) {
  const auto range = [&](Span span) {
    const SourceFile& file = sources.file(span.file);
    const Position begin = file.position(span.begin);
    const Position end = file.position(span.end);
    return nlohmann::ordered_json{{"file", file.name()},
                                  {"line", begin.line},
                                  {"column", begin.column},
                                  {"end_line", end.line},
                                  {"end_column", end.column}};
  };
  auto list = nlohmann::ordered_json::array();
  for (const Diagnostic& d : diagnostics.sorted()) {
    const CatalogueEntry& e = entry(d.kind);
    nlohmann::ordered_json item{{"code", e.code}, {"severity", severity_word(e.severity)}, {"message", d.message}};
    item.update(range(d.span));
    if (!d.hint.empty()) item["hint"] = d.hint;
    if (d.replacement) {
      nlohmann::ordered_json replacement{{"text", d.replacement->text}};
      replacement.update(range(d.replacement->span));
      item["replacement"] = std::move(replacement);
    }
    auto notes = nlohmann::ordered_json::array();
    for (const Label& label : d.labels) {
      nlohmann::ordered_json note{{"message", label.text}};
      note.update(range(label.span));
      notes.push_back(std::move(note));
    }
    item["notes"] = std::move(notes);
    list.push_back(std::move(item));
  }
  // Names and messages may quote bytes of a broken file: replace what is not UTF-8 instead of failing.
  return nlohmann::ordered_json{{"diagnostics", std::move(list)}}.dump(
             2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
         "\n";
}

std::optional<std::string> nearest(std::string_view name, std::span<const std::string> candidates) {
  const std::size_t limit = name.size() <= 3 ? 1 : name.size() <= 6 ? 2 : 3;
  std::optional<std::string> best;
  std::size_t best_distance = limit + 1;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > name.size() + limit || candidate == name) continue;
    if (same_but_case(name, candidate)) return candidate;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best_distance && distance < std::max(name.size(), candidate.size())) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view name, std::span<const std::string> candidates) {
  const auto candidate = nearest(name, candidates);
  return candidate ? fmt::format("did you mean '{}'?", *candidate) : std::string{};
}

std::vector<std::string> nearest_names(std::string_view name, std::span<const std::string> candidates,
                                       std::size_t most) {
  std::set<std::string> kinds;  // those that differ in their indices are one
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const std::string& candidate : candidates) {
    std::string kind;
    for (const char c : candidate) {
      if (std::isdigit(static_cast<unsigned char>(c)) == 0) kind += c;
    }
    if (kinds.insert(kind).second) found.emplace_back(edit_distance(name, candidate), candidate);
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (std::size_t k = 0; k < std::min(most, found.size()); ++k) names.push_back(std::move(found[k].second));
  return names;
}

std::string joined(std::span<const std::string> names) { return with_commas(names); }
std::string joined(std::span<const std::string_view> names) { return with_commas(names); }

}  // namespace nsmc
