// The step over lanes, for a kind of register and a number of velocities. Every line has its like in small_step.cpp.
//
// This header is compiled for instruction sets that not every processor has: it may contain nothing but templates on
// `Real`, and call no inline functions but those (see step_avx512.cpp).
#pragma once

#include "runtime/small/lane_cholesky.hpp"
#include "runtime/small/lane_contacts.hpp"
#include "runtime/small/lane_memory.hpp"
#include "runtime/small/make_lane_step.hpp"

namespace nsmc::rt {

template <class Real, int N>
class LaneStepOf final : public LaneStep {
 public:
  using Mask = mask_of<Real>;

  LaneStepOf(const System& system, const nsm_lane_model& kernels)
      : LaneStep(Real::lanes),
        n_q_(system.blocks()[0].n_q),
        n_p_(system.model().n_p),
        n_shared_(system.model().n_shared),
        n_contacts_(static_cast<std::uint32_t>(system.contacts().size())),
        p_(n_p_ * Real::lanes),
        shared_(n_shared_ * Real::lanes),
        directions_(system.n_directions() * Real::lanes) {
    const BlockInfo& block = system.blocks()[0];
    type_ = block.type;
    self_ = block.self;
    block_kernels_ = kernels.block_classes[block.type - system.model().block_classes];
    diagonal_ = type_->mass_structure == NSM_MASS_DIAGONAL;
    for (std::uint32_t i = 0; i < n_contacts_; ++i) {
      const ContactInfo& info = system.contacts()[i];
      Contact& made = contacts_[i];
      made.kernels = kernels.contact_classes[info.type - system.model().contact_classes];
      made.type = info.type;
      made.self = info.self;
      made.layout = system.layout(info);
      made.first_row = info.first_row;
      made.n_rows = info.type->n_rows;
      made.directions = reinterpret_cast<Real*>(directions_.data()) + info.first_direction;
      made.slack = 0;
      made.closed = Mask::of(0);
    }
    for (Real& x : q_) x = 0;
    for (Real& x : u_) x = 0;
    for (Real& x : Lambda_) x = 0;
    options_.tolerance = options_.max_iterations = 1;
    mass_is_known_ = Mask::of(0);
  }

  void enter(unsigned lane, const System& system, const State& state, const Workspace& work,
             const SolverOptions& options) override {
    const auto set = [lane](double* array, std::size_t i, double x) { array[i * Real::lanes + lane] = x; };
    for (std::uint32_t k = 0; k < n_p_; ++k) set(p_.data(), k, system.parameters()[k]);
    for (std::uint32_t k = 0; k < n_shared_; ++k) set(shared_.data(), k, work.shared[k]);
    for (std::uint32_t k = 0; k < n_q_; ++k) q_[k].set(lane, state.q[k]);
    for (int k = 0; k < N; ++k) u_[k].set(lane, state.u[static_cast<std::size_t>(k)]);
    for (std::uint32_t i = 0; i < n_contacts_; ++i) {
      Contact& contact = contacts_[i];
      contact.slack.set(lane, work.gap_slack[i]);
      for (std::uint32_t h = 0; h < contact.n_rows; ++h)
        Lambda_[contact.first_row + h].set(lane, state.Lambda[contact.first_row + h]);
    }
    options_.tolerance.set(lane, options.tolerance);
    options_.max_iterations.set(lane, options.max_iterations);
    const std::uint32_t bit = 1u << lane;
    options_.automatic = (options_.automatic & ~bit) | (options.kind == SolverKind::automatic ? bit : 0);
    mass_is_known_ = mass_is_known_ & !Mask::of(bit);
  }

  void leave(unsigned lane, State& state, Workspace& work) const override {
    for (std::uint32_t k = 0; k < n_q_; ++k) state.q[k] = q_[k][lane];
    for (int k = 0; k < N; ++k) state.u[static_cast<std::size_t>(k)] = u_[k][lane];
    for (std::uint32_t i = 0; i < n_contacts_; ++i) {
      const Contact& contact = contacts_[i];
      state.closed[i] = (contact.closed.to_bits() >> lane & 1) != 0 ? 1 : 0;
      work.gap_slack[i] = contact.slack[lane];
      for (std::uint32_t h = 0; h < contact.n_rows; ++h)
        state.Lambda[contact.first_row + h] = Lambda_[contact.first_row + h][lane];
    }
  }

