// In: programs; out: a module with one function for each, an instruction of IR or a call for every instruction of a
// program. A double becomes a register of lanes where a kernel works on several runs at once. Long programs are
// functions of several parts (parts.hpp). Which products and sums are fused into one rounding is decided here and not
// by LLVM, so that a kernel has the same numbers wherever it is inlined.
#include "compiler/codegen/llvm_ir.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Target/TargetMachine.h>
#include <math.h>  // ::sincos

#include <array>
#include <cmath>
#include <cstddef>
#include <unordered_map>
#include <vector>

#include "compiler/codegen/parts.hpp"
#include "compiler/codegen/vector_library.hpp"
#include "compiler/support/internal_check.hpp"
#include "runtime/collision/kernel.hpp"
#include "runtime/lane_abi.hpp"
#include "runtime/sets/by_function/implicit_gauge.hpp"
#include "runtime/tables/table.hpp"

namespace nsmc {

namespace {

// The arrays of a view, each with the place of its pointer. The time is an array of one element for kernels over lanes.
enum Array {
  array_t,
  array_p,
  array_q0,
  array_q1,
  array_u0,
  array_u1,
  array_lambda,
  array_self,
  array_shared,
  array_z,
  n_arrays
};
constexpr std::size_t array_offset[n_arrays] = {
    offsetof(nsm_lane_view, t), offsetof(nsm_view, p),
    offsetof(nsm_view, q),      offsetof(nsm_view, q) + sizeof(double*),
    offsetof(nsm_view, u),      offsetof(nsm_view, u) + sizeof(double*),
    offsetof(nsm_view, lambda), offsetof(nsm_view, self),
    offsetof(nsm_view, shared), offsetof(nsm_view, z),
};

// nsm_lane_view is nsm_view with a pointer to the times in the place of the time.
static_assert(sizeof(nsm_lane_view) == sizeof(nsm_view) && offsetof(nsm_lane_view, p) == offsetof(nsm_view, p) &&
              offsetof(nsm_lane_view, shared) == offsetof(nsm_view, shared) &&
              offsetof(nsm_lane_view, z) == offsetof(nsm_view, z));

int array_of(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::load_t: return array_t;
    case Opcode::load_p: return array_p;
    case Opcode::load_q: return instruction.index < second_block ? array_q0 : array_q1;
    case Opcode::load_u: return instruction.index < second_block ? array_u0 : array_u1;
    case Opcode::load_lambda: return array_lambda;
    case Opcode::load_self: return array_self;
    case Opcode::load_z: return array_z;
    case Opcode::load_shared:
    case Opcode::store_shared: return array_shared;
    default: return -1;
  }
}

bool is_call_of(const Instruction& instruction, std::string_view function) {
  return instruction.opcode == Opcode::call1 && instruction.function == function;
}

// The kinds of memory that a kernel touches never overlap; alias scopes tell LLVM so, and loads may be moved across
// stores.
struct Scopes {
  llvm::MDNode* inputs = nullptr;
  llvm::MDNode* shared = nullptr;
  llvm::MDNode* out = nullptr;
};

// What is needed of an argument of sin and cos, and the values once they are there.
struct Angle {
  bool has_sine = false, has_cosine = false;
  llvm::Value* sine = nullptr;
  llvm::Value* cosine = nullptr;
};

llvm::Type* number_type(llvm::LLVMContext& context, const LaneShape& shape) {
  llvm::Type* one = llvm::Type::getDoubleTy(context);
  return shape.lanes == 1 ? one : llvm::FixedVectorType::get(one, shape.lanes);
}

// A function of (view, out) and, for the parts of a long program, (scratch).
llvm::Function* declare(llvm::Module& module, const llvm::TargetMachine& target, const std::string& name,
                        llvm::GlobalValue::LinkageTypes linkage, unsigned n_arguments) {
  llvm::LLVMContext& context = module.getContext();
  const llvm::SmallVector<llvm::Type*, 3> arguments(n_arguments, llvm::PointerType::get(context, 0));
  llvm::Function* f = llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), arguments, false),
                                             linkage, name, module);
  internal_check(f->getName() == llvm::StringRef(name), "two kernels have one name");
  f->addFnAttr("target-cpu", target.getTargetCPU());
  f->addFnAttr("target-features", target.getTargetFeatureString());
  f->addFnAttr(llvm::Attribute::NoUnwind);
  f->addFnAttr(llvm::Attribute::WillReturn);
  for (unsigned i = 0; i < n_arguments; ++i) {
    f->getArg(i)->setName(std::array{"view", "out", "scratch"}[i]);
    f->addParamAttr(i, llvm::Attribute::NoAlias);
    f->addParamAttr(i, llvm::Attribute::NoCapture);
  }
  f->addParamAttr(0, llvm::Attribute::ReadOnly);
  f->addDereferenceableParamAttr(0, sizeof(nsm_view));
  f->addParamAttr(1, llvm::Attribute::WriteOnly);
  return f;
}

