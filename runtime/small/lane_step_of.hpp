// The step over lanes: step.hpp for a kind of register and a number of velocities.
//
// This header is compiled for instruction sets that not every processor has: it may contain nothing but templates on
// `Real`, and call no inline functions but those (see step_avx512.cpp).
#pragma once

#include "runtime/small/lane_memory.hpp"
#include "runtime/small/make_lane_step.hpp"
#include "runtime/small/small_step.hpp"
#include "runtime/small/step.hpp"

namespace nsmc::rt {

// The kernels of a model with N velocities, and what they look at.
template <class Number, int N>
struct LaneModel {
  using Real = Number;
  using Shape = small::Members;
  using Mask = mask_of<Real>;
  static constexpr std::uint32_t max_u = N;
  static constexpr std::uint32_t n_u() { return N; }

  const double* block_self;
  nsm_lane_block_class block;
  struct Contact {
    const double* self;
    nsm_lane_contact_class kernels;
  } contacts[small::max_contacts];
  LaneMemory p, shared;
  Mask mass_known = Mask::of(0);
  Real t = 0;
  nsm_lane_view view{};

  LaneModel(const System& system, const nsm_lane_model& kernels)
      : block_self(system.blocks()[0].self),
        block(kernels.block_classes[system.blocks()[0].type - system.model().block_classes]),
        p(system.model().n_p * Real::lanes),
        shared(system.model().n_shared * Real::lanes) {
    view.t = reinterpret_cast<const double*>(&t);
    view.p = p.data();
    view.shared = shared.data();
    for (std::size_t i = 0; i < system.contacts().size(); ++i) {
      const ContactInfo& contact = system.contacts()[i];
      contacts[i] = {contact.self, kernels.contact_classes[contact.type - system.model().contact_classes]};
    }
  }
  LaneModel(const LaneModel&) = delete;  // the view points into it
  LaneModel& operator=(const LaneModel&) = delete;

  void look(const Real& at, const Real* q, const Real* u) {
    t = at;
    view.q[0] = reinterpret_cast<const double*>(q);
    view.u[0] = reinterpret_cast<const double*>(u);
  }
  void kinematics(Real* rate) {
    view.self = block_self;
    block.kinematics(&view, reinterpret_cast<double*>(rate));
  }
  void dynamics(Real* M) {
    view.self = block_self;
    block.dynamics(&view, reinterpret_cast<double*>(M));
  }
  Real gap(std::uint32_t i) {
    Real g;
    view.self = contacts[i].self;
    contacts[i].kernels.gap(&view, reinterpret_cast<double*>(&g));
    return g;
  }
  void directions(std::uint32_t i, Real* out) {
    view.self = contacts[i].self;
    contacts[i].kernels.directions(&view, reinterpret_cast<double*>(out));
  }
  // Constant masses that are known get the same factors again.
  Mask mass_is_known() const { return mass_known; }
  void keep_mass(Mask good) { mass_known = mass_known | good; }

  Mask finish(small::Step<LaneModel>& step, small::Motion<LaneModel>& state, const Real* factor,
              const typename small::Step<LaneModel>::Problem::Options& options, Mask good) {
    return step.rest(*this, state, factor, step.selected, options, good);
  }
};

template <class Real, int N>
class LaneStepOf final : public LaneStep {
 public:
  using Mask = mask_of<Real>;
  using Model = LaneModel<Real, N>;

  LaneStepOf(const System& system, const small::Layout& layout, const nsm_lane_model& kernels)
      : LaneStep(Real::lanes), model_(system, kernels) {
    step_.contacts.shape.value = layout;
    for (Real& x : state_.q) x = 0;
    for (Real& x : state_.u) x = 0;
    for (Real& x : state_.Lambda) x = 0;
    for (Real& x : state_.slack) x = 0;
    for (Mask& closed : state_.closed) closed = Mask::of(0);
    options_.tolerance = options_.most_sweeps = 1;
    options_.automatic = Mask::of(0);
  }

