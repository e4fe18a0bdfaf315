#include "runtime/simulation/pass_watch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "runtime/evaluation/evaluation.hpp"
#include "runtime/view.hpp"

namespace nsmc::rt {

namespace {

constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
// A gap changes at most so much faster in the next steps than it did in the last one, or is missed.
constexpr double faster = 8;
constexpr double longest_sleep = 64;
// A part of the change of the gap on its path: less deep is a touch that rounding makes or not.
constexpr double depth_of_a_touch = 1e-6;
// A part of the largest coordinate: less deep is the rounding of places.
constexpr double rounding = 1e-14;

bool is_deep(const State& state, double least, double gap) {
  if (!(-least > depth_of_a_touch * (gap - least))) return false;
  double largest = 0;
  for (const double q : state.q) largest = std::max(largest, std::abs(q));
  return -least > rounding * largest;
}

// Second differences of a gap over a step and its neighbours that are as equal as this belong to one parabola.
constexpr double parabola = 1.2;

}  // namespace

PassWatch::PassWatch(const System& system, const std::vector<std::uint8_t>& passable) {
  for (std::uint32_t i = 0; i < system.n_fixed(); ++i) {
    const nsm_contact_class* type = system.contacts()[i].type;
    const auto number = static_cast<std::size_t>(type - system.model().contact_classes);
    if (type->gap != nullptr && number < passable.size() && passable[number] != 0) contacts_.push_back(i);
  }
  if (contacts_.empty()) return;
  gap_.assign(contacts_.size(), 0);
  change_ = gap_;
  seen_.assign(contacts_.size(), never);
  wake_.assign(contacts_.size(), 0);
  q_before_.assign(system.n_q(), 0);
  q_between_ = q_before_;
  u_before_.assign(system.n_u(), 0);
  u_change_ = u_before_;
  q_rate_ = q_before_;
  step_before_ = never;
}

std::uint64_t PassWatch::idle_after(std::uint64_t step) const {
  if (contacts_.empty()) return never;
  const std::uint64_t next = *std::min_element(wake_.begin(), wake_.end());
  return next > step + 1 ? next - step : 1;
}

// What the kernel reads of other ones is evaluated before.
double PassWatch::gap_at(const System& system, Workspace& work, const State& state, std::uint32_t contact,
                         const double* q) const {
  const ContactInfo& info = system.contacts()[contact];
  const double* u = state.u.data();
  if (evaluate_masses(system, work, state.t, q, u, std::span(info.blocks, info.n_blocks)))
    return std::numeric_limits<double>::quiet_NaN();
  nsm_view view = view_at(system, work.shared.data(), state.t);
  look_at(view, system, info, q, u);
  double g = 0;
  info.type->gap(&view, &g);
  return g;
}

// The least gap on the straight path over the step: by the best of a few points, and golden section beside it.
//
// What is of the order of the scheme's own errors is no news: a gap that turns as a parabola over the path and a step
// to both sides of it, as that of a corner about which a body rocks; one that turned because its bodies were pushed, so
// that it is not open on both sides of the path; a depth that the change of the velocities alone makes in a step.
void PassWatch::search_path(const System& system, Workspace& work, const State& state, double dt, std::size_t k,
                            double g, Warnings& warnings) {
  const std::uint32_t contact = contacts_[k];
  const auto at = [&](double s) {
    for (std::size_t j = 0; j < q_before_.size(); ++j) q_between_[j] = (1 - s) * q_before_[j] + s * state.q[j];
    return gap_at(system, work, state, contact, q_between_.data());
  };
  constexpr int parts = 8;
  double where = 0, least = gap_[k];
  for (int j = 1; j < parts; ++j) {
    const double s = static_cast<double>(j) / parts, value = at(s);
    if (value < least) where = s, least = value;
  }
  constexpr double golden = 0.6180339887498949;
  double low = std::max(0.0, where - 1.0 / parts), high = std::min(1.0, where + 1.0 / parts);
  double a = high - golden * (high - low), b = low + golden * (high - low), at_a = at(a), at_b = at(b);
  for (int round = 0; round < 40; ++round) {
    if (std::min(at_a, at_b) < least) where = at_a < at_b ? a : b, least = std::min(at_a, at_b);
    if (at_a < at_b) {
      high = b, b = a, at_b = at_a;
      a = high - golden * (high - low), at_a = at(a);
    } else {
      low = a, a = b, at_a = at_b;
      b = low + golden * (high - low), at_b = at(b);
    }
  }
  if (!is_deep(state, least, g)) return;
  const double ahead = at(-1), behind = at(2);
  if (ahead <= 0) return;
  const auto [flattest, sharpest] =
      std::minmax({ahead - 2 * gap_[k] + g, 4 * (gap_[k] - 2 * at(0.5) + g), gap_[k] - 2 * g + behind});
  if (flattest > 0 && sharpest < parabola * flattest) return;
  for (std::size_t j = 0; j < u_change_.size(); ++j) u_change_[j] = state.u[j] - u_before_[j];
  evaluate_displacement(system, work, state.t, state.q.data(), u_change_.data(), q_rate_.data());
  for (std::size_t j = 0; j < q_rate_.size(); ++j) q_between_[j] = state.q[j] + dt * q_rate_[j];
  if (-least <= std::abs(gap_at(system, work, state, contact, q_between_.data()) - g)) return;
  // It was in there for about twice the depth over the speed at which the gap opened.
  const double speed = (g - least) / (std::max(1 - where, 1e-3) * dt);
  warnings.add(WarningKind::passed, state.t, -least, std::min(dt, -2 * least / speed), contact);
}

// Whether the gap before the step was at a kink of the path, as x = 0 is for abs(x) - d: there it has no derivative, so
// that the contact was seen and could do nothing. A second difference falls with its width there, elsewhere with its
// square.
bool PassWatch::was_at_kink(const System& system, Workspace& work, const State& state, std::size_t k, double g) {
  const auto second_difference = [&](double width) {
    double sum = -2 * gap_[k];
    for (const double s : {-width, width}) {
      for (std::size_t j = 0; j < q_before_.size(); ++j) q_between_[j] = q_before_[j] + s * (state.q[j] - q_before_[j]);
      sum += gap_at(system, work, state, contacts_[k], q_between_.data());
    }
    return sum;
  };
  // Before an edge both gaps grow by as much as over the step.
  const double wide = second_difference(1e-2), narrow = second_difference(1e-4);
  return wide > 1e-2 * (g - gap_[k]) && narrow > 0.5e-2 * wide;
}

void PassWatch::look(const System& system, Workspace& work, const State& state, std::uint64_t step, double dt,
                     Warnings& warnings) {
  if (contacts_.empty()) return;
  for (std::size_t k = 0; k < contacts_.size(); ++k) {
    if (wake_[k] > step) continue;
    const double g = gap_at(system, work, state, contacts_[k], state.q.data());
    const double steps = seen_[k] == never ? 0 : static_cast<double>(step - seen_[k]);
    const double change = steps > 0 ? std::abs(g - gap_[k]) / steps : 0;
    const bool in_reach = std::min(gap_[k], g) < 2 * std::max(change, change_[k]);
    if (g > 0 && steps == 1 && step_before_ + 1 == step) {
      if (is_deep(state, gap_[k], g) && was_at_kink(system, work, state, k, g)) {
        warnings.add(WarningKind::passed, state.t, -gap_[k], std::min(dt, -2 * gap_[k] / (g - gap_[k]) * dt),
                     contacts_[k]);
      } else if (state.closed[contacts_[k]] == 0 && in_reach) {
        search_path(system, work, state, dt, k, g, warnings);
      }
    }
    const double fastest = std::max(change, change_[k] / 2);
    const double sleep = seen_[k] == never || !(g > 0) ? 1 : fastest > 0 ? g / (faster * fastest) : longest_sleep;
    wake_[k] = step + static_cast<std::uint64_t>(std::clamp(sleep, 1.0, longest_sleep));
    gap_[k] = g;
    change_[k] = fastest;
    seen_[k] = step;
  }
  q_before_ = state.q;
  u_before_ = state.u;
  step_before_ = step;
}

}  // namespace nsmc::rt
