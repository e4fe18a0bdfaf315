// Two bars with joints against the same pendulum in its two angles.
#include <algorithm>

#include "reference.hpp"
#include "run_model.hpp"

using namespace nsmc::test;

namespace {

constexpr const char* kInAngles = R"(
model angles
param m1 = 1 [kg]
param m2 = 0.5 [kg]
param l1 = 0.4 [m]
param l2 = 0.3 [m]
param g = 9.81 [m/s^2]
coord a [rad] = pi/2
coord b [rad] = pi/2
let c1 = l1/2*[sin(a), -cos(a)]
let c2 = l1*[sin(a), -cos(a)] + l2/2*[sin(b), -cos(b)]
kinetic m1/2*dot(c1', c1') + m1*l1^2/24*a'^2 + m2/2*dot(c2', c2') + m2*l2^2/24*b'^2
potential m1*g*c1[2] + m2*g*c2[2]
simulate { until 1 [s]  step 1e-3 [s] }
)";

// The equations of models/double_pendulum.nsm: y = (a, b, a', b').
Vec<4> slope(double, const Vec<4>& y) {
  constexpr double m1 = 1, m2 = 0.5, l1 = 0.4, l2 = 0.3, g = 9.81;
  const double d = y[0] - y[1], c = m2 * l1 * l2 / 2;
  const double M11 = (m1 / 3 + m2) * l1 * l1, M22 = m2 * l2 * l2 / 3, M12 = c * std::cos(d);
  const double h1 = -c * std::sin(d) * y[3] * y[3] - (m1 / 2 + m2) * g * l1 * std::sin(y[0]);
  const double h2 = c * std::sin(d) * y[2] * y[2] - m2 / 2 * g * l2 * std::sin(y[1]);
  const double det = M11 * M22 - M12 * M12;
  return {y[2], y[3], (M22 * h1 - M12 * h2) / det, (M11 * h2 - M12 * h1) / det};
}

double largest(const Column& values) {
  double worst = 0;
  for (const double x : values) worst = std::max(worst, std::abs(x));
  return worst;
}

}  // namespace

TEST_CASE("double pendulum: joints and generalised coordinates tend to the same motion") {
  Model joints = Model::named("double_pendulum");
  Model angles = Model::text(kInAngles);
  const double T = 1;
  Vec<4> y{M_PI / 2, M_PI / 2, 0, 0};
  double t = 0;
  integrate(slope, t, y, T, 1e-4);
  const auto [a, b, wa, wb] = y;
  CHECK(std::abs(wa) + std::abs(wb) > 1);
  // In angles the forces depend on velocities, and Moreau's step takes them at its beginning.
  const Convergence in_angles = convergence(2e-3, 4, [&](double h) {
    const Trajectory run = angles.run({}, {.step = h, .until = T});
    return std::abs(run.last("a") - a) + std::abs(run.last("b") - b);
  });
  check_convergence("double pendulum in angles", in_angles, 0.95, 1e-2);
  const Convergence positions = convergence(2e-3, 4, [&](double h) {
    const Trajectory run = joints.run({}, {.step = h, .until = T});
    return std::abs(run.last("a") - a) + std::abs(run.last("b") - b);
  });
  check_convergence("double pendulum with joints, angles", positions, 1.9, 1e-5);
  const Convergence velocities = convergence(2e-3, 4, [&](double h) {
    const Trajectory run = joints.run({}, {.step = h, .until = T});
    return std::abs(run.last("bar1.spin") - wa) + std::abs(run.last("bar2.spin") - wb);
  });
  check_convergence("double pendulum with joints, velocities", velocities, 1.9, 5e-4);
}

TEST_CASE("double pendulum: forces of the joints carry what moves") {
  // Newton's law for each bar, with the accelerations of the run: m x'' = m g + forces of the joints.
  const Trajectory run = Model::named("double_pendulum").run({}, {.step = 1e-4, .until = 1});
  double worst = 0, scale = 0;
  for (std::size_t k = 1; k < run.rows(); ++k) {
    for (const char* axis : {"[1]", "[2]"}) {
      const auto mean_force = [&](const std::string& name) { return run[name + axis][k]; };
      const double h = run.t[k] - run.t[k - 1];
      const auto acceleration = [&](const std::string& name) {
        return (run[name + ".velocity" + axis][k] - run[name + ".velocity" + axis][k - 1]) / h;
      };
      const double weight = axis == std::string("[2]") ? -9.81 : 0;
      // The force acts along the gap: second body on the first for the first one, and against it for the second.
      worst = std::max(worst, std::abs(0.5 * acceleration("bar2") - 0.5 * weight + mean_force("pin.N")));
      worst = std::max(worst, std::abs(acceleration("bar1") - weight + mean_force("hook.N") - mean_force("pin.N")));
      scale = std::max(scale, std::abs(mean_force("hook.N")));
    }
  }
  CHECK(scale > 10);
  CHECK(worst < 1e-3 * scale);  // not exactly: what the velocities get to fit the constraints is no force
}

TEST_CASE("double pendulum: energy, and constraints over many steps") {
  Model model = Model::named("double_pendulum");
  // The energy of this motion swings by some 14 J between kinetic and potential.
  const Convergence drift = convergence(2e-3, 3, [&](double h) {
    return worst_error(h, [&](double step) { return largest(model.run({}, {.step = step, .until = 5})["energy"]); });
  });
  check_convergence("double pendulum, energy", drift, 1.7, 1e-3);

  const Trajectory longest = model.run({}, {.step = 1e-3, .until = 100, .every = 10});
  CHECK(longest.summary.steps == 100000);
  for (const char* gap : {"hook.gap[1]", "hook.gap[2]", "pin.gap[1]", "pin.gap[2]"}) {
    CAPTURE(gap);
    CHECK(largest(longest[gap]) < 1e-12);
  }
  const double energy = largest(longest["energy"]);
  MESSAGE("energy after 1e5 steps: off by " << energy);
  CHECK(energy < 0.02);
  // Velocities fit the constraints too: that of the tip, from the two spins alone.
  double worst = 0;
  for (std::size_t k = 0; k < longest.rows(); ++k) {
    const double a = longest["a"][k], b = longest["b"][k];
    const double wa = longest["bar1.spin"][k], wb = longest["bar2.spin"][k];
    worst =
        std::max(worst, std::abs(longest["bar2.velocity[1]"][k] - (0.4 * wa * std::cos(a) + 0.15 * wb * std::cos(b))));
    worst =
        std::max(worst, std::abs(longest["bar2.velocity[2]"][k] - (0.4 * wa * std::sin(a) + 0.15 * wb * std::sin(b))));
  }
  MESSAGE("velocities off the constraints by " << worst);
  CHECK(worst < 5e-3);
}
