// The symbolic inverse: against numbers, in blocks, and where it must say no.
#include "compiler/mechanics/linear_algebra.hpp"

#include "tests/unit/mechanics/derived_model.hpp"

using namespace nsmc;
using namespace nsmc::test;
using sym::Expr;

namespace {

// Entries a symbol each where `pattern` has 'x', zero elsewhere.
Matrix pattern_matrix(sym::ExprPool& pool, const std::vector<std::string>& pattern) {
  Matrix m{pattern.size(), pattern.size(), {}};
  std::uint32_t index = 0;
  for (const std::string& row : pattern) {
    for (const char c : row) {
      m.entries.push_back(c == 'x' ? pool.symbol(sym::Source::parameter, index, "p" + std::to_string(index))
                                   : pool.constant(0));
      ++index;
    }
  }
  return m;
}

void check_inverse(const std::vector<std::string>& pattern) {
  sym::ExprPool pool;
  const Matrix a = pattern_matrix(pool, pattern);
  const auto inverted = inverse(pool, a);
  REQUIRE(inverted.has_value());
  const std::size_t n = pattern.size();
  Random random(21);
  Point x;
  x.p = random.vector(n * n, -2, 2);
  const std::vector<double> A = sym::evaluate(pool, a.entries, x), B = sym::evaluate(pool, inverted->entries, x);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += A[i * n + k] * B[k * n + j];
      CAPTURE(i);
      CAPTURE(j);
      CHECK(near(sum, i == j ? 1 : 0, 1e-9));
    }
  }
}

}  // namespace

TEST_CASE("the inverse of full, sparse, permuted and block matrices") {
  check_inverse({"x"});
  check_inverse({"xx", "xx"});
  check_inverse({"0x", "xx"});
  check_inverse({"0x0", "00x", "x00"});
  check_inverse({"xxxx", "xxxx", "xxxx", "xxxx"});
  check_inverse({"xx000", "xx000", "00x00", "000xx", "000xx"});
  check_inverse({"x000x", "0x0x0", "00x00", "0x0x0", "x000x"});  // blocks whose rows are not neighbours
  check_inverse({"xxxxxx", "0xxxxx", "00xxxx", "000xxx", "0000xx", "00000x"});
}

TEST_CASE("ten blocks of two are no trouble, one block of nine is too much") {
  std::vector<std::string> blocks(20, std::string(20, '0'));
  for (std::size_t i = 0; i < 20; ++i) blocks[i][i] = blocks[i][i ^ 1U] = 'x';
  check_inverse(blocks);
  sym::ExprPool pool;
  CHECK_FALSE(inverse(pool, pattern_matrix(pool, std::vector<std::string>(9, std::string(9, 'x')))).has_value());
}

TEST_CASE("singular matrices have no inverse") {
  sym::ExprPool pool;
  CHECK_FALSE(inverse(pool, pattern_matrix(pool, {"xx", "00"})).has_value());
  CHECK_FALSE(inverse(pool, pattern_matrix(pool, {"0x0", "0x0", "x0x"})).has_value());
  const Expr a = pool.symbol(sym::Source::parameter, 0, "a");
  CHECK_FALSE(inverse(pool, Matrix{2, 2, {a, a, a, a}}).has_value());
  CHECK_FALSE(inverse(pool, Matrix{1, 2, {a, a}}).has_value());
}

TEST_CASE("products, transposes and what is recognised") {
  sym::ExprPool pool;
  const auto c = [&](double v) { return pool.constant(v); };
  const Matrix a{2, 3, {c(1), c(2), c(3), c(4), c(5), c(6)}};
  const Matrix product = multiply(pool, a, transpose(a));
  Point x;
  check_near(sym::evaluate(pool, product.entries, x), {14, 32, 32, 77});
  const std::vector<Expr> v{c(1), c(0), c(-1)};
  check_near(sym::evaluate(pool, multiply(pool, a, v), x), {-2, -2});
  CHECK(is_identity(pool, identity(pool, 3)));
  CHECK_FALSE(is_identity(pool, a));
  CHECK_FALSE(is_identity(pool, Matrix{2, 2, {c(1), c(0), c(0), c(2)}}));
  CHECK(is_diagonal(pool, Matrix{2, 2, {c(1), c(0), c(0), c(2)}}));
  CHECK_FALSE(is_diagonal(pool, Matrix{2, 2, {c(1), c(0), c(3), c(2)}}));
  CHECK(is_zero(pool, Matrix{1, 2, {c(0), c(0)}}));
  CHECK_FALSE(is_zero(pool, Matrix{1, 2, {c(0), c(1)}}));
}
