// The loop of event-driven integration: steps of the smooth motion, the moment at which a condition breaks, the event.
#include "runtime/methods/event/event_driven.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/evaluation/contact_search.hpp"
#include "runtime/methods/event/event_core.hpp"
#include "runtime/state.hpp"
#include "runtime/view.hpp"

namespace nsmc::rt::event {

namespace {

// In one step of the run; the end of slip in several dimensions takes some hundred.
constexpr std::uint64_t most_internal_steps = 20000;
// For every impact some more: where restitution tends to 1 for slow impacts they accumulate slowly, in thousands,
// before a flight is too short to count.
constexpr std::uint64_t steps_of_an_impact = 100, most_impacts_in_a_step = 100000;
// Where the stiff motion can go on; fewer if it did lately.
constexpr std::uint64_t most_steps_at_faces = 400, most_steps_again = 40;
// The most steps of the run that the stiff motion has at a time.
constexpr int most_stiff_steps = 64;
// Sweeps of contact solvers in the stiff motion over one step of the run. A solver that does not get anywhere, with
// steps of 1e-14, would go on for minutes.
constexpr std::uint64_t most_stiff_sweeps = 1'000'000;
// Events that are found in one step.
constexpr int most_ridges = 10;
// Part of the longest step below which a ridge may be the reason.
constexpr double short_step = 1e-2;
constexpr double rate_moment = 1e-4;  // of the longest step: over which rates of conditions are taken
constexpr double deep = 0.1,
                 rising = 1e-3;  // a dip counts below this part of its ends, plus what its rate makes of a step
constexpr double contact_tolerance = 1e-13;  // of contact problems: accelerations want more digits than percussions
constexpr double same_state = 1e-9;          // of a step of the run: the state is where the last step ended
constexpr double step_rounding = 1e-12;      // of a step of the run: its end is reached

}  // namespace

EventCore::EventCore(const System& system, Workspace& work, const IntegratorOptions& options)
    : system_(system),
      work_(work),
      options_(options),
      modes_(system),
      at_(system, work, modes_),
      drift_(system, work, modes_),
      motion_(*this, std::size_t{system.n_q()} + system.n_u(), options.rtol, options.atol),
      stiff_motion_(system, work, modes_, options.rtol, options.atol),
      now_(modes_),
      next_(modes_),
      trial_(modes_) {
  const std::size_t n = std::size_t{system.n_q()} + system.n_u(), n_contacts = system.contacts().size();
  y_.assign(std::max<std::size_t>(n, 1), 0);
  modes_.gap_part = 1e3 * options.rtol;
  modes_.gap_error = 1e3 * options.atol;
  modes_.velocity_part = 1e4 * options.rtol;
  y_next_ = y_trial_ = y_rate_ = y_moment_ = y_;
  values_.assign(modes_.units.size(), 1);
  leaving_.assign(modes_.units.size(), 0);
  asked_ = moved_ = leaving_;
  touched_.assign(n_contacts, 0);
  hit_.assign(n_contacts, 0);
  gamma_before_.assign(system.n_rows(), 0);
  gamma_between_ = gamma_after_ = percussion_ = user_percussion_ = impulse_ = user_impulse_ = lambda_before_ =
      gamma_before_;
  struck_.assign(n_contacts, 0);
  const double never = -std::numeric_limits<double>::infinity();
  opened_at_.assign(n_contacts, never);
  closed_at_.assign(n_contacts, never);
  flight_.assign(n_contacts, std::numeric_limits<double>::infinity());
  for (const ContactInfo& contact : system.contacts()) {
    for (std::uint32_t j = 0; j < contact.type->n_sets; ++j) {
      const nsm_set& set = contact.type->sets[j];
      has_faces_ = has_faces_ || may_have_flat_faces(set);
      has_directions_ = has_directions_ || (set.dim > 1 && set.kind != NSM_SET_INTERVAL);
    }
  }
}

bool EventCore::fail(const Trouble& trouble) {
  if (report_.status != StepStatus::ok) return false;  // the first counts
  report_.status = trouble.status;
  report_.block = trouble.block;
  report_.contact = trouble.contact;
  report_.converged = false;
  report_.failure_time = t_;
  return false;
}

bool EventCore::fail(StepStatus status, std::uint32_t contact) { return fail(Trouble{status, NSM_NONE, contact}); }

bool EventCore::rate(double t, const double* y, double* y_rate) {
  if (solver_.asked_to_stop()) return fail(StepStatus::interrupted);
  const double *q = y, *u = y + system_.n_q();
  evaluate_kinematics(system_, work_, t, q, u, y_rate);
  if (const Trouble trouble = at_.look(t, q, u)) return fail(trouble);
  if (!at_.solve_modes()) return false;
  at_.accelerate(y_rate + system_.n_q());
  return true;
}

bool EventCore::settle(double t, double* y) {
  normalise(system_, y);
  if (const Trouble trouble = drift_.project(at_, t, y, y + system_.n_q())) return fail(trouble);
  return true;
}

bool EventCore::look_and_check(double t, const double* y, Conditions& conditions, const Conditions* before) {
  const double *q = y, *u = y + system_.n_q();
  if (work_.search != nullptr && !work_.search->covers(system_, work_, t, q))
    return fail(StepStatus::beyond_candidates);
  if (const Trouble trouble = at_.look(t, q, u)) return fail(trouble);
  if (!at_.solve_modes()) {
    return fail(StepStatus::no_accelerations,
                at_.problem().contacts.empty() ? NSM_NONE : at_.problem().contacts[0].contact);
  }
  if (const Trouble trouble = evaluate(conditions, before, at_, system_, work_, modes_, t, q, u, solver_))
    return fail(trouble);
  return true;
}

// The modes of the initial state: as at an event, with all contacts that are closed as new ones.
bool EventCore::start(const State& state) {
  t_ = state.t;
  std::copy(state.q.begin(), state.q.end(), q());
  std::copy(state.u.begin(), state.u.end(), u());
  for (std::uint32_t i = 0; i < modes_.n_contacts(); ++i) {
    const ContactInfo& contact = system_.contacts()[i];
    if (contact.type->zeta == nullptr) return fail(StepStatus::no_zeta, i);
    if (contact.type->gap != nullptr && contact.type->normal == NSM_MIXED)
      return fail(StepStatus::gap_law_not_plain, i);
    modes_.closed[i] = contact.type->gap == nullptr ? 1 : 0;
  }
  if (const Trouble trouble = at_.look(t_, q(), u())) return fail(trouble);
  nsm_view view = view_at(system_, work_.shared.data(), t_);
  std::vector<double> arguments(system_.n_arguments()), no_force(system_.max_contact_rows(), 0);
  for (std::uint32_t i = 0; i < modes_.n_contacts(); ++i) {
    const ContactInfo& contact = system_.contacts()[i];
    const nsm_contact_class& type = *contact.type;
    if (type.gap == nullptr) continue;
    look_at(view, system_, contact, q(), u());
    double g = 0;
    type.gap(&view, &g);
    if (std::isnan(g)) return fail(StepStatus::not_finite, i);
    if (g <= 0) {
      modes_.closed[i] = 1;
      modes_.gap_level[i] = g;
    }
    const std::uint32_t normal = normal_unit(system_, modes_, i);
    if (normal == NSM_NONE) continue;
    // The normal row is the rate of the gap, or minus it: a gap opens towards the finite end of the set.
    const std::uint32_t which[1] = {i};
    evaluate_directions(system_, work_, t_, q(), u(), which);
    const nsm_set& set = type.sets[modes_.units[normal].set];
    const double* a = work_.directions_of(contact) + system_.layout(contact).a;
    if (type.affine == 0) {
      look_at(view, system_, contact, q(), u());
      view.lambda = no_force.data();
      type.arguments(&view, arguments.data());
      a = arguments.data();
    }
    modes_.opening_sign[i] = std::isinf(a[set.first_argument + 1]) ? -1 : 1;
  }
  started_ = true;
  last_event_ = -std::numeric_limits<double>::infinity();
  std::fill(now_.contact.begin(), now_.contact.end(), 1.0);
  std::fill(now_.unit.begin(), now_.unit.end(), 1.0);
  return handle_event();
}

// The same, with the rates of the conditions of units: what they are a moment later along the motion.
bool EventCore::check_with_rates(double t, const double* y, Conditions& conditions, const Conditions* before) {
  const double moment = rate_moment * longest_;
  bool known = false;
  if (modes_.determinate && !work_.problem.contacts.empty()) {
    known = rate(t, y, y_rate_.data());
    for (std::size_t k = 0; known && k < y_rate_.size(); ++k) y_moment_[k] = y[k] + moment * y_rate_[k];
    known = known && !at_.look(t + moment, y_moment_.data(), y_moment_.data() + system_.n_q()) && at_.solve_modes();
    if (known) evaluate_units(values_, at_, system_, modes_);
  }
  if (!look_and_check(t, y, conditions, before)) return false;
  for (std::size_t k = 0; k < values_.size(); ++k)
    conditions.unit_rate[k] = known ? (values_[k] - conditions.unit[k]) / moment : 0;
  return true;
}

namespace {

// A value and its rate at a time.
struct Slope {
  double t, value, rate;
};

// Where the cubic through a and b, a falling and b rising, has its minimum, and what it is.
Slope least_between(const Slope& a, const Slope& b) {
  const double h = b.t - a.t, d0 = h * a.rate, d1 = h * b.rate, rise = b.value - a.value;
  // a.value + d0 s + q s^2 + c s^3
  const double c = d0 + d1 - 2 * rise, q = 3 * rise - 2 * d0 - d1;
  const double root = std::sqrt(std::max(0.0, q * q - 3 * c * d0));
  const double s = std::clamp(q >= 0 ? -d0 / (q + root) : (root - q) / (3 * c), 0.0, 1.0);
  return {a.t + s * h, a.value + s * (d0 + s * (q + s * c)), 0};
}

}  // namespace

// Between the beginning of the step and t1 a condition may have been broken and restored: a short touch, a force that
// has left its set and come back, a slip that turned twice.
bool EventCore::grazes(double t1) {
  const double t0 = t_;
  for (std::uint32_t i = 0; i < modes_.n_contacts(); ++i) {
    if (modes_.closed[i] != 0) continue;
    if (!grazes(t1, &Conditions::gap, &Conditions::rate, i)) return false;
    if (t_ != t0) return true;
  }
  for (const Unit& unit : modes_.units) {
    if (modes_.closed[unit.contact] == 0) continue;
    if (!grazes(t1, &Conditions::unit, &Conditions::unit_rate, unit.index)) return false;
    if (t_ != t0) return true;
  }
  return true;
}

// If the condition has a minimum in between, and the cubic through values and rates comes near 0 there, the motion is
// looked at where this minimum is; and again between there and the nearer end, while what is expected falls.
bool EventCore::grazes(double t1, Values values, Values rates, std::uint32_t index) {
  Slope a{t_, (now_.*values)[index], (now_.*rates)[index]}, b{t1, (next_.*values)[index], (next_.*rates)[index]};
  for (int round = 0; round < 8; ++round) {
    if (!(a.value > 0 && b.value > 0 && a.rate < 0 && b.rate > 0)) return true;
    const Slope least = least_between(a, b);
    if (!(least.t > a.t && least.t < b.t)) return true;
    if (least.value > deep * std::min(a.value, b.value) + rising * (b.t - a.t) * std::abs(a.rate)) return true;
    if (!motion_.restep(t_, y_.data(), least.t, y_trial_.data())) return true;
    if (!check_with_rates(least.t, y_trial_.data(), trial_, &now_)) return false;
    if (trial_.broken()) {
      std::swap(next_, trial_);
      std::swap(y_next_, y_trial_);
      return locate(least.t);
    }
    const Slope found{least.t, (trial_.*values)[index], (trial_.*rates)[index]};
    (found.rate < 0 ? a : b) = found;
  }
  return true;
}

// The first moment in (t_, t1] at which a condition is broken, given that one is at t1: bracketed by secants (with
// Illinois' weights) and bisection. Every trial is a step of the method from the beginning of this step. The state goes
// to the upper end of the bracket, where the condition is broken by no more than rounding.
bool EventCore::locate(double t1) {
  const double shortest = 4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t1), t1 - t_);
  double low = t_, high = t1;
  double weight_low = 1, weight_high = 1;
  Conditions at_low = now_;
  double width = high - low;
  int slow = 0;
  while (high - low > shortest) {
    double t = high;
    const auto secant = [&](const std::vector<double>& values, const std::vector<double>& low_values) {
      for (std::size_t k = 0; k < values.size(); ++k) {
        if (!(values[k] < 0)) continue;
        const double a = weight_low * low_values[k], b = weight_high * values[k];
        t = std::min(t, low + (high - low) * (a > 0 ? a / (a - b) : 0.5));
      }
    };
    secant(next_.unit, at_low.unit);
    secant(next_.contact, at_low.contact);
    if (slow >= 2) t = low + (high - low) / 2, slow = 0;
    t = std::clamp(t, low + shortest / 2, high - shortest / 2);
    if (!(t > low && t < high)) break;
    if (!motion_.restep(t_, y_.data(), t, y_trial_.data())) return fail(StepStatus::smooth_motion_fails);
    if (!look_and_check(t, y_trial_.data(), trial_, &now_)) return false;
    if (trial_.broken()) {
      high = t;
      std::swap(next_, trial_);
      std::swap(y_next_, y_trial_);
      weight_high = 1, weight_low /= 2;
    } else {
      low = t;
      std::swap(at_low, trial_);
      weight_low = 1, weight_high /= 2;
    }
    slow = high - low > 0.5 * width ? slow + 1 : 0;
    width = high - low;
  }
  const double t0 = t_;
  accept(high);
  if (first_modes_) count_smooth_work(t0, y_next_, t_, *first_modes_);  // y_next_: where the step began
  add_last_impulse(t_ - t0);
  return handle_event();
}

