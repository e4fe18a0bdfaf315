// The kernels of a contact: laws are brought to the simple sets (the hatted quantities of [Möller 2009, (41)]).
#include <fmt/core.h>

#include <algorithm>

#include "compiler/codegen/plan.hpp"
#include "compiler/mechanics/coefficients.hpp"
#include "compiler/mechanics/linear_algebra.hpp"
#include "compiler/mechanics/vanishing_divisors.hpp"

namespace nsmc {

using sym::Expr;
using sym::Source;

namespace {

Expr hatted_force(sym::ExprPool& pool, std::size_t row) {
  return pool.symbol(Source::force, static_cast<std::uint32_t>(row), fmt::format("lambda^[{}]", row + 1));
}

// lambda = A lambda^, row by row: the user's forces in the hatted ones.
std::vector<Expr> forces_from_hatted(sym::ExprPool& pool, const ContactEquation& contact) {
  std::vector<Expr> lambda;
  for (const LawEquation& law : contact.laws) {
    std::vector<Expr> hatted;
    for (std::size_t k = 0; k < law.size; ++k) hatted.push_back(hatted_force(pool, law.first + k));
    const std::vector<Expr> part = multiply(pool, law.A, hatted);
    lambda.insert(lambda.end(), part.begin(), part.end());
  }
  return lambda;
}

std::vector<Expr> replace_forces(sym::ExprPool& pool, std::span<const Expr> exprs, const std::vector<Expr>& lambda) {
  return sym::substitute(pool, exprs, [&](Expr s) {
    const sym::Symbol& symbol = pool.symbol(s);
    if (symbol.source != Source::force || symbol.index < kUserForce) return s;
    return lambda.at(force_row(symbol.index));
  });
}

// The kinds of sets are those of the kernel table.
constexpr std::uint32_t set_kind(SetKind kind) { return static_cast<std::uint32_t>(kind); }
static_assert(set_kind(SetKind::interval) == NSM_SET_INTERVAL && set_kind(SetKind::ball) == NSM_SET_BALL &&
              set_kind(SetKind::ellipsoid) == NSM_SET_ELLIPSOID && set_kind(SetKind::polygon) == NSM_SET_POLYGON &&
              set_kind(SetKind::gauge) == NSM_SET_GAUGE && set_kind(SetKind::support) == NSM_SET_SUPPORT &&
              set_kind(SetKind::contensou_parabolic) == NSM_SET_CONTENSOU_PARABOLIC &&
              set_kind(SetKind::contensou_uniform) == NSM_SET_CONTENSOU_UNIFORM);

class ContactPlanner {
 public:
  ContactPlanner(sym::ExprPool& pool, const Equations& equations, const ContactEquation& contact, Level level)
      : pool_(pool), e_(equations), contact_(contact), level_(level) {}

  ContactKernels run(std::size_t index, std::vector<KernelSpec>& plan_specs) {
    ContactKernels k;
    k.id = identifier(index, contact_.name);
    k.has_gap = !contact_.gap.empty() && !contact_.always_closed;
    k.n_position = contact_.always_closed ? contact_.gap.size() : 0;
    std::vector<KernelSpec> specs;
    for (const LawEquation& law : contact_.laws) {
      k.n_rows += law.size;
      k.mapped = k.mapped || !law.identity_B;
      k.compliant = k.compliant || !law.zero_D;
      k.same_velocities = k.same_velocities && law.identity_B && law.identity_A && law.zero_D;
    }
    hat(k);
    k.normal = k.has_gap ? normal_row() : std::uint32_t{NSM_NONE};
    arguments(k, specs);

    if (k.has_gap) specs.push_back({"gap_" + k.id, contact_.gap, kGap, {}});
    if (k.n_position > 0) specs.push_back({"position_" + k.id, contact_.gap, kAnyTime, {}});
    const std::vector<Expr> lambda = forces_from_hatted(pool_, contact_);
    k.same_forces = true;
    for (std::size_t i = 0; i < lambda.size(); ++i)
      k.same_forces = k.same_forces && lambda[i] == hatted_force(pool_, i);
    if (!k.same_forces) specs.push_back({"forces_" + k.id, lambda, kAnyTime, {}});
    KernelSpec directions{"directions_" + k.id, {}, kDirections, {}};
    const auto append = [&](const std::vector<Expr>& values) {
      directions.outputs.insert(directions.outputs.end(), values.begin(), values.end());
    };
    append(columns_of(W_));
    if (k.mapped) append(columns_of(V_));
    append(chi_);
    append(restitution_);
    if (k.compliant) append(C_.entries);
    if (k.affine) {
      append(a_);
      append(K_);
    } else {
      specs.push_back({"arguments_" + k.id, arguments_, kAfterDirections, {}});
    }
    specs.push_back(std::move(directions));
    if (level_ == Level::acceleration) {
      specs.push_back({"zeta_" + k.id, zeta(), kAfterDirections, {}});
      if (!k.same_velocities) specs.push_back({"velocities_" + k.id, velocities(), kAnyTime, {}});
    }
    const std::vector<ReferencePlace> places = places_of(contact_.references);
    const bool shares = may_share(e_, contact_.instances, contact_.references);
    for (KernelSpec& spec : specs) {
      spec.places = places;
      if (!shares) spec.stage = kAnyTime;
      plan_specs.push_back(std::move(spec));
    }
    return k;
  }

