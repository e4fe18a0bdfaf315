// Contact solvers on problems with known answers.
#include "runtime/solvers/solve.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "runtime/solvers/function_block.hpp"
#include "runtime/solvers/natural_residual.hpp"
#include "tests/unit/runtime/contact_cases.hpp"
#include "tests/unit/runtime/function_sets.hpp"

using namespace nsmc::rt;
using namespace cases;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::Vector4d;
using Eigen::VectorXd;

namespace {

const SolverKind kinds[] = {SolverKind::jor,   SolverKind::sor,   SolverKind::newton,    SolverKind::automatic,
                            SolverKind::jprox, SolverKind::uzawa, SolverKind::multiplier};
// Where the course of the iteration matters.
const SolverKind sweeping[] = {SolverKind::jor, SolverKind::sor, SolverKind::jprox, SolverKind::multiplier};

SolverOptions with(SolverKind kind, double omega = 1, double tolerance = 1e-10, int iterations = 10000) {
  return {kind, omega, tolerance, iterations, false, 0};
}

}  // namespace

TEST_CASE("solvers: one unilateral contact") {
  for (const SolverKind kind : kinds) {
    Case approaching = make({unilateral_contact()}, MatrixXd::Constant(1, 1, 0.5), VectorXd::Constant(1, -3));
    const ContactSolution solution = solve(approaching.problem, with(kind));
    CHECK(solution.converged);
    CHECK(solution.residual <= 1e-10);
    if (kind == SolverKind::uzawa || kind == SolverKind::multiplier) {  // these do not solve one row at once
      CHECK(solution.iterations <= 40);
      CHECK(Lambda(approaching)[0] == doctest::Approx(6).epsilon(1e-10));
    } else {
      CHECK(solution.iterations <= 3);
      CHECK(Lambda(approaching)[0] == doctest::Approx(6).epsilon(1e-15));
    }

    Case separating = make({unilateral_contact()}, MatrixXd::Constant(1, 1, 0.5), VectorXd::Constant(1, 3));
    separating.problem.Lambda[0] = 17;  // a warm start that is no use
    CHECK(solve(separating.problem, with(kind)).converged);
    CHECK(Lambda(separating)[0] == 0);
  }
}

TEST_CASE("solvers: the matrix G of the block of Studer & Glocker") {
  const MatrixXd G = Block().G();  // order 1, 3, 2, 4
  CHECK(G(0, 0) == doctest::Approx(1.726).epsilon(1e-3));
  CHECK(G(0, 2) == doctest::Approx(-0.774).epsilon(1e-3));
  CHECK(G(0, 1) == doctest::Approx(-0.417).epsilon(1e-3));
  CHECK(G(2, 1) == doctest::Approx(0.417).epsilon(1e-3));
  CHECK(G(1, 1) == doctest::Approx(0.615).epsilon(1e-3));
  CHECK(G(1, 3) == doctest::Approx(0.615).epsilon(1e-3));
  CHECK(std::abs(G.determinant()) < 1e-12);  // only positive semidefinite
}

TEST_CASE("solvers: the block sticks, accelerations vanish though forces are not unique") {
  const Block block;
  const Vector3d load(1.5, -Block::m * Block::g, 0.1);
  for (const SolverKind kind : kinds) {
    for (const double omega : {0.5, 1.0, 1.3}) {
      CAPTURE(omega);
      Case c = make({planar_contact(0.3), planar_contact(0.3)}, block.G(), block.c(load));
      const ContactSolution solution = solve(c.problem, with(kind, omega, 1e-12));
      CHECK(solution.converged);
      CHECK(block.acceleration(load, Lambda(c)).norm() < 1e-8);
      CHECK(std::abs(Lambda(c)[1]) <= 0.3 * Lambda(c)[0] + 1e-9);
      CHECK(std::abs(Lambda(c)[3]) <= 0.3 * Lambda(c)[2] + 1e-9);
    }
  }
}

TEST_CASE("solvers: the block slides") {
  const Block block;
  const double mu = 0.3, F = 10, N = Block::m * Block::g;
  const Vector3d load(F, -N, 0.2);
  // y'' = phi'' = 0: lambda_1 + lambda_2 = m g, l (lambda_2 - lambda_1) = h mu m g - M; friction is -mu lambda_N.
  const double difference = (Block::h * mu * N - 0.2) / Block::l;
  const double lambda_1 = (N - difference) / 2, lambda_2 = (N + difference) / 2;
  for (const SolverKind kind : kinds) {
    Case c = make({planar_contact(mu), planar_contact(mu)}, block.G(), block.c(load));
    CHECK(solve(c.problem, with(kind)).converged);
    CHECK((Lambda(c) - Vector4d(lambda_1, -mu * lambda_1, lambda_2, -mu * lambda_2)).norm() < 1e-7);
    CHECK((block.acceleration(load, Lambda(c)) - Vector3d(F / Block::m - mu * Block::g, 0, 0)).norm() < 1e-7);
  }
}