bool has_fma(const llvm::Function& f) {
  return f.getFnAttribute("target-features").getValueAsString().contains("+fma,");
}

// The instructions first ... last - 1 of a program as one straight-line function.
class FunctionBuilder {
 public:
  FunctionBuilder(llvm::Function& function, const Program& program, const Parts& parts, std::size_t part,
                  const LaneShape& shape)
      : module_(*function.getParent()),
        function_(function),
        program_(program),
        parts_(parts),
        shape_(shape),
        first_(parts.begin[part]),
        last_(parts.begin[part + 1]),
        builder_(function.getContext()),
        real_(number_type(function.getContext(), shape)) {
    llvm::MDBuilder md(function.getContext());
    llvm::MDNode* domain = md.createAnonymousAliasScopeDomain();
    scopes_.inputs = md.createAnonymousAliasScope(domain);
    scopes_.shared = md.createAnonymousAliasScope(domain);
    scopes_.out = md.createAnonymousAliasScope(domain);
    builder_.SetInsertPoint(llvm::BasicBlock::Create(function.getContext(), "entry", &function));
  }

  void build() {
    if (has_fma(function_)) count_uses();
    for (std::size_t i = first_; i < last_; ++i) {
      if (is_call_of(instruction(i), "sin")) angles_[instruction(i).a].has_sine = true;
      if (is_call_of(instruction(i), "cos")) angles_[instruction(i).a].has_cosine = true;
    }
    for (std::size_t i = first_; i < last_; ++i) {
      const auto at = static_cast<std::uint32_t>(i);
      values_[at] = emit(instruction(i));
      if (parts_.slot[i] != Parts::none) builder_.CreateStore(number(at), scratch(at));
    }
    builder_.CreateRetVoid();
  }

 private:
  const Instruction& instruction(std::size_t i) const { return program_.instructions[i]; }

  // The value of a instruction, from this part or an earlier one.
  llvm::Value*& value(std::uint32_t i) {
    llvm::Value*& v = values_[i];
    if (v == nullptr)
      v = is_repeated(instruction(i).opcode) ? emit(instruction(i)) : builder_.CreateLoad(real_, scratch(i));
    return v;
  }
  // A condition is kept as one bit until arithmetic reads it.
  llvm::Value* number(std::uint32_t i) {
    llvm::Value*& v = value(i);
    if (is_condition(v)) v = builder_.CreateSelect(v, literal(1), literal(0));
    return v;
  }
  llvm::Value* condition(std::uint32_t i) {
    llvm::Value* v = value(i);
    return is_condition(v) ? v : builder_.CreateFCmpUNE(v, literal(0));
  }
  static bool is_condition(const llvm::Value* v) { return v->getType()->getScalarType()->isIntegerTy(1); }
  llvm::Value* literal(double number) { return llvm::ConstantFP::get(real_, number); }

  llvm::Value* element(llvm::Value* array, std::uint32_t index) {
    return builder_.CreateConstInBoundsGEP1_64(real_, array, index);
  }
  llvm::Value* scratch(std::uint32_t i) { return element(function_.getArg(2), parts_.slot[i]); }

