// nsmc run --method event --form kappa: the motion of the form lambda wherever G is regular, by every iteration that
// the form has. Rows of slip and spin differ by orders of magnitude here.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/cli/program.hpp"

using namespace nsmc::test;

namespace {

// A disc that slides and spins on a floor, comes to rest, and is pushed to and fro.
std::string disc(const std::string& law) {
  return R"(model disc
param R = 5e-4 [m]
coord x [m] = 0
coord y [m] = 0
coord z [m] = 0
coord psi [rad] = 0
initial x' = 0.1 [m/s]
initial psi' = 50 [rad/s]
kinetic 0.003 [kg]*(x'^2 + y'^2 + z'^2) + 3.5e-7 [kg m^2]*psi'^2
potential 0.06 [N]*z
force x : 0.03 [N]*sin(300 [1/s]*t)
contact floor { gap z  slip [x', y']  spin psi'  law unilateral  law )" +
         law + R"( }
simulate { until 0.1 [s]  step 1e-3 [s] }
)";
}

struct Forms : Workplace {
  Finished event(const std::string& file, const Names& more) const {
    Names all{"run", file, "--method", "event", "-o", "out.csv"};
    all.insert(all.end(), more.begin(), more.end());
    return run(all);
  }

  // The same rows by form kappa and each of its solvers, to 2e-8 of the size of each column: where slip turns, forces
  // change fast.
  void compare(const std::string& file, const Names& more, int most_iterations) const {
    REQUIRE(event(file, more).code == 0);
    const Table expected = read_csv(read("out.csv"));
    for (const char* solver : {"auto", "sor", "jor", "newton"}) {
      CAPTURE(solver);
      Names all{"--form", "kappa", "--solver", solver};
      all.insert(all.end(), more.begin(), more.end());
      const Finished run = event(file, all);
      CHECK(run.err == "");
      REQUIRE(run.code == 0);
      const Table found = read_csv(read("out.csv"));
      REQUIRE(found.rows == expected.rows);
      for (const auto& [name, values] : expected.columns) {
        double size = 1e-6, worst = 0;
        for (std::size_t k = 0; k < values.size(); ++k) {
          size = std::max(size, std::abs(values[k]));
          worst = std::max(worst, std::abs(values[k] - found.columns.at(name)[k]));
        }
        CHECK_MESSAGE(worst <= 2e-8 * size, name);
      }
      // By the iteration itself, not by what newton makes of it after all of its sweeps.
      const std::size_t at = run.out.find(" mean, ");
      REQUIRE(at != std::string::npos);
      CHECK(std::stoi(run.out.substr(at + 7)) <= most_iterations);
    }
  }
};

}  // namespace

TEST_CASE("method event: the Tippe-Tops in both forms") {
  const Forms forms;
  for (const char* name : {"tippe_top", "tippe_top_ellipsoid", "tippe_top_cylinder", "tippe_top_euler"}) {
    CAPTURE(name);
    forms.compare(NSMC_SOURCE_DIR "/models/" + std::string(name) + ".nsm", {"--until", "0.01", "--step", "1e-3"}, 200);
  }
}

TEST_CASE("method event: a disc with slip and spin in both forms") {
  const Forms forms;
  for (const char* law : {"contensou_ellipsoid(0.3, R)", "coulomb_contensou(0.3, R)"}) {
    CAPTURE(law);
    forms.write("disc.nsm", disc(law));
    // The contensou ball at rest has one r for all its rows: jor and sor leave it to newton.
    forms.compare("disc.nsm", {}, 20200);
  }
}

TEST_CASE("method event: solvers that are made for forces are refused by form kappa") {
  const Forms forms;
  forms.write("disc.nsm", disc("contensou_ellipsoid(0.3, R)"));
  for (const char* solver : {"jprox", "uzawa", "multiplier"}) {
    const Finished run = forms.event("disc.nsm", {"--form", "kappa", "--solver", solver});
    CHECK(run.code == 2);
    CHECK(contains(run.err, "--form kappa is solved by auto, sor, jor or newton"));
    CHECK(forms.event("disc.nsm", {"--solver", solver, "--until", "0.01"}).code == 0);
  }
}

TEST_CASE("method event: a solver that does not converge says so") {
  const Forms forms;
  // One slips, one sticks, and no force changes their limits: there are accelerations, and one iteration does not find
  // them.
  forms.write("sticks.nsm", R"(model sticks
coord x [m] = 0
coord y [m] = 0
kinetic (x'^2 + y'^2 + x'*y')/2*1 [kg]
force x : 1 [N]
force y : 2 [N]
contact a { slip x'  law joint_friction(0.5 [N]) }
contact b { slip y'  law joint_friction(6 [N]) }
simulate { until 0.1 [s]  step 1e-2 [s] }
)");
  CHECK(forms.event("sticks.nsm", {"--form", "kappa"}).code == 0);
  for (const char* form : {"lambda", "kappa"}) {
    const Finished run = forms.event("sticks.nsm", {"--form", form, "--solver", "jor", "--max-iterations", "1"});
    CHECK(run.code == 3);
    CHECK_MESSAGE(contains(run.err, "the contact solver did not converge to accelerations"), run.err);
    CHECK_FALSE(contains(run.err, "Painleve"));
    CHECK(contains(run.out, "every step before the failure converged"));
  }
}
