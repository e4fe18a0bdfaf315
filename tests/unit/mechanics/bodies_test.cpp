// Bodies: M, h, F by the formulas of the textbooks; forces and springs by their virtual power; energies by their
// gradient; contacts and joints by finite differences of gaps and by the velocities of points.
#include "compiler/codegen/kernels.hpp"
#include "tests/unit/mechanics/body_state.hpp"

#include <doctest/doctest.h>

using namespace nsmc;
using namespace nsmc::test;

namespace {

// The power of all smooth forces on all instances: h . u of the blocks and the elements.
double power(const BodyState& x) {
  const Equations& e = x.model->equations();
  double sum = 0;
  for (std::size_t b = 0; b < e.blocks.size(); ++b) {
    for (std::size_t k = 0; k < x.u[b].size(); ++k) {
      BodyState seen = x;
      seen.self = e.blocks[b].instances.self(k);
      sum += dot(seen.at(e.blocks[b].h), x.u[b][k]);
    }
  }
  for (const ElementEquation& element : e.elements) {
    for (std::size_t k = 0; k < element.instances.count(); ++k) {
      BodyState seen = x;
      seen.self = element.instances.self(k);
      for (std::size_t r = 0; r < element.references.size(); ++r) {
        sum += dot(seen.at(element.h[r]), velocities_of(seen, {element.references[r]}));
      }
    }
  }
  return sum;
}

double potential(const BodyState& x) {
  const Equations& e = x.model->equations();
  double sum = 0;
  for (std::size_t b = 0; b < e.blocks.size(); ++b) {
    for (std::size_t k = 0; k < x.u[b].size(); ++k) {
      BodyState seen = x;
      seen.self = e.blocks[b].instances.self(k);
      sum += seen.at(e.blocks[b].potential);
    }
  }
  for (const ElementEquation& element : e.elements) {
    for (std::size_t k = 0; k < element.instances.count(); ++k) {
      BodyState seen = x;
      seen.self = element.instances.self(k);
      sum += seen.at(element.potential);
    }
  }
  return sum;
}

// Forces of the smooth part without inertia: gyroscopic terms have no power, so h . u is theirs alone.
void check_power(const DerivedModel& model, const std::function<double(const BodyState&)>& expected) {
  Random random(3);
  for (int trial = 0; trial < 10; ++trial) {
    const BodyState x = random_state(model, random);
    const double value = expected(x);
    CAPTURE(value);
    CHECK(near(power(x), value, 1e-6));
  }
}

// Row by row: gamma = W^T u + chi, and the expected velocity.
void check_gamma(const DerivedModel& model, const std::function<std::vector<double>(const BodyState&)>& expected,
                 std::size_t contact = 0, std::size_t instance = 0) {
  Random random(5);
  const ContactEquation& c = model.contact(contact);
  for (int trial = 0; trial < 10; ++trial) {
    BodyState x = random_state(model, random);
    x.self = c.instances.self(instance);
    const std::vector<double> gamma = x.at(c.gamma), chi = x.at(c.chi), W = x.at(c.W.entries), wanted = expected(x);
    const std::vector<double> u = velocities_of(x, c.references);
    REQUIRE(c.W.rows == u.size());
    REQUIRE(wanted.size() == gamma.size());
    for (std::size_t row = 0; row < gamma.size(); ++row) {
      CAPTURE(c.velocity_names[row]);
      double sum = chi[row];
      for (std::size_t i = 0; i < u.size(); ++i) sum += W[i * c.W.cols + row] * u[i];
      CHECK(near(sum, gamma[row], 1e-10));
      CHECK(near(gamma[row], wanted[row], 1e-7));
    }
  }
}

void holds_at_the_start(const DerivedModel& model) {
  const std::vector<double> p = parameter_values(model.pool, model.equations(), {});
  const StartView start(model.pool, model.equations(), p, {});
  for (const sym::Expr gap : model.contact().gap) CHECK(near(sym::evaluate(model.pool, gap, start), 0, 1e-12));
}

// The gaps of a joint and their rates: the derivative of each gap along the motion is its row of gamma.
void check_joint(const DerivedModel& model) {
  check_gamma(model, [&](const BodyState& x) {
    const ContactEquation& c = model.contact();
    std::vector<double> rates;
    for (std::size_t row = 0; row < c.gap.size(); ++row) {
      rates.push_back(rate_of(x, [&](const BodyState& y) { return y.at(c.gap[row]); }));
    }
    const std::vector<double> gamma = x.at(c.gamma);  // the slip is looked at elsewhere
    rates.insert(rates.end(), gamma.begin() + static_cast<std::ptrdiff_t>(rates.size()), gamma.end());
    return rates;
  });
}

std::vector<double> quaternion(const V3& axis, double angle) {
  const V3 a = (1 / norm(axis)) * axis;
  return {std::cos(angle / 2), std::sin(angle / 2) * a[0], std::sin(angle / 2) * a[1], std::sin(angle / 2) * a[2]};
}

// Turns by `angle` about a line through p.
std::vector<double> turned_about(const V3& p, const V3& axis, double angle, const V3& from) {
  const std::vector<double> e = quaternion(axis, angle);
  std::vector<double> q{0, 0, 0, e[0], e[1], e[2], e[3]};
  const V3 x = p + turned(q, from - p);
  std::copy(x.begin(), x.end(), q.begin());
  return q;
}

}  // namespace