TEST_CASE("solvers: one corner of the block opens, the other sticks") {
  const Block block;
  const Vector3d load(0, -Block::m * Block::g, 4);
  const MatrixXd G = block.G();
  const Eigen::Vector2d stick = G.topLeftCorner(2, 2).ldlt().solve(-block.c(load).head(2));
  REQUIRE(std::abs(stick[1]) < 0.3 * stick[0]);
  for (const SolverKind kind : kinds) {
    Case c = make({planar_contact(0.3), planar_contact(0.3)}, G, block.c(load));
    CHECK(solve(c.problem, with(kind)).converged);
    CHECK((Lambda(c) - Vector4d(stick[0], stick[1], 0, 0)).norm() < 1e-7);
    CHECK((G * Lambda(c) + block.c(load))[2] > 1);  // it really opens
  }
}

TEST_CASE("solvers: jor and sor agree on random spatial friction problems and satisfy the laws") {
  std::mt19937 generator(3);
  std::normal_distribution<double> normal;
  for (int n = 0; n < 30; ++n) {
    const int contacts = 1 + n % 4;
    const auto [G, c] = random_matrix(9 + 3 * contacts, 3 * contacts, generator, normal);
    std::vector<Contact> list(static_cast<std::size_t>(contacts), spatial_contact(0.2));
    Case one = make(list, G, c), other = make(list, G, c);
    REQUIRE(solve(one.problem, with(SolverKind::jor, 1, 1e-12)).converged);
    REQUIRE(solve(other.problem, with(SolverKind::sor, 1, 1e-12)).converged);
    CHECK((Lambda(one) - Lambda(other)).norm() <= 1e-8 * (1 + Lambda(one).norm()));
    const VectorXd xi = G * Lambda(other) + c;
    for (int i = 0; i < contacts; ++i) {
      const double Lambda_N = Lambda(other)[3 * i];
      const VectorXd Lambda_T = Lambda(other).segment(3 * i + 1, 2), xi_T = xi.segment(3 * i + 1, 2);
      CHECK(Lambda_N >= 0);
      CHECK(xi[3 * i] >= -1e-9);
      CHECK(std::abs(xi[3 * i] * Lambda_N) < 1e-9);
      CHECK(Lambda_T.norm() <= 0.2 * Lambda_N + 1e-10);
      // Friction opposes sliding with all it has: -Lambda_T . xi_T = mu Lambda_N |xi_T|.
      CHECK(-Lambda_T.dot(xi_T) == doctest::Approx(0.2 * Lambda_N * xi_T.norm()).epsilon(1e-7));
    }
  }
}

TEST_CASE("solvers: a tiny relaxation does not fake convergence") {
  const Block block;
  const Vector3d load(10, -Block::m * Block::g, 0.2);
  for (const SolverKind kind : sweeping) {
    for (const double omega : {1e-6, 1e-14, 1e-300}) {
      Case c = make({planar_contact(0.3), planar_contact(0.3)}, block.G(), block.c(load));
      const ContactSolution solution = solve(c.problem, with(kind, omega, 1e-6, 200));
      CHECK_FALSE(solution.converged);
      CHECK(solution.residual > 1e-3);
      CHECK(solution.iterations == 200);
    }
  }
}

TEST_CASE("solvers: too few iterations are reported with the residual and the contact") {
  const Block block;
  const Vector3d load(0, -Block::m * Block::g, 4);
  Case c = make({planar_contact(0.3), planar_contact(0.3)}, block.G(), block.c(load));
  const ContactSolution solution = solve(c.problem, with(SolverKind::sor, 1, 1e-10, 2));
  CHECK_FALSE(solution.converged);
  CHECK(solution.finite);
  CHECK(solution.iterations == 2);
  CHECK(solution.residual > 1e-10);
  CHECK(solution.residual == natural_residual(c.problem, c.problem.Lambda.data()).value);
  CHECK(solution.worst_contact < 2);
}

