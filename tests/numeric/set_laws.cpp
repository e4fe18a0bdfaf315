// Sets that are written by their gauge or support function, as maps, intersections and polygons: one and the same set
// gives one and the same motion, however it is written and whatever the solver projects on.
#include <algorithm>
#include <cmath>

#include "run_model.hpp"

using namespace nsmc::test;

namespace {

constexpr double kSame = 1e-8;

struct Writing {
  std::string what;
  const char* declarations;  // before the contact
  const char* law;           // of the contact
};

// A point mass on a surface with given limits a and b.
Model on_surface(const Writing& w) {
  return Model::text(R"(
model on_surface
param m = 1 [kg]
param a = 6 [N]
param b = 3 [N]
param c = cos(0.4)
param s = sin(0.4)
param vx = 1 [m/s]
param vy = 1 [m/s]
coord x [m] = 0
coord y [m] = 0
initial x' = vx
initial y' = vy
kinetic m/2*(x'^2 + y'^2)
)" + std::string(w.declarations) +
                     "\ncontact floor { slip [x', y']  " + w.law + " }\nsimulate { until 0.6 [s]  step 1e-3 [s] }\n");
}

// A block that a growing force lifts off the floor at t = 0.2 s: N falls linearly to zero.
Model lifted(const Writing& w) {
  return Model::text(R"(
model lifted
param m = 2 [kg]
param g = 9.81 [m/s^2]
param mu1 = 0.6
param mu2 = 0.3
param vx = 3 [m/s]
param vy = 2 [m/s]
coord x [m] = 0
coord y [m] = 0
coord z [m] = 0
initial x' = vx
initial y' = vy
kinetic m/2*(x'^2 + y'^2 + z'^2)
force z : -m*g*(1 - t/(0.2 [s]))
set clover(a, b) = gauge (x, y) { 5/2*(((x/a)^2 + (y/b)^2)^(1/2) - 3/5*((x/a)^4 + (y/b)^4)^(1/4)) }
set oval(a, b) = gauge (x, y) { ((x/a)^2 + (y/b)^2)^(1/2) }
)" + std::string(w.declarations) +
                     "\ncontact floor { gap z  slip [x', y']  law unilateral  " + w.law +
                     " }\nsimulate { until 0.3 [s]  step 1e-3 [s] }\n");
}

// A disk that slides and spins, with a law for both; force and torque differ by their unit and by the radius R. J and R
// are chosen so that a torque row weighs about as much as a force row: sets that are projected on directly converge
// slowly where the rows are far apart, which is what the transformation to a ball is good for (tested below).
Model drilling(const Writing& w) {
  return Model::text(R"(
model drilling
param m = 2 [kg]
param J = 1 [kg m^2]
param mu1 = 0.3
param mu2 = 0.2
param R = 0.7 [m]
param vx = 1 [m/s]
param vy = 0.5 [m/s]
param w0 = 2 [rad/s]
coord x [m] = 0
coord y [m] = 0
coord z [m] = -1e-9
coord psi [rad] = 0
initial x' = vx
initial y' = vy
initial psi' = w0
kinetic m/2*(x'^2 + y'^2 + z'^2) + J/2*psi'^2
potential m*9.81 [m/s^2]*z
set oval(a, b, c) = gauge (x, y, s) { sqrt((x/a)^2 + (y/b)^2 + (s/c)^2) }
law mine(C) { force T[2], tau  [slip, spin] in normal_cone(C, -[T, tau]) }
law direct(C) { force T[2], tau  [slip, spin] in normal_cone(C, -[T, tau]) solve direct }
)" + std::string(w.declarations) +
                     "\ncontact floor { gap z  slip [x', y']  spin psi'  law unilateral  " + w.law +
                     " }\nsimulate { until 0.6 [s]  step 1e-3 [s] }\n");
}

double largest_difference(const Trajectory& a, const Trajectory& b) {
  REQUIRE(a.names() == b.names());
  REQUIRE(a.rows() == b.rows());
  double worst = 0;
  for (const std::string& name : a.names()) {
    // Percussions are known to the solver's tolerance; the forces are these over the step.
    const double scale = name.find("floor.") == 0 ? 1e-3 : 1;
    for (std::size_t k = 0; k < a.rows(); ++k) worst = std::max(worst, scale * std::abs(a[name][k] - b[name][k]));
  }
  return worst;
}

