// models/rattleback.nsm: it turns round if it is spun the wrong way, and loses nothing; against event-driven
// integration.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "run_model.hpp"

using namespace nsmc;
using namespace nsmc::test;

namespace {

RunSettings half_a_second(rt::Method method) {
  RunSettings settings;
  settings.method = method;
  settings.until = 0.5;
  settings.step = 1e-3;
  settings.solver = rt::SolverKind::automatic;
  if (method == rt::Method::event) {
    settings.integrator.rtol = 1e-11;
    settings.integrator.atol = 1e-13;
  } else {
    settings.integrator.accuracy = 1e-5;
  }
  return settings;
}

}  // namespace

TEST_CASE("rattleback: spun the wrong way it turns round, as event-driven integration says") {
  Model model = Model::named("rattleback");
  const Trajectory exact = model.run({}, half_a_second(rt::Method::event));
  CHECK(exact.last("turning") == doctest::Approx(-4.919).epsilon(1e-3));
  for (const rt::Method method : {rt::Method::moreau, rt::Method::rk}) {
    const Trajectory run = model.run({}, half_a_second(method));
    CHECK(std::abs(run.last("turning") - exact.last("turning")) < 2e-2);
    const Column& energy = run["energy"];
    // It slides a little where it pitches most: friction takes a two-hundredth.
    CHECK(energy.back() > 0.994 * energy.front());
    CHECK(*std::max_element(energy.begin(), energy.end()) < 1.0002 * energy.front());
    const Column& turning = run["turning"];
    const auto turned = std::find_if(turning.begin(), turning.end(), [](double w) { return w < 0; });
    CHECK(static_cast<double>(turned - turning.begin()) * 1e-3 == doctest::Approx(0.185).epsilon(0.02));
  }
  const Trajectory other = model.run({{"w0", -5}}, half_a_second(rt::Method::moreau));
  CHECK(other.last("turning") == doctest::Approx(-4.99).epsilon(2e-3));
}
