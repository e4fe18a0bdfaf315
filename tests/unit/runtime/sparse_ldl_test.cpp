// The sparse factorisation of constraints against dense algebra.
#include "runtime/linear/sparse_ldl.hpp"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <random>

using namespace nsmc::rt;

namespace {

// A = B B^T for a sparse random B with `rank` columns, its pattern as entries.
Eigen::MatrixXd random_matrix(int n, int rank, std::mt19937& random) {
  std::uniform_real_distribution<double> value(-1, 1);
  Eigen::MatrixXd B = Eigen::MatrixXd::Zero(n, rank);
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) B(i, static_cast<int>(random() % static_cast<unsigned>(rank))) = value(random);
  }
  return B * B.transpose();
}

SparseLdl make(const Eigen::MatrixXd& A) {
  std::vector<SparseLdl::Entry> entries;
  for (std::uint32_t i = 0; i < A.rows(); ++i) {
    for (std::uint32_t j = 0; j <= i; ++j) {
      if (A(i, j) != 0 || i == j) entries.push_back(i % 2 == 0 ? SparseLdl::Entry{i, j} : SparseLdl::Entry{j, i});
    }
  }
  SparseLdl ldl(elimination_order(static_cast<std::size_t>(A.rows()), entries), entries);
  for (std::size_t e = 0; e < entries.size(); ++e) ldl.value(e) = A(entries[e].row, entries[e].column);
  ldl.factor(1e-12);
  return ldl;
}

}  // namespace

TEST_CASE("sparse ldl: regular and singular consistent systems, factored again and again") {
  std::mt19937 random(7);
  for (int n = 1; n <= 40; n += 3) {
    for (const int rank : {2 * n, std::max(1, n / 2)}) {
      CAPTURE(n);
      CAPTURE(rank);
      const Eigen::MatrixXd A = random_matrix(n, rank, random);
      SparseLdl ldl = make(A);
      for (int again = 0; again < 2; ++again) {
        const Eigen::VectorXd b = A * Eigen::VectorXd::Random(n);
        Eigen::VectorXd x = b;
        ldl.solve(x.data());
        CHECK((A * x - b).norm() < 1e-9 * (1 + b.norm()));
        ldl.factor(1e-12);
      }
      if (rank < n) CHECK(ldl.n_dropped() > 0);
    }
  }
}

TEST_CASE("sparse ldl: a doubled row changes nothing but its own unknown") {
  Eigen::Matrix3d A;
  A << 2, 1, 2, 1, 3, 1, 2, 1, 2;  // the third row is the first one
  SparseLdl ldl = make(A);
  CHECK(ldl.n_dropped() == 1);
  Eigen::Vector3d x(1, 2, 1);
  ldl.solve(x.data());
  CHECK((A * x - Eigen::Vector3d(1, 2, 1)).norm() < 1e-15);
  CHECK(x[0] * x[2] == 0);
}

TEST_CASE("sparse ldl: chains and stars have no fill, trees hardly any") {
  const std::uint32_t n = 5000;
  for (const int kind : {0, 1, 2}) {
    std::vector<SparseLdl::Entry> entries;
    for (std::uint32_t i = 0; i < n; ++i) {
      entries.push_back({i, i});
      if (i > 0) entries.push_back({i, kind == 0 ? i - 1 : kind == 1 ? (i - 1) / 2 : 0});
    }
    const SparseLdl ldl(elimination_order(n, entries), entries);
    CHECK(ldl.n_values() <= (kind == 1 ? 3 * n / 2 : n - 1));
  }
}