  std::uint32_t step(std::uint32_t wanted_bits, const LaneValues& times, const LaneValues& steps,
                     StepReport* reports) override {
    Mask good = Mask::of(wanted_bits);  // lanes in which nothing unusual has turned up
    const Real t = reinterpret_cast<const Real&>(times), dt = reinterpret_cast<const Real&>(steps);
    const Real half = dt / Real(2), t_mid = t + half;
    Real q_mid[max_lane_q], q_end[max_lane_q], u_end[N], y[N];
    move(t, q_, u_, half, q_mid);

    nsm_lane_view view = view_at(t_mid, q_mid, u_);
    good = good & accelerate(view, good, y);
    good = good & find_closed(view, good);
    for (int k = 0; k < N; ++k) u_end[k] = u_[k] + dt * y[k];
    LaneSolution<Real> solution;
    solution.iterations = solution.residual = solution.worst_contact = 0;
    if (problem_.n_contacts > 0) {
      set_up(view, dt, y);
      Mask touching = Mask::of(0);
      for (std::uint32_t n = 0; n < problem_.n_contacts; ++n) touching = touching | problem_.contacts[n].closed;
      touching = touching & good;
      problem_.solve(options_, touching, solution);
      good = good & !solution.failed;
      for (std::uint32_t n = 0; n < problem_.n_contacts; ++n) push(problem_.contacts[n], u_end);
    }

    move(t_mid, q_mid, u_end, half, q_end);
    for (int k = 0; k < N; ++k) good = good & is_finite(u_end[k]);
    for (std::uint32_t k = 0; k < n_q_; ++k) good = good & is_finite(q_end[k]);

    for (std::uint32_t k = 0; k < n_q_; ++k) q_[k] = select(good, q_end[k], q_[k]);
    for (int k = 0; k < N; ++k) u_[k] = select(good, u_end[k], u_[k]);
    const Real n_closed = keep_percussions(good, solution.residual);
    return report(good.to_bits(), n_closed, solution, reports);
  }

 private:
  struct Contact {
    nsm_lane_contact_class kernels;
    const nsm_contact_class* type;
    const double* self;
    DirectionLayout layout;
    std::uint32_t first_row, n_rows;  // of Lambda
    Real* directions;
    Real X[max_lane_rows * N];  // M^-1 W
    Real slack;                 // of the gap
    Mask closed;                // in the last step
  };

  // `at` lives as long as the view.
  nsm_lane_view view_at(const Real& at, const Real* q, const Real* u) {
    nsm_lane_view view{};
    view.t = reinterpret_cast<const double*>(&at);
    view.p = p_.data();
    view.self = self_;
    view.q[0] = reinterpret_cast<const double*>(q);
    view.u[0] = reinterpret_cast<const double*>(u);
    view.shared = shared_.data();
    return view;
  }

