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

// The kernels of a class, and those that a model has once. runtime/kernel_abi.hpp says what each of them writes.
enum class KernelKind : std::uint8_t {
  kinematics,  // of block classes
  dynamics,
  energy,
  work,
  initial,
  element,  // of element classes
  element_energy,
  element_work,
  gap,  // of contact classes
  position,
  forces,
  directions,
  arguments,
  zeta,
  velocities,
  bounds,        // of shapes that are searched
  set_function,  // of a set of a contact class
  output,        // of output classes
  observe,       // once
  signal_rates,
  signal_initial,
  active,           // of contact classes
  event_condition,  // of events
  event_interval,
  event_action,
  prepare,
  implicit,  // the body of an implicit gauge, by its number in the pool
};

struct KernelId {
  KernelKind kind{};
  std::uint32_t of = 0;   // the number of the class or of the gauge
  std::uint32_t set = 0;  // of set functions: the number of the set
  friend auto operator<=>(const KernelId&, const KernelId&) = default;
};

// When a kernel runs within an evaluation at a state. The first stage hands on what later ones need; these run after
// it, on the same state and with the same blocks in the view, in any selection. At any time: takes no part in sharing
// (it may read constants of `prepare` only): kinematics and observe, and kernels of classes with several instances.
enum class Stage : std::uint8_t { any_time, dynamics, gap, directions, after_directions };
inline constexpr Stage kFirstStage = Stage::dynamics;
inline bool is_later_stage(Stage stage) { return stage > kFirstStage; }

// A kernel as wanted: out[i] = outputs[i].
struct KernelSpec {
  KernelId id;
  std::vector<sym::Expr> outputs;
  Stage stage = Stage::any_time;
  // Empty: the numbers of coordinate and velocity symbols are those of the view already.
  std::vector<ReferencePlace> places{};
  // Called with its point and coefficients only, without `shared`: it computes its constants itself.
  bool alone = false;
  std::string label{};  // makes its name readable and unique among those of its kind; letters, digits and underscores
};

// The name of a kernel in LLVM IR and in C: "dynamics_1_top".
std::string kernel_name(const KernelId& id, const std::string& label);

enum class Opcode : std::uint8_t {
  constant,
  load_t,
  load_p,
  load_q,
  load_u,
  load_lambda,
  load_self,
  load_z,
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
  // Of the arguments a; `index` is its number and b its dimension, that of a touch is 0; `function` solves, see
  // implicit_kernel
  implicit,
  component,  // `index` of the implicit gauge a
  store_shared,
  store_out,
};

// load_q, load_u: an index from here on means the second block of the view.
inline constexpr std::uint32_t second_block = 1u << 28;

struct Instruction {
  Opcode opcode{};
  std::uint32_t a = 0, b = 0, c = 0;  // earlier instructions that are read (stores: `a`; select: condition, then, else)
  std::uint32_t index = 0;            // loads and stores: the array element
  double value = 0;                   // constant
  const char* function = nullptr;     // call1, call2, implicit: a string of static lifetime
};

// Lists and implicit gauges are no numbers.
inline bool is_number(Opcode i) { return i < Opcode::list_first || i > Opcode::implicit; }

// How many of a, b, c an instruction reads.
int operand_count(Opcode opcode);

struct Program {
  KernelId id;
  std::string name;  // as text, see kernel_name
  std::vector<Instruction> instructions;
  std::uint32_t n_outputs = 0;
};

struct ProgramSet {
  // In the order of the specs; the last one is `prepare`, which may have no instructions.
  std::vector<Program> programs;
  std::uint32_t n_shared = 0;
  std::vector<std::vector<double>> shapes;  // of touches, by the number of the implicit value; empty for gauges
};

// Instructions that the implicit gauge at `instruction` has as arguments, in their order.
std::vector<std::uint32_t> implicit_arguments(const Program& program, std::uint32_t instruction);
// How many of them are coefficients of the kernel.
std::uint32_t implicit_coefficients(const Instruction& instruction, std::size_t n_arguments);
// How many numbers it writes.
std::uint32_t implicit_outputs(const Instruction& instruction);
inline bool is_touch(const Instruction& implicit) { return implicit.b == 0; }
// The constant that a touch is about, as text: the name of an array.
std::string shapes_name(const Instruction& instruction);
// The kernel of its body; not of a touch.
std::string implicit_kernel(const Instruction& instruction);

ProgramSet lower(const sym::ExprPool& pool, std::span<const KernelSpec> specs);

}  // namespace nsmc
