// Checks of nsmc on itself. A failure is a bug of nsmc, never of a model: it says so and asks for a report.
#pragma once

#include <stdexcept>
#include <string>

namespace nsmc {

struct InternalError : std::logic_error {
  using std::logic_error::logic_error;
};

inline void internal_check(bool condition, const char* what) {
  if (!condition) throw InternalError(what);
}

}  // namespace nsmc
