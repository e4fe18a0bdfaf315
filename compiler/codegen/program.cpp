// Lowering: expand all kernels into one graph of values, decide which values are computed by `prepare` and which are
// handed on by the first stage, and write each kernel down as a list of instructions.
#include "compiler/codegen/program.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "compiler/codegen/expand.hpp"
#include "compiler/codegen/value_graph.hpp"
#include "compiler/mechanics/equations.hpp"
#include "compiler/support/internal_check.hpp"
#include "runtime/collision/kernel.hpp"
#include "runtime/tables/table.hpp"

namespace nsmc {

namespace {

using Value = ValueGraph::Value;

// Values that live in `shared`, with their slots.
class Slots {
 public:
  std::uint32_t of(Value v) { return slots_.try_emplace(v, static_cast<std::uint32_t>(slots_.size())).first->second; }
  const std::uint32_t* find(Value v) const {
    const auto entry = slots_.find(v);
    return entry == slots_.end() ? nullptr : &entry->second;
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(slots_.size()); }

 private:
  std::unordered_map<Value, std::uint32_t> slots_;
};

// Visits everything the roots need, operands first and each value once. `is_given(v)` stops the descent: such a value
// comes from memory. No recursion: chains may be as long as a user's model.
template <class IsGiven, class Visit>
void visit_needed(const ValueGraph& graph, std::span<const Value> roots, std::vector<char>& seen, IsGiven is_given,
                  Visit visit) {
  struct Frame {
    Value value;
    int next_operand;
  };
  std::vector<Frame> stack;
  for (Value root : roots) {
    if (seen[root]) continue;
    seen[root] = 1;
    stack.push_back({root, 0});
    while (!stack.empty()) {
      Frame& top = stack.back();
      const Instruction& instruction = graph.instruction(top.value);
      if (top.next_operand < operand_count(instruction.opcode) && !is_given(top.value)) {
        const Value operands[3] = {instruction.a, instruction.b, instruction.c};
        const Value operand = operands[top.next_operand++];
        if (!seen[operand]) {
          seen[operand] = 1;
          stack.push_back({operand, 0});
        }
      } else {
        const Value done = top.value;
        stack.pop_back();
        visit(done);
      }
    }
  }
}

class ProgramWriter {
 public:
  ProgramWriter(const sym::ExprPool& pool, std::span<const KernelSpec> specs) : specs_(specs) {
    std::vector<sym::Expr> roots;
    for (const KernelSpec& spec : specs) roots.insert(roots.end(), spec.outputs.begin(), spec.outputs.end());
    const std::vector<Value> values = expand(pool, roots, graph_);
    auto next = values.begin();
    for (const KernelSpec& spec : specs) {
      outputs_.emplace_back(next, next + static_cast<std::ptrdiff_t>(spec.outputs.size()));
      next += static_cast<std::ptrdiff_t>(spec.outputs.size());
    }
  }

  ProgramSet run() {
    choose_prepared();
    choose_handed_on();
    ProgramSet set;
    for (std::size_t k = 0; k < specs_.size(); ++k) set.programs.push_back(write_kernel(k));
    set.programs.push_back(write_prepare());
    set.n_shared = slots_.size();
    return set;
  }

 private:
  void choose_prepared() {
    std::vector<char> seen(graph_.size(), 0);
    for (std::size_t k = 0; k < specs_.size(); ++k) {
      if (specs_[k].alone) continue;
      visit_needed(
          graph_, outputs_[k], seen, [this](Value v) { return graph_.belongs_to_prepare(v); },
          [this](Value v) {
            if (!graph_.belongs_to_prepare(v)) return;
            slots_.of(v);
            prepared_.push_back(v);
          });
    }
  }

