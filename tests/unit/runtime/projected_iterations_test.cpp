// jprox, uzawa and multiplier: each step is the one of its paper, and converges where theory says.
#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "runtime/solvers/solve.hpp"
#include "tests/unit/runtime/contact_cases.hpp"

using namespace nsmc::rt;
using namespace cases;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

const nsm_set free_set{NSM_SET_INTERVAL, 0, 1, 0, 2, 2, 0, 0, nullptr};
const nsm_contact_class free_class = contact_class(1, &free_set, 1, 2);
const Contact free_contact{&free_class, {-infinity, infinity}, {0, 0}};

SolverOptions with(SolverKind kind, int iterations, double rho = 0) { return {kind, 1, 1e-12, iterations, false, rho}; }

double largest_eigenvalue(const MatrixXd& A) { return A.selfadjointView<Eigen::Lower>().eigenvalues().maxCoeff(); }

// n ways to push one body in one direction, with a little give.
MatrixXd redundant(int n, double give) { return MatrixXd::Constant(n, n, 1.0) + give * MatrixXd::Identity(n, n); }

}  // namespace

TEST_CASE("jprox: a sweep is (57) for the normal force and (59) for friction") {
  Matrix3d G;
  G << 1.3, 0.2, -0.1, 0.2, 0.9, 0.35, -0.1, 0.35, 0.6;
  const Vector3d c(-2, 0.4, -0.3), before(1.1, 0.05, -0.1);
  const double mu = 0.4;
  Case one = make({spatial_contact(mu)}, G, c);
  std::copy_n(before.data(), 3, one.problem.Lambda.data());
  solve(one.problem, with(SolverKind::jprox, 1));

  // (57): all but its own force as they were.
  const double N = std::max(0.0, -(G(0, 1) * before[1] + G(0, 2) * before[2] + c[0]) / G(0, 0));
  CHECK(Lambda(one)[0] == doctest::Approx(N).epsilon(1e-14));
  // (59) with B of (37), whose sign is that of (39); the disc belongs to the last sweep, too.
  const double alpha = 0.9 + 0.35;
  const Eigen::Matrix2d B = G.bottomRightCorner<2, 2>() - alpha * Eigen::Matrix2d::Identity();
  Vector2d T = -(G.block<2, 1>(1, 0) * before[0] + c.tail<2>() + B * before.tail<2>()) / alpha;
  T *= std::min(1.0, mu * before[0] / T.norm());
  CHECK((Lambda(one).tail(2) - T).norm() < 1e-14);
}

TEST_CASE("jprox: the plain method where one constraint outweighs the others, at the rate of Jacobi's") {
  MatrixXd G(3, 3);
  G << 1, 0.44, 0, 0.44, 1, 0.44, 0, 0.44, 1;  // eigenvalues 1 and 1 +- 0.44 sqrt(2)
  const double rate = largest_eigenvalue(G) - 1;
  const Vector3d c(1, -2, 0.5);
  Case fine = make({free_contact, free_contact, free_contact}, G, c);
  const ContactSolution solution = solve(fine.problem, with(SolverKind::jprox, 10000));
  CHECK(solution.converged);
  CHECK((Lambda(fine) - G.ldlt().solve(-c)).norm() < 1e-10);
  CHECK(solution.iterations == doctest::Approx(std::log(1e-12) / std::log(rate)).epsilon(0.15));
}

TEST_CASE("jprox: where the plain method runs away, steps are shorter and the criterion holds") {
  for (const int n : {3, 10, 40}) {
    CAPTURE(n);
    const MatrixXd G = redundant(n, 0.5);
    const VectorXd c = VectorXd::LinSpaced(n, -1, 2);
    REQUIRE(largest_eigenvalue(G) / G(0, 0) > 2);
    Case many = make(std::vector<Contact>(static_cast<std::size_t>(n), free_contact), G, c);
    const ContactSolution solution = solve(many.problem, with(SolverKind::jprox, 20000));
    CHECK(solution.converged);
    // The slowest mode has the eigenvalue 0.5.
    const double rate = 1 - 1.5 * 0.5 / (n + 0.5);
    CHECK(solution.iterations == doctest::Approx(std::log(1e-12) / std::log(rate)).epsilon(0.15));
    CHECK((Lambda(many) - G.ldlt().solve(-c)).norm() < 1e-9 * Lambda(many).norm());
  }
}

TEST_CASE("uzawa: an update is a step of the proximal point method") {
  // One row: p = (Lambda/r - c)/(g + 1/r), and one sweep solves it.
  const double g = 0.7, c = -3, before = 1.5, r = 100 / g;
  Case one = make({unilateral_contact()}, MatrixXd::Constant(1, 1, g), VectorXd::Constant(1, c));
  one.problem.Lambda[0] = before;
  solve(one.problem, with(SolverKind::uzawa, 1));
  CHECK(Lambda(one)[0] == doctest::Approx((before / r - c) / (g + 1 / r)).epsilon(1e-14));
}

