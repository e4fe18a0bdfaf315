// Which steps of a run are recorded, apart from the last one: every Nth, or the first at or after each multiple of an
// interval, both counted from where the run began.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace nsmc::rt {

class RecordingPlan {
 public:
  // every: 0 records no step; interval: > 0 takes the place of `every`. step: of the run, which begins at t_first.
  RecordingPlan(std::uint64_t every, double interval, double step, double t_first)
      : every_(every),
        // Far shorter than a step it wants every step, as this one does; its multiples are then within bounds.
        interval_(interval > 0 ? std::max(interval, 1e-3 * step) : 0),
        step_(step),
        t_first_(t_first) {}

  bool wants(std::uint64_t step, double t) {
    if (interval_ > 0) {
      if (t < t_first_ + static_cast<double>(next_) * interval_ - allowance()) return false;
      next_ = static_cast<std::uint64_t>((t - t_first_ + allowance()) / interval_) + 1;
      return true;
    }
    return every_ > 0 && step % every_ == 0;
  }

  // The next step that is wanted, when `done` steps are done.
  std::uint64_t next_wanted(std::uint64_t done) const {
    if (interval_ > 0) {
      const double wanted = static_cast<double>(next_) * interval_;
      if (!(wanted / step_ < most_steps)) return std::numeric_limits<std::uint64_t>::max();
      auto step = std::max(done + 1, static_cast<std::uint64_t>(std::max(0.0, wanted / step_ - 2)));
      while (t_first_ + static_cast<double>(step) * step_ < t_first_ + wanted - allowance()) ++step;
      return step;
    }
    if (every_ == 0) return std::numeric_limits<std::uint64_t>::max();
    return (done / every_ + 1) * every_;
  }

  // For a run that continued to t: what was to be recorded until then is not wanted again.
  void skip_to(double t) {
    if (interval_ > 0) next_ = static_cast<std::uint64_t>((t - t_first_ + allowance()) / interval_) + 1;
  }

 private:
  // No run has as many (simulate.cpp), and so many are a whole number.
  static constexpr double most_steps = 2e15;

  // What times may be off by rounding.
  double allowance() const { return 1e-9 * step_; }

  std::uint64_t every_;
  double interval_, step_, t_first_;
  std::uint64_t next_ = 1;  // multiple of the interval
};

}  // namespace nsmc::rt
