// Expressions as .nsm text with as few parentheses as reading needs.
#include <cmath>

#include "compiler/symbolic/reading_order.hpp"

namespace nsmc::sym {

namespace {

// What binds tighter is larger. An expression in a place that asks for more than it has gets parentheses.
enum class Level { any, logic_or, logic_and, logic_not, comparison, sum, product, power, atom };

const char* function_name(Op op) {
  switch (op) {
    case Op::sin:
      return "sin";
    case Op::cos:
      return "cos";
    case Op::tan:
      return "tan";
    case Op::asin:
      return "asin";
    case Op::acos:
      return "acos";
    case Op::atan:
      return "atan";
    case Op::sinh:
      return "sinh";
    case Op::cosh:
      return "cosh";
    case Op::tanh:
      return "tanh";
    case Op::exp:
      return "exp";
    case Op::log:
      return "log";
    case Op::abs:
      return "abs";
    case Op::sign:
      return "sign";
    case Op::atan2:
      return "atan2";
    case Op::hypot:
      return "hypot";
    case Op::min:
      return "min";
    case Op::max:
      return "max";
    default:
      return "";
  }
}

// Top down with a stack of things still to print, so that depth costs no call stack and the work is bounded by the
// length of the output.
class InfixPrinter {
 public:
  InfixPrinter(const ExprPool& pool, std::size_t limit) : pool_(pool), limit_(limit) {}

  std::string print(Expr root) {
    expr(root, Level::any);
    flush();
    while (!stack_.empty() && out_.size() <= limit_) {
      const Item item = std::move(stack_.back());
      stack_.pop_back();
      if (item.kind == Kind::text) {
        out_ += item.text;
      } else {
        if (item.kind == Kind::factor)
          open_factor({item.e, item.exponent}, item.level);
        else
          open(item.e, item.level, item.kind == Kind::magnitude);
        flush();
      }
    }
    if (out_.size() > limit_) {
      std::size_t end = limit_;
      while (end > 0 && (static_cast<unsigned char>(out_[end]) & 0xC0u) == 0x80u) --end;  // not inside a UTF-8 letter
      out_.resize(end);
      out_ += "...";
    }
    return std::move(out_);
  }

 private:
  enum class Kind { text, expr, magnitude, factor };
  struct Item {
    Kind kind;
    std::string text;
    Expr e;
    Level level = Level::any;
    double exponent = 1;
  };

  void text(std::string s) { pending_.push_back({Kind::text, std::move(s), {}}); }
  void expr(Expr e, Level level) { pending_.push_back({Kind::expr, {}, e, level}); }
  void magnitude(Expr e, Level level) { pending_.push_back({Kind::magnitude, {}, e, level}); }  // without its sign
  void factor(const ReadFactor& f, Level level) { pending_.push_back({Kind::factor, {}, f.base, level, f.exponent}); }
  // What was said last is printed last, so it goes deepest.
  void flush() {
    for (; !pending_.empty(); pending_.pop_back()) stack_.push_back(std::move(pending_.back()));
  }

  template <typename Body>
  void enclose(bool parentheses, Body body) {
    if (parentheses) text("(");
    body();
    if (parentheses) text(")");
  }

  void call(const char* name, std::span<const Expr> args) {
    text(std::string(name) + "(");
    for (std::size_t i = 0; i < args.size(); ++i) {
      if (i > 0) text(", ");
      expr(args[i], Level::any);
    }
    text(")");
  }

  void binary(Expr e, const char* sign, Level own, Level left, Level right, Level wanted) {
    enclose(wanted > own, [&] {
      expr(pool_.args(e)[0], left);
      text(sign);
      expr(pool_.args(e)[1], right);
    });
  }

