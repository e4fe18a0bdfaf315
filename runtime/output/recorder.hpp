// Where recorded rows go. One virtual call per row.
#pragma once

#include <span>

namespace nsmc::rt {

class Recorder {
 public:
  virtual ~Recorder() = default;

  // The recorded columns at time t (System::n_columns() values, NaN in the parts that the run was not asked for). May
  // throw OutputError.
  virtual void record(double t, std::span<const double> columns) = 0;
};

// For runs whose summary is all that matters.
class NullRecorder final : public Recorder {
 public:
  void record(double, std::span<const double>) override {}
};

}  // namespace nsmc::rt
