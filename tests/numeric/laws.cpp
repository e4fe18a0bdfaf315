// Force laws that users write, against the library's and against independent integrations and hand calculations.
#include <algorithm>

#include "reference.hpp"
#include "run_model.hpp"

using namespace nsmc::test;

namespace {

constexpr double g = 9.81;

// A block of 2 kg on a horizontal plane, thrown with (vx, vy); `laws` are the tangential laws of the contact, with slip
// [x', y'], `more` stands before it. A nanometre of overlap keeps the contact closed.
std::string sliding_block(const std::string& more, const std::string& laws) {
  return R"(
model sliding_block
param m = 2 [kg]
param vx = 3 [m/s]
param vy = 1 [m/s]
coord x [m] = 0
coord y [m] = 0
coord z [m] = -1e-9
initial x' = vx
initial y' = vy
kinetic m/2*(x'^2 + y'^2 + z'^2)
potential m*9.81 [m/s^2]*z
)" + more +
         "\ncontact floor { gap z  slip [x', y']  law unilateral  " + laws +
         " }\nsimulate { until 0.8 [s]  step 1e-3 [s] }\n";
}

void check_equal(const Trajectory& a, const Trajectory& b, double tolerance) {
  REQUIRE(a.names() == b.names());
  REQUIRE(a.rows() == b.rows());
  for (const std::string& name : a.names()) {
    CAPTURE(name);
    double worst = 0;
    for (std::size_t k = 0; k < a.rows(); ++k) worst = std::max(worst, std::abs(a[name][k] - b[name][k]));
    CHECK(worst <= tolerance);
  }
}

// Sliding under a friction force per mass F(v) that is smooth while |v| > 0, from v0 until the block is slow; the
// velocity as a function of time. Sticks from then on.
template <class Force>
Sampled<2> sliding(Force&& force, Vec<2> v0, double until) {
  Sampled<2> solution;
  const auto f = [&](double, const Vec<2>& v) { return force(v); };
  Vec<2> v = v0;
  double t = 0;
  solution.add(t, v, f(t, v));
  bool slow = false;
  while (t < until && !slow) {
    slow = integrate_until(f, t, v, std::min(until, t + 1e-3), 1e-4,
                           [](double, const Vec<2>& x) { return std::hypot(x[0], x[1]) - 1e-5; });
    solution.add(t, v, f(t, v));
  }
  if (slow) {
    solution.add(t + 1e-6, {0, 0}, {0, 0});
    solution.add(until, {0, 0}, {0, 0});
  }
  return solution;
}

void check_sliding(const char* what, Model& model, const Sampled<2>& reference, double finest) {
  const auto error = [&](double step) {
    const Trajectory run = model.run({}, {.step = step});
    return std::max(max_error(run, "x'", [&](double t) { return reference(t, 0); }),
                    max_error(run, "y'", [&](double t) { return reference(t, 1); }));
  };
  check_convergence(what, convergence(4e-3, 4, [&](double step) { return worst_error(step, error); }), 0.85, finest);
}

}  // namespace

TEST_CASE("laws: written in the model, in either sign convention, they equal the library's") {
  const Trajectory library = Model::text(sliding_block("", "law coulomb(0.3)")).run();
  const Trajectory minus =
      Model::text(sliding_block("law mine(mu) { force T[2]  slip in normal_cone(disc(mu*N), -T) }", "law mine(0.3)"))
          .run();
  const Trajectory plus =
      Model::text(
          sliding_block("law mine(mu) { force T[2]\n(-slip) in normal_cone(ball(mu*N, 2), T) }", "law mine(0.3)"))
          .run();
  const Trajectory scaled =
      Model::text(
          sliding_block("law mine(mu) { force T[2]  slip in normal_cone((mu*N)*disc(1), -T) }", "law mine(0.3)"))
          .run();
  check_equal(library, minus, 0);
  check_equal(library, plus, 1e-12);
  check_equal(library, scaled, 1e-12);
  CHECK(library.last("x'") > 0.1);  // it still slides: the comparison is about something
}