  void open(Expr e, Level wanted, bool unsigned_) {
    if (reads_as_product(pool_, e)) return product(e, wanted, unsigned_);
    switch (pool_.op(e)) {
      case Op::constant: {
        const double value = unsigned_ ? std::abs(pool_.value(e)) : pool_.value(e);
        return enclose(value < 0 && wanted >= Level::product, [&] { text(read_number(value)); });
      }
      case Op::symbol:
        return text(pool_.symbol(e).name);
      case Op::add:
        return sum(e, wanted);
      case Op::pow: {
        const Expr exponent = pool_.args(e)[1];
        if (pool_.is_constant(exponent)) return open_factor({pool_.args(e)[0], pool_.value(exponent)}, wanted);
        return binary(e, "^", Level::power, Level::atom, Level::atom, wanted);
      }
      case Op::less:
        return binary(e, " < ", Level::comparison, Level::sum, Level::sum, wanted);
      case Op::less_equal:
        return binary(e, " <= ", Level::comparison, Level::sum, Level::sum, wanted);
      case Op::equal:
        return binary(e, " == ", Level::comparison, Level::sum, Level::sum, wanted);
      case Op::logic_not:
        return enclose(wanted > Level::logic_not, [&] {
          text("not ");
          expr(pool_.args(e)[0], Level::atom);
        });
      case Op::logic_and:
        return binary(e, " and ", Level::logic_and, Level::logic_and, Level::logic_and, wanted);
      case Op::logic_or:
        return binary(e, " or ", Level::logic_or, Level::logic_or, Level::logic_or, wanted);
      case Op::select:
        return piecewise(e, wanted);
      default:
        return call(function_name(pool_.op(e)), pool_.args(e));
    }
  }

  void sum(Expr e, Level wanted) {
    enclose(wanted > Level::sum, [&] {
      bool first = true;
      for (Expr term : read_sum(pool_, e)) {
        const bool negative = reads_negative(pool_, term);
        if (first)
          text(negative ? "-" : "");
        else
          text(negative ? " - " : " + ");
        magnitude(term, Level::product);
        first = false;
      }
    });
  }

  void product(Expr e, Level wanted, bool unsigned_) {
    const ReadProduct p = read_product(pool_, e);
    const double size = std::abs(p.coefficient);
    const bool minus = !unsigned_ && p.coefficient < 0;
    enclose(wanted > Level::product || (minus && wanted >= Level::product), [&] {
      if (minus) text("-");
      bool first = true;
      if (size != 1 || p.numerator.empty()) {
        text(read_number(size));
        first = false;
      }
      for (const ReadFactor& f : p.numerator) {
        if (!first) text("*");
        factor(f, Level::power);
        first = false;
      }
      if (p.denominator.empty()) return;
      text("/");
      enclose(p.denominator.size() > 1, [&] {
        for (std::size_t i = 0; i < p.denominator.size(); ++i) {
          if (i > 0) text("*");
          factor(p.denominator[i], Level::power);
        }
      });
    });
  }

  void open_factor(const ReadFactor& f, Level wanted) {
    if (f.exponent == 1) return open(f.base, wanted, false);
    if (f.exponent == 0.5) return call("sqrt", std::span(&f.base, 1));
    enclose(wanted > Level::power, [&] {
      expr(f.base, Level::atom);
      text("^");
      text(read_number(f.exponent));
    });
  }

  void piecewise(Expr e, Level wanted) {
    enclose(wanted > Level::any, [&] {
      const auto branches = read_branches(pool_, e);
      text("piecewise { ");
      for (std::size_t i = 0; i + 1 < branches.size(); i += 2) {
        expr(branches[i], Level::any);
        text(" : ");
        expr(branches[i + 1], Level::any);
        text(", ");
      }
      text("else : ");
      expr(branches.back(), Level::any);
      text(" }");
    });
  }

  const ExprPool& pool_;
  std::size_t limit_;
  std::string out_;
  std::vector<Item> stack_;
  std::vector<Item> pending_;
};

}  // namespace

std::string to_infix(const ExprPool& pool, Expr e, std::size_t limit) { return InfixPrinter(pool, limit).print(e); }

}  // namespace nsmc::sym
