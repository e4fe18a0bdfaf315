// Abstract syntax in, canonical .nsm text out, with the fewest parentheses. Parsing the text gives the same syntax.
#pragma once

#include <string>

#include "compiler/syntax/ast.hpp"

namespace nsmc {

std::string print(const ast::Model& model);
std::string print(const ast::Expr& expression);

}  // namespace nsmc
