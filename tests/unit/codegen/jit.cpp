// Compiled kernels against the interpreter.
#include "compiler/codegen/jit.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "tests/unit/codegen/random_expressions.hpp"
#include "tests/unit/codegen/state.hpp"

using namespace nsmc;
using namespace nsmc::sym;

namespace {

// Values are of order one; 1e-12 leaves room for the growth of rounding errors along the expressions.
bool close(double x, double y) {
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
  return std::abs(x - y) <= 1e-12 * std::max(1.0, std::abs(y));
}

}  // namespace

TEST_CASE("random kernels agree with the interpreter") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    ExprPool pool;
    const std::vector<KernelSpec> specs = test::random_kernels(pool, seed);
    const ProgramSet programs = lower(pool, specs);
    const CompiledKernels kernels(programs);
    test::State state(seed);
    const nsm_view view = state.view(programs);
    if (nsm_kernel prepare = kernels.find({KernelKind::prepare})) prepare(&view, nullptr);
    for (const KernelSpec& spec : specs) {
      const std::vector<double> expected = evaluate(pool, spec.outputs, state);
      std::vector<double> out(spec.outputs.size(), -77);
      kernels.find(spec.id)(&view, out.data());
      for (std::size_t i = 0; i < out.size(); ++i) {
        CAPTURE(to_infix(pool, spec.outputs[i], 300));
        CAPTURE(out[i]);
        CAPTURE(expected[i]);
        CHECK(close(out[i], expected[i]));
      }
    }
  }
}

TEST_CASE("what is not there is not found") {
  ExprPool pool;
  const std::vector<KernelSpec> specs = {{{KernelKind::gap}, {}}, {{KernelKind::output}, {pool.constant(1)}}};
  const ProgramSet programs = lower(pool, specs);
  CompiledKernels kernels(programs);
  CHECK((kernels.find({KernelKind::gap}) == nullptr));
  CHECK((kernels.find({KernelKind::prepare}) == nullptr));
  CHECK((kernels.find({KernelKind::output, 1}) == nullptr));
  CompiledKernels moved = std::move(kernels);
  REQUIRE((moved.find({KernelKind::output}) != nullptr));
  double out = 0;
  const nsm_view view{};
  moved.find({KernelKind::output})(&view, &out);
  CHECK(out == 1);
  CHECK(moved.times().optimise > 0);
}

TEST_CASE("the branch not taken may be undefined") {
  ExprPool pool;
  const Expr x = pool.symbol(Source::coordinate, 0, "x"), zero = pool.constant(0);
  const Expr safe = pool.select(pool.call(Op::less, zero, x), pool.call(Op::log, x), pool.constant(-5));
  const Expr inverse = pool.select(pool.call(Op::equal, x, zero), pool.constant(7), pool.div(zero, x));
  const std::vector<KernelSpec> specs = {{{KernelKind::output}, {safe, inverse}}};
  const ProgramSet programs = lower(pool, specs);
  const CompiledKernels kernels(programs);
  test::State state(1);
  double out[2];
  for (double value : {-2.0, 0.0, 3.0}) {
    state.q[0][0] = value;
    const nsm_view view = state.view(programs);
    kernels.find({KernelKind::output})(&view, out);
    CHECK(out[0] == (value > 0 ? doctest::Approx(std::log(value)) : doctest::Approx(-5)));
    CHECK(out[1] == (value == 0 ? 7 : 0));
  }
}

TEST_CASE("NaN and infinity behave as in the interpreter") {
  ExprPool pool;
  const Expr x = pool.symbol(Source::coordinate, 0, "x"), y = pool.symbol(Source::coordinate, 1, "y");
  const Expr infinity = pool.constant(std::numeric_limits<double>::infinity());
  const std::vector<KernelSpec> specs = {
      {{KernelKind::output},
       {pool.call(Op::min, x, y), pool.call(Op::max, x, y), pool.call(Op::sign, x), pool.call(Op::less, x, y),
        pool.call(Op::less_equal, x, y), pool.call(Op::equal, x, y), pool.call(Op::abs, x), pool.sqrt(x),
        pool.select(pool.call(Op::logic_not, pool.call(Op::less, x, y)), x, y), pool.add(x, infinity),
        pool.call(Op::min, infinity, y), pool.call(Op::floor, x), pool.call(Op::ceil, x), pool.call(Op::round, x),
        pool.call(Op::mod, x, y), pool.call(Op::cbrt, x)}}};
  const ProgramSet programs = lower(pool, specs);
  const CompiledKernels kernels(programs);
  test::State state(1);
  const double special[] = {
      0.0, 1.5, -1.5, std::nan(""), std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (double a : special)
    for (double b : special) {
      state.q[0][0] = a;
      state.q[0][1] = b;
      const nsm_view view = state.view(programs);
      std::vector<double> out(specs[0].outputs.size());
      kernels.find({KernelKind::output})(&view, out.data());
      const std::vector<double> expected = evaluate(pool, specs[0].outputs, state);
      for (std::size_t i = 0; i < out.size(); ++i) {
        CAPTURE(a);
        CAPTURE(b);
        CAPTURE(i);
        CHECK((out[i] == expected[i] || (std::isnan(out[i]) && std::isnan(expected[i]))));
      }
    }
}

TEST_CASE("large kernels compile") {
  ExprPool pool;
  std::vector<Expr> x;
  for (std::uint32_t i = 0; i < 8; ++i) x.push_back(pool.symbol(Source::coordinate, i, "x"));
  // A recurrence that no simplification shortens: about 20000 operations.
  std::vector<Expr> outputs;
  for (std::size_t i = 0; i < 5000; ++i) {
    const std::size_t n = x.size();
    const Expr sum = pool.add(pool.mul(x[n - 8], x[n - 3]), pool.mul(pool.constant(0.25), x[n - 5]));
    x.push_back(pool.mul(sum, pool.sub(pool.constant(0.5), x[n - 7])));
  }
  for (std::size_t i = 0; i < 20; ++i) outputs.push_back(x[x.size() - 1 - i]);
  const std::vector<KernelSpec> specs = {{{KernelKind::output}, outputs, Stage::dynamics}};
  const ProgramSet programs = lower(pool, specs);
  CHECK(programs.programs[0].instructions.size() > 20000);
  const CompiledKernels kernels(programs);
  test::State state(3);
  const nsm_view view = state.view(programs);
  std::vector<double> out(outputs.size());
  kernels.find({KernelKind::output})(&view, out.data());
  const std::vector<double> expected = evaluate(pool, outputs, state);
  for (std::size_t i = 0; i < out.size(); ++i) CHECK(close(out[i], expected[i]));
}

TEST_CASE("long chains need no stack") {
  ExprPool pool;
  Expr e = pool.symbol(Source::coordinate, 0, "x");
  const Expr y = pool.symbol(Source::coordinate, 1, "y");
  for (int i = 0; i < 20000; ++i) e = pool.call(i % 2 == 0 ? Op::min : Op::max, pool.add(e, y), y);
  const std::vector<KernelSpec> specs = {{{KernelKind::output}, {e}}};
  const ProgramSet programs = lower(pool, specs);
  CHECK(programs.programs[0].instructions.size() > 20000);
}
