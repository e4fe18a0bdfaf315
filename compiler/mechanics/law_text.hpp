// Laws for people, as the compiler read them: B gamma in normal_cone(C, s alpha lambda), with what B, C, s and alpha
// are.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compiler/mechanics/equations.hpp"

namespace nsmc {

std::string matrix_infix(const sym::ExprPool& pool, const Matrix& m);

// "gap' in normal_cone(C, -N) restitution e", with the sign that the user wrote.
std::string law_text(const sym::ExprPool& pool, const ContactEquation& contact, const LawEquation& law);

// Its letters: {"B", "1"}, {"s", "-1"}, {"alpha", "1"}, {"C", "interval(-inf, 0)"}; D of a damper, and the reservoir of
// a two-set law.
using LawParts = std::vector<std::pair<std::string, std::string>>;
LawParts law_parts(sym::ExprPool& pool, const LawEquation& law);

// The law as the user signed it: with +lambda the sets and B are turned back.
LawEquation as_written(sym::ExprPool& pool, const LawEquation& law);

// What gauge_1(...) in the expressions means, a line for each; its parts are x[1], ... and c[1], ...
std::vector<std::string> gauge_definitions(const sym::ExprPool& pool, std::span<const sym::Expr> expressions);
// The expressions of laws and outputs, where such gauges occur.
std::vector<sym::Expr> expressions_with_gauges(const Equations& equations);

}  // namespace nsmc