  // The pointers of the view are read once.
  llvm::Value* array(int which) {
    llvm::Value*& known = arrays_[which];
    if (known == nullptr) {
      llvm::Value* field =
          builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), function_.getArg(0), array_offset[which]);
      known = in_scope(builder_.CreateLoad(builder_.getPtrTy(), field), scopes_.inputs);
    }
    return known;
  }

  template <class LoadOrStore>
  LoadOrStore* in_scope(LoadOrStore* access, llvm::MDNode* scope) {
    llvm::LLVMContext& context = function_.getContext();
    llvm::SmallVector<llvm::Metadata*, 2> others;
    for (llvm::MDNode* s : {scopes_.inputs, scopes_.shared, scopes_.out})
      if (s != scope) others.push_back(s);
    access->setMetadata(llvm::LLVMContext::MD_alias_scope, llvm::MDNode::get(context, {scope}));
    access->setMetadata(llvm::LLVMContext::MD_noalias, llvm::MDNode::get(context, others));
    return access;
  }

  llvm::Value* load(const Instruction& s) {
    const int which = array_of(s);
    if (which == array_t && shape_.lanes == 1)
      return in_scope(builder_.CreateLoad(real_, function_.getArg(0)), scopes_.inputs);
    if (which == array_self && shape_.lanes > 1) {
      // One for all lanes.
      llvm::Type* one = builder_.getDoubleTy();
      llvm::Value* from = builder_.CreateConstInBoundsGEP1_64(one, array(which), s.index);
      return builder_.CreateVectorSplat(shape_.lanes, in_scope(builder_.CreateLoad(one, from), scopes_.inputs));
    }
    const bool second = which == array_q1 || which == array_u1;
    llvm::Value* from = element(array(which), second ? s.index - second_block : s.index);
    return in_scope(builder_.CreateLoad(real_, from), which == array_shared ? scopes_.shared : scopes_.inputs);
  }

  llvm::Function* library_function(std::string_view name, llvm::FunctionType* type) {
    auto* f = llvm::dyn_cast<llvm::Function>(module_.getOrInsertFunction(llvm::StringRef(name), type).getCallee());
    internal_check(f != nullptr && f->isDeclaration() && f->getFunctionType() == type,
                   "a kernel is named like a function of the library");
    f->setDoesNotThrow();
    f->setWillReturn();
    return f;
  }

  llvm::Value* call(const Instruction& s) {
    const bool is_sine = is_call_of(s, "sin");
    const LibraryFunction* over_lanes = vector_library_function(s.function, shape_);
    if ((is_sine || is_call_of(s, "cos")) && over_lanes == nullptr) {
      Angle& angle = angles_[s.a];
      if (angle.has_sine && angle.has_cosine) {
        call_sincos(number(s.a), angle);
        return is_sine ? angle.sine : angle.cosine;
      }
    }
    llvm::SmallVector<llvm::Value*, 2> arguments{number(s.a)};
    if (s.opcode == Opcode::call2) arguments.push_back(number(s.b));
    if (over_lanes != nullptr) return pure_call(over_lanes->name, real_, arguments);
    return by_lane([&](auto&& lane) {
      llvm::SmallVector<llvm::Value*, 2> own;
      for (llvm::Value* argument : arguments) own.push_back(lane(argument));
      return pure_call(s.function, builder_.getDoubleTy(), own);
    });
  }

  llvm::Value* pure_call(std::string_view name, llvm::Type* type, llvm::ArrayRef<llvm::Value*> arguments) {
    const llvm::SmallVector<llvm::Type*, 2> types(arguments.size(), type);
    llvm::Function* f = library_function(name, llvm::FunctionType::get(type, types, false));
    f->setDoesNotAccessMemory();  // no errno
    return builder_.CreateCall(f, arguments);
  }

  // What `make` makes of every lane, put together. make(lane), where lane(value) is the lane's part of a value.
  template <class Make>
  llvm::Value* by_lane(const Make& make) {
    if (shape_.lanes == 1) return make([](llvm::Value* v) { return v; });
    llvm::Value* result = llvm::PoisonValue::get(real_);
    for (unsigned l = 0; l < shape_.lanes; ++l) {
      llvm::Value* made = make([&](llvm::Value* v) { return builder_.CreateExtractElement(v, l); });
      result = builder_.CreateInsertElement(result, made, l);
    }
    return result;
  }

  // sin and cos of one argument are one call, placed where the first of them is. LLVM does that by itself only when it
  // may also break the rules of rounding.
  void call_sincos(llvm::Value* argument, Angle& angle) {
    if (angle.sine != nullptr) return;
    llvm::Type* one = builder_.getDoubleTy();
    llvm::Type* pointer = builder_.getPtrTy();
    if (sine_and_cosine_ == nullptr) {
      llvm::BasicBlock& block = function_.getEntryBlock();
      sine_and_cosine_ = llvm::IRBuilder<>(&block, block.begin()).CreateAlloca(llvm::ArrayType::get(one, 2));
    }
    llvm::Value* cosine_place = builder_.CreateConstInBoundsGEP1_64(one, sine_and_cosine_, 1);
    llvm::Function* f =
        library_function("sincos", llvm::FunctionType::get(builder_.getVoidTy(), {one, pointer, pointer}, false));
    f->setOnlyAccessesArgMemory();
    for (unsigned i : {1u, 2u}) {
      f->addParamAttr(i, llvm::Attribute::NoCapture);
      f->addParamAttr(i, llvm::Attribute::WriteOnly);
    }
    llvm::SmallVector<llvm::Value*, 8> cosines;
    angle.sine = by_lane([&](auto&& lane) {
      builder_.CreateCall(f, {lane(argument), sine_and_cosine_, cosine_place});
      cosines.push_back(builder_.CreateLoad(one, cosine_place));
      return builder_.CreateLoad(one, sine_and_cosine_);
    });
    auto next = cosines.begin();
    angle.cosine = by_lane([&](auto&&) { return *next++; });
  }

  // The place of value, gradient and Hessian of an implicit gauge, once they are there.
  llvm::Value* solve_implicit(std::uint32_t at) {
    internal_check(shape_.lanes == 1, "gauges of other sets are not for lanes");
    const Instruction& s = instruction(at);
    llvm::Type *pointer = builder_.getPtrTy(), *count = builder_.getInt32Ty();
    const std::vector<std::uint32_t> arguments = implicit_arguments(program_, at);
    const std::uint32_t n_coefficients = implicit_coefficients(s, arguments.size());
    llvm::BasicBlock& entry = function_.getEntryBlock();
    const auto array_of = [&](std::size_t n) {
      return llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(llvm::ArrayType::get(real_, n));
    };
    llvm::Value* in = array_of(arguments.size());
    llvm::Value* out = array_of(implicit_outputs(s));
    for (std::uint32_t i = 0; i < arguments.size(); ++i) builder_.CreateStore(number(arguments[i]), element(in, i));
    llvm::Type* nothing = builder_.getVoidTy();
    llvm::Value* none = llvm::ConstantPointerNull::get(builder_.getPtrTy());
    llvm::Value *body = none, *context = none;  // compiled kernels need no context
    if (is_touch(s)) {
      context = module_.getNamedGlobal(shapes_name(s));
    } else {
      body =
          module_.getOrInsertFunction(implicit_kernel(s), llvm::FunctionType::get(nothing, {pointer, pointer}, false))
              .getCallee();
    }
    builder_.CreateCall(
        module_.getOrInsertFunction(
            s.function, llvm::FunctionType::get(nothing, {pointer, pointer, count, count, pointer, pointer}, false)),
        {body, context, builder_.getInt32(s.b), builder_.getInt32(n_coefficients), in, out});
    return out;
  }

  llvm::Value* emit(const Instruction& s) {
    using enum Opcode;
    llvm::IRBuilder<>& b = builder_;
    switch (s.opcode) {
      case constant: return literal(s.value);
      case load_t:
      case load_p:
      case load_q:
      case load_u:
      case load_lambda:
      case load_self:
      case load_z:
      case load_shared: return load(s);
      case add:
        if (is_contracted(s.a)) return fused(s.a, number(s.b));
        if (is_contracted(s.b)) return fused(s.b, number(s.a));
        return b.CreateFAdd(number(s.a), number(s.b));
      case sub:
        if (is_contracted(s.a)) return fused(s.a, b.CreateFNeg(number(s.b)));
        if (is_contracted(s.b)) return fused(s.b, number(s.a), true);
        return b.CreateFSub(number(s.a), number(s.b));
      case mul: return b.CreateFMul(number(s.a), number(s.b));
      case div: return b.CreateFDiv(number(s.a), number(s.b));
      case neg: return b.CreateFNeg(number(s.a));
      case sqrt: return b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, number(s.a));
      case fabs: return b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, number(s.a));
      case call1:
      case call2: return call(s);
      case min: return b.CreateSelect(b.CreateFCmpOLT(number(s.a), number(s.b)), number(s.a), number(s.b));
      case max: return b.CreateSelect(b.CreateFCmpOLT(number(s.a), number(s.b)), number(s.b), number(s.a));
      case sign: return emit_sign(number(s.a));
      case less: return b.CreateFCmpOLT(number(s.a), number(s.b));
      case less_equal: return b.CreateFCmpOLE(number(s.a), number(s.b));
      case equal: return b.CreateFCmpOEQ(number(s.a), number(s.b));
      case logic_not: return b.CreateNot(condition(s.a));
      case logic_and: return b.CreateAnd(condition(s.a), condition(s.b));
      case logic_or: return b.CreateOr(condition(s.a), condition(s.b));
      case select: return b.CreateSelect(condition(s.a), number(s.b), number(s.c));
      case list_first:
      case list: return nullptr;  // implicit reads the instructions
      case implicit: return solve_implicit(static_cast<std::uint32_t>(&s - program_.instructions.data()));
      case component: return b.CreateLoad(real_, element(value(s.a), s.index));
      case store_shared:
        return in_scope(b.CreateStore(number(s.a), element(array(array_shared), s.index)), scopes_.shared);
      case store_out: return in_scope(b.CreateStore(number(s.a), element(function_.getArg(1), s.index)), scopes_.out);
    }
    throw InternalError("a program has an unknown instruction");
  }

  // a*b + c in one rounding, where the machine can: nothing else is allowed to change results. Which products are
  // contracted is decided here and not by LLVM, so that a kernel has the same results wherever it is inlined.
  void count_uses() {
    uses_.assign(program_.instructions.size(), 0);
    for (const Instruction& s : program_.instructions) {
      const int n = operand_count(s.opcode);
      if (n > 0) ++uses_[s.a];
      if (n > 1) ++uses_[s.b];
      if (n > 2) ++uses_[s.c];
    }
  }
  bool is_contracted(std::uint32_t i) const {
    return !uses_.empty() && i >= first_ && instruction(i).opcode == Opcode::mul && uses_[i] == 1;
  }
  llvm::Value* fused(std::uint32_t product, llvm::Value* addend, bool negative = false) {
    llvm::Value* a = number(instruction(product).a);
    if (negative) a = builder_.CreateFNeg(a);
    return builder_.CreateIntrinsic(llvm::Intrinsic::fma, {real_}, {a, number(instruction(product).b), addend});
  }

  llvm::Value* emit_sign(llvm::Value* x) {
    llvm::Value* below = builder_.CreateSelect(builder_.CreateFCmpOLT(x, literal(0)), literal(-1), x);
    return builder_.CreateSelect(builder_.CreateFCmpOGT(x, literal(0)), literal(1), below);
  }

  llvm::Module& module_;
  llvm::Function& function_;
  const Program& program_;
  const Parts& parts_;
  const LaneShape& shape_;
  std::size_t first_, last_;
  llvm::IRBuilder<> builder_;
  llvm::Type* real_;  // a number: a double, or a vector of them
  Scopes scopes_;
  llvm::Value* arrays_[n_arrays] = {};
  std::unordered_map<std::uint32_t, llvm::Value*> values_;  // by instruction; stores have one too, which nothing reads
  std::unordered_map<std::uint32_t, Angle> angles_;         // by the instruction that is the argument
  std::vector<std::uint32_t> uses_;                         // by instruction; empty: the machine has no a*b + c
  llvm::Value* sine_and_cosine_ = nullptr;                  // where sincos leaves its results
};

