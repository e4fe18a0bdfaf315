// Known answers of models/walker.nsm: what a footfall keeps of the angular velocity, and what walking tends to.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "run_model.hpp"

using namespace nsmc;
using namespace nsmc::test;

namespace {

constexpr double g = 9.81, J_over = 1.5, eta = 2.0 / 3;  // J + m l^2; (J + m l^2 cos 60 deg)/(J + m l^2)

// Steps by accuracy, as the model runs by default.
RunSettings walking(double until) {
  RunSettings settings;
  settings.until = until;
  settings.step = until / 1000;
  settings.solver = rt::SolverKind::automatic;
  settings.integrator.accuracy = 1e-6;
  return settings;
}

// The angular velocity behind each footfall, without what gravity has done since: the energy of the pendulum about the
// new foot, as if the wheel were still at the angle of its footfall.
std::vector<double> behind_footfalls(const Trajectory& run, double slope) {
  const Column &phi = run["phi"], &w = run["phi'"];
  std::vector<double> found;
  const double spoke = std::numbers::pi / 3;
  for (std::size_t k = 1; k < phi.size(); ++k) {
    const double foot = std::round(phi[k] / spoke);
    if (foot == std::round(phi[k - 1] / spoke)) continue;
    const double height = std::cos(phi[k] - foot * spoke + slope) - std::cos(-spoke / 2 + slope);
    found.push_back(std::sqrt(w[k] * w[k] + 2 * g * height / J_over));
  }
  return found;
}

}  // namespace

TEST_CASE("walker: footfalls take a part of the velocity, and it tends to that of the theory") {
  Model model = Model::named("walker");
  const double slope = 0.12, K = 2 * g * std::sin(slope) / J_over, limit = std::sqrt(eta * eta * K / (1 - eta * eta));
  const Trajectory run = model.run({}, walking(8));
  CHECK(run.last("limit") == doctest::Approx(limit));
  const std::vector<double> w = behind_footfalls(run, slope);
  REQUIRE(w.size() >= 6);
  for (std::size_t k = 1; k < w.size(); ++k) {
    CHECK(w[k] * w[k] == doctest::Approx(eta * eta * (w[k - 1] * w[k - 1] + K)).epsilon(1e-4));
    CHECK(std::abs(w[k] - limit) < std::abs(w[k - 1] - limit));
  }
  CHECK(w.back() == doctest::Approx(limit).epsilon(2e-3));
}

TEST_CASE("walker: it walks on a slope that is steep enough, and rocks to rest on others") {
  Model model = Model::named("walker");
  // 2 m g l (1 - cos(30 deg - slope))/(J + m l^2) = w*^2 at a slope of 0.1071.
  CHECK(model.run({{"slope", 0.11}}, walking(15)).last("phi") > 5);
  const Trajectory rest = model.run({{"slope", 0.1}}, walking(15));
  CHECK(std::abs(rest.last("phi'")) < 1e-4);
}
