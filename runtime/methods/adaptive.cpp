#include "runtime/methods/adaptive.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/evaluation/work_account.hpp"
#include "runtime/methods/moreau.hpp"

namespace nsmc::rt {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double epsilon = std::numeric_limits<double>::epsilon();

// The error of a gap, against the scale of the gap times the accuracy.
constexpr double gap_share = 0.1;
// Percussions below this part of the largest one do not tell whether a contact carries a force.
constexpr double no_percussion = 1e-9;
// The length of a step with an impact, and the shortest of all others, relative to accuracy times grid.
constexpr double impact_length = 1e-6, shortest_length = 1e-3;
// A step of the grid that takes so many attempts is followed no further, as where a light body rattles between heavy
// ones: what is left of it is done by steps of a hundredth of it, and so is the next one after a few attempts more.
constexpr int most_attempts = 1000, most_attempts_after = 50;
constexpr double coarse_length = 0.01;
constexpr double safety = 0.9, least_factor = 0.1, most_factor = 4;
// A velocity of projection that does not go on from a step before (moreau.cpp): a step is a function of its beginning.
constexpr double never = -1e300;

int levels_of(int order) { return order > 1 ? 3 : 6; }

}  // namespace

Adaptive::Adaptive(const System& system, std::unique_ptr<Integrator> scheme, int order, double accuracy,
                   const std::atomic<bool>* stop)
    : scheme_(std::move(scheme)),
      impacts_(moreau::make_integrator(system)),
      order_(order),
      most_levels_(levels_of(order)),
      accuracy_(accuracy),
      stop_(stop),
      weights_(order),
      even_weights_(2, 2),
      scales_(system, accuracy),
      jumps_(system.n_u()),
      turns_(system, accuracy),
      take_offs_(system.contacts().size()),
      gaps_(system),
      levels_(order > 1 ? 2 : 3) {
  const std::size_t n_x = std::size_t{system.n_q()} + system.n_u(), n_contacts = system.contacts().size();
  for (std::vector<double>* by_contact : {&gap_scale_, &rate_scale_, &gap_allowed_, &slow_, &gap_, &rate_, &slack_,
                                          &start_slack_, &gap_level_, &mobility_})
    by_contact->assign(n_contacts, 0);
  for (std::vector<std::uint8_t>* by_contact : {&pressed_, &held_, &presses_, &presses_first_})
    by_contact->assign(n_contacts, 0);
  for (std::vector<double>* rows : {&Lambda_, &sum_, &total_}) rows->assign(system.n_rows(), 0);
  start_work_.dissipated.assign(system.n_rows(), 0);
  for (std::vector<double>& x : level_) x.assign(n_x + 2 * std::size_t{system.n_rows()} + 2, 0);
  x_ = x_before_ = level_[0];
  settled_.assign(system.n_q(), 0);
  u_before_.assign(system.n_u(), 0);
  lasting_.reserve(n_contacts);
  let_go_.reserve(n_contacts);
}

void Adaptive::remember(const System& system, Workspace& work, Memory& memory) {
  memory(started_, H_, levels_, even_, gap_scale_, rate_scale_, pressed_, Lambda_, dt_, gap_level_, gave_up_);
  scales_.remember(memory);
  jumps_.remember(memory);
  turns_.remember(memory);
  take_offs_.remember(memory);
  scheme_->remember(system, work, memory);
}

void Adaptive::begin(const State& state, double grid) {
  started_ = true;
  H_ = grid / 4;
  for (const std::uint32_t i : gaps_.contacts()) pressed_[i] = state.dt > 0 && state.closed[i] != 0 ? 1 : 0;
  std::copy(state.Lambda.begin(), state.Lambda.end(), Lambda_.begin());
  dt_ = state.dt;
}

