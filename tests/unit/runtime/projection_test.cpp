// Constraints on position level: pendulums and chains.
#include "runtime/evaluation/projection.hpp"

#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "runtime/methods/moreau.hpp"
#include "runtime/output/observation.hpp"
#include "runtime/simulation/simulate.hpp"
#include "tests/unit/runtime/body_models.hpp"

using namespace nsmc::rt;

namespace {

struct Swing {
  double position_error = 0;
  double energy_last = 0, energy_min = 0, energy_max = 0;  // against the first
  int rounds = 0, iterations = 0;
  State state;
};

// 1e5 steps from rest, from 2 rad; energies in units of m g L.
Swing swing(const models::Model& model, bool generalised, double dt, int steps = 100000) {
  const double m = 0.7, g = 9.81, L = 0.5;
  const System system(model.table, std::vector<double>{m, g, L, 0});
  Workspace work(system);
  Observation observation(system, RowParts::none());
  Swing result;
  State state(system);
  if (generalised) {
    state.q[0] = 2;
  } else {
    state.q = {L * std::sin(2.0), -L * std::cos(2.0)};
  }
  const double first = observation.energy(state, work);
  for (int k = 0; k < steps; ++k) {
    const StepReport report = moreau::step(system, state, work, dt, {});
    REQUIRE(report.status == StepStatus::ok);
    REQUIRE(report.converged);
    result.position_error = std::max(result.position_error, report.position_error);
    result.rounds = std::max(result.rounds, report.projection_rounds);
    result.iterations = std::max(result.iterations, report.iterations);
    result.energy_last = (observation.energy(state, work) - first) / (m * g * L);
    result.energy_min = std::min(result.energy_min, result.energy_last);
    result.energy_max = std::max(result.energy_max, result.energy_last);
  }
  result.state = state;
  return result;
}

}  // namespace

TEST_CASE("projection: a pendulum in Cartesian coordinates keeps its length, and its energy as in generalised ones") {
  for (const double dt : {1e-3, 1e-2}) {
    CAPTURE(dt);
    const Swing cartesian = swing(models::pendulum(1), false, dt);
    const Swing generalised = swing(models::pendulum(0, true), true, dt);
    MESSAGE("pendulum, dt = " << dt << ", 1e5 steps: position error " << cartesian.position_error << ", "
                              << cartesian.rounds << " rounds; energy/(m g L) between " << cartesian.energy_min
                              << " and " << cartesian.energy_max << ", generalised between " << generalised.energy_min
                              << " and " << generalised.energy_max);
    CHECK(cartesian.position_error < 1e-14);
    CHECK(cartesian.rounds <= 5);
    CHECK(cartesian.iterations == 1);
    CHECK(cartesian.energy_min > 2 * generalised.energy_min);
    CHECK(cartesian.energy_max < 2 * generalised.energy_max);
  }
}

TEST_CASE("projection: the angle of the Cartesian pendulum converges with order two") {
  const auto angle = [](bool generalised, int n) {
    const Swing result = swing(models::pendulum(1, generalised), generalised, 1.0 / n, n);
    return generalised ? result.state.q[0] : std::atan2(result.state.q[0], -result.state.q[1]);
  };
  const double exact = angle(true, 20000);
  const double order = std::log2(std::abs(angle(false, 200) - exact) / std::abs(angle(false, 400) - exact));
  CHECK(order == doctest::Approx(2).epsilon(0.1));
}

TEST_CASE("projection: constraints given twice or three times give the same motion") {
  const Swing once = swing(models::pendulum(1), false, 1e-3, 2000);
  for (const std::uint32_t copies : {2u, 3u}) {
    const Swing more = swing(models::pendulum(copies), false, 1e-3, 2000);
    CHECK(more.position_error < 1e-14);
    for (int k = 0; k < 2; ++k) {
      CHECK(more.state.q[k] == doctest::Approx(once.state.q[k]).epsilon(1e-11));
      CHECK(more.state.u[k] == doctest::Approx(once.state.u[k]).epsilon(1e-11));
    }
    double sum = 0;
    for (const double Lambda : more.state.Lambda) sum += Lambda;
    CHECK(sum == doctest::Approx(once.state.Lambda[0]).epsilon(1e-9));
  }
}

