// Parameters and settings as a caller gives them.
#pragma once

#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace nsmc {

// A number in SI units, or a text as on the command line: "0.1[ms]", "event". A flag is on if its number is not 0.
class Value {
 public:
  template <class Number>
  requires std::is_arithmetic_v<Number> Value(Number number)
      : value_(static_cast<double>(number)) {}            // NOLINT: meant to be implicit
  Value(std::string text) : value_(std::move(text)) {}    // NOLINT
  Value(const char* text) : value_(std::string(text)) {}  // NOLINT
  Value() = default;

  const double* number() const { return std::get_if<double>(&value_); }
  const std::string* text() const { return std::get_if<std::string>(&value_); }

 private:
  std::variant<double, std::string> value_;
};

// Parameters of the model, by name, that take the place of its own values.
using Overrides = std::map<std::string, Value>;

// What an input of the model follows over time: samples, held from one to the next, straight lines or monotone cubics
// between them, and held beyond the first and the last.
struct InputSamples {
  std::vector<double> t, value;  // SI
  std::string form = "linear";   // or "held", "cubic"
};
using Inputs = std::map<std::string, InputSamples>;

// Settings of a run, by name: until, step, method, solver, tolerance, ... (Model::settings lists them).
using Settings = std::map<std::string, Value>;

}  // namespace nsmc
