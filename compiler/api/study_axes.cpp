#include "compiler/api/study_axes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <set>
#include <span>
#include <string_view>

#include "compiler/support/diagnostics.hpp"

namespace nsmc {
namespace {

constexpr std::uint64_t kMostRuns = 10'000'000;

// The setting of an axis, by its name or by that of its option.
std::optional<Setting> find_axis_setting(std::string_view name) {
  for (std::size_t i = 0; i < setting_rows().size(); ++i) {
    const SettingRow& known = setting_rows()[i];
    if ((known.places & kAxis) != 0 && (known.name == name || known.option == name)) return static_cast<Setting>(i);
  }
  return std::nullopt;
}

// Numbers, then words.
std::vector<std::string> axis_settings() {
  std::vector<std::string> names;
  for (const bool words : {false, true}) {
    for (const SettingRow& known : setting_rows()) {
      if ((known.places & kAxis) != 0 && (known.kind == SettingKind::word) == words) names.emplace_back(known.name);
    }
  }
  return names;
}

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

// Between decimal ends lie decimal values: 0.3 and not 0.30000000000000004.
double rounded(double value) { return std::strtod(fmt::format("{:.15g}", value).c_str(), nullptr); }

class AxisReader {
 public:
  AxisReader(const AxisText& axis, const Equations& equations)
      : text_(axis.text), what_(fmt::format("`{}` {}", axis.option, axis.text)), equations_(equations) {}

  Axis read(const GivenParameters& parameters, const SettingValues<double>& settings) {
    const std::size_t equal = text_.find('=');
    if (equal == std::string::npos || equal == 0 || equal + 1 == text_.size()) {
      wrong("expected name=from:to:n or name=value,value,...");
    }
    find_target(text_.substr(0, equal));
    if (axis_.parameter.empty() ? settings.has(axis_.setting) : parameters.has(axis_.parameter)) {
      wrong(fmt::format("'{}' is varied, and given by `{}` as well", axis_.name,
                        axis_.parameter.empty() ? row(axis_.setting).name : "set"));
    }
    values(text_.substr(equal + 1));
    std::set<std::string> seen;
    for (const Value& value : axis_.values) {
      if (!seen.insert(text_of(value)).second) wrong(fmt::format("the value {} is there twice", text_of(value)));
    }
    return std::move(axis_);
  }

 private:
  [[noreturn]] void wrong(const std::string& why) const { throw SettingError(axis_.name, what_ + ": " + why); }

  void find_target(const std::string& name) {
    axis_.name = name;
    const bool param = name.starts_with("param."), simulate = name.starts_with("simulate.");
    const std::string plain = param ? name.substr(6) : simulate ? name.substr(9) : name;
    const bool is_parameter = std::any_of(equations_.parameters.begin(), equations_.parameters.end(),
                                          [&](const ParameterEquation& p) { return p.name == plain; });
    std::optional<Setting> setting = find_axis_setting(plain);
    if (param) setting.reset();
    if (is_parameter && setting && !simulate) {
      wrong(fmt::format("'{0}' is a parameter of the model and a setting of the run: write param.{0} or simulate.{0}",
                        plain));
    }
    if (setting) {
      axis_.setting = *setting;
      if (row(*setting).kind == SettingKind::time) dimension_ = "s";
      return;
    }
    if (simulate) wrong(fmt::format("there is no setting '{}'; there are {}", plain, joined(axis_settings())));
    if (!is_parameter && !param) {
      if (const std::string hint = did_you_mean(plain, axis_settings()); !hint.empty()) {
        std::vector<std::string> names = axis_settings();
        for (const ParameterEquation& p : equations_.parameters) names.push_back(p.name);
        wrong(fmt::format("there is no parameter and no setting '{}'; {}", plain, did_you_mean(plain, names)));
      }
    }
    const ParameterEquation& parameter = find_parameter(plain, what_, equations_);
    axis_.parameter = plain;
    dimension_ = parameter.dimension;
  }

  bool is_word() const { return axis_.parameter.empty() && row(axis_.setting).kind == SettingKind::word; }
  Asker asker() const { return {axis_.name, what_}; }