  // out = q + s q', normalised.
  void move(const Real& t, const Real* q, const Real* u, const Real& s, Real* out) {
    Real rate[max_lane_q];
    const Real* q_rate = u;
    if (type_->identity_kinematics == 0) {
      const nsm_lane_view view = view_at(t, q, u);
      block_kernels_.kinematics(&view, reinterpret_cast<double*>(rate));
      q_rate = rate;
    }
    for (std::uint32_t k = 0; k < n_q_; ++k) out[k] = q[k] + s * q_rate[k];
    if (type_->quaternion == NSM_NONE) return;
    Real* e = out + type_->quaternion;
    const Real length = root(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
    const Mask positive = length > Real(0);
    for (int k = 0; k < 4; ++k) e[k] = select(positive, e[k] / length, e[k]);
  }

  // y = M^-1 h. Where that is possible; only the lanes `wanted` matter.
  Mask accelerate(const nsm_lane_view& view, Mask wanted, Real* y) {
    Real M[N * N + N];
    block_kernels_.dynamics(&view, reinterpret_cast<double*>(M));
    const Real* h = M + (diagonal_ ? N : N * N);
    Mask good = mass_is_known_;
    if (!all(mass_is_known_ | !wanted)) {
      good = factor(M);
      if (type_->constant_mass != 0) mass_is_known_ = mass_is_known_ | good;
    }
    for (int k = 0; k < N; ++k) y[k] = h[k];
    solve_mass(y);
    for (int k = 0; k < N; ++k) good = good & is_finite(y[k]);
    return good;
  }

  // Constant masses that are known get the same factors again.
  Mask factor(const Real* M) {
    Mask good = Mask::of(~0u);
    if (diagonal_) {
      for (int k = 0; k < N; ++k) {
        good = good & is_pivot(M[k], M[k]);
        factor_[k] = Real(1) / M[k];
      }
      return good;
    }
    for (int k = 0; k < N * N; ++k) factor_[k] = M[k];
    return factor_lanes<N>(factor_);
  }

  void solve_mass(Real* x) const {
    if (diagonal_) {
      for (int k = 0; k < N; ++k) x[k] *= factor_[k];
    } else {
      solve_lanes<N>(factor_, x);
    }
  }

  // Of the lanes `wanted`, those in which gaps are numbers.
  Mask find_closed(nsm_lane_view view, Mask wanted) {
    problem_.n_contacts = 0;
    for (std::uint32_t i = 0; i < n_contacts_; ++i) {
      const Contact& contact = contacts_[i];
      Mask closed = wanted;
      if (contact.type->gap != nullptr) {
        Real g;
        view.self = contact.self;
        contact.kernels.gap(&view, reinterpret_cast<double*>(&g));
        wanted = wanted & !is_nan(g);
        closed = wanted & !(g > contact.slack);
      }
      if (!any(closed)) continue;
      LaneContact<Real>& made = problem_.contacts[problem_.n_contacts++];
      made.contact = i;
      made.closed = closed;
    }
    for (std::uint32_t n = 0; n < problem_.n_contacts; ++n)
      problem_.contacts[n].closed = problem_.contacts[n].closed & wanted;
    return wanted;
  }

  // Directions, X, G, c and the sets of the closed contacts.
  void set_up(nsm_lane_view view, const Real& dt, const Real* y) {
    problem_.dt = dt;
    std::uint32_t row = 0, set = 0;
    for (std::uint32_t n = 0; n < problem_.n_contacts; ++n) {
      LaneContact<Real>& closed = problem_.contacts[n];
      Contact& contact = contacts_[closed.contact];
      view.self = contact.self;
      contact.kernels.directions(&view, reinterpret_cast<double*>(contact.directions));
      closed.first_row = row;
      closed.n_rows = contact.n_rows;
      closed.first_set = set;
      const Real* W = contact.directions + contact.layout.W[0];
      for (std::uint32_t h = 0; h < contact.n_rows; ++h) {
        Real* x = contact.X + h * N;
        for (int k = 0; k < N; ++k) x[k] = W[h * N + k];
        solve_mass(x);
        fill_c(contact, W + h * N, h, row + h, dt, y);
        problem_.Lambda[row + h] = Lambda_[contact.first_row + h];
      }
      for (std::uint32_t j = 0; j < contact.type->n_sets; ++j) {
        LaneSet<Real>& s = problem_.sets[set++];
        s.set = contact.type->sets + j;
        s.first_row = row + s.set->first_row;
        s.dim = s.set->dim;
        s.position = n;
        s.a = contact.directions + contact.layout.a + s.set->first_argument;
        s.K = contact.directions + contact.layout.K + std::size_t{s.set->first_argument} * contact.n_rows;
      }
      closed.end_set = set;
      row += contact.n_rows;
    }
    problem_.n_sets = set;
    for (std::uint32_t i = 0; i < problem_.n_contacts; ++i) {
      for (std::uint32_t j = 0; j < problem_.n_contacts; ++j) fill_G(problem_.contacts[i], problem_.contacts[j]);
    }
  }

  void fill_c(const Contact& contact, const Real* w, std::uint32_t h, std::uint32_t row, const Real& dt,
              const Real* y) {
    const Real restitution = Real(1) + contact.directions[contact.layout.restitution + h];
    Real sum = restitution * contact.directions[contact.layout.chi + h];
    Real size = magnitude(sum);
    for (int k = 0; k < N; ++k) {
      const Real term = w[k] * (dt * y[k] + restitution * u_[k]);
      sum += term;
      size += magnitude(term);
    }
    problem_.c[row] = sum;
    problem_.c_magnitude[row] = size;
  }

  void fill_G(const LaneContact<Real>& i, const LaneContact<Real>& j) {
    const Contact& contact = contacts_[i.contact];
    const Real* W = contact.directions + contact.layout.W[0];
    for (std::uint32_t h = 0; h < i.n_rows; ++h) {
      const Real* w = W + h * N;
      Real* g = problem_.G + std::size_t{i.first_row + h} * problem_.stride + j.first_row;
      for (std::uint32_t k = 0; k < j.n_rows; ++k) {
        const Real* x = contacts_[j.contact].X + k * N;
        Real sum = 0;
        for (int n = 0; n < N; ++n) sum += w[n] * x[n];
        g[k] = sum;
      }
    }
  }

  // u += M^-1 W Lambda
  void push(const LaneContact<Real>& closed, Real* u) const {
    for (std::uint32_t h = 0; h < closed.n_rows; ++h) {
      const Real Lambda = problem_.Lambda[closed.first_row + h];
      const Real* x = contacts_[closed.contact].X + h * N;
      for (int k = 0; k < N; ++k) u[k] = select(closed.closed, u[k] + x[k] * Lambda, u[k]);
    }
  }

  // keep_percussions of evaluation.cpp, where the slack of gaps is explained. How many contacts are closed.
  Real keep_percussions(Mask good, const Real& residual) {
    Real n_closed = 0, velocity_scale = 0;
    if (any(good & (residual > Real(0))))
      velocity_scale = select(residual == Real(0), Real(0), residual * root(Lambda_scale()));
    std::uint32_t next = 0;  // of the closed ones, which are ascending
    for (std::uint32_t i = 0; i < n_contacts_; ++i) {
      Contact& contact = contacts_[i];
      Mask closed = Mask::of(0);
      Real slack = 0;
      const LaneContact<Real>* now = nullptr;
      if (next < problem_.n_contacts && problem_.contacts[next].contact == i) {
        now = &problem_.contacts[next++];
        closed = now->closed;
        slack = select(closed, slack_of_gap(*now, velocity_scale, contact.slack), Real(0));
      }
      contact.slack = select(good, slack, contact.slack);
      contact.closed = (contact.closed & !good) | (closed & good);
      for (std::uint32_t h = 0; h < contact.n_rows; ++h) {
        const Real Lambda = now == nullptr ? Real(0) : select(closed, problem_.Lambda[now->first_row + h], Real(0));
        Lambda_[contact.first_row + h] = select(good, Lambda, Lambda_[contact.first_row + h]);
      }
      n_closed = select(closed, n_closed + Real(1), n_closed);
    }
    return n_closed;
  }

  Real Lambda_scale() const {
    Real scale = 0;
    for (std::uint32_t n = 0; n < problem_.n_sets; ++n) {
      const LaneSet<Real>& s = problem_.sets[n];
      Real square = 0;
      for (std::uint32_t h = s.first_row; h < s.first_row + s.dim; ++h)
        square += problem_.Lambda[h] * problem_.Lambda[h];
      scale = select(problem_.contacts[s.position].closed, larger(scale, s.D * square), scale);
    }
    return scale;
  }

  Real slack_of_gap(const LaneContact<Real>& closed, const Real& velocity_scale, const Real& before) const {
    const Real velocity_error = 1e-12, coordinate_error = 8 * std::numeric_limits<double>::epsilon();
    Real D = 0, velocity = 0, coordinate = 0;
    for (std::uint32_t n = closed.first_set; n < closed.end_set; ++n) D = larger(D, problem_.sets[n].D);
    for (std::uint32_t h = 0; h < closed.n_rows; ++h)
      velocity = larger(velocity, problem_.c_magnitude[closed.first_row + h]);
    for (std::uint32_t k = 0; k < n_q_; ++k) coordinate = larger(coordinate, magnitude(q_[k]));
    const Real& dt = problem_.dt;
    const Real rounding = velocity_error * dt * velocity + coordinate_error * coordinate;
    const Real lifted = select(velocity_scale == Real(0), Real(0), dt * velocity_scale * root(D));
    return smaller(larger(before, rounding) + lifted, larger(rounding, Real(1e-4) * dt * velocity));
  }

  std::uint32_t report(std::uint32_t good, const Real& n_closed, const LaneSolution<Real>& solution,
                       StepReport* reports) const {
    for (unsigned l = 0; l < Real::lanes; ++l) {
      if ((good >> l & 1) == 0) continue;
      StepReport& report = reports[l];
      report.status = StepStatus::ok;
      report.converged = true;
      report.n_closed = static_cast<std::uint32_t>(n_closed[l]);
      report.iterations = report.n_closed > 0 ? static_cast<int>(solution.iterations[l]) : 0;
      report.residual = report.n_closed > 0 ? solution.residual[l] : 0;
      report.contact = report.n_closed > 0 ? static_cast<std::uint32_t>(solution.worst_contact[l]) : NSM_NONE;
    }
    return good;
  }

  std::uint32_t n_q_, n_p_, n_shared_, n_contacts_;
  const nsm_block_class* type_ = nullptr;
  const double* self_ = nullptr;
  nsm_lane_block_class block_kernels_{};
  bool diagonal_ = false;
  LaneMemory p_, shared_, directions_;
  Mask mass_is_known_;
  LaneOptions<Real> options_;
  Real q_[max_lane_q], u_[N], Lambda_[max_lane_rows], factor_[N * N];
  Contact contacts_[max_lane_contacts];
  LaneContacts<Real> problem_;
};

// The step for the number of velocities of a model that fits.
template <class Real>
std::unique_ptr<LaneStep> make_lane_step_of(const System& system, const nsm_lane_model& kernels) {
  switch (system.blocks()[0].n_u) {
    case 1: return std::make_unique<LaneStepOf<Real, 1>>(system, kernels);
    case 2: return std::make_unique<LaneStepOf<Real, 2>>(system, kernels);
    case 3: return std::make_unique<LaneStepOf<Real, 3>>(system, kernels);
    case 4: return std::make_unique<LaneStepOf<Real, 4>>(system, kernels);
    case 5: return std::make_unique<LaneStepOf<Real, 5>>(system, kernels);
    default: return std::make_unique<LaneStepOf<Real, 6>>(system, kernels);
  }
}

}  // namespace nsmc::rt