// The step ends at y_next_.
void EventCore::accept(double t) {
  t_ = t;
  std::swap(y_, y_next_);
  std::swap(now_, next_);
}

// One step of the smooth motion to t1, y_next_.
bool EventCore::try_step(double t_end, double& t1) {
  double longest = longest_;
  for (int attempt = 0;; ++attempt) {
    const double limit = attempt == 0 ? t_end : std::min(t_end, t_ + longest);
    if (motion_.advance(limit, longest, t1, y_next_.data())) break;
    // Beyond an event the equations may have no solution: a shorter step does not get there.
    longest *= 0.1;
    if (report_.status != StepStatus::ok && attempt < 12) report_.status = StepStatus::ok;
    if (attempt == 12) return fail(StepStatus::smooth_motion_fails);
    motion_.restart(t_, y_.data());
  }
  return true;
}

bool EventCore::advance(double t_end) {
  double t1 = t_;
  if (work_.account != nullptr) first_modes_ = modes_;
  if (!try_step(t_end, t1)) return false;
  // Where forces have jumped, the step is taken again, with smooth ones.
  for (int round = 0; round < most_ridges && has_faces_; ++round) {
    if (const Trouble trouble = at_.look(t1, y_next_.data(), y_next_.data() + system_.n_q())) return fail(trouble);
    if (!at_.find_ridges(t1 - t_ < short_step * std::min(longest_, t_end - t_))) break;
    motion_.restart(t_, y_.data());
    if (!try_step(t_end, t1)) return false;
  }
  if (!check_with_rates(t1, y_next_.data(), next_, &now_)) return false;
  if (next_.broken()) return locate(t1);
  const double t_before = t_;
  const std::uint64_t steps = motion_.steps();
  if (!grazes(t1)) return false;
  if (t_ != t_before) return true;  // an event was found and handled
  if (motion_.steps() != steps) {   // something was looked at in between: back to the end of the step
    motion_.restart(t1, y_next_.data(), t1 - t_before);
    if (!look_and_check(t1, y_next_.data(), next_, &now_)) return false;
  }
  at_.note_sizes(longest_);
  note_motion();
  lambda_before_ = modes_.lambda;
  for (const ContactRows& rows : at_.problem().contacts) {
    const std::uint32_t first = system_.contacts()[rows.contact].first_row;
    std::copy_n(at_.problem().Lambda.data() + rows.first_row, rows.n_rows, modes_.lambda.data() + first);
    for (std::uint32_t k = modes_.first_unit[rows.contact]; k < modes_.first_unit[rows.contact + 1]; ++k) {
      Unit& unit = modes_.units[k];
      if (unit.mode == Mode::hold || unit.dim == 1) continue;
      const double* own = modes_.lambda.data() + first;
      if (unit.dim > 2) at_.keep_face(rows, unit, own, modes_.direction.data() + first + unit.row);
      if (unit.mode != Mode::slip) continue;
      double velocity[max_shifted_dim], length = 0;
      for (std::uint32_t h = 0; h < unit.dim; ++h) {
        velocity[h] = at_.xi(rows.first_row + unit.row + h);
        length = std::hypot(length, velocity[h]);
      }
      double* n0 = modes_.direction.data() + first + unit.row;
      if (length > no_velocity * unit.speed) at_.direction_in_arc(unit, n0, velocity, n0);
    }
  }
  add_smooth_impulse(t1 - t_, lambda_before_, modes_.lambda);
  if (first_modes_) count_smooth_work(t_, y_, t1, *first_modes_);
  accept(t1);
  return true;
}

