// The contact problem in the velocities of bodies, against the same problem with G.
#include "runtime/solvers/body_form.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "runtime/solvers/natural_residual.hpp"
#include "runtime/solvers/newton_system.hpp"
#include "runtime/solvers/solve.hpp"
#include "tests/unit/runtime/contact_cases.hpp"

using namespace nsmc::rt;
using namespace cases;
using Eigen::Vector3d;

namespace {

// cases::bodies with the velocities of the bodies in the place of G.
Case on_bodies(const Vector3d& inertia, const std::vector<BodyContact>& contacts, double mu, const Eigen::VectorXd& u) {
  Case result = bodies(inertia, contacts, mu, u);
  ContactProblem& problem = result.problem;
  BodyForm& form = problem.bodies;
  form.n_bodies = static_cast<std::uint32_t>(u.size() / 6);
  form.stride = 6;
  form.y.assign(6 * (form.n_bodies + 1), 0);
  const Vector3d directions[3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
  for (const BodyContact& contact : contacts) {
    BodyForm::Contact on{};
    on.body[0] = static_cast<std::uint32_t>(contact.above);
    on.body[1] = contact.below < 0 ? form.n_bodies : static_cast<std::uint32_t>(contact.below);
    on.V = on.W = form.directions.size();
    on.own = form.own_blocks.size();
    for (const bool above : {true, false}) {
      for (const Vector3d& direction : directions) {
        const double sign = above ? 1 : contact.below < 0 ? 0 : -1;
        const Vector3d moment = (above ? contact.r_above : contact.r_below).cross(sign * direction);
        for (int k = 0; k < 3; ++k) form.directions.push_back(sign * direction[k]);
        for (int k = 0; k < 3; ++k) form.directions.push_back(moment[k] / std::sqrt(inertia[k]));
      }
    }
    const Eigen::Map<const Eigen::Matrix<double, 6, 6, Eigen::ColMajor>> W(form.directions.data() + on.W);
    const Eigen::Matrix3d own = W.leftCols(3).transpose() * W.leftCols(3) + W.rightCols(3).transpose() * W.rightCols(3);
    form.own_blocks.insert(form.own_blocks.end(), own.data(), own.data() + 9);
    form.contacts.push_back(on);
  }
  problem.finish();
  return result;
}

// The tower of contact_cases.hpp, in both forms.
struct Pair {
  Case with_G, with_bodies;
};

Pair towers(int n, const std::vector<Eigen::Vector2d>& points, double noise) {
  std::mt19937 generator(3);
  std::normal_distribution<double> normal;
  std::vector<BodyContact> contacts;
  Eigen::VectorXd u = Eigen::VectorXd::Zero(6 * n);
  for (int i = 0; i < n; ++i) {
    for (const Eigen::Vector2d& p : points) contacts.push_back({i, i - 1, {p[0], p[1], -0.5}, {p[0], p[1], 0.5}});
    u[6 * i + 2] = -1;
    for (int k = 0; k < 6; ++k) u[6 * i + k] += noise * normal(generator);
  }
  return {bodies({0.1, 0.1, 0.1}, contacts, 0.3, u), on_bodies({0.1, 0.1, 0.1}, contacts, 0.3, u)};
}

SolverOptions with(SolverKind kind, int iterations = 10000) { return {kind, 1, 1e-10, iterations, false, 0}; }

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
  return largest;
}

}  // namespace

TEST_CASE("bodies: xi, its own blocks and the residual are those with G, and G comes out of them") {
  for (const auto& points : {one_point, four_corners}) {
    Pair pair = towers(6, points, 0.2);
    ContactProblem &G = pair.with_G.problem, &on = pair.with_bodies.problem;
    std::mt19937 generator(7);
    std::normal_distribution<double> normal;
    for (double& value : G.Lambda) value = normal(generator);
    on.Lambda = G.Lambda;
    on.look_at(on.Lambda.data());
    for (std::size_t i = 0; i < G.contacts.size(); ++i) {
      for (std::uint32_t h = 0; h < 3; ++h) {
        const double expected = G.xi(G.contacts[i], h, G.Lambda.data());
        CHECK(on.xi(on.contacts[i], h, on.Lambda.data()) == doctest::Approx(expected).epsilon(1e-13));
      }
    }
    for (std::size_t s = 0; s < G.sets.size(); ++s) CHECK(on.sets[s].D == doctest::Approx(G.sets[s].D).epsilon(1e-14));
    const double residual = natural_residual(G, G.Lambda.data()).value;
    CHECK(natural_residual(on, on.Lambda.data()).value == doctest::Approx(residual).epsilon(1e-12));
    on.form_G();
    CHECK_FALSE(on.bodies.active());
    REQUIRE(on.G.size() == G.G.size());
    CHECK(difference(on.G, G.G) < 1e-14);
  }
}

TEST_CASE("bodies: a sweep does what it does with G") {
  // One point: friction without a search. Four corners: the rows of friction have a block of their own.
  for (const auto& points : {one_point, four_corners}) {
    for (const int sweeps : {1, 2, 40}) {
      Pair pair = towers(10, points, 0.3);
      const ContactSolution a = solve(pair.with_G.problem, with(SolverKind::sor, sweeps));
      const ContactSolution b = solve(pair.with_bodies.problem, with(SolverKind::sor, sweeps));
      CHECK(a.iterations == b.iterations);
      CHECK(pair.with_bodies.problem.bodies.active());
      CHECK(b.residual == doctest::Approx(a.residual).epsilon(1e-6));
      CHECK(difference(pair.with_G.problem.Lambda, pair.with_bodies.problem.Lambda) < 1e-11);
    }
  }
}

TEST_CASE("bodies: the default solver solves what it solves with G, and so does Newton's method on bodies") {
  for (const auto& points : {one_point, four_corners}) {
    for (const bool newton : {false, true}) {
      Pair pair = towers(30, points, 0.1);
      ContactProblem& problem = pair.with_bodies.problem;
      REQUIRE(find_elimination(problem));
      CHECK(problem.newton.sizes.size() == 30);  // blocks of bodies, not of contacts
      const ContactSolution solution =
          newton ? solve_newton(problem, with(SolverKind::newton, 500)) : solve(problem, with(SolverKind::automatic));
      CHECK(solution.converged);
      CHECK(natural_residual(pair.with_G.problem, problem.Lambda.data()).value < 1.1e-10);
    }
  }
}

TEST_CASE("bodies: momentum takes a tenth of the sweeps up a tall tower") {
  Pair plain = towers(100, one_point, 0.01), led = towers(100, one_point, 0.01);
  const ContactSolution slow = solve(plain.with_bodies.problem, with(SolverKind::sor, 100000));
  const ContactSolution quick = solve_with_momentum(led.with_bodies.problem, with(SolverKind::automatic));
  REQUIRE(slow.converged);
  CHECK(quick.converged);
  CHECK(natural_residual(led.with_G.problem, led.with_bodies.problem.Lambda.data()).value < 1.1e-10);
  CHECK(10 * quick.iterations < slow.iterations);
}

TEST_CASE("bodies: too many of them are not eliminated") {
  BlockLu lu;
  const std::uint32_t sizes[3] = {6, 6, 6};
  const BlockLu::Edge edges[5] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 0}};
  CHECK_FALSE(lu.analyse(sizes, edges, 100));
  CHECK(lu.analyse(sizes, edges, 180));  // three blocks of the diagonal and one pair
}
