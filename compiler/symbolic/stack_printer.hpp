// What the printers of expressions share: a stack of things still to print instead of recursion, so that depth costs no
// call stack and the work is bounded by the length of the output; and the layout of sums, calls and parentheses.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compiler/symbolic/reading_order.hpp"

namespace nsmc::sym {

// What binds tighter is larger. An expression in a place that asks for more than it has gets parentheses.
enum class Precedence { any, logic_or, logic_and, logic_not, comparison, sum, product, power, atom };

class StackPrinter {
 public:
  struct Style {
    const char *left, *right;  // parentheses
    const char* cut;           // what stands for the rest of a text that is too long
    bool close_after_cut;      // whether what is open is still closed then
  };

  StackPrinter(const ExprPool& pool, std::size_t limit, Style style) : pool_(pool), limit_(limit), style_(style) {}
  virtual ~StackPrinter() = default;

  std::string print(Expr root) {
    expr(root, Precedence::any);
    flush();
    bool cut = false;
    while (!stack_.empty()) {
      const Item item = std::move(stack_.back());
      stack_.pop_back();
      // Not before a text: those that open something stand before the first part of what they open.
      if (!cut && out_.size() > limit_ && item.kind != Kind::close && item.kind != Kind::text) {
        cut = true;
        if (!style_.close_after_cut) break;
        out_ += style_.cut;
      }
      if (item.kind == Kind::close || (item.kind == Kind::text && !cut)) {
        out_ += item.text;
      } else if (!cut) {
        if (item.kind == Kind::factor)
          open_factor({item.e, item.exponent}, item.level);
        else
          open(item.e, item.level, item.kind == Kind::magnitude);
        flush();
      }
    }
    if (!style_.close_after_cut && out_.size() > limit_) {
      std::size_t end = limit_;
      while (end > 0 && (static_cast<unsigned char>(out_[end]) & 0xC0u) == 0x80u) --end;  // not inside a UTF-8 letter
      out_.resize(end);
      out_ += style_.cut;
    }
    return std::move(out_);
  }

 protected:
  virtual void open(Expr e, Precedence wanted, bool unsigned_) = 0;
  virtual void open_factor(const ReadFactor& f, Precedence wanted) = 0;

  void text(std::string s) { pending_.push_back({Kind::text, std::move(s), {}}); }
  void close(std::string s) { pending_.push_back({Kind::close, std::move(s), {}}); }  // closes what `text` has opened
  void expr(Expr e, Precedence level) { pending_.push_back({Kind::expr, {}, e, level}); }
  void magnitude(Expr e, Precedence level) { pending_.push_back({Kind::magnitude, {}, e, level}); }  // without its sign
  void factor(const ReadFactor& f, Precedence level) {
    pending_.push_back({Kind::factor, {}, f.base, level, f.exponent});
  }

  template <typename Body>
  void enclose(bool parentheses, Body body) {
    if (parentheses) text(style_.left);
    body();
    if (parentheses) close(style_.right);
  }

  void call(const std::string& name, std::span<const Expr> args) {
    text(name + style_.left);
    for (std::size_t i = 0; i < args.size(); ++i) {
      if (i > 0) text(", ");
      expr(args[i], Precedence::any);
    }
    close(style_.right);
  }

  void binary(Expr e, const char* sign, Precedence own, Precedence side, Precedence wanted) {
    enclose(wanted > own, [&] {
      expr(pool_.args(e)[0], side);
      text(sign);
      expr(pool_.args(e)[1], side);
    });
  }

  void sum(Expr e, Precedence wanted) {
    enclose(wanted > Precedence::sum, [&] {
      bool first = true;
      for (Expr term : read_sum(pool_, e)) {
        const bool negative = reads_negative(pool_, term);
        if (first)
          text(negative ? "-" : "");
        else
          text(negative ? " - " : " + ");
        magnitude(term, Precedence::product);
        first = false;
      }
    });
  }

  const ExprPool& pool_;

 private:
  enum class Kind { text, close, expr, magnitude, factor };
  struct Item {
    Kind kind;
    std::string text;
    Expr e;
    Precedence level = Precedence::any;
    double exponent = 1;
  };

  // What was said last is printed last, so it goes deepest.
  void flush() {
    for (; !pending_.empty(); pending_.pop_back()) stack_.push_back(std::move(pending_.back()));
  }

  std::size_t limit_;
  Style style_;
  std::string out_;
  std::vector<Item> stack_;
  std::vector<Item> pending_;
};

}  // namespace nsmc::sym
