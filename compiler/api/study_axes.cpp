#include "compiler/api/study_axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <set>
#include <span>
#include <string_view>

#include "compiler/model/method_names.hpp"
#include "compiler/support/diagnostics.hpp"

namespace nsmc {
namespace {

constexpr std::uint64_t kMostRuns = 10'000'000;

struct NumberSetting {
  const char* name;
  const char* option;
  std::optional<double> ChosenSettings::*slot;
  const char* dimension;
};
constexpr NumberSetting kNumbers[] = {
    {"until", "--until", &ChosenSettings::until, "s"},
    {"step", "--step", &ChosenSettings::step, "s"},
    {"omega", "--omega", &ChosenSettings::omega, "1"},
    {"tolerance", "--tol", &ChosenSettings::tolerance, "1"},
    {"max_iterations", "--max-iterations", &ChosenSettings::max_iterations, "1"},
    {"rtol", "--rtol", &ChosenSettings::rtol, "1"},
    {"atol", "--atol", &ChosenSettings::atol, "1"},
    {"inner_steps", "--inner-steps", &ChosenSettings::inner_steps, "1"},
    {"rho", "--rho", &ChosenSettings::rho, "1"},
};

struct WordSetting {
  const char* name;
  const char* option;
  std::string ChosenSettings::*slot;
  std::span<const std::string_view> known;
};
const WordSetting kWords[] = {
    {"method", "--method", &ChosenSettings::method, method_names},
    {"solver", "--solver", &ChosenSettings::solver, solver_names},
    {"tableau", "--tableau", &ChosenSettings::tableau, tableau_names},
    {"form", "--form", &ChosenSettings::form, form_names},
};

// The pieces of a text between separators that do not stand in the brackets of a unit.
std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '[') ++depth;
    if (c == ']') --depth;
    if (c == separator && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

// The shortest text that reads back as the same number.
std::string cell(double value) { return fmt::format("{}", value); }

// Between decimal ends lie decimal values: 0.3 and not 0.30000000000000004.
double rounded(double value) { return std::strtod(fmt::format("{:.15g}", value).c_str(), nullptr); }

class AxisReader {
 public:
  AxisReader(const AxisText& axis, const Equations& equations)
      : text_(axis.text), what_(axis.option + " " + axis.text), equations_(equations) {}

  Axis read(const SimulationChoices& choices, const ChosenSettings& given) {
    const std::size_t equal = text_.find('=');
    if (equal == std::string::npos || equal == 0 || equal + 1 == text_.size()) {
      wrong("expected name=from:to:n or name=value,value,...");
    }
    find_target(text_.substr(0, equal));
    if (axis_.parameter.empty() ? is_given(given) : is_set(choices)) {
      wrong(fmt::format("'{}' is varied, and given by {} as well", axis_.name, option_));
    }
    values(text_.substr(equal + 1));
    std::set<std::string_view> seen;
    for (const std::string& value : axis_.cells) {
      if (!seen.insert(value).second) wrong(fmt::format("the value {} is there twice", value));
    }
    return std::move(axis_);
  }

 private:
  [[noreturn]] void wrong(const std::string& why) const { throw UsageError(what_ + ": " + why); }

  bool is_given(const ChosenSettings& given) const {
    return axis_.number != nullptr ? (given.*axis_.number).has_value() : !(given.*axis_.word).empty();
  }
  bool is_set(const SimulationChoices& choices) const {
    return std::any_of(choices.set.begin(), choices.set.end(),
                       [&](const std::string& item) { return item.starts_with(axis_.parameter + "="); });
  }

  void find_target(const std::string& name) {
    axis_.name = name;
    const bool param = name.starts_with("param."), simulate = name.starts_with("simulate.");
    const std::string plain = param ? name.substr(6) : simulate ? name.substr(9) : name;
    const bool is_parameter = std::any_of(equations_.parameters.begin(), equations_.parameters.end(),
                                          [&](const ParameterEquation& p) { return p.name == plain; });
    const bool is_setting = !param && find_setting(plain);
    if (is_parameter && is_setting && !simulate) {
      wrong(fmt::format("'{0}' is a parameter of the model and a setting of the run: write param.{0} or simulate.{0}",
                        plain));
    }
    if (is_setting) return;
    if (simulate) wrong(fmt::format("there is no setting '{}'; there are {}", plain, fmt::join(setting_names(), ", ")));
    if (!is_parameter && !param) {
      if (const std::string hint = did_you_mean(plain, setting_names()); !hint.empty()) {
        std::vector<std::string> names = setting_names();
        for (const ParameterEquation& p : equations_.parameters) names.push_back(p.name);
        wrong(fmt::format("there is no parameter and no setting '{}'; {}", plain, did_you_mean(plain, names)));
      }
    }
    const ParameterEquation& parameter = find_parameter(plain, what_, equations_);
    axis_.parameter = plain;
    dimension_ = parameter.dimension;
    option_ = "--set";
  }

  bool find_setting(const std::string& name) {
    for (const NumberSetting& s : kNumbers) {
      if (name != s.name && "--" + name != s.option) continue;
      axis_.number = s.slot;
      dimension_ = s.dimension;
      option_ = s.option;
      return true;
    }
    for (const WordSetting& s : kWords) {
      if (name != s.name) continue;
      axis_.word = s.slot;
      known_ = s.known;
      option_ = s.option;
      return true;
    }
    return false;
  }

  static std::vector<std::string> setting_names() {
    std::vector<std::string> names;
    for (const NumberSetting& s : kNumbers) names.emplace_back(s.name);
    for (const WordSetting& s : kWords) names.emplace_back(s.name);
    return names;
  }

  void values(const std::string& text) {
    const std::vector<std::string> parts = split(text, ':');
    if (axis_.word != nullptr) {
      for (const std::string& word : split(text, ',')) add_word(word);
    } else if (parts.size() > 1) {
      range(parts);
    } else {
      for (const std::string& value : split(text, ',')) add(read_value(value, what_, dimension_));
    }
  }

  void add_word(const std::string& word) {
    if (std::find(known_.begin(), known_.end(), word) == known_.end()) {
      const std::vector<std::string> names(known_.begin(), known_.end());
      std::string hint = did_you_mean(word, names);
      if (hint.empty()) hint = fmt::format("there are {}", fmt::join(names, ", "));
      wrong(fmt::format("there is no {} '{}'; {}", axis_.name, word, hint));
    }
    axis_.words.push_back(word);
    axis_.cells.push_back(word);
  }

  void add(double value) {
    axis_.numbers.push_back(value);
    axis_.cells.push_back(cell(value));
  }

  void range(const std::vector<std::string>& parts) {
    const bool logarithmic = parts.size() == 4 && parts[3] == "log";
    if (parts.size() != 3 && !logarithmic) wrong("a range is from:to:n or from:to:n:log");
    const double from = read_value(parts[0], what_, dimension_), to = read_value(parts[1], what_, dimension_);
    std::uint64_t n = 0;
    const char* const end = parts[2].data() + parts[2].size();
    const auto [stop, error] = std::from_chars(parts[2].data(), end, n);
    if (error != std::errc() || stop != end || n < 2 || n > kMostRuns) {
      wrong(fmt::format("'{}' is not a number of values, a whole number from 2 on", parts[2]));
    }
    if (from == to) wrong("from and to are the same");
    if (logarithmic && !(from * to > 0)) wrong("a logarithmic range has no 0 in it, and does not pass it");
    for (std::uint64_t i = 0; i < n; ++i) {
      const double s = static_cast<double>(i) / static_cast<double>(n - 1);
      add(i == 0       ? from
          : i == n - 1 ? to
                       : rounded(logarithmic ? from * std::pow(to / from, s) : (1 - s) * from + s * to));
    }
  }

  const std::string& text_;
  std::string what_;
  const Equations& equations_;
  Axis axis_;
  std::string dimension_ = "1", option_;
  std::span<const std::string_view> known_;
};

}  // namespace

std::vector<Axis> read_axes(const std::vector<AxisText>& texts, const SimulationChoices& choices,
                            const Equations& equations) {
  const ChosenSettings given = read_settings(choices);
  std::vector<Axis> axes;
  double runs = 1;
  for (const AxisText& text : texts) {
    Axis axis = AxisReader(text, equations).read(choices, given);
    for (const Axis& other : axes) {
      const bool same = axis.parameter == other.parameter && axis.number == other.number && axis.word == other.word;
      if (same) throw UsageError(fmt::format("{} {}: '{}' is varied twice", text.option, text.text, axis.name));
    }
    runs *= static_cast<double>(axis.size());
    axes.push_back(std::move(axis));
  }
  if (runs > static_cast<double>(kMostRuns)) {
    throw UsageError(fmt::format("that would be {:.3g} runs; {} is the most", runs, kMostRuns));
  }
  return axes;
}

StructuralNumbers first_numbers(const std::vector<AxisText>& texts) {
  std::vector<std::string> first;
  for (const auto& [option, text] : texts) {
    const std::size_t equal = text.find('=');
    if (equal == std::string::npos) continue;
    const std::string name = text.starts_with("param.") ? text.substr(6, equal - 6) : text.substr(0, equal);
    first.push_back(name + "=" + split(split(text.substr(equal + 1), ':')[0], ',')[0]);
  }
  return structural_numbers(first);
}

StudyGrid::StudyGrid(std::vector<Axis> axes, Overrides overrides, ChosenSettings settings)
    : axes_(std::move(axes)), overrides_(std::move(overrides)), settings_(std::move(settings)) {
  for (const Axis& axis : axes_) size_ *= axis.size();
}

StudyPoint StudyGrid::point(std::uint64_t index) const {
  StudyPoint point{overrides_, settings_, std::vector<std::string>(axes_.size())};
  for (std::size_t k = axes_.size(); k-- > 0;) {
    const Axis& axis = axes_[k];
    const std::size_t i = index % axis.size();
    index /= axis.size();
    point.cells[k] = axis.cells[i];
    if (!axis.parameter.empty()) {
      point.overrides[axis.parameter] = axis.numbers[i];
    } else if (axis.number != nullptr) {
      point.settings.*axis.number = axis.numbers[i];
    } else {
      point.settings.*axis.word = axis.words[i];
    }
  }
  return point;
}

}  // namespace nsmc
