// bench/models/bouncing_ball.nsm in Siconos: a linear system with a constant mass, one linear relation, Newton's impact
// law, the complementarity problem by Lemke's method, which is exact.
#include <SiconosKernel.hpp>
#include <chrono>

#include "bench/siconos/runs.hpp"

namespace nsmc::bench {

double siconos_bouncing_ball(double dt, std::uint64_t steps, double* q_out, double* u_out) {
  const double m = 1, r = 0.1, e = 0.9, g = 9.81;
  auto mass = std::make_shared<SimpleMatrix>(3, 3);
  (*mass)(0, 0) = (*mass)(1, 1) = m;
  (*mass)(2, 2) = 2. / 5 * m * r * r;
  auto q0 = std::make_shared<SiconosVector>(3), v0 = std::make_shared<SiconosVector>(3);
  (*q0)(0) = 1;
  auto ball = std::make_shared<LagrangianLinearTIDS>(q0, v0, mass);
  auto weight = std::make_shared<SiconosVector>(3);
  (*weight)(0) = -m * g;
  ball->setFExtPtr(weight);

  auto direction = std::make_shared<SimpleMatrix>(1, 3);
  (*direction)(0, 0) = 1;
  auto offset = std::make_shared<SiconosVector>(1);
  (*offset)(0) = -r;
  auto law = std::make_shared<NewtonImpactNSL>(e);
  auto relation = std::make_shared<LagrangianLinearTIR>(direction, offset);
  auto contact = std::make_shared<Interaction>(law, relation);

  const double until = static_cast<double>(steps) * dt;
  auto system = std::make_shared<NonSmoothDynamicalSystem>(0, until + dt);
  system->insertDynamicalSystem(ball);
  system->link(contact, ball);
  auto scheme = std::make_shared<MoreauJeanOSI>(0.5);
  auto times = std::make_shared<TimeDiscretisation>(0, dt);
  auto problem = std::make_shared<LCP>();
  auto simulation = std::make_shared<TimeStepping>(system, times, scheme, problem);

  const auto start = std::chrono::steady_clock::now();
  for (std::uint64_t k = 0; k < steps; ++k) {
    simulation->computeOneStep();
    simulation->nextStep();
  }
  const std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - start;
  for (unsigned k = 0; k < 3; ++k) {
    q_out[k] = (*ball->q())(k);
    u_out[k] = (*ball->velocity())(k);
  }
  return elapsed.count() / static_cast<double>(steps);
}

}  // namespace nsmc::bench
