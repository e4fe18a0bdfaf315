#include "compiler/driver/input_files.hpp"

#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "compiler/driver/usage_error.hpp"
#include "nsmc/files.hpp"

namespace nsmc {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\"";
  const std::size_t first = text.find_first_not_of(kBlanks);
  return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

std::optional<double> number_of(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace

InputSamples read_input_file(const std::string& name, const std::string& written) {
  InputSamples samples;
  std::string path = written;
  for (const std::string_view form : {":held", ":linear", ":cubic"}) {
    if (!written.ends_with(form)) continue;
    path = written.substr(0, written.size() - form.size());
    samples.form = form.substr(1);
  }
  const std::string whole = files_on_disk()(path);
  std::string_view text = whole;
  std::size_t number = 0;
  bool begun = false;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    const std::size_t between = line.find_first_of(",;\t");
    const std::string_view rest = between == line.npos ? std::string_view{} : line.substr(between + 1);
    const std::optional<double> t = number_of(line.substr(0, between));
    const std::optional<double> value = number_of(rest.substr(0, rest.find_first_of(",;\t")));
    const bool header = !begun && !t;
    begun = true;
    if (header) continue;
    if (!t || !value) {
      throw UsageError(
          fmt::format("--input {}: line {} of {} is not a time and a value, separated by a comma", name, number, path));
    }
    samples.t.push_back(*t);
    samples.value.push_back(*value);
  }
  if (samples.t.empty()) throw UsageError(fmt::format("--input {}: {} has no samples", name, path));
  return samples;
}

void take_input(const std::string& written, Overrides& overrides, Inputs& inputs) {
  const std::size_t equal = written.find('=');
  if (equal == std::string::npos || equal == 0 || equal + 1 == written.size())
    throw UsageError(fmt::format("--input {}: expected name=file or name=value, such as --input F=force.csv", written));
  const std::string name = written.substr(0, equal), value = written.substr(equal + 1);
  const bool number = std::string_view("+-.0123456789").find(value[0]) != std::string_view::npos &&
                      value.find(".csv") == std::string::npos;
  if (number) {
    overrides[name] = value;
  } else {
    inputs[name] = read_input_file(name, value);
  }
}

}  // namespace nsmc
