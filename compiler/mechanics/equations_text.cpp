#include "compiler/mechanics/equations_text.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "compiler/mechanics/latex_lines.hpp"
#include "compiler/mechanics/law_text.hpp"
#include "compiler/mechanics/linear_algebra.hpp"
#include "compiler/symbolic/expr.hpp"

namespace nsmc {

using sym::Expr;

namespace {

// Lines "  label[i] = value", leaving out what is zero.
void list(std::string& out, const sym::ExprPool& pool, const std::string& label, const std::vector<Expr>& values,
          const char* indent) {
  bool any = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (pool.is_constant(values[i], 0)) continue;
    out += fmt::format("{}{}[{}] = {}\n", indent, label, i + 1, sym::to_infix(pool, values[i]));
    any = true;
  }
  if (!any) out += fmt::format("{}{} = 0\n", indent, label);
}

void list(std::string& out, const sym::ExprPool& pool, const std::string& label, const Matrix& m, const char* indent,
          bool symmetric) {
  for (std::size_t i = 0; i < m.rows; ++i) {
    for (std::size_t j = 0; j < m.cols; ++j) {
      if (pool.is_constant(m(i, j), 0) || (symmetric && j > i)) continue;
      out += fmt::format("{}{}[{}, {}] = {}\n", indent, label, i + 1, j + 1, sym::to_infix(pool, m(i, j)));
    }
  }
}

std::string names_of(const std::vector<VariableEquation>& variables) {
  std::string text;
  for (const VariableEquation& v : variables) text += (text.empty() ? "" : ", ") + with_index(v.name, "[i]");
  return text;
}

// " for i in 1..n", " for i in 1..3, j in 1..3, i < j, at 8 points"
std::string instances_text(const Instances& instances) {
  std::string text;
  const char* names[] = {"i", "j"};
  for (std::size_t d = 0; d < instances.indices.size(); ++d) {
    text += fmt::format("{}{} in {}..{}", d == 0 ? " for " : ", ", names[d], instances.indices[d].first,
                        instances.indices[d].last);
  }
  if (instances.pairs) text += ", i < j";
  if (!instances.points.empty())
    text += fmt::format("{} {} points", text.empty() ? " at" : ", at", instances.points.size());
  return text;
}

std::string matrix_latex(const sym::ExprPool& pool, const Matrix& m) {
  std::string text = "\\begin{pmatrix}\n";
  for (std::size_t i = 0; i < m.rows; ++i) {
    for (std::size_t j = 0; j < m.cols; ++j) text += (j == 0 ? "" : " & ") + sym::to_latex(pool, m(i, j));
    text += i + 1 < m.rows ? " \\\\\n" : "\n";
  }
  return text + "\\end{pmatrix}";
}

constexpr double kPage = 80;  // letters

std::string display(const std::string& formula) { return "\\[\n" + formula + "\n\\]\n"; }

// A LaTeX document on its way.
struct LatexPage {
  const sym::ExprPool& pool;
  LatexCases cases{};
};

std::string aligned(const std::vector<std::string>& lines) {
  std::string out;
  for (std::size_t i = 0; i < lines.size(); ++i) out += (i == 0 ? "" : " \\\\\n&\\quad ") + lines[i];
  return out;
}

// The equations of cases that have got names.
std::string named_cases_latex(LatexPage& page) {
  std::string out;
  for (const LatexCases::Named& part : page.cases.take()) {
    const double width = kPage - latex_width(part.name) - 6;
    std::string rows;
    for (const auto& [value, condition] : part.rows) {
      std::vector<std::string> lines = latex_lines(value, width);
      if (!condition.empty()) {  // else the printer has cut the text short
        for (const std::string& line : latex_lines(condition, width)) lines.push_back("\\quad " + line);
      }
      rows += (rows.empty() ? " ={}& " : " \\\\\n ={}& ") + aligned(lines);
    }
    out += "\\begin{align*}\n" + part.name + rows + "\n\\end{align*}\n";
  }
  return out;
}

// left = right, in several lines where the page is too narrow for one.
std::string equation_latex(LatexPage& page, const std::string& left, const std::string& right) {
  const double width = kPage - latex_width(left) - 4;
  const bool fits = latex_width(right) <= width;
  const std::vector<std::string> lines = latex_lines(fits ? right : page.cases.named(right, kPage / 2), width);
  const std::string equation = lines.size() == 1
                                   ? display(left + " = " + lines[0])
                                   : "\\begin{align*}\n" + left + " ={}& " + aligned(lines) + "\n\\end{align*}\n";
  return equation + named_cases_latex(page);
}

// A matrix that is wider than the page is written out entry by entry, without its zeros.
std::string matrix_equation_latex(LatexPage& page, const std::string& name, const Matrix& m, bool symmetric = false) {
  const std::string whole = matrix_latex(page.pool, m);
  if (latex_width(name + " = " + whole) <= kPage) return display(name + " = " + whole);
  std::string out;
  for (std::size_t i = 0; i < m.rows; ++i) {
    for (std::size_t j = 0; j < (symmetric ? i + 1 : m.cols); ++j) {
      if (page.pool.is_constant(m(i, j), 0)) continue;
      const auto entry = [&](std::size_t row, std::size_t col) {
        return m.cols == 1 ? fmt::format("{}_{{{}}}", name, row + 1)
                           : fmt::format("{}_{{{}, {}}}", name, row + 1, col + 1);
      };
      const std::string left = entry(i, j) + (symmetric && i != j ? " = " + entry(j, i) : "");
      out += equation_latex(page, left, sym::to_latex(page.pool, m(i, j)));
    }
  }
  return out;
}

std::string vector_equation_latex(LatexPage& page, const std::string& name, const std::vector<Expr>& v) {
  return matrix_equation_latex(page, name, Matrix{v.size(), 1, v});
}

std::string vector_latex(const sym::ExprPool& pool, const std::vector<Expr>& v) {
  return matrix_latex(pool, Matrix{v.size(), 1, v});
}

std::string symbols_latex(const sym::ExprPool& pool, const std::vector<VariableEquation>& variables) {
  std::vector<Expr> symbols;
  for (const VariableEquation& v : variables) symbols.push_back(v.symbol);
  return vector_latex(pool, symbols);
}

// Plain text in LaTeX: its special characters by their names, other letters in mathematics where LaTeX knows them
// there.
std::string escaped(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t length = 1;
    while (i + length < text.size() && (static_cast<unsigned char>(text[i + length]) & 0xC0U) == 0x80U) ++length;
    const std::string point = text.substr(i, length);
    i += length;
    if (length > 1) {
      out += "$" + sym::latex_name(point) + "$";
    } else if (point == "^" || point == "~") {
      out += "\\" + point + "{}";
    } else if (point == "\\") {
      out += "\\textbackslash{}";
    } else {
      if (std::string_view("_%&#${}").find(point) != std::string_view::npos) out += '\\';
      out += point;
    }
  }
  return out;
}

