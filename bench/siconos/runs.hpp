// Whole runs by Siconos 4.4, as its examples set them up (bench/siconos/setup.hpp): Moreau-Jean's scheme with
// theta = 1/2. Each does `steps` steps of length dt and writes q and u in the order of the model.
#pragma once

#include <cstdint>
#include <string_view>

namespace nsmc::bench {

struct SiconosResult {
  double ns;        // of a step, without the setting up
  double sweeps;    // of the contact solver, per step; 0 if it does not sweep
  double residual;  // largest relative change of the percussions in the last sweep of a step
};

using SiconosRun = SiconosResult (*)(double dt, std::uint64_t steps, double* q, double* u);

struct SiconosCase {
  const char* name;
  SiconosRun run;
  double allowed;  // difference of the final states
};

const SiconosCase* siconos_case(std::string_view name);  // nullptr: there is none

SiconosResult siconos_bouncing_ball(double dt, std::uint64_t steps, double* q, double* u);
SiconosResult siconos_sphere_on_plane(double dt, std::uint64_t steps, double* q, double* u);
SiconosResult siconos_pulled_block(double dt, std::uint64_t steps, double* q, double* u);
SiconosResult siconos_rocking_corners(double dt, std::uint64_t steps, double* q, double* u);
SiconosResult siconos_tippe_top_coulomb(double dt, std::uint64_t steps, double* q, double* u);
SiconosResult siconos_column_10(double dt, std::uint64_t steps, double* q, double* u);
SiconosResult siconos_column_100(double dt, std::uint64_t steps, double* q, double* u);
SiconosResult siconos_column_1000(double dt, std::uint64_t steps, double* q, double* u);
SiconosResult siconos_pyramid(double dt, std::uint64_t steps, double* q, double* u);

}  // namespace nsmc::bench
