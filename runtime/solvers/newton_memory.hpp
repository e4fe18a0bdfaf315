// What solve_newton keeps between its steps and from one time step to the next. It grows when more contacts are closed
// than ever before, and the order of elimination is worked out anew when others are closed; with the same contacts as
// in the last step nothing is allocated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/linear/block_lu.hpp"

namespace nsmc::rt {

struct NewtonMemory {
  BlockLu lu;
  std::vector<std::uint32_t> sizes;
  std::vector<BlockLu::Edge> edges;
  std::vector<std::uint32_t> edge_of;  // of bodies: two for each contact
  std::vector<double> B, Q, K;         // by contact, n_rows x n_rows; see newton_system.hpp
  std::vector<std::size_t> B_first;
  std::vector<double> P;             // by set, dim x dim: dprox/dz
  std::vector<std::size_t> P_first;  // by set
  std::vector<double> scale;         // by row: sqrt(D) of its set, 1 if D = 0
  std::vector<double> F, step, rest, Lambda, best, centre, f;
  std::vector<double> dy;  // of all bodies and the world
  // Scratch for one contact or one set.
  std::vector<double> z, x, dprox, A, predicted, small;
};

}  // namespace nsmc::rt
