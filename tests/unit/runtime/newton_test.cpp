// Newton's method and the automatic choice: derivatives, elimination, towers, singular problems, many random problems.
#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <random>
#include <string>

#include "runtime/linear/block_lu.hpp"
#include "runtime/methods/moreau.hpp"
#include "runtime/sets/prox_derivative.hpp"
#include "runtime/solvers/natural_residual.hpp"
#include "runtime/solvers/solve.hpp"
#include "tests/unit/runtime/body_models.hpp"
#include "tests/unit/runtime/contact_cases.hpp"

using namespace nsmc::rt;
using namespace cases;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

namespace {

using ByRows = Eigen::Matrix<double, -1, -1, Eigen::RowMajor>;

SolverOptions with(SolverKind kind, double tolerance = 1e-10, int iterations = 10000) {
  return {kind, 1, tolerance, iterations, false};
}

nsm_set simple_set(std::uint32_t kind, std::uint32_t first_row, std::uint32_t dim, std::uint32_t first_argument,
                   std::uint32_t n_arguments) {
  return {kind, first_row, dim, first_argument, n_arguments, n_arguments, 0, 0, nullptr};
}

void check_derivative(const nsm_set& set, const VectorXd& arguments, const VectorXd& z) {
  const auto project = [&](const VectorXd& a, VectorXd x) {
    ConvexSet{&set, a.data()}.prox(x.data());
    return x;
  };
  const VectorXd x = project(arguments, z);
  ByRows P(set.dim, set.dim), Q(set.dim, set.n_arguments);
  const ProxDerivative known =
      prox_derivative(ConvexSet{&set, arguments.data()}, z.data(), x.data(), 0, P.data(), Q.data());
  const double h = 1e-6;
  REQUIRE(known.P);
  for (Eigen::Index k = 0; k < z.size(); ++k) {
    const VectorXd d = h * VectorXd::Unit(z.size(), k);
    const VectorXd slope = (project(arguments, z + d) - project(arguments, z - d)) / (2 * h);
    CHECK((slope - P.col(k)).norm() < 1e-7);
  }
  if (!known.Q) return;
  for (Eigen::Index k = 0; k < arguments.size(); ++k) {
    const VectorXd d = h * VectorXd::Unit(arguments.size(), k);
    const VectorXd slope = (project(arguments + d, z) - project(arguments - d, z)) / (2 * h);
    CHECK((slope - Q.col(k)).norm() < 1e-7);
  }
}

// An honest report: what it says is what the residual is.
void check_honest(Case& c, const ContactSolution& solution, double tolerance = 1e-10) {
  const double residual = natural_residual(c.problem, c.problem.Lambda.data()).value;
  CHECK(solution.converged == (solution.residual <= tolerance));
  CHECK(residual <= std::max(solution.residual * (1 + 1e-9), 1e-14));
  CHECK(solution.newton_steps <= solution.iterations);
}

}  // namespace

TEST_CASE("newton: derivatives of projections are those of finite differences") {
  std::mt19937 generator(5);
  std::normal_distribution<double> normal;
  const nsm_set interval = simple_set(NSM_SET_INTERVAL, 0, 1, 0, 2), ball = simple_set(NSM_SET_BALL, 0, 3, 0, 1);
  const nsm_set ellipsoid = simple_set(NSM_SET_ELLIPSOID, 0, 3, 0, 3),
                polygon = simple_set(NSM_SET_POLYGON, 0, 2, 0, 8);
  for (int n = 0; n < 50; ++n) {
    VectorXd z(3);
    for (double& value : z) value = 2 * normal(generator);
    check_derivative(interval, Vector2d(-1, 0.5), z.head(1));
    check_derivative(ball, VectorXd::Constant(1, 0.5 + 0.02 * n), z);
    check_derivative(ellipsoid, Eigen::Vector3d(1, 0.3, 2), z);
    VectorXd corners(8);
    corners << 1, 0, 0, 0.7, -1.2, 0, 0, -0.5;
    check_derivative(polygon, corners, z.head(2));
  }
}