  void values(const std::string& text) {
    const std::vector<std::string> parts = split(text, ':');
    if (is_word()) {
      for (const std::string& word : split(text, ',')) add_word(word);
    } else if (parts.size() > 1) {
      range(parts);
    } else {
      for (const std::string& value : split(text, ','))
        axis_.values.emplace_back(read_value(value, asker(), dimension_));
    }
  }

  void add_word(const std::string& word) {
    const std::span<const std::string_view> known = row(axis_.setting).words;
    if (std::find(known.begin(), known.end(), word) == known.end()) {
      const std::vector<std::string> names(known.begin(), known.end());
      std::string hint = did_you_mean(word, names);
      if (hint.empty()) hint = fmt::format("there are {}", joined(names));
      wrong(fmt::format("there is no {} '{}'; {}", axis_.name, word, hint));
    }
    axis_.values.emplace_back(word);
  }

  void range(const std::vector<std::string>& parts) {
    const bool logarithmic = parts.size() == 4 && parts[3] == "log";
    if (parts.size() != 3 && !logarithmic) wrong("a range is from:to:n or from:to:n:log");
    const double from = read_value(parts[0], asker(), dimension_), to = read_value(parts[1], asker(), dimension_);
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
      axis_.values.emplace_back(i == 0 ? from
                                : i == n - 1
                                    ? to
                                    : rounded(logarithmic ? from * std::pow(to / from, s) : (1 - s) * from + s * to));
    }
  }

  const std::string& text_;
  std::string what_;
  const Equations& equations_;
  Axis axis_;
  std::string dimension_ = "1";
};

}  // namespace

AxisText axis(const std::string& name, const std::vector<double>& values) {
  std::string text = name;
  for (const double value : values) text += fmt::format("{}{}", text == name ? "=" : ",", value);
  return {text};
}

std::vector<Axis> read_axes(const std::vector<AxisText>& texts, const GivenParameters& parameters,
                            const SettingValues<double>& settings, const Equations& equations) {
  std::vector<Axis> axes;
  double runs = 1;
  for (const AxisText& text : texts) {
    Axis axis = AxisReader(text, equations).read(parameters, settings);
    for (const Axis& other : axes) {
      const bool same = axis.parameter == other.parameter && axis.setting == other.setting;
      if (same) {
        throw SettingError(axis.name, fmt::format("`{}` {}: '{}' is varied twice", text.option, text.text, axis.name));
      }
    }
    runs *= static_cast<double>(axis.values.size());
    axes.push_back(std::move(axis));
  }
  if (runs > static_cast<double>(kMostRuns)) {
    throw SettingError("", fmt::format("that would be {:.3g} runs; {} is the most", runs, kMostRuns));
  }
  return axes;
}

ParameterValues first_numbers(const std::vector<AxisText>& texts) {
  ParameterValues numbers;
  for (const AxisText& axis : texts) {
    const std::size_t equal = axis.text.find('=');
    if (equal == std::string::npos || equal == 0) continue;
    const std::string name = axis.text.substr(0, equal);
    try {
      numbers[name.starts_with("param.") ? name.substr(6) : name] =
          read_quantity(split(split(axis.text.substr(equal + 1), ':')[0], ',')[0], {name, name}).value;
    } catch (const SettingError&) {
      continue;  // a word; or read_axes says what is wrong with it
    }
  }
  return numbers;
}

StudyGrid::StudyGrid(std::vector<Axis> axes, ParameterValues overrides, SettingValues<double> settings)
    : axes_(std::move(axes)), overrides_(std::move(overrides)), settings_(std::move(settings)) {
  for (const Axis& axis : axes_) size_ *= axis.values.size();
}

StudyPoint StudyGrid::point(std::uint64_t index) const {
  StudyPoint point{overrides_, settings_, std::vector<Value>(axes_.size())};
  for (std::size_t k = axes_.size(); k-- > 0;) {
    const Axis& axis = axes_[k];
    const std::size_t i = index % axis.values.size();
    index /= axis.values.size();
    const Value& value = point.values[k] = axis.values[i];
    if (!axis.parameter.empty()) {
      point.overrides[axis.parameter] = *value.number();
    } else if (value.number() != nullptr) {
      point.settings.numbers[axis.setting] = *value.number();
    } else {
      point.settings.words[axis.setting] = *value.text();
    }
  }
  return point;
}

}  // namespace nsmc
