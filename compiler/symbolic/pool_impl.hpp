// The inside of ExprPool: nodes in flat arrays and a hash table from structure to id. Only the files that build
// normal forms include this.
#pragma once

#include <deque>
#include <optional>
#include <unordered_map>

#include "compiler/symbolic/expr.hpp"

namespace nsmc::sym {

// Nested sums and products with more operands than this stay operands of their own instead of being merged into the
// outer one. Without a bound, a chain s_k = s_(k-1) + x_k would store k operands for each k: quadratic memory.
inline constexpr std::size_t flatten_limit = 64;

// Known from the start, so that tests against them cost nothing. Expr{} is the constant 0.
inline constexpr Expr zero{0};
inline constexpr Expr one{1};
inline constexpr Expr minus_one{2};

// coefficient * core; a constant c is c * one.
struct Term {
  Expr core;
  double coefficient = 1;
};

// base ^ exponent; anything but a power with a constant exponent is its own base.
struct Power {
  Expr base;
  double exponent = 1;
};

struct ExprPool::Impl {
  std::vector<Op> ops;
  std::vector<std::uint32_t> first;    // arguments of node i: args[first[i]] ... args[first[i + 1] - 1]
  std::vector<Expr> args;              // an argument's id is smaller than its user's
  std::vector<std::uint64_t> payload;  // bits of a constant, position of a symbol in `symbols`
  std::vector<std::uint32_t> hashes;
  std::vector<std::uint32_t> slots;  // open addressing; id + 1, 0 is free; a power of two of them
  std::deque<Symbol> symbols;        // references to them stay valid
  std::unordered_map<std::uint64_t, Expr> symbol_ids;
  std::deque<ImplicitGauge> implicit_gauges;  // references to them stay valid
  std::uint64_t operands_seen = 0;

  void charge(std::size_t operands) {
    operands_seen += operands + 1;
    if (operands_seen > most_operands) throw TooLarge();
  }

  Impl();
  Expr intern(Op op, std::span<const Expr> arguments, std::uint64_t data = 0);  // as it is, no normal form
  std::optional<Expr> find(Op op, std::span<const Expr> arguments, std::uint64_t data = 0) const;
  Expr constant(double value);
  double value(Expr e) const;
  bool is_constant(Expr e) const { return ops[e.id] == Op::constant; }
  std::span<const Expr> operands(Expr e) const {
    return std::span<const Expr>(args).subspan(first[e.id], first[e.id + 1] - first[e.id]);
  }

  Term split_term(Expr e);
  Expr join_term(Term term);
  Power split_power(Expr e) const;
  // A product of factors in normal form and in order; none is `one`, a single one is itself.
  Expr join_factors(std::span<const Expr> factors);
  bool has_negative_sign(Expr e) const;  // a negative constant or coefficient

  struct SumBuilder;      // simplify_sum.cpp
  struct ProductBuilder;  // simplify_product.cpp

 private:
  std::size_t find_slot(Op op, std::span<const Expr> arguments, std::uint64_t data, std::uint32_t hash) const;
  void grow_slots();
};

// The product of two coefficients, if neither overflow nor underflow spoils it; folding must stay exact.
std::optional<double> fold_product(double a, double b);
std::optional<double> fold_power(double base, double exponent);

}  // namespace nsmc::sym
