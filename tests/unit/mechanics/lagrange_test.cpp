// M and h in plain coordinates: against textbook results, and against the Euler-Lagrange operator of L = T - V taken
// by finite differences of a function written here.
#include "tests/unit/mechanics/derived_model.hpp"

using namespace nsmc;
using namespace nsmc::test;

namespace {

using Vector = std::vector<long double>;
using Lagrangian = std::function<long double(const Vector& q, const Vector& u, long double t)>;

// d/dt dL/du_i - dL/dq_i along the motion q + u s + a s^2/2, at s = 0.
std::vector<double> euler_lagrange(const Lagrangian& L, const Point& x, const std::vector<double>& a) {
  constexpr long double h = 2e-3L;  // fourth order twice: 1e-11 from truncation, 1e-13 from rounding
  const std::size_t n = x.q.size();
  std::vector<double> result;
  for (std::size_t i = 0; i < n; ++i) {
    const auto momentum = [&](long double s) {
      Vector q(n), u(n);
      for (std::size_t j = 0; j < n; ++j) {
        q[j] = x.q[j] + s * x.u[j] + s * s * a[j] / 2;
        u[j] = x.u[j] + s * a[j];
      }
      return slope(
          [&](long double d) {
            Vector moved = u;
            moved[i] += d;
            return L(q, moved, x.t + s);
          },
          h);
    };
    const long double gradient = slope(
        [&](long double d) {
          Vector q(x.q.begin(), x.q.end());
          q[i] += d;
          return L(q, Vector(x.u.begin(), x.u.end()), x.t);
        },
        h);
    result.push_back(static_cast<double>(slope(momentum, h) - gradient));
  }
  return result;
}

// M a - h = d/dt dL/du - dL/dq - Q for any acceleration a.
void check_against(const Lagrangian& L, const DerivedModel& model,
                   const std::function<std::vector<double>(const Point&)>& Q = {}) {
  Random random(1788);
  for (int trial = 0; trial < 20; ++trial) {
    const Point x = model.random_point(random);
    const std::size_t n = x.q.size();
    const std::vector<double> a = random.vector(n, -3, 3);
    std::vector<double> expected = euler_lagrange(L, x, a);
    if (Q) {
      const std::vector<double> forces = Q(x);
      for (std::size_t i = 0; i < n; ++i) expected[i] -= forces[i];
    }
    const std::vector<double> M = model.at(x, model.equations().blocks[0].M);
    std::vector<double> actual = model.at(x, model.equations().blocks[0].h);
    for (std::size_t i = 0; i < n; ++i) {
      actual[i] = -actual[i];
      for (std::size_t j = 0; j < n; ++j) actual[i] += M[i * n + j] * a[j];
    }
    check_near(actual, expected, 1e-8);
  }
}

}  // namespace

TEST_CASE("a pendulum: M and h as in the textbook") {
  const DerivedModel model(R"(
    model pendulum
    param m = 2  param l = 0.7  param g = 9.81  param d = 0.3
    coord phi = 0.2
    kinetic m/2*l^2*phi'^2
    potential -m*g*l*cos(phi)
    dissipation d/2*phi'^2
    force phi : sin(3*t)
  )");
  Random random(1);
  for (int trial = 0; trial < 10; ++trial) {
    const Point x = model.random_point(random);
    check_near(model.at(x, model.equations().blocks[0].M), {2 * 0.49});
    check_near(model.at(x, model.equations().blocks[0].h),
               {-2 * 9.81 * 0.7 * std::sin(x.q[0]) - 0.3 * x.u[0] + std::sin(3 * x.t)});
  }
  CHECK(model.equations().blocks[0].contributions.size() == 3);
  CHECK(model.equations().blocks[0].identity_kinematics);
}

TEST_CASE("a double pendulum: M and h as in the textbook") {
  const DerivedModel model(R"(
    model double_pendulum
    param m1 = 1.3  param m2 = 0.8  param l1 = 0.9  param l2 = 0.6  param g = 9.81
    coord a  coord b
    let x1 = l1*sin(a)       let y1 = -l1*cos(a)
    let x2 = x1 + l2*sin(b)  let y2 = y1 - l2*cos(b)
    kinetic m1/2*(x1'^2 + y1'^2) + m2/2*(x2'^2 + y2'^2)
    potential m1*g*y1 + m2*g*y2
  )");
  const double m1 = 1.3, m2 = 0.8, l1 = 0.9, l2 = 0.6, g = 9.81;
  Random random(2);
  for (int trial = 0; trial < 10; ++trial) {
    const Point x = model.random_point(random);
    const double a = x.q[0], b = x.q[1], c = m2 * l1 * l2 * std::cos(a - b), s = m2 * l1 * l2 * std::sin(a - b);
    check_near(model.at(x, model.equations().blocks[0].M), {(m1 + m2) * l1 * l1, c, c, m2 * l2 * l2});
    check_near(model.at(x, model.equations().blocks[0].h), {-s * x.u[1] * x.u[1] - (m1 + m2) * g * l1 * std::sin(a),
                                                            s * x.u[0] * x.u[0] - m2 * g * l2 * std::sin(b)});
  }
}

