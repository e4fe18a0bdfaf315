// What a user is told about a model: diagnostics are collected by the stages, sorted, and rendered once, as text
// with the source line and a caret or as JSON for editors. Every kind stands in catalogue.def with a stable code.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/support/source.hpp"

namespace nsmc {

enum class Kind : std::uint16_t {
#define NSMC_DIAGNOSTIC(name, code, severity, summary) name,
#include "compiler/support/catalogue.def"
#undef NSMC_DIAGNOSTIC
};

enum class Severity : std::uint8_t { error, warning };

struct CatalogueEntry {
  Kind kind;
  std::string_view name;  // as in catalogue.def
  std::string_view code;  // "N0123", stable
  Severity severity;
  std::string_view summary;  // one line on what is wrong in general
};

std::span<const CatalogueEntry> catalogue();
const CatalogueEntry& entry(Kind kind);

struct Label {
  Span span;
  std::string text;
};

// What to write in the place of a span to mend an error, where that is certain: editors offer it.
struct Replacement {
  Span span;
  std::string text;
};

struct Diagnostic {
  Kind kind{};
  Span span;
  std::string message;        // lower case, no period: what was seen, what was expected
  std::vector<Label> labels;  // other places that matter
  std::string hint;           // how to mend it, may be empty
  std::optional<Replacement> replacement{};
};

class Diagnostics {
 public:
  // The returned reference is valid until the next report: add labels and a hint to it at once.
  Diagnostic& report(Kind kind, Span span, std::string message, std::string hint = {});

  bool has_errors() const { return errors_ > 0; }
  std::size_t error_count() const { return errors_; }
  // In the order of the source, duplicates removed.
  std::vector<Diagnostic> sorted() const;

 private:
  std::vector<Diagnostic> list_;
  std::size_t errors_ = 0;
};

std::string render(const Diagnostics& diagnostics, const Sources& sources, bool colour);
std::string render_json(const Diagnostics& diagnostics, const Sources& sources);

// A line as it can be shown: tabs as one blank, control characters and broken UTF-8 as '?'.
std::string shown_line(std::string_view line);

// The candidate nearest to `name` by edit distance, if near enough to be a slip of the pen.
std::optional<std::string> nearest(std::string_view name, std::span<const std::string> candidates);
// The nearest ones, best first; of those that differ only in indices the first.
std::vector<std::string> nearest_names(std::string_view name, std::span<const std::string> candidates,
                                       std::size_t most);
// "did you mean 'x'?" or an empty string.
std::string did_you_mean(std::string_view name, std::span<const std::string> candidates);
// "a, b, c". In place of fmt::join, which costs every file that uses it most of a second to compile.
std::string joined(std::span<const std::string> names);
std::string joined(std::span<const std::string_view> names);

}  // namespace nsmc
