// Moreau's midpoint rule, driven by hand-written kernels, against analytic answers.
#include "runtime/methods/moreau.hpp"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <cmath>

#include "tests/unit/runtime/hand_models.hpp"

using namespace nsmc::rt;

namespace {

const SolverOptions solver;

// Mean error of the first three impact times over 16 drops from slightly different heights (so that the place of the
// impact within its step averages out).
double impact_time_error(double dt) {
  const models::Model model = models::bouncing_ball();
  const double g = 9.81, e = 0.8;
  const System system(model.table, std::vector<double>{0.1, g, e});
  Workspace work(system);
  double sum = 0;
  int count = 0;
  for (int n = 0; n < 16; ++n) {
    State state(system);
    state.q[0] = 1 + 0.017 * n;
    double expected = std::sqrt(2 * state.q[0] / g);
    double flight = 2 * expected;
    for (int k = 0, impacts = 0; impacts < 3; ++k) {
      const double before = state.u[0];
      const StepReport report = moreau::step(system, state, work, dt, solver);
      REQUIRE(report.status == StepStatus::ok);
      REQUIRE(k * dt < 10);
      if (before < 0 && state.u[0] > 0) {
        sum += std::abs(state.t - dt / 2 - expected);
        ++count;
        ++impacts;
        flight *= e;
        expected += flight;
      }
    }
  }
  return sum / count;
}

}  // namespace

TEST_CASE("moreau: impact times of a bouncing ball converge with order one") {
  const double coarse = impact_time_error(2e-3), fine = impact_time_error(2e-4);
  const double order = std::log10(coarse / fine);
  MESSAGE("bouncing ball: errors of impact times " << coarse << ", " << fine << ", order " << order);
  CHECK(order > 0.8);
  CHECK(order < 1.2);
  CHECK(fine < 2e-3);
}

TEST_CASE("moreau: the ball comes to rest after the accumulation point and is carried") {
  const models::Model model = models::bouncing_ball();
  const double m = 0.1, g = 9.81, e = 0.8, dt = 1e-3;
  const System system(model.table, std::vector<double>{m, g, e});
  Workspace work(system);
  State state(system);
  state.q[0] = 1;
  const double end = std::sqrt(2 / g) * (1 + e) / (1 - e);  // 4.06 s
  bool moving_at_half = false;
  while (state.t < end + 0.2) {
    moreau::step(system, state, work, dt, solver);
    if (std::abs(state.t - end / 2) < dt) moving_at_half = std::abs(state.u[0]) > 0.1;
  }
  CHECK(moving_at_half);
  CHECK(std::abs(state.u[0]) < 1e-14);
  CHECK(std::abs(state.q[0]) < 2e-3);
  double lambda = 0;
  forces(state, &lambda);
  CHECK(lambda == doctest::Approx(m * g).epsilon(1e-12));
  CHECK(state.closed[0] == 1);
}

TEST_CASE("moreau: one ball hits two that touch, each its own block, two contacts of one class") {
  const std::vector<double> masses = {2, 2, 2};
  const models::Model model = models::cradle(masses, {{0, 1}, {1, 2}});
  const System system(model.table, std::vector<double>{1.0});
  Workspace work(system);
  State state(system);
  state.q = {-0.001, 1, 2};
  state.u = {3, 0, 0};
  for (int k = 0; k < 3; ++k) CHECK(moreau::step(system, state, work, 1e-3, {SolverKind::sor, 1, 1e-14}).converged);
  CHECK(state.u[0] == doctest::Approx(-1).epsilon(1e-10));
  CHECK(state.u[1] == doctest::Approx(2).epsilon(1e-10));
  CHECK(state.u[2] == doctest::Approx(2).epsilon(1e-10));
}

