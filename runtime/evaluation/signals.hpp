// Signals of a model that runs: states with a rate of their own, discrete variables, inputs. They stand behind the
// coordinates of all blocks in q, so that whatever carries, saves or records coordinates does the same with them.
//
// The rate z' = f(t, q, u, z, lambda) may ask for the forces of contacts. In time-stepping these are mean forces of the
// step, so that what is integrated of them are percussions: a state that gathers the normal force gathers impacts, too.
#pragma once

#include <span>

#include "runtime/evaluation/workspace.hpp"
#include "runtime/state.hpp"
#include "runtime/system.hpp"

namespace nsmc::rt {

// z' into z_rate; with the forces that were told last, by the functions below.
void evaluate_signal_rates(const System& system, Workspace& work, double t, const double* q, const double* u,
                           double* z_rate);

// Forces that rates see: those of the last step; those over a step of length dt, from hatted percussions of all
// contacts; those of the contact problem that has been solved. Nothing is done where rates do not ask for forces.
void signals_see_forces(const System& system, Workspace& work, const State& state);
void signals_see_percussions(const System& system, Workspace& work, double t, const double* q, const double* u,
                             const double* Lambda, double dt);
void signals_see_solution(const System& system, Workspace& work, double t, const double* q, const double* u, double dt);

// The midpoint rule: z^E = z^B + dt f(t^M, q^M, (u^B + u^E)/2, z^M, Lambda/dt), into q_end. z^M stands in q_mid, Lambda
// in the contact problem.
void advance_signals(const System& system, Workspace& work, const State& state, double dt, const double* q_mid,
                     const double* u_end, double* q_end);

}  // namespace nsmc::rt