 private:
  // Column-major, and block after block.
  std::vector<Expr> columns_of(const Matrix& m) const {
    std::vector<Expr> result;
    std::size_t first = 0;
    for (const std::size_t r : contact_.references) {
      const std::size_t n_u = e_.blocks[e_.references[r].block].u.size();
      for (std::size_t j = 0; j < m.cols; ++j) {
        for (std::size_t i = 0; i < n_u; ++i) result.push_back(m(first + i, j));
      }
      first += n_u;
    }
    return result;
  }

  // gamma of every row, as the user knows it.
  std::vector<Expr> velocities() const {
    std::vector<Expr> gamma;
    for (const LawEquation& law : contact_.laws) {
      for (const std::size_t row : law.velocities) gamma.push_back(contact_.gamma.at(row));
    }
    return gamma;
  }

  // W := W A, V := W B^T A, chi := A^T B chi, C := A^T D A, law by law.
  void hat(const ContactKernels& k) {
    const std::size_t n_u = contact_.W.rows;
    W_ = V_ = {n_u, k.n_rows, std::vector<Expr>(n_u * k.n_rows, pool_.constant(0))};
    C_ = {k.n_rows, k.n_rows, std::vector<Expr>(k.n_rows * k.n_rows, pool_.constant(0))};
    for (const LawEquation& law : contact_.laws) {
      Matrix W{n_u, law.size, {}};
      for (std::size_t i = 0; i < n_u; ++i) {
        for (const std::size_t row : law.velocities) W.entries.push_back(contact_.W(i, row));
      }
      std::vector<Expr> chi;
      for (const std::size_t row : law.velocities) chi.push_back(contact_.chi[row]);
      const Matrix AtB = multiply(pool_, transpose(law.A), law.B);
      const Matrix WA = multiply(pool_, W, law.A);
      const Matrix V = multiply(pool_, W, transpose(AtB));
      const Matrix C = multiply(pool_, multiply(pool_, transpose(law.A), law.D), law.A);
      for (std::size_t j = 0; j < law.size; ++j) {
        for (std::size_t i = 0; i < n_u; ++i) {
          W_(i, law.first + j) = WA(i, j);
          V_(i, law.first + j) = V(i, j);
        }
        for (std::size_t i = 0; i < law.size; ++i) C_(law.first + i, law.first + j) = C(i, j);
      }
      const std::vector<Expr> chi_hat = multiply(pool_, AtB, chi);
      chi_.insert(chi_.end(), chi_hat.begin(), chi_hat.end());
      restitution_.insert(restitution_.end(), law.restitution.begin(), law.restitution.end());
    }
  }

  // The row of the gap's rate, gamma[0], if there is a law for it alone.
  std::uint32_t normal_row() const {
    const auto is_unit = [&](const Matrix& m) {
      return pool_.is_constant(m(0, 0), 1) || pool_.is_constant(m(0, 0), -1);
    };
    std::uint32_t found = NSM_NONE;
    for (const LawEquation& law : contact_.laws) {
      if (std::find(law.velocities.begin(), law.velocities.end(), 0U) == law.velocities.end()) continue;
      if (law.size == 1 && is_unit(law.A) && is_unit(law.B) && law.zero_D) return static_cast<std::uint32_t>(law.first);
      found = NSM_MIXED;
    }
    return found;
  }