TEST_CASE("newton: block elimination solves what dense elimination solves") {
  std::mt19937 generator(6);
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<std::uint32_t> size(1, 4);
  BlockLu lu;
  for (int n = 1; n <= 12; ++n) {
    std::vector<std::uint32_t> sizes, first;
    std::uint32_t rows = 0;
    for (int i = 0; i < n; ++i) {
      sizes.push_back(size(generator));
      first.push_back(rows);
      rows += sizes.back();
    }
    std::vector<BlockLu::Edge> edges;
    for (std::uint32_t i = 0; i < sizes.size(); ++i) {
      for (std::uint32_t j = 0; j < sizes.size(); ++j) {
        if (i == j || (i * j + i + j) % 4 == 1) edges.push_back({i, j});
      }
    }
    lu.analyse(sizes, edges);
    lu.clear();
    MatrixXd A = MatrixXd::Zero(rows, rows);
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const std::uint32_t i = edges[e].row, j = edges[e].column;
      ByRows block(sizes[i], sizes[j]);
      for (double& value : block.reshaped()) value = normal(generator);
      if (i == j) block += 8 * MatrixXd::Identity(sizes[i], sizes[i]);
      A.block(first[i], first[j], sizes[i], sizes[j]) = block;
      std::copy_n(block.data(), block.size(), lu.block(e));
    }
    VectorXd b(rows);
    for (double& value : b) value = normal(generator);
    VectorXd x = b;
    CHECK(lu.factor() == 0);
    lu.solve(x.data());
    CHECK((A * x - b).norm() < 1e-12 * b.norm());
  }
}

TEST_CASE("newton: all solvers meet in the same forces where G is regular and friction moderate") {
  std::mt19937 generator(11);
  std::normal_distribution<double> normal;
  for (int n = 0; n < 60; ++n) {
    const int contacts = 1 + n % 6;
    const auto [G, c] = random_matrix(9 + 3 * contacts, 3 * contacts, generator, normal);
    const std::vector<Contact> list(static_cast<std::size_t>(contacts), spatial_contact(0.2));
    Case reference = make(list, G, c);
    REQUIRE(solve(reference.problem, with(SolverKind::sor, 1e-12)).converged);
    for (const SolverKind kind : {SolverKind::jor, SolverKind::newton, SolverKind::automatic}) {
      Case other = make(list, G, c);
      const ContactSolution solution = solve(other.problem, with(kind, 1e-12));
      CHECK(solution.converged);
      CHECK((Lambda(reference) - Lambda(other)).norm() <= 1e-8 * (1 + Lambda(reference).norm()));
    }
  }
}

TEST_CASE("newton: frictionless contacts with a singular G end in the velocities of sor") {
  std::mt19937 generator(12);
  std::normal_distribution<double> normal;
  for (int n = 0; n < 100; ++n) {
    const int contacts = 2 + n % 10, motions = 1 + n % 7;
    MatrixXd W(motions, contacts);
    for (auto& value : W.reshaped()) value = normal(generator);
    VectorXd u(motions);
    for (auto& value : u) value = normal(generator);
    const std::vector<Contact> list(static_cast<std::size_t>(contacts), unilateral_contact());
    Case reference = make(list, W.transpose() * W, W.transpose() * u);
    if (!solve(reference.problem, with(SolverKind::sor, 1e-12, 100000)).converged) continue;
    for (const SolverKind kind : {SolverKind::newton, SolverKind::automatic}) {
      Case other = make(list, W.transpose() * W, W.transpose() * u);
      const ContactSolution solution = solve(other.problem, with(kind, 1e-12));
      CHECK(solution.converged);
      check_honest(other, solution, 1e-12);
      CHECK((W * (Lambda(reference) - Lambda(other))).norm() <= 1e-7 * (1 + u.norm()));
    }
  }
}

