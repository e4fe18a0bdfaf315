// Optimisation, machine code and linking. The module is optimised and compiled to an object file in memory here; ORC
// only links that object. So the texts of emit_llvm and emit_asm show exactly what runs.
#include "compiler/codegen/jit.hpp"

#include <llvm/CodeGen/Passes.h>
#include <llvm/CodeGen/RegAllocRegistry.h>
#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "compiler/codegen/fused_step.hpp"
#include "compiler/codegen/kernel_cache.hpp"
#include "compiler/codegen/kernel_key.hpp"
#include "compiler/codegen/llvm_ir.hpp"
#include "compiler/codegen/llvm_memory.hpp"
#include "compiler/codegen/optimise.hpp"
#include "compiler/codegen/vector_library.hpp"
#include "compiler/support/internal_check.hpp"

namespace nsmc {

namespace {

// Memory for code that cannot be had is no bug.
[[noreturn]] void fail(const std::string& reason) {
  if (reason.find(std::generic_category().message(ENOMEM)) != std::string::npos) throw std::bad_alloc();
  throw InternalError("LLVM: " + reason);
}

void check(llvm::Error error) {
  if (error) fail(llvm::toString(std::move(error)));
}

template <class T>
T check(llvm::Expected<T> expected) {
  if (!expected) check(expected.takeError());
  return std::move(*expected);
}

llvm::orc::JITTargetMachineBuilder host() {
  [[maybe_unused]] static const bool initialised = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  auto builder = check(llvm::orc::JITTargetMachineBuilder::detectHost());
  builder.setCodeGenOptLevel(llvm::CodeGenOptLevel::Aggressive);
  builder.setRelocationModel(llvm::Reloc::PIC_);
  builder.setCodeModel(llvm::CodeModel::Small);
  return builder;
}

std::string description(const llvm::orc::JITTargetMachineBuilder& machine) {
  return "LLVM " LLVM_VERSION_STRING ", " + machine.getTargetTriple().str() + ", " + machine.getCPU() + ", " +
         machine.getFeatures().getString();
}

std::string description(const LaneShape& shape) {
  if (shape.lanes == 1) return {};
  return ", " + std::to_string(shape.lanes) + (shape.exact ? " exact lanes" : " lanes");
}

// Which register allocator LLVM takes is a setting of the process. Its greedy one spends more than half of the time
// that a long program takes to compile, looking for values to evict where there are always too many; with the basic one
// the code is as fast. Short kernels compile no faster with that, and keep the greedy one.
class RegisterAllocation {
 public:
  explicit RegisterAllocation(const ProgramSet& programs) : lock_(mutex()) {
    constexpr std::size_t kLong = 1000;
    const bool is_long = std::any_of(programs.programs.begin(), programs.programs.end(),
                                     [](const Program& program) { return program.instructions.size() > kLong; });
    using Create = llvm::FunctionPass* (*)();
    constexpr Create basic = llvm::createBasicRegisterAllocator, greedy = llvm::createGreedyRegisterAllocator;
    llvm::RegisterRegAlloc::setDefault(is_long ? basic : greedy);
  }

 private:
  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }
  std::lock_guard<std::mutex> lock_;
};

llvm::SmallVector<char, 0> generate(llvm::Module& module, llvm::TargetMachine& machine, const ProgramSet& programs,
                                    llvm::CodeGenFileType type) {
  const RegisterAllocation allocation(programs);
  llvm::SmallVector<char, 0> result;
  llvm::raw_svector_ostream stream(result);
  llvm::legacy::PassManager passes;
  // addPassesToEmitFile says true when it cannot.
  if (machine.addPassesToEmitFile(passes, stream, nullptr, type))
    throw InternalError("LLVM cannot generate code for this machine");
  passes.run(module);
  return result;
}

// A module with what belongs to it.
struct Unit {
  std::unique_ptr<llvm::LLVMContext> context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::Module> module;
};

class Stopwatch {
 public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - start_).count();
    start_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

Unit optimised_unit(const ProgramSet& programs, llvm::orc::JITTargetMachineBuilder machine, CompileTimes& times,
                    const LaneShape& shape = {}) {
  Stopwatch watch;
  Unit unit;
  unit.machine = check(machine.createTargetMachine());
  unit.module = build_module(*unit.context, programs, *unit.machine, shape);
  times.build_ir = watch.lap();
  optimise_kernels(*unit.module, *unit.machine);
  times.optimise = watch.lap();
  return unit;
}

std::string object_code(const ProgramSet& programs, const llvm::orc::JITTargetMachineBuilder& machine,
                        CompileTimes& times, const LaneShape& shape) {
  Unit unit = optimised_unit(programs, machine, times, shape);
  Stopwatch watch;
  const llvm::SmallVector<char, 0> object =
      generate(*unit.module, *unit.machine, programs, llvm::CodeGenFileType::ObjectFile);
  times.optimise += watch.lap();
  return {object.begin(), object.end()};
}

Unit fused_unit(const FusedStepPlan& step, llvm::orc::JITTargetMachineBuilder machine) {
  Unit unit;
  unit.machine = check(machine.createTargetMachine());
  unit.module = build_fused_step(*unit.context, step, *unit.machine);
  optimise_fused_step(*unit.module, *unit.machine);
  return unit;
}

std::string step_code(const FusedStepPlan& step, const llvm::orc::JITTargetMachineBuilder& machine) {
  Unit unit = fused_unit(step, machine);
  const llvm::SmallVector<char, 0> object =
      generate(*unit.module, *unit.machine, step.kernels, llvm::CodeGenFileType::ObjectFile);
  return {object.begin(), object.end()};
}

}  // namespace

