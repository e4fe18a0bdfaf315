// The equations for people: readable infix, or a LaTeX document that compiles (`nsmc emit --stage equations`).
#pragma once

#include <string>

#include "compiler/mechanics/equations.hpp"

namespace nsmc {

std::string equations_text(sym::ExprPool& pool, const Equations& equations);
std::string equations_latex(sym::ExprPool& pool, const Equations& equations);

}  // namespace nsmc
