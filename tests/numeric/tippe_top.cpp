// models/tippe_top_*.nsm: the inversion of the Tippe-Top, its events, and the friction sets with which it does not
// happen. While the top stands on its head and spins, an independent integration is the reference.
#include <algorithm>
#include <fstream>
#include <numbers>
#include <sstream>

#include "reference.hpp"
#include "run_model.hpp"

using namespace nsmc::test;

namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kRbar = 3 * kPi / 16 * 5e-4;

// The top on its head: the friction of the ellipsoid is a smooth function of slip and spin, -(T, tau) = mu N (slip,
// Rbar^2 spin)/s with s^2 = |slip|^2 + Rbar^2 spin^2, and gap'' = 0 gives N. State: position, quaternion, velocity,
// spin in the frame of the body.
constexpr double kMass = 6e-3, I1 = 8e-7, I3 = 7e-7, a1 = 3e-3, a2 = 1.6e-2, r1 = 1.5e-2, r2 = 5e-3, kMu = 0.3,
                 kGravity = 9.81;

Vec<3> cross(const Vec<3>& a, const Vec<3>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

std::array<Vec<3>, 3> axes(const Vec<13>& y) {
  const double length = std::hypot(std::hypot(y[3], y[4]), std::hypot(y[5], y[6]));
  const double a = y[3] / length, b = y[4] / length, c = y[5] / length, d = y[6] / length;
  return {Vec<3>{1 - 2 * (c * c + d * d), 2 * (b * c + a * d), 2 * (b * d - a * c)},
          Vec<3>{2 * (b * c - a * d), 1 - 2 * (b * b + d * d), 2 * (c * d + a * b)},
          Vec<3>{2 * (b * d + a * c), 2 * (c * d - a * b), 1 - 2 * (b * b + c * c)}};
}

struct OnHead {
  double Rbar;

  Vec<13> operator()(double, const Vec<13>& y) const {
    const auto [e1, e2, e3] = axes(y);
    const Vec<3> w{y[10], y[11], y[12]};
    Vec<3> omega, r;
    for (int k = 0; k < 3; ++k) omega[k] = w[0] * e1[k] + w[1] * e2[k] + w[2] * e3[k];
    for (int k = 0; k < 3; ++k) r[k] = a1 * e3[k] - (k == 2 ? r1 : 0);
    const Vec<3> turning = cross(omega, r);
    const double slip1 = y[7] + turning[0], slip2 = y[8] + turning[1];
    const double s = std::hypot(slip1, slip2, Rbar * omega[2]);
    const Vec<3> force{-kMu * slip1 / s, -kMu * slip2 / s, 1};  // for N = 1
    Vec<3> moment = cross(r, force);
    moment[2] -= kMu * Rbar * Rbar * omega[2] / s;
    const auto spin_rate = [&](double N) {
      const auto along = [&](const Vec<3>& e) { return N * (moment[0] * e[0] + moment[1] * e[1] + moment[2] * e[2]); };
      return Vec<3>{(along(e1) + (I1 - I3) * w[1] * w[2]) / I1, (along(e2) + (I3 - I1) * w[2] * w[0]) / I1,
                    along(e3) / I3};
    };
    const Vec<3> bent = cross(omega, cross(omega, e3));
    const auto gap_acceleration = [&](double N) {
      const Vec<3> rate = spin_rate(N);
      Vec<3> alpha;
      for (int k = 0; k < 3; ++k) alpha[k] = rate[0] * e1[k] + rate[1] * e2[k] + rate[2] * e3[k];
      return N / kMass - kGravity + a1 * (cross(alpha, e3)[2] + bent[2]);
    };
    const double free = gap_acceleration(0);
    const double N = free / (free - gap_acceleration(1));
    const Vec<3> rate = spin_rate(N);
    return {y[7],
            y[8],
            y[9],
            (-y[4] * w[0] - y[5] * w[1] - y[6] * w[2]) / 2,
            (y[3] * w[0] + y[5] * w[2] - y[6] * w[1]) / 2,
            (y[3] * w[1] - y[4] * w[2] + y[6] * w[0]) / 2,
            (y[3] * w[2] + y[4] * w[1] - y[5] * w[0]) / 2,
            N * force[0] / kMass,
            N * force[1] / kMass,
            N / kMass - kGravity,
            rate[0],
            rate[1],
            rate[2]};
  }
};

Vec<13> start(double theta, double spin) {
  return {0, 0, r1 - a1 * std::cos(theta), std::cos(theta / 2), std::sin(theta / 2), 0, 0, 0, 0, 0, 0, 0, spin};
}

double inclination(const Vec<13>& y) {
  const Vec<3> e3 = axes(y)[2];
  return std::atan2(std::hypot(e3[0], e3[1]), e3[2]);
}

// When the tip of the reference touches the floor.
double reference_touch() {
  double t = 0;
  Vec<13> y = start(0.1, 180);
  const bool touches = integrate_until(OnHead{kRbar}, t, y, 3, 2e-5,
                                       [](double, const Vec<13>& z) { return z[2] + a2 * axes(z)[2][2] - r2; });
  REQUIRE(touches);
  return t;
}

// The first time from `since` on at which the column passes the level, upwards or downwards; -1 if it does not.
double passes(const Trajectory& run, const std::string& column, double level, double since = 0) {
  const Column& x = run[column];
  for (std::size_t k = 1; k < run.rows(); ++k) {
    const double before = x[k - 1] - level, now = x[k] - level;
    if (run.t[k - 1] < since || (before > 0) == (now > 0)) continue;
    return run.t[k - 1] + (run.t[k] - run.t[k - 1]) * before / (before - now);
  }
  return -1;
}

double largest(const Trajectory& run, const std::string& column) {
  return *std::max_element(run[column].begin(), run[column].end());
}

struct Events {
  double touch;    // the tip touches the floor
  double lift;     // the head leaves it
  double upright;  // the axis is within 0.14 of the vertical
  double back;     // the head comes down again
  double last;     // the tip leaves the floor for good
};

Events events(const Trajectory& run) {
  const double open = 1e-4;  // m: more than what the impacts and the penetration of a contact come to
  Events e;
  e.touch = passes(run, "tip.gap", 0);
  e.lift = passes(run, "head.gap", open, e.touch);
  e.upright = passes(run, "inclination", 3, e.lift);
  e.back = passes(run, "head.gap", open, e.upright);
  e.last = -1;
  for (std::size_t k = 0; k < run.rows(); ++k) {
    if (run["tip.gap"][k] < open) e.last = run.t[k];
  }
  return e;
}

// How far the energy rises above what it was at any time before.
double largest_rise(const Trajectory& run) {
  double least = run["energy"][0], rise = 0;
  for (const double E : run["energy"]) {
    rise = std::max(rise, E - least);
    least = std::min(least, E);
  }
  return rise;
}

double quaternion_error(const Trajectory& run) {
  const Column &a = run["top.quaternion[1]"], &b = run["top.quaternion[2]"], &c = run["top.quaternion[3]"],
               &d = run["top.quaternion[4]"];
  double worst = 0;
  for (std::size_t k = 0; k < run.rows(); ++k) {
    worst = std::max(worst, std::abs(std::hypot(std::hypot(a[k], b[k]), std::hypot(c[k], d[k])) - 1));
  }
  return worst;
}

// A model of models/ with every `written` changed.
std::string changed(const std::string& model, const std::string& written, const std::string& instead) {
  std::ifstream file(NSMC_SOURCE_DIR "/models/" + model + ".nsm");
  std::stringstream text;
  text << file.rdbuf();
  std::string result = text.str();
  std::size_t at = result.find(written);
  REQUIRE_MESSAGE(at != std::string::npos, written);
  for (; at != std::string::npos; at = result.find(written, at + instead.size())) {
    result.replace(at, written.size(), instead);
  }
  return result;
}

}  // namespace

