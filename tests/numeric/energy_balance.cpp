// Where the energy goes: the work of every law, damper, given force and drive, held against analytic answers, and
// against the change of the energy, by every method.
#include "run_model.hpp"

using namespace nsmc::test;
using nsmc::rt::Method;

namespace {

constexpr Method kMethods[] = {Method::moreau, Method::rk, Method::lie, Method::event};

// A block on a belt that vibrates, on a spring, with a damper and a force: everything that can do work.
const char* const kBelt = R"(model belt
param m = 1 [kg]
coord x [m] = 0.3
coord z [m] = 0.2
initial x' = 1 [m/s]
kinetic m/2*(x'^2 + z'^2)
potential m*9.81 [m/s^2]*z + 20 [N/m]*x^2
dissipation 0.3 [N s/m]*x'^2
force x : 2 [N]*sin(7 [rad/s]*t)
contact floor {
  gap z - 0.02 [m]*sin(9 [rad/s]*t)
  slip x' - 0.3 [m/s]
  law unilateral(restitution = 0.5)
  law coulomb(0.2)
}
simulate { until 2 [s]  step 1e-3 [s] }
)";

// A bead on a hoop that a motor turns, at a speed that changes: T = T2 + T0(t).
const char* const kHoop = R"(model hoop
param r = 0.5 [m]
param w = 6 [rad/s]
coord th [rad] = 0.7
kinetic 0.5 [kg]*r^2*(th'^2 + (w*(1 + 0.2*sin(3 [rad/s]*t)))^2*sin(th)^2)
potential -1 [kg]*9.81 [m/s^2]*r*cos(th)
simulate { until 2 [s]  step 1e-3 [s] }
)";

// Two bodies in space that fall on a floor, with a spring and a damper between them.
const char* const kBodies = R"(model bodies
gravity [0, 0, -9.81] [m/s^2]
param r = 0.1 [m]
body a = rigid(mass = 1 [kg], inertia = [1, 1, 1]*0.004 [kg m^2], position = [0, 0, 0.3] [m], velocity = [1, 0, 0] [m/s])
body b = rigid(mass = 2 [kg], inertia = [1, 1, 1]*0.008 [kg m^2], position = [0.4, 0, 0.3] [m])
shape ball_a = sphere(radius = r) on a
shape ball_b = sphere(radius = r) on b
shape floor = plane(normal = [0, 0, 1])
spring s between a.position and b.position stiffness 50 [N/m] length 0.4 [m] damping 0.5 [N s/m]
contact land_a = ball_a on floor { law unilateral(restitution = 0.3)  law coulomb(0.3) }
contact land_b = ball_b on floor { law unilateral(restitution = 0.3)  law coulomb(0.3) }
simulate { until 1 [s]  step 1e-3 [s] }
)";

double worst(const Column& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

}  // namespace

TEST_CASE("energy: of a bouncing ball, every impact takes (1 - e^2) of what is left") {
  Model model = Model::named("bouncing_ball");
  for (const Method method : kMethods) {
    const Trajectory run = model.run({}, {.step = 1e-4, .until = 1, .method = method, .work = true});
    // One second has the impacts at 0.45 s and, for e = 0.8, none until 1.17 s.
    const double E = 0.1 * 9.81;
    CHECK(run.last("table.dissipated") ==
          doctest::Approx((1 - 0.64) * E).epsilon(method == Method::event ? 1e-12 : 2e-3));
    CHECK(std::abs(run.last("energy_balance")) < (method == Method::event ? 1e-13 : 2e-3) * E);
    CHECK(run.last("energy_supplied") == 0);
    CHECK(run.last("energy_damped") == 0);
    CHECK(run["table.dissipated"].front() == 0);
  }
}

