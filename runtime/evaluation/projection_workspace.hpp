// What the projection of positions needs besides the state: its constraints, which are always the same, the pattern of
// their matrix, and memory. A System without positions costs nothing here.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/linear/sparse_ldl.hpp"
#include "runtime/system.hpp"

namespace nsmc::rt {

struct ProjectionWorkspace {
  explicit ProjectionWorkspace(const System& system);

  // Two constraints with a block in common, i >= j as positions in System::position_contacts(): their part of G is
  // written row by row to the entries first_entry ... of G; of a constraint's own part (i = j), the lower triangle.
  struct Pair {
    std::uint32_t i, j;
    std::uint32_t first_entry;
  };

  std::vector<std::uint32_t> blocks;          // those that are touched, ascending
  std::vector<std::uint32_t> first_position;  // by position contact: of its rows in g
  std::vector<Pair> pairs;
  SparseLdl G;  // W^T M^-1 W over the position rows

  std::vector<double> g, g_kept, rounding, mu;
  std::vector<double> rate;         // W^T u + chi that was left at the end of the last step,
  double rate_time = -1;            // when this was,
  std::vector<double> rate_before;  // and what was left a step earlier
  std::vector<double> velocity;     // M^-1 W mu, of all blocks
  std::vector<double> q_kept, q_rate;
  std::vector<double> part;  // of one pair
};

}  // namespace nsmc::rt