TEST_CASE("moreau: different masses and a partly elastic impact conserve momentum and obey Newton's law") {
  const std::vector<double> masses = {1, 3};
  const models::Model model = models::cradle(masses, {{0, 1}});
  const double e = 0.4;
  const System system(model.table, std::vector<double>{e});
  Workspace work(system);
  State state(system);
  state.q = {0, 1};
  state.u = {2, -1};
  CHECK(moreau::step(system, state, work, 1e-3, solver).n_closed == 1);
  CHECK(state.u[0] + 3 * state.u[1] == doctest::Approx(-1));
  CHECK(state.u[1] - state.u[0] == doctest::Approx(e * 3));
}

TEST_CASE("moreau: block-sparse G agrees with a dense computation, whatever the order of contacts") {
  const std::vector<double> masses = {1, 2, 0.5, 4, 3, 1.5};
  // Every ball touches its neighbour (they overlap); the order makes runs with holes. The last pair is far apart: open.
  const models::Model model = models::cradle(masses, {{2, 3}, {0, 1}, {4, 5}, {1, 2}, {3, 4}, {0, 5}});
  const System system(model.table, std::vector<double>{0.5});
  Workspace work(system);
  const std::vector<double> q = {0, 0.9, 1.8, 2.7, 3.6, 4.5}, u = {3, -1, 2, 0, -2, 1};
  REQUIRE_FALSE(evaluate_dynamics(system, work, 0, q.data(), u.data()));
  REQUIRE_FALSE(find_closed(system, work, 0, q.data(), u.data()));
  evaluate_directions(system, work, 0, q.data(), u.data(), work.closed);
  const std::vector<double> Lambda(system.n_rows(), 0.0);
  assemble(system, work, 1e-3, 0, q.data(), u.data(), Lambda.data());
  const ContactProblem& problem = work.problem;
  REQUIRE(problem.n_rows() == 5);

  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(6, 5);
  const int pairs[5][2] = {{2, 3}, {0, 1}, {4, 5}, {1, 2}, {3, 4}};
  for (int i = 0; i < 5; ++i) {
    W(pairs[i][0], i) = -1;
    W(pairs[i][1], i) = 1;
  }
  const Eigen::VectorXd inverse = Eigen::Map<const Eigen::VectorXd>(masses.data(), 6).cwiseInverse();
  const Eigen::MatrixXd expected = W.transpose() * inverse.asDiagonal() * W;
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(5, 5);
  std::size_t stored = 0;
  for (const ContactRows& rows : problem.contacts) {
    const double* g = problem.G.data() + rows.first_value;
    for (std::uint32_t n = 0; n < rows.n_runs; ++n) {
      const ColumnRun& run = problem.runs[rows.first_run + n];
      for (std::uint32_t k = 0; k < run.n_columns; ++k) G(rows.first_row, run.first_column + k) = *g++;
    }
    CHECK(problem.G[rows.first_value + rows.own] == expected(rows.first_row, rows.first_row));
    stored += rows.width;
  }
  CHECK((G - expected).norm() < 1e-15);
  CHECK(stored == static_cast<std::size_t>((expected.array() != 0).count()));  // nothing but neighbours
  const Eigen::VectorXd gamma = W.transpose() * Eigen::Map<const Eigen::VectorXd>(u.data(), 6);
  CHECK((Eigen::Map<const Eigen::VectorXd>(problem.c.data(), 5) - 1.5 * gamma).norm() < 1e-14);
}

