// What a study wants to know of a run: numbers that are gathered step by step, so that no run has to be kept.
//
// Between two steps a value is taken as a straight line. Forces of contacts are means over the step that ended at t;
// their mean over time is the sum of force times step, so that mean(N) (t_end - t_0) is the whole impulse. All other
// means are those of the straight lines.
//
// Event-driven integration has forces at t in its rows, and impacts in between. Their impulses (State::impulse) make
// the mean, and a percussion is a force beyond every bound at its moment: time(N > c) and crossing(N, c) find it. The
// least, the greatest and the last value are those of the forces at the ends of the steps.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "runtime/output/recorder.hpp"
#include "runtime/simulation/simulate.hpp"

namespace nsmc::rt {

enum class MeasureKind : std::uint8_t {
  // Taken from one column:
  end,
  min,
  max,
  mean,
  first_above,  // the first time at which it is above the bound; the start, if it is there already
  first_below,
  crossing,  // the first time at which it reaches the bound from one of the sides
  // Taken from the summary of the run:
  iterations_mean,
  iterations_max,
  iterations_total,
  unconverged,
  steps,
  wall,
  events,
  impacts,
};

inline constexpr bool reads_column(MeasureKind kind) { return kind <= MeasureKind::crossing; }

struct Measure {
  MeasureKind kind = MeasureKind::end;
  std::size_t column = 0;
  double bound = 0;
};

// Must see every step (SimulationOptions::record_every = 1) for what lies between; `end` needs the last row only.
class MeasureRecorder final : public Recorder, public EventSink {
 public:
  // state: that of the run, if its impulses are to be read.
  MeasureRecorder(const System& system, std::span<const Measure> measures, const State* state = nullptr);

  void record(double t, std::span<const double> columns) override;
  void record(const Event& event) override;

  // Nothing for a time that never came.
  std::vector<std::optional<double>> values(const Summary& summary) const;

 private:
  struct Gathered {
    Measure measure;
    std::uint32_t row = NSM_NONE;  // a force: constant over the step that ended at t
    double last = 0;               // value in the last row
    double value = 0;              // result so far; an integral for `mean`
    std::optional<double> found;   // a time
  };
  void begin(Gathered& g, double x) const;
  void go_on(Gathered& g, double t, double x) const;

  const System& system_;
  const State* state_;
  std::vector<Gathered> gathered_;
  double t_first_ = 0, t_last_ = 0;
  bool begun_ = false;
};

// Columns that these measures read, for parts_of().
std::vector<std::size_t> columns_of(std::span<const Measure> measures);

// Whether the steps between the first and the last one matter to any of them.
bool need_every_step(std::span<const Measure> measures);

}  // namespace nsmc::rt