std::string simple_set_latex(const sym::ExprPool& pool, const SimpleSet& set) {
  return to_latex(pool, set) + (set.centre.empty() ? "" : " + " + vector_latex(pool, set.centre));
}

std::string reference_text(const sym::ExprPool& pool, const Equations& e, std::size_t reference) {
  const Reference& r = e.references[reference];
  const std::string name = e.blocks[r.block].name;
  return with_index(name, r.index ? "[" + sym::to_infix(pool, *r.index, 60) + "]" : "");
}

std::string block_text(const sym::ExprPool& pool, const BlockEquation& block, bool named) {
  std::string out;
  if (named || !block.instances.single()) {
    out += fmt::format("\nblock {}{}\n", with_index(block.name, "[i]"), instances_text(block.instances));
  }
  out += fmt::format("\nq = ({})\nu = ({})\n", names_of(block.q), names_of(block.u));
  out += "\nkinematics q' = F u\n";
  if (block.identity_kinematics) {
    out += "  F = 1\n";
  } else {
    list(out, pool, "F", block.F, "  ", false);
  }
  out += "\nmotion M u' = h + sum W lambda\n";
  list(out, pool, "M", block.M, "  ", true);
  list(out, pool, "h", block.h, "  ");
  for (const ForceContribution& part : block.contributions) {
    out += fmt::format("  from {}\n", part.source);
    list(out, pool, "h", part.h, "    ");
  }
  return out + fmt::format("\nenergy\n  kinetic = {}\n  potential = {}\n", sym::to_infix(pool, block.kinetic),
                           sym::to_infix(pool, block.potential));
}

}  // namespace