TEST_CASE("moreau: a mass on an incline sticks exactly or slides with the right acceleration") {
  for (const bool affine : {true, false}) {
    CAPTURE(affine);
    const models::Model model = models::incline(affine);
    const double m = 0.7, g = 9.81, angle = 0.4, dt = 1e-3;
    {
      const System system(model.table, std::vector<double>{m, g, angle, 0.5});  // tan 0.4 = 0.42
      Workspace work(system);
      State state(system);
      for (int k = 0; k < 1000; ++k) REQUIRE(moreau::step(system, state, work, dt, solver).converged);
      CHECK(std::abs(state.u[0]) < 1e-15);
      CHECK(std::abs(state.u[1]) < 1e-15);
      CHECK(std::abs(state.q[0]) < 1e-15);
      double lambda[2];
      forces(state, lambda);
      CHECK(lambda[0] == doctest::Approx(m * g * std::cos(angle)));
      CHECK(lambda[1] == doctest::Approx(-m * g * std::sin(angle)));
    }
    {
      const double mu = 0.3;
      const System system(model.table, std::vector<double>{m, g, angle, mu});
      Workspace work(system);
      State state(system);
      for (int k = 0; k < 1000; ++k) REQUIRE(moreau::step(system, state, work, dt, solver).converged);
      const double acceleration = g * (std::sin(angle) - mu * std::cos(angle));
      CHECK(state.u[0] == doctest::Approx(acceleration).epsilon(1e-9));
      CHECK(state.q[0] == doctest::Approx(acceleration / 2).epsilon(1e-9));
    }
  }
}

TEST_CASE("moreau: a sliding mass stops and stays") {
  const models::Model model = models::incline();
  const double g = 9.81, mu = 0.5, v = 2;
  const System system(model.table, std::vector<double>{1.0, g, 0.0, mu});
  Workspace work(system);
  State state(system);
  state.u[0] = v;
  while (state.t < 1) moreau::step(system, state, work, 1e-3, solver);
  CHECK(std::abs(state.u[0]) < 1e-14);
  CHECK(state.q[0] == doctest::Approx(v * v / (2 * mu * g)).epsilon(1e-3));
}

namespace {

// One mass, q' = u, no gap, one bilateral row; directions given by the test.
models::Model single(nsm_kernel directions, bool mapped, bool compliant) {
  models::Model model;
  model.block_classes = {models::block_class("mass", 1, [](const nsm_view* v, double* out) {
    out[0] = v->p[0];
    out[1] = 0;
  })};
  model.blocks = {{0, 0, 0, nullptr}};
  nsm_contact_class type = models::contact_class(cases::unilateral, "row", 1, nullptr, directions);
  type.mapped = mapped ? 1 : 0;
  type.compliant = compliant ? 1 : 0;
  model.contact_classes = {type};
  model.contacts = {{0, {0, 0}, "row", nullptr}};
  model.finish(2);
  return model;
}

}  // namespace

TEST_CASE("moreau: compliance is C/dt on the diagonal: a linear damper, implicitly") {
  const models::Model model = single(
      [](const nsm_view* v, double* out) {
        const double values[] = {1, 0, 0, v->p[1], -cases::infinity, cases::infinity, 0, 0};  // W, chi, eps, C, a, K
        std::copy(std::begin(values), std::end(values), out);
      },
      false, true);
  const double m = 3, C = 0.2, dt = 0.01;
  const System system(model.table, std::vector<double>{m, C});
  Workspace work(system);
  State state(system);
  state.u[0] = 5;
  moreau::step(system, state, work, dt, solver);
  CHECK(state.u[0] == doctest::Approx(5 / (1 + dt / (C * m))).epsilon(1e-12));  // m u' = -u/C
}

TEST_CASE("moreau: sets are given in units of force and scale with dt") {
  // Dry friction with a constant limit p_1: -lambda in [-p_1, p_1].
  const models::Model model = single(
      [](const nsm_view* v, double* out) {
        const double values[] = {1, 0, 0, -v->p[1], v->p[1], 0, 0};
        std::copy(std::begin(values), std::end(values), out);
      },
      false, false);
  const double m = 3, limit = 1.5;
  const System system(model.table, std::vector<double>{m, limit});
  Workspace work(system);
  for (const double dt : {1e-2, 1e-3}) {
    State state(system);
    state.u[0] = 5;
    for (int k = 0; k * dt < 0.9999; ++k) moreau::step(system, state, work, dt, solver);
    CHECK(state.u[0] == doctest::Approx(5 - limit / m).epsilon(1e-12));
    double lambda = 0;
    forces(state, &lambda);
    CHECK(lambda == doctest::Approx(-limit));
  }
}

