#include "runtime/study/measure.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace nsmc::rt {

namespace {

// The row of the force in this column; NSM_NONE if it is something else.
std::uint32_t force_row(const System& system, std::size_t column) {
  for (const ContactInfo& contact : system.contacts().first(system.n_fixed())) {
    const std::size_t first = contact.first_column + contact.n_geometry;
    if (column >= first && column < first + contact.type->n_rows)
      return contact.first_row + static_cast<std::uint32_t>(column - first);
  }
  return NSM_NONE;
}

int side(double x, double bound) { return x > bound ? 1 : x < bound ? -1 : 0; }

double time_at(double bound, double t0, double x0, double t1, double x1) {
  return t0 + (t1 - t0) * ((bound - x0) / (x1 - x0));
}

}  // namespace

MeasureRecorder::MeasureRecorder(const System& system, std::span<const Measure> measures, const State* state)
    : system_(system), state_(state) {
  for (const Measure& measure : measures) {
    Gathered g;
    g.measure = measure;
    if (reads_column(measure.kind)) g.row = force_row(system, measure.column);
    gathered_.push_back(g);
  }
}

void MeasureRecorder::record(double t, std::span<const double> columns) {
  for (Gathered& g : gathered_) {
    if (!reads_column(g.measure.kind)) continue;
    const double x = columns[g.measure.column];
    if (begun_) {
      go_on(g, t, x);
    } else {
      begin(g, x);
      if ((g.measure.kind == MeasureKind::first_above && x > g.measure.bound) ||
          (g.measure.kind == MeasureKind::first_below && x < g.measure.bound)) {
        g.found = t;
      }
    }
    g.last = x;
  }
  if (!begun_) t_first_ = t;
  t_last_ = t;
  begun_ = true;
}

void MeasureRecorder::record(const Event& event) {
  if (event.percussion.empty() || event.contact >= system_.n_fixed()) return;
  const std::uint32_t first = system_.contacts()[event.contact].first_row;
  for (Gathered& g : gathered_) {
    if (g.row == NSM_NONE || g.row < first || g.row >= first + event.percussion.size() || g.found) continue;
    const double percussion = event.percussion[g.row - first];
    const int from = side(g.last, g.measure.bound);
    const bool above = percussion > 0, below = percussion < 0;
    if ((g.measure.kind == MeasureKind::first_above && above) ||
        (g.measure.kind == MeasureKind::first_below && below) ||
        (g.measure.kind == MeasureKind::crossing && ((above && from < 0) || (below && from > 0)))) {
      g.found = event.t;
    }
  }
}

void MeasureRecorder::begin(Gathered& g, double x) const { g.value = g.measure.kind == MeasureKind::mean ? 0 : x; }

void MeasureRecorder::go_on(Gathered& g, double t, double x) const {
  const double bound = g.measure.bound;
  switch (g.measure.kind) {
    case MeasureKind::end: g.value = x; break;
    // A value that is not a number stays: it is not less, nor greater.
    case MeasureKind::min:
      if (x < g.value || std::isnan(x)) g.value = x;
      break;
    case MeasureKind::max:
      if (x > g.value || std::isnan(x)) g.value = x;
      break;
    case MeasureKind::mean:
      if (g.row != NSM_NONE && state_ != nullptr && !state_->impulse.empty()) {
        g.value += state_->impulse[g.row];
      } else {
        g.value += (t - t_last_) * (g.row != NSM_NONE ? x : 0.5 * (g.last + x));
      }
      break;
    case MeasureKind::first_above:
      if (!g.found && x > bound) g.found = time_at(bound, t_last_, g.last, t, x);
      break;
    case MeasureKind::first_below:
      if (!g.found && x < bound) g.found = time_at(bound, t_last_, g.last, t, x);
      break;
    case MeasureKind::crossing: {
      // It has to come from a side: a value that starts at the bound has not reached it yet.
      const int before = side(g.last, bound), now = side(x, bound);
      if (!g.found && before != 0 && now != before) g.found = time_at(bound, t_last_, g.last, t, x);
      break;
    }
    default: break;
  }
}

std::vector<std::optional<double>> MeasureRecorder::values(const Summary& summary) const {
  std::vector<std::optional<double>> result;
  for (const Gathered& g : gathered_) {
    switch (g.measure.kind) {
      case MeasureKind::end:
      case MeasureKind::min:
      case MeasureKind::max: result.emplace_back(g.value); break;
      case MeasureKind::mean: result.emplace_back(t_last_ > t_first_ ? g.value / (t_last_ - t_first_) : g.last); break;
      case MeasureKind::first_above:
      case MeasureKind::first_below:
      case MeasureKind::crossing: result.push_back(g.found); break;
      case MeasureKind::iterations_mean: result.emplace_back(summary.iterations_mean); break;
      case MeasureKind::iterations_max: result.emplace_back(summary.iterations_max); break;
      case MeasureKind::iterations_total: result.emplace_back(static_cast<double>(summary.iterations_total)); break;
      case MeasureKind::unconverged: result.emplace_back(static_cast<double>(summary.unconverged_steps)); break;
      case MeasureKind::steps: result.emplace_back(static_cast<double>(summary.steps)); break;
      case MeasureKind::impacts:
        result.emplace_back(static_cast<double>(summary.events[static_cast<std::size_t>(EventKind::impact)]));
        break;
      case MeasureKind::events:
        result.emplace_back(
            static_cast<double>(std::accumulate(summary.events.begin(), summary.events.end(), std::uint64_t{0})));
        break;
      case MeasureKind::wall: result.emplace_back(summary.wall_seconds); break;
    }
  }
  return result;
}

std::vector<std::size_t> columns_of(std::span<const Measure> measures) {
  std::vector<std::size_t> columns;
  for (const Measure& measure : measures) {
    if (reads_column(measure.kind)) columns.push_back(measure.column);
  }
  return columns;
}

bool need_every_step(std::span<const Measure> measures) {
  return std::any_of(measures.begin(), measures.end(), [](const Measure& measure) {
    return reads_column(measure.kind) && measure.kind != MeasureKind::end;
  });
}

}  // namespace nsmc::rt
