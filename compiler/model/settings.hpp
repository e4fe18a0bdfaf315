// The settings of a run, one row each: setting_rows in settings.cpp. Everything that knows settings reads the rows: the
// checks of `simulate {}`, the library, the options and the help of the command line, axes of studies, `describe`. A
// test holds the tables of docs/ against them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace nsmc {

enum class SettingKind : std::uint8_t {
  time,    // in seconds; takes a unit
  number,  // a pure number
  whole,   // a whole number
  word,    // one of a list
  flag,    // on or off; off if it is not given
};

// Where a setting may be given.
enum SettingPlace : std::uint8_t {
  kSimulate = 1,  // in `simulate {}` of a model
  kAxis = 2,      // as an axis of a study
  kRunOnly = 4,   // not for studies: it is about recording
};

struct SettingRow {
  std::string_view name{};         // in models, axes and the library: max_iterations
  std::string_view option{};       // of the command line, without its dashes: max-iterations
  std::string_view placeholder{};  // of its value in the help of the command line
  SettingKind kind{};
  std::uint8_t places = 0;                    // of SettingPlace
  std::span<const std::string_view> words{};  // that a word may be
  // Bounds of a number: greater than 0, or at least 1 if it is whole, and at most `most`, below it if `open`. What it
  // must be, as a message says it: "omega must lie between 0 and 2".
  double most = 0;
  bool open = false;
  std::string_view range{};
  // The setting that it is of use with only, as "method" and "lie"; and what is said where it is given without that,
  // before the name of what the run is by.
  std::string_view owner{}, owner_word{}, misplaced{};
  std::string_view standard{};  // what a run takes if nothing is given, in words
  std::string_view help{};
};

std::span<const SettingRow> setting_rows();

// A row by its number.
enum class Setting : std::uint8_t {};
inline const SettingRow& row(Setting setting) { return setting_rows()[static_cast<std::size_t>(setting)]; }

// The setting of this name, or nothing.
std::optional<Setting> find_setting(std::string_view name);
// The same for a name that stands in nsmc: there is one, or it is a bug.
Setting setting(std::string_view name);

bool fits(const SettingRow& row, double value);

// Values of parameters, by name and in SI, that take the place of the model's own.
using ParameterValues = std::map<std::string, double>;

// Settings with their values: numbers (NodeId in the typed model, Expr in the equations, double in a run) and words.
// What is absent was not given.
template <class Number>
struct SettingValues {
  std::map<Setting, Number> numbers;
  std::map<Setting, std::string> words;

  bool has(Setting s) const { return numbers.contains(s) || words.contains(s); }
  std::optional<Number> number(std::string_view name) const {
    const auto at = numbers.find(setting(name));
    return at == numbers.end() ? std::nullopt : std::optional<Number>(at->second);
  }
  std::string word(std::string_view name) const {
    const auto at = words.find(setting(name));
    return at == words.end() ? std::string() : at->second;
  }
};

}  // namespace nsmc
