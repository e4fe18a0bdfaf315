// Identities of normal cones and proximal points under linear maps [Möller 2009, sec. 2 and 4], for sets whose images
// under maps are at hand: those by functions that mix curvature and kinks, and polygons. And sets written in different
// ways.
#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <memory>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "runtime/sets/convex_set.hpp"
#include "runtime/solvers/ball_block.hpp"
#include "tests/set_families/set_families.hpp"
#include "tests/unit/runtime/function_sets.hpp"

using namespace nsmc::rt;
using set_families::Family;

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

namespace {

constexpr double allowed = 1e-9;  // of the point or the set

struct Random {
  int n;
  std::mt19937 generator{7};
  std::normal_distribution<double> normal{};

  Vector vector() {
    Vector v(n);
    for (double& value : v) value = normal(generator);
    return v;
  }
  Matrix regular() { return set_families::regular_map(n, generator); }
  Matrix positive_definite() {
    const Matrix A = regular();
    return A * A.transpose();
  }
};

struct Set {
  virtual ~Set() = default;
  virtual Vector prox(Vector z) const = 0;
  virtual std::unique_ptr<Set> image(const Matrix& A) const = 0;
  virtual double size() const = 0;
};

class FunctionSet : public Set {
 public:
  explicit FunctionSet(set_families::Set set) : set_(std::move(set)) {}

  std::unique_ptr<Set> image(const Matrix& A) const override { return std::make_unique<FunctionSet>(set_.image(A)); }
  Vector prox(Vector z) const override {
    set_.prox(z);
    return z;
  }
  double size() const override { return set_.size(); }

 private:
  set_families::Set set_;
};

// Points on an ellipse, in order.
class Polygon : public Set {
 public:
  Polygon(int corners, std::mt19937& generator) : corners_(2, corners) {
    std::uniform_real_distribution<double> uniform;
    for (int i = 0; i < corners; ++i) {
      const double angle = 2 * std::numbers::pi * (i + 0.8 * uniform(generator)) / corners;
      corners_.col(i) << std::cos(angle), 0.3 * std::sin(angle);
    }
  }
  std::unique_ptr<Set> image(const Matrix& A) const override {
    auto result = std::make_unique<Polygon>(*this);
    result->corners_ = A * corners_;
    if (A.determinant() < 0) result->corners_ = result->corners_.rowwise().reverse().eval();
    return result;
  }
  Vector prox(Vector z) const override {
    const nsm_set set = functions::plain_set(NSM_SET_POLYGON, 2, static_cast<std::uint32_t>(corners_.size()));
    ConvexSet{&set, corners_.data()}.prox(z.data());
    return z;
  }
  double size() const override { return 1; }

 private:
  Matrix corners_;
};

// In the norm |x|_R^2 = x^T R x: with R = L L^T, the map L^T makes it Euclidean.
Vector prox(const Matrix& R, const Set& C, const Vector& z) {
  const Matrix turn = R.llt().matrixU();
  return turn.inverse() * C.image(turn)->prox(turn * z);
}

using Visit = void (*)(const Set& C, Random& random);

// Sets of all kinds in two to six dimensions.
void for_each_set(Visit visit) {
  Random plane{2};
  for (int corners = 3; corners < 40; ++corners) visit(Polygon(corners, plane.generator), plane);
  for (int n = 2; n <= 6; ++n) {
    Random random{n};
    for (const Family& family : set_families::families) {
      if (family.asked != set_families::Asked::itself && n > 2) continue;
      CAPTURE(std::string(family.name));
      CAPTURE(n);
      for (int number = 0; number < (n > 3 ? 1 : 3); ++number) {
        visit(FunctionSet(set_families::sample(family, n, 1, random.generator).set), random);
      }
    }
  }
}

}  // namespace

TEST_CASE("identities: prox in the R-norm does not depend on the scale of R (5) and transforms by (23)") {
  for_each_set([](const Set& C, Random& random) {
    const Matrix R = random.positive_definite(), A = random.regular(), inverse = A.inverse();
    const Vector x = 2 * C.size() * random.vector(), p = prox(R, C, x);
    const double limit = allowed * (C.size() + x.norm());
    CHECK((prox(0.01 * R, C, x) - p).norm() <= limit);
    CHECK((A * prox(A.transpose() * R * A, *C.image(inverse), inverse * x) - p).norm() <= limit);
  });
}

TEST_CASE("identities: an inclusion and its transform hold together (25), with any R and R^ (30)") {
  for_each_set([](const Set& C, Random& random) {
    const Matrix A = random.regular(), inverse = A.inverse();
    const std::unique_ptr<Set> C_hat = C.image(inverse);
    const Vector z = 2 * C.size() * random.vector();
    const Vector x = C.prox(z), y = z - x;  // y in N_C(x)
    const Vector x_hat = inverse * x, y_hat = A.transpose() * y;
    const double limit = allowed * (C.size() + z.norm());
    const Matrix R = random.positive_definite(), R_hat = random.positive_definite();
    CHECK((prox(R, C, x + R.inverse() * y) - x).norm() <= limit);
    CHECK((prox(R_hat, *C_hat, x_hat + R_hat.inverse() * y_hat) - x_hat).norm() <= limit);
    // And a vector that is not normal is not a solution, on either side: all sets here have points inside.
    if (y.norm() < 0.1 * C.size()) return;
    CHECK((C.prox(x - y) - x).norm() > 1e-6 * C.size());
    CHECK((C_hat->prox(x_hat - y_hat) - x_hat).norm() > 1e-6 * C.size());
  });
}

TEST_CASE("identities: with R = A^-T R^ A^-1 both prox agree for any point, (31)") {
  for_each_set([](const Set& C, Random& random) {
    const Matrix A = random.regular(), inverse = A.inverse(), R_hat = random.positive_definite();
    const Matrix R = inverse.transpose() * R_hat * inverse;
    const Vector x = C.size() * random.vector(), y = C.size() * random.vector();
    const Vector left = prox(R, C, x + R.inverse() * y);
    const Vector right = A * prox(R_hat, *C.image(inverse), inverse * x + R_hat.inverse() * A.transpose() * y);
    CHECK((left - right).norm() <= allowed * (C.size() + (x + R.inverse() * y).norm()));
  });
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
