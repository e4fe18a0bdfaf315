// Models of rigid bodies in Siconos: bench/models/sphere_on_plane.nsm, bench/models/tippe_top_coulomb.nsm,
// models/column.nsm and models/pyramid.nsm.
#include "bench/siconos/setup.hpp"

namespace nsmc::bench {

namespace {

SP::NonSmoothLaw coulomb(double e, double mu) { return std::make_shared<NewtonImpactFrictionNSL>(e, 0, mu, 3); }

SiconosResult column(int n, SP::OneStepNSProblem problem, double dt, std::uint64_t steps, double* q, double* u) {
  const double m = 0.1, r = 0.02, s = 1e-9, mu = 0.3;
  SiconosSimulation simulation(dt, steps, problem);
  std::vector<SP::NewtonEulerDS> balls;
  const SP::NonSmoothLaw law = coulomb(0, mu);
  for (int i = 1; i <= n; ++i) {
    balls.push_back(ball(m, r, {0, 0, (2 * i - 1) * r - i * s, 1, 0, 0, 0}, {0, 0, 0, 0, 0, 0}));
    simulation.add(balls.back());
    if (i == 1) {
      simulation.link(law, std::make_shared<SphereOnFloor>(r, 0), balls.back());
    } else {
      simulation.link(law, std::make_shared<SphereOnSphere>(r), balls.back(), *(balls.end() - 2));
    }
  }
  const SiconosResult result = simulation.run();
  for (const SP::NewtonEulerDS& body : balls) write_state(*body, q, u);
  return result;
}

}  // namespace

SiconosResult siconos_sphere_on_plane(double dt, std::uint64_t steps, double* q, double* u) {
  const double m = 0.2, r = 0.03, e = 0.5, mu = 0.3;
  const SP::NewtonEulerDS body = ball(m, r, {0, 0, 0.035, 1, 0, 0, 0}, {1, 0, 0, 5, 0, 20});
  SiconosSimulation simulation(dt, steps, gauss_seidel(3));
  simulation.add(body);
  simulation.link(coulomb(e, mu), std::make_shared<SphereOnFloor>(r, 0), body);
  const SiconosResult result = simulation.run();
  write_state(*body, q, u);
  return result;
}

SiconosResult siconos_tippe_top_coulomb(double dt, std::uint64_t steps, double* q, double* u) {
  const double m = 6e-3, I1 = 8e-7, I3 = 7e-7, a1 = 3e-3, a2 = 16e-3, r1 = 15e-3, r2 = 5e-3, mu = 0.3, theta0 = 0.1;
  const SP::NewtonEulerDS top = rigid_body(
      m, {I1, I1, I3}, {0, 0, 12.015e-3, std::cos(theta0 / 2), std::sin(theta0 / 2), 0, 0}, {0, 0, 0, 0, 0, 180});
  SiconosSimulation simulation(dt, steps, gauss_seidel(3));
  simulation.add(top);
  simulation.link(coulomb(0, mu), std::make_shared<SphereOnFloor>(r1, a1), top);
  simulation.link(coulomb(0, mu), std::make_shared<SphereOnFloor>(r2, a2), top);
  const SiconosResult result = simulation.run();
  write_state(*top, q, u);
  return result;
}

SiconosResult siconos_column_10(double dt, std::uint64_t steps, double* q, double* u) {
  return column(10, gauss_seidel(3, NM_SPARSE_BLOCK), dt, steps, q, u);
}
SiconosResult siconos_column_100(double dt, std::uint64_t steps, double* q, double* u) {
  return column(100, gauss_seidel(3, NM_SPARSE_BLOCK), dt, steps, q, u);
}
SiconosResult siconos_column_1000(double dt, std::uint64_t steps, double* q, double* u) {
  return column(1000, gauss_seidel(3, NM_SPARSE_BLOCK), dt, steps, q, u);
}
SiconosResult siconos_column_100_newton(double dt, std::uint64_t steps, double* q, double* u) {
  return column(100, newton(), dt, steps, q, u);
}
SiconosResult siconos_column_1000_newton(double dt, std::uint64_t steps, double* q, double* u) {
  return column(1000, newton(), dt, steps, q, u);
}

SiconosResult siconos_pyramid(double dt, std::uint64_t steps, double* q, double* u) {
  const double m = 0.1, r = 0.02, c = 2e-4, mu = 0.4, mu_floor = 0.2, pi = 3.14159265358979323846;
  const double a = (2 * r + c) / std::sqrt(3.0);
  // The gaps are zero up to rounding and stay so: without slack the spheres would hop.
  SiconosSimulation simulation(dt, steps, gauss_seidel(3), 1e-12);
  std::vector<SP::NewtonEulerDS> balls;
  for (int i = 1; i <= 3; ++i)
    balls.push_back(
        ball(m, r, {a * std::cos(2 * pi * i / 3), a * std::sin(2 * pi * i / 3), r, 1, 0, 0, 0}, {0, 0, 0, 0, 0, 0}));
  balls.push_back(ball(m, r, {0, 0, r + std::sqrt(4 * r * r - a * a), 1, 0, 0, 0}, {0, 0, 0, 0, 0, 0}));
  for (const SP::NewtonEulerDS& body : balls) simulation.add(body);
  const SP::NonSmoothLaw on_floor = coulomb(0, mu_floor), on_ball = coulomb(0, mu);
  for (const SP::NewtonEulerDS& body : balls) simulation.link(on_floor, std::make_shared<SphereOnFloor>(r, 0), body);
  for (std::size_t i = 0; i < balls.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j)
      simulation.link(on_ball, std::make_shared<SphereOnSphere>(r), balls[i], balls[j]);
  }
  const SiconosResult result = simulation.run();
  for (const SP::NewtonEulerDS& body : balls) write_state(*body, q, u);
  return result;
}

}  // namespace nsmc::bench
