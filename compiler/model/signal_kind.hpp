// Numbers besides the motion that change during a run.
#pragma once

#include <cstdint>

namespace nsmc {

// A state changes by its rate, a discrete variable by events, an input from outside.
enum class SignalKind : std::uint8_t { state, discrete, input };

constexpr const char* text_of(SignalKind kind) {
  return kind == SignalKind::state ? "state" : kind == SignalKind::discrete ? "discrete variable" : "input";
}

// When something happens: as a condition becomes true, every so often; or the run ends as one does.
enum class EventKind : std::uint8_t { when, every, stop };

}  // namespace nsmc
