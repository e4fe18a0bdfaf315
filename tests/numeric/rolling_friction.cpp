// models/rolling_friction.nsm: a ball that rolls to rest, on a slope and off slip, against the answers in closed form.
#include "run_model.hpp"

using namespace nsmc::test;

namespace {

constexpr double kMass = 0.2, kRadius = 0.03, kArm = 0.007, kGravity = 9.81;

// From the velocity v0 with the constant acceleration -a until it stops.
double travelled(double v0, double a, double t) {
  const double moving = std::min(t, v0 / a);
  return v0 * moving - a * moving * moving / 2;
}

}  // namespace

TEST_CASE("rolling friction: a ball slows down by 5/7 rho/r g, stops and stays") {
  Model model = Model::named("rolling_friction");
  for (const double rho : {0.002, kArm, 0.012}) {
    CAPTURE(rho);
    const double a = 5.0 / 7 * rho / kRadius * kGravity, stops = 1 / a, dt = 1e-3;
    const Trajectory run = model.run({{"rho", rho}}, {dt, stops + 0.2});
    for (std::size_t k = 1; k < run.rows(); ++k) {
      const double t = run.t[k], v = std::max(0.0, 1 - a * t);
      CHECK(std::abs(run["ball.velocity[1]"][k] - v) < 1e-12);
      CHECK(std::abs(run["roll"][k] - v / kRadius) < 1e-11);
      CHECK(run["slip"][k] < 1e-13);
      if (t < stops) {
        CHECK(run["touch.M[2]"][k] == doctest::Approx(-rho * kMass * kGravity).epsilon(1e-11));
        CHECK(run["touch.T[1]"][k] == doctest::Approx(-kMass * a).epsilon(1e-9));
      }
      CHECK(std::abs(run["touch.M[1]"][k]) < 1e-15);
    }
    // All of the energy goes into the moment: rho N times the angle.
    CHECK(run.last("energy") == doctest::Approx(kMass * kGravity * kRadius).epsilon(1e-12));
  }
  // Velocities come out exactly; the place depends on where in its step the ball stops, by dt^2.
  const double a = 5.0 / 7 * kArm / kRadius * kGravity;
  const Convergence c = convergence(8e-3, 5, [&](double step) {
    return worst_error(
        step,
        [&](double dt) {
          return std::abs(model.run({}, {dt, 0.8}).last("ball.position[1]") - travelled(1, a, 0.8));
        },
        10);
  });
  check_convergence("rolling friction, where the ball stops", c, 1.9, 1e-6);
}

TEST_CASE("rolling friction: any direction on the table is the same") {
  Model model = Model::text(R"(
param r = 3 [cm]
param angle = 1.1
gravity [0, 0, -9.81] [m/s^2]
body ball = rigid(mass = 0.2 [kg], inertia = [1, 1, 1]*(0.08 [kg]*r^2), position = [0, 0, r],
  velocity = [cos(angle), sin(angle), 0]*1 [m/s], spin = [-sin(angle), cos(angle), 0]*(1 [m/s]/r))
shape skin = sphere(radius = r) on ball
shape table = plane(normal = [0, 0, 1])
contact touch = skin on table { law unilateral  law coulomb(0.4)  law rolling_friction(7 [mm]) }
output way = norm([ball.position[1], ball.position[2]])
simulate { until 0.8 [s]  step 1e-3 [s] }
)");
  const double a = 5.0 / 7 * kArm / kRadius * kGravity;
  for (const double angle : {0.0, 1.1, 2.9}) {
    const Trajectory run = model.run({{"angle", angle}});
    CHECK(run.last("way") == doctest::Approx(travelled(1, a, 0.8)).epsilon(1e-5));
    CHECK(std::atan2(run.last("ball.position[2]"), run.last("ball.position[1]")) ==
          doctest::Approx(angle).epsilon(1e-9));
  }
}