TEST_CASE("energy: friction and damping take what they do in closed form") {
  // A block that slides to its stop loses all of m v^2/2 to friction; a mass that is damped loses it to the damper.
  Model slider = Model::text(R"(coord x [m]
coord z [m]
initial x' = 2 [m/s]
kinetic 0.5 [kg]*(x'^2 + z'^2)
potential 1 [kg]*9.81 [m/s^2]*z
contact floor { gap z  slip x'  law unilateral  law coulomb(0.3) }
simulate { until 1 [s]  step 1e-3 [s] }
)");
  Model damped = Model::text(R"(coord x [m]
initial x' = 2 [m/s]
kinetic 0.5 [kg]*x'^2
dissipation 0.75 [N s/m]*x'^2
force x : 1 [N]
simulate { until 1 [s]  step 1e-3 [s] }
)");
  // x'(t) = 2/3 + 4/3 exp(-1.5 t) with c = 1.5 N s/m, m = 1 kg, f = 1 N.
  const double k = std::exp(-1.5), distance = 2.0 / 3 + 4.0 / 3 * (1 - k) / 1.5, v = 2.0 / 3 + 4.0 / 3 * k;
  for (const Method method : kMethods) {
    const double accuracy = method == Method::event || method == Method::rk ? 1e-9 : 2e-3;
    const Trajectory slides = slider.run({}, {.method = method, .work = true});
    CHECK(slides.last("floor.T.dissipated") == doctest::Approx(2.0).epsilon(method == Method::event ? 1e-9 : 2e-3));
    CHECK(std::abs(slides.last("floor.N.dissipated")) < (method == Method::lie ? 2e-2 : 1e-9));
    CHECK(slides.last("floor.dissipated") ==
          doctest::Approx(slides.last("floor.N.dissipated") + slides.last("floor.T.dissipated")).epsilon(1e-14));
    const Trajectory moves = damped.run({}, {.method = method, .work = true});
    CHECK(moves.last("energy_supplied") == doctest::Approx(distance).epsilon(accuracy));
    CHECK(moves.last("energy_damped") == doctest::Approx(2 + distance - v * v / 2).epsilon(accuracy));
  }
}

TEST_CASE("energy: all shares add up to the change, to the tolerance of event and with the order of the others") {
  struct Case {
    const char* text;
    double scale;
  };
  for (const Case& c : {Case{kBelt, 4}, Case{kHoop, 5}, Case{kBodies, 10}}) {
    Model model = Model::text(c.text);
    const Trajectory exact = model.run({}, {.method = Method::event, .work = true});
    CHECK(worst(exact["energy_balance"]) < 1e-9 * c.scale);
    const Trajectory rk = model.run({}, {.method = Method::rk, .work = true});
    CHECK(worst(rk["energy_balance"]) < 2e-3 * c.scale);
    for (const Method method : {Method::moreau, Method::lie}) {
      const auto rest = [&](double step) {
        return worst(model.run({}, {.step = step, .method = method, .work = true})["energy_balance"]);
      };
      const double coarse = rest(2e-3), fine = rest(2.5e-4);
      CAPTURE(coarse);
      CAPTURE(fine);
      CHECK(fine < coarse / 3);
      CHECK(fine < 2e-2 * c.scale);
    }
  }
}

TEST_CASE("energy: counting changes no bit of a motion, by any method") {
  for (const char* text : {kBelt, kBodies}) {
    Model model = Model::text(text);
    for (const Method method : kMethods) {
      const Trajectory plain = model.run({}, {.until = 0.5, .method = method});
      const Trajectory counted = model.run({}, {.until = 0.5, .method = method, .work = true});
      CHECK(counted.names().size() > plain.names().size());
      for (const std::string& name : plain.names()) CHECK_MESSAGE(plain[name] == counted[name], name);
    }
  }
}

TEST_CASE("event: friction bounded by the norm of a force that is 0 at the start, and slow impacts that lose little") {
  Model wire = Model::text(R"(param pull = 0.5 [N]
coord x [m]
coord y [m]
coord z [m]
kinetic 0.5 [kg]*(x'^2 + y'^2 + z'^2)
force x : 3 [N]
force y : 4 [N]
force z : pull
law wire(mu) {
  force T
  slip in normal_cone(interval(-mu*norm(N), mu*norm(N)), -T)
}
constraint ring { gap [x, y]  slip z'  law wire(0.2) }
simulate { until 0.5 [s]  step 1e-2 [s] }
)");
  const Trajectory rests = wire.run({}, {.method = Method::event});
  CHECK(rests.last("z") == 0);
  CHECK(rests.last("ring.T") == doctest::Approx(-0.5));
  const Trajectory slides = wire.run({{"pull", 3}}, {.method = Method::event});
  CHECK(slides.last("z") == doctest::Approx((3 - 1) * 0.5 * 0.5 / 2).epsilon(1e-9));  // m = 1 kg, the limit is 1 N

  Model ball = Model::text(R"(coord z [m] = 1
kinetic 0.05 [kg]*z'^2
potential 0.1 [kg]*9.81 [m/s^2]*z
law unilateral_v(v1) {
  force N
  gap' in normal_cone(nonpos, -N) restitution 1/(1 + (abs(gap')/v1)^(1/5))
}
contact floor { gap z  law unilateral_v(2 [m/s]) }
simulate { until 2 [s]  step 1e-3 [s] }
)");
  const Trajectory falls = ball.run({}, {.method = Method::event, .work = true});
  // The times of its flights by hand.
  double t = std::sqrt(2 / 9.81), v = 9.81 * t;
  while (v > 1e-13) {
    v /= 1 + std::pow(v / 2, 0.2);
    t += 2 * v / 9.81;
  }
  CHECK(t < 2);
  CHECK(falls.last("z") == doctest::Approx(0).epsilon(1e-12));
  CHECK(falls.last("floor.N") == doctest::Approx(0.981));
  CHECK(falls.last("floor.dissipated") == doctest::Approx(0.981).epsilon(1e-10));
  for (std::size_t k = 0; k < falls.rows(); ++k) {
    if (falls.t[k] > t + 1e-6) CHECK(falls["floor.N"][k] == doctest::Approx(0.981));
    if (falls.t[k] < t - 2e-3) CHECK(falls["energy"][k] > 0);
  }
}

TEST_CASE("energy: shares of models with every kind of law add up") {
  for (const char* name : {"contensou_disc", "four_bar", "pendulum", "slider_circle", "slider_crank", "slider_two_set",
                           "tippe_top", "two_masses", "vibrating_table", "woodpecker"}) {
    CAPTURE(name);
    Model model = Model::named(name);
    const Trajectory run = model.run({}, {.until = 0.1,
                                          .solver = nsmc::rt::SolverKind::automatic,
                                          .tolerance = 1e-10,
                                          .method = Method::event,
                                          .work = true});
    const double scale = std::max({worst(run["energy"]), run.last("energy_supplied"), 1e-300});
    CHECK(worst(run["energy_balance"]) < 1e-9 * scale);
  }
}
