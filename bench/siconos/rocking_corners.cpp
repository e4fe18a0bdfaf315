// bench/models/rocking_corners.nsm in Siconos: a linear system with a constant mass, two relations that are not linear.
#include "bench/siconos/setup.hpp"

namespace nsmc::bench {

namespace {

constexpr double m = 1, b = 0.02, h = 0.1, mu = 0.4, e = 0.2, theta0 = 0.1;

// The corner (a, -h) of the block.
class Corner final : public LagrangianScleronomousR {
 public:
  explicit Corner(double a) : a_(a) {}

  void computeh(const BlockVector& q0, BlockVector&, SiconosVector& y) override {
    const double* q = q0.getAllVect()[0]->getArray();
    y(0) = q[1] + a_ * std::sin(q[2]) - h * std::cos(q[2]);
  }

  void computeJachq(const BlockVector& q0, BlockVector&) override {
    const double phi = q0.getAllVect()[0]->getArray()[2];
    SimpleMatrix& W = *_jachq;
    W(0, 1) = 1;
    W(0, 2) = a_ * std::cos(phi) + h * std::sin(phi);
    W(1, 0) = 1;
    W(1, 2) = h * std::cos(phi) - a_ * std::sin(phi);
  }

 private:
  double a_;
};

}  // namespace

SiconosResult siconos_rocking_corners(double dt, std::uint64_t steps, double* q, double* u) {
  const double R = std::sqrt(b * b + h * h), alpha = std::atan2(b, h);
  auto block = std::make_shared<LagrangianLinearTIDS>(
      vector_of({-R * std::sin(alpha - theta0), R * std::cos(alpha - theta0), -theta0}), vector_of({0, 0, 0}),
      diagonal_of({m, m, m / 3 * R * R}));
  block->setFExtPtr(vector_of({0, -m * standard_gravity, 0}));

  SiconosSimulation simulation(dt, steps, gauss_seidel(2));
  simulation.add(block);
  auto law = std::make_shared<NewtonImpactFrictionNSL>(e, 0, mu, 2);
  for (const double a : {-b, b}) simulation.link(law, std::make_shared<Corner>(a), block);
  const SiconosResult result = simulation.run();
  write_state(*block, q, u);
  return result;
}

}  // namespace nsmc::bench