TEST_CASE("tippe top: on the head, against an independent integration of the smooth equations") {
  Model model = Model::named("tippe_top_ellipsoid");
  double t = 0;
  Vec<13> y = start(0.1, 180);
  integrate(OnHead{kRbar}, t, y, 0.5, 2e-5);
  CHECK(std::abs(y[2] + a1 * axes(y)[2][2] - r1) < 1e-9);
  const auto run = [&](double step) { return model.run({}, {step, 0.5}); };
  check_convergence(
      "tippe top, inclination at 0.5 s",
      convergence(1e-4, 4, [&](double step) { return std::abs(run(step).last("inclination") - inclination(y)); }), 0.9,
      1e-3);
  check_convergence("tippe top, spin about the axis at 0.5 s",
                    convergence(1e-4, 4, [&](double step) { return std::abs(run(step).last("top.spin[3]") - y[12]); }),
                    0.9, 0.1);
}

TEST_CASE("tippe top: the tip touches the floor when the smooth equations say so") {
  const double exact = reference_touch();
  CHECK(exact == doctest::Approx(1.371043).epsilon(1e-6));
  Model model = Model::named("tippe_top_ellipsoid");
  const Convergence c = convergence(1e-4, 4, [&](double step) {
    return std::abs(passes(model.run({}, {step, 1.4}), "tip.gap", 0) - exact);
  });
  check_convergence("tippe top, time at which the tip touches", c, 0.9, 6e-4);
}