std::string equations_text(sym::ExprPool& pool, const Equations& e) {
  std::string out = e.name.empty() ? "model without a name\n" : fmt::format("model {}\n", e.name);
  for (const BlockEquation& block : e.blocks) out += block_text(pool, block, e.blocks.size() > 1);
  for (const ElementEquation& element : e.elements) {
    out += fmt::format("\nforce of {}{}\n", element.source, instances_text(element.instances));
    for (std::size_t k = 0; k < element.references.size(); ++k) {
      list(out, pool, fmt::format("h({})", reference_text(pool, e, element.references[k])), element.h[k], "  ");
    }
    if (!pool.is_constant(element.potential, 0)) {
      out += fmt::format("  potential = {}\n", sym::to_infix(pool, element.potential));
    }
  }
  for (const ContactEquation& contact : e.contacts) {
    out += fmt::format("\ncontact {}{}{}\n", with_index(contact.name, ""), instances_text(contact.instances),
                       contact.always_closed ? " (always closed)" : "");
    if (e.blocks.size() > 1 || !e.blocks[0].instances.single()) {
      out += "  u = (";
      for (std::size_t k = 0; k < contact.references.size(); ++k) {
        out += (k == 0 ? "" : ", ") + fmt::format("u of {}", reference_text(pool, e, contact.references[k]));
      }
      out += ")\n";
    }
    for (std::size_t i = 0; i < contact.gap.size(); ++i) {
      out += fmt::format("  g{} = {}\n", contact.gap.size() == 1 ? "" : fmt::format("[{}]", i + 1),
                         sym::to_infix(pool, contact.gap[i]));
    }
    for (std::size_t i = 0; i < contact.gamma.size(); ++i) {
      out += fmt::format("  gamma[{}] = {} = {}\n", i + 1, contact.velocity_names[i],
                         sym::to_infix(pool, contact.gamma[i]));
    }
    list(out, pool, "W", contact.W, "  ", false);
    list(out, pool, "chi", contact.chi, "  ");
    list(out, pool, "zeta", zeta_of(pool, e, contact.references, contact.gamma), "  ");
    for (const LawEquation& law : contact.laws) {
      out += fmt::format("  law {}: {}\n", law.name, law_text(pool, contact, law));
      for (const auto& [name, value] : law_parts(pool, law)) out += fmt::format("    {} = {}\n", name, value);
    }
  }
  bool states = false;
  for (const SignalEquation& z : e.signals) {
    if (z.kind != SignalKind::state) continue;
    out += fmt::format("{}  {}' = {}\n", states ? "" : "\nstates\n", z.name, sym::to_infix(pool, z.rate));
    states = true;
  }
  if (!e.events.empty()) out += "\nevents\n";
  for (const EventEquation& event : e.events) out += fmt::format("  {}\n", event_text(pool, e, event));
  if (!e.outputs.empty()) out += "\noutputs\n";
  for (const OutputEquation& output : e.outputs) {
    out += fmt::format("  {} = {}{}\n", with_index(output.name, "[i]"), sym::to_infix(pool, output.value),
                       instances_text(output.instances));
  }
  const std::vector<std::string> gauges = gauge_definitions(pool, expressions_with_gauges(e));
  if (!gauges.empty()) out += "\ngauges that are roots of equations\n";
  for (const std::string& gauge : gauges) out += "  " + gauge + "\n";
  return out;
}

namespace {

std::string events_latex(LatexPage& page, const Equations& e) {
  const sym::ExprPool& pool = page.pool;
  std::string out;
  for (const EventEquation& event : e.events) {
    const bool every = event.kind == EventKind::every;
    std::string line = fmt::format("\\text{{{} }} {}",
                                   every                           ? "every"
                                   : event.kind == EventKind::stop ? "stop when"
                                                                   : "when",
                                   sym::to_latex(pool, every ? event.interval : event.condition));
    for (std::size_t k = 0; k < event.targets.size(); ++k) {
      const EventTarget& target = event.targets[k];
      const std::string& name =
          target.velocity ? e.blocks[target.block].u[target.number].name : e.signals[target.number].name;
      line += fmt::format("{} {} := {}", k == 0 ? ": \\quad" : ", \\quad", sym::latex_name(name),
                          sym::to_latex(pool, event.values[k]));
    }
    out += display(line);
  }
  return out;
}

}  // namespace

