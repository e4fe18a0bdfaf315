// Expressions in the form of machine operations: a hash-consed graph of unary and binary operations. All kernels of a
// set are expanded into one graph, so that "the same value" has one number in all of them, which is what sharing
// between kernels is decided on.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "compiler/codegen/program.hpp"

namespace nsmc {

class ValueGraph {
 public:
  using Value = std::uint32_t;

  Value constant(double value);
  Value load(Opcode from, std::uint32_t index);
  Value add(Value a, Value b);
  Value sub(Value a, Value b);
  Value mul(Value a, Value b);
  Value div(Value a, Value b);
  Value neg(Value a);
  Value unary(Opcode opcode, Value a);            // sqrt, fabs, sign, logic_not
  Value binary(Opcode opcode, Value a, Value b);  // min, max, comparisons, logic_and, logic_or
  Value call(const char* function, Value a);
  Value call(const char* function, Value a, Value b);
  Value select(Value condition, Value then_value, Value else_value);
  // gauge: with index, b and c as Opcode::implicit has them.
  Value implicit(const char* solver, std::span<const Value> arguments, const Instruction& gauge);
  Value component(Value implicit, std::uint32_t index);

  // The operation; a, b, c are values.
  const Instruction& instruction(Value v) const { return nodes_[v].instruction; }
  bool is_constant(Value v, double value) const;
  bool is_constant(Value v) const { return instruction(v).opcode == Opcode::constant; }

  bool parameter_only(Value v) const { return nodes_[v].parameter_only; }
  // Depends on parameters alone and is worth computing once per run: not a load, a constant or the negation of one.
  bool belongs_to_prepare(Value v) const;
  // Loading it from memory is cheaper than computing it again, and it is the same during one evaluation (forces are
  // not: they change from iteration to iteration).
  bool worth_handing_on(Value v) const;

  std::size_t size() const { return nodes_.size(); }

 private:
  struct Node {
    Instruction instruction;
    bool parameter_only = false;
    bool uses_force = false;
    std::uint32_t cost = 0;  // operations to compute it, saturating; what `prepare` computes costs nothing
  };
  struct Hash {
    std::size_t operator()(const Instruction& s) const;
  };
  struct Equal {
    bool operator()(const Instruction& x, const Instruction& y) const;
  };

  Value intern(Instruction instruction);

  std::vector<Node> nodes_;
  std::unordered_map<Instruction, Value, Hash, Equal> ids_;
};

}  // namespace nsmc
