// A point mass on an orthotropic surface under different force laws [Walker & Leine 2017], against an independent
// integration of the sliding phase. There the force for a velocity comes from a formula of its own: the boundary point
// of the normality set with the velocity as its normal, moved along its ray to the boundary of the reservoir.
#include <algorithm>
#include <cmath>
#include <functional>

#include "reference.hpp"
#include "run_model.hpp"

using namespace nsmc::test;

namespace {

constexpr double g = 9.81, mu1 = 0.6, mu2 = 0.3;  // as in the models; their mass is 1 kg

using Function = std::function<double(const Vec<2>&)>;
using Field = std::function<Vec<2>(const Vec<2>&)>;

double length(const Vec<2>& x) { return std::hypot(x[0], x[1]); }

double elliptic_gauge(const Vec<2>& x) { return std::hypot(x[0] / (mu1 * g), x[1] / (mu2 * g)); }

double clover_gauge(const Vec<2>& x) {
  const double a = x[0] / (mu1 * g), b = x[1] / (mu2 * g);
  return 5.0 / 2 * (std::hypot(a, b) - 3.0 / 5 * std::pow(a * a * a * a + b * b * b * b, 0.25));
}

Function superelliptic_gauge(double s) {
  return [s](const Vec<2>& x) {
    return std::pow(std::pow(std::abs(x[0]) / (mu1 * g), s) + std::pow(std::abs(x[1]) / (mu2 * g), s), 1 / s);
  };
}

// A point in the direction of the boundary point of an ellipse with normal v.
Field elliptic_direction(double p1, double p2) {
  return [=](const Vec<2>& v) { return Vec<2>{p1 * p1 * v[0] / length(v), p2 * p2 * v[1] / length(v)}; };
}

// The boundary point (mu1 cos^(2/s), mu2 sin^(2/s)) of a superellipse with normal v, by bisection for its parameter.
// Its normal is along (cos^(2-2/s)/mu1, sin^(2-2/s)/mu2).
Field superelliptic_direction(double s) {
  return [s](const Vec<2>& v) {
    double low = 0, high = std::acos(0.0);
    for (int k = 0; k < 60; ++k) {
      const double middle = (low + high) / 2;
      const double n1 = std::pow(std::cos(middle), 2 - 2 / s) / mu1, n2 = std::pow(std::sin(middle), 2 - 2 / s) / mu2;
      (n2 * std::abs(v[0]) < n1 * std::abs(v[1]) ? low : high) = middle;
    }
    const double angle = (low + high) / 2;
    return Vec<2>{std::copysign(mu1 * std::pow(std::cos(angle), 2 / s), v[0]),
                  std::copysign(mu2 * std::pow(std::sin(angle), 2 / s), v[1])};
  };
}

// The acceleration: minus the point of the reservoir's boundary in the direction.
Field friction(const Field& direction, const Function& reservoir) {
  return [=](const Vec<2>& v) {
    Vec<2> x = direction(v);
    for (std::size_t i = 0; i < 2; ++i) {
      if (v[i] == 0) x[i] = 0;  // all of the sets are symmetric
    }
    const double k = reservoir(x);
    return Vec<2>{-x[0] / k, -x[1] / k};
  };
}

// q1, q2, q1', q2' until the stop, and rest from then on. The force depends on the direction of the velocity alone:
// steps in proportion to the speed resolve the last instants as well as the first. Likewise for a component that comes
// to rest before the other, as on superellipses of exponent above 2, where it decays like -|v|^p, p < 1, and stays at
// 0.
Sampled<4> sliding(const Field& acceleration, const Vec<2>& v0) {
  const auto f = [&](double, const Vec<4>& y) {
    const Vec<2> a = acceleration({y[2], y[3]});
    return Vec<4>{y[2], y[3], a[0], a[1]};
  };
  Sampled<4> solution;
  Vec<4> y{0, 0, v0[0], v0[1]};
  double t = 0, speed = length(v0);
  solution.add(t, y, f(t, y));
  while (speed > 1e-11) {
    const Vec<2> a = acceleration({y[2], y[3]});
    double dt = 4e-3 * speed / length(a);
    for (std::size_t k = 0; k < 2; ++k) {
      if (y[2 + k] * a[k] < 0) dt = std::min(dt, 2e-2 * std::abs(y[2 + k] / a[k]));
    }
    y = rk4_step(f, t, y, dt);
    for (std::size_t k = 0; k < 2; ++k) {
      if (std::abs(y[2 + k]) < 1e-9 * speed) y[2 + k] = 0;
    }
    t += dt;
    speed = std::hypot(y[2], y[3]);
    solution.add(t, y, f(t, y));
  }
  const Vec<2> a = acceleration({y[2], y[3]});
  t += speed * speed / -(a[0] * y[2] + a[1] * y[3]);
  solution.add(t, {y[0], y[1], 0, 0}, {0, 0, 0, 0});
  return solution;
}

double motion_error(const Trajectory& run, const Sampled<4>& reference) {
  const char* const columns[] = {"q1", "q2", "q1'", "q2'"};
  double worst = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    worst = std::max(worst, max_error(run, columns[i], [&](double t) { return reference(t, i); }));
  }
  return worst;
}

