// What each kind of set needs, one after another, and at the end the rows.
#include "compiler/mechanics/simple_set.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "compiler/mechanics/equations.hpp"
#include "compiler/mechanics/samples.hpp"
#include "runtime/sets/mean_radius.hpp"

namespace nsmc {

using sym::Expr;
using sym::Op;

namespace {

double dot(const Point& a, const Point& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void scale_interval(sym::ExprPool& pool, SimpleSet& set, Expr s) {
  const Expr a = pool.mul(s, set.arguments[0]), b = pool.mul(s, set.arguments[1]);
  if (!pool.is_constant(s))
    set.arguments = {pool.call(Op::min, a, b), pool.call(Op::max, a, b)};
  else if (has_minus_sign(pool, s))
    set.arguments = {b, a};
  else
    set.arguments = {a, b};
}

// Balls and ellipsoids, which are their own reflections.
void scale_extents(sym::ExprPool& pool, SimpleSet& set, Expr s) {
  for (Expr& extent : set.arguments) extent = pool.mul(pool.call(Op::abs, s), extent);
}

BoundaryPoint boundary_of_ball(const Point& direction, const SetNumbers& set) {
  return {direction, scaled(direction, set.arguments[0])};
}

BoundaryPoint boundary_of_ellipsoid(const Point& direction, const SetNumbers& set) {
  Point x = direction;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] *= set.arguments[i] * set.arguments[i];
  const double length = std::sqrt(dot(x, direction));
  return {direction, length > 0 ? scaled(x, 1 / length) : Point(x.size())};
}

// A point reflection keeps the orientation.
void scale_polygon(sym::ExprPool& pool, SimpleSet& set, Expr s) {
  for (Expr& corner : set.arguments) corner = pool.mul(s, corner);
}

BoundaryPoint boundary_of_polygon(const Point& direction, const SetNumbers& set) {
  Point best;
  for (std::size_t i = 0; i < set.arguments.size(); i += 2) {
    const Point corner{set.arguments[i], set.arguments[i + 1]};
    if (best.empty() || dot(corner, direction) > dot(best, direction)) best = corner;
  }
  return {direction, best};
}

void scale_function(sym::ExprPool& pool, SimpleSet& set, Expr s) {
  const bool negative = has_minus_sign(pool, s);
  if (negative) {
    set.function = sym::substitute(pool, std::span(&set.function, 1), [&](Expr x) {
      const sym::Symbol& symbol = pool.symbol(x);
      return symbol.source == sym::Source::force && symbol.index < kUserForce ? pool.neg(x) : x;
    })[0];
  }
  set.arguments[0] = pool.mul(negative ? pool.neg(s) : s, set.arguments[0]);
}

BoundaryPoint boundary_by_gauge(const Point& direction, const SetNumbers& set) {
  return {set.gradient(direction), scaled(direction, set.arguments[0] / set.value(direction))};
}

BoundaryPoint boundary_by_support(const Point& direction, const SetNumbers& set) {
  return {direction, scaled(set.gradient(direction), set.arguments[0])};
}

// The other argument is a ratio of extents.
void scale_contensou(sym::ExprPool& pool, SimpleSet& set, Expr s) {
  set.arguments[0] = pool.mul(pool.call(Op::abs, s), set.arguments[0]);
}

// By its gauge, in which the extents are.
BoundaryPoint boundary_of_contensou(const Point& direction, const SetNumbers& set) {
  return {set.gradient(direction), scaled(direction, 1 / set.value(direction))};
}

constexpr SimpleSetRow rows[] = {
    {SetKind::interval, "interval({0})", "\\left[{0}\\right]", scale_interval, true, 0, nullptr},
    {SetKind::ball, "ball({0}, {1})", "\\mathcal{{B}}_{{{1}}}\\left({0}\\right)", scale_extents, false, 0,
     boundary_of_ball},
    {SetKind::ellipsoid, "ellipsoid({0})", "\\mathcal{{E}}\\left({0}\\right)", scale_extents, false, 0,
     boundary_of_ellipsoid},
    {SetKind::polygon, "polygon({0})", "\\mathcal{{P}}\\left({0}\\right)", scale_polygon, true, 0, boundary_of_polygon},
    {SetKind::gauge, "{3}gauge {{ {2} }}", "{0} \\left\\{{ x \\mid {2} \\leq 1 \\right\\}}", scale_function, false, 0,
     boundary_by_gauge},
    {SetKind::support, "{3}support {{ {2} }}", "{0} \\, \\partial\\left({2}\\right)(0)", scale_function, false, 0,
     boundary_by_support},
    // By their extents: the radius of the contact area has gone into the map.
    {SetKind::contensou_parabolic, "contensou_parabolic({0})", "\\mathcal{{B}}_{{F}}\\left({0}\\right)",
     scale_contensou, false, 1, boundary_of_contensou},
    {SetKind::contensou_uniform, "contensou_uniform({0})",
     "\\mathcal{{B}}_{{F}}^{{\\mathrm{{uniform}}}}\\left({0}\\right)", scale_contensou, false, 1,
     boundary_of_contensou},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    if (rows[i].kind != static_cast<SetKind>(i)) return false;
  }
  return is_simple(rows[std::size(rows) - 1].kind) && !is_simple(static_cast<SetKind>(std::size(rows)));
}
static_assert(in_order(), "a row for each simple set, in the order of SetKind");

template <class Text>
std::string listed(const std::vector<Expr>& exprs, const char* separator, const Text& text) {
  std::string result;
  for (const Expr e : exprs) result += (result.empty() ? "" : separator) + text(e);
  return result;
}

}  // namespace

