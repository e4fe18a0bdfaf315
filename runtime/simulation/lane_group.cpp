#include "runtime/simulation/lane_group.hpp"
#include "runtime/methods/make_integrator.hpp"

namespace nsmc::rt {

namespace {

// A step over lanes takes about as long as this many single ones.
constexpr unsigned too_few = 2;

}  // namespace

LaneGroup::LaneGroup(const System& system, const nsm_lane_model& kernels)
    : step_(make_lane_step(system, kernels)), exact_(kernels.exact != 0) {}

unsigned LaneGroup::start(const LaneRun& run) {
  unsigned l = 0;
  while (lane_[l].busy) ++l;
  lane_[l] = {run, make_integrator(Method::moreau, *run.system, {}), true};
  step_->enter(l, *run.system, *run.state, run.simulation->work(), *run.solver);
  ++running_;
  return l;
}

unsigned LaneGroup::end(unsigned lane) {
  lane_[lane].busy = false;
  lane_[lane].integrator.reset();
  --running_;
  return lane;
}

std::optional<unsigned> LaneGroup::run(std::uint64_t most, bool alone) {
  if (alone && exact_ && running_ <= too_few) return run_one(most);
  for (std::uint64_t k = 0; k < most; ++k) {
    std::uint32_t wanted = 0;
    for (unsigned l = 0; l < lanes(); ++l) {
      if (!lane_[l].busy) continue;
      const LaneRun& run = lane_[l].run;
      const std::optional<double> dt = run.simulation->next_step();
      if (!dt) {
        step_->leave(l, *run.state, run.simulation->work());
        return end(l);
      }
      wanted |= 1u << l;
      t_.of[l] = run.state->t;
      dt_.of[l] = *dt;
    }
    const std::uint32_t done = step_->step(wanted, t_, dt_, reports_.data());
    for (unsigned l = 0; l < lanes(); ++l) {
      if ((wanted >> l & 1) == 0) continue;
      const LaneRun& run = lane_[l].run;
      if ((done >> l & 1) == 0) {
        step_->leave(l, *run.state, run.simulation->work());
        step_alone(l, dt_.of[l]);
        step_->enter(l, *run.system, *run.state, run.simulation->work(), *run.solver);
        continue;
      }
      run.state->dt = dt_.of[l];
      const bool looks = run.simulation->looks_after_next_step();
      if (looks) step_->leave(l, *run.state, run.simulation->work());
      if (run.simulation->took_step(reports_[l])) {
        if (!looks) step_->leave(l, *run.state, run.simulation->work());  // a look may have changed the state since
        run.simulation->record();
      }
      if (looks) step_->enter(l, *run.system, *run.state, run.simulation->work(), *run.solver);
    }
  }
  return std::nullopt;
}

std::optional<unsigned> LaneGroup::run_one(std::uint64_t most) {
  unsigned l = 0;
  while (!lane_[l].busy) ++l;
  const LaneRun& run = lane_[l].run;
  step_->leave(l, *run.state, run.simulation->work());
  for (std::uint64_t k = 0; k < most; ++k) {
    if (!run.simulation->go_on(*lane_[l].integrator)) return end(l);
  }
  step_->enter(l, *run.system, *run.state, run.simulation->work(), *run.solver);
  return std::nullopt;
}

void LaneGroup::step_alone(unsigned lane, double dt) {
  const Lane& own = lane_[lane];
  const LaneRun& run = own.run;
  if (run.simulation->took_step(own.integrator->step(*run.system, *run.state, run.simulation->work(), dt, *run.solver)))
    run.simulation->record();
}

}  // namespace nsmc::rt
