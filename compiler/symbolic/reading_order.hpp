// How a sum or a product is laid out for a reader; shared by infix and LaTeX.
#pragma once

#include "compiler/symbolic/expr.hpp"

namespace nsmc::sym {

// base ^ exponent with a positive constant exponent, or an expression as it is (exponent 1).
struct ReadFactor {
  Expr base;
  double exponent = 1;
};

// coefficient * numerator / denominator. Parameters come first, then other symbols, functions and sums.
struct ReadProduct {
  double coefficient = 1;
  std::vector<ReadFactor> numerator;
  std::vector<ReadFactor> denominator;
};

bool reads_as_product(const ExprPool& pool, Expr e);  // a product, or a power with a negative constant exponent
ReadProduct read_product(const ExprPool& pool, Expr e);

// A negative number or coefficient: shown with a minus sign in front.
bool reads_negative(const ExprPool& pool, Expr e);

// The terms of a sum, a positive one first if there is one.
std::vector<Expr> read_sum(const ExprPool& pool, Expr e);

// The branches of a selection, with selections in the else branch unrolled: condition, value, ..., else-value.
std::vector<Expr> read_branches(const ExprPool& pool, Expr e);

std::string read_number(double value);  // shortest text that reads back as the same double

}  // namespace nsmc::sym
