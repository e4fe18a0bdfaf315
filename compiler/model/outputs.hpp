// Outputs and the settings of a simulation.
#pragma once

#include "compiler/model/core.hpp"

namespace nsmc {

class Arrays;
class Expressions;

class Outputs : Part {
 public:
  Outputs(Core& core, Expressions& expressions, Arrays& arrays)
      : Part(core), expressions_(expressions), arrays_(arrays) {}

  void elaborate_output(const ast::Output& output, const std::string& doc);
  void elaborate_simulate(const ast::Simulate& simulate);

 private:
  void report_unknown_setting(const ast::Name& name);
  void elaborate_word(Setting setting, const ast::Expr& value);
  void elaborate_number(Setting setting, const ast::Expr& written);
  void compare_step(const ast::Simulate& simulate);

  Expressions& expressions_;
  Arrays& arrays_;
};

}  // namespace nsmc
