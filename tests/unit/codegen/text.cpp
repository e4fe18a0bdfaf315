// The programs as text: IR and assembly name the kernels, C compiles elsewhere and computes the same.
#include <doctest/doctest.h>

#include "compiler/codegen/jit.hpp"
#include "tests/unit/codegen/emitted_c.hpp"
#include "tests/unit/codegen/random_expressions.hpp"
#include "tests/unit/codegen/state.hpp"

using namespace nsmc;
using namespace nsmc::sym;

TEST_CASE("emitted C computes what the JIT computes") {
  ExprPool pool;
  test::RandomExpressions expressions(pool, 42);
  expressions.grow(200);
  std::vector<KernelSpec> specs;
  for (std::uint32_t k = 0; k < 4; ++k) {
    specs.push_back({{KernelKind::output, k}, expressions.pick(30), static_cast<Stage>(k)});
    specs.back().label = std::to_string(k);
  }
  specs[0].outputs.push_back(pool.constant(1e300));
  specs[0].outputs.push_back(pool.constant(0.1));
  specs[0].outputs.push_back(pool.constant(-HUGE_VAL));
  const ProgramSet programs = lower(pool, specs);
  const CompiledKernels jit(programs);
  const test::EmittedC c(emit_c(programs));
  test::State state(42);
  nsm_view view = state.view(programs);
  std::vector<double> own_shared(programs.n_shared + 1);
  nsm_view c_view = view;
  c_view.shared = own_shared.data();
  jit.find({KernelKind::prepare})(&view, nullptr);
  REQUIRE((c.find("prepare") != nullptr));
  c.find("prepare")(&c_view, nullptr);
  for (const KernelSpec& spec : specs) {
    std::vector<double> x(spec.outputs.size()), y(spec.outputs.size());
    jit.find(spec.id)(&view, x.data());
    REQUIRE((c.find(kernel_name(spec.id, spec.label)) != nullptr));
    c.find(kernel_name(spec.id, spec.label))(&c_view, y.data());
    for (std::size_t i = 0; i < x.size(); ++i) {
      CAPTURE(to_infix(pool, spec.outputs[i], 300));
      CHECK((x[i] == y[i] || std::abs(x[i] - y[i]) <= 1e-12 * std::max(1.0, std::abs(y[i]))));
    }
  }
}

TEST_CASE("LLVM IR and assembly name the kernel") {
  ExprPool pool;
  const Expr x = pool.symbol(Source::coordinate, 0, "x");
  std::vector<KernelSpec> specs = {{{KernelKind::dynamics},
                                    {pool.call(Op::sin, x), pool.call(Op::cos, x), pool.add(pool.mul(x, x), x)},
                                    Stage::dynamics}};
  specs[0].label = "pendulum";
  const ProgramSet programs = lower(pool, specs);
  const std::string ir = emit_llvm(programs), assembly = emit_asm(programs);
  CHECK(ir.find("@dynamics_pendulum") != std::string::npos);
  // x*x + x in one rounding where the machine can; LLVM may not choose by itself what to contract.
  const bool has_fma = ir.find("+fma,") != std::string::npos;
  CHECK((ir.find("@llvm.fma.f64(") != std::string::npos) == has_fma);
  CHECK(ir.find(" contract ") == std::string::npos);
  CHECK(assembly.find("dynamics_pendulum:") != std::string::npos);
  CHECK(assembly.find("sincos") != std::string::npos);
  CHECK(emit_llvm(programs) == ir);
}
