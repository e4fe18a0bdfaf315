#include "compiler/api/set_boundary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "nsmc/scene.hpp"
#include "runtime/sets/contensou.hpp"

namespace nsmc {
namespace {

using sym::Expr;
using sym::Source;
using Vertex = std::vector<double>;

struct Sphere {
  std::vector<Vertex> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

// An octahedron, whose triangles are cut into four `times` times; its corners are the axes of the space, where sets
// have their own.
Sphere sphere(int times) {
  Sphere s;
  s.vertices = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  s.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  for (int i = 0; i < times; ++i) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
    const auto middle = [&](std::uint32_t a, std::uint32_t b) {
      const auto [found, fresh] = middles.try_emplace(std::minmax(a, b), static_cast<std::uint32_t>(s.vertices.size()));
      if (fresh) {
        Vertex m(3);
        for (std::size_t k = 0; k < 3; ++k) m[k] = s.vertices[a][k] + s.vertices[b][k];
        const double length = std::hypot(m[0], m[1], m[2]);
        for (double& x : m) x /= length;
        s.vertices.push_back(std::move(m));
      }
      return found->second;
    };
    std::vector<std::array<std::uint32_t, 3>> finer;
    for (const auto& [a, b, c] : s.triangles) {
      const std::uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      for (const std::array<std::uint32_t, 3>& t :
           {std::array{a, ab, ca}, std::array{ab, b, bc}, std::array{ca, bc, c}, std::array{ab, bc, ca}}) {
        finer.push_back(t);
      }
    }
    s.triangles = std::move(finer);
  }
  return s;
}

const Sphere& sphere_of(int detail) {
  static const Sphere spheres[] = {sphere(0), sphere(3), sphere(4)};
  return spheres[std::clamp(detail, 0, 2)];
}

}  // namespace

std::vector<std::vector<double>> boundary_directions(std::size_t dim, int detail) {
  if (dim == 1) return {{1}, {-1}};
  if (dim == 3) return sphere_of(detail).vertices;
  const int n = detail == 0 ? 8 : detail == 1 ? 120 : 360;
  std::vector<Vertex> result;
  for (int k = 0; k < n; ++k) {
    const double angle = 2 * std::numbers::pi * k / n;
    result.push_back({std::cos(angle), std::sin(angle)});
  }
  return result;
}

std::vector<std::array<std::uint32_t, 3>> set_triangles(int detail) { return sphere_of(detail).triangles; }

SetBoundary::SetBoundary(sym::ExprPool& pool, Matrix A, std::vector<SimpleSet> sets)
    : A_(std::move(A)), sets_(std::move(sets)) {
  for (const SimpleSet& set : sets_) {
    arguments_.insert(arguments_.end(), set.arguments.begin(), set.arguments.end());
    arguments_.insert(arguments_.end(), set.centre.begin(), set.centre.end());
  }
  first_of_map_ = arguments_.size();
  arguments_.insert(arguments_.end(), A_.entries.begin(), A_.entries.end());
  first_of_functions_ = arguments_.size();
  for (const SimpleSet& set : sets_) {
    std::vector<Expr>& gradient = gradients_.emplace_back();
    if (set.kind != SetKind::gauge && set.kind != SetKind::support) continue;
    std::vector<Expr> x;
    for (std::size_t i = 0; i < set.dim; ++i) x.push_back(set_point(pool, i));
    gradient = sym::jacobian(pool, std::span(&set.function, 1), x);
    std::vector<Expr> all = gradient;
    all.push_back(set.function);
    for (const Expr e : sym::topological_order(pool, all)) {
      if (pool.op(e) != sym::Op::symbol || pool.symbol(e).source == Source::parameter) continue;
      if (std::find(x.begin(), x.end(), e) != x.end()) continue;
      if (std::find(arguments_.begin() + static_cast<std::ptrdiff_t>(first_of_functions_), arguments_.end(), e) ==
          arguments_.end())
        arguments_.push_back(e);
    }
  }
}

std::vector<double> SetBoundary::function_values(const sym::ExprPool& pool, std::span<const Expr> e,
                                                 const std::vector<double>& x, std::span<const double> arguments,
                                                 const std::vector<double>& p) const {
  return sym::evaluate(pool, e, [&](const sym::Symbol& s) {
    if (s.source == Source::parameter) return p[s.index];
    if (s.source == Source::force && s.index < x.size()) return x[s.index];
    for (std::size_t k = first_of_functions_; k < arguments_.size(); ++k) {
      const sym::Symbol& known = pool.symbol(arguments_[k]);
      if (known.source == s.source && known.index == s.index) return arguments[k];
    }
    return std::nan("");
  });
}

// The point of the k-th factor, where the direction is the normal or that of the point.
std::vector<double> SetBoundary::factor_point(const sym::ExprPool& pool, std::size_t k,
                                              std::span<const double> arguments, std::span<const double> direction,
                                              const std::vector<double>& p) const {
  const SimpleSet& set = sets_[k];
  std::size_t first = 0;
  for (std::size_t j = 0; j < k; ++j) first += sets_[j].arguments.size() + sets_[j].centre.size();
  SetNumbers numbers;
  numbers.arguments.assign(arguments.begin() + static_cast<std::ptrdiff_t>(first),
                           arguments.begin() + static_cast<std::ptrdiff_t>(first + set.arguments.size()));
  if (set.kind == SetKind::interval) return {direction[0] >= 0 ? numbers.arguments[1] : numbers.arguments[0]};
  if (is_contensou(set.kind)) {
    numbers.value = [&](const std::vector<double>& x) {
      const auto pressure = set.kind == SetKind::contensou_uniform ? rt::Pressure::uniform : rt::Pressure::parabolic;
      return rt::Contensou{numbers.arguments[0], numbers.arguments[1], pressure}.gauge(x.data());
    };
    numbers.gradient = [](const std::vector<double>& x) { return x; };  // the normal is not asked for
    if (!(numbers.arguments[0] > 0)) return std::vector<double>(set.dim, 0.0);
  } else {
    numbers.value = [&](const std::vector<double>& x) {
      return function_values(pool, std::span(&set.function, 1), x, arguments, p)[0];
    };
    numbers.gradient = [&](const std::vector<double>& x) {
      return function_values(pool, gradients_[k], x, arguments, p);
    };
  }
  double length = 0;
  for (const double d : direction) length += d * d;
  Vertex unit(direction.begin(), direction.end());
  if (length == 0) unit[0] = 1;
  for (double& d : unit) d /= length == 0 ? 1 : std::sqrt(length);
  Vertex point = row_of(set.kind).boundary(unit, numbers).point;
  // A function such as s f(v/s) has no value at s = 0, but beside.
  if (std::any_of(point.begin(), point.end(), [](double x) { return std::isnan(x); })) {
    std::replace(unit.begin(), unit.end(), 0.0, 1e-9);
    point = row_of(set.kind).boundary(unit, numbers).point;
  }
  for (std::size_t i = 0; i < set.centre.size(); ++i) point[i] += arguments[first + set.arguments.size() + i];
  return point;
}

std::vector<Vertex> SetBoundary::points(const sym::ExprPool& pool, std::span<const double> arguments,
                                        const std::vector<double>& p, int detail) const {
  std::vector<Vertex> inner;
  if (sets_.size() == 1 && sets_[0].kind == SetKind::polygon) {  // its corners; a reservoir need not be convex
    for (std::size_t i = 0; i + 1 < sets_[0].arguments.size(); i += 2)
      inner.push_back({arguments[i], arguments[i + 1]});
  } else {
    for (const Vertex& direction : boundary_directions(dim(), detail)) {
      Vertex& point = inner.emplace_back();
      std::size_t row = 0;
      for (std::size_t k = 0; k < sets_.size(); ++k) {
        const Vertex part = factor_point(pool, k, arguments, std::span(direction).subspan(row, sets_[k].dim), p);
        point.insert(point.end(), part.begin(), part.end());
        row += sets_[k].dim;
      }
    }
  }
  for (Vertex& point : inner) {
    Vertex mapped(dim(), 0.0);
    for (std::size_t i = 0; i < dim(); ++i) {
      for (std::size_t j = 0; j < dim(); ++j) {
        const double a = arguments[first_of_map_ + i * dim() + j];
        if (a != 0) mapped[i] += a * point[j];
      }
    }
    point = std::move(mapped);
    if (!std::all_of(point.begin(), point.end(), [](double x) { return std::isfinite(x); })) return {};
  }
  return inner;
}

}  // namespace nsmc
