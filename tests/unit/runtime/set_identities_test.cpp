// Identities of normal cones and proximal points under linear maps [Möller 2009, sec. 2 and 4], with ellipses C =
// B*disc for which prox in any norm can be had from the Euclidean one; and sets written in different ways.
#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <random>

#include "runtime/sets/convex_set.hpp"
#include "runtime/solvers/ball_block.hpp"
#include "tests/unit/runtime/function_sets.hpp"

using namespace nsmc::rt;
using Matrix = Eigen::Matrix2d;
using Vector = Eigen::Vector2d;

namespace {

struct Random {
  std::mt19937 generator{7};
  std::normal_distribution<double> normal;
  Vector vector() { return {normal(generator), normal(generator)}; }
  Matrix regular() {
    for (;;) {
      Matrix A;
      A << normal(generator), normal(generator), normal(generator), normal(generator);
      if (std::abs(A.determinant()) > 0.2 && A.norm() < 4) return A;
    }
  }
  Matrix positive_definite() {
    const Matrix A = regular();
    return A * A.transpose();
  }
};

// prox onto B*disc in the Euclidean norm: the singular values are its semi-axes, U turns them.
Vector prox_ellipse(const Matrix& B, const Vector& z) {
  const Eigen::JacobiSVD<Matrix> svd(B, Eigen::ComputeFullU);
  const nsm_set set = functions::plain_set(NSM_SET_ELLIPSOID, 2, 2);
  const Vector axes = svd.singularValues();
  Vector x = svd.matrixU().transpose() * z;
  ConvexSet{&set, axes.data()}.prox(x.data());
  return svd.matrixU() * x;
}

// prox onto B*disc in the norm |x|_R^2 = x^T R x: with R = L L^T, the map y = L^T x makes the norm Euclidean.
Vector prox_ellipse(const Matrix& R, const Matrix& B, const Vector& z) {
  const Matrix L = R.llt().matrixL();
  const Vector y = prox_ellipse(Matrix(L.transpose() * B), Vector(L.transpose() * z));
  return L.transpose().inverse() * y;
}

}  // namespace

TEST_CASE("identities: prox in the R-norm does not depend on the scale of R (5) and transforms by (23)") {
  Random random;
  for (int n = 0; n < 500; ++n) {
    const Matrix R = random.positive_definite(), B = random.regular(), A = random.regular();
    const Vector x = 3 * random.vector();
    const Vector p = prox_ellipse(R, B, x);
    CHECK((prox_ellipse(Matrix(0.01 * R), B, x) - p).norm() < 1e-11 * (1 + x.norm()));
    const Vector transformed =
        A * prox_ellipse(Matrix(A.transpose() * R * A), Matrix(A.inverse() * B), Vector(A.inverse() * x));
    CHECK((transformed - p).norm() < 1e-10 * (1 + x.norm()));
  }
}

TEST_CASE("identities: an inclusion and its transform hold together (25), with any R and R^ (30)") {
  Random random;
  for (int n = 0; n < 500; ++n) {
    const Matrix B = random.regular(), A = random.regular();
    const Vector z = 3 * random.vector();
    const Vector x = prox_ellipse(B, z), y = z - x;  // y in N_C(x)
    const Vector x_hat = A.inverse() * x, y_hat = A.transpose() * y;
    for (int k = 0; k < 3; ++k) {
      const Matrix R = random.positive_definite(), R_hat = random.positive_definite();
      CHECK((prox_ellipse(R, B, Vector(x + R.inverse() * y)) - x).norm() < 1e-9 * (1 + x.norm()));
      const Vector again = prox_ellipse(R_hat, Matrix(A.inverse() * B), Vector(x_hat + R_hat.inverse() * y_hat));
      CHECK((again - x_hat).norm() < 1e-9 * (1 + x_hat.norm()));
    }
    // And a vector that is not normal is not a solution, on either side.
    if (y.norm() < 0.1) continue;
    const Vector wrong(-y[1], y[0]);
    CHECK((prox_ellipse(B, Vector(x + wrong)) - x).norm() > 1e-6);
  }
}

TEST_CASE("identities: with R = A^-T R^ A^-1 both prox agree for any point, (31)") {
  Random random;
  for (int n = 0; n < 500; ++n) {
    const Matrix B = random.regular(), A = random.regular(), R_hat = random.positive_definite();
    const Matrix R = A.inverse().transpose() * R_hat * A.inverse();
    const Vector x = random.vector(), y = random.vector();
    const Vector left = prox_ellipse(R, B, Vector(x + R.inverse() * y));
    const Vector right =
        A * prox_ellipse(R_hat, Matrix(A.inverse() * B), Vector(A.inverse() * x + R_hat.inverse() * A.transpose() * y));
    CHECK((left - right).norm() < 1e-8 * (1 + left.norm()));
  }
}

