// A row of dominoes: the wave settles, whatever its start, and its speed converges with the step.
#include <algorithm>

#include "run_model.hpp"

using namespace nsmc::test;

namespace {

constexpr double distance = 0.024;

// When each stone has tilted by a tenth: soon after it was hit.
std::vector<double> times(const Trajectory& run, int n) {
  std::vector<double> result;
  for (int i = 1; i <= n; ++i) {
    const Column& tilt = run["tilt[" + std::to_string(i) + "]"];
    std::size_t k = 1;
    while (k < tilt.size() && tilt[k] < 0.1) ++k;
    if (k == tilt.size()) break;
    const double part = (0.1 - tilt[k - 1]) / (tilt[k] - tilt[k - 1]);
    result.push_back(run.t[k - 1] + part * (run.t[k] - run.t[k - 1]));
  }
  return result;
}

// Over the last few stones.
double speed(const std::vector<double>& t) {
  constexpr std::size_t last = 4;
  return last * distance / (t[t.size() - 1] - t[t.size() - 1 - last]);
}

}  // namespace

TEST_CASE("domino: they fall one after the other, and the wave settles") {
  constexpr int n = 16;
  Model model = Model::named("domino", {{"n", n}});
  // Where a dozen stones lie upon each other, sor gives up in some steps. The wave is far ahead of them by then.
  // Pushed harder, it starts sooner; in the end it is as fast.
  std::vector<double> speeds;
  for (const auto& [w0, until] : {std::pair(3.0, 0.78), std::pair(6.0, 0.58)}) {
    CAPTURE(w0);
    const std::vector<double> t = times(model.run({{"w0", w0}}, {.step = 2e-4,
                                                                 .until = until,
                                                                 .solver = nsmc::rt::SolverKind::automatic,
                                                                 .tolerance = 1e-9,
                                                                 .residual = 1e-4}),
                                        n);
    REQUIRE(t.size() == n);
    CHECK(std::is_sorted(t.begin(), t.end()));
    const double before = 4 * distance / (t[11] - t[7]);
    speeds.push_back(speed(t));
    MESSAGE("pushed with " << w0 << " rad/s: speed " << speeds.back() << " m/s, four stones before " << before);
    CHECK(speeds.back() == doctest::Approx(before).epsilon(0.05));
  }
  CHECK(speeds[0] == doctest::Approx(speeds[1]).epsilon(5e-3));
}

TEST_CASE("domino: the speed converges with the step") {
  Model model = Model::named("domino");
  const auto arrival = [&](double h) {
    const std::vector<double> t = times(model.run({{"w0", 6}}, {.step = h, .until = 0.415, .tolerance = 1e-9}), 10);
    REQUIRE(t.size() == 10);
    return speed(t);
  };
  const double exact = arrival(2.5e-5);
  const Convergence c = convergence(
      8e-4, 3, [&](double h) { return worst_error(h, [&](double x) { return std::abs(arrival(x) - exact); }); });
  MESSAGE("speed of the last four of ten: " << exact << " m/s");
  check_convergence("domino, speed", c, 0.7, 0.01 * exact);
}

TEST_CASE("domino: without a push they stand") {
  const Trajectory run = Model::named("domino").run({{"w0", 0}}, {.until = 0.1});
  for (int i = 1; i <= 10; ++i) CHECK(std::abs(run.last("tilt[" + std::to_string(i) + "]")) < 1e-9);
}
