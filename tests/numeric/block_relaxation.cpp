// models/block.nsm, figure 8 of Studer and Glocker (2006): iterations of jor and sor against the relaxation omega, in
// stick, slide and opening.
//
// Once the state of the contacts is found, the projections are linear and so is the iteration; its error shrinks by the
// spectral radius rho of its matrix in every sweep. From the tolerance 1e-6 to 1e-12 it therefore takes
// 6 ln 10/-ln rho sweeps, which is computed here from G of (73) alone.
#include <algorithm>
#include <array>

#include "run_model.hpp"

using namespace nsmc::test;
using nsmc::rt::SolverKind;

namespace {

constexpr double m = 2.1, J = 0.018, l = 0.15, h = 0.05, mu = 0.3;

// The unknowns are N_left, N_right and T_left, T_right. In stick only the sum S of the friction forces matters: both
// change it in the same way, and the iteration lives in (N_left, N_right, S).
enum class State { stick, slide, opening };

using Vector = std::array<double, 4>;
using Square = std::array<Vector, 4>;

Square gram_matrix() {
  const double W[3][4] = {{0, 0, 1, 1}, {1, 1, 0, 0}, {-l, l, h, h}}, inverse_mass[3] = {1 / m, 1 / m, 1 / J};
  Square G{};
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      for (std::size_t k = 0; k < 3; ++k) G[i][j] += W[k][i] * inverse_mass[k] * W[k][j];
    }
  }
  return G;
}

// r_i for omega = 1: (69), or for jor (70) where a row is not strictly diagonally dominant.
Vector steps(const Square& G, SolverKind solver) {
  Vector r{};
  for (std::size_t i = 0; i < 4; ++i) {
    double sum = 0;
    for (const double g : G[i]) sum += std::abs(g);
    r[i] = 1 / (solver == SolverKind::sor || 2 * G[i][i] > sum ? G[i][i] : sum);
  }
  return r;
}

// One sweep on the error e of the percussions, order N_left, T_left, N_right, T_right as the contacts stand.
Vector sweep(const Vector& e, State state, SolverKind solver, double omega) {
  const Square G = gram_matrix();
  const Vector r = steps(G, solver);
  Vector next = e;
  for (const std::size_t i : {0U, 2U, 1U, 3U}) {
    const Vector& now = solver == SolverKind::sor ? next : e;
    const bool friction = i >= 2, left = i % 2 == 0;
    double xi = 0;
    for (std::size_t j = 0; j < 4; ++j) xi += G[i][j] * now[j];
    if (state == State::opening && left) {
      next[i] = 0;
    } else if (state == State::slide && friction) {
      next[i] = -mu * now[i - 2];
    } else {
      next[i] = now[i] - omega * r[i] * xi;
    }
  }
  if (state == State::stick) {  // all of S in one place: what is left over of T_left - T_right never changes
    next[2] += next[3];
    next[3] = 0;
  }
  return next;
}

double spectral_radius(State state, SolverKind solver, double omega) {
  // The growth of the error over many sweeps; its second half, where the largest eigenvalue is left alone.
  constexpr int n = 4000;
  Vector e{1, 0.3, 0.5, 0.7};
  double growth = 0;
  for (int k = 0; k < n; ++k) {
    e = sweep(e, state, solver, omega);
    double size = 0;
    for (const double x : e) size += x * x;
    size = std::sqrt(size);
    for (double& x : e) x /= size;
    if (k >= n / 2) growth += std::log(size);
  }
  return std::exp(growth / (n / 2));
}

struct Curve {
  std::vector<double> omega, iterations, rho;

  double best() const {
    return omega[static_cast<std::size_t>(std::min_element(iterations.begin(), iterations.end()) - iterations.begin())];
  }
  double predicted_best() const {
    return omega[static_cast<std::size_t>(std::min_element(rho.begin(), rho.end()) - rho.begin())];
  }
};

Overrides loads(State state) {
  switch (state) {
    case State::stick: return {{"Fx", 3}, {"Mz", 0}};
    case State::slide: return {{"Fx", 9}, {"Mz", 0.4}};
    case State::opening: return {{"Fx", 0}, {"Mz", -3.4}};
  }
  return {};
}

// Of one step from rest, with percussions that start at zero.
Curve curve(State state, SolverKind solver, double linear_until) {
  Model model = Model::named("block");
  Curve c;
  const Trajectory reference = model.run(loads(state), {.step = 1e-3, .until = 1e-3});
  for (int k = 1; k <= 19; ++k) {
    const double omega = 0.1 * k;
    const auto run = [&](double tolerance) {
      const Trajectory t = model.run(
          loads(state), {.step = 1e-3, .until = 1e-3, .solver = solver, .tolerance = tolerance, .omega = omega});
      // Velocities are unique, however the solution was found.
      for (const char* u : {"x'", "y'", "phi'"}) CHECK(std::abs(t.last(u) - reference.last(u)) < 1e-6);
      return t.summary.iterations_max;
    };
    const int coarse = run(1e-6), fine = run(1e-12);
    const double rho = spectral_radius(state, solver, omega);
    c.omega.push_back(omega);
    c.iterations.push_back(fine);
    c.rho.push_back(rho);
    CAPTURE(omega);
    CAPTURE(rho);
    if (omega < linear_until) {
      REQUIRE(rho < 1);
      const double predicted = 6 * std::log(10.0) / -std::log(rho);
      CHECK(std::abs(fine - coarse - predicted) <= 3 + 0.05 * predicted);
    }
  }
  return c;
}

}  // namespace

TEST_CASE("block: the iterations of sor against omega are those of the spectral radius, up to omega = 2") {
  for (const State state : {State::stick, State::slide, State::opening}) {
    const Curve c = curve(state, SolverKind::sor, 2);
    CAPTURE(static_cast<int>(state));
    CHECK(std::abs(c.best() - c.predicted_best()) < 0.15);
    CHECK(c.best() > 1);  // over-relaxation pays
    CHECK(c.best() < 1.3);
    CHECK(c.iterations.front() > 10 * *std::min_element(c.iterations.begin(), c.iterations.end()));
  }
}

TEST_CASE("block: the iterations of jor against omega follow the spectral radius up to its limit") {
  const struct {
    State state;
    double limit;         // of omega: rho = 1, 2 over the largest eigenvalue of R G
    double linear_until;  // the state of the contacts is found with steps up to this
  } cases[] = {{State::stick, 1.2226, 1.25}, {State::slide, 1.3810, 1.35}, {State::opening, 1.8803, 1.45}};
  for (const auto& [state, limit, linear_until] : cases) {
    CAPTURE(static_cast<int>(state));
    CHECK(spectral_radius(state, SolverKind::jor, limit - 1e-3) < 1);
    CHECK(spectral_radius(state, SolverKind::jor, limit + 1e-3) > 1);
    const Curve c = curve(state, SolverKind::jor, linear_until);
    if (state != State::opening) CHECK(c.best() == doctest::Approx(1));
    const double fewest = *std::min_element(c.iterations.begin(), c.iterations.end());
    for (std::size_t k = 0; k < c.omega.size(); ++k) {
      // Beyond the limit the solver makes its steps smaller, and gets there after a detour.
      if (c.omega[k] > limit) CHECK(c.iterations[k] > 2 * fewest);
      // The projected Gauss-Seidel is faster at every omega where both are plain iterations.
      if (c.omega[k] < linear_until) {
        CHECK(spectral_radius(state, SolverKind::sor, c.omega[k]) < c.rho[k] + 1e-12);
      }
    }
  }
}