void build_kernel(llvm::Module& module, const Program& program, const llvm::TargetMachine& target,
                  const LaneShape& shape) {
  const Parts parts = cut(program);
  llvm::Function* kernel = declare(module, target, program.name, llvm::GlobalValue::ExternalLinkage, 2);
  const std::size_t n_parts = parts.begin.size() - 1;
  if (n_parts == 1) {
    FunctionBuilder(*kernel, program, parts, 0, shape).build();
    return;
  }
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "entry", kernel));
  llvm::Value* scratch =
      builder.CreateAlloca(llvm::ArrayType::get(number_type(module.getContext(), shape), parts.n_slots));
  for (std::size_t i = 0; i < n_parts; ++i) {
    llvm::Function* part =
        declare(module, target, program.name + ".part" + std::to_string(i), llvm::GlobalValue::InternalLinkage, 3);
    part->addFnAttr(llvm::Attribute::NoInline);
    FunctionBuilder(*part, program, parts, i, shape).build();
    builder.CreateCall(part, {kernel->getArg(0), kernel->getArg(1), scratch});
  }
  builder.CreateRetVoid();
}

template <class Function>
void* address_of(Function* f) {
  return reinterpret_cast<void*>(f);
}

}  // namespace

std::span<const LibraryFunction> library_functions() {
  static const LibraryFunction functions[] = {
#define NSMC_FUNCTION(name, arguments, dimensions, symmetry, value, derivative, latex) value
#define LIBM1(f) {#f, address_of<double(double)>(std::f)},
#define LIBM2(f) {#f, address_of<double(double, double)>(std::f)},
#define OPERATIONS(...)
#include "compiler/support/functions.def"
      {"pow", address_of<double(double, double)>(std::pow)},
      {"nsm_polar_gauge", address_of(nsm_polar_gauge)},
      {"nsm_shifted_gauge", address_of(nsm_shifted_gauge)},
      {"nsm_contensou_parabolic", address_of(nsm_contensou_parabolic)},
      {"nsm_contensou_uniform", address_of(nsm_contensou_uniform)},
      {"nsm_table", address_of(nsm_table)},
      {"nsm_touch", address_of(nsm_touch)},
      {"nsm_touch_slopes", address_of(nsm_touch_slopes)},
      {"sincos", address_of<void(double, double*, double*)>(::sincos)},  // glibc's
  };
  return functions;
}

std::unique_ptr<llvm::Module> build_module(llvm::LLVMContext& context, const ProgramSet& programs,
                                           const llvm::TargetMachine& target, const LaneShape& shape) {
  auto module = std::make_unique<llvm::Module>("kernels", context);
  module->setTargetTriple(target.getTargetTriple().str());
  module->setDataLayout(target.createDataLayout());
  for (std::size_t i = 0; i < programs.shapes.size(); ++i) {
    if (programs.shapes[i].empty()) continue;
    llvm::Constant* row = llvm::ConstantDataArray::get(context, programs.shapes[i]);
    new llvm::GlobalVariable(*module, row->getType(), true, llvm::GlobalValue::PrivateLinkage, row,
                             "shapes_" + std::to_string(i));
  }
  for (const Program& program : programs.programs)
    if (!program.instructions.empty()) build_kernel(*module, program, target, shape);
  std::string complaint;
  llvm::raw_string_ostream stream(complaint);
  if (llvm::verifyModule(*module, &stream)) throw InternalError("malformed LLVM IR: " + complaint);
  return module;
}

}  // namespace nsmc
