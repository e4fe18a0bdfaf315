// bench/models/bouncing_ball.nsm in Siconos: a linear system with a constant mass, one linear relation, Newton's impact
// law, the complementarity problem by Lemke's method, which is exact.
#include "bench/siconos/setup.hpp"

namespace nsmc::bench {

SiconosResult siconos_bouncing_ball(double dt, std::uint64_t steps, double* q, double* u) {
  const double m = 1, r = 0.1, e = 0.9;
  auto ball = std::make_shared<LagrangianLinearTIDS>(vector_of({1, 0, 0}), vector_of({0, 0, 0}),
                                                     diagonal_of({m, m, 2. / 5 * m * r * r}));
  ball->setFExtPtr(vector_of({-m * standard_gravity, 0, 0}));
  auto direction = std::make_shared<SimpleMatrix>(1, 3);
  (*direction)(0, 0) = 1;

  SiconosSimulation simulation(dt, steps, std::make_shared<LCP>());
  simulation.add(ball);
  simulation.link(std::make_shared<NewtonImpactNSL>(e),
                  std::make_shared<LagrangianLinearTIR>(direction, vector_of({-r})), ball);
  SiconosResult result = simulation.run();
  result.sweeps = result.residual = 0;
  write_state(*ball, q, u);
  return result;
}

}  // namespace nsmc::bench
