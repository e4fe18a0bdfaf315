// Four spheres: statics by hand, and what happens without enough friction.
#include <algorithm>

#include "run_model.hpp"

using namespace nsmc::test;

TEST_CASE("pyramid: at rest") {
  const Trajectory run = Model::named("pyramid").run();
  const double mg = 0.1 * 9.81;
  const double beta = std::asin((0.04 + 0.0002) / (std::sqrt(3) * 0.04));
  const double T = mg / 3 * std::tan(beta / 2);
  const auto tangential = [&](const std::string& contact) {
    return std::hypot(run.last(contact + ".T[1]"), run.last(contact + ".T[2]"));
  };
  for (const char* i : {"[1]", "[2]", "[3]"}) {
    CAPTURE(i);
    CHECK(run.last(std::string("foot") + i + ".N") == doctest::Approx(4 * mg / 3).epsilon(1e-8));
    CHECK(run.last(std::string("head") + i + ".N") == doctest::Approx(mg / 3).epsilon(1e-8));
    CHECK(tangential(std::string("foot") + i) == doctest::Approx(T).epsilon(1e-8));
    CHECK(tangential(std::string("head") + i) == doctest::Approx(T).epsilon(1e-8));
  }
  CHECK(run.last("height") == doctest::Approx(run["height"].front()).epsilon(1e-12));
  CHECK(run.summary.closed_max == 6);
}

TEST_CASE("pyramid: it stands with enough friction only") {
  Model model = Model::named("pyramid");
  const double limit = std::tan(std::asin((0.04 + 0.0002) / (std::sqrt(3) * 0.04)) / 2);
  const auto sinks = [&](double mu, double mu_floor) {
    const Trajectory run = model.run({{"mu", mu}, {"mu_floor", mu_floor}});
    return run["height"].front() - run.last("height");
  };
  CHECK(sinks(1.01 * limit, 0.2) < 1e-10);
  CHECK(sinks(0.99 * limit, 0.2) > 1e-5);
  CHECK(sinks(0.4, 1.01 * limit / 4) < 1e-10);
  CHECK(sinks(0.4, 0.99 * limit / 4) > 1e-5);
  // Without friction the top sphere falls to the floor.
  const Trajectory apart = model.run({{"mu", 0}, {"mu_floor", 0}});
  CHECK(apart.last("height") == doctest::Approx(0.02).epsilon(0.05));
  CHECK(apart.last("fallen.N") == doctest::Approx(0.1 * 9.81).epsilon(1e-6));
  for (const char* i : {"[1]", "[2]", "[3]"}) {
    const double x = apart.last(std::string("low") + i + ".position[1]"),
                 y = apart.last(std::string("low") + i + ".position[2]");
    CHECK(std::hypot(x, y) > 0.04);
  }
}
