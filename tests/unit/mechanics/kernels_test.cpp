// From equations to kernels: every compiled kernel of every model computes its specification, in the order in which a
// runtime calls them; the C that is emitted computes the same; columns, stages and sizes are as the table says.
#include <algorithm>
#include <filesystem>

#include "compiler/api/pipeline.hpp"
#include "compiler/codegen/jit.hpp"
#include "compiler/codegen/kernels.hpp"
#include "runtime/system.hpp"
#include "tests/unit/codegen/emitted_c.hpp"
#include "tests/unit/mechanics/all_models.hpp"
#include "tests/unit/mechanics/derived_model.hpp"

using namespace nsmc;
using namespace nsmc::test;

namespace {

namespace fs = std::filesystem;

// A state near the model's start, with hatted forces for the kernels.
struct KernelPoint {
  double t = 0;
  std::vector<double> p, q, u, lambda, self, z;
  std::vector<double> q2, u2;                           // of a second block
  const std::vector<ReferencePlace>* places = nullptr;  // of the kernel; null: one block, numbers are places

  double operator()(const sym::Symbol& s) const {
    switch (s.source) {
      case sym::Source::time: return t;
      case sym::Source::parameter: return p.at(s.index);
      case sym::Source::coordinate: return variable(s.index, true);
      case sym::Source::velocity: return variable(s.index, false);
      case sym::Source::force: return lambda.at(s.index);  // user forces are gone: out of range
      case sym::Source::signal: return z.at(s.index);
      case sym::Source::instance: return self.at(s.index);  // coefficients of gauge and support functions
    }
    return std::nan("");
  }

 private:
  double variable(std::uint32_t index, bool coordinate) const {
    if (places != nullptr && !places->empty()) {
      for (const ReferencePlace& place : *places) {
        if (place.reference != reference_of(index)) continue;
        const std::uint32_t at = (coordinate ? place.q : place.u) + static_cast<std::uint32_t>(variable_of(index));
        if (at >= second_block) return (coordinate ? q2 : u2).at(at - second_block);
        return (coordinate ? q : u).at(at);
      }
    }
    return (coordinate ? q : u).at(index);
  }
};

KernelPoint random_point(const sym::ExprPool& pool, const Equations& e, Random& random) {
  KernelPoint x;
  x.t = random.in(0, 3);
  x.p = parameter_values(pool, e, {});
  const std::vector<double> defaults = x.p;
  for (double& p : x.p) p *= random.in(0.9, 1.1);
  for (const VariableEquation& q : e.blocks[0].q) {
    x.q.push_back(constant_value(pool, q.initial, defaults, e.blocks[0].instances.self(0)) + random.in(-0.5, 0.5));
  }
  for (const VariableEquation& u : e.blocks[0].u) {
    x.u.push_back(constant_value(pool, u.initial, defaults, e.blocks[0].instances.self(0)) + random.in(-2, 2));
  }
  // Models of bodies have more: as much as `observe` may look at.
  std::size_t n = 0, rows = 0;
  for (const BlockEquation& block : e.blocks) n += block.instances.count() * block.q.size();
  while (x.q.size() < n) x.q.push_back(random.in(-1, 1));
  while (x.u.size() < n) x.u.push_back(random.in(-1, 1));
  x.q2 = random.vector(n, -1, 1);
  std::size_t first = 0;
  for (const BlockEquation& block : e.blocks) {
    for (std::size_t k = 0; k < block.instances.count(); ++k, first += block.q.size()) {
      if (!block.quaternion) continue;
      double* unit = x.q.data() + first + *block.quaternion;
      const double norm = std::hypot(std::hypot(unit[0], unit[1]), std::hypot(unit[2], unit[3]));
      for (int i = 0; i < 4; ++i) unit[i] /= norm;
    }
  }
  x.u2 = random.vector(n, -1, 1);
  for (const ContactEquation& contact : e.contacts) rows += contact.instances.count() * contact.lambda.size();
  x.lambda = random.vector(rows + 6, 0.1, 4);
  x.self = random.vector(16, 0.3, 2);
  x.z = random.vector(e.signals.size(), 0.5, 2);
  return x;
}

nsm_view view_of(const KernelPoint& x, std::vector<double>& shared) {
  return {
      x.t,           x.p.data(), x.self.data(), {x.q.data(), x.q2.data()}, {x.u.data(), x.u2.data()}, x.lambda.data(),
      shared.data(), x.z.data(), nullptr};
}

// Rounding differs where terms cancel: what a relative change of the inputs by 1e-14 does to an output counts as
// rounding, besides 1e-12 of its value.
class Oracle {
 public:
  Oracle(const sym::ExprPool& pool, const std::vector<sym::Expr>& outputs, const KernelPoint& x, Random& random)
      : values_(sym::evaluate(pool, outputs, x)), allowed_(values_.size()) {
    // What cancels leaves the rounding of what stands beside it.
    double largest = 0;
    for (const double v : values_) largest = std::isfinite(v) ? std::max(largest, std::abs(v)) : largest;
    for (std::size_t i = 0; i < values_.size(); ++i) allowed_[i] = 1e-12 * std::abs(values_[i]) + 1e-16 * largest;
    for (int trial = 0; trial < 6; ++trial) {
      KernelPoint moved = x;
      for (std::vector<double>* v :
           {&moved.p, &moved.q, &moved.u, &moved.lambda, &moved.self, &moved.q2, &moved.u2, &moved.z}) {
        for (double& value : *v) value *= 1 + random.in(-1e-14, 1e-14);
      }
      const std::vector<double> other = sym::evaluate(pool, outputs, moved);
      for (std::size_t i = 0; i < other.size(); ++i) {
        const double change = std::abs(other[i] - values_[i]);
        if (std::isfinite(change)) allowed_[i] = std::max(allowed_[i], 4 * change);
      }
    }
  }
  bool accepts(std::size_t i, double value) const {
    if (std::isnan(values_[i])) return std::isnan(value);
    return value == values_[i] || std::abs(value - values_[i]) <= allowed_[i];
  }
  double value(std::size_t i) const { return values_[i]; }
  std::size_t size() const { return values_.size(); }

