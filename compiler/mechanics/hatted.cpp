#include "compiler/mechanics/hatted.hpp"

#include <algorithm>
#include <string>

#include "compiler/mechanics/linear_algebra.hpp"

namespace nsmc {

using sym::Expr;
using sym::Source;

namespace {

Matrix zeros(sym::ExprPool& pool, std::size_t rows, std::size_t cols) {
  return {rows, cols, std::vector<Expr>(rows * cols, pool.constant(0))};
}

void append(std::vector<Expr>& to, const std::vector<Expr>& from) { to.insert(to.end(), from.begin(), from.end()); }

void copy_into(Matrix& to, const Matrix& from, std::size_t first_row, std::size_t first_col) {
  for (std::size_t i = 0; i < from.rows; ++i) {
    for (std::size_t j = 0; j < from.cols; ++j) to(first_row + i, first_col + j) = from(i, j);
  }
}

void hat(sym::ExprPool& pool, const ContactEquation& contact, const LawEquation& law, HattedContact& hatted) {
  Matrix W{contact.W.rows, law.size, {}};
  for (std::size_t i = 0; i < W.rows; ++i) {
    for (const std::size_t row : law.velocities) W.entries.push_back(contact.W(i, row));
  }
  std::vector<Expr> chi;
  for (const std::size_t row : law.velocities) {
    chi.push_back(contact.chi[row]);
    hatted.gamma.push_back(contact.gamma.at(row));
  }
  const Matrix AtB = multiply(pool, transpose(law.A), law.B);
  copy_into(hatted.W, multiply(pool, W, law.A), 0, law.first);
  copy_into(hatted.V, multiply(pool, W, transpose(AtB)), 0, law.first);
  copy_into(hatted.C, multiply(pool, multiply(pool, transpose(law.A), law.D), law.A), law.first, law.first);
  append(hatted.chi, multiply(pool, AtB, chi));
  append(hatted.restitution, law.restitution);
  append(hatted.lambda, multiply(pool, law.A, std::span(hatted.lambda_hat).subspan(law.first, law.size)));
  hatted.mapped = hatted.mapped || !law.identity_B;
  hatted.compliant = hatted.compliant || !law.zero_D;
  hatted.same_velocities = hatted.same_velocities && law.identity_B && law.identity_A && law.zero_D;
}

// The row of gamma[0], the rate of the gap.
void find_normal(const sym::ExprPool& pool, const ContactEquation& contact, HattedContact& hatted) {
  const auto is_unit = [&](const Matrix& m) { return pool.is_constant(m(0, 0), 1) || pool.is_constant(m(0, 0), -1); };
  for (const LawEquation& law : contact.laws) {
    if (std::find(law.velocities.begin(), law.velocities.end(), 0U) == law.velocities.end()) continue;
    if (law.size == 1 && is_unit(law.A) && is_unit(law.B) && law.zero_D) {
      hatted.normal = HattedContact::Normal::row;
      hatted.normal_row = law.first;
      return;
    }
    hatted.normal = HattedContact::Normal::mixed;
  }
}

}  // namespace

HattedContact hat(sym::ExprPool& pool, const ContactEquation& contact) {
  HattedContact hatted;
  for (const LawEquation& law : contact.laws) hatted.n_rows += law.size;
  for (std::size_t i = 0; i < hatted.n_rows; ++i) {
    hatted.lambda_hat.push_back(
        pool.symbol(Source::force, static_cast<std::uint32_t>(i), "lambda^[" + std::to_string(i + 1) + "]"));
  }
  hatted.W = hatted.V = zeros(pool, contact.W.rows, hatted.n_rows);
  hatted.C = zeros(pool, hatted.n_rows, hatted.n_rows);
  for (const LawEquation& law : contact.laws) hat(pool, contact, law, hatted);
  hatted.same_forces = hatted.lambda == hatted.lambda_hat;
  if (!contact.gap.empty() && !contact.always_closed) find_normal(pool, contact, hatted);
  return hatted;
}

std::vector<Expr> in_hatted_forces(sym::ExprPool& pool, const HattedContact& hatted, std::span<const Expr> exprs) {
  return sym::substitute(pool, exprs, [&](Expr s) {
    const sym::Symbol& symbol = pool.symbol(s);
    if (symbol.source != Source::force || symbol.index < kUserForce) return s;
    return hatted.lambda.at(force_row(symbol.index));
  });
}

std::vector<Expr> zeta_hat(sym::ExprPool& pool, const Equations& equations, const ContactEquation& contact,
                           const HattedContact& hatted) {
  std::vector<Expr> u;
  for (const std::size_t r : contact.references) {
    const std::size_t n_u = equations.blocks[equations.references[r].block].u.size();
    for (std::size_t k = 0; k < n_u; ++k) u.push_back(pool.symbol(Source::velocity, variable_index(r, k), ""));
  }
  std::vector<Expr> gamma = multiply(pool, transpose(hatted.V), u);
  for (std::size_t i = 0; i < gamma.size(); ++i) gamma[i] = pool.add(gamma[i], hatted.chi[i]);
  return zeta_of(pool, equations, contact.references, gamma);
}

}  // namespace nsmc