  void enter(unsigned lane, const System& system, const State& state, const Workspace& work,
             const SolverOptions& options) override {
    const auto set = [lane](double* array, std::size_t i, double x) { array[i * Real::lanes + lane] = x; };
    for (std::uint32_t k = 0; k < system.model().n_p; ++k) set(model_.p.data(), k, system.parameters()[k]);
    for (std::uint32_t k = 0; k < layout().n_shared; ++k) set(model_.shared.data(), k, work.shared[k]);
    for (std::uint32_t k = 0; k < layout().n_q; ++k) state_.q[k].set(lane, state.q[k]);
    for (std::uint32_t k = 0; k < N; ++k) state_.u[k].set(lane, state.u[k]);
    for (std::uint32_t k = 0; k < layout().n_rows; ++k) state_.Lambda[k].set(lane, state.Lambda[k]);
    for (std::uint32_t i = 0; i < layout().n_contacts; ++i) state_.slack[i].set(lane, work.gap_slack[i]);
    const Mask own = Mask::of(1u << lane);
    options_.tolerance.set(lane, options.tolerance);
    options_.most_sweeps.set(lane, most_small_sweeps(options));
    options_.automatic = options_.automatic & !own;
    if (options.kind == SolverKind::automatic) options_.automatic = options_.automatic | own;
    model_.mass_known = model_.mass_known & !own;
  }

  void leave(unsigned lane, State& state, Workspace& work) const override {
    for (std::uint32_t k = 0; k < layout().n_q; ++k) state.q[k] = state_.q[k][lane];
    for (std::uint32_t k = 0; k < N; ++k) state.u[k] = state_.u[k][lane];
    for (std::uint32_t k = 0; k < layout().n_rows; ++k) state.Lambda[k] = state_.Lambda[k][lane];
    for (std::uint32_t i = 0; i < layout().n_contacts; ++i) {
      state.closed[i] = (state_.closed[i].to_bits() >> lane & 1) != 0 ? 1 : 0;
      work.gap_slack[i] = state_.slack[i][lane];
    }
  }

  std::uint32_t step(std::uint32_t wanted, const LaneValues& t, const LaneValues& dt, StepReport* reports) override {
    const std::uint32_t done = step_
                                   .take(model_, state_, factor_, reinterpret_cast<const Real&>(t),
                                         reinterpret_cast<const Real&>(dt), options_, Mask::of(wanted))
                                   .to_bits();
    for (unsigned l = 0; l < Real::lanes; ++l) {
      if ((done >> l & 1) != 0) write(l, reports[l]);
    }
    return done;
  }

 private:
  const small::Layout& layout() const { return step_.contacts.shape.value; }

  void write(unsigned lane, StepReport& report) const {
    report.status = StepStatus::ok;
    report.converged = true;
    report.n_closed = 0;
    for (std::uint32_t i = 0; i < layout().n_contacts; ++i) report.n_closed += state_.closed[i].to_bits() >> lane & 1;
    const bool touches = report.n_closed > 0;
    report.iterations = touches ? static_cast<int>(step_.contacts.sweeps[lane]) : 0;
    report.residual = touches ? step_.contacts.residual[lane] : 0;
    report.contact = touches ? static_cast<std::uint32_t>(step_.contacts.worst[lane]) : NSM_NONE;
  }

  Model model_;
  typename small::Step<Model>::Problem::Options options_;
  small::Motion<Model> state_;
  Real factor_[N * N];
  small::Step<Model> step_;
};

// The step for the number of velocities of a model that fits.
template <class Real>
std::unique_ptr<LaneStep> make_lane_step_of(const System& system, const small::Layout& layout,
                                            const nsm_lane_model& kernels) {
  switch (layout.n_u) {
    case 1: return std::make_unique<LaneStepOf<Real, 1>>(system, layout, kernels);
    case 2: return std::make_unique<LaneStepOf<Real, 2>>(system, layout, kernels);
    case 3: return std::make_unique<LaneStepOf<Real, 3>>(system, layout, kernels);
    case 4: return std::make_unique<LaneStepOf<Real, 4>>(system, layout, kernels);
    case 5: return std::make_unique<LaneStepOf<Real, 5>>(system, layout, kernels);
    default: return std::make_unique<LaneStepOf<Real, 6>>(system, layout, kernels);
  }
}

}  // namespace nsmc::rt
