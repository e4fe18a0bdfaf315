// Whole runs of models, written by hand for exactly that model as an engineer would who needs it to be fast: fixed-size
// arrays, what is constant or zero left out, no general code around. The scheme is that of nsmc: Moreau's midpoint rule
// [Möller 2009, (13)-(18)], contacts closed where the gap at the midpoint is <= 0, percussions by SORprox from those of
// the step before, to 1e-10. So both must arrive at the same state.
//
// Each starts from the initial values of its model, does `steps` steps of length dt, writes q and u in the order of the
// model and returns the number of sweeps.
#pragma once

#include <cstdint>

namespace nsmc::bench {

using Run = std::uint64_t (*)(double dt, std::uint64_t steps, double* q, double* u);

std::uint64_t run_bouncing_ball(double dt, std::uint64_t steps, double* q, double* u);
std::uint64_t run_sphere_on_plane(double dt, std::uint64_t steps, double* q, double* u);
std::uint64_t run_pulled_block(double dt, std::uint64_t steps, double* q, double* u);
std::uint64_t run_rocking_corners(double dt, std::uint64_t steps, double* q, double* u);
std::uint64_t run_tippe_top_coulomb(double dt, std::uint64_t steps, double* q, double* u);
std::uint64_t run_tippe_top_ellipsoid(double dt, std::uint64_t steps, double* q, double* u);
std::uint64_t run_column_10(double dt, std::uint64_t steps, double* q, double* u);
std::uint64_t run_column_100(double dt, std::uint64_t steps, double* q, double* u);
std::uint64_t run_column_1000(double dt, std::uint64_t steps, double* q, double* u);
std::uint64_t run_pyramid(double dt, std::uint64_t steps, double* q, double* u);

inline constexpr double run_tolerance = 1e-10;
inline constexpr int run_most_sweeps = 10000;

}  // namespace nsmc::bench
