// Expressions as LaTeX for amsmath.
#include <fmt/core.h>

#include <cfloat>
#include <cmath>
#include <numbers>
#include <optional>

#include "compiler/symbolic/arithmetic.hpp"
#include "compiler/symbolic/implicit.hpp"
#include "compiler/symbolic/stack_printer.hpp"

namespace nsmc::sym {

namespace {

// 2.5e-07 as 2.5 \cdot 10^{-7}.
std::string latex_number(double value) {
  const std::string text = read_number(value);
  if (std::isinf(value)) return value < 0 ? "-\\infty" : "\\infty";
  const std::size_t e = text.find('e');
  if (std::isnan(value) || e == std::string::npos) return std::isnan(value) ? "\\mathrm{NaN}" : text;
  const std::string exponent = std::to_string(std::stoi(text.substr(e + 1)));
  const std::string mantissa = text.substr(0, e);
  return fmt::format("{}10^{{{}}}", mantissa == "1" ? "" : mantissa + " \\cdot ", exponent);
}

struct Fraction {
  int numerator, denominator;
};

// What stands above and below the line of a number; empty: one.
struct Ratio {
  std::string above, below;
};

// Small fractions that the double stands for exactly, or as nearly as a double can: 1/2, 2/3, ...
std::optional<Fraction> small_fraction(double value) {
  for (int denominator : {2, 3, 4, 6, 8, 12, 24}) {
    const double numerator = std::round(value * denominator);
    if (std::abs(numerator) < 100 && numerator != 0 && numerator / denominator == value)
      return Fraction{static_cast<int>(numerator), denominator};
  }
  return std::nullopt;
}

// The same of pi, up to the rounding of a product: pi/2, 3 pi/16, ...
std::optional<Fraction> small_part_of_pi(double value) {
  for (int denominator : {1, 2, 3, 4, 6, 8, 12, 16}) {
    const double numerator = std::round(value / std::numbers::pi * denominator);
    if (std::abs(numerator) >= 100 || numerator == 0) continue;
    if (std::abs(numerator * std::numbers::pi / denominator - value) <= 2 * DBL_EPSILON * std::abs(value))
      return Fraction{static_cast<int>(numerator), denominator};
  }
  return std::nullopt;
}

// A positive number in front of a product.
Ratio latex_ratio(double size) {
  if (size == 1) return {};
  if (const auto fraction = small_fraction(size); fraction && size != std::floor(size))
    return {fraction->numerator == 1 ? "" : std::to_string(fraction->numerator), std::to_string(fraction->denominator)};
  if (const auto part = small_part_of_pi(size))
    return {part->numerator == 1 ? "\\pi" : fmt::format("{} \\, \\pi", part->numerator),
            part->denominator == 1 ? "" : std::to_string(part->denominator)};
  return {latex_number(size), ""};
}

std::string on_one_line(const Ratio& ratio) {
  return ratio.below.empty() ? ratio.above
                             : fmt::format("\\frac{{{}}}{{{}}}", ratio.above.empty() ? "1" : ratio.above, ratio.below);
}

constexpr std::size_t longest_decimal = 9;  // a number of more digits that has a simple name is called by it

// A positive number on its own.
std::string latex_constant(double size) {
  const std::string number = latex_number(size);
  if (number.size() <= longest_decimal) return number;
  return on_one_line(latex_ratio(size));
}

// When the limit is reached, what is open is still closed, so that the result compiles.
class LatexPrinter final : public StackPrinter {
 public:
  LatexPrinter(const ExprPool& pool, std::size_t limit)
      : StackPrinter(pool, limit, {"\\left(", "\\right)", " \\dots ", true}) {}

