// The equations are those of moreau.cpp, in the same order of operations: results agree bit by bit.
#include "runtime/small/small_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/linear/cholesky.hpp"
#include "runtime/methods/moreau.hpp"
#include "runtime/small/small_contacts.hpp"
#include "runtime/view.hpp"

namespace nsmc::rt {

namespace {

constexpr std::uint32_t max_small_q = 8;

bool is_small(const nsm_set& set) {
  const bool row = set.dim == 1 && (set.kind == NSM_SET_INTERVAL || set.kind == NSM_SET_BALL);
  const bool ball = set.kind == NSM_SET_BALL && set.dim >= 2 && set.dim <= max_ball_block;
  return (row || ball) && set.shifted == 0 && set.scaled == 0 && set.n_lengths == set.n_arguments;
}

bool is_small(const System& system) {
  if (system.blocks().size() != 1 || !system.elements().empty() || system.n_positions() > 0) return false;
  const BlockInfo& block = system.blocks()[0];
  if (block.n_u < 1 || block.n_u > 6 || block.n_q > max_small_q) return false;
  if (system.contacts().size() > max_small_contacts || system.n_rows() > max_small_rows) return false;
  for (const ContactInfo& contact : system.contacts()) {
    const nsm_contact_class& type = *contact.type;
    if (contact.n_blocks != 1 || type.mapped != 0 || type.compliant != 0 || type.affine == 0) return false;
    if (!std::all_of(type.sets, type.sets + type.n_sets, [](const nsm_set& set) { return is_small(set); }))
      return false;
  }
  return true;
}

template <int N>
class SmallStep final : public Integrator {
 public:
  explicit SmallStep(const System& system) : block_(system.blocks()[0]), n_q_(block_.n_q) {
    diagonal_ = block_.type->mass_structure == NSM_MASS_DIAGONAL;
    n_M_ = diagonal_ ? N : N * N;
    for (const ContactInfo& contact : system.contacts()) {
      Contact& made = contacts_[n_contacts_++];
      made.gap = contact.type->gap;
      made.directions = contact.type->directions;
      made.info = &contact;
      made.layout = system.layout(contact);
      made.n_rows = contact.type->n_rows;
    }
  }

  StepReport step(const System& system, State& state, Workspace& work, double dt,
                  const SolverOptions& options) override {
    StepReport report;
    const bool sweeps = options.kind == SolverKind::sor || options.kind == SolverKind::automatic;
    if (sweeps && options.omega == 1 && !options.scaled && options.observer == nullptr &&
        common_step(system, state, work, dt, options, report))
      return report;
    return moreau::step(system, state, work, dt, options);
  }

 private:
  struct Contact {
    nsm_kernel gap = nullptr, directions = nullptr;
    const ContactInfo* info = nullptr;
    DirectionLayout layout{};
    std::uint32_t n_rows = 0;
  };

  // One of the closed contacts.
  struct Closed {
    std::uint32_t contact;
    std::uint32_t first_row, n_rows;
    std::uint32_t first_set, end_set;
    const double* W;
    double* X;  // M^-1 W
  };

  bool common_step(const System& system, State& state, Workspace& work, double dt, const SolverOptions& options,
                   StepReport& report) {
    const double half = dt / 2, t_mid = state.t + half;
    const double *q = state.q.data(), *u = state.u.data();
    double q_mid[max_small_q], q_end[max_small_q], u_end[N], y[N];
    nsm_view view = view_at(system, work.shared.data(), state.t);
    view.self = block_.self;
    move(view, q, u, half, q_mid);

    view.t = t_mid;
    view.q[0] = q_mid;
    view.u[0] = u;
    if (!accelerate(view, work, y)) return false;
    if (!find_closed(view, work)) return false;
    report.n_closed = n_closed_;
    for (int k = 0; k < N; ++k) u_end[k] = u[k] + dt * y[k];
    if (n_closed_ > 0) {
      set_up(view, state, work, dt, y, u);
      ContactSolution solution;
      if (!problem_.solve(options, solution)) return false;
      report.add(solution);
      for (std::uint32_t i = 0; i < n_closed_; ++i) push(closed_[i], u_end);
    }

    view.self = block_.self;
    move(view, q_mid, u_end, half, q_end);
    double sum = 0;  // 0 * x is 0 for finite x and NaN otherwise
    for (int k = 0; k < N; ++k) sum += 0 * u_end[k];
    for (std::uint32_t k = 0; k < n_q_; ++k) sum += 0 * q_end[k];
    if (!(sum == 0)) return false;

    for (std::uint32_t k = 0; k < n_q_; ++k) state.q[k] = q_end[k];
    for (int k = 0; k < N; ++k) state.u[k] = u_end[k];
    keep_percussions(work, report.residual, state);
    state.t += dt;
    state.dt = dt;
    return true;
  }