TEST_CASE("projection: a body on a spherical joint") {
  // The joint sits at b in the body and at the origin of space: g = x + R b, W = (1, -R [b]_x).
  static const Eigen::Vector3d b(0.1, 0, 0.4);
  const std::vector<double> self = {2, 0.03, 0.04, 0.02, 9.81, 0, 0, 0};
  models::Model model;
  model.block_classes = {models::rigid_body()};
  model.blocks = {{0, 0, 0, self.data()}};
  model.contact_classes = {models::constraint(
      "joint", 1, 3,
      [](const nsm_view* v, double* out) {
        Eigen::Map<Eigen::Vector3d> g(out);
        g = Eigen::Map<const Eigen::Vector3d>(v->q[0]) + models::rotate(v->q[0] + 3, b);
      },
      [](const nsm_view* v, double* out) {
        Eigen::Map<Eigen::Matrix<double, 6, 3>> W(out);
        W.topRows<3>().setIdentity();
        for (int k = 0; k < 3; ++k) {  // row k of g' = ... + R (omega x b): omega . (b x R^T e_k)
          const double* e = v->q[0] + 3;
          const Eigen::Matrix3d R = Eigen::Quaterniond(e[0], e[1], e[2], e[3]).toRotationMatrix();
          W.col(k).tail<3>() = b.cross(R.transpose().col(k));
        }
        models::write_bilateral(3, 0, out + 18);
      })};
  model.contacts = {{0, {0, 0}, "joint", nullptr}, {0, {0, 0}, "joint", nullptr}};  // and redundant
  model.finish(0);
  const System system(model.table, {});
  SimulationOptions options;
  options.until = 10;
  options.step = 1e-4;
  options.parts = RowParts::none();
  NullRecorder recorder;
  State state(system);
  const Eigen::Quaterniond start(Eigen::AngleAxisd(1.0, Eigen::Vector3d::UnitX()));
  state.q = {0, 0, 0, start.w(), start.x(), start.y(), start.z()};
  const Eigen::Vector3d x = -(start * b) + Eigen::Vector3d(1e-5, 0, 0);  // a little off
  std::copy(x.data(), x.data() + 3, state.q.begin());
  const SimulationResult result = simulate(system, state, options, recorder);
  REQUIRE(result.reason == EndReason::finished);
  const Summary& summary = result.summary;
  MESSAGE("spherical joint, 1e5 steps: position error " << summary.position_error << ", energy " << summary.energy_first
                                                        << ", last " << summary.energy_last << ", iterations "
                                                        << summary.iterations_max);
  CHECK(summary.unconverged_steps == 0);
  CHECK(summary.position_error_first == doctest::Approx(1e-5));
  CHECK(summary.position_error < 1e-14);
  CHECK(summary.position_contact_name == "joint");
  CHECK(std::abs(Eigen::Map<const Eigen::Vector4d>(state.q.data() + 3).norm() - 1) < 1e-15);
  CHECK(summary.energy_last == doctest::Approx(summary.energy_first).epsilon(0.01));
}

TEST_CASE("projection: an inconsistent start is made consistent and said so") {
  const models::Model model = models::pendulum(1);
  const System system(model.table, std::vector<double>{1, 9.81, 1, 0});
  State state(system);
  state.q = {0, -1.001};
  state.u = {0.5, 0.25};
  SimulationOptions options;
  options.until = 0;
  NullRecorder recorder;
  const Summary summary = simulate(system, state, options, recorder).summary;
  CHECK(summary.position_error_first == doctest::Approx(1e-3));
  CHECK(summary.velocity_error_first == doctest::Approx(0.25));
  CHECK(std::abs(state.q[1] + 1) < 1e-15);
  CHECK(state.u[0] == 0.5);
  CHECK(std::abs(state.u[1]) < 1e-15);
}

