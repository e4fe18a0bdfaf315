// models/cradle.nsm: what Newton's impact law says about three balls in a row.
#include "run_model.hpp"

using namespace nsmc::test;

TEST_CASE("cradle: (1 - 2 e, 1 + e, 1 + e)/3 of the impact velocity") {
  Model model = Model::named("cradle");
  const double m = 0.2, v0 = 1.5;
  for (const double e : {1.0, 0.8, 0.5, 0.0}) {
    CAPTURE(e);
    const Trajectory run = model.run({{"e", e}, {"v0", v0}});
    CHECK(run.last("x1'") == doctest::Approx((1 - 2 * e) / 3 * v0).epsilon(1e-9));
    CHECK(run.last("x2'") == doctest::Approx((1 + e) / 3 * v0).epsilon(1e-9));
    CHECK(run.last("x3'") == doctest::Approx((1 + e) / 3 * v0).epsilon(1e-9));
    CHECK(max_error(run, "momentum", [&](double) { return m * v0; }) < 1e-9);
    // Newton's law keeps or loses energy here: 1/9 + 4/9 + 4/9 = 1 for e = 1.
    const double energy = m / 2 * v0 * v0 * ((1 - 2 * e) * (1 - 2 * e) + 2 * (1 + e) * (1 + e)) / 9;
    CHECK(run.last("energy") == doctest::Approx(energy).epsilon(1e-9));
    for (const char* N : {"first_second.N", "second_third.N"}) {
      for (const double value : run[N]) CHECK(value >= 0);
    }
  }
}

TEST_CASE("cradle: the impact is at d/v0, and happens once") {
  const double d = 0.105, v0 = 1;
  const Trajectory run = Model::named("cradle").run({{"d", d}, {"v0", v0}});
  int impacts = 0;
  for (std::size_t k = 0; k < run.rows(); ++k) {
    if (run["first_second.N"][k] <= 0) continue;
    ++impacts;
    CHECK(std::abs(run.t[k] - d / v0) < 2e-3);
    // The percussion of the first ball: m (v0 - v1) = 4/3 m v0, in one step of 1 ms.
    CHECK(run["first_second.N"][k] * 1e-3 == doctest::Approx(4.0 / 3 * 0.2 * v0).epsilon(1e-9));
    CHECK(run["second_third.N"][k] * 1e-3 == doctest::Approx(2.0 / 3 * 0.2 * v0).epsilon(1e-9));
  }
  CHECK(impacts == 1);
}
