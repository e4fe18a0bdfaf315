#include "compiler/codegen/kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "compiler/mechanics/linear_algebra.hpp"

namespace nsmc {

using sym::Expr;
using sym::Source;

namespace {

// Kernels of one evaluation in their order; see KernelSpec::stage.
enum Stage : int { kAnyTime = 0, kDynamics = 1, kGap = 2, kDirections = 3, kAfterDirections = 4 };

bool depends(const sym::ExprPool& pool, const std::vector<Expr>& exprs, auto&& which) {
  return std::any_of(exprs.begin(), exprs.end(), [&](Expr e) { return sym::depends_on(pool, e, which); });
}

std::string identifier(std::size_t index, const std::string& name) {
  std::string id = fmt::format("{}_", index + 1);
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') id += c;
  }
  return id;
}

Expr hatted_force(sym::ExprPool& pool, std::size_t row) {
  return pool.symbol(Source::force, static_cast<std::uint32_t>(row), fmt::format("lambda^[{}]", row + 1));
}

// lambda = A lambda^, row by row: the user's forces in the hatted ones, which start at `first`.
std::vector<Expr> forces_from_hatted(sym::ExprPool& pool, const ContactEquation& contact, std::size_t first) {
  std::vector<Expr> lambda;
  for (const LawEquation& law : contact.laws) {
    std::vector<Expr> hatted;
    for (std::size_t k = 0; k < law.size; ++k) hatted.push_back(hatted_force(pool, first + law.first + k));
    const std::vector<Expr> part = multiply(pool, law.A, hatted);
    lambda.insert(lambda.end(), part.begin(), part.end());
  }
  return lambda;
}

std::vector<Expr> replace_forces(sym::ExprPool& pool, std::span<const Expr> exprs, const std::vector<Expr>& lambda,
                                 std::size_t first_user_row) {
  return sym::substitute(pool, exprs, [&](Expr s) {
    const sym::Symbol& symbol = pool.symbol(s);
    if (symbol.source != Source::force || symbol.index < kUserForce) return s;
    return lambda.at(symbol.index - kUserForce - first_user_row);
  });
}

std::uint32_t set_kind(SimpleSetKind kind) {
  switch (kind) {
    case SimpleSetKind::interval: return NSM_SET_INTERVAL;
    case SimpleSetKind::ball: return NSM_SET_BALL;
    case SimpleSetKind::ellipsoid: return NSM_SET_ELLIPSOID;
    case SimpleSetKind::polygon: return NSM_SET_POLYGON;
    case SimpleSetKind::gauge: return NSM_SET_GAUGE;
    case SimpleSetKind::support: return NSM_SET_SUPPORT;
  }
  return NSM_SET_INTERVAL;
}

class ContactPlanner {
 public:
  ContactPlanner(sym::ExprPool& pool, const Equations& equations, const ContactEquation& contact,
                 std::size_t first_user_row)
      : pool_(pool), e_(equations), contact_(contact), first_user_row_(first_user_row) {}

  ContactKernels run(std::size_t index, std::vector<KernelSpec>& specs) {
    ContactKernels k;
    k.id = identifier(index, contact_.name);
    k.has_gap = contact_.gap.has_value() && !contact_.always_closed;
    for (const LawEquation& law : contact_.laws) {
      k.n_rows += law.size;
      k.mapped = k.mapped || !law.identity_B;
      k.compliant = k.compliant || !law.zero_D;
    }
    hat(k);
    arguments(k, specs);

    if (k.has_gap) specs.push_back({"gap_" + k.id, {*contact_.gap}, kGap});
    KernelSpec directions{"directions_" + k.id, {}, kDirections};
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
      specs.push_back({"arguments_" + k.id, arguments_, kAfterDirections});
    }
    specs.push_back(std::move(directions));
    specs.push_back({"zeta_" + k.id, zeta_, kAfterDirections});
    return k;
  }