  // A value goes through memory if the first stage computes it anyway. The first stage computes nothing for others:
  // a contact that stays open costs nothing.
  void choose_handed_on() {
    provider_.assign(graph_.size(), none);
    for (std::size_t k = 0; k < specs_.size(); ++k) {
      if (specs_[k].stage != kFirstStage) continue;
      std::vector<char> seen(graph_.size(), 0);
      visit_needed(
          graph_, outputs_[k], seen, [this](Value v) { return graph_.belongs_to_prepare(v); },
          [&](Value v) {
            if (graph_.worth_handing_on(v) && provider_[v] == none) provider_[v] = static_cast<std::uint32_t>(k);
          });
    }
    for (std::size_t k = 0; k < specs_.size(); ++k) {
      if (!is_later_stage(specs_[k].stage)) continue;
      std::vector<char> seen(graph_.size(), 0);
      visit_needed(
          graph_, outputs_[k], seen, [this](Value v) { return graph_.belongs_to_prepare(v) || provider_[v] != none; },
          [this](Value v) {
            if (provider_[v] != none) slots_.of(v);
          });
    }
  }

  Program write_kernel(std::size_t k) {
    Program program;
    program.id = specs_[k].id;
    program.name = kernel_name(program.id, specs_[k].label);
    program.n_outputs = static_cast<std::uint32_t>(outputs_[k].size());
    const bool reads_shared = is_later_stage(specs_[k].stage);
    const auto is_given = [&](Value v) {
      return (!specs_[k].alone && graph_.belongs_to_prepare(v)) || (reads_shared && provider_[v] != none);
    };
    const auto hands_on = [&](Value v) { return provider_[v] == k && slots_.find(v) != nullptr; };
    write(program, outputs_[k], is_given, hands_on, true);
    find_places(program, specs_[k]);
    return program;
  }

  // From symbols of references to places in the view.
  static void find_places(Program& program, const KernelSpec& spec) {
    if (spec.places.empty()) return;
    for (Instruction& instruction : program.instructions) {
      const bool q = instruction.opcode == Opcode::load_q;
      if (!q && instruction.opcode != Opcode::load_u) continue;
      const auto place = std::find_if(spec.places.begin(), spec.places.end(), [&](const ReferencePlace& p) {
        return p.reference == reference_of(instruction.index);
      });
      internal_check(place != spec.places.end(), "a kernel reads a block that it does not see");
      instruction.index = (q ? place->q : place->u) + static_cast<std::uint32_t>(variable_of(instruction.index));
    }
  }

  Program write_prepare() {
    Program program;
    program.id = {KernelKind::prepare};
    program.name = kernel_name(program.id, {});
    write(
        program, prepared_, [](Value) { return false; },
        [this](Value v) { return graph_.belongs_to_prepare(v) && slots_.find(v) != nullptr; }, false);
    return program;
  }

  template <class IsGiven, class HandsOn>
  void write(Program& program, std::span<const Value> roots, IsGiven is_given, HandsOn hands_on, bool store_roots) {
    std::unordered_map<Value, std::uint32_t> position;
    const auto append = [&program](const Instruction& instruction) {
      program.instructions.push_back(instruction);
      return static_cast<std::uint32_t>(program.instructions.size() - 1);
    };
    const auto write_value = [&](Value v) {
      Instruction instruction = graph_.instruction(v);
      if (is_given(v)) {
        instruction = {};
        instruction.opcode = Opcode::load_shared;
        instruction.index = *slots_.find(v);
      } else {
        std::uint32_t* operands[3] = {&instruction.a, &instruction.b, &instruction.c};
        for (int i = 0; i < operand_count(instruction.opcode); ++i) *operands[i] = position.at(*operands[i]);
      }
      const std::uint32_t at = append(instruction);
      position.emplace(v, at);
      if (hands_on(v)) {
        Instruction store;
        store.opcode = Opcode::store_shared;
        store.a = at;
        store.index = *slots_.find(v);
        append(store);
      }
    };

    // A call destroys all floating-point registers: the calls go first, while little is alive.
    std::vector<Value> calls;
    std::vector<char> seen(graph_.size(), 0);
    visit_needed(graph_, roots, seen, is_given, [&](Value v) {
      const Opcode i = graph_.instruction(v).opcode;
      if ((i == Opcode::call1 || i == Opcode::call2 || i == Opcode::implicit) && !is_given(v)) calls.push_back(v);
    });
    seen.assign(graph_.size(), 0);
    visit_needed(graph_, calls, seen, is_given, write_value);
    for (std::uint32_t i = 0; i < roots.size(); ++i) {
      visit_needed(graph_, roots.subspan(i, 1), seen, is_given, write_value);
      if (!store_roots) continue;
      Instruction store;
      store.opcode = Opcode::store_out;
      store.a = position.at(roots[i]);
      store.index = i;
      append(store);
    }
  }

