// Everything a step needs besides the state, allocated beforehand: no step allocates memory. (Two exceptions: where all
// contacts closed at once would ask for more than 32 MB of G, G starts at that size and grows when a step needs more
// than any step before; so does what belongs to closed contacts of families.)
//
// A Workspace belongs to one System and one thread. Its construction runs the model's `prepare`.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/evaluation/projection_workspace.hpp"
#include "runtime/saved_run.hpp"
#include "runtime/solvers/contact_problem.hpp"
#include "runtime/system.hpp"

namespace nsmc::rt {

class WorkAccount;
class ContactSearch;

struct Workspace {
  explicit Workspace(const System& system);
  Workspace(const Workspace&) = delete;  // `problem` points into `directions`
  Workspace& operator=(const Workspace&) = delete;

  // Candidates have come and gone.
  void renumber(const System& system, const Renumbering& contacts);

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
  std::vector<double> directions;           // see directions_of
  std::vector<double> X;                    // M^-1 W
  std::vector<std::uint32_t> closed;        // indices of the closed contacts, ascending
  std::vector<double> gap;                  // by contact, when the closed ones were last found
  std::vector<double> zeta;                 // by row of a contact, like State::Lambda; valid for the closed ones
  std::vector<double> gap_slack;  // by contact: how large the gap of a closed one may be by errors; 0 where open

  // Directions of a contact and M^-1 W, valid for the closed ones. Contacts of the table have their place for good;
  // candidates have one only once they are asked for, until it is found anew which contacts are closed.
  double* directions_of(const ContactInfo& contact) { return directions.data() + places[contact.number].direction; }
  const double* directions_of(const ContactInfo& contact) const {
    return directions.data() + places[contact.number].direction;
  }
  double* X_of(const ContactInfo& contact) { return X.data() + places[contact.number].X; }
  const double* X_of(const ContactInfo& contact) const { return X.data() + places[contact.number].X; }
  void make_places(const System& system, std::span<const std::uint32_t> contacts);
  void forget_places();  // of candidates

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
  struct Place {
    std::size_t direction, X;
  };
  static constexpr Place nowhere{static_cast<std::size_t>(-1), static_cast<std::size_t>(-1)};
  std::vector<Place> places;  // by contact
  Place fixed_end{}, end{};   // of those of the table, and of all
  std::uint32_t n_fixed = 0;

  // Who knows whether the candidates are all that may be closed (contact_search.hpp), or null: there are no families.
  ContactSearch* search = nullptr;

  // Somebody who wants to know the work of every force (work_account.hpp), or null. Integrators tell it.
  WorkAccount* account = nullptr;

 private:
  void make_room(const System& system);
  void forget_problem();
};

}  // namespace nsmc::rt
