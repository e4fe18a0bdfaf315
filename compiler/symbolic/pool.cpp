// Storage and hash-consing: structure in, id out; equal structure gives the same id.
#include <bit>
#include <cmath>
#include <limits>

#include "compiler/support/internal_check.hpp"
#include "compiler/symbolic/arithmetic.hpp"
#include "compiler/symbolic/pool_impl.hpp"

namespace nsmc::sym {

namespace {

std::uint64_t mix(std::uint64_t state, std::uint64_t word) {
  state = (state ^ word) * 0x9e3779b97f4a7c15u;
  return state ^ (state >> 29);
}

std::uint32_t structural_hash(Op op, std::span<const Expr> arguments, std::uint64_t data) {
  std::uint64_t state = mix(static_cast<std::uint64_t>(op) + 1, data);
  for (Expr argument : arguments) state = mix(state, argument.id + 1u);
  return static_cast<std::uint32_t>(mix(state, arguments.size()) >> 32);
}

bool spoiled(double result) { return !std::isfinite(result) || (result != 0 && !std::isnormal(result)); }

}  // namespace

std::optional<double> fold_product(double a, double b) {
  const double result = a * b;
  if (spoiled(result) || (result == 0 && a != 0 && b != 0)) return std::nullopt;
  return result;
}

std::optional<double> fold_power(double base, double exponent) {
  const double result = power(base, exponent);
  if (spoiled(result) || (result == 0 && base != 0)) return std::nullopt;
  return result;
}

ExprPool::Impl::Impl() : first{0}, slots(1024, 0) {
  constant(0);
  constant(1);
  constant(-1);
}

std::size_t ExprPool::Impl::find_slot(Op op, std::span<const Expr> arguments, std::uint64_t data,
                                      std::uint32_t hash) const {
  const std::size_t mask = slots.size() - 1;
  std::size_t slot = hash & mask;
  for (; slots[slot] != 0; slot = (slot + 1) & mask) {
    const std::uint32_t id = slots[slot] - 1;
    if (hashes[id] != hash || ops[id] != op || payload[id] != data) continue;
    const auto candidate = operands(Expr{id});
    if (std::equal(candidate.begin(), candidate.end(), arguments.begin(), arguments.end())) break;
  }
  return slot;
}

void ExprPool::Impl::grow_slots() {
  std::vector<std::uint32_t> grown(slots.size() * 2, 0);
  const std::size_t mask = grown.size() - 1;
  for (std::uint32_t id = 0; id < ops.size(); ++id) {
    std::size_t slot = hashes[id] & mask;
    while (grown[slot] != 0) slot = (slot + 1) & mask;
    grown[slot] = id + 1;
  }
  slots = std::move(grown);
}

std::optional<Expr> ExprPool::Impl::find(Op op, std::span<const Expr> arguments, std::uint64_t data) const {
  const std::size_t slot = find_slot(op, arguments, data, structural_hash(op, arguments, data));
  if (slots[slot] == 0) return std::nullopt;
  return Expr{slots[slot] - 1};
}

TooLarge::TooLarge() : std::runtime_error("the expressions of the model become too large") {}

Expr ExprPool::Impl::intern(Op op, std::span<const Expr> arguments, std::uint64_t data) {
  charge(arguments.size());
  const std::uint32_t hash = structural_hash(op, arguments, data);
  const std::size_t slot = find_slot(op, arguments, data, hash);
  if (slots[slot] != 0) return Expr{slots[slot] - 1};

  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max() - 1;
  internal_check(ops.size() < most && args.size() + arguments.size() < most, "expression pool: out of ids");
  const auto id = static_cast<std::uint32_t>(ops.size());
  // The arguments may be a view into `args` itself, which a reallocation would leave dangling.
  std::vector<Expr> copy;
  if (args.size() + arguments.size() > args.capacity()) {
    copy.assign(arguments.begin(), arguments.end());
    arguments = copy;
  }
  for (Expr argument : arguments) args.push_back(argument);
  ops.push_back(op);
  first.push_back(static_cast<std::uint32_t>(args.size()));
  payload.push_back(data);
  hashes.push_back(hash);
  slots[slot] = id + 1;
  if (ops.size() * 2 > slots.size()) grow_slots();
  return Expr{id};
}

Expr ExprPool::Impl::constant(double number) {
  if (number == 0) number = 0;  // one zero: the sign of zero is not part of the language
  if (std::isnan(number)) number = std::numeric_limits<double>::quiet_NaN();
  return intern(Op::constant, {}, std::bit_cast<std::uint64_t>(number));
}

double ExprPool::Impl::value(Expr e) const { return std::bit_cast<double>(payload[e.id]); }

Term ExprPool::Impl::split_term(Expr e) {
  if (is_constant(e)) return {one, value(e)};
  if (ops[e.id] != Op::mul || !is_constant(operands(e)[0])) return {e, 1};
  const double coefficient = value(operands(e)[0]);
  return {join_factors(operands(e).subspan(1)), coefficient};
}

Expr ExprPool::Impl::join_term(Term term) {
  if (term.coefficient == 0) return zero;
  if (term.coefficient == 1) return term.core;
  const Expr number = constant(term.coefficient);
  if (term.core == one) return number;
  std::vector<Expr> factors{number};
  if (ops[term.core.id] == Op::mul && operands(term.core).size() <= flatten_limit) {
    const auto inner = operands(term.core);
    factors.insert(factors.end(), inner.begin(), inner.end());
  } else {
    factors.push_back(term.core);
  }
  return intern(Op::mul, factors);
}

Power ExprPool::Impl::split_power(Expr e) const {
  if (ops[e.id] == Op::pow && is_constant(operands(e)[1])) return {operands(e)[0], value(operands(e)[1])};
  return {e, 1};
}

Expr ExprPool::Impl::join_factors(std::span<const Expr> factors) {
  if (factors.empty()) return one;
  if (factors.size() == 1) return factors[0];
  return intern(Op::mul, factors);
}

bool ExprPool::Impl::has_negative_sign(Expr e) const {
  if (is_constant(e)) return value(e) < 0;
  return ops[e.id] == Op::mul && is_constant(operands(e)[0]) && value(operands(e)[0]) < 0;
}

ExprPool::ExprPool() : impl_(std::make_unique<Impl>()) {}
ExprPool::~ExprPool() = default;

Expr ExprPool::constant(double value) { return impl_->constant(value); }

Expr ExprPool::symbol(Source source, std::uint32_t index, std::string_view name) {
  const std::uint64_t key = static_cast<std::uint64_t>(source) << 32 | index;
  if (const auto known = impl_->symbol_ids.find(key); known != impl_->symbol_ids.end()) return known->second;
  impl_->symbols.push_back({std::string(name), source, index});
  const Expr e = impl_->intern(Op::symbol, {}, impl_->symbols.size() - 1);
  impl_->symbol_ids.emplace(key, e);
  return e;
}

Op ExprPool::op(Expr e) const { return impl_->ops[e.id]; }
std::span<const Expr> ExprPool::args(Expr e) const { return impl_->operands(e); }
std::size_t ExprPool::size() const { return impl_->ops.size(); }

double ExprPool::value(Expr e) const {
  internal_check(is_constant(e), "value of an expression that is no constant");
  return impl_->value(e);
}

const Symbol& ExprPool::symbol(Expr e) const {
  internal_check(op(e) == Op::symbol, "symbol of an expression that is no symbol");
  return impl_->symbols[impl_->payload[e.id]];
}

bool ExprPool::is_constant(Expr e, double value) const { return is_constant(e) && impl_->value(e) == value; }

}  // namespace nsmc::sym
