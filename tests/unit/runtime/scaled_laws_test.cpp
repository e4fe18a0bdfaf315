// Laws xi in N_D(-alpha(Lambda) Lambda) with a force reservoir C and a normality set D of their own [Walker 2017, (21),
// (22), (30)], and the scheme (46) of [Möller 2009].
#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <string>

#include "runtime/solvers/natural_residual.hpp"
#include "runtime/solvers/solve.hpp"
#include "tests/unit/runtime/contact_cases.hpp"

using namespace nsmc::rt;
using namespace cases;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

namespace {

// A set whose arguments are all lengths.
nsm_set simple_set(std::uint32_t kind, std::uint32_t first_row, std::uint32_t dim, std::uint32_t first_argument,
                   std::uint32_t n_arguments) {
  return {kind, first_row, dim, first_argument, n_arguments, n_arguments, 0, 0, nullptr};
}

// Gauge functions of C and D; D is an ellipse. In units of force.
struct Law {
  double mu1, mu2, p1, p2;
  bool star;  // C is (31), not convex
  double k_D(double a, double b) const { return std::hypot(a / p1, b / p2); }
  double k_C(double a, double b) const {
    const double x = a / mu1, y = b / mu2;
    if (!star) return std::hypot(x, y);
    return 2.5 * (std::sqrt(x * x + y * y) - 0.6 * std::pow(x * x * x * x + y * y * y * y, 0.25));
  }
  // D must lie in C.
  void shrink_D() {
    double most = 0;
    for (int k = 0; k < 720; ++k) {
      const double angle = k * M_PI / 360, a = p1 * std::cos(angle), b = p2 * std::sin(angle);
      most = std::max(most, k_C(a, b));
    }
    p1 /= most;
    p2 /= most;
  }
};

Law law;  // what the kernel reads

// Ellipse D by its semi-axes, then alpha.
const nsm_set scaled_ellipse = [] {
  nsm_set set = simple_set(NSM_SET_ELLIPSOID, 0, 2, 0, 2);
  set.scaled = 1;
  return set;
}();

const nsm_contact_class scaled_contact = [] {
  nsm_contact_class type = contact_class(2, &scaled_ellipse, 1, 3);
  type.affine = 0;
  type.arguments = [](const nsm_view* v, double* out) {
    const double a = -v->lambda[0], b = -v->lambda[1];
    out[0] = law.p1;
    out[1] = law.p2;
    out[2] = 1 / (law.k_D(a, b) - law.k_C(a, b) + 1);
  };
  return type;
}();

ContactProblem point_mass(const Vector2d& u, double m, double dt, int n = 1) {
  ContactRows row;
  row.n_rows = 2;
  row.n_arguments = 3;
  row.arguments = scaled_contact.arguments;
  std::vector<double> G(4 * static_cast<std::size_t>(n * n), 0.0), c;
  for (int i = 0; i < 2 * n; ++i) {
    G[static_cast<std::size_t>(i * 2 * n + i)] = 1 / m;
    c.push_back(u[i % 2]);
  }
  return dense_problem(std::vector<const nsm_contact_class*>(static_cast<std::size_t>(n), &scaled_contact),
                       std::vector<ContactRows>(static_cast<std::size_t>(n), row), G, c, dt);
}

}  // namespace