struct CompiledKernels::Impl {
  Impl() = default;
  ~Impl() {
    const InsideLlvm inside;
    jit.reset();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  // Why a symbol cannot be had is told to the session, and the caller only that it cannot.
  llvm::orc::ExecutorAddr address_of(llvm::StringRef name) {
    llvm::Expected<llvm::orc::ExecutorAddr> found = jit->lookup(name);
    if (!found) fail(trouble + llvm::toString(found.takeError()));
    return *found;
  }

  std::string trouble;  // outlives the session that writes to it
  std::unique_ptr<llvm::orc::LLJIT> jit;
  std::map<KernelId, nsm_kernel> kernels;  // of lanes: with another type of view
  CompileTimes times;
};

CompiledKernels::CompiledKernels(const ProgramSet& programs, const KernelCache* cache, const FusedStepPlan* step,
                                 Fusing fusing, const LaneShape& shape)
    : impl_(std::make_unique<Impl>()) {
  const InsideLlvm inside;
  const llvm::orc::JITTargetMachineBuilder machine = host();
  std::optional<std::string> object;
  if (cache != nullptr) {
    const Digest key = kernel_key(programs, description(machine) + description(shape));
    object = cache->load(key);
    impl_->times.cached = object.has_value();
    if (!object) cache->store(key, object.emplace(object_code(programs, machine, impl_->times, shape)));
  } else {
    object = object_code(programs, machine, impl_->times, shape);
  }

  Stopwatch watch;
  // A closed world: kernels link to the mathematics library as listed, and to nothing else of this process.
  impl_->jit = check(llvm::orc::LLJITBuilder()
                         .setJITTargetMachineBuilder(machine)
                         .setLinkProcessSymbolsByDefault(false)
                         .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                         .create());
  llvm::orc::LLJIT& jit = *impl_->jit;
  jit.getExecutionSession().setErrorReporter(
      [impl = impl_.get()](llvm::Error error) { impl->trouble += llvm::toString(std::move(error)) + "; "; });
  llvm::orc::SymbolMap library;
  const auto offer = [&](std::span<const LibraryFunction> functions) {
    for (const LibraryFunction& f : functions)
      library[jit.mangleAndIntern(llvm::StringRef(f.name))] = {llvm::orc::ExecutorAddr::fromPtr(f.address),
                                                               llvm::JITSymbolFlags::Exported};
  };
  offer(library_functions());
  if (shape.lanes > 1 && !shape.exact) offer(vector_library_functions());
  check(jit.getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(library))));
  check(jit.addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(*object, "kernels")));
  for (const Program& program : programs.programs) {
    if (program.instructions.empty()) continue;
    impl_->kernels.emplace(program.id, impl_->address_of(program.name).toPtr<nsm_kernel>());
  }
  impl_->times.link = watch.lap();

  if (step == nullptr || fusing == Fusing::never) return;
  std::optional<std::string> code;
  const Digest key = fused_step_key(*step, description(machine));
  if (cache != nullptr) code = cache->load(key);
  if (!code && fusing == Fusing::always) {
    code = step_code(*step, machine);
    if (cache != nullptr) cache->store(key, *code);
  }
  if (code) {
    check(jit.addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(*code, "step")));
    advance_ = impl_->address_of(fused_step_name).toPtr<nsm_advance>();
  }
  impl_->times.step = watch.lap();
}

CompiledKernels::~CompiledKernels() = default;
CompiledKernels::CompiledKernels(CompiledKernels&&) noexcept = default;
CompiledKernels& CompiledKernels::operator=(CompiledKernels&&) noexcept = default;

nsm_kernel CompiledKernels::find(const KernelId& id) const {
  const auto entry = impl_->kernels.find(id);
  return entry == impl_->kernels.end() ? nullptr : entry->second;
}

nsm_lane_kernel CompiledKernels::find_lanes(const KernelId& id) const {
  return reinterpret_cast<nsm_lane_kernel>(find(id));
}

const CompileTimes& CompiledKernels::times() const { return impl_->times; }

std::string emit_llvm(const ProgramSet& programs, const FusedStepPlan* step) {
  const InsideLlvm inside;
  CompileTimes times;
  const Unit unit = step != nullptr ? fused_unit(*step, host()) : optimised_unit(programs, host(), times);
  std::string text;
  llvm::raw_string_ostream stream(text);
  unit.module->print(stream, nullptr);
  return text;
}

std::string emit_asm(const ProgramSet& programs, const FusedStepPlan* step) {
  const InsideLlvm inside;
  CompileTimes times;
  Unit unit = step != nullptr ? fused_unit(*step, host()) : optimised_unit(programs, host(), times);
  const llvm::SmallVector<char, 0> text =
      generate(*unit.module, *unit.machine, programs, llvm::CodeGenFileType::AssemblyFile);
  return {text.begin(), text.end()};
}

}  // namespace nsmc
