// models/tippe_top.nsm, the Tippe-Top with the Coulomb-Contensou ball: the sequence of [Leine 2003, fig. 12, 13], when
// its events happen, and how it comes to rest.
#include "event_run.hpp"
#include "tippe_top.hpp"

using namespace nsmc::test;
using namespace nsmc::test::tippe_top;

namespace {

struct Hop {
  double from, to;  // times between which the gap is open by more than `open`
  double height;
};

std::vector<Hop> hops(const Trajectory& run, const std::string& gap, double from, double to, double open) {
  std::vector<Hop> found;
  bool up = false;
  for (std::size_t k = 0; k < run.rows(); ++k) {
    if (run.t[k] < from || run.t[k] > to) continue;
    const double g = run[gap][k];
    if (g > open && !up) found.push_back({run.t[k], to, 0});
    if (g > open) found.back().height = std::max(found.back().height, g);
    if (g <= open && up) found.back().to = run.t[k];
    up = g > open;
  }
  return found;
}

Trajectory every_tenth_of_a_millisecond(Model& model, double step, double until) {
  RunSettings settings{step, until};
  settings.tolerance = 1e-10;
  settings.every = static_cast<std::uint32_t>(std::lround(1e-4 / step));
  return model.run({}, settings);
}

}  // namespace

TEST_CASE("tippe top ball: inversion, upright, back, rocking and double contact, with events that converge") {
  Model model = Model::named("tippe_top");
  const double exact = reference_touch(ball_friction);
  CHECK(exact == doctest::Approx(1.37081).epsilon(1e-5));
  std::vector<Events> found;
  std::ostringstream table;
  table.precision(6);
  table << "step, touch, lift, upright, back, tip leaves [s]";
  for (const double step : {1e-4, 5e-5, 2.5e-5, 1.25e-5}) {
    CAPTURE(step);
    const Trajectory run = every_tenth_of_a_millisecond(model, step, 6);
    const Events e = events(run);
    found.push_back(e);
    table << "\n  " << step << " " << e.touch << " " << e.lift << " " << e.upright << " " << e.back << " " << e.last;
    CHECK(e.touch < e.lift);
    CHECK(e.lift < e.upright);
    CHECK(e.upright + 3 < e.back);
    CHECK(e.back + 0.5 < e.last);
    CHECK(e.last < 5.8);
    // It stands until it has lost its spin, and falls back.
    double least = kPi;
    for (std::size_t k = 0; k < run.rows(); ++k) {
      if (run.t[k] > e.upright && run.t[k] < 4) least = std::min(least, run["inclination"][k]);
    }
    CHECK(least > 2.9);
    CHECK(run.last("inclination") < 2.45);
    CHECK(quaternion_error(run) < 1e-15);
    if (step > 2e-5) continue;
    // Rocking: head and tip hop in turn, each time for less long, until both stay.
    const double open = 2e-6;
    const std::vector<Hop> head = hops(run, "head.gap", e.back + 0.01, e.last, open),
                           tip = hops(run, "tip.gap", e.back, e.last - 0.2, open);
    for (const Hop& hop : head) table << "\n  head up from " << hop.from << " to " << hop.to << ", " << hop.height;
    for (const Hop& hop : tip) table << "\n  tip up from " << hop.from << " to " << hop.to << ", " << hop.height;
    REQUIRE(head.size() >= 3);
    REQUIRE(tip.size() >= 2);
    for (std::size_t k = 0; k + 1 < head.size(); ++k) {
      CHECK(head[k + 1].to - head[k + 1].from < 0.4 * (head[k].to - head[k].from));
      CHECK(head[k + 1].height < 0.25 * head[k].height);
    }
    CHECK(tip[1].to - tip[1].from < 0.6 * (tip[0].to - tip[0].from));
    CHECK(tip[0].to < head[0].from + 1e-3);
    CHECK(head[0].to < tip[1].from + 1e-3);
    CHECK(tip[1].to < head[1].from + 1e-3);
    const double both = head.back().to;
    CHECK(both == doctest::Approx(4.86).epsilon(4e-3));
    for (std::size_t k = 0; k < run.rows(); ++k) {
      if (run.t[k] < both + 0.02 || run.t[k] > e.last - 0.2) continue;
      CHECK(run["head.gap"][k] < open);
      CHECK(run["tip.gap"][k] < open);
    }
  }
  MESSAGE(table.str() << "\n  touch, by the smooth equations: " << exact);
  Convergence touch = convergence(1e-4, 4, [&, k = 0](double) mutable { return std::abs(found[k++].touch - exact); });
  check_convergence("tippe top, ball, time at which the tip touches", touch, 0.9, 5e-4);
  // The later events against another method: tippe_top_events.cpp. Here differences between steps shrink.
  const auto shrinks = [&](const char* what, double Events::*event, double finest) {
    CAPTURE(what);
    const double coarse = std::abs(found[2].*event - found[1].*event),
                 fine = std::abs(found[3].*event - found[2].*event);
    CHECK(fine < 0.7 * coarse);
    CHECK(fine < finest);
  };
  shrinks("upright", &Events::upright, 1e-3);
  shrinks("back", &Events::back, 5e-3);
  shrinks("tip leaves", &Events::last, 1e-2);
}