TEST_CASE("moreau: mapped directions: G = V^T M^-1 W and c = V^T ...") {
  const models::Model model = single(
      [](const nsm_view* v, double* out) {
        // W, V, chi, restitution, a, K: xi = V u + chi = 4 u + 4 p_1, with W = 2
        const double values[] = {2, 4, 4 * v->p[1], 0, -cases::infinity, cases::infinity, 0, 0};
        std::copy(std::begin(values), std::end(values), out);
      },
      true, false);
  const double m = 3, chi = 0.5, dt = 0.01;
  const System system(model.table, std::vector<double>{m, chi});
  Workspace work(system);
  State state(system);
  state.u[0] = 5;
  moreau::step(system, state, work, dt, solver);
  CHECK(work.problem.G[0] == doctest::Approx(8 / m));
  CHECK(state.u[0] == doctest::Approx(-chi).epsilon(1e-12));                     // xi = 0
  CHECK(state.Lambda[0] == doctest::Approx(-m * (5 + chi) / 2).epsilon(1e-12));  // W Lambda = m (u^E - u^B)
}

TEST_CASE("moreau: constraint rows that say the same thing twice") {
  models::Model model = single(
      [](const nsm_view*, double* out) {
        const double values[] = {1, 0, 0, -cases::infinity, cases::infinity, 0, 0};
        std::copy(std::begin(values), std::end(values), out);
      },
      false, false);
  model.contacts.push_back(model.contacts[0]);
  model.finish(2);
  const System system(model.table, std::vector<double>{3, 0});
  Workspace work(system);
  for (const SolverKind kind : {SolverKind::jor, SolverKind::sor}) {
    State state(system);
    state.u[0] = 5;
    for (int k = 0; k < 20; ++k) CHECK(moreau::step(system, state, work, 0.01, {kind}).converged);
    CHECK(std::abs(state.u[0]) < 1e-14);
  }
}

TEST_CASE("moreau: smooth motion is of order two, with kinematics of its own") {
  // q' = 2 u, u' = -2 q: an oscillator of angular frequency 2; q = cos 2t.
  models::Model model;
  model.block_classes = {models::block_class("mass", 1, [](const nsm_view* v, double* out) {
    out[0] = 1;
    out[1] = -2 * v->q[0][0];
  })};
  model.block_classes[0].identity_kinematics = 0;
  model.block_classes[0].kinematics = [](const nsm_view* v, double* out) { out[0] = 2 * v->u[0][0]; };
  model.blocks = {{0, 0, 0, nullptr}};
  model.finish(0);
  const System system(model.table, {});
  Workspace work(system);
  const auto error = [&](int n) {
    State state(system);
    state.q[0] = 1;
    for (int k = 0; k < n; ++k) moreau::step(system, state, work, 1.0 / n, solver);
    return std::abs(state.q[0] - std::cos(2.0));
  };
  const double order = std::log2(error(100) / error(200));
  CHECK(order == doctest::Approx(2).epsilon(0.05));
}

TEST_CASE("moreau: constant masses are factored once per prepare") {
  static int mass_seen;
  mass_seen = 0;
  models::Model model;
  model.block_classes = {models::block_class("mass", 1, [](const nsm_view* v, double* out) {
    out[0] = v->shared[0] + mass_seen++;  // "constant", yet it changes: only the first one may be used
    out[1] = 1;
  })};
  model.block_classes[0].constant_mass = 1;
  model.blocks = {{0, 0, 0, nullptr}};
  model.finish(1);
  model.table.n_shared = 1;
  model.table.prepare = [](const nsm_view* v, double*) { v->shared[0] = v->p[0]; };
  const System system(model.table, std::vector<double>{2});
  Workspace work(system);
  State state(system);
  moreau::step(system, state, work, 1, solver);
  moreau::step(system, state, work, 1, solver);
  CHECK(state.u[0] == 1);  // 1/2 + 1/2
  work.prepare(system);
  moreau::step(system, state, work, 1, solver);
  CHECK(state.u[0] == 1 + 1.0 / 4);
}

