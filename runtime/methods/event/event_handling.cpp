// What happens at an event: contacts touch, impacts, contacts open, and the inclusions on acceleration level choose the
// modes of the next smooth phase.
#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/evaluation/work_account.hpp"
#include "runtime/methods/event/event_core.hpp"
#include "runtime/view.hpp"

namespace nsmc::rt::event {

namespace {

// Normal velocities below this part of their largest terms so far are zero: neither an impact nor a flight.
constexpr double zero_normal_velocity = 1e-12;
// Impacts last this part of the longest step: so much of a bounded force, and nothing of a moderate one.
constexpr double impact_duration = 1e-12;
// Impacts accumulate if a contact was open for less than this part of the longest step before it closed.
constexpr double shortest_flight = 1e-8;
// Gaps that close at one moment up to this part of the longest step close together.
constexpr double same_moment = 1e-11;
constexpr int most_impacts_at_once = 200;
constexpr int most_events_at_once = 200;
constexpr int most_events_at_faces = 20;  // where the stiff motion goes on
// Part of its largest velocity so far at which slip has got going: slower, its direction may be rounding.
constexpr double slip_velocity = 1e-6;
// A natural residual beyond this is no solution.
constexpr double no_solution = 1e-6;
constexpr double some_percussion = 1e-9;  // of the largest one: a contact that took part in an impact

}  // namespace

double EventCore::opening_speed(const ContactRows& rows) const {
  const std::uint32_t row = rows.first_row + system_.contacts()[rows.contact].type->normal;
  return modes_.opening_sign[rows.contact] * at_.xi(row);
}

// Those that the model speaks of (gap', slip, ...), of the closed contacts at the state that was looked at: y_ at t_.
void EventCore::keep_velocities(std::vector<double>& gamma) {
  nsm_view view = view_at(system_, work_.shared.data(), t_);
  for (const ContactRows& rows : at_.problem().contacts) {
    const ContactInfo& contact = system_.contacts()[rows.contact];
    double* out = gamma.data() + contact.first_row;
    if (contact.type->velocities != nullptr) {
      look_at(view, system_, contact, q(), u());
      contact.type->velocities(&view, out);
      continue;
    }
    for (std::uint32_t h = 0; h < rows.n_rows; ++h) out[h] = at_.xi(rows.first_row + h);
  }
}

void EventCore::note_motion() {
  for (const ContactRows& rows : at_.problem().contacts) {
    for (std::uint32_t k = modes_.first_unit[rows.contact]; k < modes_.first_unit[rows.contact + 1]; ++k) {
      const Unit& unit = modes_.units[k];
      for (std::uint32_t h = 0; h < unit.dim; ++h) {
        if (std::abs(at_.xi(rows.first_row + unit.row + h)) > slip_velocity * unit.speed) moved_[k] = 1;
      }
    }
  }
}

void EventCore::log(std::uint32_t contact, EventKind kind, const std::vector<double>& before,
                    const std::vector<double>& after) {
  ++report_.events[static_cast<std::size_t>(kind)];
  if (options_.events == nullptr) return;
  const ContactInfo& info = system_.contacts()[contact];
  const auto own = [&](const std::vector<double>& rows) {
    return std::span<const double>(rows.data() + info.first_row, info.type->n_rows);
  };
  Event event{t_, &system_, contact, kind, own(before), own(after), {}};
  if (kind == EventKind::impact) {
    to_user(percussion_, user_percussion_);
    event.percussion = own(user_percussion_);
  }
  options_.events->record(event);
}

void EventCore::count(const ContactSolution& solution) {
  report_.iterations += solution.iterations;
  report_.newton_steps += solution.newton_steps;
  report_.solved = true;
  report_.converged = report_.converged && solution.residual <= asked_tolerance_;
  if (report_.contact != NSM_NONE && !(solution.residual > report_.residual)) return;
  report_.residual = solution.residual;
  report_.contact = solution.worst_contact;
}

void EventCore::open(std::uint32_t contact) {
  modes_.closed[contact] = 0;
  modes_.gap_level[contact] = 0;
  opened_at_[contact] = t_;
  const ContactInfo& info = system_.contacts()[contact];
  std::fill_n(modes_.lambda.data() + info.first_row, info.type->n_rows, 0.0);
}

// Contacts whose gap has closed, also those that would close a rounding error later; and those that end with a face.
void EventCore::find_touching() {
  for (std::uint32_t i = 0; i < modes_.n_contacts(); ++i) {
    const ContactInfo& contact = system_.contacts()[i];
    if (contact.type->gap == nullptr) continue;
    if (normal_unit(system_, modes_, i) == NSM_NONE) {
      if (now_.contact[i] < 0) modes_.closed[i] ^= 1;
      continue;
    }
    if (modes_.closed[i] != 0) {
      if (now_.contact[i] < 0) open(i);
      continue;
    }
    const double slack = 8 * std::numeric_limits<double>::epsilon() * coordinate_size(system_, contact, q()) -
                         now_.rate[i] * same_moment * longest_;
    if (!(now_.contact[i] < 0 || (now_.rate[i] < 0 && now_.gap[i] <= slack))) continue;
    modes_.closed[i] = 1;
    modes_.gap_level[i] = 0;
    touched_[i] = 1;
    flight_[i] = t_ - opened_at_[i];
    closed_at_[i] = t_;
    for (std::uint32_t k = modes_.first_unit[i]; k < modes_.first_unit[i + 1]; ++k) modes_.units[k].mode = Mode::hold;
  }
}

// The impact inclusion of [Möller 2009, (11)]: the velocity problem of a step without duration, h dt = 0, at fixed q.
bool EventCore::impact() {
  const double dt = impact_duration * longest_;
  std::fill(work_.free_acceleration.begin(), work_.free_acceleration.end(), 0.0);
  std::vector<double> no_percussion(system_.n_rows(), 0);
  assemble(system_, work_, dt, t_, q(), u(), no_percussion.data(), Velocities::end);
  const ContactSolution solution = solve(work_.problem, solver_);
  count(solution);
  if (!solution.finite || solution.residual > no_solution) return fail(StepStatus::no_impact, solution.worst_contact);
  const std::vector<double> u_before(u(), u() + system_.n_u());
  apply_percussions(system_, work_, 0, u(), u());
  if (work_.account != nullptr) work_.account->add_percussions(system_, work_, u_before.data(), u());
  add_percussions();
  double most = 0;
  for (const SetBlock& s : work_.problem.sets) {
    for (std::uint32_t h = 0; h < s.dim; ++h)
      most = std::max(most, std::sqrt(s.D) * std::abs(work_.problem.Lambda[s.first_row + h]));
  }
  for (const SetBlock& s : work_.problem.sets) {
    for (std::uint32_t h = 0; h < s.dim; ++h) {
      if (std::sqrt(s.D) * std::abs(work_.problem.Lambda[s.first_row + h]) > some_percussion * most)
        hit_[work_.problem.contacts[s.contact].contact] = struck_[work_.problem.contacts[s.contact].contact] = 1;
    }
  }
  return true;
}

bool EventCore::resolve_impacts() {
  for (int count = 0;; ++count) {
    if (const Trouble trouble = at_.look(t_, q(), u())) return fail(trouble);
    at_.note_sizes(longest_);
    if (count == 0) {
      keep_velocities(gamma_before_);
      note_motion();
    }
    std::uint32_t approaching = NSM_NONE;
    for (const ContactRows& rows : at_.problem().contacts) {
      const std::uint32_t normal = normal_unit(system_, modes_, rows.contact);
      if (normal == NSM_NONE) continue;
      if (opening_speed(rows) < -zero_normal_velocity * modes_.units[normal].speed) approaching = rows.contact;
    }
    if (approaching == NSM_NONE) return true;
    if (count == most_impacts_at_once) return fail(StepStatus::events_accumulate, approaching);
    if (!impact()) return false;
  }
}

// Contacts with a positive normal velocity open, unless impacts accumulate: then they stay closed.
void EventCore::open_separating() {
  keep_velocities(gamma_between_);
  for (const ContactRows& rows : at_.problem().contacts) {
    const std::uint32_t i = rows.contact, normal = normal_unit(system_, modes_, i);
    if (normal == NSM_NONE) continue;
    if (!(opening_speed(rows) > zero_normal_velocity * modes_.units[normal].speed)) continue;
    const double shortest = shortest_flight * longest_;
    if (flight_[i] < shortest && t_ - closed_at_[i] < 10 * shortest) continue;
    open(i);
  }
}

void EventCore::find_units_without_modes() {
  for (const ContactRows& rows : at_.problem().contacts) {
    for (std::uint32_t k = modes_.first_unit[rows.contact]; k < modes_.first_unit[rows.contact + 1]; ++k) {
      if (asked_[k] == 0) without_modes_ = at_.is_without_modes(rows, modes_.units[k]) || without_modes_;
      asked_[k] = 1;
    }
  }
}

bool EventCore::choose_modes() {
  if (has_faces_) find_units_without_modes();
  if (without_modes_) return fail(StepStatus::smooth_motion_fails);
  // What does not move is put at rest, and the inclusions decide whether it stays there.
  for (const ContactRows& rows : at_.problem().contacts) {
    if (modes_.closed[rows.contact] == 0) continue;
    const std::uint32_t normal = normal_unit(system_, modes_, rows.contact);
    for (std::uint32_t k = modes_.first_unit[rows.contact]; k < modes_.first_unit[rows.contact + 1]; ++k) {
      Unit& unit = modes_.units[k];
      double size = 0;
      for (std::uint32_t h = 0; h < unit.dim; ++h)
        size = std::max(size, std::abs(at_.xi(rows.first_row + unit.row + h)));
      if (k == normal || size <= zero_velocity * unit.speed) {
        unit.mode = Mode::hold;
      } else if (unit.mode == Mode::hold) {
        unit.mode = Mode::slip;  // for now: it does move
      }
    }
  }
  if (const Trouble trouble = drift_.project(at_, t_, q(), u())) return fail(trouble);
  if (const Trouble trouble = at_.look(t_, q(), u())) return fail(trouble);
  Accelerations::Transition found = at_.transition(solver_, options_.form, leaving_);
  count(found.solution);
  if (!found.regular) {
    report_.dependent = std::move(found.dependent);
    return fail(StepStatus::singular_G);
  }
  if (!found.solution.finite || found.solution.residual > no_solution) {
    report_.solution_exists = !found.force_dependent;
    return fail(StepStatus::no_accelerations, found.solution.worst_contact);
  }
  keep_velocities(gamma_after_);
  for (const ContactRows& rows : at_.problem().contacts) {
    const std::uint32_t normal = normal_unit(system_, modes_, rows.contact);
    if (normal != NSM_NONE && modes_.units[normal].mode != Mode::hold) open(rows.contact);
  }
  if (const Trouble trouble = at_.look(t_, q(), u())) return fail(trouble);
  at_.find_determinacy();
  return true;
}

// In the initial state contacts do not change, but they may be struck.
void EventCore::log_changes(bool initial) {
  for (std::uint32_t i = 0; i < modes_.n_contacts(); ++i) {
    if (hit_[i] != 0) log(i, EventKind::impact, gamma_before_, gamma_between_);
    if (initial) continue;
    if (closed_before_[i] == 0 && modes_.closed[i] != 0) log(i, EventKind::closing, gamma_between_, gamma_after_);
    if (closed_before_[i] != 0 && modes_.closed[i] == 0 && (hit_[i] == 0 || touched_[i] == 0))
      log(i, EventKind::take_off, gamma_before_, gamma_between_);
    if (closed_before_[i] == 0 || modes_.closed[i] == 0) continue;
    const std::uint32_t normal = normal_unit(system_, modes_, i), first = system_.contacts()[i].first_row;
    for (std::uint32_t k = modes_.first_unit[i]; k < modes_.first_unit[i + 1]; ++k) {
      if (k == normal) continue;
      const Unit &before = units_before_[k], &after = modes_.units[k];
      const bool held = before.mode == Mode::hold, holds = after.mode == Mode::hold;
      double turned = 0;
      for (std::uint32_t h = 0; h < after.dim; ++h)
        turned += directions_before_[first + after.row + h] * modes_.direction[first + after.row + h];
      if (!held && holds) {
        log(i, EventKind::stick, gamma_before_, gamma_after_);
      } else if (held && !holds) {
        log(i, EventKind::slip, gamma_before_, gamma_after_);
        moved_[k] = 0;
      } else if (!held && !holds && (turned < 0 || before.mode != after.mode || before.corner != after.corner)) {
        // Where slip begins, turns or ends, its direction changes to and fro until it is fast enough: one event.
        if (moved_[k] != 0) log(i, EventKind::turn, gamma_before_, gamma_after_);
        moved_[k] = 0;
      }
    }
  }
}

// What the modes were before.
void EventCore::begin_event() {
  last_event_ = t_;
  units_before_ = modes_.units;
  directions_before_ = modes_.direction;
  closed_before_ = modes_.closed;
  std::fill(touched_.begin(), touched_.end(), std::uint8_t{0});
  std::fill(hit_.begin(), hit_.end(), std::uint8_t{0});
  std::fill(percussion_.begin(), percussion_.end(), 0.0);
}

bool EventCore::handle_event() {
  const bool first = last_event_ == -std::numeric_limits<double>::infinity();
  if (t_ - last_event_ > shortest_flight * longest_) {
    events_without_progress_ = 0;
  } else if (++events_without_progress_ > (has_faces_ ? most_events_at_faces : most_events_at_once)) {
    const auto broken = std::find_if(now_.contact.begin(), now_.contact.end(), [](double v) { return v < 0; });
    const auto unit = std::find_if(now_.unit.begin(), now_.unit.end(), [](double v) { return v < 0; });
    std::uint32_t contact = NSM_NONE;
    if (broken != now_.contact.end()) contact = static_cast<std::uint32_t>(broken - now_.contact.begin());
    if (unit != now_.unit.end()) contact = modes_.units[static_cast<std::size_t>(unit - now_.unit.begin())].contact;
    return fail(StepStatus::events_accumulate, contact);
  }
  begin_event();
  for (std::size_t k = 0; k < leaving_.size(); ++k)
    leaving_[k] = now_.unit[k] < 0 && modes_.units[k].mode != Mode::slip ? 1 : 0;

  if (!first) find_touching();
  if (!resolve_impacts()) return false;
  open_separating();
  if (!choose_modes()) return false;
  log_changes(first);
  if (!check_with_rates(t_, y_.data(), now_, nullptr)) return false;
  for (const ContactRows& rows : at_.problem().contacts) {
    std::copy_n(at_.problem().Lambda.data() + rows.first_row, rows.n_rows,
                modes_.lambda.data() + system_.contacts()[rows.contact].first_row);
  }
  motion_.restart(t_, y_.data());
  return true;
}

}  // namespace nsmc::rt::event
