// Contacts: gamma = W^T u + chi, and zeta, the rate of gamma at fixed u, by finite differences along q' = F u of
// functions written here.
#include "tests/unit/mechanics/derived_model.hpp"

using namespace nsmc;
using namespace nsmc::test;

namespace {

using Vector = std::vector<long double>;

// gamma of a contact as the test knows it, at extended precision.
using ContactVelocity = std::function<long double(const Vector& q, const Vector& u, long double t)>;

// Moves along q' = q_dot at fixed u.
long double rate(const ContactVelocity& f, const Point& x, const std::vector<double>& q_dot) {
  const Vector u(x.u.begin(), x.u.end());
  return slope(
      [&](long double s) {
        Vector q(x.q.begin(), x.q.end());
        for (std::size_t i = 0; i < q.size(); ++i) q[i] += s * q_dot[i];
        return f(q, u, x.t + s);
      },
      1e-3L);
}

void check_contact(const DerivedModel& model, std::size_t index, const std::vector<ContactVelocity>& gamma) {
  const ContactEquation& c = model.contact(index);
  const std::size_t n = model.equations().blocks[0].u.size();
  REQUIRE(c.gamma.size() == gamma.size());
  REQUIRE(c.W.rows == n);
  REQUIRE(c.W.cols == gamma.size());
  Random random(11);
  for (int trial = 0; trial < 20; ++trial) {
    const Point x = model.random_point(random);
    const Vector q(x.q.begin(), x.q.end()), u(x.u.begin(), x.u.end());
    const std::vector<double> q_dot = model.at(x, model.equations().blocks[0].q_dot);
    const std::vector<double> W = model.at(x, c.W);
    const std::vector<double> chi = model.at(x, c.chi),
                              zeta = model.at(x, zeta_of(model.pool, model.equations(), c.references, c.gamma)),
                              value = model.at(x, c.gamma);
    for (std::size_t row = 0; row < gamma.size(); ++row) {
      CAPTURE(c.velocity_names[row]);
      const auto expected = static_cast<double>(gamma[row](q, u, x.t));
      CHECK(near(value[row], expected));
      CHECK(near(chi[row], static_cast<double>(gamma[row](q, Vector(n, 0), x.t))));
      double sum = chi[row];
      for (std::size_t i = 0; i < n; ++i) {
        Vector unit(n, 0);
        unit[i] = 1;
        CHECK(near(W[i * gamma.size() + row],
                   static_cast<double>(gamma[row](q, unit, x.t) - gamma[row](q, Vector(n, 0), x.t))));
        sum += W[i * gamma.size() + row] * x.u[i];
      }
      CHECK(near(sum, expected));
      CHECK(near(zeta[row], static_cast<double>(rate(gamma[row], x, q_dot)), 1e-9));
    }
  }
}

}  // namespace

TEST_CASE("a moving gap and slips on it: W, chi, zeta") {
  const DerivedModel model(R"(
    model table
    param A = 0.2  param w = 3  param r = 0.4
    coord x  coord z  coord phi
    kinetic x'^2/2 + z'^2/2 + phi'^2/10
    contact table {
      gap z*cos(x) - A*sin(w*t)*x
      slip [x' + r*phi'*cos(phi) - A*w*cos(w*t), x*z' + t]
      spin phi' - w + x*phi'
      law unilateral
      law coulomb(0.3)
    }
  )");
  const long double A = 0.2L, w = 3, r = 0.4L;
  const ContactVelocity gap_rate = [&](const Vector& q, const Vector& u, long double t) {
    return u[1] * std::cos(q[0]) - q[1] * std::sin(q[0]) * u[0] - A * std::sin(w * t) * u[0] -
           A * w * std::cos(w * t) * q[0];
  };
  check_contact(model, 0,
                {gap_rate,
                 [&](const Vector& q, const Vector& u, long double t) {
                   return u[0] + r * u[2] * std::cos(q[2]) - A * w * std::cos(w * t);
                 },
                 [&](const Vector& q, const Vector& u, long double t) { return q[0] * u[1] + t; },
                 [&](const Vector& q, const Vector& u, long double) { return u[2] - w + q[0] * u[2]; }});
  CHECK(model.contact().velocity_names == std::vector<std::string>{"gap'", "slip[1]", "slip[2]", "spin"});
  CHECK_FALSE(model.contact().always_closed);

  // gap' is the derivative of the gap itself.
  const ContactVelocity gap = [&](const Vector& q, const Vector&, long double t) {
    return q[1] * std::cos(q[0]) - A * std::sin(w * t) * q[0];
  };
  Random random(12);
  const Point x = model.random_point(random);
  CHECK(near(model.at(x, model.contact().gap[0]), static_cast<double>(gap({x.q[0], x.q[1], x.q[2]}, {}, x.t))));
  CHECK(near(model.at(x, model.contact().gamma[0]), static_cast<double>(rate(gap, x, x.u)), 1e-9));
}

TEST_CASE("contacts in quasi-velocities: W belongs to u, zeta follows q' = F u") {
  const DerivedModel model(R"(
    model wheel
    coord x  coord y  coord psi
    velocity v1  velocity v2  velocity w
    kinematics x' = v1*cos(psi) - v2*sin(psi)
    kinematics y' = v1*sin(psi) + v2*cos(psi)
    kinematics psi' = w
    kinetic v1^2/2 + v2^2/2 + w^2/2
    contact wall { gap 2 - x - 0.3*sin(psi)  slip y' + 0.3*w  law unilateral  law coulomb(0.2) }
    constraint skate { slip v2 + 0.1*w*x }
  )");
  const auto x_dot = [](const Vector& q, const Vector& u) { return u[0] * std::cos(q[2]) - u[1] * std::sin(q[2]); };
  const auto y_dot = [](const Vector& q, const Vector& u) { return u[0] * std::sin(q[2]) + u[1] * std::cos(q[2]); };
  check_contact(
      model, 0,
      {[&](const Vector& q, const Vector& u, long double) { return -x_dot(q, u) - 0.3L * std::cos(q[2]) * u[2]; },
       [&](const Vector& q, const Vector& u, long double) { return y_dot(q, u) + 0.3L * u[2]; }});
  check_contact(model, 1, {[](const Vector& q, const Vector& u, long double) { return u[1] + 0.1L * u[2] * q[0]; }});
  CHECK_FALSE(model.contact(0).always_closed);
  CHECK(model.contact(1).always_closed);
  CHECK(model.contact(1).laws.size() == 1);
}

TEST_CASE("a constraint with a gap is closed always, whatever the gap") {
  const DerivedModel model(R"(
    model rod
    coord x = 1  coord y
    kinetic x'^2/2 + y'^2/2
    constraint rod { gap x^2 + y^2 - (1 + 0.1*sin(t))^2 }
  )");
  check_contact(model, 0, {[](const Vector& q, const Vector& u, long double t) {
                  return 2 * q[0] * u[0] + 2 * q[1] * u[1] - 0.2L * (1 + 0.1L * std::sin(t)) * std::cos(t);
                }});
  CHECK(model.contact().always_closed);
  REQUIRE(model.law(0).sets.size() == 1);
  CHECK(model.pool.value(model.law(0).sets[0].arguments[0]) == -HUGE_VAL);
  CHECK(model.pool.value(model.law(0).sets[0].arguments[1]) == HUGE_VAL);
}
