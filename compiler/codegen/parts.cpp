#include "compiler/codegen/parts.hpp"

#include <algorithm>

namespace nsmc {

bool is_repeated(Opcode opcode) { return opcode <= Opcode::load_shared || !is_number(opcode); }

Parts cut(const Program& program, std::size_t longest_whole, std::size_t longest_part) {
  const std::size_t n = program.instructions.size();
  const std::size_t n_parts = n <= longest_whole ? 1 : (n + longest_part - 1) / longest_part;
  Parts parts;
  for (std::size_t i = 0; i <= n_parts; ++i) parts.begin.push_back(i * n / n_parts);
  parts.slot.assign(n, Parts::none);
  if (n_parts == 1) return parts;

  // The last part that reads a instruction.
  std::vector<std::size_t> last_part(n, 0);
  for (std::size_t part = 0; part < n_parts; ++part) {
    for (std::size_t i = parts.begin[part]; i < parts.begin[part + 1]; ++i) {
      const Instruction& instruction = program.instructions[i];
      const std::uint32_t operands[3] = {instruction.a, instruction.b, instruction.c};
      for (int k = 0; k < operand_count(instruction.opcode); ++k) last_part[operands[k]] = part;
      if (instruction.opcode != Opcode::component) continue;
      for (const std::uint32_t argument : implicit_arguments(program, instruction.a)) last_part[argument] = part;
    }
  }

  std::vector<std::uint32_t> free_slots;
  std::vector<std::vector<std::uint32_t>> freed_after(n_parts);
  for (std::size_t part = 0; part < n_parts; ++part) {
    for (std::size_t i = parts.begin[part]; i < parts.begin[part + 1]; ++i) {
      if (last_part[i] <= part || is_repeated(program.instructions[i].opcode)) continue;
      if (free_slots.empty()) {
        parts.slot[i] = parts.n_slots++;
      } else {
        parts.slot[i] = free_slots.back();
        free_slots.pop_back();
      }
      freed_after[last_part[i]].push_back(parts.slot[i]);
    }
    free_slots.insert(free_slots.end(), freed_after[part].begin(), freed_after[part].end());
  }
  return parts;
}

}  // namespace nsmc