 private:
  std::vector<double> values_, allowed_;
};

// The kernels in the order of an evaluation.
std::vector<const KernelSpec*> in_calling_order(const KernelPlan& plan) {
  std::vector<const KernelSpec*> order;
  for (const KernelSpec& spec : plan.specs) order.push_back(&spec);
  std::stable_sort(order.begin(), order.end(), [](auto* a, auto* b) { return a->stage < b->stage; });
  return order;
}

void check_kernels(sym::ExprPool& pool, const Equations& e, const Kernels& kernels) {
  const KernelPlan& plan = kernels.plan();
  const ProgramSet& programs = plan.programs;
  const CompiledKernels jit(programs);  // by id; the table is checked to lead to the same results below
  const EmittedC c(emit_c(programs));
  Random random(31);
  for (int trial = 0; trial < 4; ++trial) {
    KernelPoint x = random_point(pool, e, random);
    std::vector<double> shared(programs.n_shared + 1, std::nan("")), c_shared = shared;
    const nsm_view view = view_of(x, shared), c_view = view_of(x, c_shared);
    if (const nsm_kernel prepare = jit.find({KernelKind::prepare})) {
      prepare(&view, nullptr);
      REQUIRE((c.find("prepare") != nullptr));
      c.find("prepare")(&c_view, nullptr);
    }
    for (const KernelSpec* spec : in_calling_order(plan)) {
      const std::string name = kernel_name(spec->id, spec->label);
      CAPTURE(name);
      if (spec->outputs.empty()) continue;  // no outputs: no kernel that observes
      x.places = &spec->places;
      // Every kernel sees its own blocks as first and second: what is handed on belongs to one block alone.
      if (e.blocks.size() > 1 && is_later_stage(spec->stage)) continue;
      const Oracle oracle(pool, spec->outputs, x, random);
      std::vector<double> out(spec->outputs.size() + 1, 12345), c_out = out;
      REQUIRE((jit.find(spec->id) != nullptr));
      REQUIRE((c.find(name) != nullptr));
      jit.find(spec->id)(&view, out.data());
      c.find(name)(&c_view, c_out.data());
      std::size_t finite = 0;
      for (std::size_t i = 0; i < oracle.size(); ++i) {
        CAPTURE(i);
        CAPTURE(oracle.value(i));
        CAPTURE(out[i]);
        CAPTURE(c_out[i]);
        CHECK(oracle.accepts(i, out[i]));
        CHECK(oracle.accepts(i, c_out[i]));
        finite += std::isnan(oracle.value(i)) ? 0 : 1;
      }
      CHECK(finite == oracle.size());
      CHECK(out.back() == 12345);  // nothing written behind the end
      CHECK(c_out.back() == 12345);
    }
  }
}

// The table leads to kernels that fill what it promises.
void check_table(sym::ExprPool& pool, const Equations& e, const Kernels& kernels) {
  const nsm_model& table = kernels.table();
  const KernelPlan& plan = kernels.plan();
  CHECK(table.abi == NSM_ABI);
  CHECK(table.n_q == e.blocks[0].q.size() + e.signals.size());
  CHECK(table.n_u == e.blocks[0].u.size());
  CHECK(table.n_p == e.parameters.size());
  CHECK(table.n_contacts == e.contacts.size());
  CHECK(rt::System(table, parameter_values(pool, e, {})).n_columns() == plan.columns.size());
  const auto outputs_of = [&](const KernelId& id) -> const std::vector<sym::Expr>& {
    const auto spec = std::find_if(plan.specs.begin(), plan.specs.end(), [&](auto& s) { return s.id == id; });
    REQUIRE((spec != plan.specs.end()));
    return spec->outputs;
  };
  const nsm_block_class& block = table.block_classes[0];
  CHECK((block.kinematics == nullptr) == e.blocks[0].identity_kinematics);
  const std::size_t mass = block.mass_structure == NSM_MASS_DIAGONAL ? table.n_u : table.n_u * table.n_u;
  CHECK(outputs_of({KernelKind::dynamics}).size() == mass + table.n_u);
  if (table.n_observed > 0) CHECK(outputs_of({KernelKind::observe}).size() == table.n_observed);

  Random random(32);
  const KernelPoint x = random_point(pool, e, random);
  std::vector<double> shared(table.n_shared + 1);
  nsm_view view = view_of(x, shared);
  if (table.prepare != nullptr) table.prepare(&view, nullptr);
  const auto check_kernel = [&](nsm_kernel kernel, const KernelId& id, const KernelPoint& at) {
    CAPTURE(kernel_name(id, ""));
    REQUIRE((kernel != nullptr));
    const Oracle oracle(pool, outputs_of(id), at, random);
    std::vector<double> out(oracle.size());
    kernel(&view, out.data());
    for (std::size_t i = 0; i < out.size(); ++i) CHECK(oracle.accepts(i, out[i]));
  };
  check_kernel(block.dynamics, {KernelKind::dynamics}, x);
  check_kernel(block.energy, {KernelKind::energy}, x);
  check_kernel(block.initial, {KernelKind::initial}, x);
  std::size_t first_force = 0;
  for (std::uint32_t i = 0; i < table.n_contacts; ++i) {
    const ContactKernels& k = plan.contact_classes[i];
    const nsm_contact_class& c = table.contact_classes[table.contacts[i].contact_class];
    CHECK(c.n_rows == e.contacts[i].lambda.size());
    CHECK((c.gap == nullptr) == e.contacts[i].always_closed);
    KernelPoint own = x;  // a contact's kernels see its own forces from index 0
    own.lambda.erase(own.lambda.begin(), own.lambda.begin() + static_cast<std::ptrdiff_t>(first_force));
    view.lambda = own.lambda.data();
    if (c.gap != nullptr) check_kernel(c.gap, {KernelKind::gap, i}, own);
    check_kernel(c.directions, {KernelKind::directions, i}, own);
    check_kernel(c.zeta, {KernelKind::zeta, i}, own);
    CHECK((c.velocities == nullptr) == k.same_velocities);
    if (c.velocities != nullptr) check_kernel(c.velocities, {KernelKind::velocities, i}, own);
    CHECK((c.arguments == nullptr) == (c.affine == 1));
    if (c.arguments != nullptr) check_kernel(c.arguments, {KernelKind::arguments, i}, own);
    const std::size_t directions = table.n_u * c.n_rows * (c.mapped == 1 ? 2 : 1) + 2 * c.n_rows +
                                   (c.compliant == 1 ? c.n_rows * c.n_rows : 0) +
                                   (c.affine == 1 ? c.n_arguments * (1 + c.n_rows) : 0);
    CHECK(outputs_of({KernelKind::directions, i}).size() == directions);
    first_force += c.n_rows;
  }
  view.lambda = x.lambda.data();
  if (table.observe != nullptr) check_kernel(table.observe, {KernelKind::observe}, x);
}

// The specifications say what the ABI promises: the lower triangle of M by columns, then h; and zeta is the rate of
// V^T u + chi, both as `directions` gives them, along q' = F u at fixed u.
void check_meaning(sym::ExprPool& pool, const Equations& e, const KernelPlan& plan) {
  const auto values = [&](const KernelId& id, const KernelPoint& at) {
    const auto spec = std::find_if(plan.specs.begin(), plan.specs.end(), [&](auto& s) { return s.id == id; });
    REQUIRE((spec != plan.specs.end()));
    return sym::evaluate(pool, spec->outputs, at);
  };
  Random random(33);
  const KernelPoint x = random_point(pool, e, random);
  const std::size_t n = e.blocks[0].u.size();
  const std::vector<double> M = sym::evaluate(pool, e.blocks[0].M.entries, x),
                            h = sym::evaluate(pool, e.blocks[0].h, x);
  const std::vector<double> dynamics = values({KernelKind::dynamics}, x),
                            q_dot = sym::evaluate(pool, e.blocks[0].q_dot, x);
  for (std::size_t j = 0; j < n; ++j) {
    CHECK(dynamics[dynamics.size() - n + j] == h[j]);
    if (plan.block_classes[0].diagonal_mass) CHECK(dynamics[j] == M[j * n + j]);
    for (std::size_t i = j; i < n && !plan.block_classes[0].diagonal_mass; ++i)
      CHECK(dynamics[j * n + i] == M[i * n + j]);
  }
  for (std::uint32_t c = 0; c < plan.contact_classes.size(); ++c) {
    const ContactKernels& k = plan.contact_classes[c];
    CAPTURE(k.name);
    const std::size_t V = k.mapped ? n * k.n_rows : 0, chi = V + n * k.n_rows;
    const std::vector<double> zeta = values({KernelKind::zeta, c}, x);
    for (std::size_t row = 0; row < k.n_rows; ++row) {
      const auto gamma = [&](long double s) {
        KernelPoint moved = x;
        moved.t += static_cast<double>(s);
        for (std::size_t i = 0; i < x.q.size(); ++i) moved.q[i] += static_cast<double>(s) * q_dot[i];
        const std::vector<double> out = values({KernelKind::directions, c}, moved);
        long double sum = out[chi + row];
        for (std::size_t i = 0; i < n; ++i) sum += out[V + row * n + i] * x.u[i];
        return sum;
      };
      const auto expected = static_cast<double>(slope(gamma, 1e-4L));
      CAPTURE(row);
      CAPTURE(zeta[row]);
      CAPTURE(expected);
      CHECK(near(zeta[row], expected, 1e-6));
    }
  }
}

struct Compiled {
  DerivedModel model;
  std::unique_ptr<Kernels> kernels;
  explicit Compiled(const std::string& text)
      : model(text),
        kernels(compile(std::make_shared<const KernelPlan>(plan_kernels(model.equations(), model.pool)))) {}
  void check() {
    check_kernels(model.pool, model.equations(), *kernels);
    check_table(model.pool, model.equations(), *kernels);
    check_meaning(model.pool, model.equations(), kernels->plan());
  }
};

}  // namespace