  // out = q + s q', normalised.
  void move(nsm_view& view, const double* q, const double* u, double s, double* out) const {
    double rate[max_small_q];
    const double* q_rate = u;
    if (block_.type->identity_kinematics == 0) {
      view.q[0] = q;
      view.u[0] = u;
      block_.type->kinematics(&view, rate);
      q_rate = rate;
    }
    for (std::uint32_t k = 0; k < n_q_; ++k) out[k] = q[k] + s * q_rate[k];
    if (block_.type->quaternion == NSM_NONE) return;
    double* e = out + block_.type->quaternion;
    const double length = std::sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
    if (!(length > 0)) return;
    for (int k = 0; k < 4; ++k) e[k] /= length;
  }

  // y = M^-1 h
  bool accelerate(nsm_view& view, Workspace& work, double* y) const {
    double* M = work.dynamics.data() + block_.first_dynamics;
    block_.type->dynamics(&view, M);
    if (work.mass_is_known[0] == 0) {
      double* factor = work.factor.data() + block_.first_factor;
      std::copy_n(M, n_M_, factor);
      const FactorStatus status = diagonal_ ? factor_diagonal(factor, N) : detail::factor<N>(factor, N);
      if (status != FactorStatus::ok) return false;
      work.mass_is_known[0] = block_.type->constant_mass != 0 ? 1 : 0;
    }
    for (int k = 0; k < N; ++k) y[k] = M[n_M_ + k];
    solve_mass(work, y);
    double sum = 0;
    for (int k = 0; k < N; ++k) sum += 0 * y[k];
    return sum == 0;
  }

  void solve_mass(const Workspace& work, double* x) const {
    const double* factor = work.factor.data() + block_.first_factor;
    if (diagonal_) {
      for (int k = 0; k < N; ++k) x[k] *= factor[k];
    } else {
      detail::solve<N>(factor, N, x);
    }
  }

  bool find_closed(nsm_view& view, const Workspace& work) {
    n_closed_ = 0;
    closed_mask_ = 0;
    for (std::uint32_t i = 0; i < n_contacts_; ++i) {
      const Contact& contact = contacts_[i];
      if (contact.gap != nullptr) {
        double g = 0;
        view.self = contact.info->self;
        contact.gap(&view, &g);
        if (std::isnan(g)) return false;
        if (g > work.gap_slack[i]) continue;
      }
      closed_[n_closed_++].contact = i;
      closed_mask_ |= 1u << i;
    }
    return true;
  }

  // Directions, X, G, c and the sets of the closed contacts.
  void set_up(nsm_view& view, const State& state, Workspace& work, double dt, const double* y, const double* u) {
    problem_.dt = dt;
    std::uint32_t row = 0;
    for (std::uint32_t i = 0; i < n_closed_; ++i) {
      Closed& closed = closed_[i];
      const Contact& contact = contacts_[closed.contact];
      double* directions = work.directions.data() + contact.info->first_direction;
      view.self = contact.info->self;
      contact.directions(&view, directions);
      closed.first_row = row;
      closed.n_rows = contact.n_rows;
      closed.W = directions + contact.layout.W[0];
      closed.X = work.X.data() + contact.info->first_X;
      for (std::uint32_t h = 0; h < contact.n_rows; ++h) {
        double* x = closed.X + h * N;
        for (int k = 0; k < N; ++k) x[k] = closed.W[h * N + k];
        solve_mass(work, x);
        fill_c(contact, directions, closed.W + h * N, h, row + h, dt, y, u);
        problem_.Lambda[row + h] = state.Lambda[contact.info->first_row + h];
      }
      row += contact.n_rows;
    }
    if (closed_mask_ != built_for_) build_sets(work);
    for (std::uint32_t i = 0; i < n_closed_; ++i) {
      for (std::uint32_t j = 0; j < n_closed_; ++j) fill_G(closed_[i], closed_[j]);
    }
  }

  // What follows from which contacts are closed; mostly the same as in the step before.
  void build_sets(const Workspace& work) {
    std::uint32_t set = 0;
    for (std::uint32_t i = 0; i < n_closed_; ++i) {
      Closed& closed = closed_[i];
      const Contact& contact = contacts_[closed.contact];
      const double* directions = work.directions.data() + contact.info->first_direction;
      const nsm_contact_class& type = *contact.info->type;
      closed.first_set = set;
      for (std::uint32_t j = 0; j < type.n_sets; ++j) {
        const nsm_set& from = type.sets[j];
        SmallSet& s = problem_.sets[set++];
        s.kind = from.kind;
        s.dim = from.dim;
        s.first_row = closed.first_row + from.first_row;
        s.n_arguments = from.n_arguments;
        s.contact_row = closed.first_row;
        s.n_contact_rows = contact.n_rows;
        s.contact = closed.contact;
        s.a = directions + contact.layout.a + from.first_argument;
        s.K = directions + contact.layout.K + std::size_t{from.first_argument} * contact.n_rows;
      }
      closed.end_set = set;
      problem_.n_rows = closed.first_row + closed.n_rows;
    }
    problem_.n_sets = set;
    built_for_ = closed_mask_;
  }

