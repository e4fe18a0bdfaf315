// What is computed where: constants in `prepare`, values handed on by the first stage, one division per quotient.
#include "compiler/codegen/program.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "compiler/codegen/jit.hpp"
#include "tests/unit/codegen/state.hpp"

using namespace nsmc;
using namespace nsmc::sym;
using test::count;

namespace {

struct Symbols {
  ExprPool pool;
  Expr m = pool.symbol(Source::parameter, 0, "m"), g = pool.symbol(Source::parameter, 1, "g");
  Expr l = pool.symbol(Source::parameter, 2, "l");
  Expr x = pool.symbol(Source::coordinate, 0, "x"), y = pool.symbol(Source::coordinate, 1, "y");
  Expr z = pool.symbol(Source::coordinate, 2, "z"), w = pool.symbol(Source::coordinate, 3, "w");
  Expr force = pool.symbol(Source::force, 0, "lambda");

  Expr product(std::vector<Expr> factors) { return pool.mul(factors); }
  Expr sum(std::vector<Expr> terms) { return pool.add(terms); }
  Program lower_one(std::vector<Expr> outputs) {
    const std::vector<KernelSpec> specs = {{"kernel", std::move(outputs), 0}};
    return lower(pool, specs).programs[0];
  }
};

}  // namespace

TEST_CASE("what depends on parameters alone is prepared") {
  Symbols s;
  const Expr torque = s.product({s.m, s.g, s.l, s.pool.call(Op::cos, s.x)});
  const Expr inertia = s.product({s.m, s.l, s.l});
  const std::vector<KernelSpec> specs = {{"kernel", {torque, inertia, s.pool.div(s.x, s.m), s.m, s.pool.neg(s.m)}, 0}};
  const ProgramSet programs = lower(s.pool, specs);
  REQUIRE(programs.programs.size() == 2);
  const Program& kernel = programs.programs[0];
  const Program& prepare = programs.programs[1];
  CHECK(prepare.name == "prepare");
  CHECK(prepare.n_outputs == 0);
  CHECK(programs.n_shared == 3);  // m*g*l, m*l^2, 1/m
  CHECK(count(prepare, Instruction::store_shared) == 3);
  CHECK(count(kernel, Instruction::load_shared) == 3);
  CHECK(count(kernel, Instruction::mul) == 2);
  CHECK(count(kernel, Instruction::div) == 0);
  CHECK(count(kernel, Instruction::load_p) == 1);
  CHECK(count(kernel, Instruction::store_out) == 5);
}

TEST_CASE("a kernel that is called alone computes its constants itself") {
  Symbols s;
  // An infinite exponent is not folded: without any symbol, it would be a value for `prepare`.
  const Expr infinity = s.pool.constant(std::numeric_limits<double>::infinity());
  const Expr power = s.pool.pow(s.force, s.pool.sub(infinity, s.pool.constant(1)));
  const std::vector<KernelSpec> specs = {{"set", {power}, 0, {}, true}, {"other", {power}, 0}};
  const ProgramSet programs = lower(s.pool, specs);
  CHECK(count(programs.programs[0], Instruction::load_shared) == 0);
  CHECK(count(programs.programs[1], Instruction::load_shared) == 1);
  const std::vector<KernelSpec> alone = {specs[0]};
  CHECK(lower(s.pool, alone).n_shared == 0);
}

TEST_CASE("a later stage reads what the first computed") {
  Symbols s;
  const Expr sine = s.pool.call(Op::sin, s.x);
  const Expr heavy = s.product({s.sum({s.x, s.y}), s.sum({s.x, s.z})});
  const Expr light = s.pool.add(s.x, s.y);
  const Expr with_force = s.pool.call(Op::exp, s.pool.mul(s.x, s.force));
  const std::vector<KernelSpec> specs = {
      {"directions", {s.pool.mul(sine, s.y), s.pool.add(heavy, s.w), light, with_force}, 3},
      {"dynamics", {s.pool.mul(sine, s.z), s.pool.mul(heavy, s.w), light, with_force}, 1},
      {"observe", {sine}, 0},
      {"gap", {s.pool.call(Op::cos, s.x)}, 2},
      {"zeta", {s.pool.call(Op::cos, s.x)}, 4},
  };
  const ProgramSet programs = lower(s.pool, specs);
  const Program& directions = programs.programs[0];
  CHECK(count(directions, Instruction::load_shared) == 2);
  CHECK(count(directions, Instruction::call1) == 1);  // exp: forces change during an evaluation
  CHECK(count(directions, Instruction::add) == 2);    // `light` is cheaper than a load
  CHECK(count(programs.programs[1], Instruction::store_shared) == 2);
  CHECK(count(programs.programs[1], Instruction::load_shared) == 0);
  CHECK(count(programs.programs[2], Instruction::load_shared) == 0);
  CHECK(count(programs.programs[2], Instruction::call1) == 1);
  CHECK(count(programs.programs[4], Instruction::call1) == 1);  // gap does not hand on
  CHECK(programs.n_shared == 2);
  CHECK(programs.programs[5].steps.empty());
}

