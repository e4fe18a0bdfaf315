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

TEST_CASE("kappa: where G has no inverse it says which contacts depend on others") {
  std::mt19937 random(4);
  ContactProblem problem = random_problem(random, 3, 6);
  const KappaSolution found = solve_kappa(problem, {});
  CHECK_FALSE(found.regular);
  CHECK_FALSE(found.solution.converged);
  CHECK(found.dependent.size() >= 1);
}
