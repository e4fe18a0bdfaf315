// From expressions to straight-line programs. A set of kernels is lowered together: what several of them need is
// computed by the first and handed on through `shared`, and what depends on parameters alone is computed once per
// run by the kernel `prepare`. The programs are what the LLVM and the C emitters walk.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "compiler/symbolic/expr.hpp"

namespace nsmc {

// Where a kernel finds the variables of a reference: what is added to their number within the block. With 0 they are
// those of the view's first block, with `second_block` those of its second.
struct ReferencePlace {
  std::uint32_t reference = 0, q = 0, u = 0;
};

// A kernel as wanted: out[i] = outputs[i].
struct KernelSpec {
  std::string name;  // a C identifier
  std::vector<sym::Expr> outputs;
  // 1: runs first in every evaluation and hands on what later stages need. 2 and more: run after it, on the same
  // state and with the same blocks in the view, in any selection. 0 takes no part in sharing (it may read constants of
  // `prepare` only): kinematics and observe, and kernels of classes with several instances.
  int stage = 0;
  // Empty: the numbers of coordinate and velocity symbols are those of the view already.
  std::vector<ReferencePlace> places{};
  // Called with its point and coefficients only, without `shared`: it computes its constants itself.
  bool alone = false;
};

enum class Instruction : std::uint8_t {
  constant,
  load_t,
  load_p,
  load_q,
  load_u,
  load_lambda,
  load_self,
  load_shared,
  add,
  sub,
  mul,
  div,
  neg,
  sqrt,
  fabs,
  call1,
  call2,  // a function of the mathematics library, by name
  min,
  max,
  sign,
  less,
  less_equal,
  equal,
  logic_not,
  logic_and,
  logic_or,
  select,
  list_first,  // arguments of an implicit gauge: a
  list,        // a, after those of the list b
  implicit,    // of the arguments a, `index` is its number and b its dimension; `function` solves, see implicit_kernel
  component,   // `index` of the implicit gauge a
  store_shared,
  store_out,
};

// load_q, load_u: an index from here on means the second block of the view.
inline constexpr std::uint32_t second_block = 1u << 28;

struct Step {
  Instruction instruction{};
  std::uint32_t a = 0, b = 0, c = 0;  // earlier steps that are read (stores: `a`; select: condition, then, else)
  std::uint32_t index = 0;            // loads and stores: the array element
  double value = 0;                   // constant
  const char* function = nullptr;     // call1, call2, implicit: a string of static lifetime
};

// Lists and implicit gauges are no numbers.
inline bool is_number(Instruction i) { return i < Instruction::list_first || i > Instruction::implicit; }

// How many of a, b, c an instruction reads.
int operand_count(Instruction instruction);

struct Program {
  std::string name;
  std::vector<Step> steps;
  std::uint32_t n_outputs = 0;
};

struct ProgramSet {
  // In the order of the specs; the last one is "prepare", which may have no steps.
  std::vector<Program> programs;
  std::uint32_t n_shared = 0;
};

// Steps that the implicit gauge at `step` has as arguments, in their order.
std::vector<std::uint32_t> implicit_arguments(const Program& program, std::uint32_t step);
// How many of them are coefficients of the kernel.
std::uint32_t implicit_coefficients(const Step& step, std::size_t n_arguments);
// The kernel of its body.
std::string implicit_kernel(const Step& step);

ProgramSet lower(const sym::ExprPool& pool, std::span<const KernelSpec> specs);

}  // namespace nsmc