TEST_CASE("a rigid body: M, h and F are those of Newton and Euler") {
  const DerivedModel model(R"(
    param m = 3
    gravity [0.5, 1, -9.81]
    body top = rigid(mass = m, inertia = [[2, 0.1, 0.2], [0.1, 1.5, -0.3], [0.2, -0.3, 1]])
  )");
  const double J[3][3] = {{2, 0.1, 0.2}, {0.1, 1.5, -0.3}, {0.2, -0.3, 1}};
  const BlockEquation& block = model.equations().blocks[0];
  CHECK(block.quaternion == 3);
  Random random(1);
  for (int trial = 0; trial < 10; ++trial) {
    const BodyState x = random_state(model, random);
    const std::vector<double> M = x.at(block.M.entries);
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = 0; j < 6; ++j) {
        const double expected = i < 3 && i == j ? 3 : i >= 3 && j >= 3 ? J[i - 3][j - 3] : 0;
        CHECK(near(M[6 * i + j], expected));
      }
    }
    const V3 w{x.u[0][0][3], x.u[0][0][4], x.u[0][0][5]};
    V3 L{};
    for (std::size_t i = 0; i < 3; ++i) L[i] = J[i][0] * w[0] + J[i][1] * w[1] + J[i][2] * w[2];
    const V3 gyroscopic = cross(w, L);
    check_near(x.at(block.h), {3 * 0.5, 3, 3 * -9.81, -gyroscopic[0], -gyroscopic[1], -gyroscopic[2]}, 1e-10);
    // q' = F u: the quaternion turns with the spin in the frame of the body, e' = e w/2.
    const std::vector<double>& q = x.q[0][0];
    const std::vector<double> rate = x.at(block.q_dot), F = x.at(block.F.entries);
    const V3 e{q[4], q[5], q[6]};
    const V3 vector = 0.5 * (q[3] * w + cross(e, w));
    check_near(rate, {x.u[0][0][0], x.u[0][0][1], x.u[0][0][2], -0.5 * dot(e, w), vector[0], vector[1], vector[2]});
    for (std::size_t i = 0; i < 7; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < 6; ++j) sum += F[6 * i + j] * x.u[0][0][j];
      CHECK(near(sum, rate[i]));
    }
    // The point of the body moves as its velocity says.
    const V3 s{0.3, -0.2, 0.5};
    for (std::size_t i = 0; i < 3; ++i) {
      const double moved_by = rate_of(x, [&](const BodyState& y) { return placed(y.q[0][0], s)[i]; });
      CHECK(near(moved_by, velocity_at(q, x.u[0][0], placed(q, s))[i], 1e-8));
    }
    const V3 v{x.u[0][0][0], x.u[0][0][1], x.u[0][0][2]};
    CHECK(near(x.at(block.kinetic), 1.5 * dot(v, v) + 0.5 * dot(w, L), 1e-10));
  }
}

