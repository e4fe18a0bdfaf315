// Long programs cut into parts: every value that crosses a cut has a slot that nothing overwrites too early.
#include "compiler/codegen/parts.hpp"

#include <doctest/doctest.h>

#include <set>

#include "tests/unit/codegen/random_expressions.hpp"

using namespace nsmc;

TEST_CASE("values that cross a cut keep their slots") {
  sym::ExprPool pool;
  test::RandomExpressions expressions(pool, 11);
  expressions.grow(400);
  const std::vector<KernelSpec> specs = {{{KernelKind::output}, expressions.pick(60)}};
  const Program program = lower(pool, specs).programs[0];
  const Parts parts = cut(program, 10, 40);
  REQUIRE(parts.begin.size() > 5);
  CHECK(parts.begin.front() == 0);
  CHECK(parts.begin.back() == program.instructions.size());

  std::vector<std::uint32_t> holder(parts.n_slots, Parts::none);  // by slot: the instruction whose value is there
  std::set<std::uint32_t> used;
  std::size_t part = 0;
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    if (i == parts.begin[part + 1]) ++part;
    const Instruction& instruction = program.instructions[i];
    const std::uint32_t operands[3] = {instruction.a, instruction.b, instruction.c};
    for (int k = 0; k < operand_count(instruction.opcode); ++k) {
      const std::uint32_t o = operands[k];
      if (o >= parts.begin[part] || is_repeated(program.instructions[o].opcode)) continue;
      REQUIRE(parts.slot[o] != Parts::none);
      CHECK(holder[parts.slot[o]] == o);
    }
    if (parts.slot[i] == Parts::none) continue;
    holder[parts.slot[i]] = i;
    used.insert(i);
  }
  CHECK(used.size() > parts.n_slots);  // slots are used again
}

TEST_CASE("a short program stays whole") {
  sym::ExprPool pool;
  const std::vector<KernelSpec> specs = {{{KernelKind::output}, {pool.symbol(sym::Source::time, 0, "t")}}};
  const Parts parts = cut(lower(pool, specs).programs[0]);
  CHECK(parts.begin == std::vector<std::size_t>{0, 2});
  CHECK(parts.n_slots == 0);
}
