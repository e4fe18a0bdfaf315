// Where recorded rows go. One virtual call per row.
#pragma once

#include <span>

namespace nsmc::rt {

class Recorder {
 public:
  virtual ~Recorder() = default;

  // The observed columns of the model at time t (n_columns values of `observe`). May throw OutputError.
  virtual void record(double t, std::span<const double> columns) = 0;
};

// For runs whose summary is all that matters.
class NullRecorder final : public Recorder {
 public:
  void record(double, std::span<const double>) override {}
};

}  // namespace nsmc::rt
