// The sets that laws are brought to: what the runtime projects on. One row for each kind says what there is to know of
// it on this side of the kernel table; runtime/sets/ has the projections.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "compiler/support/set_kinds.hpp"
#include "compiler/support/source.hpp"
#include "compiler/symbolic/expr.hpp"

namespace nsmc {

struct SimpleSet {
  SetKind kind{};
  std::size_t dim = 1;
  // interval: a, b; ball: r; ellipsoid: semi-axes; polygon: corners; gauge and support: s, a factor on the whole set;
  // contensou: f, and the ratio of the extents of torque and force
  std::vector<sym::Expr> arguments;
  std::vector<sym::Expr> centre;  // empty: the origin
  // Gauge and support sets: k or Phi at the point x, whose components are the symbols set_point(pool, i).
  sym::Expr function;
  Span span;  // where the function is written
};

// The i-th component of the point at which a gauge or support function is taken.
sym::Expr set_point(sym::ExprPool& pool, std::size_t i);

// -2 and -2*a, but not a, whatever its value: the sign that is written.
bool has_minus_sign(const sym::ExprPool& pool, sym::Expr e);

// The mean radius of friction on a circular area of radius R: torque over force [Möller 2009, (50)].
sym::Expr contensou_mean_radius(sym::ExprPool& pool, SetKind kind, sym::Expr R);

// A point of the boundary, and a normal there.
struct BoundaryPoint {
  std::vector<double> normal, point;
};
// The numbers of a set around its centre, and its gauge or support function: value and gradient at a point.
struct SetNumbers {
  std::vector<double> arguments;
  std::function<double(const std::vector<double>&)> value;
  std::function<std::vector<double>(const std::vector<double>&)> gradient;
};

struct SimpleSetRow {
  SetKind kind;
  // {0}: the arguments, {1}: the dimension, {2}: the function, {3}: the factor of a set by a function
  const char* text;
  const char* latex;
  void (*scale)(sym::ExprPool& pool, SimpleSet& set, sym::Expr s);  // s*K around the origin
  bool spanned;  // by its arguments, which are points of its space: a shift goes into them, and not into a centre
  std::size_t lengths;  // how many of the first arguments are lengths in units of force; 0: all
  // Where the direction is the normal, or that of the point; null for intervals, which have ends.
  BoundaryPoint (*boundary)(const std::vector<double>& direction, const SetNumbers& set);
};
const SimpleSetRow& row_of(SetKind kind);

// s*K; K + c.
void scale(sym::ExprPool& pool, SimpleSet& set, sym::Expr s);
void shift(sym::ExprPool& pool, SimpleSet& set, std::span<const sym::Expr> c);

std::string to_text(const sym::ExprPool& pool, const SimpleSet& set);
std::string to_latex(const sym::ExprPool& pool, const SimpleSet& set);

}  // namespace nsmc