  static constexpr std::uint32_t none = ~0u;

  std::span<const KernelSpec> specs_;
  ValueGraph graph_;
  std::vector<std::vector<Value>> outputs_;  // by kernel
  std::vector<Value> prepared_;              // in the order of their slots
  std::vector<std::uint32_t> provider_;      // by value: the first-stage kernel that can hand it on
  Slots slots_;
};

}  // namespace

std::vector<std::uint32_t> implicit_arguments(const Program& program, std::uint32_t instruction) {
  std::vector<std::uint32_t> arguments;
  std::uint32_t at = program.instructions[instruction].a;
  for (; program.instructions[at].opcode == Opcode::list; at = program.instructions[at].b) {
    arguments.push_back(program.instructions[at].a);
  }
  arguments.push_back(program.instructions[at].a);
  std::reverse(arguments.begin(), arguments.end());
  return arguments;
}

std::uint32_t implicit_coefficients(const Instruction& instruction, std::size_t n_arguments) {
  const bool shifted = std::string_view(instruction.function) == "nsm_shifted_gauge";
  return static_cast<std::uint32_t>(n_arguments) - (shifted ? 2 : 1) * instruction.b;
}

std::uint32_t implicit_outputs(const Instruction& s) {
  if (!is_touch(s)) return 1 + s.b * (1 + s.b);
  if (std::string_view(s.function) == "nsm_table") return rt::tables::outputs_of(2);
  const bool values = std::string_view(s.function) == "nsm_touch";
  return values ? rt::collision::touch_values : rt::collision::touch_slopes;
}

std::string shapes_name(const Instruction& instruction) { return "shapes_" + std::to_string(instruction.index); }

std::string kernel_name(const KernelId& id, const std::string& label) {
  const auto with_label = [&](const char* kind) { return kind + ("_" + label); };
  switch (id.kind) {
    case KernelKind::kinematics: return with_label("kinematics");
    case KernelKind::dynamics: return with_label("dynamics");
    case KernelKind::energy: return with_label("energy");
    case KernelKind::work: return with_label("work");
    case KernelKind::initial: return with_label("initial");
    case KernelKind::element: return with_label("element");
    case KernelKind::element_energy: return with_label("element_energy");
    case KernelKind::element_work: return with_label("element_work");
    case KernelKind::gap: return with_label("gap");
    case KernelKind::position: return with_label("position");
    case KernelKind::forces: return with_label("forces");
    case KernelKind::directions: return with_label("directions");
    case KernelKind::arguments: return with_label("arguments");
    case KernelKind::zeta: return with_label("zeta");
    case KernelKind::velocities: return with_label("velocities");
    case KernelKind::bounds: return with_label("bounds");
    case KernelKind::set_function: return with_label("set") + "_" + std::to_string(id.set + 1);
    case KernelKind::output: return with_label("output");
    case KernelKind::observe: return "observe";
    case KernelKind::signal_rates: return "signal_rates";
    case KernelKind::signal_initial: return "signal_initial";
    case KernelKind::active: return with_label("active");
    case KernelKind::event_condition: return "event_condition_" + std::to_string(id.of + 1);
    case KernelKind::event_interval: return "event_interval_" + std::to_string(id.of + 1);
    case KernelKind::event_action: return "event_action_" + std::to_string(id.of + 1);
    case KernelKind::prepare: return "prepare";
    case KernelKind::implicit: return "implicit_" + std::to_string(id.of);
  }
  throw InternalError("a kernel of an unknown kind");
}

std::string implicit_kernel(const Instruction& instruction) {
  if (instruction.c != 0) return instruction.c == 1 ? "nsm_contensou_parabolic" : "nsm_contensou_uniform";
  return kernel_name({KernelKind::implicit, instruction.index}, {});
}

ProgramSet lower(const sym::ExprPool& pool, std::span<const KernelSpec> specs) {
  ProgramSet set = ProgramWriter(pool, specs).run();
  for (std::size_t i = 0; i < pool.implicit_count(); ++i) {
    set.shapes.push_back(pool.implicit(static_cast<std::uint32_t>(i)).shapes);
  }
  return set;
}

}  // namespace nsmc