std::string equations_latex(sym::ExprPool& pool, const Equations& e) {
  LatexPage page{pool};
  // Matrices and vectors of the theory are bold: a parameter of the model may be called W, or g.
  std::string out =
      "\\documentclass{article}\n\\usepackage{amsmath}\n\\usepackage{amssymb}\n"
      "\\usepackage[a4paper,margin=2cm]{geometry}"
      "\n\\allowdisplaybreaks\n\\begin{document}\n";
  out += fmt::format("\\section*{{{}}}\n", escaped(e.name));
  if (!e.doc.empty()) out += escaped(e.doc) + "\n";
  for (const BlockEquation& block : e.blocks) {
    if (e.blocks.size() > 1) out += fmt::format("\\subsection*{{{}}}\n", escaped(with_index(block.name, "[i]")));
    out += display("\\mathbf{q} = " + symbols_latex(pool, block.q) +
                   ", \\quad \\mathbf{u} = " + symbols_latex(pool, block.u) +
                   (block.identity_kinematics ? ", \\quad \\dot{\\mathbf{q}} = \\mathbf{u}" : ""));
    if (!block.identity_kinematics) {
      out += display("\\dot{\\mathbf{q}} = \\mathbf{F} \\mathbf{u}");
      out += matrix_equation_latex(page, "\\mathbf{F}", block.F);
    }
    out += display(
        "\\mathbf{M} \\dot{\\mathbf{u}} - \\mathbf{h} - \\sum_i "
        "\\mathbf{W}_i \\boldsymbol{\\lambda}_i = 0");
    out += matrix_equation_latex(page, "\\mathbf{M}", block.M, true);
    out += vector_equation_latex(page, "\\mathbf{h}", block.h);
  }
  for (const ElementEquation& element : e.elements) {
    out += fmt::format("\\subsection*{{Force of {}}}\n", escaped(element.source));
    for (std::size_t k = 0; k < element.references.size(); ++k) {
      const std::string of = escaped(reference_text(pool, e, element.references[k]));
      out += vector_equation_latex(page, fmt::format("\\mathbf{{h}}^{{\\mathrm{{{}}}}}", of), element.h[k]);
    }
  }
  for (const ContactEquation& contact : e.contacts) {
    out += fmt::format("\\subsection*{{Contact {}}}\n", escaped(with_index(contact.name, "[i]")));
    if (contact.gap.size() == 1) {
      out += equation_latex(page, "\\mathbf{g}", sym::to_latex(pool, contact.gap[0]));
    } else if (!contact.gap.empty()) {
      out += vector_equation_latex(page, "\\mathbf{g}", contact.gap);
    }
    out += display(
        "\\boldsymbol{\\gamma} = \\mathbf{W}^{\\top} \\mathbf{u} + "
        "\\boldsymbol{\\chi}");
    out += matrix_equation_latex(page, "\\mathbf{W}", contact.W);
    out += vector_equation_latex(page, "\\boldsymbol{\\chi}", contact.chi);
    out += vector_equation_latex(page, "\\boldsymbol{\\zeta}", zeta_of(pool, e, contact.references, contact.gamma));
    for (const LawEquation& read : contact.laws) {
      const LawEquation law = as_written(pool, read);
      std::string defined;  // matrices that are too wide for a line with others in it
      const auto factor_latex = [&](const char* name, const Matrix& m) {
        const std::string whole = matrix_latex(pool, m);
        if (latex_width(whole) <= kPage / 2) return whole;
        defined += matrix_equation_latex(page, name, m);
        return std::string(name);
      };
      const auto product_latex = [&](const Matrix& A, const std::vector<SimpleSet>& sets) {
        std::string text;
        for (const SimpleSet& set : sets) text += (text.empty() ? "" : " \\times ") + simple_set_latex(pool, set);
        return (is_identity(pool, A) ? "" : factor_latex("\\mathbf{A}", A) + " ") + text;
      };
      std::vector<Expr> lambda;
      for (std::size_t k = 0; k < law.size; ++k) lambda.push_back(contact.lambda[law.first + k]);
      std::string rows;
      for (const std::size_t row : law.velocities) rows += (rows.empty() ? "" : ",") + std::to_string(row + 1);
      std::string left = "\\boldsymbol{\\gamma}_{" + rows + "}";
      if (!law.identity_B) left = factor_latex("\\mathbf{B}", law.B) + " " + left;
      if (!law.zero_D) left += " + " + factor_latex("\\mathbf{D}", law.D) + " " + vector_latex(pool, lambda);
      out += display(left + " \\in \\mathcal{N}_{\\mathcal{C}}\\left(" + (law.positive_sign ? "" : "-") +
                     (law.alpha ? "\\boldsymbol{\\alpha} " : "") + vector_latex(pool, lambda) + "\\right)");
      out += equation_latex(page, "\\mathcal{C}", product_latex(law.A, law.sets));
      if (law.alpha) out += equation_latex(page, "\\boldsymbol{\\alpha}", sym::to_latex(pool, *law.alpha));
      if (law.reservoir && !law.reservoir->sets.empty()) {
        out += equation_latex(page, "\\mathcal{C}_{\\mathrm{reservoir}}",
                              product_latex(law.reservoir->A, law.reservoir->sets));
      }
      out += defined;
      bool rebounds = false;
      for (const Expr e_k : law.restitution) rebounds = rebounds || !pool.is_constant(e_k, 0);
      if (rebounds) out += vector_equation_latex(page, "\\boldsymbol{\\varepsilon}", law.restitution);
    }
  }
  bool states = false;
  for (const SignalEquation& z : e.signals) {
    if (z.kind != SignalKind::state) continue;
    if (!states) out += "\\subsection*{States}\n";
    states = true;
    out += equation_latex(page, sym::latex_name(z.name + "'"), sym::to_latex(pool, z.rate));
  }
  if (!e.events.empty()) out += "\\subsection*{Events}\n" + events_latex(page, e);
  return out + "\\end{document}\n";
}

}  // namespace nsmc