TEST_CASE("newton: a thousand random problems with friction, most of them singular, and none diverges") {
  std::mt19937 generator(7);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  int failed[3] = {0, 0, 0};
  for (int n = 0; n < 1000; ++n) {
    const int contacts = 1 + n % 12, motions = 3 + static_cast<int>(uniform(generator) * 3.9 * contacts);
    MatrixXd W(motions, 3 * contacts);
    for (auto& value : W.reshaped()) value = normal(generator);
    VectorXd u(motions);
    for (auto& value : u) value = normal(generator);
    const double mu = uniform(generator) * (n % 2 == 0 ? 0.3 : 1);
    const std::vector<Contact> list(static_cast<std::size_t>(contacts), spatial_contact(mu));
    int position = 0;
    for (const SolverKind kind : {SolverKind::sor, SolverKind::newton, SolverKind::automatic}) {
      Case c = make(list, W.transpose() * W, W.transpose() * u);
      const ContactSolution solution = solve(c.problem, with(kind));
      REQUIRE(solution.finite);
      REQUIRE(Lambda(c).allFinite());
      CHECK(solution.residual < 0.1);
      check_honest(c, solution);
      if (!solution.converged) ++failed[position];
      ++position;
    }
  }
  MESSAGE("random problems that did not converge, of 1000: sor " << failed[0] << ", newton " << failed[1] << ", auto "
                                                                 << failed[2]);
  CHECK(failed[1] <= 2);
  CHECK(failed[2] <= 2);
}

TEST_CASE("newton: a cold stack of beads carries the weights above, in a handful of steps") {
  for (const SolverKind kind : {SolverKind::newton, SolverKind::automatic}) {
    for (const std::uint32_t n : {10u, 100u, 1000u}) {
      const models::Model model = models::stack(n);
      const double m = 0.1, g = 9.81, dt = 1e-3;
      const System system(model.table, std::vector<double>{m, g, 0});
      Workspace work(system);
      State state(system);
      for (std::uint32_t i = 0; i < n; ++i) state.q[i] = i + 0.5;
      const StepReport report = moreau::step(system, state, work, dt, with(kind, 1e-12));
      CHECK(report.converged);
      CHECK(report.n_closed == n);
      CHECK(report.iterations <= (kind == SolverKind::newton ? 8 : 40));
      for (std::uint32_t i = 0; i < n; ++i)
        REQUIRE(state.Lambda[i] / dt == doctest::Approx(m * g * (n - i)).epsilon(1e-6));
    }
  }
}

TEST_CASE("newton: towers of spheres with friction, at rest and thrown about") {
  for (const int n : {10, 100, 1000}) {
    for (const SolverKind kind : {SolverKind::newton, SolverKind::automatic}) {
      Case rest = tower(n, one_point, 0);
      const auto start = std::chrono::steady_clock::now();
      const ContactSolution solution = solve(rest.problem, with(kind));
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      CHECK(solution.converged);
      CHECK(solution.newton_steps <= 6);
      check_honest(rest, solution);
      for (int i = 0; i < n; ++i) {
        REQUIRE(Lambda(rest)[3 * i] == doctest::Approx(n - i).epsilon(1e-6));
        REQUIRE(Lambda(rest).segment(3 * i + 1, 2).norm() < 1e-6 * n);
      }
      Case thrown = tower(n, one_point, 0.3);
      const ContactSolution other = solve(thrown.problem, with(kind));
      CHECK(other.converged);
      check_honest(thrown, other);
      MESSAGE(std::string(kind == SolverKind::newton ? "newton" : "auto")
              << ", tower of " << n << " spheres: " << solution.newton_steps << " Newton steps of "
              << solution.iterations << " iterations, " << 1e6 * seconds / n
              << " us per sphere; thrown about: " << other.newton_steps << " of " << other.iterations);
    }
  }
}

TEST_CASE("newton: boxes on four corners, where G is singular") {
  for (const int n : {1, 2, 5, 10, 20}) {
    for (const SolverKind kind : {SolverKind::newton, SolverKind::automatic}) {
      Case rest = tower(n, four_corners, 0);
      const ContactSolution solution = solve(rest.problem, with(kind));
      CHECK(solution.converged);
      check_honest(rest, solution);
      for (int i = 0; i < n; ++i) {
        double sum = 0;
        for (int k = 0; k < 4; ++k) sum += Lambda(rest)[12 * i + 3 * k];
        CHECK(sum == doctest::Approx(n - i).epsilon(1e-6));
      }
      for (unsigned seed = 1; seed <= 3; ++seed) {
        Case pushed = tower(n, four_corners, 0.1, seed);
        const ContactSolution other = solve(pushed.problem, with(kind));
        CAPTURE(n);
        CAPTURE(seed);
        CHECK(other.converged);
        check_honest(pushed, other);
      }
    }
  }
}

