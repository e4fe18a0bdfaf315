// What the library throws. A model with errors is none of these: its diagnostics are values (nsmc/model.hpp).
#pragma once

#include <stdexcept>
#include <string>

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

// A model with errors was asked for more than its diagnostics; the message is that of the first error.
struct ModelError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace nsmc
