// Sweeps over a pile of spheres, written by hand for nothing else: what BodySweeps of the runtime is measured against.
#pragma once

#include <cstddef>
#include <vector>

namespace nsmc::bench {

// A contact: directions of its two bodies in the metric of the masses (normal, two tangents; zeros for the world), the
// velocities it begins with, the diagonal of its own block.
struct PileContact {
  std::size_t body[2];
  double w[2][3][6];
  double c[3];
  double D_N, D_T, mu;
};

// Lambda (3 for each contact) and y (6 for each body and the world): in and out.
void sweep_pile(const std::vector<PileContact>& contacts, int sweeps, double* Lambda, double* y);

}  // namespace nsmc::bench
