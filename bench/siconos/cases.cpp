// The cases of bench/step that Siconos can run. It has no friction with drilling (E_F): tippe_top_ellipsoid is missing.
#include "bench/siconos/runs.hpp"

namespace nsmc::bench {

namespace {

const SiconosCase kCases[] = {
    {"bouncing_ball", siconos_bouncing_ball, 1e-9},
    {"sphere_on_plane", siconos_sphere_on_plane, 1},
    {"pulled_block", siconos_pulled_block, 1},
    {"rocking_corners", siconos_rocking_corners, 1},
    {"tippe_top_coulomb", siconos_tippe_top_coulomb, 1},
    {"column_10", siconos_column_10, 1},
    {"column_100", siconos_column_100, 1},
    {"column_1000", siconos_column_1000, 1},
    {"pyramid", siconos_pyramid, 1},
};

}  // namespace

const SiconosCase* siconos_case(std::string_view name) {
  for (const SiconosCase& c : kCases) {
    if (name == c.name) return &c;
  }
  return nullptr;
}

}  // namespace nsmc::bench