TEST_CASE("planar bodies and points: M, h, F") {
  const DerivedModel model(R"(
    gravity [0, -9.81]
    body link = planar(mass = 2, inertia = 0.5)
    body ball = point(mass = 3, position = [0, 1])
  )");
  Random random(2);
  const BodyState x = random_state(model, random);
  const BlockEquation& link = model.equations().blocks[0];
  const BlockEquation& ball = model.equations().blocks[1];
  check_near(x.at(link.M.entries), {2, 0, 0, 0, 2, 0, 0, 0, 0.5});
  check_near(x.at(link.h), {0, -2 * 9.81, 0});
  CHECK(link.identity_kinematics);
  check_near(x.at(ball.M.entries), {3, 0, 0, 3});
  check_near(x.at(ball.h), {0, -3 * 9.81});
}

TEST_CASE("a force at a point and a torque: their power is that at the point") {
  const DerivedModel model(R"(
    body top = rigid(mass = 1, inertia = [1, 1, 1])
    force top at [0.1, 0.2, 0.3] : [1, -2, t]
    torque top : [0.5, top.position[1], -1]
    force top : [0, 0, 4]
  )");
  check_power(model, [](const BodyState& x) {
    const auto& q = x.q[0][0];
    const V3 p = placed(q, {0.1, 0.2, 0.3});
    V3 v{};
    for (std::size_t i = 0; i < 3; ++i) {
      v[i] = rate_of(x, [&](const BodyState& y) { return placed(y.q[0][0], {0.1, 0.2, 0.3})[i]; });
      CHECK(near(v[i], velocity_at(q, x.u[0][0], p)[i], 1e-8));
    }
    return dot(v, V3{1, -2, x.t}) + dot(spin(q, x.u[0][0]), V3{0.5, q[0], -1}) + 4 * x.u[0][0][2];
  });
}

TEST_CASE("planar: a force at a point and a torque") {
  const DerivedModel model(R"(
    body link[i in 1..2] = planar(mass = 1, inertia = 1)
    force link[2] at [0.1, 0.2] : [1, -2]
    torque link[i] : i for i in 1..2
  )");
  check_power(model, [](const BodyState& x) {
    double sum = x.u[0][0][2] + 2 * x.u[0][1][2];
    for (std::size_t i = 0; i < 2; ++i) {
      sum += (i == 0 ? 1 : -2) * rate_of(x, [&](const BodyState& y) { return placed2(y.q[0][1], {0.1, 0.2})[i]; });
    }
    return sum;
  });
}

TEST_CASE("springs and dampers: the power is minus the rate of the energy") {
  const DerivedModel model(R"(
    body a = rigid(mass = 1, inertia = [1, 1, 1])
    body b = rigid(mass = 1, inertia = [1, 1, 1], position = [1, 0, 0])
    spring s between a.point([0.1, 0, 0.2]) and b.point([0, 0.3, 0]) stiffness 20 length 0.5 damping 3
    spring free between a.position and world.point([0, 0, 1]) stiffness 7
    damper d between b.position and world.point([0, 0, 1]) damping 2
  )");
  REQUIRE(model.equations().elements.size() == 2);  // stiffness and damping between a and b; the others act on one body
  const auto length = [](const BodyState& x) {
    return norm(placed(x.q[1][0], {0, 0.3, 0}) - placed(x.q[0][0], {0.1, 0, 0.2}));
  };
  const auto to_world = [](const BodyState& x) { return norm(centre(x.q[1][0]) - V3{0, 0, 1}); };
  const auto energy = [&](const BodyState& x) {
    const V3 away = centre(x.q[0][0]) - V3{0, 0, 1};
    return 10 * std::pow(length(x) - 0.5, 2) + 3.5 * dot(away, away);
  };
  check_power(model, [&](const BodyState& x) {
    CHECK(near(potential(x), energy(x), 1e-10));
    return -rate_of(x, energy) - 3 * std::pow(rate_of(x, length), 2) - 2 * std::pow(rate_of(x, to_world), 2);
  });
}

