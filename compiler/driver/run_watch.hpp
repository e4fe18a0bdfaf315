// How a run is followed and ended from outside.
#pragma once

#include <atomic>
#include <functional>

namespace nsmc {

struct RunWatch {
  const std::atomic<bool>* stop = nullptr;  // set from outside, asks the run to end
  std::function<void(double t, double until)> progress{};
};

}  // namespace nsmc
