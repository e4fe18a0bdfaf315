// Where the energy goes in event-driven integration (runtime/evaluation/work_account.hpp). Nothing here changes the
// motion: the modes are put back, and the next look at a state begins anew.
#include "runtime/evaluation/work_account.hpp"
#include "runtime/methods/event/event_core.hpp"

namespace nsmc::rt::event {

// Over a step of the smooth motion from (t0, y0) to t1, in the modes that it began with: power at the stages of the
// step, with their weights, is integrated to the order of the motion itself.
void EventCore::count_smooth_work(double t0, const std::vector<double>& y0, double t1, const ContactModes& modes) {
  const ContactModes modes_now = modes_;
  const StepReport report_now = report_;
  const std::uint64_t evaluations = at_.evaluations;
  modes_ = modes;
  SmoothMotion::visit_stages(*this, t0, y0.data(), t1, y0.size(), [&](double t, const double* y, double weight) {
    const double *q = y, *u = y + system_.n_q();
    work_.account->add_percussions(system_, work_, work_.problem.Lambda, u, weight);
    work_.account->add_smooth(system_, work_, t, q, u, weight);
  });
  modes_ = modes_now;
  report_ = report_now;
  at_.evaluations = evaluations;
}

}  // namespace nsmc::rt::event