Trouble Adaptive::look(const System& system, Workspace& work, const State& state, double grid) {
  const double* q = state.q.data();
  if (const Trouble trouble = gaps_.evaluate(system, work, state.t, q, state.u.data(), gaps_.contacts(), true))
    return trouble;
  const bool first = scales_.kinetic() == 0;
  scales_.follow(system, work, state, grid);
  for (const std::uint32_t i : gaps_.contacts()) {
    const ContactInfo& contact = system.contacts()[i];
    gap_[i] = gaps_.gap()[i];
    rate_[i] = gaps_.rate()[i];
    rate_scale_[i] = std::max(rate_scale_[i], std::abs(rate_[i]));
    gap_scale_[i] = std::max({gap_scale_[i], std::abs(gap_[i]), grid * std::abs(rate_[i])});
    double coordinate = 0;
    for (std::uint32_t b = 0; b < contact.n_blocks; ++b) {
      const BlockInfo& block = system.blocks()[contact.blocks[b]];
      for (std::uint32_t k = 0; k < block.n_q; ++k) coordinate = std::max(coordinate, std::abs(q[block.first_q + k]));
    }
    gap_allowed_[i] = gap_share * accuracy_ * gap_scale_[i] + 32 * epsilon * coordinate;
    mobility_[i] = gaps_.mobility(system, work, i);
    const double by_energy = std::sqrt(2 * scales_.kinetic() * mobility_[i]);
    slow_[i] = accuracy_ * std::max(rate_scale_[i], 0.01 * by_energy);
    if (rate_[i] > 10 * slow_[i]) pressed_[i] = 0;
    const bool touches = gap_[i] <= gap_allowed_[i] && std::abs(rate_[i]) <= slow_[i];
    if (first) {
      gap_level_[i] = std::min(gap_[i], 0.0);
    } else if (gap_[i] > 0) {
      gap_level_[i] = 0;
    }
    held_[i] = pressed_[i] != 0 || touches ? 1 : 0;
    slack_[i] = held_[i] != 0 ? infinity : -infinity;
  }
  turns_.look(system, work, gaps_, state, scales_.kinetic());
  return {};
}

// Whether a contact that was open is about to be hit.
bool Adaptive::strikes() const {
  return std::any_of(gaps_.contacts().begin(), gaps_.contacts().end(), [&](std::uint32_t i) {
    return held_[i] == 0 && gap_[i] <= gap_allowed_[i] && rate_[i] < -slow_[i];
  });
}

// The first open contact to close at the present rates.
double Adaptive::time_to_touch() const {
  double first = infinity;
  for (const std::uint32_t i : gaps_.contacts()) {
    if (held_[i] == 0 && rate_[i] < 0) first = std::min(first, (gap_[i] + gap_allowed_[i] / 2) / -rate_[i]);
  }
  return first;
}

StepReport Adaptive::substep(Integrator& scheme, const System& system, State& state, Workspace& work, double dt,
                             const SolverOptions& options) {
  for (const std::uint32_t i : gaps_.contacts()) work.gap_slack[i] = slack_[i];
  work.projection.rate_time = never;
  StepReport report = scheme.step(system, state, work, dt, options);
  if (report.status != StepStatus::ok) return report;
  double largest = 0;
  take_offs_.next();
  for (const std::uint32_t i : gaps_.contacts()) {
    take_offs_.percussion(i) = gaps_.pressure(system, state.Lambda, i);
    largest = std::max(largest, std::abs(take_offs_.percussion(i)));
  }
  for (const std::uint32_t i : gaps_.contacts())
    presses_[i] = take_offs_.percussion(i) > no_percussion * largest ? 1 : 0;
  for (std::size_t k = 0; k < sum_.size(); ++k) sum_[k] += state.Lambda[k];
  return report;
}

