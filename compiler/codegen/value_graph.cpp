#include "compiler/codegen/value_graph.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace nsmc {

namespace {

constexpr std::uint32_t cost_of_a_call = 100;  // libm, division, square root: latency of ten and more additions
constexpr std::uint32_t cost_limit = 1000;

bool is_load_or_constant(Opcode i) { return i <= Opcode::load_shared; }

std::uint32_t own_cost(Opcode i) {
  switch (i) {
    case Opcode::neg: return 0;  // folds into the operation that reads it
    case Opcode::div:
    case Opcode::sqrt:
    case Opcode::call1:
    case Opcode::call2:
    case Opcode::implicit: return cost_of_a_call;
    default: return is_load_or_constant(i) ? 0 : 1;
  }
}

}  // namespace

int operand_count(Opcode opcode) {
  using enum Opcode;
  switch (opcode) {
    case constant:
    case load_t:
    case load_p:
    case load_q:
    case load_u:
    case load_lambda:
    case load_self:
    case load_z:
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

std::size_t ValueGraph::Hash::operator()(const Instruction& s) const {
  std::uint64_t h = static_cast<std::uint64_t>(s.opcode);
  const auto mix = [&h](std::uint64_t x) { h = (std::rotl(h, 23) ^ x) * 0x9E3779B97F4A7C15u; };
  mix(s.a | (std::uint64_t{s.b} << 32));
  mix(s.c | (std::uint64_t{s.index} << 32));
  mix(std::bit_cast<std::uint64_t>(s.value));
  mix(reinterpret_cast<std::uintptr_t>(s.function));
  return h ^ (h >> 29);
}

bool ValueGraph::Equal::operator()(const Instruction& x, const Instruction& y) const {
  // Constants by their bits: 0 and -0 differ, NaN equals itself.
  return x.opcode == y.opcode && x.a == y.a && x.b == y.b && x.c == y.c && x.index == y.index &&
         std::bit_cast<std::uint64_t>(x.value) == std::bit_cast<std::uint64_t>(y.value) && x.function == y.function;
}

ValueGraph::Value ValueGraph::intern(Instruction instruction) {
  const auto [entry, is_new] = ids_.try_emplace(instruction, static_cast<Value>(nodes_.size()));
  if (!is_new) return entry->second;

  Node node{instruction, false, false, own_cost(instruction.opcode)};
  const int n = operand_count(instruction.opcode);
  if (n == 0) {
    node.parameter_only = instruction.opcode == Opcode::constant || instruction.opcode == Opcode::load_p;
    node.uses_force = instruction.opcode == Opcode::load_lambda || instruction.opcode == Opcode::load_self;
  } else {
    node.parameter_only = true;
    const Value operands[3] = {instruction.a, instruction.b, instruction.c};
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

bool ValueGraph::is_constant(Value v, double value) const { return is_constant(v) && instruction(v).value == value; }

bool ValueGraph::belongs_to_prepare(Value v) const {
  const Opcode i = instruction(v).opcode;
  if (!nodes_[v].parameter_only || !is_number(i)) return false;
  if (i == Opcode::neg) return !is_load_or_constant(instruction(instruction(v).a).opcode);
  return !is_load_or_constant(i);
}

bool ValueGraph::worth_handing_on(Value v) const {
  const Node& node = nodes_[v];
  return node.cost >= 2 && is_number(node.instruction.opcode) && node.instruction.opcode != Opcode::neg &&
         !node.uses_force;
}

ValueGraph::Value ValueGraph::constant(double value) {
  Instruction s;
  s.opcode = Opcode::constant;
  s.value = value;
  return intern(s);
}

ValueGraph::Value ValueGraph::load(Opcode from, std::uint32_t index) {
  Instruction s;
  s.opcode = from;
  s.index = index;
  return intern(s);
}

ValueGraph::Value ValueGraph::unary(Opcode opcode, Value a) {
  Instruction s;
  s.opcode = opcode;
  s.a = a;
  return intern(s);
}

ValueGraph::Value ValueGraph::binary(Opcode opcode, Value a, Value b) {
  Instruction s;
  s.opcode = opcode;
  s.a = a;
  s.b = b;
  return intern(s);
}

ValueGraph::Value ValueGraph::call(const char* function, Value a) {
  Instruction s;
  s.opcode = Opcode::call1;
  s.a = a;
  s.function = function;
  return intern(s);
}

ValueGraph::Value ValueGraph::call(const char* function, Value a, Value b) {
  Instruction s;
  s.opcode = Opcode::call2;
  s.a = a;
  s.b = b;
  s.function = function;
  return intern(s);
}

ValueGraph::Value ValueGraph::implicit(const char* solver, std::span<const Value> arguments, const Instruction& gauge) {
  Value list = unary(Opcode::list_first, arguments[0]);
  for (const Value a : arguments.subspan(1)) list = binary(Opcode::list, a, list);
  Instruction s = gauge;
  s.opcode = Opcode::implicit;
  s.a = list;
  s.function = solver;
  return intern(s);
}

ValueGraph::Value ValueGraph::component(Value implicit, std::uint32_t index) {
  Instruction s;
  s.opcode = Opcode::component;
  s.a = implicit;
  s.index = index;
  return intern(s);
}

ValueGraph::Value ValueGraph::select(Value condition, Value then_value, Value else_value) {
  Instruction s;
  s.opcode = Opcode::select;
  s.a = condition;
  s.b = then_value;
  s.c = else_value;
  return intern(s);
}

ValueGraph::Value ValueGraph::add(Value a, Value b) {
  if (a > b) std::swap(a, b);  // commutative: one order, one value
  return binary(Opcode::add, a, b);
}

ValueGraph::Value ValueGraph::sub(Value a, Value b) { return binary(Opcode::sub, a, b); }

ValueGraph::Value ValueGraph::mul(Value a, Value b) {
  if (is_constant(a, 1)) return b;
  if (is_constant(b, 1)) return a;
  if (is_constant(a, -1)) return neg(b);
  if (is_constant(b, -1)) return neg(a);
  if (a > b) std::swap(a, b);
  return binary(Opcode::mul, a, b);
}

ValueGraph::Value ValueGraph::div(Value a, Value b) {
  if (is_constant(b, 1)) return a;
  return binary(Opcode::div, a, b);
}

ValueGraph::Value ValueGraph::neg(Value a) {
  if (is_constant(a)) return constant(-instruction(a).value);
  if (instruction(a).opcode == Opcode::neg) return instruction(a).a;
  return unary(Opcode::neg, a);
}

}  // namespace nsmc