TEST_CASE("scaled laws: sliding and sticking for every ratio of D, convex and not") {
  const double m = 2, dt = 0.01, mu1 = 6, mu2 = 3;
  for (const SolverKind kind : {SolverKind::jor, SolverKind::sor}) {
    for (const bool star : {false, true}) {
      int most = 0, sum = 0, cases = 0;
      double most_at = 0;
      for (const double ratio : {0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0}) {
        law = {mu1, mu2, ratio, 1, star};
        law.shrink_D();
        // From gentle to violent, in units of what friction can stop in one step.
        for (const double speed : {0.2, 0.7, 0.95, 1.05, 1.5, 3.0, 30.0, 1000.0}) {
          for (int k = 0; k < 24; ++k) {
            const double angle = k * M_PI / 12 + (k % 5) * 0.01;
            const double reach = 1 / law.k_C(std::cos(angle), std::sin(angle));  // of C in this direction
            const Vector2d u = speed * reach * dt / m * Vector2d(std::cos(angle), std::sin(angle));
            ContactProblem problem = point_mass(u, m, dt);
            const ContactSolution solution = solve(problem, {kind, 1, 1e-10, 10000, false});
            CAPTURE(ratio);
            CAPTURE(speed);
            CAPTURE(k);
            CAPTURE(solution.residual);
            CHECK(solution.converged);
            if (solution.iterations > most) {
              most = solution.iterations;
              most_at = ratio;
            }
            sum += solution.iterations;
            ++cases;
            const Vector2d force = -Vector2d(problem.Lambda[0], problem.Lambda[1]) / dt;
            const Vector2d after = u - force * dt / m;
            const double k_C = law.k_C(force[0], force[1]);
            if (speed < 1) {
              CHECK(after.norm() <= 1e-15 * u.norm());  // inside C: stick, exactly
            } else {
              CHECK(k_C == doctest::Approx(1).epsilon(1e-7));
              const Vector2d normal(force[0] / (law.p1 * law.p1), force[1] / (law.p2 * law.p2));
              CHECK(after.dot(normal) >= 0);
              CHECK(std::abs(after[0] * normal[1] - after[1] * normal[0]) <= 1e-6 * u.norm() * normal.norm());
            }
          }
        }
      }
      MESSAGE("scaled laws, " << std::string(kind == SolverKind::jor ? "jor" : "sor")
                              << std::string(star ? ", star" : ", ellipse") << ": " << static_cast<double>(sum) / cases
                              << " sweeps on average, at most " << most << " (p1/p2 = " << most_at << ")");
      CHECK(most < 200);
    }
  }
}

TEST_CASE("scaled laws: several contacts on one body") {
  std::mt19937 generator(4);
  std::normal_distribution<double> normal;
  int most = 0;
  for (int n = 0; n < 200; ++n) {
    law = {6, 3, std::pow(10.0, 2.0 * (n % 9 - 4) / 4 * 0.65), 1, n % 2 == 0};
    law.shrink_D();
    MatrixXd W(9, 6);
    for (double& value : W.reshaped()) value = normal(generator);
    const MatrixXd G = W.transpose() * W;
    std::vector<double> values(G.data(), G.data() + 36), c;
    for (int i = 0; i < 6; ++i) c.push_back(30 * normal(generator));
    ContactRows row;
    row.n_rows = 2;
    row.n_arguments = 3;
    row.arguments = scaled_contact.arguments;
    for (const SolverKind kind : {SolverKind::jor, SolverKind::sor, SolverKind::newton, SolverKind::automatic}) {
      ContactProblem problem =
          dense_problem({&scaled_contact, &scaled_contact, &scaled_contact}, {row, row, row}, values, c, 1);
      const ContactSolution solution = solve(problem, {kind, 1, 1e-10, 10000, false});
      CHECK(solution.converged);
      if (kind == SolverKind::jor || kind == SolverKind::sor) most = std::max(most, solution.iterations);
    }
  }
  MESSAGE("three scaled laws that are coupled: at most " << most << " sweeps");
}

TEST_CASE("scaled laws: alpha that is no positive number counts as 1, pure numbers do not scale with dt") {
  // Affine arguments: semi-axes 3, 3 and alpha; the law is that of a disc of radius 3/alpha in units of force.
  for (const double alpha : {0.5, 1.0, 2.0, 0.0, -1.0, std::nan("")}) {
    nsm_contact_class type = scaled_contact;
    type.affine = 1;
    type.arguments = nullptr;
    const double dt = 1e-3;
    Case c =
        make({{&type, {3, 3, alpha}, std::vector<double>(6, 0.0)}}, MatrixXd::Identity(2, 2), Vector2d(0.6, 0.8), dt);
    REQUIRE(solve(c.problem, {SolverKind::sor, 1, 1e-12, 1000, false}).converged);
    const double effective = alpha > 0 ? alpha : 1;
    CHECK((Lambda(c) + dt * 3 / effective * Vector2d(0.6, 0.8)).norm() <= 1e-14);
  }
}

