// The mutable state of a run: what an integrator reads and, after a good step, replaces.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/saved_run.hpp"
#include "runtime/system.hpp"

namespace nsmc::rt {

struct State {
  double t = 0;
  std::vector<double> q;
  std::vector<double> u;
  std::vector<double> Lambda;        // hatted percussions of the last step, contact after contact; 0 where open
  std::vector<std::uint8_t> closed;  // by contact, in the last step
  double dt = 0;                     // length of the last step; 0: no step yet
  // By event of the model: 1 if its condition held at the last look; of `every`, how many instants there were.
  std::vector<double> events;
  // For event-driven integration, where Lambda/dt are the forces at t: the user's forces over the last step,
  // integrated, with the percussions of impacts. Empty for other methods.
  std::vector<double> impulse;

  State() = default;

  // At t = 0 with q = u = 0 and nothing closed; the caller writes the initial values. See also initial_state.
  explicit State(const System& system)
      : q(system.n_q(), 0),
        u(system.n_u(), 0),
        Lambda(system.n_rows(), 0),
        closed(system.contacts().size(), 0),
        events(system.model().n_events, 0) {}

  // The next step begins from it: warm starts, the closed contacts, and, where a caller reads them, impulses.
  void remember(Memory& memory) {
    memory(t, q, u, Lambda, closed, dt, events);
    memory.sized(impulse);
  }

  void renumber(const Renumbering& contacts) {
    contacts.by_row(Lambda);
    contacts.by_contact(closed);
    if (!impulse.empty()) contacts.by_row(impulse);
  }

  bool fits(const System& system) const {
    return q.size() == system.n_q() && u.size() == system.n_u() && Lambda.size() == system.n_rows() &&
           closed.size() == system.contacts().size() && events.size() == system.model().n_events;
  }
};

// The state at t = 0 that the `initial` kernels of the blocks ask for, with unit quaternions. Nothing is checked:
// find_fault tells whether a run can start from it.
State initial_state(const System& system);

// The first thing about a state that no run can start from, by block.
struct StateFault {
  enum class Kind : std::uint8_t { none, q_not_finite, u_not_finite, quaternion_zero };
  Kind kind = Kind::none;
  std::uint32_t block = NSM_NONE;
  std::uint32_t index = 0;  // in q or u of the block

  explicit operator bool() const { return kind != Kind::none; }
};
StateFault find_fault(const System& system, const State& state);
std::string describe(const System& system, const StateFault& fault);  // "q[2] of block rod is not finite"

// Unit quaternions: a step moves them along their tangent, off the unit sphere. A zero quaternion stays as it is.
void normalise(const System& system, double* q);

}  // namespace nsmc::rt
