// Bodies in space and springs between them: quaternions, elements, initial values.
#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "runtime/methods/moreau.hpp"
#include "runtime/output/observation.hpp"
#include "tests/unit/runtime/body_models.hpp"

using namespace nsmc::rt;

namespace {

models::Model bodies(const std::vector<std::vector<double>>& self) {
  models::Model model;
  model.block_classes = {models::rigid_body()};
  for (std::uint32_t i = 0; i < self.size(); ++i) model.blocks.push_back({0, 7 * i, 6 * i, self[i].data()});
  model.finish(0);
  return model;
}

}  // namespace

TEST_CASE(
    "bodies: a free axisymmetric body precesses about its angular momentum, and the quaternion stays a unit one") {
  // J = diag(A, A, C): the axis e_z of the body goes round L with the angular velocity |L|/A.
  const double A = 0.3, C = 0.5;
  const std::vector<std::vector<double>> self = {{2, A, A, C, 0, 1.5, 0, 4}};
  const models::Model model = bodies(self);
  const System system(model.table, {});
  Workspace work(system);
  double worst_length = 0;
  const auto error = [&](int n) {
    State state = initial_state(system);
    CHECK(state.q[3] == 1);  // from (2, 0, 0, 0)
    CHECK(state.u[5] == 4);
    const Eigen::Vector3d L(A * 1.5, 0, C * 4);
    for (int k = 0; k < n; ++k) {
      REQUIRE(moreau::step(system, state, work, 1.0 / n, {}).status == StepStatus::ok);
      const double length = Eigen::Map<const Eigen::Vector4d>(state.q.data() + 3).norm();
      worst_length = std::max(worst_length, std::abs(length - 1));
    }
    const Eigen::Vector3d axis = models::rotate(state.q.data() + 3, Eigen::Vector3d::UnitZ());
    const Eigen::Vector3d expected = Eigen::AngleAxisd(L.norm() / A, L.normalized()) * Eigen::Vector3d::UnitZ();
    return (axis - expected).norm();
  };
  const double coarse = error(1000), fine = error(2000);
  MESSAGE("free body: errors of the axis " << coarse << ", " << fine << ", order " << std::log2(coarse / fine));
  CHECK(worst_length < 4e-16);
  CHECK(std::log2(coarse / fine) == doctest::Approx(1).epsilon(0.1));  // h is taken at u^B
  CHECK(fine < 2e-3);
}

TEST_CASE("bodies: without gyroscopic moments the rotation is of order two") {
  const std::vector<std::vector<double>> self = {{2, 0.3, 0.3, 0.3, 0, 1, 2, 3}};
  const models::Model model = bodies(self);
  const System system(model.table, {});
  Workspace work(system);
  const auto error = [&](int n) {
    State state = initial_state(system);
    for (int k = 0; k < n; ++k) moreau::step(system, state, work, 1.0 / n, {});
    const Eigen::Vector3d omega(1, 2, 3);
    const Eigen::Quaterniond exact(Eigen::AngleAxisd(omega.norm(), omega.normalized()));
    return (Eigen::Vector4d(state.q[3], state.q[4], state.q[5], state.q[6]) -
            Eigen::Vector4d(exact.w(), exact.x(), exact.y(), exact.z()))
        .norm();
  };
  CHECK(std::log2(error(100) / error(200)) == doctest::Approx(2).epsilon(0.02));
}

TEST_CASE("bodies: what is wrong with an initial state") {
  std::vector<std::vector<double>> self = {{1, 1, 1, 1, 0, 1, 2, 3}, {1, 1, 1, 1, 0, 1, 2, 3}};
  models::Model model = bodies(self);
  const System system(model.table, {});
  CHECK_FALSE(find_fault(system, initial_state(system)));
  CHECK(describe(system, find_fault(system, initial_state(system))).empty());
  self[1][6] = std::nan("");
  CHECK(describe(system, find_fault(system, initial_state(system))) == "u[4] of block body[1] is not finite");
  State state(system);
  CHECK(describe(system, find_fault(system, state)) == "the quaternion of block body[0] is zero, no rotation");
  state.q[2] = cases::infinity;
  const StateFault fault = find_fault(system, state);
  CHECK(fault.kind == StateFault::Kind::q_not_finite);
  CHECK(fault.block == 0);
  CHECK(fault.index == 2);
  model.block_classes[0].initial = nullptr;
  CHECK(initial_state(system).u == std::vector<double>(12, 0));
}

