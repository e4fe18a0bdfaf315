// The equations for people: readable infix, or a LaTeX document that compiles (`nsmc emit --stage equations`).
#pragma once

#include <string>

#include "compiler/mechanics/equations.hpp"

namespace nsmc {

std::string equations_text(sym::ExprPool& pool, const Equations& equations);
std::string equations_latex(sym::ExprPool& pool, const Equations& equations);

// One simple set, "interval(0, inf)"; and a law as the compiler read it, "gap' in normal_cone(interval(..), -N)".
std::string set_text(const sym::ExprPool& pool, const LawEquation& law);
std::string law_text(const sym::ExprPool& pool, const ContactEquation& contact, const LawEquation& law);

}  // namespace nsmc
