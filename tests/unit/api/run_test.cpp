// A run in the hand of the caller is the run of one go, bit for bit, also where it was saved, written and read again.
#include <doctest/doctest.h>

#include "nsmc/nsmc.hpp"
#include "tests/temporary_folder.hpp"

using namespace nsmc;

namespace {

constexpr const char* kSlider = R"(param m = 1 [kg]
param e = 0.5
param mu = 0.3
coord x [m] = 0
coord z [m] = 0.01
initial x' = 0.2 [m/s]
kinetic m/2*(x'^2 + z'^2)
potential m*9.81 [m/s^2]*z
contact floor { gap z  slip x'  law unilateral(e)  law coulomb(mu) }
simulate { until 0.2 [s]  step 1 [ms] }
)";

}  // namespace

TEST_CASE("run in hand: steps, saved and resumed, are those of one go, by every method") {
  const Model model = Model::from_text(kSlider);
  const test::TemporaryFolder folder;
  for (const char* method : {"moreau", "rk", "event", "lie"}) {
    CAPTURE(method);
    const RunRequest request{.settings = {{"method", method}}};
    Table whole;
    model.run(request, whole);
    Run first = model.start(request);
    CHECK(first.step());
    CHECK(first.steps() == 1);
    CHECK(first.advance(0.1));
    CHECK(first.t() == doctest::Approx(0.1));
    CHECK(first.value("z") == whole.column("z")[100]);
    CHECK(first.value("floor.N") == whole.column("floor.N")[100]);
    first.save().write(folder / "state");
    Table rest;
    Run second = model.resume(SavedState::read(folder / "state"), {}, &rest);
    second.advance(1);
    CHECK(second.is_over());
    CHECK(second.result().end == RunEnd::finished);
    CHECK(second.result().method == method);
    for (const std::string& name : whole.names()) {
      CAPTURE(name);
      CHECK(second.value(name) == whole.column(name).back());
      CHECK(rest.column(name).back() == whole.column(name).back());
    }
  }
}

TEST_CASE("run in hand: parameters between steps, closed contacts, and what does not fit") {
  const Model model = Model::from_text(kSlider);
  Run run = model.start();
  CHECK(run.closed().empty());
  run.advance(0.15);
  CHECK(run.closed() == std::vector<std::string>{"floor"});
  const double before = run.value("x'");
  run.set({{"mu", 0}});
  run.advance(0.18);
  CHECK(run.value("x'") == doctest::Approx(before));
  CHECK_THROWS_AS(run.value("y"), SettingError);
  CHECK_THROWS_AS(run.set({{"nu", 0}}), SettingError);
  const Model other = Model::from_text(std::string(kSlider) + "output twice = 2*x\n");
  CHECK_THROWS_AS(other.resume(run.save()), SettingError);
}
