// A command line that makes no sense. What the library refuses is a SettingError; main says it in options.
#pragma once

#include <stdexcept>

namespace nsmc {

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace nsmc