 private:
  static std::vector<Expr> columns_of(const Matrix& m) { return transpose(m).entries; }

  // W := W A, V := W B^T A, chi := A^T B chi, C := A^T D A, law by law.
  void hat(const ContactKernels& k) {
    const std::size_t n_u = e_.u.size();
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
    // zeta = d/dt(V^T u + chi) - V^T u': the derivative at fixed u.
    std::vector<Expr> u;
    std::vector<Expr> state;
    for (const VariableEquation& variable : e_.u) u.push_back(variable.symbol);
    for (const VariableEquation& variable : e_.q) state.push_back(variable.symbol);
    state.push_back(e_.t);
    std::vector<Expr> gamma = multiply(pool_, transpose(V_), u);
    for (std::size_t i = 0; i < gamma.size(); ++i) gamma[i] = pool_.add(gamma[i], chi_[i]);
    const std::vector<Expr> gradient = sym::jacobian(pool_, gamma, state);
    for (std::size_t i = 0; i < gamma.size(); ++i) {
      std::vector<Expr> terms{gradient[i * state.size() + e_.q.size()]};
      for (std::size_t j = 0; j < e_.q.size(); ++j) {
        terms.push_back(pool_.mul(gradient[i * state.size() + j], e_.q_dot[j]));
      }
      zeta_.push_back(pool_.add(terms));
    }
  }

  // The kernel of a gauge or support function: value, gradient and Hessian at a point. What does not depend on the
  // point is computed once per step and handed over as coefficients, which are returned.
  std::vector<Expr> set_function(ContactKernels& k, const SimpleSet& set, std::vector<KernelSpec>& specs) {
    std::vector<Expr> coefficients;
    const Expr function = extract_coefficients(set, coefficients);
    std::vector<Expr> x;
    for (std::size_t i = 0; i < set.dim; ++i) x.push_back(set_point(pool_, i));
    KernelSpec spec{fmt::format("set_{}_{}", k.id, k.sets.size() + 1), {function}, kAnyTime};
    const std::vector<Expr> gradient = sym::jacobian(pool_, spec.outputs, x);
    const std::vector<Expr> hessian = sym::jacobian(pool_, gradient, x);
    spec.outputs.insert(spec.outputs.end(), gradient.begin(), gradient.end());
    spec.outputs.insert(spec.outputs.end(), hessian.begin(), hessian.end());
    specs.push_back(std::move(spec));
    return coefficients;
  }

