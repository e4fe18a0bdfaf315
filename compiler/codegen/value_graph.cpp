#include "compiler/codegen/value_graph.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace nsmc {

namespace {

constexpr std::uint32_t cost_of_a_call = 100;  // libm, division, square root: latency of ten and more additions
constexpr std::uint32_t cost_limit = 1000;

bool is_load_or_constant(Instruction i) { return i <= Instruction::load_shared; }

std::uint32_t own_cost(Instruction i) {
  switch (i) {
    case Instruction::neg: return 0;  // folds into the operation that reads it
    case Instruction::div:
    case Instruction::sqrt:
    case Instruction::call1:
    case Instruction::call2:
    case Instruction::implicit: return cost_of_a_call;
    default: return is_load_or_constant(i) ? 0 : 1;
  }
}

}  // namespace

int operand_count(Instruction instruction) {
  using enum Instruction;
  switch (instruction) {
    case constant:
    case load_t:
    case load_p:
    case load_q:
    case load_u:
    case load_lambda:
    case load_self:
    case load_shared: return 0;
    case neg:
    case sqrt:
    case fabs:
    case call1:
    case sign:
    case logic_not:
    case list_first:
    case implicit:
    case component:
    case store_shared:
    case store_out: return 1;
    case add:
    case sub:
    case mul:
    case div:
    case call2:
    case min:
    case max:
    case less:
    case less_equal:
    case equal:
    case logic_and:
    case logic_or:
    case list: return 2;
    case select: return 3;
  }
  return 0;
}

std::size_t ValueGraph::Hash::operator()(const Step& s) const {
  std::uint64_t h = static_cast<std::uint64_t>(s.instruction);
  const auto mix = [&h](std::uint64_t x) { h = (std::rotl(h, 23) ^ x) * 0x9E3779B97F4A7C15u; };
  mix(s.a | (std::uint64_t{s.b} << 32));
  mix(s.c | (std::uint64_t{s.index} << 32));
  mix(std::bit_cast<std::uint64_t>(s.value));
  mix(reinterpret_cast<std::uintptr_t>(s.function));
  return h ^ (h >> 29);
}

bool ValueGraph::Equal::operator()(const Step& x, const Step& y) const {
  // Constants by their bits: 0 and -0 differ, NaN equals itself.
  return x.instruction == y.instruction && x.a == y.a && x.b == y.b && x.c == y.c && x.index == y.index &&
         std::bit_cast<std::uint64_t>(x.value) == std::bit_cast<std::uint64_t>(y.value) && x.function == y.function;
}

ValueGraph::Value ValueGraph::intern(Step step) {
  const auto [entry, is_new] = ids_.try_emplace(step, static_cast<Value>(nodes_.size()));
  if (!is_new) return entry->second;

  Node node{step, false, false, own_cost(step.instruction)};
  const int n = operand_count(step.instruction);
  if (n == 0) {
    node.parameter_only = step.instruction == Instruction::constant || step.instruction == Instruction::load_p;
    node.uses_force = step.instruction == Instruction::load_lambda || step.instruction == Instruction::load_self;
  } else {
    node.parameter_only = true;
    const Value operands[3] = {step.a, step.b, step.c};
    for (int i = 0; i < n; ++i) {
      const Node& operand = nodes_[operands[i]];
      node.parameter_only = node.parameter_only && operand.parameter_only;
      node.uses_force = node.uses_force || operand.uses_force;
      node.cost = std::min(node.cost + operand.cost, cost_limit);
    }
  }
  if (node.parameter_only) node.cost = 0;
  nodes_.push_back(node);
  return entry->second;
}

bool ValueGraph::is_constant(Value v, double value) const { return is_constant(v) && step(v).value == value; }

bool ValueGraph::belongs_to_prepare(Value v) const {
  const Instruction i = step(v).instruction;
  if (!nodes_[v].parameter_only || !is_number(i)) return false;
  if (i == Instruction::neg) return !is_load_or_constant(step(step(v).a).instruction);
  return !is_load_or_constant(i);
}

bool ValueGraph::worth_handing_on(Value v) const {
  const Node& node = nodes_[v];
  return node.cost >= 2 && is_number(node.step.instruction) && node.step.instruction != Instruction::neg &&
         !node.uses_force;
}

ValueGraph::Value ValueGraph::constant(double value) {
  Step s;
  s.instruction = Instruction::constant;
  s.value = value;
  return intern(s);
}

ValueGraph::Value ValueGraph::load(Instruction from, std::uint32_t index) {
  Step s;
  s.instruction = from;
  s.index = index;
  return intern(s);
}

ValueGraph::Value ValueGraph::unary(Instruction instruction, Value a) {
  Step s;
  s.instruction = instruction;
  s.a = a;
  return intern(s);
}

ValueGraph::Value ValueGraph::binary(Instruction instruction, Value a, Value b) {
  Step s;
  s.instruction = instruction;
  s.a = a;
  s.b = b;
  return intern(s);
}

ValueGraph::Value ValueGraph::call(const char* function, Value a) {
  Step s;
  s.instruction = Instruction::call1;
  s.a = a;
  s.function = function;
  return intern(s);
}

ValueGraph::Value ValueGraph::call(const char* function, Value a, Value b) {
  Step s;
  s.instruction = Instruction::call2;
  s.a = a;
  s.b = b;
  s.function = function;
  return intern(s);
}

ValueGraph::Value ValueGraph::implicit(const char* solver, std::span<const Value> arguments, const Step& gauge) {
  Value list = unary(Instruction::list_first, arguments[0]);
  for (const Value a : arguments.subspan(1)) list = binary(Instruction::list, a, list);
  Step s = gauge;
  s.instruction = Instruction::implicit;
  s.a = list;
  s.function = solver;
  return intern(s);
}

ValueGraph::Value ValueGraph::component(Value implicit, std::uint32_t index) {
  Step s;
  s.instruction = Instruction::component;
  s.a = implicit;
  s.index = index;
  return intern(s);
}

ValueGraph::Value ValueGraph::select(Value condition, Value then_value, Value else_value) {
  Step s;
  s.instruction = Instruction::select;
  s.a = condition;
  s.b = then_value;
  s.c = else_value;
  return intern(s);
}

ValueGraph::Value ValueGraph::add(Value a, Value b) {
  if (a > b) std::swap(a, b);  // commutative: one order, one value
  return binary(Instruction::add, a, b);
}

ValueGraph::Value ValueGraph::sub(Value a, Value b) { return binary(Instruction::sub, a, b); }

ValueGraph::Value ValueGraph::mul(Value a, Value b) {
  if (is_constant(a, 1)) return b;
  if (is_constant(b, 1)) return a;
  if (is_constant(a, -1)) return neg(b);
  if (is_constant(b, -1)) return neg(a);
  if (a > b) std::swap(a, b);
  return binary(Instruction::mul, a, b);
}

ValueGraph::Value ValueGraph::div(Value a, Value b) {
  if (is_constant(b, 1)) return a;
  return binary(Instruction::div, a, b);
}

ValueGraph::Value ValueGraph::neg(Value a) {
  if (is_constant(a)) return constant(-step(a).value);
  if (step(a).instruction == Instruction::neg) return step(a).a;
  return unary(Instruction::neg, a);
}

}  // namespace nsmc
