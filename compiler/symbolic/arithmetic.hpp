// What each operation means on doubles. Constant folding and the interpreter both use it, so folding cannot change
// a value.
#pragma once

#include <span>

#include "compiler/symbolic/expr.hpp"

namespace nsmc::sym {

// The value of an operation (neither constant nor symbol) on the values of its arguments; IEEE throughout.
double operation_value(Op op, std::span<const double> args);

// base^exponent: whole exponents up to 64 by repeated multiplication, 1/2 by sqrt, the rest by std::pow.
double power(double base, double exponent);

bool is_whole(double value);  // a whole number that a double represents together with its neighbours
bool is_even(double value);   // a whole number divisible by two

}  // namespace nsmc::sym
