// The contact problem in accelerations: the same solution as in forces where G is regular, a clear no where it is not.
#include "runtime/solvers/kappa.hpp"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>

#include "tests/unit/runtime/contact_cases.hpp"

using namespace nsmc::rt;

namespace {

// n contacts with spatial Coulomb friction (N, T1, T2), G = A A^T.
ContactProblem random_problem(std::mt19937& random, int n, int rank) {
  std::normal_distribution<double> normal;
  Eigen::MatrixXd A(3 * n, rank);
  for (Eigen::Index i = 0; i < A.size(); ++i) A.data()[i] = normal(random);
  const Eigen::MatrixXd G = A * A.transpose();
  std::vector<double> values(static_cast<std::size_t>(G.size())), c(static_cast<std::size_t>(3 * n));
  for (int i = 0; i < 3 * n; ++i) {
    for (int j = 0; j < 3 * n; ++j) values[static_cast<std::size_t>(i * 3 * n + j)] = G(i, j);
  }
  for (double& value : c) value = normal(random);
  static const double a[] = {-cases::infinity, 0, 0}, K[] = {0, 0, 0, 0, 0, 0, 0.3, 0, 0};
  std::vector<ContactRows> rows(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    rows[static_cast<std::size_t>(i)].contact = static_cast<std::uint32_t>(i);
    rows[static_cast<std::size_t>(i)].n_rows = 3;
    rows[static_cast<std::size_t>(i)].n_arguments = 3;
    rows[static_cast<std::size_t>(i)].a = a;
    rows[static_cast<std::size_t>(i)].K = K;
  }
  return dense_problem(std::vector<const nsm_contact_class*>(static_cast<std::size_t>(n), &cases::spatial), rows,
                       values, c, 1);
}

}  // namespace

TEST_CASE("kappa: accelerations and forces have the same solution") {
  std::mt19937 random(3);
  int solved = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const int n = 1 + trial % 4;
    ContactProblem by_kappa = random_problem(random, n, 3 * n + 3);
    ContactProblem by_force = by_kappa;
    SolverOptions options;
    options.tolerance = 1e-11;
    const KappaSolution kappa = solve_kappa(by_kappa, options);
    const ContactSolution force = solve_newton(by_force, options);
    REQUIRE(kappa.regular);
    if (!kappa.solution.converged || !force.converged) continue;
    ++solved;
    double size = 0, difference = 0;
    for (std::size_t k = 0; k < by_kappa.Lambda.size(); ++k) {
      size = std::max(size, std::abs(by_force.Lambda[k]));
      difference = std::max(difference, std::abs(by_force.Lambda[k] - by_kappa.Lambda[k]));
    }
    CHECK(difference <= 1e-7 * size + 1e-9);
  }
  CHECK(solved >= 50);
}

TEST_CASE("kappa: every iteration finds the solution, also where rows of a set differ by orders of magnitude") {
  std::mt19937 random(5);
  // Constant radii: sweeps over one set after another are a descent. Radii that follow the normal force: no promise but
  // by newton.
  static const double fixed_a[] = {-cases::infinity, 0, 0.3}, fixed_K[9] = {};
  for (int trial = 0; trial < 40; ++trial) {
    const bool fixed = trial % 2 == 0;
    CAPTURE(fixed);
    ContactProblem start = random_problem(random, 1, 5);
    // A slip and a spin of one ball, a thousand times apart.
    const double unit[] = {1, 1, 30};
    for (std::size_t h = 0; h < 3; ++h) {
      start.c[h] *= unit[h];
      start.c_magnitude[h] *= unit[h];
      for (std::size_t k = 0; k < 3; ++k) start.G[3 * h + k] *= unit[h] * unit[k];
    }
    start.c[0] = -std::abs(start.c[0]);
    if (fixed) {
      start.contacts[0].a = fixed_a;
      start.contacts[0].K = fixed_K;
    }
    start.finish();
    ContactProblem expected = start;
    SolverOptions options;
    options.tolerance = 1e-12;
    options.kind = SolverKind::newton;
    REQUIRE(solve(expected, options).converged);
    for (const SolverKind kind : {SolverKind::sor, SolverKind::newton, SolverKind::automatic}) {
      if (kind == SolverKind::sor && !fixed) continue;
      CAPTURE(static_cast<int>(kind));
      ContactProblem problem = start;
      options.kind = kind;
      const KappaSolution found = solve_kappa(problem, options);
      REQUIRE(found.regular);
      REQUIRE(found.solution.converged);
      CHECK(found.solution.iterations <= (kind == SolverKind::sor ? 5000 : 500));
      const double size = std::abs(expected.Lambda[0]) + std::abs(expected.Lambda[1]) + std::abs(expected.Lambda[2]);
      for (std::size_t k = 0; k < 3; ++k) CHECK(std::abs(problem.Lambda[k] - expected.Lambda[k]) <= 1e-8 * size);
    }
  }
}

TEST_CASE("kappa: intervals have a step for every row") {
  // Three rows of one set, diagonal G, stick: with the right r for every row it is done at once.
  static const nsm_set box{NSM_SET_INTERVAL, 0, 3, 0, 6, 6, 0, 0, nullptr};
  static const nsm_contact_class type = cases::contact_class(3, &box, 1, 6);
  static const double a[] = {-1, 1, -1, 1, -1, 1}, K[18] = {};
  ContactRows rows;
  rows.n_rows = 3;
  rows.n_arguments = 6;
  rows.a = a;
  rows.K = K;
  for (const SolverKind kind : {SolverKind::jor, SolverKind::sor}) {
    ContactProblem problem = dense_problem({&type}, {rows}, {1, 0, 0, 0, 1e3, 0, 0, 0, 1e6}, {0.5, 200, 2e6}, 1);
    SolverOptions options;
    options.kind = kind;
    const KappaSolution found = solve_kappa(problem, options);
    CHECK(found.solution.converged);
    CHECK(found.solution.iterations <= 3);
    CHECK(problem.Lambda[0] == doctest::Approx(-0.5));
    CHECK(problem.Lambda[1] == doctest::Approx(-0.2));
    CHECK(problem.Lambda[2] == doctest::Approx(-1));
  }
}

TEST_CASE("kappa: where G has no inverse it says which contacts depend on others") {
  std::mt19937 random(4);
  ContactProblem problem = random_problem(random, 3, 6);
  const KappaSolution found = solve_kappa(problem, {});
  CHECK_FALSE(found.regular);
  CHECK_FALSE(found.solution.converged);
  CHECK(found.dependent.size() >= 1);
}