 private:
  void open(Expr e, Precedence wanted, bool unsigned_) override {
    if (reads_as_product(pool_, e)) return product(e, wanted, unsigned_);
    switch (pool_.op(e)) {
      case Op::constant: {
        const double value = unsigned_ ? std::abs(pool_.value(e)) : pool_.value(e);
        const std::string number = (value < 0 ? "-" : "") + latex_constant(std::abs(value));
        const bool composed = number.find_first_of("^\\") != std::string::npos && !std::isinf(value);
        return enclose((value < 0 && wanted >= Precedence::product) || (composed && wanted == Precedence::atom),
                       [&] { text(number); });
      }
      case Op::symbol: return text(latex_name(pool_.symbol(e).name));
      case Op::add: return sum(e, wanted);
      case Op::pow: {
        const Expr base = pool_.args(e)[0];
        const Expr exponent = pool_.args(e)[1];
        if (pool_.is_constant(exponent)) return open_factor({base, pool_.value(exponent)}, wanted);
        return enclose(wanted > Precedence::power, [&] {
          text("{");
          expr(base, Precedence::atom);
          close("}^{");
          expr(exponent, Precedence::any);
          close("}");
        });
      }
      case Op::less: return binary(e, " < ", Precedence::comparison, Precedence::sum, wanted);
      case Op::less_equal: return binary(e, " \\le ", Precedence::comparison, Precedence::sum, wanted);
      case Op::equal: return binary(e, " = ", Precedence::comparison, Precedence::sum, wanted);
      case Op::logic_not:
        return enclose(wanted > Precedence::logic_not, [&] {
          text("\\lnot ");
          expr(pool_.args(e)[0], Precedence::atom);
        });
      case Op::logic_and: return binary(e, " \\land ", Precedence::logic_and, Precedence::comparison, wanted);
      case Op::logic_or: return binary(e, " \\lor ", Precedence::logic_or, Precedence::comparison, wanted);
      case Op::select: return cases(e, wanted);
      case Op::implicit:
        if (pool_.implicit_of(e).kind == ImplicitGauge::table)
          return call(latex_name(implicit_name(pool_, e)), pool_.args(e).subspan(2));
        if (pool_.implicit_of(e).kind == ImplicitGauge::touch) {
          return call(fmt::format("g_{{{}}}", implicit_name(pool_, e).substr(6)), pool_.args(e).last(1));
        }
        return call(fmt::format("k_{{{}}}", implicit_name(pool_, e).substr(6)), pool_.args(e).subspan(2));
      default: return function(function_of(pool_.op(e))->latex, pool_.args(e));
    }
  }

  void function(const LatexForm& form, std::span<const Expr> args) {
    if (form.right == nullptr) return call(form.left, args);
    text(form.left);
    expr(args[0], Precedence::any);
    close(form.right);
  }

  void factors(const std::string& number, const std::vector<ReadFactor>& list) {
    if (!number.empty()) text(number);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const bool digits = pool_.is_constant(list[i].base);
      if (i > 0 || !number.empty()) text(digits ? " \\cdot " : " \\, ");
      factor(list[i], !number.empty() || list.size() > 1 ? Precedence::power : Precedence::any);
    }
  }

  void product(Expr e, Precedence wanted, bool unsigned_) {
    const ReadProduct p = read_product(pool_, e);
    const double size = std::abs(p.coefficient);
    const bool minus = !unsigned_ && p.coefficient < 0;
    Ratio ratio = latex_ratio(size);
    enclose(wanted > Precedence::product || (minus && wanted >= Precedence::product), [&] {
      if (minus) text("-");
      if (p.denominator.empty()) {  // a number in front of a plain product: \frac{1}{2} m v^2
        const std::string number = on_one_line(ratio);
        if (number.empty() && p.numerator.size() == 1)  // the sign is all there is
          factor(p.numerator[0], Precedence::power);
        else
          factors(number, p.numerator);
        return;
      }
      text("\\frac{");
      if (ratio.above.empty() && p.numerator.empty()) ratio.above = '1';
      factors(ratio.above, p.numerator);
      close("}{");
      factors(ratio.below, p.denominator);
      close("}");
    });
  }

  void open_factor(const ReadFactor& f, Precedence wanted) override {
    if (f.exponent == 1) return open(f.base, wanted, false);
    if (f.exponent == 0.5) {
      text("\\sqrt{");
      expr(f.base, Precedence::any);
      return close("}");
    }
    std::string exponent = latex_number(f.exponent);
    if (const auto fraction = small_fraction(f.exponent); fraction && f.exponent != std::floor(f.exponent))
      exponent = fmt::format("{}/{}", fraction->numerator, fraction->denominator);
    const ScalarFunction* function = function_of(pool_.op(f.base));
    if (function != nullptr && function->latex.power_in_front && is_whole(f.exponent) && f.exponent > 0)
      return call(fmt::format("{}^{{{}}}", function->latex.left, exponent), pool_.args(f.base));
    enclose(wanted > Precedence::power, [&] {
      text("{");
      expr(f.base, Precedence::atom);
      close("}");
      text(fmt::format("^{{{}}}", exponent));
    });
  }

  void cases(Expr e, Precedence wanted) {
    enclose(wanted > Precedence::any, [&] {
      const auto branches = read_branches(pool_, e);
      text("\\begin{cases} ");
      for (std::size_t i = 0; i + 1 < branches.size(); i += 2) {
        expr(branches[i + 1], Precedence::any);
        text(" & \\text{if } ");
        expr(branches[i], Precedence::any);
        text(" \\\\ ");
      }
      expr(branches.back(), Precedence::any);
      text(" & \\text{otherwise}");
      close(" \\end{cases}");
    });
  }
};

}  // namespace

std::string to_latex(const ExprPool& pool, Expr e, std::size_t limit) { return LatexPrinter(pool, limit).print(e); }

}  // namespace nsmc::sym