  // zeta = d/dt(V^T u + chi) - V^T u'
  std::vector<Expr> zeta() {
    std::vector<Expr> u;
    for (const std::size_t r : contact_.references) {
      const std::size_t n_u = e_.blocks[e_.references[r].block].u.size();
      for (std::size_t k = 0; k < n_u; ++k) u.push_back(pool_.symbol(Source::velocity, variable_index(r, k), ""));
    }
    std::vector<Expr> gamma = multiply(pool_, transpose(V_), u);
    for (std::size_t i = 0; i < gamma.size(); ++i) gamma[i] = pool_.add(gamma[i], chi_[i]);
    return zeta_of(pool_, e_, contact_.references, gamma);
  }

  // The kernel of a gauge or support function: value, gradient and Hessian at a point. What does not depend on the
  // point is computed once per step and handed over as coefficients, which are returned.
  std::vector<Expr> set_function(ContactKernels& k, const SimpleSet& set, std::vector<KernelSpec>& specs) {
    std::vector<Expr> coefficients;
    const Expr function = extract_coefficients(pool_, set.function, coefficients);
    std::vector<Expr> x;
    for (std::size_t i = 0; i < set.dim; ++i) x.push_back(set_point(pool_, i));
    KernelSpec spec{fmt::format("set_{}_{}", k.id, k.sets.size() + 1), {function}, kAnyTime, {}, true};
    const std::vector<Expr> gradient = sym::jacobian(pool_, spec.outputs, x);
    const std::vector<Expr> hessian = sym::jacobian(pool_, gradient, x);
    spec.outputs.insert(spec.outputs.end(), gradient.begin(), gradient.end());
    spec.outputs.insert(spec.outputs.end(), hessian.begin(), hessian.end());
    specs.push_back(std::move(spec));
    keep_divisors_from_zero(pool_, set.kind == SetKind::gauge, function, set.dim, coefficients);
    return coefficients;
  }

  // The sets' arguments in the hatted forces, split as a + K lambda^ where they are affine.
  void arguments(ContactKernels& k, std::vector<KernelSpec>& specs) {
    std::vector<Expr> written;
    const auto append = [&](const std::vector<Expr>& values) {
      written.insert(written.end(), values.begin(), values.end());
    };
    for (const LawEquation& law : contact_.laws) {
      std::size_t row = law.first;
      for (const SimpleSet& set : law.sets) {
        nsm_set entry{};
        entry.kind = set_kind(set.kind);
        entry.first_row = static_cast<std::uint32_t>(row);
        entry.dim = static_cast<std::uint32_t>(set.dim);
        entry.first_argument = static_cast<std::uint32_t>(written.size());
        append(set.arguments);
        const std::size_t lengths = row_of(set.kind).lengths;
        entry.n_lengths = static_cast<std::uint32_t>(lengths == 0 ? set.arguments.size() : lengths);
        if (is_by_function(set.kind)) append(set_function(k, set, specs));
        entry.n_arguments = static_cast<std::uint32_t>(written.size()) - entry.first_argument;
        entry.shifted = set.centre.empty() ? 0U : 1U;
        append(set.centre);
        entry.scaled = law.alpha ? 1U : 0U;
        if (law.alpha) append({*law.alpha});
        k.sets.push_back(entry);
        row += set.dim;
      }
    }
    k.n_arguments = written.size();
    arguments_ = replace_forces(pool_, written, forces_from_hatted(pool_, contact_));
    std::vector<Expr> hatted;
    for (std::size_t i = 0; i < k.n_rows; ++i) hatted.push_back(hatted_force(pool_, i));
    K_ = sym::jacobian(pool_, arguments_, hatted);
    const auto is_force = [](const sym::Symbol& s) { return s.source == Source::force; };
    k.affine = !depends(pool_, K_, is_force);
    a_ = sym::substitute(pool_, arguments_, [&](Expr s) { return is_force(pool_.symbol(s)) ? pool_.constant(0) : s; });
  }

  sym::ExprPool& pool_;
  const Equations& e_;
  const ContactEquation& contact_;
  Level level_;
  Matrix W_, V_, C_;
  std::vector<Expr> chi_, restitution_, arguments_, a_, K_;
};

}  // namespace

ContactKernels plan_contact(const Equations& equations, sym::ExprPool& pool, std::size_t contact, Level level,
                            std::vector<KernelSpec>& specs) {
  return ContactPlanner(pool, equations, equations.contacts[contact], level).run(contact, specs);
}

}  // namespace nsmc
