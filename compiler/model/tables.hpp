// Tables of numbers as functions: their rows, in place or of a file, in SI.
#pragma once

#include <string_view>
#include <vector>

#include "compiler/model/core.hpp"

namespace nsmc {

class Expressions;

class Tables : Part {
 public:
  Tables(Core& core, Expressions& expressions) : Part(core), expressions_(expressions) {}

  std::size_t count() const { return tables_.size(); }
  void declare(const ast::Table& table);
  void elaborate(const ast::Table& table);  // reports what is wrong with one that nothing calls, too
  Result call(const ast::Expr& expr, std::uint32_t table, const Scope& scope);

 private:
  struct Rows {
    std::size_t width = 0;
    std::vector<double> values;   // row after row
    std::vector<double> factors;  // to SI, by column
  };
  struct Declared {
    const ast::Table* declaration;
    bool looked_at = false, known = false;
    std::uint32_t index = 0;           // in the model
    std::vector<Dimension> arguments;  // and of the value
    Dimension value;
  };

  void look_at(Declared& table);
  std::optional<Rows> rows_in_place(const Declared& table, Rows rows);
  std::optional<double> number(const ast::Expr& expr, const Dimension& dimension, double factor);
  std::optional<Rows> rows_of_file(const Declared& table, Rows rows);
  bool read_units(const Declared& table, const std::vector<std::string_view>& cells, Rows& rows);
  std::optional<std::vector<double>> arranged(const ast::Table& table, const Rows& rows);

  Expressions& expressions_;
  std::vector<Declared> tables_;
};

}  // namespace nsmc
