// models/block.nsm: the numerical example of Studer and Glocker (2006), section 5.8.
#include "compiler/symbolic/expr.hpp"
#include "run_model.hpp"

using namespace nsmc::test;
using nsmc::ContactEquation;
using nsmc::Equations;

namespace {

constexpr double m = 2.1, J = 0.018, l = 0.15, h = 0.05, mu = 0.3;

// W of all contacts side by side in the order of (73): normal directions first. 3 x 4, and G = W^T M^-1 W.
struct Matrices {
  double W[3][4];
  double G[4][4];
};

Matrices matrices(Model& model) {
  const Equations& e = model.equations();
  const std::vector<double> p = nsmc::parameter_values(model.pool(), e, {});
  const auto value = [&](nsmc::sym::Expr expr) {
    return nsmc::sym::evaluate(model.pool(), expr, [&](const nsmc::sym::Symbol& s) {
      REQUIRE(s.source == nsmc::sym::Source::parameter);  // linearised: nothing depends on the state
      return p[s.index];
    });
  };
  REQUIRE(e.contacts.size() == 2);
  Matrices r{};
  for (std::size_t c = 0; c < 2; ++c) {
    REQUIRE(e.contacts[c].W.rows == 3);
    REQUIRE(e.contacts[c].W.cols == 2);
    for (std::size_t row = 0; row < 2; ++row) {
      for (std::size_t i = 0; i < 3; ++i) r.W[i][2 * row + c] = value(e.contacts[c].W(i, row));
    }
  }
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      for (std::size_t k = 0; k < 3; ++k) r.G[i][j] += r.W[k][i] * r.W[k][j] / value(e.blocks[0].M(k, k));
    }
  }
  return r;
}

// The first step starts from rest with both contacts closed: percussions are the forces of the acceleration level.
Trajectory first_step(const Overrides& loads, nsmc::rt::SolverKind solver = nsmc::rt::SolverKind::sor) {
  return Model::named("block").run(loads, {.step = 1e-3, .until = 1e-3, .solver = solver});
}

void check_laws(const Trajectory& run) {
  for (const std::string corner : {"left", "right"}) {
    for (std::size_t k = 1; k < run.rows(); ++k) {
      const double N = run[corner + ".N"][k];
      CHECK(N >= 0);
      CHECK(std::abs(run[corner + ".T"][k]) <= mu * N * (1 + 1e-12));
      CHECK(N * std::max(0.0, run[corner + ".gap"][k]) < 1e-9);
    }
  }
}

}  // namespace

TEST_CASE("block: W is that of (73)") {
  Model model = Model::named("block");
  const Matrices r = matrices(model);
  const double W[3][4] = {{0, 0, 1, 1}, {1, 1, 0, 0}, {-l, l, h, h}};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 4; ++j) CHECK(r.W[i][j] == W[i][j]);
  }
}

TEST_CASE("block: G is that of (74)-(77), computed from m = 2.1") {
  Model model = Model::named("block");
  const Matrices r = matrices(model);
  // The printed 1.8, -0.8, 0.4, 0.6 do not follow from the printed data.
  const double a = 1.726, b = -0.774, c = 0.417, d = 0.615;
  const double G[4][4] = {{a, b, -c, -c}, {b, a, c, c}, {-c, c, d, d}, {-c, c, d, d}};
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) CHECK(std::abs(r.G[i][j] - G[i][j]) < 5e-4);
  }
}

TEST_CASE("block: stick") {
  const double Fx = 3, Fy = -20.6, Mz = 0.4;
  for (const auto solver : {nsmc::rt::SolverKind::sor, nsmc::rt::SolverKind::jor}) {
    const Trajectory run = first_step({{"Fx", Fx}, {"Fy", Fy}, {"Mz", Mz}}, solver);
    CHECK(run.last("right.N") == doctest::Approx(-Fy / 2 + (h * Fx - Mz) / (2 * l)).epsilon(1e-9));
    CHECK(run.last("left.N") == doctest::Approx(-Fy / 2 - (h * Fx - Mz) / (2 * l)).epsilon(1e-9));
    CHECK(run.last("friction") == doctest::Approx(-Fx).epsilon(1e-9));  // only the sum is determined
    for (const char* u : {"x'", "y'", "phi'"}) CHECK(std::abs(run.last(u)) < 1e-12);
    check_laws(run);
  }
}

TEST_CASE("block: it stays stuck, step after step") {
  const Trajectory run = Model::named("block").run();
  check_laws(run);
  for (const char* u : {"x'", "y'", "phi'"}) CHECK(max_error(run, u, [](double) { return 0.0; }) < 1e-12);
  CHECK(std::abs(run.last("x")) < 1e-12);
}

TEST_CASE("block: slide") {
  const double Fy = -20.6, Mz = 0.4;
  for (const double Fx : {9.0, -9.0}) {
    const double s = Fx > 0 ? 1 : -1;
    const double sum = -Fy;                                 // y'' = 0
    const double difference = (s * h * mu * sum - Mz) / l;  // phi'' = 0: l (N_right - N_left) - s h mu sum + Mz = 0
    const Trajectory run = first_step({{"Fx", Fx}, {"Fy", Fy}, {"Mz", Mz}});
    const double right = (sum + difference) / 2, left = (sum - difference) / 2;
    CHECK(run.last("right.N") == doctest::Approx(right).epsilon(1e-9));
    CHECK(run.last("left.N") == doctest::Approx(left).epsilon(1e-9));
    CHECK(run.last("right.T") == doctest::Approx(-s * mu * right).epsilon(1e-9));
    CHECK(run.last("left.T") == doctest::Approx(-s * mu * left).epsilon(1e-9));
    CHECK(run.last("x'") == doctest::Approx(1e-3 * (Fx - s * mu * sum) / m).epsilon(1e-9));
    CHECK(std::abs(run.last("phi'")) < 1e-12);
    check_laws(run);
  }
}

TEST_CASE("block: the left corner opens, the right one sticks") {
  const double Fx = 0, Fy = -20.6, Mz = -3.4;
  REQUIRE(Mz < Fy * l + h * Fx);
  // G (N, T) = -c in the right corner alone.
  const double a = 1 / m + l * l / J, b = l * h / J, d = 1 / m + h * h / J;
  const double cN = Fy / m + l * Mz / J, cT = Fx / m + h * Mz / J;
  const double N = -(d * cN - b * cT) / (a * d - b * b), T = -(a * cT - b * cN) / (a * d - b * b);
  REQUIRE(std::abs(T) < mu * N);
  const Trajectory run = first_step({{"Fx", Fx}, {"Fy", Fy}, {"Mz", Mz}});
  CHECK(run.last("left.N") == 0);
  CHECK(run.last("left.T") == 0);
  CHECK(run.last("right.N") == doctest::Approx(N).epsilon(1e-9));
  CHECK(run.last("right.T") == doctest::Approx(T).epsilon(1e-9));
  CHECK(run.last("y'") - l * run.last("phi'") > 0);
  CHECK(std::abs(run.last("y'") + l * run.last("phi'")) < 1e-12);
  check_laws(run);
}

TEST_CASE("block: lifted, both corners open") {
  const Trajectory run = first_step({{"Fx", 1}, {"Fy", 0.5}, {"Mz", 0}});
  for (const char* force : {"left.N", "left.T", "right.N", "right.T"}) CHECK(run.last(force) == 0);
  CHECK(run.last("y'") == doctest::Approx(1e-3 * 0.5 / m));
}