TEST_CASE("sets by their functions agree with the built-in ones to 1e-12") {
  struct Pair {
    nsm_set built_in, written;
    std::vector<double> built_in_arguments, written_arguments;
  };
  std::vector<Pair> pairs;
  const auto add = [&](std::uint32_t built_in, std::vector<double> arguments, std::uint32_t kind, std::uint32_t dim,
                       nsm_kernel function, std::vector<double> written) {
    Pair pair{functions::plain_set(built_in, dim, static_cast<std::uint32_t>(arguments.size())),
              functions::plain_set(kind, dim, static_cast<std::uint32_t>(written.size())), arguments, written};
    pair.written.function = function;
    pairs.push_back(pair);
  };
  add(NSM_SET_ELLIPSOID, {2, 0.5}, NSM_SET_GAUGE, 2, functions::ellipsoid_gauge<2>, {1, 2, 0.5});
  add(NSM_SET_ELLIPSOID, {2, 0.5}, NSM_SET_GAUGE, 2, functions::superellipsoid_gauge<2>, {1, 2, 0.5, 2});
  add(NSM_SET_ELLIPSOID, {2, 0.5}, NSM_SET_SUPPORT, 2, functions::ellipsoid_support<2>, {1, 2, 0.5});
  add(NSM_SET_BALL, {0.7}, NSM_SET_GAUGE, 2, functions::ellipsoid_gauge<2>, {0.7, 1, 1});
  add(NSM_SET_BALL, {0.7}, NSM_SET_SUPPORT, 3, functions::ellipsoid_support<3>, {0.7, 1, 1, 1});
  add(NSM_SET_POLYGON, {2, -1, 2, 1, -2, 1, -2, -1}, NSM_SET_GAUGE, 2, functions::box_gauge<2>, {1, 2, 1});
  add(NSM_SET_POLYGON, {2, -1, 2, 1, -2, 1, -2, -1}, NSM_SET_SUPPORT, 2, functions::box_support<2>, {1, 2, 1});
  add(NSM_SET_POLYGON, {2, 0, 0, 1, -2, 0, 0, -1}, NSM_SET_GAUGE, 2, functions::diamond_gauge<2>, {1, 2, 1});
  add(NSM_SET_ELLIPSOID, {3, 1, 0.2}, NSM_SET_GAUGE, 3, functions::ellipsoid_gauge<3>, {1, 3, 1, 0.2});
  add(NSM_SET_ELLIPSOID, {3, 1, 0.2}, NSM_SET_SUPPORT, 3, functions::ellipsoid_support<3>, {1, 3, 1, 0.2});
  add(NSM_SET_ELLIPSOID, {1, 2, 3, 1, 2, 0.5}, NSM_SET_GAUGE, 6, functions::ellipsoid_gauge<6>,
      {1, 1, 2, 3, 1, 2, 0.5});
  std::mt19937 generator{3};
  std::normal_distribution<double> normal;
  for (const Pair& pair : pairs) {
    CAPTURE(pair.built_in.kind);
    CAPTURE(pair.written.kind);
    CAPTURE(pair.written.dim);
    for (const double size : {0.1, 1.0, 3.0, 1e3, 1e6}) {
      CAPTURE(size);
      for (int n = 0; n < 60; ++n) {
        Eigen::VectorXd a(pair.built_in.dim);
        for (double& value : a) value = size * normal(generator);
        Eigen::VectorXd b = a;
        // From three dimensions on Newton's method is exact relative to the distance of the point.
        const double allowed = 3e-12 + (pair.built_in.dim > 2 ? 1e-14 * a.norm() : 0);
        ConvexSet{&pair.built_in, pair.built_in_arguments.data()}.prox(a.data());
        ConvexSet{&pair.written, pair.written_arguments.data()}.prox(b.data());
        CHECK((a - b).norm() <= allowed);
      }
    }
  }
}

TEST_CASE("ball block: stick or slip, exactly, whatever the conditioning") {
  std::mt19937 generator{11};
  std::normal_distribution<double> normal;
  for (int n = 0; n < 2000; ++n) {
    const std::uint32_t d = 2 + static_cast<std::uint32_t>(n % 5);
    Eigen::MatrixXd B(d, d);
    for (double& value : B.reshaped()) value = normal(generator);
    Eigen::VectorXd scale(d), c(d), Lambda(d);
    for (std::uint32_t k = 0; k < d; ++k) {
      scale[k] = std::pow(10.0, 2 * normal(generator));
      c[k] = normal(generator) * std::pow(10.0, normal(generator));
    }
    const Eigen::MatrixXd upper =
        scale.asDiagonal() * (B * B.transpose() + 0.1 * Eigen::MatrixXd::Identity(d, d)) * scale.asDiagonal();
    const Eigen::MatrixXd G = 0.5 * (upper + upper.transpose());
    const double R = std::pow(10.0, 2 * normal(generator));
    REQUIRE(solve_ball_block(G.data(), d, d, c.data(), R, Lambda.data()));
    const Eigen::VectorXd xi = G * Lambda + c;
    const double size = (G.cwiseAbs() * Lambda.cwiseAbs()).maxCoeff() + c.cwiseAbs().maxCoeff();
    if (Lambda.norm() < R * (1 - 1e-12)) {
      CHECK(xi.norm() <= 1e-12 * size);  // stick
    } else {
      const double kappa = -xi.dot(Lambda) / Lambda.squaredNorm();
      CHECK(Lambda.norm() <= R * (1 + 1e-14));
      CHECK(kappa >= -1e-12 * size / R);
      CHECK((xi + kappa * Lambda).norm() <= 1e-12 * size);
    }
  }
  const double skew[4] = {1, 0.5, -0.5, 1}, c[2] = {1, 1};
  double Lambda[2] = {3, 4};
  CHECK_FALSE(solve_ball_block(skew, 2, 2, c, 1, Lambda));
  CHECK(Lambda[0] == 3);
}
