// Event-driven integration without modes: steps of the stiff motion, where no modes are found, or none are followed,
// above all for sets by functions in three and more dimensions. Gaps close and open as ever; stick and slip follow from
// the velocities.
#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/methods/event/event_core.hpp"

namespace nsmc::rt::event {

namespace {

// Steps, of the longest: where the motion begins anew, and where it ends.
constexpr double first_step = 1e-10, shortest = 1e-14;
// A step in which forces turn, likewise.
constexpr double turn_step = 1e-6;
constexpr double gap_time = 1e-14;     // of the time or the step: as exact as the moment at which a gap closes
constexpr double turned_force = 1e-3;  // of a force: what it jumps by if it turns to another part of its set

}  // namespace

bool EventCore::may_go_on_stiffly() const {
  if (solver_.asked_to_stop()) return false;
  switch (report_.status) {
    case StepStatus::no_accelerations: return started_ && has_faces_;  // else there may be none indeed
    case StepStatus::smooth_motion_fails:
    case StepStatus::events_accumulate: return started_ && has_directions_;
    default: return false;
  }
}

// Over H, to y_next_ and lambda_next_; next_ has the conditions of the contacts there.
bool EventCore::try_stiff_step(double& H, const std::vector<double>& lambda) {
  const double t1 = t_ + H;
  lambda_next_ = lambda;
  if (!stiff_motion_.step(t_, y_.data(), H, solver_, y_next_.data(), lambda_next_)) return false;
  normalise(system_, y_next_.data());
  const double *q = y_next_.data(), *u = q + system_.n_q();
  if (at_.look(t1, q, u)) return false;
  return !evaluate_contacts(next_, &now_, system_, work_, modes_, t1, q, u);
}

// The step that ends where the first gap closes, which at the end of a step over H is not open: bracketed by secants.
bool EventCore::locate_gap(double H, const std::vector<double>& lambda) {
  const auto first_zero = [&](double low, const Conditions& at_low, double high) {
    double zero = high;
    for (std::size_t i = 0; i < next_.contact.size(); ++i) {
      const double a = at_low.contact[i], b = next_.contact[i];
      if (b < 0) zero = std::min(zero, low + (high - low) * (a > 0 ? a / (a - b) : 0.5));
    }
    return zero;
  };
  const double enough = gap_time * std::max(std::abs(t_), H);
  double low = 0, high = H;
  Conditions at_low = now_;
  for (int round = 0; round < 60 && high - low > enough; ++round) {
    double part = round % 3 == 2 ? (low + high) / 2 : first_zero(low, at_low, high);
    part = std::clamp(part, low + enough / 2, high - enough / 2);
    if (!(part > low && part < high)) break;
    double length = part;
    const Conditions at_high = next_;
    if (!try_stiff_step(length, lambda)) return false;
    if (next_.contact_broken()) {
      high = part;
    } else {
      low = part;
      at_low = next_;
      next_ = at_high;
    }
  }
  double length = high;
  if (!try_stiff_step(length, lambda)) return false;
  accept(t_ + high);
  return true;
}

bool EventCore::advance_stiffly(double t_end) {
  const Trouble why{report_.status, report_.block, report_.contact};
  report_.status = StepStatus::ok;
  report_.converged = true;
  if (t_ != stiff_time_) {
    stiff_motion_.restart();
    stiff_step_ = first_step * longest_;
  }
  const std::vector<double> lambda = modes_.lambda;
  const double t_before = t_;
  if (at_.look(t_, q(), u()) || evaluate_contacts(now_, nullptr, system_, work_, modes_, t_, q(), u()))
    return fail(why);
  for (;;) {
    if (solver_.asked_to_stop()) return fail(StepStatus::interrupted);
    double H = std::min({stiff_step_, t_end - t_, longest_});
    const double taken = H;
    const bool whole = taken == t_end - t_;
    if (!try_stiff_step(H, lambda)) {
      stiff_step_ = H;
      if (stiff_step_ >= shortest * longest_) continue;
      return fail(why ? why : Trouble{StepStatus::smooth_motion_fails, NSM_NONE, NSM_NONE});
    }
    stiff_step_ = whole ? std::max(stiff_step_, H) : H;
    if (next_.contact_broken()) {
      if (!locate_gap(taken, lambda)) return fail(StepStatus::smooth_motion_fails);
    } else {
      accept(whole ? t_end : t_ + taken);
    }
    break;
  }
  count(stiff_motion_.worst());
  stiff_motion_.count_work();
  stiff_motion_.accept();
  return end_stiff_step(t_ - t_before);
}

// Hold and slip by the present velocities; a gap that no force keeps closed may open. A force that jumps within a short
// step while slip goes on has turned to another part of its set.
void EventCore::modes_by_velocities(double step) {
  for (const ContactRows& rows : at_.problem().contacts) {
    const std::uint32_t normal = normal_unit(system_, modes_, rows.contact);
    const std::uint32_t first = system_.contacts()[rows.contact].first_row;
    for (std::uint32_t k = modes_.first_unit[rows.contact]; k < modes_.first_unit[rows.contact + 1]; ++k) {
      Unit& unit = modes_.units[k];
      modes_.ridges[k].near = modes_.ridges[k].asked = false;
      double velocity = 0, force = 0, jumped = 0;
      for (std::uint32_t h = 0; h < unit.dim; ++h) {
        const std::uint32_t row = first + unit.row + h;
        velocity = std::hypot(velocity, at_.xi(rows.first_row + unit.row + h));
        force = std::max(force, std::abs(lambda_next_[row]));
        if (step < turn_step * longest_) jumped = std::max(jumped, std::abs(lambda_next_[row] - modes_.lambda[row]));
      }
      const bool held = k == normal ? force > 0 : velocity <= zero_velocity * unit.speed;
      if (!held && unit.mode != Mode::hold && jumped > turned_force * force) ++unit.corner;
      unit.mode = held ? Mode::hold : Mode::slip;
      for (std::uint32_t h = 0; h < unit.dim && velocity > 0; ++h)
        modes_.direction[first + unit.row + h] = at_.xi(rows.first_row + unit.row + h) / velocity;
    }
  }
}

// As handle_event, but for the inclusions on acceleration level.
bool EventCore::end_stiff_step(double step) {
  begin_event();
  std::fill(now_.unit.begin(), now_.unit.end(), 1.0);
  if (const Trouble trouble = at_.look(t_, q(), u())) return fail(trouble);
  at_.note_sizes(longest_);
  modes_by_velocities(step);
  modes_.lambda = lambda_next_;
  if (const Trouble trouble = drift_.project(at_, t_, q(), u())) return fail(trouble);
  find_touching();
  if (!resolve_impacts()) return false;
  open_separating();
  const bool goes_on = std::none_of(hit_.begin(), hit_.end(), [](std::uint8_t hit) { return hit != 0; });
  stiff_time_ = goes_on && modes_.closed == closed_before_ ? t_ : std::numeric_limits<double>::quiet_NaN();
  if (const Trouble trouble = at_.look(t_, q(), u())) return fail(trouble);
  keep_velocities(gamma_after_);
  log_changes();
  modes_.determinate = true;
  return true;
}

}  // namespace nsmc::rt::event
