// Small symbolic matrices: products and the inverse by cofactors, which divides by the determinant alone and so is
// defined wherever the matrix is regular (elimination would divide by pivots that may vanish).
#pragma once

#include <optional>
#include <span>

#include "compiler/mechanics/equations.hpp"

namespace nsmc {

Matrix identity(sym::ExprPool& pool, std::size_t n);
bool is_identity(const sym::ExprPool& pool, const Matrix& a);
bool is_diagonal(const sym::ExprPool& pool, const Matrix& a);
bool is_zero(const sym::ExprPool& pool, const Matrix& a);
Matrix multiply(sym::ExprPool& pool, const Matrix& a, const Matrix& b);
Matrix transpose(const Matrix& a);
std::vector<sym::Expr> multiply(sym::ExprPool& pool, const Matrix& a, std::span<const sym::Expr> x);

// Nothing if the determinant is zero symbolically or the matrix does not split into blocks of at most 8 rows.
std::optional<Matrix> inverse(sym::ExprPool& pool, const Matrix& a);

// a x = b for numbers, row-major, by Gauss with pivoting; nothing if singular. For a handful of rows.
std::optional<std::vector<double>> solve_numbers(std::vector<double> a, std::vector<double> b);

}  // namespace nsmc
