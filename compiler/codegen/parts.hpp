// Cutting a long program into parts that are compiled as functions of their own: scheduling and register allocation
// take time that grows with the square of a function's length. Values that a later part needs go through a scratch
// array, where most of them would be anyway: no machine has registers for them.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/codegen/program.hpp"

namespace nsmc {

struct Parts {
  static constexpr std::uint32_t none = ~0u;

  std::vector<std::size_t> begin;   // part i has the instructions begin[i] ... begin[i + 1] - 1
  std::vector<std::uint32_t> slot;  // by instruction: where in the scratch array; none if only its own part reads it
  std::uint32_t n_slots = 0;        // slots are used again when their values are no longer needed
};

// Loads, constants and implicit gauges (which are no numbers) have no slots: every part repeats those it needs.
bool is_repeated(Opcode opcode);

// One part if the program is short enough. Parts of 1000 instructions compile about as fast per instruction as shorter
// ones, and run as fast as an uncut program or faster.
Parts cut(const Program& program, std::size_t longest_whole = 2000, std::size_t longest_part = 1000);

}  // namespace nsmc
