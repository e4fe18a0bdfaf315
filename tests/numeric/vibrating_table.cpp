// models/vibrating_table.nsm against the stick-slip motion composed of its phases.
#include "reference.hpp"
#include "run_model.hpp"

using namespace nsmc::test;

namespace {

constexpr double A = 5e-3, w = 30, mu = 0.3, g = 9.81;

double table_velocity(double t) { return A * w * std::cos(w * t); }
double table_position(double t) { return A * std::sin(w * t); }

// The motion for B = 0: in stick x' is the table's velocity, in slip x'' = -+ mu g. Events by small strides and
// bisection of closed formulas.
class StickSlip {
 public:
  explicit StickSlip(double until) {
    double t = 0, x = 0, v = table_velocity(0);
    while (t < until) {
      const double pull = -A * w * w * std::sin(w * t);  // acceleration that stick needs
      const bool sticks = std::abs(pull) <= mu * g * (1 + 1e-12);
      // In stick the block leaves with the sign of the acceleration it lacks; just after a slip |pull| may be too
      // large.
      const double s = sticks ? 0 : pull > 0 ? 1 : -1;
      phases_.push_back({t, x, v, s});
      const auto active = [&](double time) {  // > 0 while the phase lasts
        if (s == 0) return mu * g - std::abs(A * w * w * std::sin(w * time));
        return s * (table_velocity(time) - (v + s * mu * g * (time - t)));
      };
      const double stride = 1e-5;
      double low = t + stride;
      while (low < until && active(low) > 0) low += stride;
      double high = low;
      low -= stride;
      for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        (active(middle) > 0 ? low : high) = middle;
      }
      x = position(high);
      v = s == 0 ? table_velocity(high) : v + s * mu * g * (high - t);
      t = high + (s == 0 ? 1e-12 : 0);
    }
  }

  double position(double t) const {
    std::size_t k = phases_.size() - 1;
    while (k > 0 && phases_[k].t > t) --k;
    const Phase& p = phases_[k];
    const double d = t - p.t;
    if (p.s == 0) return p.x + table_position(t) - table_position(p.t);
    return p.x + p.v * d + p.s * mu * g / 2 * d * d;
  }

  std::size_t phases() const { return phases_.size(); }

 private:
  struct Phase {
    double t, x, v, s;
  };
  std::vector<Phase> phases_;
};

void check_laws(const Trajectory& run) {
  for (std::size_t k = 1; k < run.rows(); ++k) {
    CHECK(run["table_top.N"][k] >= 0);
    CHECK(std::abs(run["table_top.T"][k]) <= mu * run["table_top.N"][k] * (1 + 1e-12));
  }
}

}  // namespace

TEST_CASE("vibrating table: stick and slip in turn") {
  const StickSlip exact(0.6);
  REQUIRE(exact.phases() >= 10);
  Model model = Model::named("vibrating_table");
  const auto error = [&](double step) {
    const Trajectory run = model.run({}, {.step = step});
    check_laws(run);
    return max_error(run, "x", [&](double t) { return exact.position(t); });
  };
  check_convergence("x", convergence(2e-3, 5, [&](double step) { return worst_error(step, error); }), 0.85, 5e-5);
}

TEST_CASE("vibrating table: gently shaken, the block goes with the table") {
  const double gentle = 0.9 * mu * g / (w * w);
  const double dt = 1e-4;
  const Trajectory run = Model::named("vibrating_table").run({{"A", gentle}}, {.step = dt});
  check_laws(run);
  // The step makes the velocities equal in its middle: what is left is half a step of the table's acceleration.
  CHECK(max_error(run, "slip", [](double) { return 0.0; }) < 0.51 * dt * mu * g);
  CHECK(max_error(run, "travel", [](double) { return 0.0; }) < dt * gentle * w);
}

TEST_CASE("vibrating table: a table that also lifts the block changes its normal force") {
  constexpr double B = 5e-3;  // B w^2 < g: the contact stays closed
  // x' = v; v' = -mu N/m sgn(slip) in slip, the table's acceleration in stick, N/m = g - B w^2 sin(w t)
  const double until = 0.5;
  Sampled<2> reference;
  {
    const auto N = [&](double t) { return g - B * w * w * std::sin(w * t); };
    const auto pull = [&](double t) { return -A * w * w * std::sin(w * t); };
    Vec<2> y{0, A * w};
    double t = 0;
    double s = 0;  // -sgn(slip); 0: stick
    while (t < until) {
      const auto f = [&](double time, const Vec<2>& x) { return Vec<2>{x[1], s == 0 ? pull(time) : s * mu * N(time)}; };
      const auto active = [&](double time, const Vec<2>& x) {
        return s == 0 ? mu * N(time) - std::abs(pull(time)) : s * (table_velocity(time) - x[1]);
      };
      reference.add(t, y, f(t, y));
      bool event = false;
      while (t < until && !event) {
        event = integrate_until(f, t, y, std::min(until, t + 5e-4), 1e-4, active);
        reference.add(t, y, f(t, y));
      }
      if (!event) break;
      if (s != 0) y[1] = table_velocity(t);
      const bool sticks = s != 0 && std::abs(pull(t)) <= mu * N(t);
      s = sticks ? 0 : pull(t) > 0 ? 1 : -1;
      if (s != 0) {  // leave the surface slip = 0
        const double nudge = 1e-9;
        y = rk4_step(f, t, y, nudge);
        t += nudge;
      }
    }
  }
  Model model = Model::named("vibrating_table");
  const auto error = [&](double step) {
    const Trajectory run = model.run({{"B", B}}, {.step = step, .until = until});
    check_laws(run);
    return max_error(run, "x", [&](double t) { return reference(t, 0); });
  };
  check_convergence("x", convergence(1e-3, 4, [&](double step) { return worst_error(step, error); }), 0.85, 6e-5);
}
