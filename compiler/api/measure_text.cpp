#include "compiler/api/measure_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <span>

#include "compiler/api/quantity.hpp"
#include "compiler/api/simulation_setup.hpp"
#include "compiler/support/diagnostics.hpp"

namespace nsmc {
namespace {

using rt::MeasureKind;

struct Word {
  const char* name;
  MeasureKind kind;
};

constexpr Word kOfColumn[] = {
    {"end", MeasureKind::end}, {"min", MeasureKind::min}, {"max", MeasureKind::max}, {"mean", MeasureKind::mean}};
constexpr Word kOfIterations[] = {{"mean", MeasureKind::iterations_mean},
                                  {"max", MeasureKind::iterations_max},
                                  {"total", MeasureKind::iterations_total}};
constexpr Word kOfRun[] = {{"iterations", MeasureKind::iterations_mean},
                           {"steps", MeasureKind::steps},
                           {"unconverged", MeasureKind::unconverged},
                           {"wall", MeasureKind::wall},
                           {"events", MeasureKind::events},
                           {"impacts", MeasureKind::impacts}};
constexpr const char* kFunctions[] = {"end", "min", "max", "mean", "total", "time", "crossing"};

template <std::size_t n>
std::optional<MeasureKind> find(const Word (&words)[n], const std::string& name) {
  for (const Word& word : words) {
    if (name == word.name) return word.kind;
  }
  return std::nullopt;
}

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool is_word(const std::string& text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c >= 0x80; });
}

// The first of these characters that does not stand in brackets: bead[1, 2].N has none.
std::size_t find_outside(const std::string& text, const char* characters) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[') ++depth;
    if (text[i] == ']') --depth;
    if (depth == 0 && std::string_view(characters).find(text[i]) != std::string_view::npos) return i;
  }
  return std::string::npos;
}

class MeasureParser {
 public:
  explicit MeasureParser(const std::string& text) { result_.text = text; }

  MeasureText parse() {
    std::string rest = trimmed(result_.text);
    const std::size_t equal = rest.find('=');
    if (equal != std::string::npos && is_word(trimmed(rest.substr(0, equal)))) {
      result_.label = trimmed(rest.substr(0, equal));
      rest = trimmed(rest.substr(equal + 1));
    }
    if (rest.empty()) wrong("expected a column, or a function of one such as max(z)");
    const std::size_t open = rest.find('(');
    if (open == std::string::npos) {
      plain(rest);
    } else {
      if (rest.back() != ')') wrong("expected ')' at the end");
      function(trimmed(rest.substr(0, open)), trimmed(rest.substr(open + 1, rest.size() - open - 2)));
    }
    return result_;
  }

 private:
  [[noreturn]] void wrong(const std::string& why) const {
    throw SettingError(result_.text, fmt::format("`measure` '{}': {}", result_.text, why));
  }

  void plain(const std::string& name) {
    result_.plain = true;
    const auto kind = find(kOfRun, name);
    if (kind) {
      result_.kind = *kind;
    } else {
      column(name);
    }
  }

  void column(const std::string& name) {
    if (name.empty()) wrong("expected the name of a column");
    if (find_outside(name, "<>,()=") != std::string::npos) wrong(fmt::format("'{}' is not the name of a column", name));
    result_.column = name;
  }