TEST_CASE("laws: a law of the model takes the place of the library's, in the plane too") {
  const auto model = [](const std::string& law) {
    return Model::text(R"(
param m = 2 [kg]
coord x [m] = 0
coord z [m] = -1e-9
initial x' = 1 [m/s]
kinetic m/2*(x'^2 + z'^2)
potential m*9.81 [m/s^2]*z
)" + law + R"(
contact floor { gap z  slip x'  law unilateral  law coulomb(0.3) }
simulate { until 0.5 [s]  step 1e-3 [s] }
)");
  };
  const Trajectory library = model("").run();
  const Trajectory mine = model("law coulomb(mu) { force T\n(-slip) in normal_cone(ball(mu*N, 1), T) }").run();
  const Trajectory interval =
      model("law coulomb(mu) { force T  slip in normal_cone(interval(-mu*N, mu*N), -T) }").run();
  check_equal(library, mine, 1e-12);
  check_equal(library, interval, 1e-12);
  CHECK(std::abs(library.last("x'")) < 1e-15);
  CHECK(library.last("x") == doctest::Approx(1 / (2 * 0.3 * g)).epsilon(1e-2));
}

TEST_CASE("laws: Coulomb friction in space is opposed to the velocity") {
  const double mu = 0.3, m = 2;
  Model model = Model::text(sliding_block("", "law coulomb(0.3)"));
  const Trajectory run = model.run({{"vx", 1.2}, {"vy", -0.9}});  // 1.5 m/s, stops after 0.51 s
  for (std::size_t k = 1; k < run.rows(); ++k) {
    const double vx = run["x'"][k], vy = run["y'"][k], v = std::hypot(vx, vy);
    const double Tx = run["floor.T[1]"][k], Ty = run["floor.T[2]"][k], N = run["floor.N"][k];
    CHECK(N == doctest::Approx(m * g).epsilon(1e-9));
    CHECK(std::hypot(Tx, Ty) <= mu * N * (1 + 1e-12));
    CHECK(std::abs(v - std::max(0.0, 1.5 - mu * g * run.t[k])) < 1e-9);
    if (v > 1e-9) {
      CHECK(Tx == doctest::Approx(-mu * N * vx / v).epsilon(1e-9));
      CHECK(Ty == doctest::Approx(-mu * N * vy / v).epsilon(1e-9));
      CHECK(vy / vx == doctest::Approx(-0.75).epsilon(1e-9));
    }
  }
  CHECK(std::hypot(run.last("x'"), run.last("y'")) < 1e-15);
}

TEST_CASE("laws: viscous friction decays exponentially") {
  Model model = Model::text(sliding_block("param c = 6 [N s/m]", "law viscous(c)"));
  const auto error = [&](double step) {
    const Trajectory run = model.run({}, {.step = step});
    return std::max(max_error(run, "x'", [](double t) { return 3 * std::exp(-3 * t); }),
                    max_error(run, "y'", [](double t) { return std::exp(-3 * t); }));
  };
  check_convergence("velocity", convergence(8e-3, 4, error), 0.95, 5e-3);
  const Trajectory run = model.run();
  for (std::size_t k = 1; k < run.rows(); ++k) {
    CHECK(run["floor.V[1]"][k] == doctest::Approx(-6 * run["x'"][k]).epsilon(1e-9));
    CHECK(run["floor.V[2]"][k] == doctest::Approx(-6 * run["y'"][k]).epsilon(1e-9));
  }
}

TEST_CASE("laws: viscous and dry friction side by side") {
  // v' = -mu g - c/m v along the direction of motion: v = (v0 + a/k) exp(-k t) - a/k, a = mu g, k = c/m
  Model model = Model::text(sliding_block("param c = 6 [N s/m]", "law coulomb(0.1)  law viscous(c)"));
  const double k = 3, a = 0.1 * g, v0 = std::hypot(3, 1);
  const auto speed = [&](double t) { return std::max(0.0, (v0 + a / k) * std::exp(-k * t) - a / k); };
  const auto error = [&](double step) {
    return max_error(model.run({}, {.step = step}), "x'", [&](double t) { return 3 / v0 * speed(t); });
  };
  check_convergence("velocity", convergence(8e-3, 4, error), 0.9, 1e-2);
}

TEST_CASE("laws: orthotropic friction, an ellipse of maximal dissipation") {
  const double a = 0.2 * g, b = 0.4 * g;  // semi-axes of the friction force per mass
  // The point of the ellipse whose outward normal is v: (a^2 vx, b^2 vy)/sqrt(a^2 vx^2 + b^2 vy^2)
  const auto force = [&](const Vec<2>& v) {
    const double s = std::sqrt(a * a * v[0] * v[0] + b * b * v[1] * v[1]);
    return Vec<2>{-a * a * v[0] / s, -b * b * v[1] / s};
  };
  const Sampled<2> reference = sliding(force, {3, 1}, 0.8);
  Model library = Model::text(sliding_block("", "law orthotropic(0.2, 0.4)"));
  check_sliding("ellipse", library, reference, 5e-4);
  Model mapped = Model::text(
      sliding_block("law mine { force T[2]  slip in normal_cone(diag(0.2, 0.4)*disc(N), -T) }", "law mine"));
  check_sliding("A*disc", mapped, reference, 5e-4);
  check_equal(library.run(), mapped.run(), 1e-9);

  const double m = 2;
  const Trajectory run = library.run();
  for (std::size_t k = 1; k < run.rows(); ++k) {
    CHECK(std::hypot(run["floor.T[1]"][k] / (m * a), run["floor.T[2]"][k] / (m * b)) <= 1 + 1e-9);
  }
}

TEST_CASE("laws: an ellipse that is not aligned with the axes") {
  const double a = 0.35 * g, b = 0.15 * g, angle = 0.6;
  const double c = std::cos(angle), s = std::sin(angle);
  const auto force = [&](const Vec<2>& v) {
    const Vec<2> w{c * v[0] + s * v[1], -s * v[0] + c * v[1]};  // in the axes of the ellipse
    const double norm = std::hypot(a * w[0], b * w[1]);
    const Vec<2> f{-a * a * w[0] / norm, -b * b * w[1] / norm};
    return Vec<2>{c * f[0] - s * f[1], s * f[0] + c * f[1]};
  };
  const Sampled<2> reference = sliding(force, {3, 1}, 0.8);
  Model model = Model::text(sliding_block(R"(
param angle = 0.6 [rad]
law turned {
  force T[2]
  let R = [[cos(angle), -sin(angle)], [sin(angle), cos(angle)]]
  slip in normal_cone(R*ellipse(0.35*N, 0.15*N), -T)
}
)",
                                          "law turned"));
  check_sliding("R*ellipse", model, reference, 5e-4);
}

