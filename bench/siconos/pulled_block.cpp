// bench/models/pulled_block.nsm in Siconos: linear, but for the friction. Its force is the mean of those at both ends
// of a step, that of nsmc the one at the midpoint: a difference of order dt^2.
#include "bench/siconos/setup.hpp"

namespace nsmc::bench {

namespace {

class PulledBlock final : public LagrangianLinearTIDS {
 public:
  explicit PulledBlock(double m) : LagrangianLinearTIDS(vector_of({0, 0}), vector_of({0, 0}), diagonal_of({m, m})) {
    setFExtPtr(vector_of({0, -m * standard_gravity}));
  }
  void computeFExt(double time) override {
    const double F = 4, pi = 3.14159265358979323846;
    (*_fExt)(0) = F * std::sin(2 * pi * time);
  }
};

}  // namespace

SiconosResult siconos_pulled_block(double dt, std::uint64_t steps, double* q, double* u) {
  const double m = 1, mu = 0.3;
  auto block = std::make_shared<PulledBlock>(m);
  auto directions = std::make_shared<SimpleMatrix>(2, 2);
  (*directions)(0, 1) = (*directions)(1, 0) = 1;

  SiconosSimulation simulation(dt, steps, gauss_seidel(2));
  simulation.add(block);
  simulation.link(std::make_shared<NewtonImpactFrictionNSL>(0, 0, mu, 2),
                  std::make_shared<LagrangianLinearTIR>(directions), block);
  const SiconosResult result = simulation.run();
  write_state(*block, q, u);
  return result;
}

}  // namespace nsmc::bench
