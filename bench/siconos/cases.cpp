// The cases of bench/step that Siconos can run. It has no friction with drilling (E_F): tippe_top_ellipsoid is missing.
#include "bench/siconos/runs.hpp"

namespace nsmc::bench {

namespace {

// Directions of contacts are taken at different places of the step (setup.hpp), and quaternions turned by the
// exponential map in place of Euler's step: where bodies turn, the difference is of order dt. It is large for the
// rocking block, which is next to a turning point at the end, where its velocity is small and says how far the phases
// are apart.
const SiconosCase kCases[] = {
    {"bouncing_ball", "siconos", siconos_bouncing_ball, false, 1e-9, false},
    {"sphere_on_plane", "siconos", siconos_sphere_on_plane, false, 0.02, true},
    {"pulled_block", "siconos", siconos_pulled_block, false, 1e-9, false},
    {"rocking_corners", "siconos", siconos_rocking_corners, false, 1, true},
    {"tippe_top_coulomb", "siconos", siconos_tippe_top_coulomb, false, 2e-3, true},
    // At rest. What is left are the velocities that the tolerance, or the end of the sweeps, leaves.
    {"column_10", "siconos", siconos_column_10, false, 1e-8, false},
    {"column_100", "siconos", siconos_column_100, false, 1e-5, false},
    {"column_100", "siconos_newton", siconos_column_100_newton, true, 1e-8, false},
    {"column_1000", "siconos", siconos_column_1000, false, 1e-5, false},
    {"column_1000", "siconos_newton", siconos_column_1000_newton, true, 2e-5, false},
    {"pyramid", "siconos", siconos_pyramid, false, 1e-8, false},
};

}  // namespace

std::vector<SiconosCase> siconos_cases(std::string_view of) {
  std::vector<SiconosCase> found;
  for (const SiconosCase& c : kCases) {
    if (of == c.of) found.push_back(c);
  }
  return found;
}

}  // namespace nsmc::bench
