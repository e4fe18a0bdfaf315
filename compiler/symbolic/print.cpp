// Expressions as .nsm text with as few parentheses as reading needs.
#include <cmath>

#include "compiler/symbolic/implicit.hpp"
#include "compiler/symbolic/stack_printer.hpp"

namespace nsmc::sym {

namespace {

class InfixPrinter final : public StackPrinter {
 public:
  InfixPrinter(const ExprPool& pool, std::size_t limit) : StackPrinter(pool, limit, {"(", ")", "...", false}) {}

 private:
  void open(Expr e, Precedence wanted, bool unsigned_) override {
    if (reads_as_product(pool_, e)) return product(e, wanted, unsigned_);
    switch (pool_.op(e)) {
      case Op::constant: {
        const double value = unsigned_ ? std::abs(pool_.value(e)) : pool_.value(e);
        return enclose(value < 0 && wanted >= Precedence::product, [&] { text(read_number(value)); });
      }
      case Op::symbol: return text(pool_.symbol(e).name);
      case Op::add: return sum(e, wanted);
      case Op::pow: {
        const Expr exponent = pool_.args(e)[1];
        if (pool_.is_constant(exponent)) return open_factor({pool_.args(e)[0], pool_.value(exponent)}, wanted);
        return binary(e, "^", Precedence::power, Precedence::atom, wanted);
      }
      case Op::less: return binary(e, " < ", Precedence::comparison, Precedence::sum, wanted);
      case Op::less_equal: return binary(e, " <= ", Precedence::comparison, Precedence::sum, wanted);
      case Op::equal: return binary(e, " == ", Precedence::comparison, Precedence::sum, wanted);
      case Op::logic_not:
        return enclose(wanted > Precedence::logic_not, [&] {
          text("not ");
          expr(pool_.args(e)[0], Precedence::atom);
        });
      case Op::logic_and: return binary(e, " and ", Precedence::logic_and, Precedence::logic_and, wanted);
      case Op::logic_or: return binary(e, " or ", Precedence::logic_or, Precedence::logic_or, wanted);
      case Op::select: return piecewise(e, wanted);
      case Op::implicit:
        if (pool_.implicit_of(e).kind == ImplicitGauge::touch)
          return call(implicit_name(pool_, e), pool_.args(e).last(1));
        return call(implicit_name(pool_, e), pool_.args(e).subspan(2));
      default: return call(function_of(pool_.op(e))->name, pool_.args(e));
    }
  }

  void product(Expr e, Precedence wanted, bool unsigned_) {
    const ReadProduct p = read_product(pool_, e);
    const double size = std::abs(p.coefficient);
    const bool minus = !unsigned_ && p.coefficient < 0;
    enclose(wanted > Precedence::product || (minus && wanted >= Precedence::product), [&] {
      if (minus) text("-");
      bool first = true;
      if (size != 1 || p.numerator.empty()) {
        text(read_number(size));
        first = false;
      }
      for (const ReadFactor& f : p.numerator) {
        if (!first) text("*");
        factor(f, Precedence::power);
        first = false;
      }
      if (p.denominator.empty()) return;
      text("/");
      enclose(p.denominator.size() > 1, [&] {
        for (std::size_t i = 0; i < p.denominator.size(); ++i) {
          if (i > 0) text("*");
          factor(p.denominator[i], Precedence::power);
        }
      });
    });
  }

  void open_factor(const ReadFactor& f, Precedence wanted) override {
    if (f.exponent == 1) return open(f.base, wanted, false);
    if (f.exponent == 0.5) return call("sqrt", std::span(&f.base, 1));
    enclose(wanted > Precedence::power, [&] {
      expr(f.base, Precedence::atom);
      text("^");
      text(read_number(f.exponent));
    });
  }

  void piecewise(Expr e, Precedence wanted) {
    enclose(wanted > Precedence::any, [&] {
      const auto branches = read_branches(pool_, e);
      text("piecewise { ");
      for (std::size_t i = 0; i + 1 < branches.size(); i += 2) {
        expr(branches[i], Precedence::any);
        text(" : ");
        expr(branches[i + 1], Precedence::any);
        text(", ");
      }
      text("else : ");
      expr(branches.back(), Precedence::any);
      text(" }");
    });
  }
};

}  // namespace

std::string to_infix(const ExprPool& pool, Expr e, std::size_t limit) { return InfixPrinter(pool, limit).print(e); }

}  // namespace nsmc::sym
