// F, M and h. With p = dT/du and q' = F(q) u, Lagrange's equations in the velocities u (Boltzmann-Hamel) read
//     d/dt p - F'^T y - F^T dT/dq + F^T (dq'/dq)^T y = F^T Q,     y = F^-T p,  F' = dF/dt,
// where dq'/dq is taken at fixed u. They follow from Lagrange's equations for T~(q, q') = T(q, F^-1 q'): dT~/dq' = y
// and dT~/dq = dT/dq - (dq'/dq)^T y. For q' = u both correction terms vanish.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "compiler/mechanics/derivation.hpp"
#include "compiler/mechanics/linear_algebra.hpp"

namespace nsmc {

using sym::Expr;
using sym::Source;

namespace {

class Motion {
 public:
  Motion(const Derivation& d, std::size_t block, BlockEquation& equations)
      : d_(d),
        pool_(d.pool),
        e_(equations),
        kind_(d.model.blocks[block].kind),
        t_(d.lowering.time()),
        q_(d.lowering.q(block)),
        u_(d.lowering.u(block)) {}

  bool from_energy();
  void from_mass_matrix();

 private:
  std::optional<std::vector<Expr>> gyroscopic_forces(Expr T, std::span<const Expr> p);
  std::optional<std::vector<Expr>> hamel_forces(Expr T, std::span<const Expr> p);
  std::vector<Expr> euler_forces(std::span<const Expr> p);
  std::vector<Expr> to_velocities(std::span<const Expr> generalised) {  // F^T Q
    return multiply(pool_, transpose(e_.F), generalised);
  }

  const Derivation& d_;
  sym::ExprPool& pool_;
  BlockEquation& e_;
  BlockKind kind_;
  Expr t_;
  std::span<const Expr> q_, u_;
};

bool Motion::from_energy() {
  const Expr T = e_.kinetic;
  const Span span = e_.span;
  const std::vector<Expr> p = sym::jacobian(pool_, std::span(&T, 1), u_);
  e_.M = {u_.size(), u_.size(), sym::jacobian(pool_, p, u_)};
  for (const Expr entry : e_.M.entries) {
    if (!depends_on_source(pool_, entry, Source::velocity)) continue;
    d_.diagnostics.report(Kind::kinetic_not_quadratic, span, "the kinetic energy is not quadratic in the velocities");
    return false;
  }

  // Mixed derivatives come out equal but not always alike; one triangle for both lets terms cancel.
  for (std::size_t i = 0; i < u_.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) e_.M(j, i) = e_.M(i, j);
  }
  auto h = kind_ == BlockKind::rigid ? euler_forces(p)
           : e_.identity_kinematics  ? gyroscopic_forces(T, p)
                                     : hamel_forces(T, p);
  if (!h) {
    d_.diagnostics.report(Kind::kinematics_not_invertible, span,
                          fmt::format("Lagrange's equations need an invertible F; the model has n_q = {}, n_u = {}",
                                      q_.size(), u_.size()),
                          "declare as many velocities as coordinates, or give M and h outright with mass and force");
    return false;
  }
  contribute(pool_, e_, "kinetic energy", ForceKind::conservative, std::move(*h));
  return true;
}

// A rigid body with its centre of mass as reference and its spin in the body frame: d/dt L + spin x L = torque. The
// four numbers of its quaternion and three of its spin leave no inverse of F for the general form below.
std::vector<Expr> Motion::euler_forces(std::span<const Expr> p) {
  std::vector<Expr> h(u_.size(), pool_.constant(0));
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t i = 3 + (k + 1) % 3;
    const std::size_t j = 3 + (k + 2) % 3;
    h[3 + k] = pool_.sub(pool_.mul(u_[j], p[i]), pool_.mul(u_[i], p[j]));
  }
  return h;
}

