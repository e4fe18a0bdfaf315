#include "runtime/small/single_lane.hpp"

#include "runtime/sets/ball.hpp"

namespace nsmc::rt {

void prox_of_ball_alone(double radius, std::uint32_t dim, double* z) { Ball{radius, dim}.prox(z); }

bool rate_gives_up(RateWatch& rate, int sweeps, double ratio, double tolerance) {
  return rate.gives_up(sweeps, ratio, tolerance);
}

}  // namespace nsmc::rt