double stop_time(const Trajectory& run) {
  const Column& speed = run["speed"];
  std::size_t k = 0;
  while (k < run.rows() && speed[k] > 1e-9) ++k;
  REQUIRE_MESSAGE(k < run.rows(), "it does not stop");
  for (std::size_t i = k; i < run.rows(); ++i) CHECK(speed[i] <= 1e-9);
  return run.t[k];
}

void check_slider(const std::string& name, const Field& acceleration, Overrides parameters = {}) {
  CAPTURE(name);
  Model model = Model::named(name);
  for (const Vec<2> v0 : {Vec<2>{1, 1}, Vec<2>{-1.2, 0.7}}) {
    parameters["u1"] = v0[0];
    parameters["u2"] = v0[1];
    const Sampled<4> reference = sliding(acceleration, v0);
    const double end = reference.end();
    REQUIRE(end < 0.6);
    RunSettings from_event_to_event{.step = 1e-2};
    from_event_to_event.method = nsmc::rt::Method::event;
    const double exact = motion_error(model.run(parameters, from_event_to_event), reference);
    MESSAGE(name << ", from event to event: error " << exact);
    CHECK(exact <= 1e-7);
    const auto motion = [&](double step) { return motion_error(model.run(parameters, {.step = step}), reference); };
    const auto stop_point = [&](double step) {
      const Trajectory run = model.run(parameters, {.step = step});
      CHECK(std::abs(stop_time(run) - end) <= 2 * step);
      return std::hypot(run.last("q1") - reference(end, 0), run.last("q2") - reference(end, 1));
    };
    check_convergence(name + ", motion", convergence(4e-3, 3, [&](double step) { return worst_error(step, motion); }),
                      0.85, 1e-2);
    check_convergence(name + ", stop point",
                      convergence(4e-3, 3, [&](double step) { return worst_error(step, stop_point); }), 0.85, 2e-3);
  }
}

double largest_difference(const Trajectory& a, const Trajectory& b) {
  REQUIRE(a.rows() == b.rows());
  double worst = 0;
  for (const char* column : {"q1", "q2", "q1'", "q2'"}) {
    for (std::size_t k = 0; k < a.rows(); ++k) worst = std::max(worst, std::abs(a[column][k] - b[column][k]));
  }
  return worst;
}

}  // namespace

TEST_CASE("sliders: maximal dissipation on an ellipse") {
  check_slider("slider_ellipse", [](const Vec<2>& v) {
    const double root = std::hypot(mu1 * v[0], mu2 * v[1]);
    return Vec<2>{-mu1 * mu1 * v[0] / root * g, -mu2 * mu2 * v[1] / root * g};
  });
}

TEST_CASE("sliders: the force against the velocity") {
  check_slider("slider_collinear", [](const Vec<2>& v) {
    const double radius = 1 / elliptic_gauge({v[0] / length(v), v[1] / length(v)});
    return Vec<2>{-radius * v[0] / length(v), -radius * v[1] / length(v)};
  });
}

TEST_CASE("sliders: two ellipses") {
  for (const Vec<2> p : {Vec<2>{0.3, 0.6}, Vec<2>{0.3, 0.3}, Vec<2>{0.9, 0.3}}) {
    CAPTURE(p[0]);
    check_slider("slider_two_set", friction(elliptic_direction(p[0], p[1]), elliptic_gauge),
                 {{"p1", p[0]}, {"p2", p[1]}});
  }
}

TEST_CASE("sliders: a star-shaped reservoir") {
  check_slider("slider_nonconvex", friction(elliptic_direction(mu1, mu2), clover_gauge));
  check_slider("slider_nonconvex", friction(elliptic_direction(0.4, 0.5), clover_gauge), {{"p1", 0.4}, {"p2", 0.5}});
}

TEST_CASE("sliders: superellipses of different roundness") {
  check_slider("slider_superellipse", friction(superelliptic_direction(1.5), superelliptic_gauge(4)));
  check_slider("slider_superellipse", friction(superelliptic_direction(3), superelliptic_gauge(1.5)),
               {{"s_C", 1.5}, {"s_D", 3}});
}

