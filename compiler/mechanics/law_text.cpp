#include "compiler/mechanics/law_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "compiler/mechanics/linear_algebra.hpp"
#include "compiler/mechanics/sets.hpp"
#include "compiler/support/diagnostics.hpp"
#include "compiler/symbolic/implicit.hpp"

namespace nsmc {

using sym::Expr;

namespace {

// By rt::collision::SolidKind.
constexpr const char* kSolids[] = {"ball", "capsule", "box", "polyhedron", "plane"};

std::string join_infix(const sym::ExprPool& pool, const std::vector<Expr>& exprs) {
  std::string text;
  for (const Expr e : exprs) text += (text.empty() ? "" : ", ") + sym::to_infix(pool, e);
  return text;
}

std::string set_text(const sym::ExprPool& pool, const Matrix& A, const std::vector<SimpleSet>& sets) {
  std::string text;
  for (const SimpleSet& set : sets) text += (text.empty() ? "" : " × ") + to_text(pool, set);
  if (is_identity(pool, A)) return text;
  return matrix_infix(pool, A) + " * " + (sets.size() > 1 ? "(" + text + ")" : text);
}

std::string stacked(const std::vector<std::string>& names) {
  return names.size() == 1 ? names[0] : fmt::format("[{}]", joined(names));
}

void reflect(sym::ExprPool& pool, LawEquation& law) {
  SetForm form{std::move(law.A), std::move(law.sets)};
  form = reflected(pool, std::move(form));
  law.A = std::move(form.A);
  law.sets = std::move(form.sets);
  for (Matrix* matrix : {&law.B, &law.D}) {
    for (Expr& e : matrix->entries) e = pool.neg(e);
  }
  law.identity_B = is_identity(pool, law.B);
}

}  // namespace

std::string matrix_infix(const sym::ExprPool& pool, const Matrix& m) {
  if (m.rows == 1 && m.cols == 1) return sym::to_infix(pool, m(0, 0));
  std::string text;
  for (std::size_t i = 0; i < m.rows; ++i) {
    std::vector<Expr> row(m.entries.begin() + static_cast<std::ptrdiff_t>(i * m.cols),
                          m.entries.begin() + static_cast<std::ptrdiff_t>((i + 1) * m.cols));
    text += (i == 0 ? "[" : ", [") + join_infix(pool, row) + "]";
  }
  return "[" + text + "]";
}

LawEquation as_written(sym::ExprPool& pool, const LawEquation& law) {
  LawEquation result = law;
  if (law.positive_sign) reflect(pool, result);
  return result;
}

std::string law_text(const sym::ExprPool& pool, const ContactEquation& contact, const LawEquation& law) {
  std::vector<std::string> velocities;
  for (const std::size_t row : law.velocities) velocities.push_back(contact.velocity_names[row]);
  const std::string lambda = stacked(law.force_names);
  // B is turned back where the force has a plus.
  const bool with_B = law.positive_sign || !law.identity_B;
  std::string left = (with_B ? "B*" : "") + stacked(velocities);
  if (!law.zero_D) left += " + D*" + lambda;
  std::string text = fmt::format("{} in normal_cone(C, {}{}{})", left, law.positive_sign ? "" : "-",
                                 law.alpha ? "alpha*" : "", lambda);
  bool rebounds = false;
  for (const Expr e : law.restitution) rebounds = rebounds || !pool.is_constant(e, 0);
  const bool uniform =
      std::all_of(law.restitution.begin(), law.restitution.end(), [&](Expr e) { return e == law.restitution[0]; });
  if (rebounds) {
    text += " restitution " +
            (uniform ? sym::to_infix(pool, law.restitution[0]) : "[" + join_infix(pool, law.restitution) + "]");
  }
  if (law.direct) text += " solve direct";
  return text;
}

LawParts law_parts(sym::ExprPool& pool, const LawEquation& read) {
  const LawEquation law = as_written(pool, read);
  LawParts parts;
  parts.push_back({"B", law.identity_B ? "1" : matrix_infix(pool, law.B)});
  if (!law.zero_D) parts.push_back({"D", is_identity(pool, law.D) ? "1" : matrix_infix(pool, law.D)});
  parts.push_back({"s", law.positive_sign ? "+1" : "-1"});
  parts.push_back({"alpha", law.alpha ? sym::to_infix(pool, *law.alpha) : "1"});
  parts.push_back({"C", set_text(pool, law.A, law.sets)});
  if (law.reservoir && !law.reservoir->sets.empty()) {
    parts.push_back({"reservoir", set_text(pool, law.reservoir->A, law.reservoir->sets)});
  }
  return parts;
}

std::vector<std::string> gauge_definitions(const sym::ExprPool& pool, std::span<const Expr> expressions) {
  std::map<double, Expr> found;  // by number
  for (const Expr e : sym::topological_order(pool, expressions)) {
    if (pool.op(e) == sym::Op::implicit) found.emplace(pool.value(pool.args(e)[0]), e);
  }
  std::vector<std::string> lines;
  for (const auto& [number, node] : found) {
    const sym::ImplicitGauge& gauge = pool.implicit_of(node);
    const bool moved = gauge.kind != sym::ImplicitGauge::polar;
    const std::size_t given = pool.args(node).size() - 2;
    std::string names;
    for (std::size_t k = 0; k < given; ++k) {
      const std::size_t shift = k - gauge.dim;  // counted from the first argument after x
      const std::size_t coefficient = shift - (moved ? gauge.dim : 0);
      names += k == 0 ? "" : ", ";
      names += k < gauge.dim                ? fmt::format("x[{}]", k + 1)
               : moved && shift < gauge.dim ? fmt::format("d[{}]", shift + 1)
                                            : fmt::format("c[{}]", coefficient + 1);
    }
    if (gauge.kind == sym::ImplicitGauge::table) {
      const auto rows = static_cast<std::size_t>(gauge.shapes[3]), columns = static_cast<std::size_t>(gauge.shapes[4]);
      lines.push_back(fmt::format("{} is a table of {} rows, {} between them", gauge.name, rows * columns,
                                  gauge.shapes[1] == 0 ? "linear" : "cubic"));
      continue;
    }
    if (gauge.kind == sym::ImplicitGauge::touch) {
      lines.push_back(fmt::format("touch_{}[k] = [gap, n, p1, p2] of a {} and a {} at their point k, found by a search",
                                  number + 1, kSolids[static_cast<std::size_t>(gauge.shapes[0])],
                                  kSolids[static_cast<std::size_t>(gauge.shapes[1])]));
      continue;
    }
    std::string set;
    switch (gauge.kind) {
      case sym::ImplicitGauge::polar: set = fmt::format("support {{ {} }}", sym::to_infix(pool, gauge.body)); break;
      case sym::ImplicitGauge::shifted: set = fmt::format("gauge {{ {} }} + d", sym::to_infix(pool, gauge.body)); break;
      case sym::ImplicitGauge::parabolic: set = "contensou_parabolic(1, 1) + d"; break;
      case sym::ImplicitGauge::uniform: set = "contensou_uniform(1, 1) + d"; break;
      case sym::ImplicitGauge::table:
      case sym::ImplicitGauge::touch: break;
    }
    lines.push_back(fmt::format("gauge_{}({}) = gauge of {} at x", number + 1, names, set));
  }
  return lines;
}

std::vector<Expr> expressions_with_gauges(const Equations& equations) {
  std::vector<Expr> all;
  const auto add = [&](const std::vector<Expr>& exprs) { all.insert(all.end(), exprs.begin(), exprs.end()); };
  for (const BlockEquation& block : equations.blocks) {
    add(block.h);
    all.push_back(block.potential);
  }
  for (const ElementEquation& element : equations.elements) {
    for (const auto& h : element.h) add(h);
    all.push_back(element.potential);
  }
  for (const ContactEquation& contact : equations.contacts) {
    for (const LawEquation& law : contact.laws) {
      if (law.alpha) all.push_back(*law.alpha);
      for (const SimpleSet& set : law.sets) {
        add(set.arguments);
        add(set.centre);
        if (is_by_function(set.kind)) all.push_back(set.function);
      }
    }
  }
  for (const OutputEquation& output : equations.outputs) all.push_back(output.value);
  return all;
}

}  // namespace nsmc
