// Numbers besides the motion that change during a run: states by their rates, inputs from outside.
#pragma once

#include "compiler/model/core.hpp"

namespace nsmc {

class Expressions;
class Variables;

class Signals : Part {
 public:
  Signals(Core& core, Expressions& expressions, Variables& variables)
      : Part(core), expressions_(expressions), variables_(variables) {}

  // The index of a signal that is made, which declarations tell the global name.
  std::uint32_t declare(const ast::State& state, const ast::Declaration& declaration);
  std::uint32_t declare(const ast::Discrete& discrete, const ast::Declaration& declaration);
  // An input starts with the parameter of its name.
  void declare_input(const ast::Param& input, std::uint32_t parameter, const ast::Declaration& declaration);

  // Dimensions of inputs and start values, once parameters are known.
  void elaborate_starts();
  // What expressions ask for, once contacts are known.
  void elaborate_rates();
  // After everything: whether the rates that time derivatives ask for are known, and that no energy asks for signals.
  void check_uses();

 private:
  void check_energies(const std::vector<TypedTerm>& terms, const char* what);
  void elaborate_rate(const ast::State& state, std::uint32_t index);
  // The signals in an expression.
  std::vector<std::uint32_t> signals_in(NodeId expression) const;

  Expressions& expressions_;
  Variables& variables_;
  template <class Declared>
  std::uint32_t add(const Declared& declared, SignalKind kind, const ast::Declaration& declaration);
  template <class Declared>
  void elaborate_start(const Declared& declared, std::uint32_t index);

  template <class Declared>
  struct Of {
    const Declared* declaration;
    std::uint32_t index;
  };
  std::vector<Of<ast::State>> states_;
  std::vector<Of<ast::Discrete>> discrete_;
};

}  // namespace nsmc
