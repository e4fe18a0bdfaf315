// Smooth forces: from potentials -F^T dV/dq, from dissipation functions -dD/du, and given ones (dv/du)^T f with v the
// velocity that the force f is dual to. What depends on one block alone goes into its own h; the rest are elements
// between two blocks.
#include <fmt/core.h>

#include <algorithm>

#include "compiler/mechanics/derivation.hpp"
#include "compiler/mechanics/linear_algebra.hpp"

namespace nsmc {

using sym::Expr;

namespace {

class Forces {
 public:
  Forces(const Derivation& d, Equations& equations) : d_(d), pool_(d.pool), e_(equations) {}

  bool run() {
    for (const TypedTerm& term : d_.model.potential) {
      potential(d_.lowering.scalar(term.value), {d_.model.node(term.value).span, &term.instances, term.source});
    }
    for (const TypedTerm& term : d_.model.dissipation) {
      dissipation(d_.lowering.scalar(term.value), {d_.model.node(term.value).span, &term.instances, term.source});
    }
    for (const TypedForce& force : d_.model.forces) {
      const auto value = d_.lowering.components(force.value);
      const auto velocity = d_.lowering.components(force.velocity);
      given({value.begin(), value.end()}, {velocity.begin(), velocity.end()},
            {d_.model.node(force.value).span, &force.instances, force.source});
    }
    for (const NodeId vector : d_.model.force_vectors) {
      const auto components = d_.lowering.components(vector);
      const auto u = d_.lowering.u(0);
      given({components.begin(), components.end()}, {u.begin(), u.end()},
            {d_.model.node(vector).span, &e_.blocks[0].instances, "force vector"});
    }
    return ok_;
  }

 private:
  struct Origin {
    Span span;
    const Instances* instances;
    std::string source;
  };

  // The block that holds these expressions alone, instance by instance.
  std::optional<std::size_t> owner(const std::vector<std::size_t>& references, const Origin& origin) const {
    if (references.size() > 1) return std::nullopt;
    const std::size_t block = references.empty() ? 0 : references[0];
    if (block >= e_.blocks.size() || origin.instances->indices != e_.blocks[block].instances.indices) {
      return std::nullopt;
    }
    return block;
  }

  std::vector<Expr> negated_gradient(Expr e, std::span<const Expr> symbols) {
    std::vector<Expr> result = sym::jacobian(pool_, std::span(&e, 1), symbols);
    for (Expr& x : result) x = pool_.neg(x);
    return result;
  }

  // F^T of the block that a reference sees.
  std::vector<Expr> to_velocities(std::size_t reference, std::span<const Expr> generalised) {
    const Matrix& F = e_.blocks[e_.references[reference].block].F;
    const Matrix seen{F.rows, F.cols, d_.lowering.seen_through(reference, F.entries)};
    return multiply(pool_, transpose(seen), generalised);
  }

  bool is_sum(Expr e) const { return pool_.op(e) == sym::Op::add; }

  // A sum of terms each of which couples two blocks is as many elements.
  template <class Part>
  bool split(Expr e, const std::vector<std::size_t>& references, Part&& part) {
    if (references.size() <= 2 || !is_sum(e)) return false;
    const std::vector<Expr> terms(pool_.args(e).begin(), pool_.args(e).end());
    for (const Expr term : terms) part(term);
    return true;
  }

  void potential(Expr V, const Origin& origin) {
    const std::vector<std::size_t> references = d_.lowering.references_in(std::span(&V, 1));
    if (const auto block = owner(references, origin)) {
      BlockEquation& b = e_.blocks[*block];
      b.potential = pool_.add(b.potential, V);
      contribute(pool_, b, origin.source, ForceKind::conservative,
                 to_velocities(*block, negated_gradient(V, d_.lowering.q(*block))));
      return;
    }
    if (references.empty() || split(V, references, [&](Expr term) { potential(term, origin); })) return;
    element(references, origin, ForceKind::conservative, V,
            [&](std::size_t r) { return to_velocities(r, negated_gradient(V, d_.lowering.q(r))); });
  }

  void dissipation(Expr D, const Origin& origin) {
    const std::vector<std::size_t> references = d_.lowering.references_in(std::span(&D, 1));
    const auto h = [&](std::size_t r) { return negated_gradient(D, d_.lowering.u(r)); };
    if (const auto block = owner(references, origin)) {
      contribute(pool_, e_.blocks[*block], origin.source, ForceKind::dissipation, h(*block));
      return;
    }
    if (references.empty() || split(D, references, [&](Expr term) { dissipation(term, origin); })) return;
    element(references, origin, ForceKind::dissipation, pool_.constant(0), h);
  }

  void given(const std::vector<Expr>& value, const std::vector<Expr>& velocity, const Origin& origin) {
    std::vector<Expr> all = value;
    all.insert(all.end(), velocity.begin(), velocity.end());
    const std::vector<std::size_t> references = d_.lowering.references_in(all);
    const auto h = [&](std::size_t r) {
      const auto u = d_.lowering.u(r);
      const Matrix W = transpose(Matrix{velocity.size(), u.size(), sym::jacobian(pool_, velocity, u)});
      return multiply(pool_, W, value);
    };
    if (const auto block = owner(references, origin)) {
      contribute(pool_, e_.blocks[*block], origin.source, ForceKind::given, h(*block));
      return;
    }
    if (!references.empty()) element(references, origin, ForceKind::given, pool_.constant(0), h);
  }

  template <class H>
  void element(const std::vector<std::size_t>& references, const Origin& origin, ForceKind kind, Expr V, H&& h) {
    if (references.size() > 2) {
      d_.diagnostics.report(
          Kind::too_many_blocks, origin.span,
          fmt::format("this couples {} bodies in one expression, at most two can be", references.size()),
          "write one term for each pair");
      ok_ = false;
      return;
    }
    ElementEquation element;
    element.source = origin.source;
    element.kind = kind;
    element.instances = *origin.instances;
    element.references = references;
    element.potential = V;
    for (const std::size_t r : references) element.h.push_back(h(r));
    e_.elements.push_back(std::move(element));
  }

  const Derivation& d_;
  sym::ExprPool& pool_;
  Equations& e_;
  bool ok_ = true;
};

}  // namespace

bool derive_forces(const Derivation& d, Equations& equations) { return Forces(d, equations).run(); }

}  // namespace nsmc
