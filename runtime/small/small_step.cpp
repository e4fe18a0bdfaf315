#include "runtime/small/small_step.hpp"

#include <algorithm>

#include "runtime/small/step.hpp"
#include "runtime/solvers/iterate.hpp"
#include "runtime/view.hpp"

namespace nsmc::rt {

namespace {

// The kernels of a model with N velocities, and what they look at.
template <int N>
struct SmallModel {
  using Real = double;
  using Shape = small::Members;
  static constexpr std::uint32_t max_u = N;
  static constexpr std::uint32_t n_u() { return N; }

  const System& system;
  const BlockInfo& block = system.blocks()[0];
  nsm_view view{};
  std::uint8_t* mass_known = nullptr;

  void look(double t, const double* q, const double* u) {
    view.t = t;
    view.q[0] = q;
    view.u[0] = u;
  }
  void kinematics(double* rate) {
    view.self = block.self;
    block.type->kinematics(&view, rate);
  }
  void dynamics(double* M) {
    view.self = block.self;
    block.type->dynamics(&view, M);
  }
  double gap(std::uint32_t i) {
    const ContactInfo& contact = system.contacts()[i];
    double g = 0;
    view.self = contact.self;
    contact.type->gap(&view, &g);
    return g;
  }
  void directions(std::uint32_t i, double* out) {
    const ContactInfo& contact = system.contacts()[i];
    view.self = contact.self;
    contact.type->directions(&view, out);
  }
  bool mass_is_known() const { return *mass_known != 0; }
  void keep_mass(bool good) { *mass_known = good ? 1 : 0; }

  bool finish(small::Step<SmallModel>& step, small::Motion<SmallModel>& state, const double* factor,
              const typename small::Step<SmallModel>::Problem::Options& options, bool good) {
    return step.rest(*this, state, factor, step.selected, options, good);
  }
};

template <int N>
class SmallStepOf final : public SmallStep {
 public:
  explicit SmallStepOf(const small::Layout& layout) { step_.contacts.shape.value = layout; }

  std::optional<StepReport> step(const System& system, State& state, Workspace& work, double dt,
                                 const SolverOptions& options) override {
    if (!has_small_steps(options)) return std::nullopt;
    SmallModel<N> model{system};
    model.view = view_at(system, work.shared.data(), state.t);
    model.mass_known = work.mass_is_known.data();
    std::copy(state.q.begin(), state.q.end(), motion_.q);
    std::copy(state.u.begin(), state.u.end(), motion_.u);
    std::copy(state.Lambda.begin(), state.Lambda.end(), motion_.Lambda);
    std::copy(work.gap_slack.begin(), work.gap_slack.end(), motion_.slack);
    if (!step_.take(model, motion_, work.factor.data(), state.t, dt,
                    {options.tolerance, most_small_sweeps(options), options.kind == SolverKind::automatic}, true))
      return std::nullopt;

    StepReport report;
    std::copy_n(motion_.q, state.q.size(), state.q.begin());
    std::copy_n(motion_.u, N, state.u.begin());
    std::copy_n(motion_.Lambda, state.Lambda.size(), state.Lambda.begin());
    std::copy_n(motion_.slack, work.gap_slack.size(), work.gap_slack.begin());
    for (std::size_t i = 0; i < state.closed.size(); ++i) {
      state.closed[i] = step_.selected >> i & 1;
      report.n_closed += state.closed[i];
    }
    state.t += dt;
    state.dt = dt;
    if (report.n_closed == 0) return report;
    report.iterations = step_.contacts.sweeps;
    report.residual = step_.contacts.residual;
    report.contact = step_.contacts.worst;
    return report;
  }

 private:
  small::Motion<SmallModel<N>> motion_;
  small::Step<SmallModel<N>> step_;
};

small::ModelFacts facts_of(const System& system) {
  const nsm_block_class& block = *system.blocks()[0].type;
  small::ModelFacts facts{system.blocks().size(),
                          system.elements().size(),
                          system.model().n_shared,
                          block.n_q,
                          block.n_u,
                          block.quaternion,
                          block.mass_structure == NSM_MASS_DIAGONAL,
                          block.constant_mass != 0,
                          block.identity_kinematics != 0,
                          {}};
  for (const ContactInfo& contact : system.contacts()) {
    const nsm_contact_class& type = *contact.type;
    facts.contacts.push_back({contact.n_blocks, type.n_rows, type.n_arguments, type.n_position, type.gap != nullptr,
                              type.mapped != 0, type.compliant != 0, type.affine != 0,
                              std::span(type.sets, type.n_sets)});
  }
  return facts;
}

}  // namespace

std::optional<small::Layout> small_layout(const System& system) {
  if (system.n_z() > 0 || system.model().n_events > 0 || system.has_switches() || system.blocks().size() != 1 ||
      !system.families().empty() || system.contacts().size() > small::max_contacts)
    return std::nullopt;
  return small::layout_of(facts_of(system), small::member_limits);
}

bool has_small_steps(const SolverOptions& options) {
  const bool sweeps = options.kind == SolverKind::sor || options.kind == SolverKind::automatic;
  return sweeps && options.omega == 1 && !options.scaled && options.observer == nullptr;
}

int most_small_sweeps(const SolverOptions& options) {
  return std::min(options.max_iterations, 2 * StagnationWatch::window - 1);
}

std::unique_ptr<SmallStep> make_small_step(const System& system) {
  const std::optional<small::Layout> layout = small_layout(system);
  if (!layout) return nullptr;
  switch (layout->n_u) {
    case 1: return std::make_unique<SmallStepOf<1>>(*layout);
    case 2: return std::make_unique<SmallStepOf<2>>(*layout);
    case 3: return std::make_unique<SmallStepOf<3>>(*layout);
    case 4: return std::make_unique<SmallStepOf<4>>(*layout);
    case 5: return std::make_unique<SmallStepOf<5>>(*layout);
    default: return std::make_unique<SmallStepOf<6>>(*layout);
  }
}

}  // namespace nsmc::rt