TEST_CASE("a spherical pendulum with a moving length: Euler-Lagrange by finite differences") {
  const DerivedModel model(R"(
    model spherical
    param m = 1.5  param g = 9.81  param k = 12
    coord r = 1  coord th = 1  coord ph
    kinetic m/2*(r'^2 + r^2*th'^2 + (r*sin(th)*ph')^2)
    potential -m*g*r*cos(th) + k/2*(r - 1)^2
  )");
  const long double m = 1.5L, g = 9.81L, k = 12;
  check_against(
      [&](const Vector& q, const Vector& u, long double) {
        const long double across = q[0] * std::sin(q[1]) * u[2];
        return m / 2 * (u[0] * u[0] + q[0] * q[0] * u[1] * u[1] + across * across) + m * g * q[0] * std::cos(q[1]) -
               k / 2 * (q[0] - 1) * (q[0] - 1);
      },
      model);
}

TEST_CASE("a driven pivot: terms of T that are linear in the velocities and free of them") {
  // The pivot moves as (X, Y)(t): T1 = m l phi' (X' cos phi + Y' sin phi) with coefficients in t, T0 = m/2 (X'^2 +
  // Y'^2). The bead on the rotating rod adds a T0 that depends on q, the centrifugal potential.
  const DerivedModel model(R"(
    model driven
    param m = 1.1  param l = 0.8  param g = 9.81  param W = 3
    coord phi  coord s
    let X = 0.3*sin(2*t)  let Y = 0.2*cos(5*t)
    let x = X + l*sin(phi)  let y = Y - l*cos(phi)
    kinetic m/2*(x'^2 + y'^2)
    let bx = s*cos(W*t + phi)  let by = s*sin(W*t + phi) + X
    kinetic m/2*(bx'^2 + by'^2)
    potential m*g*y
  )");
  const long double m = 1.1L, l = 0.8L, g = 9.81L, W = 3;
  check_against(
      [&](const Vector& q, const Vector& u, long double t) {
        const long double X1 = 0.6L * std::cos(2 * t), Y1 = -1.0L * std::sin(5 * t), Y = 0.2L * std::cos(5 * t);
        const long double vx = X1 + l * std::cos(q[0]) * u[0], vy = Y1 + l * std::sin(q[0]) * u[0];
        const long double angle = W * t + q[0], rate = W + u[0];
        const long double bx = u[1] * std::cos(angle) - q[1] * rate * std::sin(angle);
        const long double by = u[1] * std::sin(angle) + q[1] * rate * std::cos(angle) + X1;
        return m / 2 * (vx * vx + vy * vy + bx * bx + by * by) - m * g * (Y - l * std::cos(q[0]));
      },
      model);
}

TEST_CASE("a time-dependent mass matrix: M changes at fixed q") {
  const DerivedModel model(R"(
    model leaking
    param m = 2
    coord x  coord y
    kinetic m/2*exp(-t)*(x'^2 + y'^2) + 0.3*sin(t + x)*x'*y'
  )");
  check_against(
      [](const Vector& q, const Vector& u, long double t) {
        return std::exp(-t) * (u[0] * u[0] + u[1] * u[1]) + 0.3L * std::sin(t + q[0]) * u[0] * u[1];
      },
      model);
}

TEST_CASE("forces: on coordinates, as vectors, and from dissipation, all in one sum") {
  const DerivedModel model(R"(
    model forces
    param c = 0.4
    coord x  coord y
    kinetic x'^2 + y'^2/2
    potential x^2*y
    dissipation c/2*(x' - y')^2 + c/4*x'^4
    force y : 3*x*t
    force y : -y'
    force [x*y', 2]
  )");
  check_against(
      [](const Vector& q, const Vector& u, long double) { return u[0] * u[0] + u[1] * u[1] / 2 - q[0] * q[0] * q[1]; },
      model,
      [](const Point& x) {
        const double d = 0.4 * (x.u[0] - x.u[1]);
        return std::vector<double>{-d - 0.4 * x.u[0] * x.u[0] * x.u[0] + x.q[0] * x.u[1],
                                   d + 3 * x.q[0] * x.t - x.u[1] + 2};
      });
}

TEST_CASE("mass given outright: M is what was written, h has the forces alone") {
  const DerivedModel model(R"(
    model outright
    param J = 3
    coord x  coord y
    mass [[2 + cos(x), 0.5], [0.5, J]]
    force [-x - y', 7*t]
    potential y^2
  )");
  Random random(3);
  for (int trial = 0; trial < 5; ++trial) {
    const Point x = model.random_point(random);
    check_near(model.at(x, model.equations().blocks[0].M), {2 + std::cos(x.q[0]), 0.5, 0.5, 3});
    check_near(model.at(x, model.equations().blocks[0].h), {-x.q[0] - x.u[1], 7 * x.t - 2 * x.q[1]});
    const double kinetic =
        0.5 * (2 + std::cos(x.q[0])) * x.u[0] * x.u[0] + 0.5 * x.u[0] * x.u[1] + 1.5 * x.u[1] * x.u[1];
    CHECK(near(model.at(x, model.equations().blocks[0].kinetic), kinetic));
  }
}