TEST_CASE("arguments: lengths scale with dt, coefficients do not, affine or by a kernel") {
  // The gauge set s*{k <= 1} with k = |x| c_1 and s = 5 + 2 lambda_0, c_1 = 4 + lambda_0: a disc of radius s/c_1.
  static const nsm_set gauge_set = [] {
    nsm_set set = simple_set(NSM_SET_GAUGE, 1, 2, 2, 2);
    set.n_lengths = 1;
    set.shifted = 1;
    set.function = [](const nsm_view* v, double* out) {
      const double c = v->self[0], x = v->lambda[0], y = v->lambda[1], r = std::hypot(x, y);
      const double values[] = {c * r,
                               c * x / r,
                               c * y / r,
                               c * y * y / (r * r * r),
                               -c * x * y / (r * r * r),
                               -c * x * y / (r * r * r),
                               c * x * x / (r * r * r)};
      std::copy(std::begin(values), std::end(values), out);
    };
    return set;
  }();
  static const nsm_set sets[2] = {unilateral_set, gauge_set};
  const nsm_contact_class affine = contact_class(3, sets, 2, 6);
  nsm_contact_class by_kernel = affine;
  by_kernel.affine = 0;
  by_kernel.arguments = [](const nsm_view* v, double* out) {
    const double values[] = {-infinity, 0, 5 + 2 * v->lambda[0], 4 + v->lambda[0], 0.1, 0.2 + v->lambda[0]};
    std::copy(std::begin(values), std::end(values), out);
  };
  const double dt = 0.01;
  const MatrixXd G = MatrixXd::Identity(3, 3);
  const Eigen::Vector3d c(-0.02, 100, 0);  // Lambda_0 = 0.02, lambda_0 = 2
  std::vector<double> K(18, 0.0);
  K[2 * 3] = 2;
  K[3 * 3] = 1;
  K[5 * 3] = 1;
  Case one = make({{&affine, {-infinity, 0, 5, 4, 0.1, 0.2}, K}}, G, c, dt);
  REQUIRE(solve(one.problem, {SolverKind::sor, 1, 1e-12, 1000, false}).converged);
  // Radius (5 + 2*2)/(4 + 2) = 1.5, centre (0.1, 2.2), all in units of force; sliding along the first direction.
  CHECK(Lambda(one)[0] == doctest::Approx(0.02));
  CHECK(Lambda(one)[1] == doctest::Approx(-dt * 1.6).epsilon(1e-6));
  CHECK(Lambda(one)[2] == doctest::Approx(-dt * 2.2).epsilon(1e-3));
  ContactRows row;
  row.n_rows = 3;
  row.n_arguments = 6;
  row.arguments = by_kernel.arguments;
  ContactProblem other = dense_problem({&by_kernel}, {row}, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {c[0], c[1], c[2]}, dt);
  REQUIRE(solve(other, {SolverKind::sor, 1, 1e-12, 1000, false}).converged);
  for (std::size_t k = 0; k < 3; ++k) CHECK(other.Lambda[k] == doctest::Approx(one.problem.Lambda[k]).epsilon(1e-10));
}

TEST_CASE("a badly scaled block in stick converges like Gauss-Seidel, with and without scheme (46)") {
  // An ellipse, since sor solves balls at once.
  const nsm_set ellipse = simple_set(NSM_SET_ELLIPSOID, 0, 2, 0, 2);
  const nsm_contact_class type = contact_class(2, &ellipse, 1, 2);
  MatrixXd G(2, 2);
  G << 1e6, 300, 300, 1;
  const Vector2d expected(0.2, -0.3), c = -G * expected;
  for (const SolverKind kind : {SolverKind::jor, SolverKind::sor}) {
    int iterations[2];
    for (const bool scaled : {false, true}) {
      Case block = make({{&type, {10, 10}, {0, 0, 0, 0}}}, G, c);
      const ContactSolution solution = solve(block.problem, {kind, 1, 1e-10, 100000, scaled});
      iterations[scaled ? 1 : 0] = solution.iterations;
      CHECK(solution.converged);
      CHECK((Lambda(block) - expected).norm() < 1e-7);
    }
    MESSAGE("scheme (46), " << std::string(kind == SolverKind::jor ? "jor" : "sor") << ": " << iterations[0]
                            << " sweeps without, " << iterations[1] << " with");
    CHECK(iterations[1] < 60);
    CHECK(iterations[0] < 60);  // rows are scaled anyway (row_metric.hpp); one step for both takes 1e6 sweeps
    // Sliding, where something is projected, is left as it is.
    Case plain = make({{&type, {1e-3, 1e-3}, {0, 0, 0, 0}}}, MatrixXd::Identity(2, 2), c);
    Case other = make({{&type, {1e-3, 1e-3}, {0, 0, 0, 0}}}, MatrixXd::Identity(2, 2), c);
    REQUIRE(solve(plain.problem, {kind, 1, 1e-10, 1000, false}).converged);
    REQUIRE(solve(other.problem, {kind, 1, 1e-10, 1000, true}).converged);
    CHECK((Lambda(plain) - Lambda(other)).norm() == 0);
  }
}