TEST_CASE("springs in joints") {
  const DerivedModel model(R"(
    body a = planar(mass = 1, inertia = 1)
    body b = planar(mass = 1, inertia = 1, position = [1, 0], angle = 0.3)
    joint knee = revolute(a, b, at = [0.5, 0])
    spring s on knee stiffness 4 angle 0.2 damping 0.5
  )");
  check_power(model, [&](const BodyState& x) {
    const auto angle = [](const BodyState& y) { return y.q[1][0][2] - y.q[0][0][2] - 0.3; };
    const auto energy = [&](const BodyState& y) { return 2 * std::pow(angle(y) - 0.2, 2); };
    CHECK(near(potential(x), energy(x)));
    return -rate_of(x, energy) - 0.5 * std::pow(rate_of(x, angle), 2);
  });
}

TEST_CASE("any potential: h is its gradient, over blocks and arrays") {
  const DerivedModel model(R"(
    param n = 4
    coord s
    coord z[i in 1..n]
    body ball[i in 1..2] = point(mass = 1)
    kinetic s'^2/2
    kinetic z[i]'^2/2 for i in 1..n
    potential sin(z[i]*s)/i for i in 1..n
    potential (z[i + 1] - z[i])^4 for i in 1..n-1
    potential z[1]*s^2 + cos(z[n])
    potential dot(ball[1].position, ball[2].position)
    potential s*ball[2].position[3]
  )");
  check_power(model, [](const BodyState& x) {
    return -rate_of(x, [](const BodyState& y) {
      const double s = y.q[0][0][0];
      double V = 0;
      for (std::size_t i = 0; i < 4; ++i) {
        V += std::sin(y.q[1][i][0] * s) / static_cast<double>(i + 1);
        if (i < 3) V += std::pow(y.q[1][i + 1][0] - y.q[1][i][0], 4);
      }
      V += y.q[1][0][0] * s * s + std::cos(y.q[1][3][0]) + dot(centre(y.q[2][0]), centre(y.q[2][1]));
      return V + s * y.q[2][1][2];
    });
  });
}

TEST_CASE("elements of an array see the right instances") {
  const DerivedModel model(R"(
    param n = 5
    body bead[i in 1..n] = point(mass = 1, position = [i, 0, 0])
    spring s[i in 1..n-1] between bead[i].position and bead[i + 1].position stiffness 10*i length 1
    output stretch[i in 2..n] = norm(bead[i].position - bead[i - 1].position)
  )");
  REQUIRE(model.equations().elements.size() == 1);
  const ElementEquation& element = model.equations().elements[0];
  CHECK(element.source == "spring s");
  CHECK(element.instances.count() == 4);
  REQUIRE(element.references.size() == 2);
  Random random(4);
  BodyState x = random_state(model, random);
  for (std::size_t k = 0; k < 4; ++k) {
    x.self = element.instances.self(k);
    std::vector<std::size_t> seen;
    for (const std::size_t r : element.references) seen.push_back(x.instance(model.equations().references[r]));
    std::sort(seen.begin(), seen.end());
    CHECK(seen == std::vector<std::size_t>{k, k + 1});
    const double length = norm(centre(x.q[0][k]) - centre(x.q[0][k + 1]));
    CHECK(near(x.at(element.potential), 5.0 * static_cast<double>(k + 1) * std::pow(length - 1, 2)));
  }
  const OutputEquation& output = model.equations().outputs[0];
  CHECK(output.name == "stretch@");
  x.self = output.instances.self(2);
  CHECK(near(x.at(output.value), norm(centre(x.q[0][3]) - centre(x.q[0][2]))));
}