TEST_CASE("every kernel of every model computes its specification, compiled and as C") {
  const std::vector<fs::path> models = all_models();
  REQUIRE(models.size() >= 5);
  for (const fs::path& path : models) {
    CAPTURE(path.string());
    Pipeline pipeline(path.string());
    const Kernels* kernels = pipeline.compiled();
    if (kernels == nullptr) FAIL(render(pipeline.diagnostics(), pipeline.sources(), false));
    const Equations& e = *pipeline.derived();
    check_kernels(pipeline.pool(), e, *kernels);
    const bool arrays = std::any_of(e.contacts.begin(), e.contacts.end(),
                                    [](const ContactEquation& contact) { return contact.instances.count() != 1; });
    if (arrays || e.blocks.size() != 1 || e.blocks[0].name != "coordinates") continue;  // others: bodies_test.cpp
    check_table(pipeline.pool(), e, *kernels);
    check_meaning(pipeline.pool(), e, kernels->plan());
  }
}

TEST_CASE("maps, compliance, shifts, quasi-velocities and several contacts in one model") {
  Compiled compiled(R"(
    model everything
    param mu = 0.3  param nu = 0.8  param k = 5
    law collinear { force T[2]  diag(1/mu, 1/nu)*slip in normal_cone([[1, 0.2], [0, 1]]*ellipse(mu*N, nu*N) + [0, 0.1], -T) }
    law slanted { force S  spin + 0.1*S in normal_cone(interval(-mu*N - abs(T[1]), nu*N), -S) }
    coord x  coord y = 1  coord psi
    velocity v1  velocity v2  velocity w
    kinematics x' = v1*cos(psi) - v2*sin(psi)
    kinematics y' = v1*sin(psi) + v2*cos(psi)
    kinematics psi' = w
    kinetic (v1^2 + (v2 + 0.2*w)^2)/2 + w^2/4
    potential k/2*(x^2 + y^2)
    contact first { gap y - 0.1*sin(t)*x^2  slip [x', y' + w]  spin w  law unilateral(restitution = 0.5)  law collinear  law slanted }
    contact second { gap 3 - x  slip y'  law unilateral  law coulomb(mu = 0.1 + 0.05*exp(-abs(slip))) }
    constraint third { slip v2 - 0.3*w }
    output total = first.N + second.N + third.T
  )");
  const KernelPlan& plan = compiled.kernels->plan();
  REQUIRE(plan.contact_classes.size() == 3);
  CHECK(plan.contact_classes[0].mapped);
  CHECK(plan.contact_classes[0].compliant);
  CHECK_FALSE(plan.contact_classes[0].affine);  // abs(T[1])
  CHECK_FALSE(plan.contact_classes[1].mapped);
  CHECK_FALSE(plan.contact_classes[1].compliant);
  CHECK(plan.contact_classes[1].affine);
  CHECK(plan.contact_classes[0].has_gap);
  CHECK_FALSE(plan.contact_classes[2].has_gap);
  CHECK(plan.columns == std::vector<std::string>{"x",
                                                 "y",
                                                 "psi",
                                                 "v1",
                                                 "v2",
                                                 "w",
                                                 "first.gap",
                                                 "first.N",
                                                 "first.T[1]",
                                                 "first.T[2]",
                                                 "first.S",
                                                 "second.gap",
                                                 "second.N",
                                                 "second.T",
                                                 "third.T",
                                                 "energy",
                                                 "total",
                                                 "first.dissipated",
                                                 "first.N.dissipated",
                                                 "first.T.dissipated",
                                                 "first.S.dissipated",
                                                 "second.dissipated",
                                                 "second.N.dissipated",
                                                 "second.T.dissipated",
                                                 "third.dissipated",
                                                 "energy_damped",
                                                 "energy_supplied",
                                                 "energy_balance"});
  CHECK(plan.work_column == 17);
  CHECK(plan.energy_column == 15);
  compiled.check();
}

TEST_CASE("set arguments that are not affine in the forces have a kernel of their own") {
  Compiled compiled(R"(
    model adhesive
    param mu = 0.3
    law powered { force T  slip in normal_cone(interval(-mu*N^2, mu*sqrt(1 + N)), -T) }
    coord x  coord z
    kinetic x'^2/2 + z'^2/2
    contact floor { gap z  slip x'  law unilateral  law powered }
  )");
  const nsm_contact_class& c = compiled.kernels->table().contact_classes[0];
  CHECK(c.affine == 0);
  REQUIRE((c.arguments != nullptr));
  const std::vector<double> p{0.3}, q{0, 0}, u{0, 0}, lambda{3, 0};
  std::vector<double> shared(compiled.kernels->table().n_shared + 1), out(4);
  const nsm_view view{
      0, p.data(), nullptr, {q.data(), nullptr}, {u.data(), nullptr}, lambda.data(), shared.data(), nullptr, nullptr};
  if (compiled.kernels->table().prepare != nullptr) compiled.kernels->table().prepare(&view, nullptr);
  c.arguments(&view, out.data());
  check_near(out, {-HUGE_VAL, 0, -2.7, 0.6});
  compiled.check();
}

// The hatted quantities of [Möller 2009, (41)], from numbers: xi = A^T (B gamma + D lambda), lambda = A lambda^.
TEST_CASE("directions: W A, W B^T A, A^T B chi, A^T D A, and affine arguments a + K lambda^") {
  Compiled compiled(R"(
    model hatted
    param mu = 0.4
    law l { force T[2]  [[2, 1], [0, 3]]*slip + [[0.5, 0], [0.1, 0.7]]*T in normal_cone([[1, 2], [0, 4]]*disc(mu*N + 1), -T) }
    coord x  coord y  coord z
    kinetic (x'^2 + y'^2 + z'^2)/2
    contact floor { gap z  slip [x' + 5*y' + 7, y' - 2*z' + 11]  law unilateral(restitution = 0.9)  law l }
  )");
  const nsm_model& table = compiled.kernels->table();
  const nsm_contact_class& c = table.contact_classes[0];
  REQUIRE(c.mapped == 1);
  REQUIRE(c.compliant == 1);
  REQUIRE(c.affine == 1);
  REQUIRE(c.n_arguments == 3);
  const std::vector<double> p{0.4}, q{0, 0, 0}, u{1, 2, 3};
  std::vector<double> shared(table.n_shared + 1), out(9 + 9 + 3 + 3 + 9 + 3 + 9);
  const nsm_view view{0,       p.data(), nullptr, {q.data(), nullptr}, {u.data(), nullptr}, nullptr, shared.data(),
                      nullptr, nullptr};
  if (table.prepare != nullptr) table.prepare(&view, nullptr);
  std::vector<double> mass(6);
  table.block_classes[0].dynamics(&view, mass.data());
  c.directions(&view, out.data());
  const double W[3][2] = {{1, 0}, {5, 1}, {0, -2}}, A[2][2] = {{1, 2}, {0, 4}}, B[2][2] = {{2, 1}, {0, 3}};
  const double D[2][2] = {{0.5, 0}, {0.1, 0.7}}, chi[2] = {7, 11};
  std::vector<double> expected(out.size(), 0);
  expected[2] = expected[9 + 2] = 1;  // the normal direction
  expected[18 + 3] = 0.9;
  for (std::size_t j = 0; j < 2; ++j) {
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t k = 0; k < 2; ++k) {
        expected[3 * (j + 1) + i] += W[i][k] * A[k][j];
        for (std::size_t l = 0; l < 2; ++l) expected[9 + 3 * (j + 1) + i] += W[i][k] * B[l][k] * A[l][j];
      }
    }
    for (std::size_t k = 0; k < 2; ++k) {
      for (std::size_t l = 0; l < 2; ++l) {
        expected[18 + 1 + j] += A[l][j] * B[l][k] * chi[k];
        for (std::size_t i = 0; i < 2; ++i) expected[24 + 3 * (1 + i) + 1 + j] += A[l][i] * D[l][k] * A[k][j];
      }
    }
  }
  expected[33] = -HUGE_VAL;  // a = (-inf, 0, 1)
  expected[35] = 1;
  expected[36 + 6] = 0.4;  // K: the radius follows N
  check_near(out, expected);
  compiled.check();
}

TEST_CASE("the structure of the mass matrix is seen") {
  const Compiled diagonal("model a\ncoord x\ncoord y\nkinetic x'^2/2 + (2 + x^2)*y'^2");
  CHECK(diagonal.kernels->plan().block_classes[0].diagonal_mass);
  CHECK_FALSE(diagonal.kernels->plan().block_classes[0].constant_mass);
  const Compiled constant("model b\nparam m = 2\ncoord x\ncoord y\nkinetic m*x'^2/2 + y'^2 + x'*y'");
  CHECK_FALSE(constant.kernels->plan().block_classes[0].diagonal_mass);
  CHECK(constant.kernels->plan().block_classes[0].constant_mass);
  CHECK(constant.kernels->plan().block_classes[0].identity_kinematics);
}
