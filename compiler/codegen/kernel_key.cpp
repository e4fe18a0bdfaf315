#include "compiler/codegen/kernel_key.hpp"

#include <cstring>
#include <type_traits>

#include "compiler/codegen/fused_step.hpp"
#include "compiler/codegen/step_bitcode.hpp"

namespace nsmc {
namespace {

// Unambiguous: texts and lists are preceded by their length.
class Bytes {
 public:
  template <class Number>
  requires(std::is_arithmetic_v<Number> || std::is_enum_v<Number>) void add(Number number) {
    char bytes[sizeof number];
    std::memcpy(bytes, &number, sizeof number);
    text_.append(bytes, sizeof number);
  }
  void add(std::string_view text) {
    add(text.size());
    text_ += text;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void add_identity(Bytes& bytes, std::string_view machine) {
  bytes.add(std::string_view("nsmc " NSMC_VERSION));
  bytes.add(codegen_identity());
  bytes.add(machine);
}

void add(Bytes& bytes, const ProgramSet& programs) {
  bytes.add(programs.shapes.size());
  for (const std::vector<double>& row : programs.shapes) {
    bytes.add(row.size());
    for (const double number : row) bytes.add(number);
  }
  bytes.add(programs.programs.size());
  for (const Program& program : programs.programs) {
    bytes.add(std::string_view(program.name));
    bytes.add(program.n_outputs);
    bytes.add(program.instructions.size());
    for (const Instruction& instruction : program.instructions) {
      bytes.add(instruction.opcode);
      bytes.add(instruction.a);
      bytes.add(instruction.b);
      bytes.add(instruction.c);
      bytes.add(instruction.index);
      bytes.add(instruction.value);
      bytes.add(std::string_view(instruction.function == nullptr ? "" : instruction.function));
    }
  }
}

}  // namespace

Digest kernel_key(const ProgramSet& programs, std::string_view machine) {
  Bytes bytes;
  add_identity(bytes, machine);
  add(bytes, programs);
  return digest(bytes.text());
}

Digest fused_step_key(const FusedStepPlan& step, std::string_view machine) {
  Bytes bytes;
  add_identity(bytes, machine);
  bytes.add(step_bitcode_identity());
  static_assert(std::has_unique_object_representations_v<rt::small::Layout>);
  bytes.add(std::string_view(reinterpret_cast<const char*>(&step.layout), sizeof step.layout));
  add(bytes, step.kernels);
  const auto add_id = [&](const std::optional<KernelId>& id) {
    bytes.add(id.has_value());
    if (!id) return;
    bytes.add(id->kind);
    bytes.add(id->of);
  };
  add_id(step.kinematics);
  add_id(step.dynamics);
  for (std::uint32_t i = 0; i < FusedStepPlan::max_contacts; ++i) {
    add_id(step.gap[i]);
    add_id(step.directions[i]);
  }
  return digest(bytes.text());
}

}  // namespace nsmc