TEST_CASE("solvers: the residual does not depend on units, masses and dt") {
  // Lambda_h measured in units of s_h: Lambda' = Lambda/s, G' = s G s, c' = s c. A common factor on c and Lambda is
  // what a change of dt does to a problem without impacts; a factor on G is a change of the unit of mass.
  const Block block;
  const Vector3d load(10, -Block::m * Block::g, 0.2);
  const auto residual = [&](SolverKind kind, double s_N, double s_T, double time, double mass) {
    const Vector4d s(s_N, s_T, s_N, s_T);
    const MatrixXd G = s.asDiagonal() * block.G() * s.asDiagonal() / mass;
    const VectorXd c = (s.asDiagonal() * block.c(load)) * time;
    Case scaled = make({planar_contact(0.3, s_N, s_T), planar_contact(0.3, s_N, s_T)}, G, c);
    return solve(scaled.problem, with(kind, 1, 1e-14, 6)).residual;
  };
  for (const SolverKind kind : sweeping) {
    const double reference = residual(kind, 1, 1, 1, 1);
    CHECK(reference > 1e-6);
    CHECK(reference < 1);
    CHECK(residual(kind, 1, 1, 1e-5, 1) == doctest::Approx(reference).epsilon(1e-9));
    CHECK(residual(kind, 1, 1, 1, 1e-3) == doctest::Approx(reference).epsilon(1e-9));
    CHECK(residual(kind, 1e3, 1e3, 1e-3, 1e6) == doctest::Approx(reference).epsilon(1e-9));
  }
  // For sor, where r belongs to one set, every row may have its own unit.
  const double reference = residual(SolverKind::sor, 1, 1, 1, 1);
  CHECK(residual(SolverKind::sor, 1, 1e3, 1, 1) == doctest::Approx(reference).epsilon(1e-9));
  CHECK(residual(SolverKind::sor, 1e-4, 10, 1e-2, 7) == doctest::Approx(reference).epsilon(1e-9));
}

TEST_CASE("solvers: rows without effect do no harm") {
  MatrixXd G = MatrixXd::Zero(4, 4);
  G(0, 0) = 2;  // friction row 1 and the whole second contact have no effect
  for (const SolverKind kind : kinds) {
    Case c = make({planar_contact(0.3), planar_contact(0.3)}, G, Vector4d(-1, 0.5, -1, 2));
    const ContactSolution solution = solve(c.problem, with(kind));
    CHECK(solution.converged);
    CHECK(Lambda(c).allFinite());
    CHECK(Lambda(c)[0] == doctest::Approx(0.5));
  }
}

TEST_CASE("solvers: nothing to solve, nothing to push, and noise in place of loads") {
  for (const SolverKind kind : kinds) {
    Case empty = make({}, MatrixXd(0, 0), VectorXd(0));
    CHECK(solve(empty.problem, with(kind)).converged);
    const Block block;
    Case idle = make({planar_contact(0.3), planar_contact(0.3)}, block.G(), VectorXd::Zero(4));
    CHECK(solve(idle.problem, with(kind)).converged);
    CHECK(Lambda(idle).norm() == 0);
    // c is what rounding left of terms of size 1; no iteration can make sense of it, and none should try for long.
    Case noise = make({planar_contact(0.3), planar_contact(0.3)}, block.G(), 1e-17 * Vector4d(-1, 2, 1, -3));
    std::fill(noise.problem.c_magnitude.begin(), noise.problem.c_magnitude.end(), 1.0);
    noise.problem.finish();
    const ContactSolution solution = solve(noise.problem, with(kind));
    CHECK(solution.converged);
    CHECK(solution.iterations <= 2);
  }
}

TEST_CASE("solvers: NaN is a failure value that names the contact") {
  const Block block;
  for (const SolverKind kind : kinds) {
    VectorXd c = block.c(Vector3d(0, -1, 0));
    c[3] = std::numeric_limits<double>::quiet_NaN();
    Case bad_c = make({planar_contact(0.3), planar_contact(0.3)}, block.G(), c);
    ContactSolution solution = solve(bad_c.problem, with(kind));
    CHECK_FALSE(solution.finite);
    CHECK_FALSE(solution.converged);
    CHECK(solution.worst_contact == 1);

    Case bad_mu = make({planar_contact(0.3), planar_contact(std::numeric_limits<double>::quiet_NaN())}, block.G(),
                       block.c(Vector3d(0, -1, 0)));
    solution = solve(bad_mu.problem, with(kind));
    CHECK_FALSE(solution.finite);
    CHECK(solution.worst_contact == 1);
  }
}

