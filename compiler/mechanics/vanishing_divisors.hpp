// What a set by its function is where forces vanish: a radius mu*N in a divisor would make 1/0.
//
// The set at N = 0 is the limit for N -> 0, and it is taken at a small force in place of 0: divisors that depend on
// forces are kept away from 0. How far follows from the set itself. If all of it shrinks, 1e-30 N is less than any
// contact feels, and powers of 1e30 up to the fourth still have finite second derivatives. If one extent stays, as in
// gauge (x, y) { max(abs(x)/(mu*N), abs(y)/cap) }, the set becomes a needle; one that is thinner than rounding is not
// found by the directions in which its gauge is asked. So divisors stop at 1e-12 of what the set reaches on the axes.
#pragma once

#include <vector>

#include "compiler/symbolic/expr.hpp"

namespace nsmc {

// In: the function of a set in the point (set_point) and in instance symbols, which stand for the coefficients, as
// extract_coefficients leaves it. `gauge`: it is a gauge, not a support function.
void keep_divisors_from_zero(sym::ExprPool& pool, bool gauge, sym::Expr function, std::size_t dim,
                             std::vector<sym::Expr>& coefficients);

}  // namespace nsmc