TEST_CASE("newton: slim ellipses and polygons that depend on the normal force") {
  // Normal row, then friction in an ellipse (semi-axes mu_1 Lambda_N, mu_2 Lambda_N) or a diamond of the same size.
  const nsm_set ellipse[2] = {unilateral_set, simple_set(NSM_SET_ELLIPSOID, 1, 2, 2, 2)};
  const nsm_set diamond[2] = {unilateral_set, simple_set(NSM_SET_POLYGON, 1, 2, 2, 8)};
  const nsm_contact_class types[2] = {contact_class(3, ellipse, 2, 4), contact_class(3, diamond, 2, 10)};
  std::mt19937 generator(13);
  std::normal_distribution<double> normal;
  for (const double slim : {1.0, 0.1, 1e-3}) {
    for (int n = 0; n < 40; ++n) {
      const int contacts = 1 + n % 5;
      std::vector<Contact> list;
      for (int i = 0; i < contacts; ++i) {
        const double a = 0.3, b = 0.3 * slim;
        if (i % 2 == 0) {
          list.push_back({&types[0], {-infinity, 0, 0, 0}, {0, 0, 0, 0, 0, 0, a, 0, 0, b, 0, 0}});
        } else {
          list.push_back(
              {&types[1], {-infinity, 0, 0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0,  0, 0, a, 0, 0, 0, 0, 0, 0,  0, 0,
                                                                   b, 0, 0, -a, 0, 0, 0, 0, 0, 0, 0, 0, -b, 0, 0}});
        }
      }
      const auto [G, c] = random_matrix(6 + 3 * contacts, 3 * contacts, generator, normal);
      Case reference = make(list, G, c);
      REQUIRE(solve(reference.problem, with(SolverKind::sor, 1e-12, 100000)).converged);
      for (const SolverKind kind : {SolverKind::newton, SolverKind::automatic}) {
        Case other = make(list, G, c);
        const ContactSolution solution = solve(other.problem, with(kind, 1e-12));
        CHECK(solution.converged);
        check_honest(other, solution, 1e-12);
        CHECK((Lambda(reference) - Lambda(other)).norm() <= 1e-8 * (1 + Lambda(reference).norm()));
      }
    }
  }
}

TEST_CASE("auto: what sor solves in a few sweeps is left to sor") {
  std::mt19937 generator(14);
  std::normal_distribution<double> normal;
  for (int n = 0; n < 30; ++n) {
    const int contacts = 1 + n % 4;
    MatrixXd W(40, 3 * contacts);
    for (auto& value : W.reshaped()) value = normal(generator);
    VectorXd c(3 * contacts);
    for (auto& value : c) value = normal(generator);
    const std::vector<Contact> list(static_cast<std::size_t>(contacts), spatial_contact(0.2));
    Case one = make(list, W.transpose() * W, c), other = make(list, W.transpose() * W, c);
    const ContactSolution sor = solve(one.problem, with(SolverKind::sor));
    const ContactSolution automatic = solve(other.problem, with(SolverKind::automatic));
    REQUIRE(sor.converged);
    if (sor.iterations > 20) continue;
    CHECK(automatic.iterations == sor.iterations);
    CHECK(automatic.newton_steps == 0);
    CHECK(Lambda(one) == Lambda(other));
  }
}

TEST_CASE("newton: too few iterations are reported, and the best iterate is returned") {
  for (const SolverKind kind : {SolverKind::newton, SolverKind::automatic}) {
    for (const int most : {1, 4, 6, 25}) {
      Case c = tower(30, four_corners, 0.3);
      const ContactSolution solution = solve(c.problem, with(kind, 1e-10, most));
      CHECK_FALSE(solution.converged);
      CHECK(solution.finite);
      CHECK(solution.iterations <= most);
      CHECK(solution.residual > 1e-10);
      CHECK(solution.residual == natural_residual(c.problem, c.problem.Lambda.data()).value);
      CHECK(solution.worst_contact < 120);
    }
  }
}

TEST_CASE("sor: percussions that fade to nothing up a tall tower stay numbers") {
  Case c = tower(1000, four_corners, 0);
  const ContactSolution solution = solve(c.problem, with(SolverKind::sor, 1e-10, 5));
  CHECK(solution.finite);
  CHECK(Lambda(c).allFinite());
}
