// Boltzmann-Hamel equations: velocities that are no derivatives of coordinates.
#include "tests/unit/mechanics/derived_model.hpp"

using namespace nsmc;
using namespace nsmc::test;

namespace {

std::vector<double> acceleration(const DerivedModel& model, const Point& x) {
  return solve(model.at(x, model.equations().blocks[0].M), model.at(x, model.equations().blocks[0].h));
}

}  // namespace

// A body whose centre of mass lies d ahead of its reference point; forces from a spring, gravity, a drag and a pull.
TEST_CASE("a planar body in body-frame velocities moves as in plain coordinates") {
  const std::string common = R"(
    param m = 1.7  param J = 0.6  param d = 0.35  param g = 9.81  param k = 4
    coord x  coord y  coord psi
    potential m*g*(y + d*sin(psi)) + k/2*(x^2 + y^2)
    force x : -0.2*t
    force psi : 1.5*cos(psi)
  )";
  const DerivedModel quasi("model quasi" + common + R"(
    velocity vx  velocity vy  velocity omega
    kinematics x' = vx*cos(psi) - vy*sin(psi)
    kinematics y' = vx*sin(psi) + vy*cos(psi)
    kinematics psi' = omega
    kinetic m/2*(vx^2 + (vy + d*omega)^2) + J/2*omega^2
    dissipation 0.3*(vx^2 + 2*vy^2)
  )");
  const DerivedModel plain("model plain" + common + R"(
    let cx = x + d*cos(psi)  let cy = y + d*sin(psi)
    kinetic m/2*(cx'^2 + cy'^2) + J/2*psi'^2
    let ahead = x'*cos(psi) + y'*sin(psi)  let across = -x'*sin(psi) + y'*cos(psi)
    dissipation 0.3*(ahead^2 + 2*across^2)
  )");
  CHECK_FALSE(quasi.equations().blocks[0].identity_kinematics);
  const double m = 1.7, J = 0.6, d = 0.35;
  Random random(4);
  for (int trial = 0; trial < 20; ++trial) {
    const Point x = quasi.random_point(random);
    const double c = std::cos(x.q[2]), s = std::sin(x.q[2]), vx = x.u[0], vy = x.u[1], omega = x.u[2];
    check_near(quasi.at(x, quasi.equations().blocks[0].M), {m, 0, 0, 0, m, m * d, 0, m * d, J + m * d * d});

    // p' = (omega p_y, -omega p_x, v_y p_x - v_x p_y) + F^T Q
    const double px = m * vx, py = m * (vy + d * omega);
    const double Qx = -4 * x.q[0] - 0.2 * x.t, Qy = -m * 9.81 - 4 * x.q[1], Qpsi = -m * 9.81 * d * c + 1.5 * c;
    check_near(
        quasi.at(x, quasi.equations().blocks[0].h),
        {omega * py + c * Qx + s * Qy - 0.6 * vx, -omega * px - s * Qx + c * Qy - 1.2 * vy, vy * px - vx * py + Qpsi});

    Point same = x;
    same.u = quasi.at(x, quasi.equations().blocks[0].q_dot);
    check_near(same.u, {vx * c - vy * s, vx * s + vy * c, omega});
    const std::vector<double> q2 = acceleration(plain, same);
    const std::vector<double> a = acceleration(quasi, x);
    // q'' = F u' + F' u
    check_near({a[0] * c - a[1] * s - omega * same.u[1], a[0] * s + a[1] * c + omega * same.u[0], a[2]}, q2, 1e-11);
  }
}

TEST_CASE("body angular velocities in Euler angles: Euler's equations of the rigid body") {
  const DerivedModel model(R"(
    model rigid
    param A = 0.7  param B = 1.1  param C = 1.6  param mgl = 2.5
    coord phi  coord theta = 1  coord psi
    velocity w1  velocity w2  velocity w3
    kinematics phi' = (w1*sin(psi) + w2*cos(psi))/sin(theta)
    kinematics theta' = w1*cos(psi) - w2*sin(psi)
    kinematics psi' = w3 - (w1*sin(psi) + w2*cos(psi))*cos(theta)/sin(theta)
    kinetic A/2*w1^2 + B/2*w2^2 + C/2*w3^2
    potential mgl*cos(theta)
    force w3 : -0.1*w3
  )");
  const double A = 0.7, B = 1.1, C = 1.6, mgl = 2.5;
  Random random(5);
  for (int trial = 0; trial < 20; ++trial) {
    Point x = model.random_point(random);
    x.q[1] = random.in(0.3, 2.8);
    const double w1 = x.u[0], w2 = x.u[1], w3 = x.u[2], torque = mgl * std::sin(x.q[1]);
    check_near(model.at(x, model.equations().blocks[0].M), {A, 0, 0, 0, B, 0, 0, 0, C});
    check_near(model.at(x, model.equations().blocks[0].h),
               {(B - C) * w2 * w3 + torque * std::cos(x.q[2]), (C - A) * w3 * w1 - torque * std::sin(x.q[2]),
                (A - B) * w1 * w2 - 0.1 * w3},
               1e-11);
  }
}

TEST_CASE("kinematics that depend on time: the rate of F enters") {
  // A particle in velocities along axes that turn with W.
  const DerivedModel model(R"(
    model turning
    param m = 2  param W = 1.5
    coord x  coord y
    velocity v1  velocity v2
    kinematics x' = v1*cos(W*t) - v2*sin(W*t)
    kinematics y' = v1*sin(W*t) + v2*cos(W*t)
    kinetic m/2*(v1^2 + v2^2)
  )");
  Random random(6);
  for (int trial = 0; trial < 10; ++trial) {
    const Point x = model.random_point(random);
    check_near(model.at(x, model.equations().blocks[0].h), {2 * 1.5 * x.u[1], -2 * 1.5 * x.u[0]});
  }
}

TEST_CASE("a quasi-velocity beside plain coordinates: only its own rows change") {
  // y' = v/(1 + y^2): p = v is conserved in the time of v, T = v^2/2 means y'' (1 + y^2)^2 + 2 y (1 + y^2) y'^2 = 0.
  const DerivedModel model(R"(
    model mixed
    coord x  coord y
    velocity v
    kinematics y' = v/(1 + y^2)
    kinetic x'^2/2 + v^2/2 + x*v
  )");
  const DerivedModel plain(R"(
    model plain
    coord x  coord y
    let v = y'*(1 + y^2)
    kinetic x'^2/2 + v^2/2 + x*v
  )");
  Random random(7);
  std::size_t iv = 0, ix = 0;
  for (std::size_t i = 0; i < 2; ++i) (model.equations().blocks[0].u[i].name == "v" ? iv : ix) = i;
  REQUIRE(iv != ix);
  for (int trial = 0; trial < 10; ++trial) {
    const Point x = model.random_point(random);
    const std::vector<double> a = acceleration(model, x);
    const double y = x.q[1], scale = 1 + y * y, rate = x.u[iv] / scale;
    Point same = x;
    same.u = {x.u[ix], rate};
    const std::vector<double> q2 = acceleration(plain, same);
    check_near({a[ix], a[iv] / scale - 2 * y * rate * rate / scale}, q2, 1e-11);
  }
}