// From the start of the step by `level` + 1 substeps; false after trouble.
bool Adaptive::run_level(Integrator& scheme, const System& system, State& state, Workspace& work, double H, int level,
                         const SolverOptions& options, StepReport& report) {
  const int n = level + 1;
  const double dt = H / n;
  state = start_;
  if (work.account != nullptr) work.account->set_pending(start_work_);
  for (std::size_t k = 0; k < Lambda_.size(); ++k) state.Lambda[k] = dt_ > 0 ? Lambda_[k] * (dt / dt_) : 0;
  std::fill(sum_.begin(), sum_.end(), 0.0);
  for (int s = 0; s < n; ++s) {
    state.t = start_.t + s * dt;
    std::copy(state.u.begin(), state.u.end(), u_before_.begin());
    const StepReport own = substep(scheme, system, state, work, dt, options);
    if (own.status != StepStatus::ok) {
      report = own;
      return false;
    }
    report.n_closed = std::max(report.n_closed, own.n_closed);
    report.iterations += own.iterations;
    report.newton_steps += own.newton_steps;
    report.converged = report.converged && own.converged;
    if (report.contact == NSM_NONE || own.residual > report.residual) report.contact = own.contact;
    report.residual = std::max(report.residual, own.residual);
    report.position_error = own.position_error;
    report.position_contact = own.position_contact;
    report.projection_rounds += own.projection_rounds;
    ++report.evaluations;
    jumps_.follow(u_before_, state.u, scales_.of_velocities(), dt, s);
    if (level == 0 && s == 0) {
      presses_first_ = presses_;
      same_ = true;
    } else {
      same_ = same_ && presses_ == presses_first_;
    }
  }
  std::vector<double>& x = level_[static_cast<std::size_t>(level)];
  double* to = std::copy(state.q.begin(), state.q.end(), x.data());
  to = std::copy(state.u.begin(), state.u.end(), to);
  to = std::copy(sum_.begin(), sum_.end(), to);
  if (work.account != nullptr) {
    const Work& done = work.account->pending();
    to = std::copy(done.dissipated.begin(), done.dissipated.end(), to);
    to[0] = done.damped;
    to[1] = done.supplied;
  }
  return true;
}

// The part of the step H up to the first gap that closes, by the parabola through its beginning, its rate there and its
// end; 1 if none does.
double Adaptive::first_crossing(const System& system, Workspace& work, const State& state, double H) {
  if (gaps_.contacts().empty()) return 1;
  if (gaps_.evaluate(system, work, start_.t + H, state.q.data(), state.u.data(), gaps_.contacts(), false)) return 1;
  double first = 1;
  for (const std::uint32_t i : gaps_.contacts()) {
    const double after = gaps_.gap()[i], before = gap_[i];
    if (held_[i] != 0 || !(after < -gap_allowed_[i]) || !(after < before)) continue;
    const double g = before + gap_allowed_[i] / 2, slope = H * rate_[i], bend = after - before - slope;
    const double root = std::sqrt(std::max(slope * slope - 4 * bend * g, 0.0));
    const double part = slope < 0 ? 2 * g / (root - slope) : (slope + root) / (-2 * bend);
    first = std::min(first, part > 0 && part < 1 ? part : g / (before - after));
  }
  return first;
}

// Held contacts that press in the last substep; or that pressed before the step, and not in this substep.
const std::vector<std::uint32_t>& Adaptive::let_go(bool at_start) {
  let_go_.clear();
  for (const std::uint32_t i : gaps_.contacts()) {
    const bool wanted = at_start ? pressed_[i] != 0 && presses_[i] == 0 : presses_[i] != 0;
    if (held_[i] != 0 && wanted) let_go_.push_back(i);
  }
  return let_go_;
}

void Adaptive::combine(const Extrapolation& by, int levels, std::vector<double>& out) const {
  std::fill(out.begin(), out.end(), 0.0);
  for (int j = 0; j < levels; ++j) {
    const double w = by.weight(levels, j);
    const std::vector<double>& x = level_[static_cast<std::size_t>(j)];
    for (std::size_t k = 0; k < out.size(); ++k) out[k] += w * x[k];
  }
}

