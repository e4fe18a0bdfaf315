// The state of event-driven integration of one run.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "runtime/methods/event/accelerations.hpp"
#include "runtime/methods/event/conditions.hpp"
#include "runtime/methods/event/contact_modes.hpp"
#include "runtime/methods/event/drift.hpp"
#include "runtime/methods/event/smooth_motion.hpp"
#include "runtime/methods/event/stiff_motion.hpp"
#include "runtime/methods/integrator.hpp"

namespace nsmc::rt::event {

class EventCore final : MotionEquation {
 public:
  EventCore(const System& system, Workspace& work, const IntegratorOptions& options);

  bool belongs_to(const System& system, const Workspace& work) const { return &system_ == &system && &work_ == &work; }
  StepReport step(State& state, double dt, const SolverOptions& solver);
  // After a step. Of the conditions, values of closed contacts are those of when they were open last.
  void remember(Memory& memory);

 private:
  // MotionEquation, y = (q, u).
  bool rate(double t, const double* y, double* y_rate) override;
  bool settle(double t, double* y) override;

  bool fail(const Trouble& trouble);
  bool fail(StepStatus status, std::uint32_t contact = NSM_NONE);
  double* q() { return y_.data(); }
  double* u() { return y_.data() + system_.n_q(); }

  // event_driven.cpp
  bool start(const State& state);
  StepReport unfinished();
  bool advance(double t_end);
  bool try_step(double t_end, double& t1);
  bool look_and_check(double t, const double* y, Conditions& conditions, const Conditions* before);
  bool check_with_rates(double t, const double* y, Conditions& conditions, const Conditions* before);
  bool grazes(double t1);
  using Values = std::vector<double> Conditions::*;
  bool grazes(double t1, Values values, Values rates, std::uint32_t index);
  bool locate(double t1);
  void accept(double t);

  // stiff_phase.cpp
  bool may_go_on_stiffly() const;
  bool advance_stiffly(double t_end);
  bool try_stiff_step(double& H, const std::vector<double>& lambda);
  bool locate_gap(double H, const std::vector<double>& lambda);
  bool end_stiff_step(double step);
  void modes_by_velocities(double step);

  // event_handling.cpp: all return false after trouble.
  bool handle_event();
  void find_touching();
  bool resolve_impacts();
  bool impact();
  void open_separating();
  bool choose_modes();
  void find_units_without_modes();
  void begin_event();
  void keep_velocities(std::vector<double>& gamma);
  void note_motion();
  void open(std::uint32_t contact);
  void log(std::uint32_t contact, EventKind kind, const std::vector<double>& before, const std::vector<double>& after);
  void log_changes(bool initial = false);
  void count(const ContactSolution& solution);

  // event_impulses.cpp: what forces and percussions add up to.
  void begin_impulses();
  void add_smooth_impulse(double duration, const std::vector<double>& first, const std::vector<double>& last);
  void add_percussions();
  void add_last_impulse(double duration);
  void to_user(const std::vector<double>& hatted, std::vector<double>& forces);

  // event_work.cpp
  void count_smooth_work(double t0, const std::vector<double>& y0, double t1, const ContactModes& modes);

  double opening_speed(const ContactRows& rows) const;

  const System& system_;
  Workspace& work_;
  IntegratorOptions options_;
  ContactModes modes_;
  Accelerations at_;
  Drift drift_;
  SmoothMotion motion_;
  StiffMotion stiff_motion_;
  SolverOptions solver_;
  double asked_tolerance_ = 0;
  StepReport report_;

  std::optional<ContactModes> first_modes_;  // at the beginning of the step, if work is counted
  bool started_ = false;
  bool has_faces_ = false;       // sets by functions in three or more dimensions
  bool has_directions_ = false;  // sets in two or more
  double t_ = 0, longest_ = 0;
  std::vector<double> y_, y_next_, y_trial_, y_rate_, y_moment_, values_;
  Conditions now_, next_, trial_;

  // State of the current event.
  std::vector<std::uint8_t> leaving_, touched_, hit_;
  std::vector<double> gamma_before_, gamma_between_, gamma_after_;  // velocities, the user's
  std::vector<double> percussion_, user_percussion_;                // hatted, and the user's
  std::vector<Unit> units_before_;
  std::vector<double> directions_before_;
  std::vector<std::uint8_t> closed_before_;

  // By unit: whether it has got going since its last slip or turn in the log.
  std::vector<std::uint8_t> moved_;
  // Over the step of the run: forces integrated, with percussions, hatted and the user's; contacts with an impact.
  std::vector<double> impulse_, user_impulse_, lambda_before_, lambda_end_;
  std::vector<std::uint8_t> struck_;

  // Accumulation: when contacts opened and closed last, and how long they were open before.
  std::vector<double> opened_at_, closed_at_, flight_;
  double last_event_ = 0;
  int events_without_progress_ = 0;

  // By unit: whether it was asked if it is without modes. If any is, the stiff motion has it all.
  std::vector<std::uint8_t> asked_;
  bool without_modes_ = false;

  // The stiff motion: for how many steps of the run it goes on, and did the last time; its step; forces at its end.
  int stiff_steps_left_ = 0, stiff_steps_ = 0;
  double stiff_step_ = 0, stiff_time_ = std::numeric_limits<double>::quiet_NaN();  // where its last step ended
  std::vector<double> lambda_next_;
};

}  // namespace nsmc::rt::event
