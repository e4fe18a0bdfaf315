// Where the energy goes: the work of all forces, added up step by step, by the row of every law.
//
// In: from an integrator, percussions or forces with the velocities that they do work on, while the workspace still has
// the directions that belong to them. Out: since the account was opened
//     E(t) - E(0) = supplied - damped - sum of dissipated + rest.
// A percussion Lambda does the work Lambda^T W^T u on the system, u = (u^B + u^E)/2: M (u^E - u^B) = h dt + W Lambda,
// multiplied by u^T, is the change of u^T M u/2 over a step, exactly. Of W^T u = gamma - chi the contact itself sees
// gamma: -Lambda^T gamma is dissipated by its law, and -Lambda^T chi is supplied by whoever moves the other side (a
// table that vibrates). Rows that hold positions have gamma = 0 and dissipate nothing; what a step makes of gamma there
// is an error of the method, and part of the rest. (Where a law maps velocities, gamma of its row is not gamma of its
// force: all work of such a contact is its own.)
//
// What a step has added counts once the step is good: keep_step. Nothing here changes a step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/evaluation/workspace.hpp"
#include "runtime/saved_run.hpp"
#include "runtime/state.hpp"
#include "runtime/system.hpp"

namespace nsmc::rt {

struct Work {
  std::vector<double> dissipated;  // by row, see System::work_row
  double damped = 0, supplied = 0;

  void remember(Memory& memory) { memory(dissipated, damped, supplied); }
};

class WorkAccount {
 public:
  // Opened at this state, of this energy.
  WorkAccount(const System& system, Workspace& work, const State& state, double energy);

  // Adds the work of `percussions`, one for each row of work.problem, times `part`, on the velocities u.
  void add_percussions(const System& system, Workspace& work, std::span<const double> percussions, const double* u,
                       double part = 1);
  // The same on (before + after)/2.
  void add_percussions(const System& system, Workspace& work, const double* before, const double* after);
  // Adds that of given forces, dissipation functions and time, which have this power for so long.
  void add_smooth(const System& system, Workspace& work, double t, const double* q, const double* u, double duration);
  // Both, over a step that has the same percussions all the time, at its midpoint.
  void add_midpoint(const System& system, Workspace& work, double dt, double t, const double* q, const double* before,
                    const double* after);

  // What was added since the last step that was kept, for methods that try several ways to take a step.
  const Work& pending() const { return step_; }
  void set_pending(const Work& work) { step_ = work; }

  // What was added since the last step that was kept is forgotten, or kept: the step has led to `state`.
  void begin_step();
  void keep_step(const System& system, Workspace& work, const State& state);

  // Parameters have changed, and the energy with them: somebody has supplied the difference.
  void go_on_with(const System& system, Workspace& work, const State& state, double energy_before, double energy_now);

  // A contact that had sunk was lifted, which took this energy: its normal force had taken it while the contact sank.
  void give_back(const System& system, const ContactInfo& contact, double energy);

  const Work& work() const { return total_; }
  double dissipated() const;                                                         // by all contacts
  double rest(double energy) const;                                                  // of a state with this energy
  void write(const System& system, double energy, std::span<double> columns) const;  // of ColumnLayout::work

  void remember(Memory& memory) { memory(total_, energy_first_, moved_); }

 private:
  double* write(const nsm_contact_class& type, std::uint32_t first_row, double* columns) const;
  double moved_energy(const System& system, Workspace& work, const State& state) const;

  Work total_, step_;
  double energy_first_ = 0;
  double moved_ = 0;  // the sum of T1 + 2 T0 (kernel `work`) at the last state that was kept
  std::vector<double> mean_;
};

}  // namespace nsmc::rt