TEST_CASE("elements: two masses on a spring swing with the right frequency, and their energies add up") {
  const double masses[] = {2, 3}, spring[] = {50, 1.5};
  const models::Model model = models::two_masses(masses, spring);
  const System system(model.table, {});
  Workspace work(system);
  Observation observation(system);
  const double omega = std::sqrt(spring[0] * (1 / masses[0] + 1 / masses[1]));
  const auto run = [&](int n, double& drift) {
    State state(system);
    state.q = {0, spring[1] + 0.2};
    const double energy = observation.energy(state, work);
    CHECK(energy == doctest::Approx(spring[0] * 0.04 / 2));
    drift = 0;
    for (int k = 0; k < n; ++k) {
      moreau::step(system, state, work, 2.0 / n, {});
      drift = std::max(drift, std::abs(observation.energy(state, work) / energy - 1));
    }
    CHECK(std::abs(masses[0] * state.u[0] + masses[1] * state.u[1]) < 1e-13);
    return std::abs(state.q[1] - state.q[0] - spring[1] - 0.2 * std::cos(2 * omega));
  };
  double coarse = 0, fine = 0;
  const double order = std::log2(run(1000, coarse) / run(2000, fine));
  CHECK(order == doctest::Approx(2).epsilon(0.02));
  CHECK(coarse / fine == doctest::Approx(4).epsilon(0.02));
  CHECK(fine < 1e-4);
}

TEST_CASE("elements: a force that is not a number is seen at its block") {
  const double masses[] = {2, 3}, spring[] = {std::nan(""), 1.5};
  const models::Model model = models::two_masses(masses, spring);
  const System system(model.table, {});
  Workspace work(system);
  State state(system);
  const StepReport report = moreau::step(system, state, work, 1e-3, {});
  CHECK(report.status == StepStatus::not_finite);
  CHECK(report.block == 0);
}

TEST_CASE("system: elements, quaternions, positions and outputs that contradict themselves are refused") {
  const double masses[] = {2, 3}, spring[] = {50, 1.5};
  models::Model model = models::two_masses(masses, spring);
  model.output_classes = {{"length", 2, 1, [](const nsm_view* v, double* out) { out[0] = v->q[1][0] - v->q[0][0]; }}};
  model.outputs = {{0, {0, 1}, NSM_NONE, nullptr}};
  model.contact_classes = {models::constraint(
      "pin", 1, 1, [](const nsm_view* v, double* out) { out[0] = v->q[0][0]; },
      [](const nsm_view*, double* out) {
        out[0] = 1;
        models::write_bilateral(1, 0, out + 1);
      })};
  model.contacts = {{0, {0, 0}, "pin", nullptr}};
  model.finish(0);
  CHECK_NOTHROW(System(model.table, {}));
  SUBCASE("element of no class") { model.elements[0].element_class = 1; }
  SUBCASE("element on no block") { model.elements[0].blocks[1] = 2; }
  SUBCASE("element without a force") { model.element_classes[0].force = nullptr; }
  SUBCASE("element on three blocks") { model.element_classes[0].n_blocks = 3; }
  SUBCASE("quaternion") { model.block_classes[0].quaternion = 0; }
  SUBCASE("quaternion far out") { model.block_classes[0].quaternion = NSM_NONE - 1; }
  SUBCASE("more positions than rows") { model.contact_classes[0].n_position = 2; }
  SUBCASE("no kernel for positions") { model.contact_classes[0].position = nullptr; }
  SUBCASE("positions and a gap") { model.contact_classes[0].gap = model.contact_classes[0].position; }
  SUBCASE("output of no class") { model.outputs[0].output_class = 1; }
  SUBCASE("output on no block") { model.outputs[0].blocks[0] = 7; }
  SUBCASE("output of no contact") { model.outputs[0].contact = 1; }
  SUBCASE("output without a value") { model.output_classes[0].value = nullptr; }
  SUBCASE("observed by NSM_NONE") { model.table.n_observed = 1; }
  SUBCASE("blocks on top of each other") { model.blocks[1].first_q = 0; }
  SUBCASE("block outside of the state") { model.blocks[1].first_u = NSM_NONE; }
  CHECK_THROWS_AS(System(model.table, {}), SystemError);
}