// With T = u^T M u/2 + a^T u + T0:  h_i = -sum_jk (d_k M_ij + d_j M_ik - d_i M_jk)/2 u_j u_k
//                                        - sum_j (d_t M_ij + d_j a_i - d_i a_j) u_j - d_t a_i + d_i T0.
// The brackets (Christoffel's symbols) are formed first: much of them cancels.
std::optional<std::vector<Expr>> Motion::gyroscopic_forces(Expr T, std::span<const Expr> p) {
  const std::size_t n = u_.size();
  const auto at_rest = [&](std::span<const Expr> exprs) {
    return sym::substitute(pool_, exprs,
                           [&](Expr s) { return pool_.symbol(s).source == Source::velocity ? pool_.constant(0) : s; });
  };
  const std::vector<Expr> a = at_rest(p);
  const Expr T0 = at_rest(std::span(&T, 1))[0];
  const std::vector<Expr> da = sym::jacobian(pool_, a, q_);
  const std::vector<Expr> dT0 = sym::jacobian(pool_, std::span(&T0, 1), q_);
  const std::vector<Expr> M_t = sym::jacobian(pool_, e_.M.entries, std::span(&t_, 1));
  const std::vector<Expr> a_t = sym::jacobian(pool_, a, std::span(&t_, 1));

  // Brackets by (i, j, k), j >= k, gathered from the derivatives that are not zero: M is mostly constant or sparse.
  std::map<std::array<std::size_t, 3>, std::vector<Expr>> brackets;
  const auto gather = [&](std::size_t i, std::size_t j, std::size_t k, Expr derivative) {
    brackets[{i, std::max(j, k), std::min(j, k)}].push_back(derivative);
  };
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const Expr entry = e_.M(i, j);
      if (!depends_on_source(pool_, entry, Source::coordinate)) continue;
      const std::vector<Expr> dM = sym::jacobian(pool_, std::span(&entry, 1), q_);
      for (std::size_t k = 0; k < n; ++k) {
        if (pool_.is_constant(dM[k], 0)) continue;
        // d_k M_ij stands in the bracket of i with u_j u_k, where j = k counts twice, in that of j with u_i u_k, and
        // with a minus sign in that of k with u_i u_j.
        gather(i, j, k, j == k ? pool_.mul(pool_.constant(2), dM[k]) : dM[k]);
        if (i != j) gather(j, i, k, i == k ? pool_.mul(pool_.constant(2), dM[k]) : dM[k]);
        gather(k, i, j, pool_.neg(dM[k]));
      }
    }
  }
  std::vector<std::vector<Expr>> terms(n);
  for (std::size_t i = 0; i < n; ++i) {
    terms[i] = {pool_.neg(a_t[i]), dT0[i]};
    for (std::size_t j = 0; j < n; ++j) {
      const Expr rate = pool_.add(M_t[i * n + j], pool_.sub(da[i * n + j], da[j * n + i]));
      terms[i].push_back(pool_.neg(pool_.mul(rate, u_[j])));
    }
  }
  for (const auto& [at, parts] : brackets) {
    const auto [i, j, k] = at;
    const Expr half = pool_.constant(j == k ? -0.5 : -1);  // the pairs (j, k) and (k, j) together
    terms[i].push_back(pool_.mul(pool_.mul(half, pool_.add(parts)), pool_.mul(u_[j], u_[k])));
  }
  std::vector<Expr> h;
  for (const std::vector<Expr>& sum : terms) h.push_back(pool_.add(sum));
  return h;
}

// The same with quasi-velocities; nothing if F is not invertible.
std::optional<std::vector<Expr>> Motion::hamel_forces(Expr T, std::span<const Expr> p) {
  const auto inverted = inverse(pool_, e_.F);
  if (!inverted) return std::nullopt;
  // -(d/dt p - M u'): what changes p besides the accelerations.
  std::vector<Expr> h = d_.lowering.total_derivative(p);
  for (Expr& e : h) e = pool_.neg(e);
  std::vector<Expr> dT = sym::jacobian(pool_, std::span(&T, 1), q_);
  const std::vector<Expr> y = multiply(pool_, transpose(*inverted), p);
  const std::vector<Expr> dq_dot = sym::jacobian(pool_, e_.q_dot, q_);  // (a, j): dq'_a/dq_j
  const std::vector<Expr> F_dot = d_.lowering.total_derivative(e_.F.entries);
  for (std::size_t i = 0; i < u_.size(); ++i) {
    std::vector<Expr> terms{h[i]};
    for (std::size_t a = 0; a < q_.size(); ++a) terms.push_back(pool_.mul(F_dot[a * u_.size() + i], y[a]));
    h[i] = pool_.add(terms);
  }
  for (std::size_t j = 0; j < q_.size(); ++j) {
    std::vector<Expr> terms{dT[j]};
    for (std::size_t a = 0; a < q_.size(); ++a) {
      terms.push_back(pool_.neg(pool_.mul(dq_dot[a * q_.size() + j], y[a])));
    }
    dT[j] = pool_.add(terms);
  }
  const std::vector<Expr> F_dT = to_velocities(dT);
  for (std::size_t i = 0; i < h.size(); ++i) h[i] = pool_.add(h[i], F_dT[i]);
  return h;
}

void Motion::from_mass_matrix() {
  const auto entries = d_.lowering.components(*d_.model.mass);
  e_.M = {u_.size(), u_.size(), {entries.begin(), entries.end()}};
  // The energy that the output speaks of: u^T M u / 2.
  const std::vector<Expr> Mu = multiply(pool_, e_.M, u_);
  std::vector<Expr> terms;
  for (std::size_t i = 0; i < u_.size(); ++i) terms.push_back(pool_.mul(u_[i], Mu[i]));
  e_.kinetic = pool_.mul(pool_.constant(0.5), pool_.add(terms));
}

