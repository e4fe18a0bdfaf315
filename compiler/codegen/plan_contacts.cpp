// The kernels of a contact: its hatted quantities (compiler/mechanics/hatted.hpp), and the arguments of its sets.
#include "compiler/codegen/planner.hpp"
#include "compiler/mechanics/coefficients.hpp"
#include "compiler/mechanics/hatted.hpp"
#include "compiler/mechanics/vanishing_divisors.hpp"

namespace nsmc {

using sym::Expr;
using sym::Source;

namespace {

// The kinds of sets are those of the kernel table.
constexpr std::uint32_t set_kind(SetKind kind) { return static_cast<std::uint32_t>(kind); }
static_assert(set_kind(SetKind::interval) == NSM_SET_INTERVAL && set_kind(SetKind::ball) == NSM_SET_BALL &&
              set_kind(SetKind::ellipsoid) == NSM_SET_ELLIPSOID && set_kind(SetKind::polygon) == NSM_SET_POLYGON &&
              set_kind(SetKind::gauge) == NSM_SET_GAUGE && set_kind(SetKind::support) == NSM_SET_SUPPORT &&
              set_kind(SetKind::contensou_parabolic) == NSM_SET_CONTENSOU_PARABOLIC &&
              set_kind(SetKind::contensou_uniform) == NSM_SET_CONTENSOU_UNIFORM);

class ContactPlanner {
 public:
  ContactPlanner(sym::ExprPool& pool, const Equations& equations, std::size_t number, Level level)
      : pool_(pool),
        e_(equations),
        contact_(equations.contacts[number]),
        number_(static_cast<std::uint32_t>(number)),
        level_(level),
        hatted_(hat(pool, contact_)) {}

  ContactKernels run(std::vector<KernelSpec>& plan_specs) {
    ContactKernels k;
    k.has_gap = !contact_.gap.empty() && !contact_.always_closed;
    // One that is switched holds velocities, so that nothing jumps into place.
    k.n_position = contact_.always_closed && !contact_.active ? contact_.gap.size() : 0;
    k.n_rows = hatted_.n_rows;
    k.mapped = hatted_.mapped;
    k.compliant = hatted_.compliant;
    k.same_forces = hatted_.same_forces;
    k.same_velocities = hatted_.same_velocities;
    k.normal = normal();
    arguments(k);

    if (contact_.active)
      add(KernelKind::active, {pool_.select(*contact_.active, pool_.constant(1), pool_.constant(0))}, Stage::any_time);
    k.switched = contact_.active.has_value();
    if (k.has_gap) add(KernelKind::gap, contact_.gap, Stage::gap);
    if (k.n_position > 0) add(KernelKind::position, contact_.gap, Stage::any_time);
    if (!k.same_forces) add(KernelKind::forces, hatted_.lambda, Stage::any_time);
    if (!k.affine) add(KernelKind::arguments, arguments_, Stage::after_directions);
    add(KernelKind::directions, directions(k), Stage::directions);
    if (level_ == Level::acceleration) {
      add(KernelKind::zeta, zeta_hat(pool_, e_, contact_, hatted_), Stage::after_directions);
      if (!k.same_velocities) add(KernelKind::velocities, hatted_.gamma, Stage::any_time);
    }
    const std::string label = label_of(number_, contact_.name);
    const std::vector<ReferencePlace> places = places_of(contact_.references);
    const bool shares = may_share(e_, contact_.instances, contact_.references);
    for (KernelSpec& spec : specs_) {
      spec.label = label;
      spec.places = places;
      if (!shares) spec.stage = Stage::any_time;
      plan_specs.push_back(std::move(spec));
    }
    return k;
  }

 private:
  void add(KernelKind kind, std::vector<Expr> outputs, Stage stage) {
    specs_.push_back({{kind, number_}, std::move(outputs), stage});
  }

  std::uint32_t normal() const {
    switch (hatted_.normal) {
      case HattedContact::Normal::none: return NSM_NONE;
      case HattedContact::Normal::row: return static_cast<std::uint32_t>(hatted_.normal_row);
      case HattedContact::Normal::mixed: return NSM_MIXED;
    }
    return NSM_NONE;
  }

  std::vector<Expr> directions(const ContactKernels& k) const {
    std::vector<Expr> outputs;
    const auto append = [&](const std::vector<Expr>& values) {
      outputs.insert(outputs.end(), values.begin(), values.end());
    };
    append(columns_of(hatted_.W));
    if (k.mapped) append(columns_of(hatted_.V));
    append(hatted_.chi);
    append(hatted_.restitution);
    if (k.compliant) append(hatted_.C.entries);
    if (k.affine) {
      append(a_);
      append(K_);
    }
    return outputs;
  }

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

  // The kernel of a gauge or support function: value, gradient and Hessian at a point. What does not depend on the
  // point is computed once per step and handed over as coefficients, which are returned.
  std::vector<Expr> set_function(std::size_t number, const SimpleSet& set) {
    std::vector<Expr> coefficients;
    const Expr function = extract_coefficients(pool_, set.function, coefficients);
    std::vector<Expr> x;
    for (std::size_t i = 0; i < set.dim; ++i) x.push_back(set_point(pool_, i));
    const auto j = static_cast<std::uint32_t>(number);
    KernelSpec spec{{KernelKind::set_function, number_, j}, {function}, Stage::any_time, {}, true};
    const std::vector<Expr> gradient = sym::jacobian(pool_, spec.outputs, x);
    const std::vector<Expr> hessian = sym::jacobian(pool_, gradient, x);
    spec.outputs.insert(spec.outputs.end(), gradient.begin(), gradient.end());
    spec.outputs.insert(spec.outputs.end(), hessian.begin(), hessian.end());
    specs_.push_back(std::move(spec));
    keep_divisors_from_zero(pool_, set.kind == SetKind::gauge, function, set.dim, coefficients);
    return coefficients;
  }

  // The sets' arguments in the hatted forces, split as a + K lambda^ where they are affine.
  void arguments(ContactKernels& k) {
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
        if (is_by_function(set.kind)) append(set_function(k.sets.size(), set));
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
    arguments_ = in_hatted_forces(pool_, hatted_, written);
    K_ = sym::jacobian(pool_, arguments_, hatted_.lambda_hat);
    const auto is_force = [](const sym::Symbol& s) { return s.source == Source::force; };
    k.affine = !depends(pool_, K_, is_force);
    a_ = sym::substitute(pool_, arguments_, [&](Expr s) { return is_force(pool_.symbol(s)) ? pool_.constant(0) : s; });
  }

  sym::ExprPool& pool_;
  const Equations& e_;
  const ContactEquation& contact_;
  std::uint32_t number_;
  Level level_;
  HattedContact hatted_;
  std::vector<KernelSpec> specs_;
  std::vector<Expr> arguments_, a_, K_;
};

}  // namespace

ContactKernels plan_contact(const Equations& equations, sym::ExprPool& pool, std::size_t contact, Level level,
                            std::vector<KernelSpec>& specs) {
  return ContactPlanner(pool, equations, contact, level).run(specs);
}

}  // namespace nsmc
