// The arguments of what constructs bodies, shapes and joints: rigid(mass = m, ...).
#pragma once

#include "compiler/model/core.hpp"

namespace nsmc {

class Expressions;

// As written.
using Options = std::map<std::string, const ast::Expr*, std::less<>>;

class Arguments : Part {
 public:
  Arguments(Core& core, Expressions& expressions) : Part(core), expressions_(expressions) {}

  std::optional<Options> options_of(const ast::Expr& call, const std::vector<std::string>& names, const char* what);
  // A number, vector or matrix of the given shape and dimension in an option; `fallback` (a number for every
  // component) if it is not given, nothing and a report if it is wrong.
  Result option(const Options& options, const char* name, const Scope& scope, std::uint32_t rows, Dimension dimension,
                std::optional<double> fallback, Span span);
  Result typed_value(const ast::Expr& expr, const Scope& scope, std::uint32_t rows, Dimension dimension,
                     const std::string& what);

 private:
  Expressions& expressions_;
};

}  // namespace nsmc
