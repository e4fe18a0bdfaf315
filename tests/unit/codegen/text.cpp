// The programs as text: IR and assembly name the kernels, C compiles elsewhere and computes the same.
#include <dlfcn.h>
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "compiler/codegen/jit.hpp"
#include "tests/unit/codegen/random_expressions.hpp"
#include "tests/unit/codegen/state.hpp"

using namespace nsmc;
using namespace nsmc::sym;

namespace {

// A shared library of emitted C, built by the system's compiler; gone with the object.
class EmittedC {
 public:
  explicit EmittedC(const std::string& source) {
    std::string pattern = (std::filesystem::temp_directory_path() / "nsmc_codegen_XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    folder_ = pattern;
    std::ofstream(folder_ / "kernels.c") << source;
    const std::string command = "cc -std=c11 -Wall -Wextra -Werror -O1 -shared -fPIC -o " +
                                (folder_ / "kernels.so").string() + " " + (folder_ / "kernels.c").string() + " -lm";
    REQUIRE(std::system(command.c_str()) == 0);
    library_ = dlopen((folder_ / "kernels.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    REQUIRE(library_ != nullptr);
  }
  ~EmittedC() {
    if (library_ != nullptr) dlclose(library_);
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  EmittedC(const EmittedC&) = delete;
  EmittedC& operator=(const EmittedC&) = delete;

  nsm_kernel find(const std::string& name) const { return reinterpret_cast<nsm_kernel>(dlsym(library_, name.c_str())); }

 private:
  std::filesystem::path folder_;
  void* library_ = nullptr;
};

}  // namespace

TEST_CASE("emitted C computes what the JIT computes") {
  ExprPool pool;
  test::RandomExpressions expressions(pool, 42);
  expressions.grow(200);
  std::vector<KernelSpec> specs;
  for (int k = 0; k < 4; ++k) specs.push_back({"kernel" + std::to_string(k), expressions.pick(30), k});
  specs[0].outputs.push_back(pool.constant(1e300));
  specs[0].outputs.push_back(pool.constant(0.1));
  specs[0].outputs.push_back(pool.constant(-HUGE_VAL));
  const ProgramSet programs = lower(pool, specs);
  const CompiledKernels jit(programs);
  const EmittedC c(emit_c(programs));
  test::State state(42);
  nsm_view view = state.view(programs);
  std::vector<double> own_shared(programs.n_shared + 1);
  nsm_view c_view = view;
  c_view.shared = own_shared.data();
  jit.find("prepare")(&view, nullptr);
  REQUIRE((c.find("prepare") != nullptr));
  c.find("prepare")(&c_view, nullptr);
  for (const KernelSpec& spec : specs) {
    std::vector<double> x(spec.outputs.size()), y(spec.outputs.size());
    jit.find(spec.name)(&view, x.data());
    REQUIRE((c.find(spec.name) != nullptr));
    c.find(spec.name)(&c_view, y.data());
    for (std::size_t i = 0; i < x.size(); ++i) {
      CAPTURE(to_infix(pool, spec.outputs[i], 300));
      CHECK((x[i] == y[i] || std::abs(x[i] - y[i]) <= 1e-12 * std::max(1.0, std::abs(y[i]))));
    }
  }
}

TEST_CASE("LLVM IR and assembly name the kernel") {
  ExprPool pool;
  const Expr x = pool.symbol(Source::coordinate, 0, "x");
  const std::vector<KernelSpec> specs = {
      {"pendulum_dynamics", {pool.call(Op::sin, x), pool.call(Op::cos, x), pool.add(pool.mul(x, x), x)}, 1}};
  const ProgramSet programs = lower(pool, specs);
  const std::string ir = emit_llvm(programs), assembly = emit_asm(programs);
  CHECK(ir.find("@pendulum_dynamics") != std::string::npos);
  if (__builtin_cpu_supports("fma")) CHECK(ir.find("llvm.fma") != std::string::npos);
  CHECK(assembly.find("pendulum_dynamics:") != std::string::npos);
  CHECK(assembly.find("sincos") != std::string::npos);
  CHECK(emit_llvm(programs) == ir);
}
