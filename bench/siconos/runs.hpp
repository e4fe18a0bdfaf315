// Whole runs by Siconos, set up as its own examples do: Moreau-Jean's scheme with theta = 1/2. Each does `steps` steps
// of length dt, writes q and u in the order of the model and gives the time of the steps alone, without the setting up.
#pragma once

#include <cstdint>

namespace nsmc::bench {

using SiconosRun = double (*)(double dt, std::uint64_t steps, double* q, double* u);  // nanoseconds of one step

double siconos_bouncing_ball(double dt, std::uint64_t steps, double* q, double* u);

}  // namespace nsmc::bench