TEST_CASE("sphere on sphere: gap, slip and spin from the motion of two bodies") {
  const DerivedModel model(R"(
    body a = rigid(mass = 1, inertia = [1, 1, 1])
    body b = rigid(mass = 1, inertia = [1, 1, 1])
    shape first = sphere(radius = 0.2) on a at [0.1, 0, 0.3]
    shape second = sphere(radius = 0.3) on b at [0, 0.2, 0]
    contact touch = first on second { law unilateral  law coulomb(0.3) }
  )");
  const auto gap = [](const BodyState& x) {
    return norm(placed(x.q[0][0], {0.1, 0, 0.3}) - placed(x.q[1][0], {0, 0.2, 0})) - 0.5;
  };
  CHECK(model.contact().velocity_names == std::vector<std::string>{"gap'", "slip[1]", "slip[2]", "spin"});
  check_gamma(model, [&](const BodyState& x) {
    CHECK(near(x.at(model.contact().gap[0]), gap(x), 1e-10));
    // The normal from the second to the first; the slip is the velocity of the first relative to the second.
    const auto &qa = x.q[0][0], &qb = x.q[1][0], &ua = x.u[0][0], &ub = x.u[1][0];
    const V3 ca = placed(qa, {0.1, 0, 0.3}), cb = placed(qb, {0, 0.2, 0});
    const V3 n = (1 / norm(ca - cb)) * (ca - cb);
    const V3 d = std::abs(n[0]) > 0.9 ? V3{0, 1, 0} : V3{1, 0, 0};
    const V3 along = d - dot(d, n) * n;
    const V3 t1 = (1 / norm(along)) * along;
    const V3 v = velocity_at(qa, ua, ca - 0.2 * n) - velocity_at(qb, ub, cb + 0.3 * n);
    return std::vector<double>{rate_of(x, gap), dot(t1, v), dot(cross(n, t1), v), dot(n, spin(qa, ua) - spin(qb, ub))};
  });
}

TEST_CASE("sphere on sphere: the roll is among the velocities if a law speaks of it") {
  const DerivedModel model(R"(
    body a = rigid(mass = 1, inertia = [1, 1, 1])
    body b = rigid(mass = 1, inertia = [1, 1, 1])
    shape first = sphere(radius = 0.2) on a
    shape second = sphere(radius = 0.3) on b
    contact touch = first on second { law unilateral  law rolling_friction(0.01) }
  )");
  CHECK(model.contact().velocity_names ==
        std::vector<std::string>{"gap'", "slip[1]", "slip[2]", "spin", "roll[1]", "roll[2]"});
  check_gamma(model, [&](const BodyState& x) {
    const auto &qa = x.q[0][0], &qb = x.q[1][0], &ua = x.u[0][0], &ub = x.u[1][0];
    const V3 ca = placed(qa, {0, 0, 0}), cb = placed(qb, {0, 0, 0});
    const V3 n = (1 / norm(ca - cb)) * (ca - cb);
    const V3 d = std::abs(n[0]) > 0.9 ? V3{0, 1, 0} : V3{1, 0, 0};
    const V3 along = d - dot(d, n) * n;
    const V3 t1 = (1 / norm(along)) * along, t2 = cross(n, t1);
    const V3 v = velocity_at(qa, ua, ca - 0.2 * n) - velocity_at(qb, ub, cb + 0.3 * n), w = spin(qa, ua) - spin(qb, ub);
    return std::vector<double>{dot(n, v), dot(t1, v), dot(t2, v), dot(n, w), dot(t1, w), dot(t2, w)};
  });
}

