// Sets by functions that depend on the normal force in every way but proportionally: limits hold at every load, and
// where the force vanishes the set is its limit. Exponents of superellipses beyond the range of double precision.
#include <algorithm>
#include <cmath>

#include "run_model.hpp"

using namespace nsmc::test;
using nsmc::rt::Method;
using nsmc::rt::SolverKind;

namespace {

constexpr SolverKind kSolvers[] = {SolverKind::jor,   SolverKind::sor,   SolverKind::newton,    SolverKind::automatic,
                                   SolverKind::jprox, SolverKind::uzawa, SolverKind::multiplier};

// A point that slides on a floor; with `height` it falls on it and bounces.
Model on_floor(const std::string& law, double mass, double height) {
  return Model::text("model on_floor\nparam m = " + std::to_string(mass) +
                     " [kg]\ncoord z [m] = " + std::to_string(height) + R"(
param mu = 0.5
param cap = 20 [N]
coord x [m]
coord y [m]
initial x' = 3 [m/s]
initial y' = 1 [m/s]
kinetic m/2*(x'^2 + y'^2 + z'^2)
potential m*9.81 [m/s^2]*z
contact c { gap z  slip [x', y']  law unilateral(0.5)  )" +
                     law + " }\nsimulate { until 0.5 [s]  step 1e-3 [s] }\n");
}

Model sliding(const std::string& law) { return on_floor(law, 10, 0); }
Model bouncing(const std::string& law) { return on_floor(law, 1, 0.1); }

double largest_difference(const Trajectory& a, const Trajectory& b) {
  REQUIRE(a.rows() == b.rows());
  double worst = 0;
  for (const char* name : {"x", "y", "z", "x'", "y'", "z'"}) {
    for (std::size_t k = 0; k < a.rows(); ++k) worst = std::max(worst, std::abs(a[name][k] - b[name][k]));
  }
  return worst;
}

// A point on a surface with constant limits a and b of a set.
Model on_surface(const std::string& law) {
  return Model::text(R"(
model on_surface
param m = 1 [kg]
param a = 6 [N]
param b = 3 [N]
param s = 1e200
coord x [m]
coord y [m]
initial x' = 1 [m/s]
initial y' = 0.55 [m/s]
kinetic m/2*(x'^2 + y'^2)
contact c { slip [x', y']  )" +
                     law + " }\nsimulate { until 0.3 [s]  step 1e-3 [s] }\n");
}

}  // namespace

TEST_CASE("force-dependent sets: a limit in newtons holds, however it is written") {
  const Trajectory reference = sliding("law friction(disc(min(mu*N, 20 [N])))").run();
  CHECK(std::hypot(reference.last("c.T[1]"), reference.last("c.T[2]")) == doctest::Approx(20));  // mu m g = 49 N
  for (const char* law : {
           "law friction(disc(mu*N) ∩ disc(20 [N]))",
           "law friction(disc(mu*N) ∩ disc(cap))",
           "law friction(gauge (a, b) { norm([a, b])/min(mu*N, 20 [N]) })",
           "law friction(gauge (a, b) { norm([a, b])/(piecewise { N < 40 [N] : mu*N, else : 20 [N] }) })",
           "law friction(support (a, b) { min(mu*N, 20 [N])*norm([a, b]) })",
           "law friction(superellipse(min(mu*N, 20 [N]), min(mu*N, 20 [N]), 2))",
           "law two_set(disc(mu*N) ∩ disc(20 [N]), 0.5*(disc(mu*N) ∩ disc(20 [N])))",
       }) {
    CAPTURE(std::string(law));
    CHECK(largest_difference(sliding(law).run(), reference) <= 1e-9);
  }
}

TEST_CASE("force-dependent sets: where the normal force vanishes, with every solver") {
  const Trajectory disc = bouncing("law friction(disc(min(mu*N, cap)))").run();
  const Trajectory box = bouncing("law friction(box(mu*N, cap))").run();
  const struct {
    const char* law;
    const Trajectory& reference;
  } cases[] = {
      {"law friction(disc(mu*N) ∩ disc(cap))", disc},
      {"law friction(gauge (a, b) { norm([a, b])/min(mu*N, cap) })", disc},
      {"law friction(superellipse(min(mu*N, cap), min(mu*N, cap), 2))", disc},
      {"law friction(support (a, b) { min(mu*N, cap)*norm([a, b]) })", disc},
      {"law friction(support (a, b) { sqrt((min(mu*N, cap)*a)^2 + (min(mu*N, cap)*b)^2) })", disc},
      {"law friction(gauge (a, b) { sqrt((a^4 + 2*a^2*b^2 + b^4)/min(mu*N, cap)^4)^(1/2) })", disc},
      {"law two_set(disc(mu*N) ∩ disc(cap), 0.5*(disc(mu*N) ∩ disc(cap)))", disc},
      // One extent stays: at N = 0 a segment.
      {"law friction(gauge (a, b) { max(abs(a)/(mu*N), abs(b)/cap) })", box},
      {"law friction(superellipse(mu*N, cap, inf))", box},
      {"law friction(box(mu*N, cap) ∩ box(mu*N, 2*cap))", box},
  };
  for (const auto& [law, reference] : cases) {
    CAPTURE(std::string(law));
    Model model = bouncing(law);
    double without_contact = 0;
    for (const SolverKind solver : kSolvers) {
      CAPTURE(static_cast<int>(solver));
      const Trajectory run = model.run({}, {.solver = solver, .tolerance = 1e-10});
      CHECK(largest_difference(run, reference) <= 1e-7);
      for (std::size_t k = 0; k < run.rows(); ++k) {
        if (run["z"][k] > 1e-3) without_contact = std::max(without_contact, std::abs(run["c.T[1]"][k]));
      }
    }
    CHECK(without_contact == 0);
  }
}

TEST_CASE("force-dependent sets: a shape that depends on the normal force, with every solver and method") {
  for (const char* law : {"law friction(superellipse(mu*N, mu*N, 2 + N/(100 [N])))",
                          "law friction(gauge (a, b) { (abs(a/(mu*N))^(2 + N/(100 [N])) + abs(b/(mu*N))^(2 + N/(100 "
                          "[N])))^(1/(2 + N/(100 [N]))) })",
                          "law friction(superellipse(mu*N, 0.5*mu*N + 0.5*mu*sqrt(N*1 [N]), 3))"}) {
    CAPTURE(std::string(law));
    for (const bool falls : {false, true}) {
      CAPTURE(falls);
      Model model = falls ? bouncing(law) : sliding(law);
      const Trajectory reference = model.run({}, {.until = 0.3});
      for (const SolverKind solver : kSolvers) {
        CAPTURE(static_cast<int>(solver));
        const Trajectory run = model.run({}, {.until = 0.3, .solver = solver, .tolerance = 1e-10});
        CHECK(largest_difference(run, reference) <= 1e-7);
      }
      for (const Method method : {Method::rk, Method::lie, Method::event}) {
        CAPTURE(static_cast<int>(method));
        const Trajectory run = model.run({}, {.until = 0.2, .tolerance = 1e-10, .method = method});
        CHECK(std::abs(run.last("x") - reference["x"][200]) <= 0.02);
        CHECK(std::abs(run.last("y") - reference["y"][200]) <= 0.02);
      }
    }
  }
}

TEST_CASE("force-dependent sets: a radius that becomes negative counts as none") {
  // Below 2 N nothing holds; a negative radius in an intersection must not leave the other set alone.
  const char* radius = "mu*(N - 8 [N]*max(0, min(1, 3 - N/(1 [N]))))";
  const Trajectory reference = bouncing("law friction(disc(min(cap, max(0 [N], " + std::string(radius) + "))))").run();
  for (const std::string& law :
       {"law friction(disc(" + std::string(radius) + " + 7 [N]*max(0, 1 - abs(N/(1 [N]) - 1)*1e3)) ∩ disc(cap))"}) {
    CAPTURE(std::string(law));
    CHECK(largest_difference(bouncing(law).run(), reference) <= 1e-9);
  }
}

TEST_CASE("superellipses: an infinite exponent is the rectangle") {
  const Trajectory box = on_surface("law friction(box(a, b))").run();
  for (const char* law : {"law friction(superellipse(a, b, inf))", "law friction(superellipse(6 [N], 3 [N], inf))",
                          "law friction(superellipse(a, b, s))", "law friction(superellipse(a, b, 1e200))",
                          "law friction(gauge (x, y) { (abs(x/a)^inf + abs(y/b)^inf)^(1/inf) })",
                          "law friction(superellipse(a, b, inf) ∩ disc(100 [N]))"}) {
    CAPTURE(std::string(law));
    Model model = on_surface(law);
    for (const SolverKind solver : {SolverKind::sor, SolverKind::newton}) {
      const Trajectory run = model.run({}, {.solver = solver, .tolerance = 1e-11});
      CHECK(std::abs(run.last("x") - box.last("x")) <= 1e-9);
      CHECK(std::abs(run.last("y") - box.last("y")) <= 1e-9);
    }
  }
}

TEST_CASE("superellipses: large exponents at forces of every size") {
  for (const double n : {12.0, 80.0, 200.0, 1000.0}) {
    const std::string exponent = std::to_string(static_cast<int>(n));
    for (const std::string& set :
         {"superellipse(a, b, " + exponent + ")",
          "gauge (x, y) { (abs(x/a)^" + exponent + " + abs(y/b)^" + exponent + ")^(1/" + exponent + ") }",
          "gauge (x, y) { ((x/a)^" + exponent + " + (y/b)^" + exponent + ")^(1/" + exponent + ") }"}) {
      CAPTURE(set);
      Model model = on_surface("law friction(" + set + ")");
      const Trajectory unit = model.run();
      std::size_t sliding_steps = 0;
      for (std::size_t k = 1; k < unit.rows(); ++k) {
        const double v1 = unit["x'"][k], v2 = unit["y'"][k];
        if (std::min(v1, v2) < 1e-3) continue;
        ++sliding_steps;
        // On the boundary, sliding in the direction of the normal: with p_i = (T_i/a_i)^n, p_1 + p_2 = 1 and
        // p_1/T_1 : p_2/T_2 = v_1 : v_2.
        const double T1 = -unit["c.T[1]"][k], T2 = -unit["c.T[2]"][k];
        const double l1 = n * std::log(T1 / 6), l2 = n * std::log(T2 / 3);
        CHECK(std::abs(std::exp(l1) + std::exp(l2) - 1) <= 1e-11 * n);
        CHECK(std::abs(l1 - l2 - std::log(T1 / T2) - std::log(v1 / v2)) <= 1e-9 * n);
      }
      CHECK(sliding_steps > 100);
      for (const double scale : {1e-12, 1e-6, 100.0, 1e6}) {  // the same motion of another mass
        CAPTURE(scale);
        const Trajectory run = model.run({{"m", scale}, {"a", 6 * scale}, {"b", 3 * scale}});
        CHECK(std::abs(run.last("x") - unit.last("x")) <= 1e-10);
        CHECK(std::abs(run.last("y") - unit.last("y")) <= 1e-10);
      }
    }
  }
}