TEST_CASE("solvers: over-relaxation that diverges is tamed by smaller steps") {
  // I - omega R G has an eigenvalue 1 - 1.9 * 1.9 < -1 for jor with (69): strictly dominant rows, large omega.
  MatrixXd G(2, 2);
  G << 1, 0.9, 0.9, 1;
  const nsm_set free_set{NSM_SET_INTERVAL, 0, 1, 0, 2, 2, 0, 0, nullptr};
  const nsm_contact_class free_class = contact_class(1, &free_set, 1, 2);
  const Contact free_contact{&free_class, {-infinity, infinity}, {0, 0}};
  Case c = make({free_contact, free_contact}, G, Eigen::Vector2d(1, 2));
  const ContactSolution solution = solve(c.problem, with(SolverKind::jor, 1.9));
  CHECK(solution.converged);
  CHECK((Lambda(c) - G.ldlt().solve(-Eigen::Vector2d(1, 2))).norm() < 1e-8);
  CHECK(solution.iterations > 100);  // it went wrong first
}

TEST_CASE("solvers: a starting point at the solution takes one sweep") {
  const Block block;
  const Vector3d load(10, -Block::m * Block::g, 0.2);
  Case c = make({planar_contact(0.3), planar_contact(0.3)}, block.G(), block.c(load));
  const int cold = solve(c.problem, with(SolverKind::sor)).iterations;
  CHECK(cold > 5);
  CHECK(solve(c.problem, with(SolverKind::sor)).iterations == 1);
}

TEST_CASE("solvers: jor takes (69) where rows are strictly dominant and (70) where they are not") {
  const nsm_set free_set{NSM_SET_INTERVAL, 0, 1, 0, 2, 2, 0, 0, nullptr};
  const nsm_contact_class free_class = contact_class(1, &free_set, 1, 2);
  const Contact free_contact{&free_class, {-infinity, infinity}, {0, 0}};
  // Dominant: the rate is 0.4 with (69), 1 - 0.6/1.4 = 0.57 with (70), which would take 40 sweeps.
  MatrixXd G(2, 2);
  G << 1, 0.4, 0.4, 1;
  Case dominant = make({free_contact, free_contact}, G, Eigen::Vector2d(1, -1));
  CHECK(solve(dominant.problem, with(SolverKind::jor)).iterations <= 30);
  CHECK((Lambda(dominant) - G.ldlt().solve(-Eigen::Vector2d(1, -1))).norm() < 1e-9);
  // Not dominant: with r = 1/G_hh the largest eigenvalue of I - R G is 1 - 2.8, and only halving r would save it.
  const MatrixXd H = MatrixXd::Constant(3, 3, 0.9) + 0.1 * MatrixXd::Identity(3, 3);
  Case other = make({free_contact, free_contact, free_contact}, H, Vector3d(1, 1, 1));
  CHECK(solve(other.problem, with(SolverKind::jor)).iterations < 100);
  CHECK((Lambda(other) - H.ldlt().solve(-Vector3d(1, 1, 1))).norm() < 1e-8);
}

TEST_CASE("sets by functions: one projection in the norm of a diagonal G") {
  const auto check = [](std::uint32_t kind, nsm_kernel function, const Eigen::MatrixXd& G, bool solved) {
    const nsm_set set{kind, 0, 3, 0, 4, 1, 1, 0, function};
    const nsm_contact_class type = cases::contact_class(3, &set, 1, 7);
    const std::vector<double> a{1.5, 1, 2, 0.5, 0.1, -0.2, 0.3};  // size, semi-axes, centre
    for (const Eigen::Vector3d& c : {Eigen::Vector3d(3, -1, 2), Eigen::Vector3d(0, 5, 0), Eigen::Vector3d(0.1, 0, 0)}) {
      cases::Case one = cases::make({{&type, a, std::vector<double>(21, 0.0)}}, G, c);
      one.problem.Lambda = {0.3, 0.2, -0.1};
      CHECK(solve_function_block(one.problem, one.problem.sets[0]) == solved);
      if (solved) CHECK(natural_residual(one.problem, one.problem.Lambda.data()).value <= 1e-12);
    }
  };
  Eigen::Matrix3d G = Eigen::Vector3d(4, 0.5, 1).asDiagonal();
  check(NSM_SET_SUPPORT, functions::ellipsoid_support<3>, G, true);
  check(NSM_SET_GAUGE, functions::ellipsoid_gauge<3>, G, true);
  check(NSM_SET_BALL, nullptr, G, false);
  G(0, 1) = G(1, 0) = 0.1;
  check(NSM_SET_SUPPORT, functions::ellipsoid_support<3>, G, false);
}