// Gaps of contacts that carry forces become 0. How far that moves coordinates, in units of what is allowed.
double Adaptive::settle(const System& system, State& state, Workspace& work) {
  lasting_.clear();
  for (const std::uint32_t i : gaps_.contacts()) {
    if (held_[i] != 0 && presses_[i] != 0) lasting_.push_back(i);
  }
  if (lasting_.empty()) return 0;
  std::copy(state.q.begin(), state.q.end(), settled_.begin());
  const GapProjection::Task task{lasting_, {}, gap_level_.data(), gap_allowed_.data(), true};
  if (gaps_.project(system, work, state.t, settled_.data(), state.u.data(), task)) return 1e300;
  double largest = 0;
  for (std::size_t k = 0; k < settled_.size(); ++k) {
    const double d = std::abs(settled_[k] - state.q[k]);
    if (d > 0) largest = std::max(largest, d / scales_.of(k));
  }
  std::copy(settled_.begin(), settled_.end(), state.q.begin());
  return largest;
}

// The combination of k levels, in x_, and its difference to that of k - 1. Moreau's rule is symmetric where no force
// depends on velocities; then its errors have even powers of the step only, and extrapolation by these is better. Which
// of both it is, tell three levels.
Adaptive::Estimate Adaptive::extrapolate(int k) {
  const auto by = [&](const Extrapolation& weights) {
    combine(weights, k, x_);
    combine(weights, k - 1, x_before_);
    return scales_.distance(x_, x_before_);
  };
  const Estimate plain{0, order_ + k - 1}, even{0, 2 * k - 1};
  if (order_ > 1) return {by(weights_), plain.order};
  if (k == 2) return even_ ? Estimate{by(even_weights_), even.order} : Estimate{by(weights_), plain.order};
  const double error = by(weights_);
  const double error_if_even = by(even_weights_);
  even_ = error_if_even < 0.1 * error;
  if (even_) return {error_if_even, even.order};
  return {by(weights_), plain.order};
}

// The number of levels of the least work per time for the next step, and the factor to its length. estimates: by the
// number of levels, 2 ... last.
double Adaptive::choose_levels(const Estimate* estimates, int last) {
  double best_work = infinity, best_factor = least_factor;
  for (int k = 2; k <= last; ++k) {
    const double error = std::max(estimates[k].error, 1e-12);
    const double factor =
        std::clamp(safety * std::pow(0.5 / error, 1.0 / estimates[k].order), least_factor, most_factor);
    const double cost = 0.5 * k * (k + 1) / factor;
    if (cost > best_work) continue;
    best_work = cost;
    best_factor = factor;
    levels_ = k;
  }
  if (levels_ == last && last < most_levels_) levels_ = last + 1;
  return best_factor;
}

Adaptive::Attempt Adaptive::impact(const System& system, State& state, Workspace& work, double H,
                                   const SolverOptions& options) {
  Attempt result;
  for (const std::uint32_t i : gaps_.contacts()) {
    if (held_[i] == 0 && gap_[i] <= gap_allowed_[i] && rate_[i] < 0) slack_[i] = infinity;
  }
  std::copy(work.gap_slack.begin(), work.gap_slack.end(), start_slack_.begin());
  start_ = state;
  if (work.account != nullptr) start_work_ = work.account->pending();
  const double dt_before = dt_;
  dt_ = 0;  // percussions of an impact have nothing to do with those before
  if (!run_level(*impacts_, system, state, work, H, 0, options, result.report)) {
    result.outcome = Outcome::failed;
    state = start_;
  }
  dt_ = dt_before;
  result.switched = true;
  return result;
}

