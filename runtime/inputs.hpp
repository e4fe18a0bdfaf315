// Inputs that follow samples given beforehand, (t, value): held from one to the next, straight lines between them, or
// monotone cubics with continuous slopes; beyond the first and the last they stay as there.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/saved_run.hpp"

namespace nsmc::rt {

enum class InputForm : std::uint8_t { held, linear, cubic };

struct InputSamples {
  std::uint32_t signal = 0;
  InputForm form = InputForm::linear;
  std::vector<double> t, value;  // t ascending
  std::vector<double> slope;     // cubic: at the samples

  double at(double time) const;
  double rate(double time) const;       // of a jump 0
  double next_time(double time) const;  // of a sample after `time`; infinite: there is none

  void remember(Memory& memory) {
    memory(signal, form);
    memory.sized(t);
    memory.sized(value);
    memory.sized(slope);
  }
};

}  // namespace nsmc::rt
