// What a step over lanes does lane by lane, since it is rare: functions of doubles, compiled for every processor.
#pragma once

#include <cstdint>

#include "runtime/solvers/iterate.hpp"

namespace nsmc::rt {

void prox_of_ball_alone(double radius, std::uint32_t dim, double* z);
bool rate_gives_up(RateWatch& rate, int sweeps, double ratio, double tolerance);

}  // namespace nsmc::rt