TEST_CASE("sliders: one superellipse is maximal dissipation, whatever its roundness") {
  Model model = Model::named("slider_superellipse");
  for (const double exponent : {1.2, 1.5, 2.0, 3.0, 4.0, 8.0}) {
    CAPTURE(exponent);
    const Trajectory run = model.run({{"s_C", exponent}, {"s_D", exponent}}, {.step = 1e-3});
    const Field law = friction(superelliptic_direction(exponent), superelliptic_gauge(exponent));
    const Sampled<4> reference = sliding(law, {1, 1});
    const double error = motion_error(run, reference);
    MESSAGE("error " << error);
    CHECK(error <= 5e-3);
    CHECK(std::abs(stop_time(run) - reference.end()) <= 2e-3);
  }
}

TEST_CASE("sliders: a rectangle is two friction laws that do not know of each other") {
  Model model = Model::named("slider_rectangle");
  const auto error = [&](double step) {
    const Trajectory run = model.run({}, {.step = step});
    double worst = std::abs(stop_time(run) - 1 / (mu2 * g)) > 2 * step ? 1 : 0;
    const Vec<2> mu{mu1, mu2};
    const std::string names[] = {"q1", "q2"};
    for (std::size_t i = 0; i < 2; ++i) {
      const double a = mu[i] * g;
      const auto duration = [a](double t) { return std::min(t, 1 / a); };
      worst = std::max(
          worst, max_error(run, names[i], [&](double t) { return duration(t) - a / 2 * duration(t) * duration(t); }));
      worst = std::max(worst, max_error(run, names[i] + "'", [&](double t) { return 1 - a * duration(t); }));
    }
    return worst;
  };
  // The velocities fall linearly: exact up to rounding, except for the steps in which they stop.
  check_convergence("rectangle", convergence(4e-3, 3, [&](double step) { return worst_error(step, error); }), 0.85,
                    1e-3);

  Model two = Model::text(R"(
param m = 1 [kg]
param g = 9.81 [m/s^2]
param mu1 = 0.6
param mu2 = 0.3
coord q1 [m] = 0
coord q2 [m] = 0
initial q1' = 1 [m/s]
initial q2' = 1 [m/s]
kinetic m/2*(q1'^2 + q2'^2)
contact along1 { slip q1'  law joint_friction(mu1*m*g) }
contact along2 { slip q2'  law joint_friction(mu2*m*g) }
simulate { until 0.6 [s]  step 1e-3 [s] }
)");
  const Trajectory a = model.run({}, {.step = 1e-3}), b = two.run();
  CHECK(largest_difference(a, b) <= 1e-12);
  double force = 0;
  for (std::size_t k = 0; k < a.rows(); ++k) {
    force = std::max(
        {force, std::abs(a["surface.T[1]"][k] - b["along1.T"][k]), std::abs(a["surface.T[2]"][k] - b["along2.T"][k])});
  }
  CHECK(force <= 1e-9);
}

TEST_CASE("sliders: a force against the velocity leaves the path straight") {
  for (const char* name : {"slider_collinear", "slider_two_set"}) {
    const Trajectory run = Model::named(name).run({{"u1", 1}, {"u2", 0.4}}, {.step = 1e-3});
    double worst = 0;
    for (std::size_t k = 0; k < run.rows(); ++k) worst = std::max(worst, std::abs(run["q2"][k] - 0.4 * run["q1"][k]));
    MESSAGE(std::string(name) << ": off the straight line by " << worst);
    CHECK(worst <= (name == std::string("slider_collinear") ? 1e-15 : 1e-10));
    CHECK(run.last("q1") > 0.1);
  }
}

TEST_CASE("sliders: two ellipses contain the other laws") {
  Model two_set = Model::named("slider_two_set");
  const Trajectory collinear = Model::named("slider_collinear").run({}, {.step = 1e-3});
  const Trajectory ellipse = Model::named("slider_ellipse").run({}, {.step = 1e-3});
  const double to_collinear = largest_difference(two_set.run({{"p1", 0.7}, {"p2", 0.7}}, {.step = 1e-3}), collinear);
  const double to_ellipse = largest_difference(two_set.run({{"p1", 0.4}, {"p2", 0.2}}, {.step = 1e-3}), ellipse);
  MESSAGE("p1/p2 = 1: " << to_collinear << " from the collinear law, p1/p2 = mu1/mu2: " << to_ellipse
                        << " from maximal dissipation");
  CHECK(to_collinear <= 1e-8);
  CHECK(to_ellipse <= 1e-8);
  CHECK(largest_difference(ellipse, collinear) > 0.01);
}

TEST_CASE("sliders: the ratio of the semi-axes of D turns the path") {
  Model model = Model::named("slider_two_set");
  double before = -1;  // angle of the stop point above the q1 axis; grows with p1/p2, pi/4 at the ratio 1
  for (const double ratio : {0.1, 0.2, 0.5, 0.8, 1.0, 1.25, 2.0, 3.0, 5.0, 10.0}) {
    CAPTURE(ratio);
    const Trajectory run = model.run({{"p1", 0.3 * ratio}, {"p2", 0.3}}, {.step = 1e-3});
    const double angle = std::atan2(run.last("q2"), run.last("q1"));
    CHECK(stop_time(run) < 0.6);
    CHECK(angle > before);
    if (ratio < 1) CHECK(run.last("q1") > 1.01 * run.last("q2"));  // towards the higher friction coefficient
    if (ratio > 1) CHECK(run.last("q2") > 1.01 * run.last("q1"));
    before = angle;
  }
}

TEST_CASE("sliders: slim sets D") {
  for (const double ratio : {0.05, 20.0}) {
    CAPTURE(ratio);
    const Trajectory run = Model::named("slider_two_set").run({{"p1", 0.3 * ratio}, {"p2", 0.3}}, {.step = 1e-3});
    const Sampled<4> reference = sliding(friction(elliptic_direction(ratio, 1), elliptic_gauge), {1, 1});
    CHECK(motion_error(run, reference) <= 1e-2);
    CHECK(std::abs(stop_time(run) - reference.end()) <= 2e-3);
  }
}

TEST_CASE("sliders: on the circle the forces run along the boundary of C and the velocities are normal to D") {
  Model model = Model::named("slider_circle");
  for (const Vec<2> p : {Vec<2>{0.6, 0.3}, Vec<2>{0.4, 0.5}}) {
    const Trajectory run = model.run({{"p1", p[0]}, {"p2", p[1]}});
    double gauge = 0, turned = 0, least = 10, most = 0;
    for (std::size_t k = 1; k < run.rows(); ++k) {
      const Vec<2> force{-run["surface.T[1]"][k], -run["surface.T[2]"][k]};
      const Vec<2> normal{force[0] / (p[0] * p[0]), force[1] / (p[1] * p[1])};
      const Vec<2> v{run["q1'"][k], run["q2'"][k]};
      gauge = std::max({gauge, std::abs(run["reservoir"][k] - 1), std::abs(clover_gauge(force) - 1)});
      turned = std::max(turned,
                        std::abs(std::atan2(normal[0] * v[1] - normal[1] * v[0], normal[0] * v[0] + normal[1] * v[1])));
      least = std::min(least, length(force));
      most = std::max(most, length(force));
    }
    MESSAGE("gauge off 1 by " << gauge << ", velocity off the normal by " << turned << " rad");
    CHECK(gauge <= 1e-8);
    CHECK(turned <= 1e-6);
    CHECK(most > 1.9 * least);  // from one axis to the other
  }
}

TEST_CASE("sliders: inside a star-shaped reservoir it sticks, outside it slides") {
  Model model = Model::text(R"(
param m = 1 [kg]
param g = 9.81 [m/s^2]
param mu1 = 0.6
param mu2 = 0.3
param p1 = 0.6
param p2 = 0.3
param pull = 0 [N]
param angle = 0
coord q1 [m] = 0
coord q2 [m] = 0
kinetic m/2*(q1'^2 + q2'^2)
force q1 : pull*cos(angle)
force q2 : pull*sin(angle)
set clover(a, b) = gauge (x, y) { 5/2*(((x/a)^2 + (y/b)^2)^(1/2) - 3/5*((x/a)^4 + (y/b)^4)^(1/4)) }
contact surface {
  slip [q1', q2']
  law two_set(clover(mu1*m*g, mu2*m*g), 0.8*min(mu1/p1, mu2/p2)*m*g * ellipse(p1, p2))
}
simulate { until 0.02 [s]  step 1e-3 [s] }
)");
  double worst = 0;
  for (const Vec<2> p : {Vec<2>{0.6, 0.3}, Vec<2>{0.3, 0.6}}) {
    for (int k = 0; k < 32; ++k) {
      const double angle = 2 * std::acos(-1.0) * k / 32;
      const double limit = 1 / clover_gauge({std::cos(angle), std::sin(angle)});
      CAPTURE(angle);
      const auto run = [&](double factor) {
        return model.run({{"pull", factor * limit}, {"angle", angle}, {"p1", p[0]}, {"p2", p[1]}});
      };
      for (const double factor : {0.01, 0.5, 0.9, 0.99}) {
        CAPTURE(factor);
        const Trajectory stick = run(factor);
        for (std::size_t i = 0; i < stick.rows(); ++i) {
          worst = std::max({worst, std::abs(stick["q1'"][i]), std::abs(stick["q2'"][i])});
        }
        CHECK(std::abs(std::hypot(stick.last("surface.T[1]"), stick.last("surface.T[2]")) - factor * limit) < 1e-9);
      }
      const Trajectory slip = run(1.05);
      CHECK(std::hypot(slip.last("q1'"), slip.last("q2'")) > 1e-4);
    }
  }
  MESSAGE("largest velocity in stick " << worst);
  CHECK(worst <= 1e-13);
}
