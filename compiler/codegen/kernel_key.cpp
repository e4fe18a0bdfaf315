#include "compiler/codegen/kernel_key.hpp"

#include <cstring>
#include <type_traits>

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

}  // namespace

Digest kernel_key(const ProgramSet& programs, std::string_view machine) {
  Bytes bytes;
  bytes.add(std::string_view("nsmc " NSMC_VERSION));
  bytes.add(codegen_identity());
  bytes.add(machine);
  bytes.add(programs.programs.size());
  for (const Program& program : programs.programs) {
    bytes.add(std::string_view(program.name));
    bytes.add(program.n_outputs);
    bytes.add(program.steps.size());
    for (const Step& step : program.steps) {
      bytes.add(step.instruction);
      bytes.add(step.a);
      bytes.add(step.b);
      bytes.add(step.c);
      bytes.add(step.index);
      bytes.add(step.value);
      bytes.add(std::string_view(step.function == nullptr ? "" : step.function));
    }
  }
  return digest(bytes.text());
}

}  // namespace nsmc