// Which block a term of the kinetic energy belongs to; nothing after a report.
std::optional<std::size_t> block_of(const Derivation& d, const TypedTerm& term) {
  const Span span = d.model.node(term.value).span;
  const Expr T = d.lowering.scalar(term.value);
  const std::vector<std::size_t> references = d.lowering.references_in(std::span(&T, 1));
  if (references.empty()) return 0;
  const std::size_t block = references[0];
  if (references.size() > 1) {
    d.diagnostics.report(Kind::kinetic_couples_blocks, span,
                         "a term of the kinetic energy belongs to one body, or to the coordinates of one index",
                         "coordinates that share inertia are declared one by one, coord x and coord y, not as an array "
                         "or a body");
    return std::nullopt;
  }
  if (block >= d.model.blocks.size() || term.instances.indices != d.model.blocks[block].instances.indices) {
    d.diagnostics.report(Kind::kinetic_couples_blocks, span,
                         "the kinetic energy of an array is given for all of its elements in one term",
                         "write kinetic m/2*z[i]'^2 for i in 1..n; where elements differ, "
                         "piecewise { i == 1 : ..., else : ... }");
    return std::nullopt;
  }
  return block;
}

}  // namespace

void contribute(sym::ExprPool& pool, BlockEquation& block, std::string source, ForceKind kind, std::vector<Expr> h) {
  bool any = false;
  for (std::size_t i = 0; i < h.size(); ++i) {
    any = any || !pool.is_constant(h[i], 0);
    block.h[i] = pool.add(block.h[i], h[i]);
  }
  if (any) block.contributions.push_back({std::move(source), kind, std::move(h)});
}

bool derive_kinematics(const Derivation& d, Equations& equations) {
  sym::ExprPool& pool = d.pool;
  bool linear = true;
  for (std::size_t b = 0; b < equations.blocks.size(); ++b) {
    BlockEquation& block = equations.blocks[b];
    const auto u = d.lowering.u(b);
    const auto q_dot = d.lowering.q_dot(b);
    block.q_dot.assign(q_dot.begin(), q_dot.end());
    block.F = {q_dot.size(), u.size(), sym::jacobian(pool, q_dot, u)};
    block.identity_kinematics = is_identity(pool, block.F);
    const std::vector<Expr> rest = sym::substitute(
        pool, q_dot, [&](Expr s) { return pool.symbol(s).source == Source::velocity ? pool.constant(0) : s; });
    for (std::size_t a = 0; a < q_dot.size(); ++a) {
      bool row_linear = pool.is_constant(rest[a], 0);
      for (std::size_t i = 0; i < u.size(); ++i) {
        row_linear = row_linear && !depends_on_source(pool, block.F(a, i), Source::velocity);
      }
      if (row_linear) continue;
      const TypedCoordinate& coordinate = d.model.coordinates[d.model.blocks[b].first_coordinate + a];
      d.diagnostics.report(Kind::kinematics_not_linear, d.model.node(*coordinate.rate).span,
                           fmt::format("{}' is not linear in the velocities", coordinate.name),
                           "kinematics have the form q' = F(q) u");
      linear = false;
    }
  }
  return linear;
}

bool derive_motion(const Derivation& d, Equations& equations) {
  std::vector<std::vector<Expr>> kinetic(equations.blocks.size());
  bool ok = true;
  for (const TypedTerm& term : d.model.kinetic) {
    const auto block = block_of(d, term);
    ok = ok && block.has_value();
    if (!block) continue;
    if (kinetic[*block].empty()) equations.blocks[*block].span = d.model.node(term.value).span;
    kinetic[*block].push_back(d.lowering.scalar(term.value));
  }
  for (std::size_t b = 0; ok && b < equations.blocks.size(); ++b) {
    BlockEquation& block = equations.blocks[b];
    d.look_at(block.span);
    block.h.assign(block.u.size(), d.pool.constant(0));
    block.kinetic = d.pool.add(kinetic[b]);
    block.potential = d.pool.constant(0);
    Motion motion(d, b, block);
    if (d.model.mass && d.model.blocks[b].kind == BlockKind::coordinates && d.model.blocks[b].instances.single()) {
      block.span = d.model.node(*d.model.mass).span;
      block.given_mass = true;
      motion.from_mass_matrix();
    } else {
      ok = motion.from_energy();
    }
  }
  return ok && derive_forces(d, equations);
}

}  // namespace nsmc
