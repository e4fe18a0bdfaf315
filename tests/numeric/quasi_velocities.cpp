// Quasi-velocities: the same motion as in plain coordinates, up to the error of the method.
#include "run_model.hpp"

using namespace nsmc::test;

namespace {

// A sled on a plane, pushed and braked, that may slide along its blade but not across (a skate).
const char* const skate_plain = R"(
param m = 2 [kg]
param J = 0.3 [kg m^2]
param w = 1.5 [rad/s]
coord x [m] = 0
coord y [m] = 0
coord psi [rad] = 0.2
initial x' = 2 [m/s]*cos(0.2 [rad])
initial y' = 2 [m/s]*sin(0.2 [rad])
initial psi' = w
kinetic m/2*(x'^2 + y'^2) + J/2*psi'^2
force x : 3 [N]
contact blade { slip -x'*sin(psi) + y'*cos(psi)  law bilateral_slip }
contact ice { slip x'*cos(psi) + y'*sin(psi)  law joint_friction(1 [N]) }
simulate { until 2 [s]  step 1e-3 [s] }
)";

// In quasi-velocities along and across the blade; `dynamics` are its inertia and its forces.
std::string skate_quasi(const std::string& dynamics) {
  return R"(
param m = 2 [kg]
param J = 0.3 [kg m^2]
param w = 1.5 [rad/s]
coord x [m] = 0
coord y [m] = 0
coord psi [rad] = 0.2
velocity along [m/s] = 2 "velocity along the blade"
velocity across [m/s] = 0
velocity turn [rad/s] = w
kinematics x' = along*cos(psi) - across*sin(psi)
kinematics y' = along*sin(psi) + across*cos(psi)
kinematics psi' = turn
contact blade { slip across  law bilateral_slip }
contact ice { slip along  law joint_friction(1 [N]) }
simulate { until 2 [s]  step 1e-3 [s] }
)" + dynamics;
}

// In the frame of the sled the accelerations are along' - turn across and across' + turn along.
const char* const matrices = R"(
mass [[m, 0, 0], [0, m, 0], [0, 0, J]]
force [m*turn*across + 3 [N]*cos(psi), -m*turn*along - 3 [N]*sin(psi), 0]
)";

// The same from the energy: the compiler has to find the terms of the turning frame.
const char* const energies = R"(
kinetic m/2*(along^2 + across^2) + J/2*turn^2
force x : 3 [N]
)";

// The constrained motion by hand: across = 0, turn = w, m along' = 3 cos(psi) - 1 (it moves forwards throughout).
double along_exact(double t) { return 2 + (3.0 / 1.5 * (std::sin(0.2 + 1.5 * t) - std::sin(0.2)) - t) / 2; }

}  // namespace

TEST_CASE("quasi-velocities: a skate moves as in plain coordinates") {
  for (double t = 0; t <= 2; t += 0.01) REQUIRE(along_exact(t) > 0.1);
  Model plain = Model::text(skate_plain);
  Model quasi = Model::text(skate_quasi(matrices));
  const auto difference = [&](double step) {
    const Trajectory a = plain.run({}, {.step = step});
    const Trajectory b = quasi.run({}, {.step = step});
    REQUIRE(a.rows() == b.rows());
    double worst = 0;
    for (const char* q : {"x", "y", "psi"}) {
      for (std::size_t k = 0; k < a.rows(); ++k) worst = std::max(worst, std::abs(a[q][k] - b[q][k]));
    }
    return worst;
  };
  check_convergence("plain and quasi", convergence(8e-3, 4, difference), 0.9, 1e-2);
  const auto error = [&](double step) { return max_error(quasi.run({}, {.step = step}), "along", along_exact); };
  check_convergence("along", convergence(8e-3, 4, error), 1.9, 2e-7);
}

TEST_CASE("quasi-velocities: kinetic energy in them gives the terms of the turning frame") {
  const Trajectory a = Model::text(skate_quasi(matrices)).run();
  const Trajectory b = Model::text(skate_quasi(energies)).run();
  REQUIRE(a.rows() == b.rows());
  for (const char* name : {"x", "y", "psi", "along", "across", "turn", "blade.T", "ice.T"}) {
    CAPTURE(name);
    double worst = 0;
    for (std::size_t k = 0; k < a.rows(); ++k) worst = std::max(worst, std::abs(a[name][k] - b[name][k]));
    CHECK(worst < 1e-9);
  }
  CHECK(std::abs(a.last("blade.T")) > 1);  // the blade carries the sled round the curve
}