TEST_CASE("projection: forces of a rod do not swing after the bob has hit a wall") {
  // A wall at x = 0: the bob comes down, hits it at the lowest point and goes back with half its velocity.
  models::Model model = models::pendulum(1);
  model.contact_classes.push_back(models::contact_class(
      cases::unilateral, "wall", 1, [](const nsm_view* v, double* out) { out[0] = v->q[0][0]; },
      [](const nsm_view*, double* out) {
        models::write({1, 0, 0, 0.5, -cases::infinity, 0, 0, 0}, out);
      }));
  model.contacts.push_back({1, {0, 0}, "wall", nullptr});
  model.finish(4);
  const double m = 1, g = 9.81, L = 1, dt = 1e-3;
  const System system(model.table, std::vector<double>{m, g, L, 0});
  Workspace work(system);
  State state(system);
  state.q = {L * std::sin(1.0), -L * std::cos(1.0)};
  int hits = 0, after = 0;
  double worst = 0, force_error = 0;
  double last[2] = {0, 0};
  for (int k = 0; k < 2000; ++k) {
    const double y = state.q[1];
    REQUIRE(moreau::step(system, state, work, dt, {}).converged);
    const double lambda = state.Lambda[0] / dt;
    after = state.closed[1] != 0 ? 0 : after + 1;
    if (after == 0) ++hits;
    if (hits > 0 && after > 3) {
      worst = std::max(worst, std::abs(lambda - 2 * last[1] + last[0]));
      // lambda = -(m v^2/L + m g cos), along the rod away from its end.
      const double v2 = state.u[0] * state.u[0] + state.u[1] * state.u[1];
      force_error = std::max(force_error, std::abs(lambda + m * v2 / L + m * g * -(y + state.q[1]) / 2 / L));
    }
    last[0] = last[1];
    last[1] = lambda;
  }
  CHECK(hits > 0);
  CHECK(worst < 1e-3);
  CHECK(force_error < 0.05);
}

TEST_CASE("projection: a hanging chain, forces are the weights below") {
  for (const std::uint32_t n : {10u, 300u}) {
    const models::Model model = models::rope(n);
    const double m = 0.2, g = 9.81, dt = 1e-3;
    const System system(model.table, std::vector<double>{m, g, 0});
    Workspace work(system);
    CHECK(work.projection.G.n_values() == n - 1);  // no fill
    State state(system);
    for (std::uint32_t i = 0; i < n; ++i) state.q[2 * i + 1] = -static_cast<double>(i + 1);
    for (int k = 0; k < 10; ++k) {
      const StepReport report = moreau::step(system, state, work, dt, {});
      CHECK(report.converged);
      CHECK(report.iterations == 1);
      CHECK(report.position_error < 1e-12);
    }
    for (std::uint32_t i = 0; i < n; ++i)
      CHECK(-state.Lambda[i] / dt == doctest::Approx(m * g * (n - i)).epsilon(1e-9));
  }
}

TEST_CASE("projection: a chain falls and keeps its energy") {
  const std::uint32_t n = 20;
  const models::Model model = models::rope(n);
  const System system(model.table, std::vector<double>{1, 9.81, 0});
  SimulationOptions options;
  options.until = 1;
  options.step = 1e-4;
  NullRecorder recorder;
  State state(system);
  for (std::uint32_t i = 0; i < n; ++i) state.q[2 * i] = i + 1;
  const Summary summary = simulate(system, state, options, recorder).summary;
  MESSAGE("chain of 20: position error " << summary.position_error << ", energy between " << summary.energy_min
                                         << " and " << summary.energy_max << ", iterations at most "
                                         << summary.iterations_max);
  CHECK(summary.position_error < 1e-12);
  CHECK(summary.unconverged_steps == 0);
  CHECK(std::max(std::abs(summary.energy_min), summary.energy_max) < 1e-3 * 9.81 * n);
}