TEST_CASE("shared values survive any order of the later kernels") {
  Symbols s;
  const Expr sine = s.pool.call(Op::sin, s.pool.mul(s.m, s.x));
  const std::vector<KernelSpec> specs = {{"dynamics", {sine}, 1},
                                         {"a", {s.pool.mul(sine, s.m)}, 2},
                                         {"b", {s.pool.add(sine, s.y)}, 3},
                                         {"free", {sine}, 0}};
  const ProgramSet programs = lower(s.pool, specs);
  const CompiledKernels kernels(programs);
  test::State state(7);
  const nsm_view view = state.view(programs);
  double out = 0;
  const auto run = [&](const char* name) {
    kernels.find(name)(&view, &out);
    return out;
  };
  if (kernels.find("prepare") != nullptr) kernels.find("prepare")(&view, nullptr);
  for (double x : {0.5, 1.5}) {
    state.q[0][0] = x;
    const double expected = std::sin(state.p[0] * x);
    CHECK(run("free") == doctest::Approx(expected));
    run("dynamics");
    CHECK(run("b") == doctest::Approx(expected + state.q[0][1]));
    CHECK(run("free") == doctest::Approx(expected));
    CHECK(run("a") == doctest::Approx(expected * state.p[0]));
    CHECK(run("b") == doctest::Approx(expected + state.q[0][1]));
  }
}

TEST_CASE("quotients, powers and signs") {
  Symbols s;
  auto p = s.lower_one({s.product({s.x, s.pool.pow(s.y, s.pool.constant(-1)), s.pool.pow(s.z, s.pool.constant(-1))})});
  CHECK(count(p, Instruction::div) == 1);
  CHECK(count(p, Instruction::mul) == 1);

  p = s.lower_one({s.pool.sub(s.x, s.y)});
  CHECK(count(p, Instruction::sub) == 1);
  CHECK(p.steps.size() == 4);

  p = s.lower_one({s.pool.sub(s.x, s.product({s.pool.constant(2), s.y, s.z}))});
  CHECK(count(p, Instruction::sub) == 1);
  CHECK(count(p, Instruction::mul) == 2);
  CHECK(count(p, Instruction::neg) == 0);

  p = s.lower_one({s.pool.pow(s.x, s.pool.constant(9))});
  CHECK(count(p, Instruction::mul) == 4);
  p = s.lower_one({s.pool.pow(s.x, s.pool.constant(-0.5))});
  CHECK(count(p, Instruction::sqrt) == 1);
  CHECK(count(p, Instruction::div) == 1);
  p = s.lower_one({s.pool.pow(s.x, s.pool.constant(1.5))});
  CHECK(count(p, Instruction::sqrt) == 1);
  CHECK(count(p, Instruction::mul) == 1);
  p = s.lower_one({s.pool.pow(s.x, s.pool.constant(0.3))});
  CHECK(count(p, Instruction::call2) == 1);
}

TEST_CASE("sums and products share their common parts") {
  Symbols s;
  auto p =
      s.lower_one({s.product({s.x, s.y, s.z}), s.product({s.x, s.y, s.w}), s.product({s.pool.constant(2), s.x, s.y})});
  CHECK(count(p, Instruction::mul) == 4);
  p = s.lower_one({s.sum({s.x, s.pool.neg(s.y), s.z}), s.sum({s.y, s.pool.neg(s.x), s.w})});
  CHECK(count(p, Instruction::add) + count(p, Instruction::sub) == 3);
}