TEST_CASE("box on plane: eight corners, the plane may move") {
  const DerivedModel model(R"(
    body crate = rigid(mass = 1, inertia = [1, 1, 1])
    shape hull = box(size = [0.4, 0.6, 0.8]) on crate at [0.1, 0, 0]
    shape floor = plane(normal = [0, 1, 2]) at [0, 0, sin(t)]
    contact rest = hull on floor { law unilateral  law coulomb(0.3) }
  )");
  CHECK(model.contact().instances.count() == 8);
  const V3 n = (1 / std::sqrt(5.0)) * V3{0, 1, 2};
  for (std::size_t k = 0; k < 8; ++k) {
    const V3 corner{0.1 + ((k & 1U) != 0 ? 0.2 : -0.2), (k & 2U) != 0 ? 0.3 : -0.3, (k & 4U) != 0 ? 0.4 : -0.4};
    const auto gap = [&](const BodyState& x) { return dot(n, placed(x.q[0][0], corner) - V3{0, 0, std::sin(x.t)}); };
    check_gamma(
        model,
        [&](const BodyState& x) {
          CHECK(near(x.at(model.contact().gap[0]), gap(x), 1e-10));
          const auto &q = x.q[0][0], &u = x.u[0][0];
          const V3 v = velocity_at(q, u, placed(q, corner)) - V3{0, 0, std::cos(x.t)};
          return std::vector<double>{rate_of(x, gap), v[0], dot(cross(n, V3{1, 0, 0}), v), dot(n, spin(q, u))};
        },
        0, k);
  }
}

TEST_CASE("planar: circle and box on a line, slip along the normal turned by -90 degrees") {
  const DerivedModel model(R"(
    body a = planar(mass = 1, inertia = 1)
    shape ring = circle(radius = 0.2) on a at [0.1, 0]
    shape slab = box(size = [0.4, 0.6]) on a
    shape ground = plane(normal = [0, 1])
    contact roll = ring on ground { law unilateral  law coulomb(0.3) }
    contact rest = slab on ground { law unilateral  law coulomb(0.3) }
  )");
  check_gamma(model, [&](const BodyState& x) {
    const auto& q = x.q[0][0];
    const V2 c = placed2(q, {0.1, 0});
    return std::vector<double>{rate_of(x,
                                       [](const BodyState& y) {
                                         return placed2(y.q[0][0], {0.1, 0})[1] - 0.2;
                                       }),
                               velocity_at2(q, x.u[0][0], {c[0], c[1] - 0.2})[0]};
  });
  const std::vector<V2> corners{{-0.2, -0.3}, {0.2, -0.3}, {0.2, 0.3}, {-0.2, 0.3}};
  REQUIRE(model.contact(1).instances.count() == 4);
  for (std::size_t k = 0; k < 4; ++k) {
    check_gamma(
        model,
        [&](const BodyState& x) {
          const auto& q = x.q[0][0];
          const auto gap = [&](const BodyState& y) { return placed2(y.q[0][0], corners[k])[1]; };
          CHECK(near(x.at(model.contact(1).gap[0]), gap(x)));
          return std::vector<double>{rate_of(x, gap), velocity_at2(q, x.u[0][0], placed2(q, corners[k]))[0]};
        },
        1, k);
  }
}

TEST_CASE("contacts of all pairs of an array, of all with one, of neighbours") {
  const DerivedModel model(R"(
    param n = 4
    body grain[i in 1..n] = point(mass = 1, position = [i, 0, 0])
    shape skin[i in 1..n] = sphere(radius = 0.1*i) on grain[i]
    shape floor = plane(normal = [0, 0, 1])
    contact touch = skin[*] on skin[*] { law unilateral }
    contact rest = skin[*] on floor { law unilateral }
    contact pair = skin[i] on skin[i + 1] for i in 1..n-1 { law unilateral }
  )");
  Random random(9);
  BodyState x = random_state(model, random);
  const auto distance = [&](std::size_t i, std::size_t j) {
    return norm(centre(x.q[0][i - 1]) - centre(x.q[0][j - 1])) - 0.1 * static_cast<double>(i + j);
  };
  const Instances& pairs = model.contact(0).instances;
  REQUIRE(pairs.count() == 6);
  for (std::size_t k = 0; k < 6; ++k) {
    x.self = pairs.self(k);
    const auto i = static_cast<std::size_t>(x.self[0]), j = static_cast<std::size_t>(x.self[1]);
    CHECK(i < j);
    CHECK(near(x.at(model.contact(0).gap[0]), distance(i, j), 1e-10));
  }
  REQUIRE(model.contact(1).instances.count() == 4);
  REQUIRE(model.contact(2).instances.count() == 3);
  for (std::size_t k = 0; k < 3; ++k) {
    x.self = model.contact(1).instances.self(k);
    CHECK(near(x.at(model.contact(1).gap[0]), x.q[0][k][2] - 0.1 * static_cast<double>(k + 1)));
    CHECK(near(x.at(model.contact(2).gap[0]), distance(k + 1, k + 2), 1e-10));
  }
}