TEST_CASE("moreau: failures are values and leave the state alone") {
  static double bad;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  models::Model model = models::incline();
  State before;
  const auto run = [&](const models::Model& m, double mu) {
    const System system(m.table, std::vector<double>{1.0, 9.81, 0.3, mu});
    Workspace work(system);
    State state(system);
    state.u[0] = 0.25;
    state.Lambda[0] = 0.125;
    before = state;
    const StepReport report = moreau::step(system, state, work, 1e-3, solver);
    if (report.status != StepStatus::ok) {
      CHECK(state.t == before.t);
      CHECK(state.q == before.q);
      CHECK(state.u == before.u);
      CHECK(state.Lambda == before.Lambda);
      CHECK_FALSE(report.converged);
    }
    return report;
  };
  CHECK(run(model, 0.5).status == StepStatus::ok);

  SUBCASE("an indefinite mass") {
    model.block_classes[0].dynamics = [](const nsm_view*, double* out) {
      const double values[] = {1, 2, 0, 1, 0, 0};  // eigenvalues 3, -1
      std::copy(std::begin(values), std::end(values), out);
    };
    const StepReport report = run(model, 0.5);
    CHECK(report.status == StepStatus::mass_not_positive_definite);
    CHECK(report.block == 0);
  }
  SUBCASE("a singular mass") {
    model.block_classes[0].dynamics = [](const nsm_view*, double* out) {
      const double values[] = {0.1, 0.1 / 3, 0, 0.1 / 9, 0, 0};
      std::copy(std::begin(values), std::end(values), out);
    };
    CHECK(run(model, 0.5).status == StepStatus::mass_not_positive_definite);
  }
  SUBCASE("a mass or force that is not a number") {
    for (const int place : {0, 1, 3, 4, 5}) {
      static int where;
      where = place;
      bad = nan;
      model.block_classes[0].dynamics = [](const nsm_view*, double* out) {
        const double values[] = {1, 0, 0, 1, 0, 0};
        std::copy(std::begin(values), std::end(values), out);
        out[where] = bad;
      };
      const StepReport report = run(model, 0.5);
      CHECK(report.status == StepStatus::not_finite);
      CHECK(report.block == 0);
    }
  }
  SUBCASE("a gap that is not a number is not an open contact") {
    bad = nan;
    model.contact_classes[0].gap = [](const nsm_view*, double* out) { out[0] = bad; };
    const StepReport report = run(model, 0.5);
    CHECK(report.status == StepStatus::not_finite);
    CHECK(report.contact == 0);
  }
  SUBCASE("a friction coefficient that is not a number") {
    const StepReport report = run(model, nan);
    CHECK(report.status == StepStatus::not_finite);
    CHECK(report.contact == 0);
  }
  SUBCASE("kinematics that blow up") {
    bad = nan;
    model.block_classes[0].identity_kinematics = 0;
    model.block_classes[0].kinematics = [](const nsm_view* v, double* out) {
      out[0] = v->t > 0 ? 1 / (bad - bad) : 0;
      out[1] = 0;
    };
    CHECK(run(model, 0.5).status == StepStatus::not_finite);
  }
}

TEST_CASE("system: a kernel table that contradicts itself is refused") {
  const std::vector<double> parameters = {1.0, 9.81, 0.3, 0.5};
  models::Model model = models::incline();
  CHECK_NOTHROW(System(model.table, parameters));
  CHECK_THROWS_AS(System(model.table, std::vector<double>{1}), SystemError);
  SUBCASE("version") { model.table.abi = NSM_ABI + 1; }
  SUBCASE("contact on no block") { model.contacts[0].blocks[0] = 1; }
  SUBCASE("state") { model.table.n_q = 3; }
  SUBCASE("a row without a set") { model.contact_classes[0].n_sets = 1; }
  SUBCASE("no arguments") { model.contact_classes[0].affine = 0; }
  CHECK_THROWS_AS(System(model.table, parameters), SystemError);
}
