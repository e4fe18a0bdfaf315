// What the library throws. A model with errors is none of these: its diagnostics are values (nsmc/model.hpp).
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "nsmc/diagnostics.hpp"

namespace nsmc {

// A file that cannot be read or written, with its path and the reason of the operating system.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A setting, parameter, column, axis or measure that does not fit. In the message, names of what the caller gives stand
// between backquotes: "`inner_steps` belongs to `method` lie, this run is by moreau".
struct SettingError : std::runtime_error {
  SettingError(std::string name, const std::string& message) : std::runtime_error(message), setting(std::move(name)) {}
  std::string setting;
};

// A model with errors was asked for more than its diagnostics; the message is that of the first error. Errors that come
// with other parameters are seen here alone.
struct ModelError : std::runtime_error {
  explicit ModelError(const std::string& message, std::vector<DiagnosticInfo> all = {}, std::string as_text = {})
      : std::runtime_error(message), diagnostics(std::move(all)), text(std::move(as_text)) {}
  std::vector<DiagnosticInfo> diagnostics;  // empty: not of a place in the model
  std::string text;                         // of them, with the source lines, as `nsmc check` prints
};

}  // namespace nsmc
