// Everything a step needs besides the state, allocated beforehand: no step allocates memory. (One exception: where all
// contacts closed at once would ask for more than 32 MB of G, as with all pairs of many grains, G starts at that size
// and grows when a step needs more than any step before.)
//
// A Workspace belongs to one System and one thread. Its construction runs the model's `prepare`.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/evaluation/projection_workspace.hpp"
#include "runtime/saved_run.hpp"
#include "runtime/solvers/contact_problem.hpp"
#include "runtime/system.hpp"

namespace nsmc::rt {

class WorkAccount;

struct Workspace {
  explicit Workspace(const System& system);
  Workspace(const Workspace&) = delete;  // `problem` points into `directions`
  Workspace& operator=(const Workspace&) = delete;

  // Runs the model's `prepare` and forgets what was computed from parameters: shared values and constant masses.
  void prepare(const System& system);

  // What one step leaves to the next: how far gaps of closed contacts may be off 0, and the swing of velocities that
  // constraints hold. All else is computed anew, or is the same whenever it is.
  void remember(Memory& memory) { memory(gap_slack, projection.rate, projection.rate_time, projection.rate_before); }

  std::vector<double> shared;

  // The results of one evaluation at a state (evaluation.hpp).
  std::vector<double> dynamics;             // M and h of every block, as the kernels write them
  std::vector<double> factor;               // Cholesky factors
  std::vector<std::uint8_t> mass_is_known;  // by block: constant, and factored already
  std::vector<double> free_acceleration;    // M^-1 h
  std::vector<double> element_force;        // of one element
  std::vector<double> directions;           // of every contact; valid for the closed ones
  std::vector<double> X;                    // M^-1 W of every contact; valid for the closed ones
  std::vector<std::uint32_t> closed;        // indices of the closed contacts, ascending
  std::vector<double> gap;                  // by contact, when the closed ones were last found
  std::vector<double> zeta;                 // by row of a contact, like State::Lambda; valid for the closed ones
  std::vector<double> gap_slack;  // by contact: how large the gap of a closed one may be by errors; 0 where open

  ContactProblem problem;
  std::vector<std::uint32_t> built_for;  // the closed contacts that the structure of `problem` belongs to
  std::size_t n_G_values = 0;            // of G then

  // Closed contacts (their positions) by block: those of block b are block_contacts[block_first[b] ...
  // block_first[b+1]).
  std::vector<std::uint32_t> block_first, block_contacts;

  // Scratch for integrators.
  std::vector<double> q_mid, q_end, u_end;
  std::vector<double> q_rate;
  ProjectionWorkspace projection;

  // Of signals: the user's forces that their rates see, with the energy behind them; percussions and velocities that
  // these are made of.
  std::vector<double> signal_forces, signal_Lambda, signal_u;
  std::vector<double> hatted;  // forces of one contact

  // Somebody who wants to know the work of every force (work_account.hpp), or null. Integrators tell it.
  WorkAccount* account = nullptr;
};

}  // namespace nsmc::rt