TEST_CASE("laws: the collinear law, a map on the velocity side") {
  // Walker and Leine (10): B*B*slip in N_ellipse(-T) makes the force opposed to the velocity, |T| from the ellipse.
  const double mu1 = 0.2, mu2 = 0.4;
  const auto force = [&](const Vec<2>& v) {
    const double k = g / std::hypot(v[0] / mu1, v[1] / mu2);  // largest k with k v in the ellipse
    return Vec<2>{-k * v[0], -k * v[1]};
  };
  const Sampled<2> reference = sliding(force, {3, 1}, 0.8);
  Model model = Model::text(sliding_block(R"(
law collinear(mu1, mu2) {
  force T[2]
  let B = diag(1/mu1, 1/mu2)
  B*B*slip in normal_cone(ellipse(mu1*N, mu2*N), -T)
}
)",
                                          "law collinear(0.2, 0.4)"));
  // The direction stays, the force is constant: no error but rounding and the solver's tolerance.
  const Trajectory run = model.run();
  CHECK(max_error(run, "x'", [&](double t) { return reference(t, 0); }) < 1e-9);
  CHECK(max_error(run, "y'", [&](double t) { return reference(t, 1); }) < 1e-9);
  CHECK(run.last("y'") / run.last("x'") == doctest::Approx(1.0 / 3).epsilon(1e-9));
}

