// Equality of abstract syntax up to spans: what a round trip through text must preserve.
#pragma once

#include "compiler/syntax/ast.hpp"

namespace nsmc {

bool same(const ast::Expr& a, const ast::Expr& b);
bool same(const ast::Declaration& a, const ast::Declaration& b);
bool same(const ast::Model& a, const ast::Model& b);  // the file does not matter either

}  // namespace nsmc