template <class Make>
void check_all_the_same(Make&& make, std::initializer_list<Writing> writings) {
  for (const Overrides& start :
       {Overrides{}, Overrides{{"vx", -0.8}, {"vy", 1.1}}, Overrides{{"vx", 1}, {"vy", 0}}, Overrides{{"vx", 0}}}) {
    const Trajectory first = make(*writings.begin()).run(start);
    for (const Writing& writing : writings) {
      CAPTURE(writing.what);
      Model model = make(writing);
      CHECK(largest_difference(model.run(start), first) <= kSame);
      CHECK(largest_difference(model.run(start, {.solver = nsmc::rt::SolverKind::jor}), first) <= kSame);
    }
  }
}

}  // namespace

TEST_CASE("set laws: an ellipse, written in many ways") {
  constexpr const char* direct = "law mine(C) { force T[2]  slip in normal_cone(C, -T) solve direct }";
  check_all_the_same(
      on_surface,
      {
          {"built-in", "", "law friction(ellipse(a, b))"},
          {"gauge", "", "law friction(gauge (x, y) { ((x/a)^2 + (y/b)^2)^(1/2) })"},
          {"gauge of pure numbers, scaled", "", "law friction(a*gauge (x, y) { sqrt(x^2 + (x + 2*y - x)^2) })"},
          {"set function", "set oval(a, b) = gauge (x, y) { sqrt((x/a)^2 + (y/b)^2) }", "law friction(oval(a, b))"},
          {"support", "", "law friction(support (v, w) { sqrt((a*v)^2 + (b*w)^2) })"},
          {"direct", direct, "law mine(ellipse(a, b))"},
          {"map of a disc", "", "law friction(diag(a, b)*disc(1))"},
          {"map of a disc, direct", direct, "law mine(diag(a, b)*disc(1))"},
          {"map of a turned disc", "", "law friction(diag(a, b)*([[c, -s], [s, c]]*disc(1)))"},
          {"superellipse", "", "law friction(superellipse(a, b, 2))"},
          {"intersection with a large box", "", "law friction(intersect(ellipse(a, b), box(10*a, 10*b)))"},
          {"intersection sign", "", "law friction(ellipse(a, b) ∩ box(10*a, 10*b))"},
          {"intersection with a box that touches", "", "law friction(ellipse(a, b) ∩ box(a, b))"},
          {"intersection of a support", "",
           "law friction(support (v, w) { sqrt((a*v)^2 + (b*w)^2) } ∩ box(10*a, 10*b))"},
          {"intersection with a moved superellipse", "",
           "law friction(ellipse(a, b) ∩ (superellipse(10*a, 10*b, 4) + [a, b]))"},
          {"gauge of a support", "",
           "law friction(gauge (x, y) { gauge(support (v, w) { sqrt((a*v)^2 + (b*w)^2) }, [x, y]) })"},
          {"a moved gauge, moved back", "",
           "law friction(gauge (x, y) { gauge(superellipse(a, b, 2) + [a/4, b/5] + [-a/4, -b/5], [x, y]) })"},
          {"plus sign", "law mine(C) { force T[2]\n(-slip) in normal_cone(C, T) }", "law mine(ellipse(a, b))"},
      });
}

TEST_CASE("set laws: a turned ellipse, by maps, gauge and support") {
  constexpr const char* direct = "law mine(C) { force T[2]  slip in normal_cone(C, -T) solve direct }";
  check_all_the_same(
      on_surface,
      {
          {"map of an ellipse", "", "law friction([[c, -s], [s, c]]*ellipse(a, b))"},
          {"direct", direct, "law mine([[c, -s], [s, c]]*ellipse(a, b))"},
          {"gauge", "", "law friction(gauge (x, y) { sqrt(((c*x + s*y)/a)^2 + ((c*y - s*x)/b)^2) })"},
          {"map of a gauge", "", "law friction([[c, -s], [s, c]]*gauge (x, y) { sqrt((x/a)^2 + (y/b)^2) })"},
          {"support", "", "law friction(support (x, y) { sqrt((a*(c*x + s*y))^2 + (b*(c*y - s*x))^2) })"},
          {"map of a support", "", "law friction([[c, -s], [s, c]]*support (x, y) { sqrt((a*x)^2 + (b*y)^2) })"},
      });
}

