// Sums in normal form: flattened, like terms collected, constant first, sin^2 + cos^2 = 1.
//
// Decision: a term c*(a + b) inside a sum is distributed (so that a - (a + b) cancels), while c*(a + b) on its own
// stays a product (so that derivatives stay compact).
#include <algorithm>
#include <array>
#include <cmath>

#include "compiler/symbolic/pool_impl.hpp"

namespace nsmc::sym {

namespace {

using Terms = std::vector<Term>;

bool by_core(const Term& a, const Term& b) { return a.core.id < b.core.id; }

}  // namespace

// The steps from operands to a normal sum; a step that would overflow or underflow says so by returning false.
struct ExprPool::Impl::SumBuilder {
  Impl& pool;
  Terms terms{};

  bool gather(std::span<const Expr> operands) {
    for (Expr operand : operands) {
      const Term outer = pool.split_term(operand);
      const std::size_t count = pool.operands(outer.core).size();
      if (pool.ops[outer.core.id] != Op::add || count > flatten_limit) {
        terms.push_back(outer);
        continue;
      }
      for (std::size_t i = 0; i < count; ++i) {
        const Term inner = pool.split_term(pool.operands(outer.core)[i]);
        const auto coefficient = fold_product(outer.coefficient, inner.coefficient);
        if (!coefficient) return false;
        terms.push_back({inner.core, *coefficient});
      }
    }
    return true;
  }

  bool collect() {
    std::stable_sort(terms.begin(), terms.end(), by_core);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < terms.size();) {
      Term sum = terms[i];
      for (++i; i < terms.size() && terms[i].core == sum.core; ++i) sum.coefficient += terms[i].coefficient;
      if (!std::isfinite(sum.coefficient)) return false;
      if (sum.coefficient != 0) terms[kept++] = sum;
    }
    terms.resize(kept);
    return true;
  }

  // k R sin(x)^2 + k R cos(x)^2 = k R, as often as it applies.
  bool collapse_squares() {
    for (;;) {
      const std::size_t count = terms.size();
      bool found = false;
      for (std::size_t i = 0; i < count; ++i)
        if (terms[i].coefficient != 0) found |= collapse_with_partner(i, count);
      if (!found) return true;
      if (!collect()) return false;
    }
  }

  Expr build() {
    std::vector<Expr> operands;
    operands.reserve(terms.size());
    for (const Term& term : terms) operands.push_back(pool.join_term(term));
    if (operands.empty()) return zero;
    if (operands.size() == 1) return operands[0];
    return pool.intern(Op::add, operands);
  }

 private:
  // Looks for the cosine term that belongs to the sine term i among the first `count`; both get coefficient zero and
  // what remains is appended.
  bool collapse_with_partner(std::size_t i, std::size_t count) {
    const Expr core = terms[i].core;
    if (pool.ops[core.id] != Op::mul) {
      const auto partner_factor = cosine_square(core);
      return partner_factor && collapse_pair(i, *partner_factor, one, count);
    }
    for (std::size_t f = 0; f < pool.operands(core).size(); ++f) {
      const auto partner_factor = cosine_square(pool.operands(core)[f]);
      if (!partner_factor) continue;
      std::vector<Expr> factors(pool.operands(core).begin(), pool.operands(core).end());
      std::vector<Expr> rest = factors;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(f));
      factors[f] = *partner_factor;
      std::stable_sort(factors.begin(), factors.end(),
                       [&](Expr a, Expr b) { return pool.split_power(a).base.id < pool.split_power(b).base.id; });
      const auto partner = pool.find(Op::mul, factors);
      if (partner && has_term(*partner, terms[i].coefficient, count) &&
          collapse_pair(i, *partner, pool.join_factors(rest), count))
        return true;
    }
    return false;
  }

  std::size_t position(Expr core, std::size_t count) const {
    const auto end = terms.begin() + static_cast<std::ptrdiff_t>(count);
    const auto at = std::lower_bound(terms.begin(), end, Term{core, 0}, by_core);
    return at != end && at->core == core ? static_cast<std::size_t>(at - terms.begin()) : count;
  }

  bool has_term(Expr core, double coefficient, std::size_t count) const {
    const std::size_t at = position(core, count);
    return at != count && terms[at].coefficient == coefficient;
  }

  bool collapse_pair(std::size_t i, Expr partner, Expr rest, std::size_t count) {
    if (!has_term(partner, terms[i].coefficient, count)) return false;
    terms.push_back({rest, terms[i].coefficient});
    terms[position(partner, count)].coefficient = 0;
    terms[i].coefficient = 0;
    return true;
  }

  // cos(x)^2 for sin(x)^2, if the pool has it: an expression that does not exist is not in this sum.
  std::optional<Expr> cosine_square(Expr factor) const {
    const Power square = pool.split_power(factor);
    if (square.exponent != 2 || pool.ops[square.base.id] != Op::sin) return std::nullopt;
    const auto cosine = pool.find(Op::cos, pool.operands(square.base));
    if (!cosine) return std::nullopt;
    return pool.find(Op::pow, std::array{*cosine, pool.operands(factor)[1]});
  }
};

Expr ExprPool::add(std::span<const Expr> operands) {
  if (operands.empty()) return zero;
  if (operands.size() == 1) return operands[0];
  impl_->charge(operands.size());
  const std::vector<Expr> copy(operands.begin(), operands.end());  // the span may point into the pool, which grows
  Impl::SumBuilder sum{*impl_};
  if (sum.gather(copy) && sum.collect() && sum.collapse_squares()) return sum.build();
  return impl_->intern(Op::add, copy);
}

Expr ExprPool::add(Expr a, Expr b) {
  if (a == zero) return b;
  if (b == zero) return a;
  return add(std::array{a, b});
}

Expr ExprPool::sub(Expr a, Expr b) { return add(a, neg(b)); }

}  // namespace nsmc::sym