TEST_CASE("joints in space: the rates of the gaps") {
  const auto joint = [](const std::string& call) {
    return std::string(R"(
      body a = rigid(mass = 1, inertia = [1, 1, 1], orientation = rotation([1, 2, 3], 0.4))
      body b = rigid(mass = 1, inertia = [1, 1, 1], position = [1, 0.5, 0], orientation = rotation([0, 1, 1], 0.7))
      joint j = )") +
           call;
  };
  for (const char* call :
       {"spherical(a, b, at = [0.5, 0, 0.2])", "fixed(a, b)", "revolute(a, b, at = [0.5, 0, 0], axis = [1, 2, 0])",
        "universal(a, b, at = [0.5, 0, 0], axis = [1, 0, 0], axis2 = [0, 1, 0])",
        "prismatic(a, b, axis = [0, 1, 1], at = [0.2, 0, 0])", "revolute(world, b, at = [0.5, 0, 0], axis = [1, 2, 0])",
        "prismatic(a, world, axis = [0, 1, 1])"}) {
    CAPTURE(call);
    const DerivedModel model(joint(call));
    CHECK(model.contact().always_closed);
    check_joint(model);
    holds_at_the_start(model);
  }
}

TEST_CASE("a revolute joint: it holds for every angle, which is that of the second body") {
  const DerivedModel model(R"(
    body a = rigid(mass = 1, inertia = [1, 1, 1])
    body b = rigid(mass = 1, inertia = [1, 1, 1], position = [1, 0.5, 0])
    joint j = revolute(a, b, at = [0.5, 0, 0.1], axis = [1, 2, -1]) { law joint_friction(1) }
    output angle = j.angle
    output slip = j.slip
  )");
  Random random(6);
  const V3 axis = (1 / std::sqrt(6.0)) * V3{1, 2, -1};
  for (const double angle : {-2.5, -0.3, 0.0, 1.0, 3.0}) {
    BodyState x = random_state(model, random);
    x.q[0][0] = {0, 0, 0, 1, 0, 0, 0};
    x.q[1][0] = turned_about({0.5, 0, 0.1}, axis, angle, {1, 0.5, 0});
    for (const sym::Expr gap : model.contact().gap) CHECK(near(x.at(gap), 0));
    CHECK(near(x.at(model.equations().outputs[0].value), angle));
    const double relative = dot(axis, spin(x.q[1][0], x.u[1][0]) - spin(x.q[0][0], x.u[0][0]));
    CHECK(near(x.at(model.equations().outputs[1].value), relative));
    CHECK(near(x.at(model.contact().gamma.back()), relative));
  }
}

TEST_CASE("a prismatic joint: it holds along its axis, the travel is that of the second body") {
  const DerivedModel model(R"(
    body a = rigid(mass = 1, inertia = [1, 1, 1])
    body b = rigid(mass = 1, inertia = [1, 1, 1], position = [1, 0.5, 0])
    joint j = prismatic(a, b, axis = [0, 3, 4])
    output travel = j.travel
  )");
  Random random(7);
  BodyState x = random_state(model, random);
  x.q[0][0] = {0, 0, 0, 1, 0, 0, 0};
  x.q[1][0] = {1, 0.5 + 2 * 0.6, 2 * 0.8, 1, 0, 0, 0};
  for (const sym::Expr gap : model.contact().gap) CHECK(near(x.at(gap), 0));
  CHECK(near(x.at(model.equations().outputs[0].value), 2));
}

