// Impulses of event-driven integration: the integral of the forces over a step of the run, with the percussions of
// impacts, for measures of what a contact has transferred (runtime/study/measure.hpp). Between the ends of
// the internal steps forces are taken as straight lines; at events they jump.
#include <algorithm>

#include "runtime/methods/event/event_core.hpp"
#include "runtime/view.hpp"

namespace nsmc::rt::event {

void EventCore::begin_impulses() {
  impulse_.assign(system_.n_rows(), 0);
  std::fill(struck_.begin(), struck_.end(), std::uint8_t{0});
}

void EventCore::add_smooth_impulse(double duration, const std::vector<double>& first, const std::vector<double>& last) {
  for (std::size_t row = 0; row < impulse_.size(); ++row) impulse_[row] += duration / 2 * (first[row] + last[row]);
}

// Adds the percussions of the impact that was solved in work_.problem.
void EventCore::add_percussions() {
  for (const ContactRows& rows : work_.problem.contacts) {
    for (std::uint32_t h = 0; h < rows.n_rows; ++h) {
      const std::uint32_t row = system_.contacts()[rows.contact].first_row + h;
      percussion_[row] += work_.problem.Lambda[rows.first_row + h];
      impulse_[row] += work_.problem.Lambda[rows.first_row + h];
    }
  }
}

// Adds the impulses of smooth motion that has come to its end with the current event, y_ at t_: from the forces of its
// last step to those that the modes have where they end.
void EventCore::add_last_impulse(double duration) {
  lambda_end_ = modes_.lambda;
  if (!at_.look(t_, q(), u()) && at_.solve_modes()) {
    for (const ContactRows& rows : at_.problem().contacts) {
      std::copy_n(at_.problem().Lambda.data() + rows.first_row, rows.n_rows,
                  lambda_end_.data() + system_.contacts()[rows.contact].first_row);
    }
  }
  add_smooth_impulse(duration, modes_.lambda, lambda_end_);
}

// lambda = A lambda^ of all contacts.
void EventCore::to_user(const std::vector<double>& hatted, std::vector<double>& forces) {
  forces.resize(hatted.size());
  nsm_view view = view_at(system_, work_.shared.data(), t_);
  for (const ContactInfo& contact : system_.contacts()) {
    const double* lambda = hatted.data() + contact.first_row;
    if (contact.type->forces == nullptr) {
      std::copy_n(lambda, contact.type->n_rows, forces.data() + contact.first_row);
      continue;
    }
    look_at(view, system_, contact, q(), u());
    view.lambda = lambda;
    contact.type->forces(&view, forces.data() + contact.first_row);
  }
}

}  // namespace nsmc::rt::event
