// From a state to the recorded row of kernel_abi.hpp: q, u, geometry and the user's forces of every contact of the
// table, energy, observed values, outputs.
//
// Parts that are not asked for are not evaluated, and stand as NaN in the row. The energy is always there.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "runtime/evaluation/workspace.hpp"
#include "runtime/state.hpp"
#include "runtime/system.hpp"

namespace nsmc::rt {

struct RowParts {
  bool state = true;  // q and u
  bool contacts = true;
  bool observed = true;
  bool outputs = true;
  bool work = false;  // counted by Workspace::account, if there is one

  static RowParts none() { return {false, false, false, false}; }
};

// The parts that these columns lie in.
RowParts parts_of(const System& system, std::span<const std::size_t> columns);

class Observation {
 public:
  explicit Observation(const System& system, const RowParts& parts = {});

  // The row of n_columns values at a state that a step has just reached. Valid until the next call. Writes over the
  // evaluation in `work`.
  std::span<const double> row(const State& state, Workspace& work);

  // Kinetic and potential energy of all blocks and elements; what has no kernel for it has none.
  double energy(const State& state, Workspace& work) const;

 private:
  void find_forces(const State& state, Workspace& work);
  void write_contacts(const State& state, Workspace& work);
  void write_outputs(const State& state, Workspace& work);

  const System* system_;
  RowParts parts_;
  bool needs_forces_ = false;    // some part does
  bool needs_dynamics_ = false;  // kernels that read what `dynamics` leaves in `shared`
  std::vector<double> row_;
  std::vector<double> forces_;  // the user's, of all contacts, then the energy
};

}  // namespace nsmc::rt
