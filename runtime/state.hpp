// The mutable state of a run: what an integrator reads and, after a good step, replaces.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/system.hpp"

namespace nsmc::rt {

struct State {
  double t = 0;
  std::vector<double> q;
  std::vector<double> u;
  std::vector<double> Lambda;        // hatted percussions of the last step, contact after contact; 0 where open
  std::vector<std::uint8_t> closed;  // by contact, in the last step
  double dt = 0;                     // length of the last step; 0: no step yet

  State() = default;

  // At t = 0 with q = u = 0 and nothing closed; the caller writes the initial values.
  explicit State(const System& system)
      : q(system.n_q(), 0), u(system.n_u(), 0), Lambda(system.n_rows(), 0), closed(system.contacts().size(), 0) {}

  bool fits(const System& system) const {
    return q.size() == system.n_q() && u.size() == system.n_u() && Lambda.size() == system.n_rows() &&
           closed.size() == system.contacts().size();
  }
};

}  // namespace nsmc::rt