TEST_CASE("set laws: a rectangle, by intervals, corners, gauge, support and intersection") {
  check_all_the_same(on_surface, {
                                     {"box", "", "law friction(box(a, b))"},
                                     {"intervals", "", "law friction(interval(-a, a) × interval(-b, b))"},
                                     {"polygon", "", "law friction(polygon([a, b], [-a, b], [-a, -b], [a, -b]))"},
                                     {"polygon, another first corner", "",
                                      "law friction(polygon([-a, -b], [a, -b], [a, b], [-a, b]))"},
                                     {"gauge", "", "law friction(gauge (x, y) { max(abs(x)/a, abs(y)/b) })"},
                                     {"support", "", "law friction(support (v, w) { a*abs(v) + b*abs(w) })"},
                                     {"intersection", "", "law friction(box(a, 2*b) ∩ box(3*a, b))"},
                                 });
}

TEST_CASE("set laws: a rhombus, by corners, gauge, support and map") {
  check_all_the_same(on_surface,
                     {
                         {"polygon", "", "law friction(polygon([a, 0 [N]], [0 [N], b], [-a, 0 [N]], [0 [N], -b]))"},
                         {"gauge", "", "law friction(gauge (x, y) { abs(x)/a + abs(y)/b })"},
                         {"support", "", "law friction(support (v, w) { max(a*abs(v), b*abs(w)) })"},
                         {"map", "", "law friction([[a/2, -a/2], [b/2, b/2]]*box(1, 1))"},
                     });
}

