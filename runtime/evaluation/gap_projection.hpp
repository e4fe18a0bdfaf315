// Gaps of contacts at a state, their rates, and positions put back onto the gaps of contacts that last.
//
// Time-stepping works on velocity level: a contact that stays closed keeps the depth at which it closed, and errors of
// the solver and of the curvature of surfaces add up to it. Positions can be put right without velocities, as for
// constraints (projection.hpp), since the law of a closed contact asks for positions by complementarity as well:
//
//     q <- q + F M^-1 W_N mu,     0 <= mu  _|_  g(q) + W_N^T M^-1 W_N mu >= 0
//
// with M, W_N at q. It is the projection onto { g >= 0 } in the metric of the kinetic energy, the position half of the
// stabilisation of Gear, Gupta and Leimkuhler for constraints. u is left alone, so that no kinetic energy comes or goes
// (for a mass matrix that does not depend on q) and no velocity of a contact changes by more than its curvature times
// the way; the weight gets back the work that it did while the contact sank. With `both_ways` mu has no sign and gaps
// become 0 from above as well: for contacts that are known to be pressed together.
//
// A contact that moves and sticks does not slip by it: of its other rows, those without velocity are held, W_T^T M^-1 W
// mu = 0. What turns about a corner would be turned back otherwise, by as much as the corner has sunk.
//
// mu is found by projected Gauss-Seidel sweeps, matrix-free, together with the rows of constraints on positions, which
// are held where they are. They need not be exact: the next correction finds what is left.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/evaluation/evaluation.hpp"
#include "runtime/evaluation/workspace.hpp"
#include "runtime/system.hpp"

namespace nsmc::rt {

// Whether one row of the contact is the rate of its gap.
inline bool has_plain_gap(const ContactInfo& contact) {
  return contact.type->gap != nullptr && contact.type->normal < contact.type->n_rows;
}

class GapProjection {
 public:
  explicit GapProjection(const System& system);

  // Candidates have come and gone.
  void renumber(const System& system, const Renumbering& contacts);

  // Contacts with a plain gap.
  std::span<const std::uint32_t> contacts() const { return plain_; }

  // g and, if wanted, dg/dt at (t, q, u) of these contacts, by contact. Overwrites masses and directions.
  Trouble evaluate(const System& system, Workspace& work, double t, const double* q, const double* u,
                   std::span<const std::uint32_t> contacts, bool rates);
  const std::vector<double>& gap() const { return gap_; }
  const std::vector<double>& rate() const { return rate_; }
  // W_N^T M^-1 W_N after `evaluate` with rates.
  double mobility(const System& system, const Workspace& work, std::uint32_t contact) const {
    return mobility(system, work, contact, system.contacts()[contact].type->normal);
  }
  double mobility(const System& system, const Workspace& work, std::uint32_t contact, std::uint32_t row) const;
  // Percussion of the normal row in the direction that opens the gap.
  double pressure(const System& system, const std::vector<double>& Lambda, std::uint32_t contact) const;

  // Moves q until the gaps are at `level` or above (both_ways: at it), to `tolerance`; levels and tolerances by
  // contact. What moves must not get below the level of the bystanders either, which are left alone otherwise.
  struct Task {
    std::span<const std::uint32_t> contacts, bystanders;
    const double *level, *tolerance;
    bool both_ways = false;
    const double* Lambda = nullptr;  // percussions of the last step, if what sticks is held
  };
  Trouble project(const System& system, Workspace& work, double t, double* q, const double* u, const Task& task);

 private:
  // What a row of a contact has on one of its blocks: V and M^-1 W, so that sweeps read nothing else.
  struct Side {
    const double *V, *X;
    std::uint32_t first_u, n_u;
  };
  struct Row {
    std::uint32_t contact, row;  // row of the contact
    double sign, error, tolerance, diagonal, mu;
    bool one_way;
    std::uint32_t n_sides = 0;
    Side sides[2] = {};
  };
  static void find_sides(const System& system, const Workspace& work, Row& row);
  double row_rate(const Row& row) const;
  void hold_sticking(const System& system, const Workspace& work, const double* u, const Task& task,
                     std::uint32_t contact);
  void push(const Row& row, double mu);
  bool find_errors(const System& system, Workspace& work, double t, const double* q, const double* u, const Task& task);
  bool sweep(const System& system, const Workspace& work);

  void make_room(const System& system);

  std::vector<std::uint32_t> plain_, touched_;
  std::vector<double> sign_;  // by contact: the normal row is this times the rate of the gap; 0: not known yet
  std::vector<double> gap_, rate_, arguments_, no_force_, positions_;
  std::vector<Row> rows_;
  std::vector<double> v_, q_rate_;
};

}  // namespace nsmc::rt