Adaptive::Attempt Adaptive::attempt(const System& system, State& state, Workspace& work, double H, double shortest,
                                    const SolverOptions& options) {
  Attempt result;
  start_ = state;
  if (work.account != nullptr) start_work_ = work.account->pending();
  std::copy(work.gap_slack.begin(), work.gap_slack.end(), start_slack_.begin());
  const auto reject = [&](Outcome outcome, double factor) {
    state = start_;
    if (work.account != nullptr) work.account->set_pending(start_work_);
    std::copy(start_slack_.begin(), start_slack_.end(), work.gap_slack.begin());
    result.outcome = outcome;
    result.factor = factor;
    return result;
  };
  const bool last_resort = H <= shortest;
  const auto accept = [&](const std::vector<double>& x, double factor) {
    const double hidden = jumps_.jump(H);
    if (hidden > 1 && H > shortest) return reject(Outcome::too_inaccurate, std::clamp(0.8 / hidden, 0.1, 0.5));
    const double part = last_resort ? 1 : take_offs_.at_end(let_go(false), take_off_scales(), state.dt, H);
    if (part < 1) return reject(Outcome::crosses, part);
    const double* from = x.data();
    const auto take = [&from](std::vector<double>& to) {
      std::copy_n(from, to.size(), to.begin());
      from += to.size();
    };
    take(state.q);
    take(state.u);
    take(sum_);
    if (work.account != nullptr) {
      Work done = start_work_;
      take(done.dissipated);
      done.damped = from[0];
      done.supplied = from[1];
      work.account->set_pending(done);
    }
    normalise(system, state.q.data());
    const double crossing = first_crossing(system, work, state, H);
    if (crossing < 1 && !last_resort) return reject(Outcome::crosses, std::clamp(crossing, 0.001, 0.999));
    const SlipTurns::Last last{state.dt, u_before_.data(), jumps_.before_last().data()};
    const double turn = last_resort ? 1 : turns_.first(system, work, state, start_.t + H, held_, H, last);
    if (turn < 1) return reject(Outcome::crosses, std::clamp(turn, 0.001, 0.999));
    const double moved = settle(system, state, work);
    if (moved > 1 && H > shortest) return reject(Outcome::too_inaccurate, std::clamp(0.7 / std::sqrt(moved), 0.1, 0.5));
    result.factor = factor;
    return result;
  };
  Estimate errors[max_levels + 1];
  for (int k = 1; k <= most_levels_; ++k) {
    if (k > 1) std::copy(start_slack_.begin(), start_slack_.end(), work.gap_slack.begin());
    if (!run_level(*scheme_, system, state, work, H, k - 1, options, result.report)) {
      if (result.report.status == StepStatus::interrupted || last_resort) {
        state = start_;
        result.outcome = Outcome::failed;
        return result;
      }
      result.report = {};
      return reject(Outcome::too_inaccurate, 0.25);
    }
    if (k == 1) {
      const double crossing = first_crossing(system, work, state, H);
      if (crossing < 1 && !last_resort) return reject(Outcome::crosses, std::clamp(crossing, 0.001, 0.999));
      const double part = last_resort ? 1 : take_offs_.at_start(let_go(true), take_off_scales(), H);
      if (part < 1) return reject(Outcome::crosses, std::clamp(part, 0.001, 0.999));
      continue;
    }
    if (k == 2) {
      const double plain = scales_.distance(level_[1], level_[0]);
      if (!same_ || last_resort) {
        result.switched = true;
        result.forced = plain > 1;
        if (plain > 1 && !last_resort) return reject(Outcome::too_inaccurate, std::clamp(0.8 / plain, 0.1, 0.5));
        return accept(level_[1], std::clamp(0.8 / std::max(plain, 0.1), 1.0, 2.0));
      }
    } else if (!same_) {
      // Seen by finer substeps only: it is near an end of the step.
      result.switched = true;
      const double plain = scales_.distance(level_[1], level_[0]);
      if (plain <= 1) return accept(level_[static_cast<std::size_t>(k - 1)], 1);
      return reject(Outcome::too_inaccurate, std::clamp(0.8 / plain, 0.1, 0.5));
    }
    errors[k] = extrapolate(k);
    const double error = errors[k].error;
    // More levels than needed tell whether longer steps with more of them are less work; not where H cannot grow.
    const bool enough = k >= levels_ || H >= 0.999 * grid_ || error <= 1e-3;
    if (error <= 1 && enough) return accept(x_, choose_levels(errors, k));
    if (k > levels_) return reject(Outcome::too_inaccurate, std::min(choose_levels(errors, k), 0.7));
  }
  return reject(Outcome::too_inaccurate, std::min(choose_levels(errors, most_levels_), 0.7));
}