TEST_CASE("set laws: an oblique set with kinks in space, by a map and by its formula") {
  const auto rubbed = [](const std::string& set) {
    return Model::text(R"(
model rubbed
coord x = 0
coord y = 0
coord z = 0
initial x' = 0.8 [1/s]
initial y' = 0.599 [1/s]
initial z' = -0.1 [1/s]
kinetic (x'^2 + y'^2 + z'^2)/2*1 [kg m^2]
law mine(C) { force T[3]  slip in normal_cone(C, -T) solve direct }
contact floor { slip [x', y', z']  law mine(2 [J]*)" +
                       set + R"() }
simulate { until 0.4 [s]  step 2e-2 [s] }
)");
  };
  const Trajectory turned =
      rubbed("[[0.8, -0.6, 0], [0.6, 0.8, 0], [0, 0, 1]]*gauge (a, b, c) { max(norm([a, b]), 2*abs(c), 1.2*abs(a)) }")
          .run();
  const Trajectory written = rubbed("gauge (a, b, c) { max(norm([a, b]), 2*abs(c), 1.2*abs(0.8*a + 0.6*b)) }").run();
  CHECK(largest_difference(written, turned) <= kSame);
}

TEST_CASE("set laws: two sets, by arguments of every kind") {
  constexpr const char* oval = "set oval(a, b) = gauge (x, y) { sqrt((x/a)^2 + (y/b)^2) }";
  check_all_the_same(on_surface,
                     {
                         {"ellipses", "", "law two_set(ellipse(a, b), ellipse(b/2, b))"},
                         {"gauge outside", oval, "law two_set(oval(a, b), ellipse(b/2, b))"},
                         {"gauge inside", oval, "law two_set(ellipse(a, b), oval(b/2, b))"},
                         {"gauges", oval, "law two_set(oval(a, b), oval(b/2, b))"},
                         {"superellipses", "", "law two_set(superellipse(a, b, 2), superellipse(b/2, b, 2))"},
                         {"supports", "set bowl(a, b) = support (v, w) { sqrt((a*v)^2 + (b*w)^2) }",
                          "law two_set(bowl(a, b), bowl(b/2, b))"},
                         {"scaled", "", "law two_set(a*ellipse(1, 1/2), (b/2)*ellipse(1, 2))"},
                         {"D of another size", "", "law two_set(ellipse(a, b), 0.4*ellipse(b/2, b))"},
                     });
}

// Forces against the velocity (D is a disc) from a union of two ellipses: a straight path, slowed down by the extent of
// the union in its direction, which is that of the ellipse that reaches farther.
TEST_CASE("set laws: a union as reservoir slows down by its larger part") {
  Model model = on_surface({"", "", "law two_set(union(ellipse(a, b/2), ellipse(b, a)), disc(b/2))"});
  for (const double angle : {0.0, 0.3, 0.9, 1.2, 2.0, -2.7}) {
    CAPTURE(angle);
    const double c = std::cos(angle), s = std::sin(angle);
    const double extent = std::max(1 / std::hypot(c / 6, s / 1.5), 1 / std::hypot(c / 3, s / 6));
    const Trajectory run = model.run({{"vx", 10 * c}, {"vy", 10 * s}});
    CHECK(run.last("x'") == doctest::Approx((10 - extent * 0.6) * c).epsilon(1e-9));
    CHECK(run.last("y'") == doctest::Approx((10 - extent * 0.6) * s).epsilon(1e-9));
  }
}

TEST_CASE("set laws: a union of equal sets, or with a part that lies inside, is the set") {
  check_all_the_same(
      on_surface,
      {
          {"ellipses", "", "law two_set(ellipse(a, b), ellipse(b/2, b))"},
          {"twice", "", "law two_set(union(ellipse(a, b), ellipse(a, b)), ellipse(b/2, b))"},
          {"parts inside", "", "law two_set(union(disc(b), ellipse(a, b), box(b/3, b/3)), ellipse(b/2, b))"},
          {"scaled", "", "law two_set(2*union(disc(b/2), ellipse(a/2, b/2)), ellipse(b/2, b))"},
      });
  check_all_the_same(on_surface, {
                                     {"a convex set", "", "law friction(ellipse(a, b))"},
                                     {"a union that is convex", "", "law friction(union(ellipse(a, b), disc(b/2)))"},
                                 });
}

TEST_CASE("set laws: sets that depend on the normal force") {
  check_all_the_same(
      lifted, {
                  {"library", "", "law orthotropic(mu1, mu2)"},
                  {"argument with N", "", "law friction(ellipse(mu1*N, mu2*N))"},
                  {"argument without N", "law mine(C) { force T[2]  slip in normal_cone(N*C, -T) }",
                   "law mine(ellipse(mu1, mu2))"},
                  {"gauge over N", "", "law friction(gauge (x, y) { ((x/(mu1*N))^2 + (y/(mu2*N))^2)^(1/2) })"},
                  {"N times gauge", "", "law friction(N*gauge (x, y) { ((x/mu1)^2 + (y/mu2)^2)^(1/2) })"},
                  {"set function", "", "law friction(oval(mu1*N, mu2*N))"},
                  {"N times set function", "", "law friction(N*oval(mu1, mu2))"},
                  {"support with N", "", "law friction(support (v, w) { N*sqrt((mu1*v)^2 + (mu2*w)^2) })"},
                  {"N times support", "", "law friction(N*support (v, w) { sqrt((mu1*v)^2 + (mu2*w)^2) })"},
                  {"map of a disc", "", "law friction(diag(mu1, mu2)*disc(N))"},
                  {"direct", "law mine { force T[2]  slip in normal_cone(ellipse(mu1*N, mu2*N), -T) solve direct }",
                   "law mine"},
                  {"superellipse", "", "law friction(superellipse(mu1*N, mu2*N, 2))"},
                  {"intersection", "", "law friction(intersect(ellipse(mu1*N, mu2*N), box(N, N)))"},
                  {"two sets", "", "law two_set(ellipse(mu1*N, mu2*N), 0.9*ellipse(mu1*N, mu2*N))"},
              });
}

TEST_CASE("set laws: forces grow and vanish with the normal force") {
  const double mu1 = 0.6, mu2 = 0.3, mg = 2 * 9.81;
  for (const Writing& w : {
           Writing{"ellipse", "", "law friction(oval(mu1*N, mu2*N))"},
           Writing{"support", "", "law friction(N*support (v, w) { sqrt((mu1*v)^2 + (mu2*w)^2) })"},
           Writing{"clover", "", "law two_set(clover(mu1*N, mu2*N), 0.8*N*ellipse(mu1, mu2))"},
       }) {
    CAPTURE(w.what);
    const bool clover = w.what == "clover";
    const Trajectory run = lifted(w).run();
    double gauge_error = 0, normal_error = 0, free_force = 0, angle_error = 0;
    std::size_t closed = 0;
    for (std::size_t k = 1; k < run.rows(); ++k) {
      const double N = run["floor.N"][k], T1 = run["floor.T[1]"][k], T2 = run["floor.T[2]"][k];
      if (run.t[k] > 0.2005) {
        free_force = std::max({free_force, std::abs(N), std::abs(T1), std::abs(T2)});
        continue;
      }
      ++closed;
      const double a = T1 / (mu1 * N), b = T2 / (mu2 * N);
      const double round = std::hypot(a, b);
      const double gauge = clover ? 2.5 * (round - 0.6 * std::pow(a * a * a * a + b * b * b * b, 0.25)) : round;
      gauge_error = std::max(gauge_error, std::abs(gauge - 1));
      normal_error = std::max(normal_error, std::abs(N - mg * (1 - (run.t[k] - 0.5e-3) / 0.2)));
      // D is the same ellipse in all of them: the velocity is normal to it.
      const double n1 = -T1 / (mu1 * mu1), n2 = -T2 / (mu2 * mu2), v1 = run["x'"][k], v2 = run["y'"][k];
      angle_error = std::max(angle_error, std::abs(std::atan2(n1 * v2 - n2 * v1, n1 * v1 + n2 * v2)));
    }
    CHECK(closed == 200);
    MESSAGE(w.what << ": gauge off 1 by " << gauge_error << ", velocity off the normal by " << angle_error);
    CHECK(gauge_error <= 1e-8);
    CHECK(normal_error <= 1e-9);
    CHECK(angle_error <= 1e-6);
    CHECK(free_force == 0);
    CHECK(run.last("z") > 1e-3);
  }
}

TEST_CASE("set laws: slip and spin in one ellipsoid, brought to scale by a map") {
  check_all_the_same(drilling,
                     {
                         {"built-in", "", "law mine(ellipsoid(mu1*N, mu2*N, mu1*N*R))"},
                         {"map of a gauge", "", "law mine(N*(diag(1, 1, R)*oval(mu1, mu2, mu1)))"},
                         {"map of a support", "",
                          "law mine(N*(diag(1, 1, R)*support (v, w, s) { sqrt((mu1*v)^2 + (mu2*w)^2 + (mu1*s)^2) }))"},
                     });
}

TEST_CASE("set laws: slip and spin in one ellipsoid, in units of force and torque") {
  check_all_the_same(drilling,
                     {
                         {"built-in", "", "law mine(ellipsoid(mu1*N, mu2*N, mu1*N*R))"},
                         {"gauge", "", "law mine(oval(mu1*N, mu2*N, mu1*N*R))"},
                         {"support", "", "law mine(support (v, w, s) { N*sqrt((mu1*v)^2 + (mu2*w)^2 + (mu1*R*s)^2) })"},
                         {"direct", "", "law direct(ellipsoid(mu1*N, mu2*N, mu1*N*R))"},
                     });
}

TEST_CASE("set laws: the built-in ellipsoid does not mind a small radius, where torques weigh little") {
  const Writing built_in{"built-in", "", "law mine(ellipsoid(mu1*N, mu2*N, mu1*N*R))"};
  const Trajectory run = drilling(built_in).run({{"J", 1e-3}, {"R", 0.02}, {"w0", 40}});  // requires convergence
  CHECK(std::abs(run.last("psi'")) < 1e-14);
  CHECK(std::abs(run.last("x'")) < 1e-14);
}

TEST_CASE("set laws: Coulomb-Contensou friction, built in and by its velocity potential") {
  // [Möller 2009, (51), (52)] integrated: Phi = s F(v/s). Far into slip the closed form cancels.
  constexpr const char* potential =
      "fn slow(v2, s2) = 3*pi/128*(8*s2 + 8*v2 - v2^2/s2)/sqrt(s2)\n"
      "fn fast(v2, s2) = 3/64*((8*s2 + 8*v2 - v2^2/s2)/sqrt(s2)*asin(sqrt(s2/v2)) + (v2/s2 + 14)*sqrt(v2 - s2))\n"
      "fn slip_alone(v2, k2) = sqrt(v2)*(1 + k2/10 + k2^2/280 + k2^3/1680 + 5*k2^4/29568 + 7*k2^5/109824)\n"
      "fn total(v2, s2) = piecewise {\n"
      "  v2 <= s2 : slow(v2, s2),\n  v2 <= 50*s2 : fast(v2, s2),\n  else : slip_alone(v2, s2/v2)\n}\n";
  check_all_the_same(drilling, {
                                   {"built-in", "", "law mine(contensou(mu1*N, R, parabolic))"},
                                   {"library", "", "law coulomb_contensou(mu1, R)"},
                                   {"scaled", "", "law mine(mu1*N*contensou(1, R, parabolic))"},
                                   {"mapped", "", "law mine(diag(1, 1, R/(2 [m]))*contensou(mu1*N, 2 [m], parabolic))"},
                                   {"direct", "", "law direct(contensou(mu1*N, R, parabolic))"},
                                   {"support", potential,
                                    "law mine(mu1*N*(diag(1, 1, R)*support (v, w, s) { total(v^2 + w^2, s^2) }))"},
                               });
}

TEST_CASE("set laws: Coulomb-Contensou friction under uniform pressure, and at a small radius") {
  check_all_the_same(drilling, {
                                   {"built-in", "", "law mine(contensou(mu1*N, R, uniform))"},
                                   {"direct", "", "law direct(contensou(mu1*N, R, uniform))"},
                               });
  for (const std::string law : {"law mine(contensou(mu1*N, R, uniform))", "law coulomb_contensou(mu1, R)",
                                "law contensou_ellipsoid(mu1, R)", "law contensou_cylinder(mu1, R)"}) {
    CAPTURE(law);
    const Trajectory run =
        drilling({"", "", law.c_str()}).run({{"J", 1e-3}, {"R", 0.02}, {"w0", 15}});  // requires convergence
    CHECK(std::abs(run.last("psi'")) < 1e-14);
    CHECK(std::abs(run.last("x'")) < 1e-14);
  }
}

TEST_CASE("set laws: Coulomb-Contensou friction without drilling is Coulomb's, without slip a limit of torque") {
  const double mu_g = 0.3 * 9.81, step = 1e-3;
  const Trajectory slip = drilling({"", "", "law coulomb_contensou(mu1, R)"}).run({{"w0", 0}, {"vx", 3}, {"vy", 0}});
  CHECK(slip.last("x'") == doctest::Approx(3 - mu_g * 0.6).epsilon(1e-10));
  CHECK(slip.last("psi'") == 0);
  const Trajectory spin = drilling({"", "", "law coulomb_contensou(mu1, R)"}).run({{"w0", 5}, {"vx", 0}, {"vy", 0}});
  const double torque = 3 * 3.14159265358979323846 / 16 * 0.7 * 2 * mu_g;
  CHECK(spin.last("psi'") == doctest::Approx(5 - torque * 0.6).epsilon(1e-10));
  CHECK(spin.last("x'") == 0);
  // Drilling takes friction away from the slip.
  const Trajectory both = drilling({"", "", "law coulomb_contensou(mu1, R)"}).run({{"w0", 50}, {"vy", 0}});
  CHECK(both["x'"][1] > 1 - 0.1 * mu_g * step);
}

TEST_CASE("gauge of a shifted set: the point divided by it lies on the boundary") {
  Model model = Model::text(R"(
model shifted_gauges
param r = 2 [N]
param p1 = 1 [N]
param p2 = 0.5 [N]
coord x [m] = 0
kinetic 0.5 [kg]*x'^2
let p = [p1, p2]
let c = [r/2, -r/4]
output disc_at = norm(p/gauge(disc(r) + c, p) - c)/r
output ellipse_at = gauge(ellipse(r, 2*r), p/gauge(ellipse(r, 2*r) + c, p) - c)
output polygon_at = gauge(polygon([r, 0 [N]], [0 [N], r], [-r, -r]), p/gauge(polygon([r, 0 [N]], [0 [N], r], [-r, -r]) + c/4, p) - c/4)
output map_at = gauge([[1, 2], [0, 1]]*box(r, r), p/gauge([[1, 2], [0, 1]]*box(r, r) + c/4, p) - c/4)
output scaled_at = norm(p/gauge(3*(disc(r) + c/3), p) - c)/(3*r)
output lens = gauge(intersect(disc(r) + c, disc(r) - c), p)
output wider = max(gauge(disc(r) + c, p), gauge(disc(r) - c, p))
output both = gauge(union(disc(r) + c, disc(r) - c), p)
output nearer = min(gauge(disc(r) + c, p), gauge(disc(r) - c, p))
simulate { until 1 [ms]  step 1 [ms] }
)");
  for (const Overrides& point : {Overrides{}, Overrides{{"p1", -0.7}}, Overrides{{"p2", -3}}}) {
    const Trajectory run = model.run(point);
    for (const char* name : {"disc_at", "ellipse_at", "polygon_at", "map_at", "scaled_at"}) {
      CAPTURE(name);
      CHECK(run.last(name) == doctest::Approx(1).epsilon(1e-12));
    }
    CHECK(run.last("lens") == run.last("wider"));
    CHECK(run.last("both") == run.last("nearer"));
  }
}
