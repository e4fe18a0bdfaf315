// Greedy sharing inside n-ary sums and products: a*b*c and a*b*d share a*b, which a compiler bound to the rounding of
// the source cannot find. In: lists of operands; out: the lists rewritten over additional operands, each of which
// stands for a pair.
#pragma once

#include <cstdint>
#include <vector>

namespace nsmc {

struct SignedOperand {
  std::uint32_t operand = 0;
  bool negative = false;  // sums: the operand is subtracted; always false in products
  friend bool operator==(SignedOperand, SignedOperand) = default;
  friend auto operator<=>(SignedOperand, SignedOperand) = default;
};

struct OperandPair {  // first + second, or first - second if `opposite`
  std::uint32_t first = 0, second = 0;
  bool opposite = false;
  friend bool operator==(const OperandPair&, const OperandPair&) = default;
};

// Repeatedly gives the most frequent pair a name. Operands are 0 ... n_operands - 1, none twice in one list; the
// operand n_operands + i is result[i] and may contain operands before it. Lists should differ from each other.
std::vector<OperandPair> share_common_pairs(std::vector<std::vector<SignedOperand>>& lists, std::uint32_t n_operands);

}  // namespace nsmc