StepReport Adaptive::step(const System& system, State& state, Workspace& work, double dt,
                          const SolverOptions& options) {
  SolverOptions tight = options;
  tight.tolerance = std::min(options.tolerance, std::max(0.01 * accuracy_, 1e-13));
  StepReport report;
  grid_ = dt;
  whole_ = state;
  const double t_first = state.t;
  const auto fail = [&](const StepReport& own) {
    state = whole_;
    StepReport failed = own;
    failed.failure_time = t_first;
    return failed;
  };
  if (!started_) begin(state, dt);
  std::fill(total_.begin(), total_.end(), 0.0);
  const double rounding = 64 * epsilon * std::max(std::abs(t_first), dt);
  double shortest = std::max(shortest_length * accuracy_ * dt, rounding);
  int attempts_left = gave_up_ ? most_attempts_after : most_attempts;
  gave_up_ = false;
  const double instant = std::max(impact_length * accuracy_ * dt, rounding);
  double done = 0;
  double limit = infinity;  // up to where a gap closes
  report.shortest = infinity;
  if (const Trouble trouble = look(system, work, state, dt)) return fail(failure(trouble, report));
  while (done < dt) {
    if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) {
      report.status = StepStatus::interrupted;
      return fail(report);
    }
    if (attempts_left-- == 0) {
      gave_up_ = true;
      shortest = std::max(shortest, coarse_length * dt);
    }
    const double rest = dt - done;
    const bool hit = strikes();
    double H = hit ? instant : std::max(std::min({H_, limit, time_to_touch()}), shortest);
    const bool whole_length = !hit && H >= H_;
    if (H >= rest * (1 - 1e-12) || rest - H < shortest) {
      H = rest;
    } else if (!hit && H > rest / 2 && limit == infinity && whole_length) {
      H = rest / 2;
    }
    Attempt own = hit ? impact(system, state, work, H, tight) : attempt(system, state, work, H, shortest, tight);
    if (own.outcome == Outcome::failed) return fail(own.report);
    if (own.outcome != Outcome::accepted) {
      ++report.rejected;
      if (own.outcome == Outcome::crosses) {
        limit = H * own.factor;
      } else {
        H_ = H * own.factor;
      }
      continue;
    }
    // Counts of what was used; of what was tried, the substeps.
    report.n_closed = std::max(report.n_closed, own.report.n_closed);
    report.iterations += own.report.iterations;
    report.newton_steps += own.report.newton_steps;
    report.converged = report.converged && own.report.converged;
    if (report.contact == NSM_NONE || own.report.residual > report.residual) report.contact = own.report.contact;
    report.residual = std::max(report.residual, own.report.residual);
    report.position_error = own.report.position_error;
    report.position_contact = own.report.position_contact;
    report.evaluations += own.report.evaluations;
    ++report.internal_steps;
    if (own.switched) ++report.switches;
    if (own.forced) ++report.forced;
    report.shortest = std::min(report.shortest, H);
    report.longest = std::max(report.longest, H);

    done = H == rest ? dt : done + H;
    state.t = t_first + done;
    for (std::size_t k = 0; k < total_.size(); ++k) total_[k] += sum_[k];
    pressed_ = presses_;
    if (!hit) {
      std::copy(state.Lambda.begin(), state.Lambda.end(), Lambda_.begin());
      dt_ = state.dt;
      jumps_.keep(state.dt);
      take_offs_.keep(let_go(false), state.dt);
      H_ = H < H_ ? std::max(H_, H * own.factor) : H * own.factor;
      if (own.switched) H_ = H * own.factor;
    }
    if (hit) {
      jumps_.forget();
      take_offs_.forget();
    }
    H_ = std::min(H_, dt);
    limit = infinity;
    if (const Trouble trouble = look(system, work, state, dt)) return fail(failure(trouble, report));
  }
  std::copy(total_.begin(), total_.end(), state.Lambda.begin());
  state.dt = dt;
  report.gave_up = gave_up_;
  return report;
}

}  // namespace nsmc::rt