const SimpleSetRow& row_of(SetKind kind) { return rows[static_cast<std::size_t>(kind)]; }

void scale(sym::ExprPool& pool, SimpleSet& set, Expr s) {
  for (Expr& c : set.centre) c = pool.mul(s, c);
  row_of(set.kind).scale(pool, set, s);
}

void shift(sym::ExprPool& pool, SimpleSet& set, std::span<const Expr> c) {
  if (row_of(set.kind).spanned) {
    for (std::size_t k = 0; k < set.arguments.size(); ++k) {
      set.arguments[k] = pool.add(set.arguments[k], c[k % set.dim]);
    }
    return;
  }
  set.centre.resize(set.dim, pool.constant(0));
  for (std::size_t k = 0; k < set.dim; ++k) set.centre[k] = pool.add(set.centre[k], c[k]);
}

std::string to_text(const sym::ExprPool& pool, const SimpleSet& set) {
  const auto infix = [&](Expr e) { return sym::to_infix(pool, e); };
  const std::string arguments = listed(set.arguments, ", ", infix);
  const std::string factor = pool.is_constant(set.arguments[0], 1) ? "" : arguments + " * ";
  std::string text = fmt::format(fmt::runtime(row_of(set.kind).text), arguments, set.dim, infix(set.function), factor);
  if (!set.centre.empty()) text += fmt::format(" + [{}]", listed(set.centre, ", ", infix));
  return text;
}

std::string to_latex(const sym::ExprPool& pool, const SimpleSet& set) {
  const auto latex = [&](Expr e) { return sym::to_latex(pool, e); };
  return fmt::format(fmt::runtime(row_of(set.kind).latex), listed(set.arguments, ",\\, ", latex), set.dim,
                     latex(set.function));
}

Expr set_point(sym::ExprPool& pool, std::size_t i) {
  return pool.symbol(sym::Source::force, static_cast<std::uint32_t>(i), "x[" + std::to_string(i + 1) + "]");
}

bool has_minus_sign(const sym::ExprPool& pool, Expr e) {
  const Expr first = pool.op(e) == Op::mul ? pool.args(e)[0] : e;  // the coefficient stands first
  return pool.is_constant(first) && pool.value(first) < 0;
}

Expr contensou_mean_radius(sym::ExprPool& pool, SetKind kind, Expr R) {
  return pool.mul(
      pool.constant(kind == SetKind::contensou_uniform ? rt::mean_radius_uniform : rt::mean_radius_parabolic), R);
}

}  // namespace nsmc