TEST_CASE("tippe top: it turns over, stands on its tip, falls back, and its events converge") {
  Model model = Model::named("tippe_top_ellipsoid");
  std::vector<Events> found;
  std::ostringstream table;
  table << "step, touch, lift, upright, back, tip leaves [s]";
  for (const double step : {1e-4, 5e-5, 2.5e-5}) {
    CAPTURE(step);
    RunSettings settings{step};
    settings.tolerance = 1e-10;
    settings.every = static_cast<std::uint32_t>(std::lround(1e-4 / step));
    const Trajectory run = model.run({}, settings);
    const Events e = events(run);
    found.push_back(e);
    table << "\n  " << step << " " << e.touch << " " << e.lift << " " << e.upright << " " << e.back << " " << e.last;
    // In this order, as in fig. 12 and 13 of Leine and Glocker.
    CHECK(e.touch == doctest::Approx(1.371).epsilon(4e-3));
    CHECK(e.lift > e.touch);
    CHECK(e.upright > e.lift);
    CHECK(e.back > e.upright + 2);
    CHECK(e.last > e.back + 0.5);
    CHECK(e.last < 6.5);
    // Upright all the time from there until it falls.
    CHECK(largest(run, "inclination") > 3.1);
    double least = kPi;
    for (std::size_t k = 0; k < run.rows(); ++k) {
      if (run.t[k] > e.upright && run.t[k] < 4) least = std::min(least, run["inclination"][k]);
    }
    CHECK(least > 2.9);
    CHECK(run.last("inclination") < 2);
    CHECK(run["energy"][0] == doctest::Approx(I3 * 180 * 180 / 2 + kMass * kGravity * 0.012015).epsilon(1e-12));
    CHECK(largest_rise(run) < 100 * step * step * run["energy"][0]);
    CHECK(quaternion_error(run) < 1e-15);
    // Contacts are held by their velocities: what is left is of the order of the step.
    for (const char* gap : {"head.gap", "tip.gap"}) {
      CHECK(*std::min_element(run[gap].begin(), run[gap].end()) > -3 * step);
    }
  }
  MESSAGE(table.str());
  const auto closer = [&](double Events::*event) {
    return std::abs(found[2].*event - found[1].*event) < 0.75 * std::abs(found[1].*event - found[0].*event);
  };
  CHECK(closer(&Events::touch));
  CHECK(std::abs(found[2].upright - found[1].upright) < 2e-3);
  CHECK(std::abs(found[2].lift - found[1].lift) < 1e-3);
  CHECK(std::abs(found[2].back - found[1].back) < 3e-2);
  CHECK(std::abs(found[2].last - found[1].last) < 0.2);
}

