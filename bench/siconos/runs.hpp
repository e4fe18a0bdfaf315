// Whole runs by Siconos 4.4, as its examples set them up (bench/siconos/setup.hpp): Moreau-Jean's scheme with
// theta = 1/2. Each does `steps` steps of length dt and writes q and u in the order of the model.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace nsmc::bench {

struct SiconosResult {
  double ns;        // of a step, without the setting up
  double sweeps;    // or iterations of the contact solver, per step; 0 for Lemke's method
  double residual;  // the largest that its solver left in a step, as it defines it (setup.hpp)
};

using SiconosRun = SiconosResult (*)(double dt, std::uint64_t steps, double* q, double* u);

struct SiconosCase {
  const char* of;    // name of the case
  const char* name;  // in what is printed: Gauss-Seidel (or Lemke) is "siconos", Newton "siconos_newton"
  SiconosRun run;
  bool newton;
  double allowed;    // difference of the final states from those of nsmc: sor, or auto for Newton
  bool first_order;  // this difference is of order dt, and must be seen to be
};

std::vector<SiconosCase> siconos_cases(std::string_view of);

SiconosResult siconos_bouncing_ball(double dt, std::uint64_t steps, double* q, double* u);
SiconosResult siconos_sphere_on_plane(double dt, std::uint64_t steps, double* q, double* u);
SiconosResult siconos_pulled_block(double dt, std::uint64_t steps, double* q, double* u);
SiconosResult siconos_rocking_corners(double dt, std::uint64_t steps, double* q, double* u);
SiconosResult siconos_tippe_top_coulomb(double dt, std::uint64_t steps, double* q, double* u);
SiconosResult siconos_column_10(double dt, std::uint64_t steps, double* q, double* u);
SiconosResult siconos_column_100(double dt, std::uint64_t steps, double* q, double* u);
SiconosResult siconos_column_1000(double dt, std::uint64_t steps, double* q, double* u);
SiconosResult siconos_column_100_newton(double dt, std::uint64_t steps, double* q, double* u);
SiconosResult siconos_column_1000_newton(double dt, std::uint64_t steps, double* q, double* u);
SiconosResult siconos_pyramid(double dt, std::uint64_t steps, double* q, double* u);

}  // namespace nsmc::bench