TEST_CASE("laws: a shifted disc is a disc and a constant force, in both signs") {
  // -T in D + c: T = -c - (point of the disc). With -slip in N_C(T) it is T in D + c.
  const double m = 2, mu = 0.3;
  for (const bool positive : {false, true}) {
    CAPTURE(positive);
    const double px = (positive ? 1 : -1) * 2.0 / m, py = (positive ? 1 : -1) * -3.0 / m;  // the constant part per mass
    const auto force = [&](const Vec<2>& v) {
      const double speed = std::hypot(v[0], v[1]);
      return Vec<2>{px - mu * g * v[0] / speed, py - mu * g * v[1] / speed};
    };
    REQUIRE(std::hypot(px, py) < mu * g);  // so that it stops
    const Sampled<2> reference = sliding(force, {3, 1}, 0.8);
    Model model =
        Model::text(sliding_block(std::string("law belt(mu) { force T[2]\n") + (positive ? "(-slip)" : "slip") +
                                      " in normal_cone(disc(mu*N) + [2, -3] [N], " + (positive ? "" : "-") + "T) }",
                                  "law belt(0.3)"));
    check_sliding("disc + c", model, reference, 8e-4);
  }
}

TEST_CASE("laws: a box of friction forces acts on each direction alone") {
  Model model = Model::text(sliding_block(
      "law axes(mu1, mu2) { force T[2]  slip in normal_cone(box(mu1*N, mu2*N), -T) }", "law axes(0.5, 0.2)"));
  const Trajectory run = model.run();
  CHECK(max_error(run, "x'", [](double t) { return std::max(0.0, 3 - 0.5 * g * t); }) < 1e-9);
  CHECK(max_error(run, "y'", [](double t) { return std::max(0.0, 1 - 0.2 * g * t); }) < 1e-9);
}

TEST_CASE("laws: tangential restitution, the superball") {
  // A disc with radius R and inertia k m R^2 hits the floor with (vx, vy, omega); friction is large, so both contact
  // velocities are reversed: gamma+ = -e gamma-. slip = vx + R omega, Lambda_T = -(1 + e_T) slip/(1/m + R^2/J).
  const double m = 0.05, R = 0.02, J = 0.4 * m * R * R, eN = 0.9, eT = 0.7, vx = 2, omega = 30;
  Model model = Model::text(R"(
param m = 0.05 [kg]
param R = 0.02 [m]
param J = 0.4*m*R^2
param mu = 10
coord x [m] = 0
coord y [m] = 0.0505
coord phi [rad] = 0
initial x' = 2 [m/s]
initial y' = -3 [m/s]
initial phi' = 30 [rad/s]
kinetic m/2*(x'^2 + y'^2) + J/2*phi'^2
contact floor {
  gap y - R
  slip x' + R*phi'
  law unilateral(restitution = 0.9)
  law coulomb(mu, restitution = 0.7)
}
simulate { until 0.02 [s]  step 1e-3 [s] }
)");
  const Trajectory run = model.run();
  const double slip = vx + R * omega;
  const double LambdaT = -(1 + eT) * slip / (1 / m + R * R / J);
  CHECK(run.last("y'") == doctest::Approx(3 * eN).epsilon(1e-9));
  CHECK(run.last("x'") == doctest::Approx(vx + LambdaT / m).epsilon(1e-9));
  CHECK(run.last("phi'") == doctest::Approx(omega + R * LambdaT / J).epsilon(1e-9));
  CHECK(run.last("x'") + R * run.last("phi'") == doctest::Approx(-eT * slip).epsilon(1e-9));

  // With little friction the disc slips through the impact: Lambda_T = -mu Lambda_N.
  const Trajectory slippery = model.run({{"mu", 0.1}});
  const double LambdaN = m * 3 * (1 + eN);
  CHECK(slippery.last("x'") == doctest::Approx(vx - 0.1 * LambdaN / m).epsilon(1e-9));
  CHECK(slippery.last("phi'") == doctest::Approx(omega - R * 0.1 * LambdaN / J).epsilon(1e-9));
}