TEST_CASE("tippe top: bodies and the angles of Euler describe one motion") {
  Model bodies = Model::named("tippe_top_ellipsoid");
  Model angles = Model::named("tippe_top_euler");
  // Until shortly before theta = 0, where the angles are singular.
  for (const auto& [theta0, until] : {std::pair(0.1, 0.12), std::pair(0.5, 0.4)}) {
    CAPTURE(theta0);
    const Overrides set{{"theta0", theta0}, {"z0", r1 - a1 * std::cos(theta0) + 1e-8}};
    for (const char* column : {"inclination", "spin_rate"}) {
      const Convergence c = convergence(8e-5, 3, [&, theta0 = theta0, until = until](double step) {
        const Trajectory one = bodies.run(set, {step, until}), other = angles.run(set, {step, until});
        REQUIRE(one.rows() == other.rows());
        double worst = 0;
        for (std::size_t k = 0; k < one.rows(); ++k) {
          worst = std::max(worst, std::abs(one[column][k] - other[column][k]));
        }
        return worst;
      });
      check_convergence(std::string("tippe top, bodies against angles, ") + column, c, 0.9,
                        column[0] == 'i' ? 2e-2 : 0.2);
    }
  }
}

TEST_CASE("tippe top: with friction sets that do not couple sliding and drilling it does not turn over") {
  const auto stays = [](Model model, const Overrides& set) {
    RunSettings settings{1e-4};
    settings.every = 10;
    const Trajectory run = model.run(set, settings);
    CHECK(largest(run, "inclination") < 0.11);
    CHECK(*std::min_element(run["tip.gap"].begin(), run["tip.gap"].end()) > 0.02);
    CHECK(largest_rise(run) < 1e-8 * run["energy"][0]);
    CHECK(quaternion_error(run) < 1e-15);
    return run;
  };
  const Trajectory cylinder = stays(Model::named("tippe_top_cylinder"), {});
  // The moment mu N Rbar is all there: the spin falls by mu m g Rbar/I3 per second.
  CHECK(cylinder.last("spin_rate") == doctest::Approx(180 - kMu * kMass * kGravity * kRbar / I3 * 8).epsilon(0.02));
  const Trajectory none = stays(Model::named("tippe_top_ellipsoid"), {{"R", 0}});
  const Trajectory coulomb =
      stays(Model::text(changed("tippe_top_ellipsoid", "law drilling(mu, 3*pi/16*R)", "law coulomb(mu)")), {});
  CHECK(none.last("spin_rate") > 178);
  REQUIRE(none.rows() == coulomb.rows());
  double apart = 0;
  for (std::size_t k = 0; k < none.rows(); ++k) {
    apart = std::max(apart, std::abs(none["inclination"][k] - coulomb["inclination"][k]));
  }
  MESSAGE("tippe top: R = 0 and Coulomb friction differ by " << apart);
  CHECK(apart < 1e-4);
}

TEST_CASE("tippe top: the energy falls, but for the error of a step") {
  // The method takes gyroscopic moments at the beginning of a step, an error of order dt^2, which adds up to order dt
  // where nothing dissipates: without a moment of friction, when the head sticks. All rows count here.
  struct Case {
    const char* model;
    Overrides set;
    double order, finest;
  };
  for (const Case& c : {Case{"tippe_top_ellipsoid", {}, 1.9, 1e-7}, Case{"tippe_top_ellipsoid", {{"R", 0}}, 0.95, 1e-9},
                        Case{"tippe_top_cylinder", {}, 0, 1e-9}}) {
    Model model = Model::named(c.model);
    const Convergence rises = convergence(1e-4, 3, [&](double step) {
      const Trajectory run = model.run(c.set, {step, 2});
      return std::max(largest_rise(run) / run["energy"][0], 1e-16);
    });
    if (c.order > 0) {
      check_convergence("tippe top, rise of the energy over it", rises, c.order, c.finest);
    } else {
      for (const double rise : rises.errors) CHECK(rise < c.finest);
    }
  }
}