  void fill_c(const Contact& contact, const double* directions, const double* w, std::uint32_t h, std::uint32_t row,
              double dt, const double* y, const double* u) {
    const double restitution = 1 + directions[contact.layout.restitution + h];
    double sum = restitution * directions[contact.layout.chi + h];
    double magnitude = std::abs(sum);
    for (int k = 0; k < N; ++k) {
      const double term = w[k] * (dt * y[k] + restitution * u[k]);
      sum += term;
      magnitude += std::abs(term);
    }
    problem_.c[row] = sum;
    problem_.c_magnitude[row] = magnitude;
  }

  void fill_G(const Closed& i, const Closed& j) {
    for (std::uint32_t h = 0; h < i.n_rows; ++h) {
      const double* w = i.W + h * N;
      double* g = problem_.G + std::size_t{i.first_row + h} * SmallContacts::stride + j.first_row;
      for (std::uint32_t k = 0; k < j.n_rows; ++k) {
        const double* x = j.X + k * N;
        double sum = 0;
        for (int n = 0; n < N; ++n) sum += w[n] * x[n];
        g[k] = sum;
      }
    }
  }

  // u += M^-1 W Lambda
  void push(const Closed& closed, double* u) const {
    for (std::uint32_t h = 0; h < closed.n_rows; ++h) {
      const double Lambda = problem_.Lambda[closed.first_row + h];
      const double* x = closed.X + h * N;
      for (int k = 0; k < N; ++k) u[k] += x[k] * Lambda;
    }
  }

  // keep_percussions of evaluation.cpp, where the slack of gaps is explained.
  void keep_percussions(Workspace& work, double residual, State& state) const {
    std::uint32_t next = 0;  // of the closed ones, which are ascending
    double velocity_scale = -1;
    for (std::uint32_t i = 0; i < n_contacts_; ++i) {
      double* Lambda = state.Lambda.data() + contacts_[i].info->first_row;
      if (next == n_closed_ || closed_[next].contact != i) {
        state.closed[i] = 0;
        work.gap_slack[i] = 0;
        for (std::uint32_t h = 0; h < contacts_[i].n_rows; ++h) Lambda[h] = 0;
        continue;
      }
      const Closed& closed = closed_[next++];
      if (velocity_scale < 0) velocity_scale = residual == 0 ? 0 : residual * std::sqrt(Lambda_scale());
      state.closed[i] = 1;
      for (std::uint32_t h = 0; h < closed.n_rows; ++h) Lambda[h] = problem_.Lambda[closed.first_row + h];
      work.gap_slack[i] = slack_of_gap(closed, state, velocity_scale, work.gap_slack[i]);
    }
  }

  double Lambda_scale() const {
    double scale = 0;
    for (std::uint32_t n = 0; n < problem_.n_sets; ++n) {
      const SmallSet& s = problem_.sets[n];
      double square = 0;
      for (std::uint32_t h = s.first_row; h < s.first_row + s.dim; ++h)
        square += problem_.Lambda[h] * problem_.Lambda[h];
      scale = std::max(scale, s.D * square);
    }
    return scale;
  }

  double slack_of_gap(const Closed& closed, const State& state, double velocity_scale, double before) const {
    constexpr double velocity_error = 1e-12, coordinate_error = 8 * std::numeric_limits<double>::epsilon();
    double D = 0, velocity = 0, coordinate = 0;
    for (std::uint32_t n = closed.first_set; n < closed.end_set; ++n) D = std::max(D, problem_.sets[n].D);
    for (std::uint32_t h = 0; h < closed.n_rows; ++h)
      velocity = std::max(velocity, problem_.c_magnitude[closed.first_row + h]);
    for (std::uint32_t k = 0; k < n_q_; ++k) coordinate = std::max(coordinate, std::abs(state.q[k]));
    const double dt = problem_.dt;
    const double rounding = velocity_error * dt * velocity + coordinate_error * coordinate;
    const double lifted = velocity_scale == 0 ? 0 : dt * velocity_scale * std::sqrt(D);
    return std::min(std::max(before, rounding) + lifted, std::max(rounding, 1e-4 * dt * velocity));
  }

  const BlockInfo& block_;
  std::uint32_t n_q_;
  bool diagonal_ = false;
  int n_M_ = 0;
  std::uint32_t n_contacts_ = 0, n_closed_ = 0;
  std::uint32_t closed_mask_ = 0, built_for_ = 0;  // closed contacts as bits: now, and those the sets were built for
  Contact contacts_[max_small_contacts];
  Closed closed_[max_small_contacts];
  SmallContacts problem_;
};

}  // namespace

std::unique_ptr<Integrator> make_small_step(const System& system) {
  if (!is_small(system)) return nullptr;
  switch (system.blocks()[0].n_u) {
    case 1: return std::make_unique<SmallStep<1>>(system);
    case 2: return std::make_unique<SmallStep<2>>(system);
    case 3: return std::make_unique<SmallStep<3>>(system);
    case 4: return std::make_unique<SmallStep<4>>(system);
    case 5: return std::make_unique<SmallStep<5>>(system);
    default: return std::make_unique<SmallStep<6>>(system);
  }
}

}  // namespace nsmc::rt