  // Replaces the largest subexpressions that are free of the point x by instance symbols.
  Expr extract_coefficients(const SimpleSet& set, std::vector<Expr>& coefficients) {
    const std::vector<Expr> order = sym::topological_order(pool_, std::span(&set.function, 1));
    const auto is_point = [](const sym::Symbol& s) { return s.source == Source::force && s.index < kUserForce; };
    std::map<std::uint32_t, Expr> image;     // of nodes that contain the point
    std::map<std::uint32_t, Expr> constant;  // coefficient symbols
    const auto hand_over = [&](Expr e) {
      if (pool_.is_constant(e)) return e;
      const auto known = constant.find(e.id);
      if (known != constant.end()) return known->second;
      const auto index = static_cast<std::uint32_t>(coefficients.size());
      coefficients.push_back(e);
      return constant[e.id] = pool_.symbol(Source::instance, index, fmt::format("c[{}]", index + 1));
    };
    for (const Expr e : order) {
      if (pool_.op(e) == sym::Op::symbol) {
        if (is_point(pool_.symbol(e))) image[e.id] = e;
        continue;
      }
      std::vector<Expr> args(pool_.args(e).begin(), pool_.args(e).end());
      if (std::none_of(args.begin(), args.end(), [&](Expr a) { return image.contains(a.id); })) continue;
      // Of a sum or product the parts without the point go together.
      const bool together = pool_.op(e) == sym::Op::add || pool_.op(e) == sym::Op::mul;
      std::vector<Expr> mapped;
      std::vector<Expr> rest;
      for (const Expr a : args) {
        const auto found = image.find(a.id);
        if (found != image.end()) {
          mapped.push_back(found->second);
        } else if (together) {
          rest.push_back(a);
        } else {
          mapped.push_back(hand_over(a));
        }
      }
      if (!rest.empty()) mapped.push_back(hand_over(sym::rebuild(pool_, pool_.op(e), rest)));
      image[e.id] = together && mapped.size() == 1 ? mapped[0] : sym::rebuild(pool_, pool_.op(e), mapped);
    }
    const auto found = image.find(set.function.id);
    return found != image.end() ? found->second : hand_over(set.function);
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
        entry.n_lengths = static_cast<std::uint32_t>(set.arguments.size());
        if (set.kind == SimpleSetKind::gauge || set.kind == SimpleSetKind::support) {
          append(set_function(k, set, specs));
        }
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
    arguments_ = replace_forces(pool_, written, forces_from_hatted(pool_, contact_, 0), first_user_row_);
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
  std::size_t first_user_row_;
  Matrix W_, V_, C_;
  std::vector<Expr> chi_, restitution_, zeta_, arguments_, a_, K_;
};

KernelSpec plan_observe(const Equations& e, sym::ExprPool& pool, KernelPlan& plan) {
  KernelSpec spec{"observe", {}, kAnyTime};
  const auto add = [&](const std::string& name, Expr value) {
    plan.columns.push_back(name);
    spec.outputs.push_back(value);
  };
  for (const VariableEquation& q : e.q) add(q.name, q.symbol);
  for (const VariableEquation& u : e.u) add(u.name, u.symbol);
  std::vector<Expr> all_forces;
  for (const ContactEquation& contact : e.contacts) {
    if (contact.gap) add(contact.name + ".gap", *contact.gap);
    const std::vector<Expr> lambda = forces_from_hatted(pool, contact, all_forces.size());
    for (const LawEquation& law : contact.laws) {
      for (std::size_t k = 0; k < law.size; ++k) add(contact.name + "." + law.force_names[k], lambda[law.first + k]);
    }
    all_forces.insert(all_forces.end(), lambda.begin(), lambda.end());
  }
  plan.energy_column = plan.columns.size();
  add("energy", pool.add(e.kinetic, e.potential));
  for (const OutputEquation& output : e.outputs) {
    add(output.name, replace_forces(pool, std::span(&output.value, 1), all_forces, 0)[0]);
  }
  return spec;
}

}  // namespace

KernelPlan plan_kernels(const Equations& e, sym::ExprPool& pool) {
  KernelPlan plan;
  plan.model_name = e.name;
  plan.n_p = e.parameters.size();
  plan.n_q = e.q.size();
  plan.n_u = e.u.size();
  plan.identity_kinematics = e.identity_kinematics;
  plan.diagonal_mass = true;
  for (std::size_t i = 0; i < plan.n_u; ++i) {
    for (std::size_t j = 0; j < i; ++j) plan.diagonal_mass = plan.diagonal_mass && pool.is_constant(e.M(i, j), 0);
  }
  plan.constant_mass = !depends(pool, e.M.entries, [](const sym::Symbol& s) { return s.source != Source::parameter; });

  if (!plan.identity_kinematics) plan.specs.push_back({"kinematics", e.q_dot, kAnyTime});
  KernelSpec dynamics{"dynamics", {}, kDynamics};
  for (std::size_t j = 0; j < plan.n_u; ++j) {
    if (plan.diagonal_mass) {
      dynamics.outputs.push_back(e.M(j, j));
      continue;
    }
    // Column-major; the upper triangle is not read and is written as zero.
    for (std::size_t i = 0; i < plan.n_u; ++i) dynamics.outputs.push_back(i >= j ? e.M(i, j) : pool.constant(0));
  }
  dynamics.outputs.insert(dynamics.outputs.end(), e.h.begin(), e.h.end());
  plan.specs.push_back(std::move(dynamics));

  std::size_t user_row = 0;
  for (std::size_t i = 0; i < e.contacts.size(); ++i) {
    ContactPlanner planner(pool, e, e.contacts[i], user_row);
    plan.contacts.push_back(planner.run(i, plan.specs));
    plan.contact_names.push_back(e.contacts[i].name);
    user_row += plan.contacts.back().n_rows;
  }
  plan.specs.push_back(plan_observe(e, pool, plan));
  return plan;
}