// Once asked to stop, whatever failed may have failed for want of time, and what did not may be less exact for it.
StepReport EventCore::unfinished() {
  if (solver_.asked_to_stop()) report_.status = StepStatus::interrupted;
  return report_;
}

void EventCore::remember(Memory& memory) {
  memory(started_, t_, y_, modes_, now_, next_, trial_, motion_, stiff_motion_);
  memory(drift_.position_error, drift_.position_contact);
  memory(gamma_before_, gamma_between_, gamma_after_, moved_);
  memory(opened_at_, closed_at_, flight_, last_event_, events_without_progress_);
  memory(asked_, without_modes_, stiff_steps_left_, stiff_steps_, stiff_step_, stiff_time_);
  memory.sized(lambda_next_);
}

StepReport EventCore::step(State& state, double dt, const SolverOptions& solver) {
  report_ = {};
  report_.solved = false;
  first_modes_.reset();
  begin_impulses();
  solver_ = solver;
  asked_tolerance_ = solver.tolerance;
  solver_.tolerance = std::min(solver.tolerance, contact_tolerance);
  solver_.stop = at_.stop = options_.stop;
  longest_ = dt;
  const std::uint64_t evaluations = at_.evaluations + stiff_motion_.evaluations, steps = motion_.steps();
  const std::uint64_t sweeps = stiff_motion_.iterations;
  const bool goes_on = started_ && std::abs(state.t - t_) <= same_state * dt &&
                       std::equal(state.q.begin(), state.q.end(), q()) &&
                       std::equal(state.u.begin(), state.u.end(), u());
  bool smooth = stiff_steps_left_ == 0;
  if (!goes_on) {
    stiff_steps_left_ = stiff_steps_ = 0;
    smooth = start(state);
  } else {
    // The motion begins anew, so that it has no history but its usual step: ARKODE's could not be saved.
    motion_.restart(t_, y_.data(), motion_.usual_step());
  }
  const double t_end = state.t + dt;
  const std::uint64_t most_steps = !has_faces_        ? most_internal_steps
                                   : stiff_steps_ > 0 ? most_steps_again
                                                      : most_steps_at_faces;
  // What is left by rounding is not worth a step.
  while (t_end - t_ > step_rounding * dt) {
    const std::uint64_t impacts = report_.events[static_cast<std::size_t>(EventKind::impact)];
    const std::uint64_t more = has_faces_ ? 0 : steps_of_an_impact * std::min(impacts, most_impacts_in_a_step);
    if (smooth && motion_.steps() - steps > most_steps + more) smooth = fail(StepStatus::smooth_motion_fails);
    if (smooth) smooth = advance(t_end);
    if (smooth) continue;
    if (report_.status != StepStatus::ok) {
      if (!may_go_on_stiffly()) return unfinished();
      stiff_steps_ = stiff_steps_left_ = std::clamp(2 * stiff_steps_, 1, most_stiff_steps);
    }
    if (stiff_motion_.iterations - sweeps > most_stiff_sweeps) {
      fail(StepStatus::smooth_motion_fails);
      return unfinished();
    }
    lambda_before_ = modes_.lambda;
    const double t_before = t_;
    if (!advance_stiffly(t_end)) return unfinished();
    add_smooth_impulse(t_ - t_before, lambda_before_, lambda_next_);
  }
  // Is smooth motion possible again?
  if (!without_modes_ && stiff_steps_left_ > 0 && --stiff_steps_left_ == 0 && !handle_event()) {
    if (!may_go_on_stiffly()) return unfinished();
    report_.status = StepStatus::ok;
    report_.converged = true;
    stiff_steps_ = stiff_steps_left_ = std::min(2 * stiff_steps_, most_stiff_steps);
  }
  if (solver_.asked_to_stop()) return unfinished();
  t_ = t_end;
  std::copy_n(q(), system_.n_q(), state.q.begin());
  std::copy_n(u(), system_.n_u(), state.u.begin());
  std::fill(state.Lambda.begin(), state.Lambda.end(), 0.0);
  for (std::uint32_t i = 0; i < modes_.n_contacts(); ++i) {
    state.closed[i] = modes_.closed[i];
    if (modes_.closed[i] != 0 || struck_[i] != 0) ++report_.n_closed;
    if (modes_.closed[i] == 0) continue;
    const ContactInfo& contact = system_.contacts()[i];
    for (std::uint32_t h = 0; h < contact.type->n_rows; ++h)
      state.Lambda[contact.first_row + h] = dt * modes_.lambda[contact.first_row + h];
  }
  to_user(impulse_, user_impulse_);
  state.impulse = user_impulse_;
  state.t = t_end;
  state.dt = dt;
  report_.internal_steps = motion_.steps() - steps;
  report_.evaluations = at_.evaluations + stiff_motion_.evaluations - evaluations;
  report_.position_error = drift_.position_error;
  report_.position_contact = drift_.position_contact;
  return report_;
}

}  // namespace nsmc::rt::event
