#include "compiler/codegen/parts.hpp"

#include <algorithm>

namespace nsmc {

bool is_repeated(Instruction instruction) { return instruction <= Instruction::load_shared || !is_number(instruction); }

Parts cut(const Program& program, std::size_t longest_whole, std::size_t longest_part) {
  const std::size_t n = program.steps.size();
  const std::size_t n_parts = n <= longest_whole ? 1 : (n + longest_part - 1) / longest_part;
  Parts parts;
  for (std::size_t i = 0; i <= n_parts; ++i) parts.begin.push_back(i * n / n_parts);
  parts.slot.assign(n, Parts::none);
  if (n_parts == 1) return parts;

  // The last part that reads a step.
  std::vector<std::size_t> last_part(n, 0);
  for (std::size_t part = 0; part < n_parts; ++part) {
    for (std::size_t i = parts.begin[part]; i < parts.begin[part + 1]; ++i) {
      const Step& step = program.steps[i];
      const std::uint32_t operands[3] = {step.a, step.b, step.c};
      for (int k = 0; k < operand_count(step.instruction); ++k) last_part[operands[k]] = part;
      if (step.instruction != Instruction::component) continue;
      for (const std::uint32_t argument : implicit_arguments(program, step.a)) last_part[argument] = part;
    }
  }

  std::vector<std::uint32_t> free_slots;
  std::vector<std::vector<std::uint32_t>> freed_after(n_parts);
  for (std::size_t part = 0; part < n_parts; ++part) {
    for (std::size_t i = parts.begin[part]; i < parts.begin[part + 1]; ++i) {
      if (last_part[i] <= part || is_repeated(program.steps[i].instruction)) continue;
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