  void function(const std::string& name, const std::string& argument) {
    if (name == "time" || name == "crossing") {
      const std::size_t at = find_outside(argument, name == "time" ? "<>" : ",");
      if (at == std::string::npos) {
        wrong(name == "time" ? "expected a condition, such as time(z > 0.5)" : "expected crossing(column, value)");
      }
      result_.kind = name == "crossing"    ? MeasureKind::crossing
                     : argument[at] == '>' ? MeasureKind::first_above
                                           : MeasureKind::first_below;
      column(trimmed(argument.substr(0, at)));
      result_.bound = trimmed(argument.substr(at + 1));
      if (result_.bound.empty()) wrong(fmt::format("expected a number after '{}'", argument[at]));
      return;
    }
    if (argument == "iterations" && name != "end") {
      const auto kind = find(kOfIterations, name);
      if (!kind) wrong("of the iterations there are mean, max and total");
      result_.kind = *kind;
      return;
    }
    const auto kind = find(kOfColumn, name);
    if (!kind) {
      const std::vector<std::string> names(std::begin(kFunctions), std::end(kFunctions));
      std::string hint = name == "total" ? "only the iterations have a total" : did_you_mean(name, names);
      if (hint.empty()) hint = fmt::format("there are {}", joined(names));
      wrong(fmt::format("unknown function '{}'; {}", name, hint));
    }
    result_.kind = *kind;
    column(argument);
  }

  MeasureText result_;
};

// As it stands in the header: without the user's blanks.
std::string name_of(const MeasureText& text, const std::string& column) {
  switch (text.kind) {
    case MeasureKind::end: return text.plain ? column : "end(" + column + ")";
    case MeasureKind::min: return "min(" + column + ")";
    case MeasureKind::max: return "max(" + column + ")";
    case MeasureKind::mean: return "mean(" + column + ")";
    case MeasureKind::first_above: return fmt::format("time({} > {})", column, text.bound);
    case MeasureKind::first_below: return fmt::format("time({} < {})", column, text.bound);
    case MeasureKind::crossing: return fmt::format("crossing({}, {})", column, text.bound);
    case MeasureKind::iterations_mean: return text.plain ? "iterations" : "mean(iterations)";
    case MeasureKind::iterations_max: return "max(iterations)";
    case MeasureKind::iterations_total: return "total(iterations)";
    case MeasureKind::unconverged: return "unconverged";
    case MeasureKind::steps: return "steps";
    case MeasureKind::wall: return "wall";
    case MeasureKind::events: return "events";
    case MeasureKind::impacts: return "impacts";
  }
  return "";
}

std::string unknown_column(const MeasureText& text, const std::vector<std::string>& columns) {
  std::vector<std::string> names = columns;
  for (const Word& word : kOfRun) names.emplace_back(word.name);
  std::string hint = did_you_mean(text.column, names);
  if (hint.empty()) {
    const std::size_t most = 20;
    const std::size_t shown = std::min(names.size(), most);
    hint = fmt::format("there are {}{}", joined(std::span(names).first(shown)), shown < names.size() ? ", ..." : "");
  }
  return fmt::format("`measure` '{}': nothing is called '{}'; {}", text.text, text.column, hint);
}

}  // namespace

MeasureText parse_measure(const std::string& text) { return MeasureParser(text).parse(); }

NamedMeasures resolve_measures(std::span<const MeasureText> texts, const KernelPlan& plan) {
  NamedMeasures result;
  for (const MeasureText& text : texts) {
    if (!rt::reads_column(text.kind)) {
      result.measures.push_back({text.kind, 0, 0});
      result.names.push_back(text.label.empty() ? name_of(text, "") : text.label);
      continue;
    }
    const std::vector<std::size_t> columns = columns_named(text.column, plan);
    if (columns.empty()) throw SettingError(text.text, unknown_column(text, plan.columns));
    for (const std::size_t column : columns) {
      rt::Measure measure{text.kind, column, 0};
      if (!text.bound.empty()) {
        const Asker asker{text.text, fmt::format("`measure` '{}'", text.text)};
        const std::string& dimension = plan.column_dimensions[column];
        measure.bound =
            dimension.empty() ? read_quantity(text.bound, asker).value : read_value(text.bound, asker, dimension);
      }
      result.measures.push_back(measure);
      const std::string& name = plan.columns[column];
      // A vector's label has the components' indices.
      result.names.push_back(text.label.empty()    ? name_of(text, name)
                             : name == text.column ? text.label
                                                   : text.label + name.substr(text.column.size()));
    }
  }
  return result;
}

}  // namespace nsmc