TEST_CASE("joints in the plane: the rates of the gaps, angles and travel") {
  for (const char* call : {"revolute(a, b, at = [0.5, 0])", "fixed(a, b)", "fixed(a, b, at = [0.3, 0.1])",
                           "prismatic(a, b, axis = [1, 2])", "prismatic(world, b, axis = [1, 2], at = [1, 0])",
                           "revolute(a, world, at = [0.5, 0])"}) {
    CAPTURE(call);
    const DerivedModel model(std::string(R"(
      body a = planar(mass = 1, inertia = 1, angle = 0.4)
      body b = planar(mass = 1, inertia = 1, position = [1, 0.5], angle = -0.3)
      joint j = )") + call);
    check_joint(model);
    holds_at_the_start(model);
  }
}

TEST_CASE("joints of an array see their own bodies") {
  const DerivedModel model(R"(
    param n = 3
    body link[i in 1..n] = planar(mass = 1, inertia = 1, position = [i - 0.5, 0])
    joint hinge[i in 1..n-1] = revolute(link[i], link[i + 1], at = [i, 0])
    joint anchor = revolute(world, link[1], at = [0, 0])
    output angle[i in 1..n-1] = hinge[i].angle
  )");
  REQUIRE(model.contact(0).instances.count() == 2);
  CHECK(model.contact(0).name == "hinge@");
  Random random(8);
  BodyState x = random_state(model, random);
  for (std::size_t k = 0; k < 2; ++k) {
    x.self = model.contact(0).instances.self(k);
    const V2 first = placed2(x.q[0][k], {0.5, 0}), second = placed2(x.q[0][k + 1], {-0.5, 0});
    check_near(x.at(model.contact(0).gap), {first[0] - second[0], first[1] - second[1]}, 1e-10);
    x.self = model.equations().outputs[0].instances.self(k);
    CHECK(near(x.at(model.equations().outputs[0].value), x.q[0][k + 1][2] - x.q[0][k][2]));
  }
  x.self.clear();
  const V2 end = placed2(x.q[0][0], {-0.5, 0});
  check_near(x.at(model.contact(1).gap), {-end[0], -end[1]}, 1e-10);
}

TEST_CASE("names of recorded columns: bodies, arrays, pairs, contact points, joints, outputs") {
  DerivedModel model(R"(
    coord z[i in 0..1]
    kinetic z[i]'^2 for i in 0..1
    body link = planar(mass = 1, inertia = 1)
    body ball[i in 1..2] = point(mass = 1, position = [i, 0])
    shape skin = circle(radius = 0.1) on ball
    shape slab = box(size = [1, 1]) on link
    shape ground = plane(normal = [0, 1])
    contact touch = skin[*] on skin[*] { law unilateral }
    contact slab on ground { law unilateral }
    joint pin = revolute(world, link, at = [0, 0]) { law joint_friction(1) }
    output height[i in 1..2] = ball[i].position[2]
    output where = link.position
  )");
  const KernelPlan plan = plan_kernels(model.equations(), model.pool);
  const std::vector<std::string> expected{"z[0]",
                                          "z[1]",
                                          "link.position[1]",
                                          "link.position[2]",
                                          "link.angle",
                                          "ball[1].position[1]",
                                          "ball[1].position[2]",
                                          "ball[2].position[1]",
                                          "ball[2].position[2]",
                                          "z[0]'",
                                          "z[1]'",
                                          "link.velocity[1]",
                                          "link.velocity[2]",
                                          "link.spin",
                                          "ball[1].velocity[1]",
                                          "ball[1].velocity[2]",
                                          "ball[2].velocity[1]",
                                          "ball[2].velocity[2]",
                                          "touch[1,2].gap",
                                          "touch[1,2].N",
                                          "slab[1].gap",
                                          "slab[1].N",
                                          "slab[2].gap",
                                          "slab[2].N",
                                          "slab[3].gap",
                                          "slab[3].N",
                                          "slab[4].gap",
                                          "slab[4].N",
                                          "pin.gap[1]",
                                          "pin.gap[2]",
                                          "pin.N[1]",
                                          "pin.N[2]",
                                          "pin.T",
                                          "energy",
                                          "where[1]",
                                          "where[2]",
                                          "height[1]",
                                          "height[2]"};
  REQUIRE(plan.work_column == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(plan.columns[i] == expected[i]);
}
