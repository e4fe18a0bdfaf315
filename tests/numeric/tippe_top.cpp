// models/tippe_top_*.nsm: the inversion of the Tippe-Top, its events, and the friction sets with which it does not
// happen. While the top stands on its head and spins, an independent integration is the reference.
#include "tippe_top.hpp"

using namespace nsmc::test;
using namespace nsmc::test::tippe_top;

TEST_CASE("tippe top: on the head, against an independent integration of the smooth equations") {
  Model model = Model::named("tippe_top_ellipsoid");
  double t = 0;
  Vec<13> y = start(0.1, 180);
  integrate(OnHead{ellipsoid_friction}, t, y, 0.5, 2e-5);
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
  const double exact = reference_touch(ellipsoid_friction);
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
      stays(Model::text(changed("tippe_top_ellipsoid", {{"law contensou_ellipsoid(mu, R)", "law coulomb(mu)"}})), {});
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