TEST_CASE("tippe top ball: the run as the model has it is right") {
  Model model = Model::named("tippe_top");
  RunSettings settings;  // step and end of the model
  settings.tolerance = 1e-10;
  const Trajectory run = model.run({}, settings);
  const Events e = events(run);
  CHECK(run.t.back() == doctest::Approx(8));
  // Beside the times of small steps, see docs/reproduction.md.
  CHECK(std::abs(e.touch - 1.3708) < 3e-3);
  CHECK(std::abs(e.upright - 1.4696) < 3e-3);
  CHECK(std::abs(e.back - 4.753) < 0.02);
  CHECK(std::abs(e.last - 5.69) < 0.05);
  CHECK(run.last("inclination") == doctest::Approx(1.805).epsilon(5e-3));
  CHECK(run["energy"][0] == doctest::Approx(I3 * 180 * 180 / 2 + kMass * kGravity * 0.012015).epsilon(1e-12));
  for (const char* gap : {"head.gap", "tip.gap"}) {
    CHECK(*std::min_element(run[gap].begin(), run[gap].end()) > -1e-4);
  }
}

TEST_CASE("tippe top ball: the energy falls in every step with a contact, and rises by dt^2 at most in a free one") {
  // About one step in a hundred finds the gap of the head above 0, by rounding and the error of the positions: a free
  // step. The method takes gyroscopic moments at its beginning, an error of order dt^2; the next step takes it back.
  Model model = Model::named("tippe_top");
  const Convergence rises = convergence(1e-4, 3, [&](double step) {
    const Trajectory run = model.run({}, {step, 2});
    int free = 0;
    double closed = 0;
    for (std::size_t k = 1; k < run.rows(); ++k) {
      const bool touches = run["head.N"][k] > 0 || run["tip.N"][k] > 0;
      free += touches ? 0 : 1;
      if (touches) closed = std::max(closed, run["energy"][k] - run["energy"][k - 1]);
    }
    CHECK(closed == 0);
    CHECK(free < 0.05 * static_cast<double>(run.rows()));
    return largest_rise(run) / run["energy"][0];
  });
  check_convergence("tippe top, ball, rise of the energy over it", rises, 1.9, 1e-7);
  RunSettings rows;
  rows.tolerance = 1e-10;
  rows.every = 200;  // as the model records
  CHECK(largest_rise(model.run({}, rows)) == 0);
}

TEST_CASE("tippe top ball: the ellipsoid follows the ball, as in fig. 4 of Moeller et al.") {
  Model ball = Model::named("tippe_top"), ellipsoid = Model::named("tippe_top_ellipsoid");
  const Trajectory one = every_tenth_of_a_millisecond(ball, 5e-5, 6),
                   other = every_tenth_of_a_millisecond(ellipsoid, 5e-5, 6);
  double inverting = 0, standing = 0;
  for (std::size_t k = 0; k < one.rows(); ++k) {
    const double apart = std::abs(one["inclination"][k] - other["inclination"][k]);
    if (one.t[k] < 1.36) inverting = std::max(inverting, apart);
    if (one.t[k] > 1.5 && one.t[k] < 4) standing = std::max(standing, apart);
  }
  const Events e = events(one), f = events(other);
  MESSAGE("tippe top, ellipsoid and ball: inclinations apart by "
          << inverting << " until 1.36 s, by " << standing << " from 1.5 s to 4 s; back " << f.back << " " << e.back);
  CHECK(inverting < 0.25);
  CHECK(standing < 0.2);
  CHECK(std::abs(e.touch - f.touch) < 5e-3);
  CHECK(std::abs(e.upright - f.upright) < 1e-2);
  CHECK(std::abs(e.back - f.back) < 0.25);
  CHECK(std::abs(e.last - f.last) < 0.15);
}

TEST_CASE("tippe top ball: the contact radius sets the pace, and rolling friction brings the top to rest") {
  // [Leine 2003, fig. 15]: a smaller radius, a slower inversion. A larger one drills the spin away, and slows it down
  // too.
  Model model = Model::named("tippe_top");
  const auto touch = [&](double R) {
    constexpr std::uint32_t tip = 1;
    const EventRun found = run_events(model, {{"R", R}}, {.step = 1e-3, .until = 2});
    const auto first = std::find_if(found.log.events.begin(), found.log.events.end(),
                                    [](const LoggedEvent& event) { return event.contact == tip; });
    REQUIRE(first != found.log.events.end());
    return first->t;
  };
  const double hertz = touch(5e-5), small = touch(1e-4), middle = touch(3e-4), large = touch(1e-3);
  MESSAGE("tippe top, the tip touches for R = 5e-5, 1e-4, 3e-4, 1e-3 m: " << hertz << " " << small << " " << middle
                                                                          << " " << large);
  CHECK(hertz > small + 0.05);
  CHECK(small > middle + 0.05);
  CHECK(large > middle + 0.05);
  CHECK(hertz == doctest::Approx(1.7409).epsilon(1e-4));
  CHECK(small == doctest::Approx(1.5416).epsilon(1e-4));
  CHECK(middle == doctest::Approx(1.3675).epsilon(1e-4));
  CHECK(large == doctest::Approx(1.4789).epsilon(1e-4));
  // On its head and without spin the top rolls without slipping, and nothing dissipates. With an arm rho it stops where
  // m g a1 sin(theta) <= rho m g.
  Model rolls = Model::text(changed("tippe_top", {{"law coulomb_contensou(mu, R)",
                                                   "law coulomb_contensou(mu, R)\n  law rolling_friction(0.1 [mm])"}}));
  RunSettings settings{1e-4, 18, nsmc::rt::SolverKind::automatic};
  settings.tolerance = 1e-10;
  settings.every = 100;
  const Trajectory run = rolls.run({}, settings);
  CHECK(largest(run, "inclination") > 3.1);
  CHECK(std::sin(run.last("inclination")) < 1e-4 / a1);
  CHECK(std::abs(run.last("spin_rate")) < 1e-9);
  for (const char* velocity : {"top.velocity[1]", "top.velocity[2]", "top.spin[1]", "top.spin[2]"}) {
    CHECK(std::abs(run.last(velocity)) < 1e-9);
  }
}