TEST_CASE("rolling friction: on a slope the ball rolls if tan(beta) > rho/r") {
  Model model = Model::named("rolling_friction");
  const double limit = std::atan(kArm / kRadius);
  const Trajectory rests = model.run({{"v0", 0}, {"beta", 0.99 * limit}});
  CHECK(std::abs(rests.last("ball.position[1]")) < 1e-12);
  // It holds the ball: M = m g r sin(beta), less than rho N.
  CHECK(rests.last("touch.M[2]") ==
        doctest::Approx(-kMass * kGravity * kRadius * std::sin(0.99 * limit)).epsilon(1e-8));
  for (const double beta : {1.01 * limit, 1.5 * limit}) {
    const double a = 5.0 / 7 * kGravity * (std::sin(beta) - kArm / kRadius * std::cos(beta));
    const Trajectory rolls = model.run({{"v0", 0}, {"beta", beta}});
    CHECK(rolls.last("ball.velocity[1]") == doctest::Approx(a * rolls.t.back()).epsilon(1e-9));
    CHECK(rolls.last("slip") < 1e-13);
  }
}

TEST_CASE("rolling friction: from sliding to rolling to rest") {
  // The ball slides without turning at first. Friction turns it against the moment: s' = -mu g - 5/2 (mu - rho/r) g.
  const double mu = 0.2, v0 = 1;
  const double rolls = v0 / (mu * kGravity + 2.5 * (mu - 0.1) * kGravity), v1 = v0 - mu * kGravity * rolls,
               a = 5.0 / 7 * 0.1 * kGravity;
  const Trajectory run =
      Model::named("rolling_friction").run({{"mu", mu}, {"rho", 0.1 * kRadius}, {"w0", 0}}, {1e-4, 1.2});
  CHECK(run.t.back() > rolls + v1 / a);
  CHECK(max_error(run, "ball.velocity[1]", [&](double t) {
          return t < rolls ? v0 - mu * kGravity * t : std::max(0.0, v1 - a * (t - rolls));
        }) < 1e-11);
  CHECK(run.last("roll") < 1e-13);
}

TEST_CASE("rolling friction: in the plane a disc, and a ball on a ball by its relative angular velocity") {
  // v' = -rho g/(r (1 + J/(m r^2))), with J = m r^2/2: 2/3 rho/r g
  const Trajectory disc = Model::text(R"(
param r = 3 [cm]
gravity [0, -9.81] [m/s^2]
body wheel = planar(mass = 0.2 [kg], inertia = 0.1 [kg]*r^2, position = [0, r], velocity = [1, 0] [m/s],
  spin = -1 [m/s]/r)
shape rim = circle(radius = r) on wheel
shape floor = plane(normal = [0, 1])
contact touch = rim on floor { law unilateral  law coulomb(0.4)  law rolling_friction(7 [mm]) }
output roll = touch.roll
simulate { until 0.5 [s]  step 1e-3 [s] }
)")
                              .run();
  CHECK(disc.last("wheel.velocity[1]") ==
        doctest::Approx(1 - 2.0 / 3 * kArm / kRadius * kGravity * 0.5).epsilon(1e-11));
  CHECK(disc.last("roll") == doctest::Approx(-disc.last("wheel.velocity[1]") / kRadius).epsilon(1e-11));
  CHECK(disc.last("touch.M") == doctest::Approx(kArm * kMass * kGravity).epsilon(1e-11));
  // Two balls that turn about different axes, written by hand: only the roll matters, not the spin about the normal.
  const Trajectory hand = Model::text(R"(
param J = 1e-3 [kg m^2]
coord a [rad]
coord b [rad]
coord c [rad]
coord z [m]
initial a' = 3 [rad/s]
initial b' = 4 [rad/s]
initial c' = 5 [rad/s]
kinetic J/2*(a'^2 + b'^2 + c'^2) + 0.5 [kg]*z'^2
potential 9.81 [N]*z
contact touch { gap z  roll [a', b']  spin c'  law unilateral  law rolling_friction(0.1 [mm]) }
simulate { until 1 [s]  step 1e-3 [s] }
)")
                              .run();
  const double left = 5 - 9.81e-4 / 1e-3;  // |w| falls by rho N/J
  CHECK(hand.last("a'") == doctest::Approx(0.6 * left).epsilon(1e-10));
  CHECK(hand.last("b'") == doctest::Approx(0.8 * left).epsilon(1e-10));
  CHECK(hand.last("c'") == 5);
}
