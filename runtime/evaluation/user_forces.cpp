// What of an evaluation is the user's: forces of the laws as they are written, and whether a contact is switched on.
#include <algorithm>

#include "runtime/evaluation/evaluation.hpp"
#include "runtime/view.hpp"

namespace nsmc::rt {

bool is_switched_on(const System& system, nsm_view& view, const ContactInfo& contact, const double* q,
                    const double* u) {
  double on = 0;
  look_at(view, system, contact, q, u);
  contact.type->active(&view, &on);
  return on != 0;
}

void user_forces(const System& system, Workspace& work, double t, const double* q, const double* u,
                 const double* Lambda, double dt, double* out) {
  std::fill_n(out, system.n_fixed_rows(), 0.0);
  if (!(dt > 0)) return;
  nsm_view view = view_at(system, work.shared.data(), t);
  for (const ContactInfo& contact : system.contacts().first(system.n_fixed())) {
    const double* percussions = Lambda + contact.first_row;
    const std::uint32_t n_rows = contact.type->n_rows;
    // Not by State::closed: after steps of its own an integrator has the sum of their percussions, and the contact may
    // be open again.
    if (std::all_of(percussions, percussions + n_rows, [](double x) { return x == 0; })) continue;
    double* lambda = contact.type->forces != nullptr ? work.hatted.data() : out + contact.first_row;
    for (std::uint32_t h = 0; h < n_rows; ++h) lambda[h] = percussions[h] / dt;
    if (contact.type->forces == nullptr) continue;
    look_at(view, system, contact, q, u);
    view.lambda = lambda;
    contact.type->forces(&view, out + contact.first_row);
  }
}

}  // namespace nsmc::rt
