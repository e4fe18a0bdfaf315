// What a caller asks for does not fit: a setting, a parameter, a measure, an axis of a study.
#pragma once

#include <stdexcept>

namespace nsmc {

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace nsmc