TEST_CASE("uzawa: a singular G needs no care, and the problem is left as it was") {
  for (const int n : {2, 5, 20}) {
    const MatrixXd G = redundant(n, 0);
    const VectorXd c = VectorXd::Constant(n, -1);
    Case many = make(std::vector<Contact>(static_cast<std::size_t>(n), unilateral_contact()), G, c);
    many.problem.Lambda[0] = 3;
    const ContactProblem before = many.problem;
    const ContactSolution solution = solve(many.problem, with(SolverKind::uzawa, 2000));
    CHECK(solution.converged);
    CHECK(Lambda(many).sum() == doctest::Approx(1).epsilon(1e-11));
    CHECK(many.problem.G == before.G);
    CHECK(many.problem.c == before.c);
    CHECK(many.problem.c_magnitude == before.c_magnitude);
    CHECK(many.problem.c_scale == before.c_scale);
    for (std::size_t k = 0; k < before.sets.size(); ++k) CHECK(many.problem.sets[k].D == before.sets[k].D);
  }
}

TEST_CASE("uzawa: too few iterations are reported, and iterations are all the sweeps") {
  const Block block;
  const Vector3d load(0, -Block::m * Block::g, 4);
  Case c = make({planar_contact(0.3), planar_contact(0.3)}, block.G(), block.c(load));
  const ContactSolution solution = solve(c.problem, with(SolverKind::uzawa, 3));
  CHECK_FALSE(solution.converged);
  CHECK(solution.finite);
  CHECK(solution.iterations == 3);
  CHECK(solution.residual > 1e-12);
  CHECK(solution.worst_contact < 2);
}

TEST_CASE("multiplier: a sweep is (4.16), with M eliminated") {
  // The problem of section 5: M, C = 1, tau_f = 0.1. Lambda = -tau_f lambda.
  Eigen::Matrix2d M;
  M << 2, 1, 1, 2;
  const double tau_f = 0.1, rho = 3;
  const Vector2d b(0.35, -0.2), lambda(0.3, -0.9);
  const nsm_set interval{NSM_SET_INTERVAL, 0, 1, 0, 2, 2, 0, 0, nullptr};
  const nsm_contact_class type = contact_class(1, &interval, 1, 2);
  const Contact friction{&type, {-1, 1}, {0, 0}};
  Case c = make({friction, friction}, M.inverse(), M.inverse() * b);
  c.problem.dt = tau_f;
  c.problem.finish();
  for (int k = 0; k < 2; ++k) c.problem.Lambda[static_cast<std::size_t>(k)] = -tau_f * lambda[k];
  solve(c.problem, with(SolverKind::multiplier, 1, rho));
  const Vector2d W = M.inverse() * (b - tau_f * lambda);
  const Vector2d next = (lambda + rho * W).cwiseMax(-1).cwiseMin(1);
  CHECK((Lambda(c) + tau_f * next).norm() < 1e-15);
}

TEST_CASE("multiplier: (4.18) is the border of convergence") {
  MatrixXd G(2, 2);
  G << 2, -1, -1, 2;
  G /= 3;  // eigenvalues 1 and 1/3
  const Vector2d c(1, -2);
  const auto iterations = [&](double rho) {
    Case two = make({free_contact, free_contact}, G, c);
    const ContactSolution solution = solve(two.problem, with(SolverKind::multiplier, 10000, rho / two.problem.dt));
    CHECK(solution.converged);
    CHECK((Lambda(two) - G.ldlt().solve(-c)).norm() < 1e-10);
    return solution.iterations;
  };
  // max(|1 - rho|, |1 - rho/3|) to the power of n is 1e-12.
  CHECK(iterations(1) == doctest::Approx(std::log(1e-12) / std::log(2.0 / 3)).epsilon(0.15));
  CHECK(iterations(1.5) == doctest::Approx(std::log(1e-12) / std::log(0.5)).epsilon(0.15));
  CHECK(iterations(1.75) == doctest::Approx(std::log(1e-12) / std::log(0.75)).epsilon(0.15));
  CHECK(iterations(2.2) > 100);  // only because steps are halved
  // The choice of the program is 1.5 here.
  Case two = make({free_contact, free_contact}, G, c);
  CHECK(solve(two.problem, with(SolverKind::multiplier, 10000)).iterations == iterations(1.5));
}

TEST_CASE("multiplier: a torque measured in other units changes nothing") {
  Eigen::Matrix2d G;
  G << 1, 0.3, 0.3, 0.5;
  const auto iterations = [&](double unit) {
    const Eigen::DiagonalMatrix<double, 2> s(1, unit);
    Case c = make({free_contact, free_contact}, s * G * s, s * Vector2d(1, 2));
    const ContactSolution solution = solve(c.problem, with(SolverKind::multiplier, 10000));
    CHECK(solution.converged);
    return solution.iterations;
  };
  CHECK(iterations(1e3) == iterations(1));
  CHECK(iterations(1e-3) == iterations(1));
}
