// models/free_top.nsm: flips about the middle axis against the elliptic integral, the spin against an independent
// integration of Euler's equations, and the drift of energy and angular momentum.
#include <numbers>
#include <tuple>
#include <utility>

#include "reference.hpp"
#include "run_model.hpp"

using namespace nsmc::test;

namespace {

constexpr double I1 = 1, I2 = 2, I3 = 2.6;

double elliptic_K(double k2) {  // by the arithmetic-geometric mean
  double a = 1, b = std::sqrt(1 - k2);
  while (std::abs(a - b) > 1e-15) {
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  return std::numbers::pi / (a + b);
}

double period(double w1, double w2, double w3) {
  double low = I1, high = I3;
  const double E2 = I1 * w1 * w1 + I2 * w2 * w2 + I3 * w3 * w3;  // 2 E
  const double L2 = I1 * I1 * w1 * w1 + I2 * I2 * w2 * w2 + I3 * I3 * w3 * w3;
  if (L2 > E2 * I2) std::swap(low, high);
  const double speed2 = (I2 - low) * (E2 * high - L2);
  const double k2 = (high - I2) * (L2 - E2 * low) / speed2;
  return 4 * elliptic_K(k2) * std::sqrt(I1 * I2 * I3 / speed2);
}

// The times at which the spin about the second axis changes its sign.
std::vector<double> flips(const Trajectory& run) {
  std::vector<double> times;
  const Column& w = run["top.spin[2]"];
  for (std::size_t k = 1; k < run.rows(); ++k) {
    if (w[k - 1] * w[k] >= 0) continue;
    times.push_back(run.t[k - 1] + (run.t[k] - run.t[k - 1]) * w[k - 1] / (w[k - 1] - w[k]));
  }
  return times;
}

Vec<3> euler(double, const Vec<3>& w) {
  return {(I2 - I3) / I1 * w[1] * w[2], (I3 - I1) / I2 * w[2] * w[0], (I1 - I2) / I3 * w[0] * w[1]};
}

}  // namespace

TEST_CASE("free top: the second axis turns over every half period") {
  CHECK(elliptic_K(0) == doctest::Approx(std::numbers::pi / 2));
  CHECK(elliptic_K(0.5) == doctest::Approx(1.854074677301372));
  Model model = Model::named("free_top");
  // Above and below L^2 = 2 E I2; the elliptic integral against the independent integration first.
  for (const auto& [w1, w3] : {std::pair(0.05, 0.0), std::pair(0.0, 0.3), std::pair(0.5, 0.1)}) {
    CAPTURE(w1);
    const double T = period(w1, 3, w3);
    double t = 0;
    Vec<3> w{w1, 3, w3};
    integrate(euler, t, w, T, 1e-4);
    CHECK(w[0] == doctest::Approx(w1).epsilon(1e-8));
    CHECK(w[1] == doctest::Approx(3).epsilon(1e-8));

    const Convergence c = convergence(2e-3, 4, [&](double step) {
      const Trajectory run = model.run({{"w1", w1}, {"w3", w3}}, {step, 1.5 * T});
      const std::vector<double> times = flips(run);
      REQUIRE(times.size() >= 2);
      return std::abs(times[1] - times[0] - T / 2);
    });
    check_convergence("free top, half a period of " + std::to_string(T) + " s", c, 0.9, 2e-3 * T);
  }
}

TEST_CASE("free top: spin, energy and angular momentum are of order one") {
  Model model = Model::named("free_top");
  const Overrides set{{"w1", 0.5}, {"w2", 2}, {"w3", 1}};
  double t = 0;
  Vec<3> exact{0.5, 2, 1};
  integrate(euler, t, exact, 5, 1e-4);
  const double L[] = {I1 * 0.5, I2 * 2, I3 * 1};
  const double E = (I1 * 0.25 + I2 * 4 + I3) / 2;
  const auto of = [&](const char* what, double finest, auto&& error) {
    check_convergence(std::string("free top, ") + what,
                      convergence(4e-3, 4,
                                  [&](double step) {
                                    return error(model.run(set, {step, 5}));
                                  }),
                      0.95, finest);
  };
  of("spin", 1e-2, [&](const Trajectory& run) {
    return std::hypot(run.last("top.spin[1]") - exact[0], run.last("top.spin[2]") - exact[1],
                      run.last("top.spin[3]") - exact[2]);
  });
  of("energy", 2e-3 * E, [&](const Trajectory& run) { return max_error(run, "energy", [&](double) { return E; }); });
  of("angular momentum", 1e-3 * L[1], [&](const Trajectory& run) {
    double worst = 0;
    for (int k = 0; k < 3; ++k) {
      worst = std::max(worst, max_error(run, "L[" + std::to_string(k + 1) + "]", [&](double) { return L[k]; }));
    }
    return worst;
  });
}

TEST_CASE("free top: the unit quaternion stays one, and a spin about a principal axis stays there") {
  Model model = Model::named("free_top");
  for (const auto& [w1, w2, w3] : {std::tuple(3.0, 0.0, 0.0), std::tuple(0.0, 3.0, 0.0), std::tuple(0.0, 0.0, 3.0)}) {
    const Trajectory run = model.run({{"w1", w1}, {"w2", w2}, {"w3", w3}}, {1e-3, 5});
    const double w[] = {w1, w2, w3};
    for (int k = 0; k < 3; ++k) {
      CHECK(max_error(run, "top.spin[" + std::to_string(k + 1) + "]", [&](double) { return w[k]; }) == 0);
    }
    double worst = 0;
    for (std::size_t k = 0; k < run.rows(); ++k) {
      const double length = std::hypot(std::hypot(run["top.quaternion[1]"][k], run["top.quaternion[2]"][k]),
                                       std::hypot(run["top.quaternion[3]"][k], run["top.quaternion[4]"][k]));
      worst = std::max(worst, std::abs(length - 1));
    }
    CHECK(worst < 1e-15);
  }
  // Near the first and the third axis it stays near; near the second one it does not.
  CHECK(flips(model.run({{"w1", 3}, {"w2", 0.2}, {"w3", 0.2}}, {1e-4, 20})).size() > 2);  // w2 swings about 0
  const auto least = [&](const Overrides& set, const char* spin) {
    const Trajectory run = model.run(set, {1e-4, 20});
    double value = run[spin][0];
    for (const double w : run[spin]) value = std::min(value, w);
    return value;
  };
  CHECK(least({{"w1", 3}, {"w2", 0.2}, {"w3", 0.2}}, "top.spin[1]") > 2.8);
  CHECK(least({{"w1", 0.2}, {"w2", 0.2}, {"w3", 3}}, "top.spin[3]") > 2.8);
  CHECK(least({{"w1", 0.2}, {"w2", 3}, {"w3", 0.2}}, "top.spin[2]") < -2.8);
}