Kernels::Kernels(KernelPlan plan, const ProgramSet& programs) : plan_(std::move(plan)), compiled_(programs) {
  for (ContactKernels& k : plan_.contacts) {
    for (std::size_t j = 0; j < k.sets.size(); ++j) {
      k.sets[j].function = compiled_.find(fmt::format("set_{}_{}", k.id, j + 1));  // null for the simple sets
    }
  }
  block_class_.name = plan_.model_name.c_str();
  block_class_.n_q = static_cast<std::uint32_t>(plan_.n_q);
  block_class_.n_u = static_cast<std::uint32_t>(plan_.n_u);
  block_class_.mass_structure = plan_.diagonal_mass ? NSM_MASS_DIAGONAL : NSM_MASS_DENSE;
  block_class_.constant_mass = plan_.constant_mass ? 1 : 0;
  block_class_.identity_kinematics = plan_.identity_kinematics ? 1 : 0;
  block_class_.kinematics = compiled_.find("kinematics");
  block_class_.dynamics = compiled_.find("dynamics");
  for (std::size_t i = 0; i < plan_.contacts.size(); ++i) {
    const ContactKernels& k = plan_.contacts[i];
    nsm_contact_class c{};
    c.name = plan_.contact_names[i].c_str();
    c.n_blocks = 1;
    c.n_rows = static_cast<std::uint32_t>(k.n_rows);
    c.n_sets = static_cast<std::uint32_t>(k.sets.size());
    c.sets = k.sets.data();
    c.n_arguments = static_cast<std::uint32_t>(k.n_arguments);
    c.mapped = k.mapped ? 1 : 0;
    c.compliant = k.compliant ? 1 : 0;
    c.affine = k.affine ? 1 : 0;
    c.gap = k.has_gap ? compiled_.find("gap_" + k.id) : nullptr;
    c.directions = compiled_.find("directions_" + k.id);
    c.arguments = k.affine ? nullptr : compiled_.find("arguments_" + k.id);
    c.zeta = compiled_.find("zeta_" + k.id);
    contact_classes_.push_back(c);
    contacts_.push_back({static_cast<std::uint32_t>(i), {0, 0}, plan_.contact_names[i].c_str(), nullptr});
  }
  table_.abi = NSM_ABI;
  table_.n_p = static_cast<std::uint32_t>(plan_.n_p);
  table_.n_q = block_class_.n_q;
  table_.n_u = block_class_.n_u;
  table_.n_shared = programs.n_shared;
  table_.n_block_classes = table_.n_blocks = 1;
  table_.n_contact_classes = table_.n_contacts = static_cast<std::uint32_t>(contacts_.size());
  table_.n_columns = static_cast<std::uint32_t>(plan_.columns.size());
  table_.block_classes = &block_class_;
  table_.blocks = &block_;
  table_.contact_classes = contact_classes_.data();
  table_.contacts = contacts_.data();
  table_.prepare = compiled_.find("prepare");
  table_.observe = compiled_.find("observe");
}

std::unique_ptr<Kernels> compile(const Equations& equations, sym::ExprPool& pool) {
  KernelPlan plan = plan_kernels(equations, pool);
  const ProgramSet programs = lower(pool, plan.specs);
  return std::make_unique<Kernels>(std::move(plan), programs);
}

}  // namespace nsmc
