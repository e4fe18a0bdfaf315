#include "compiler/model/dynamics.hpp"

#include <fmt/core.h>

#include "compiler/model/arrays.hpp"
#include "compiler/model/bodies.hpp"
#include "compiler/model/expressions.hpp"

namespace nsmc {

std::size_t Dynamics::scalar_velocities() const {
  const bool any =
      !model_.blocks.empty() && model_.blocks[0].instances.single() && model_.blocks[0].kind == BlockKind::coordinates;
  return any ? model_.blocks[0].n_velocities : 0;
}

// Why an energy has a wrong dimension, as far as that can be told.
std::string Dynamics::missing_factor(NodeId value, const Dimension& given, const Dimension& wanted,
                                     bool kinetic) const {
  if (kinetic && !node(value).depends.velocity) return "it depends on no velocity; velocities are written x'";
  if (std::string coordinates = without_unit({value}); !coordinates.empty()) return coordinates;
  const std::string parameters = without_unit({value}, true);
  return fmt::format(
      "a factor of [{}] is missing: {}", (wanted / given).text(),
      !parameters.empty() ? parameters : "check the units in it; a number without a unit is a pure number");
}

void Dynamics::elaborate_energy(const ast::Expr& expr, const ast::Part<ast::IndexRange>& range, const char* what,
                                const Dimension& dimension, bool velocities, std::vector<TypedTerm>& into) {
  const auto in = arrays_.ranged(range, global_scope_);
  if (!in) return;
  const Looking looking(core_, in->instances);
  const Result value = expressions_.scalar(expr, in->scope, what);
  if (!value) return;
  const Dimension given = type(*value).dimensions[0];
  if (!given.fits(dimension)) {
    report(Kind::wrong_dimension, expr.span,
           fmt::format("{} must be {}, this is {}", what, dimension.description(), given.description()),
           missing_factor(*value, given, dimension, &into == &model_.kinetic));
    return;
  }
  const Dependence depends = node(*value).depends;
  if (depends.force || depends.energy || (depends.velocity && !velocities)) {
    report(Kind::depends_on_velocity, expr.span,
           fmt::format("{} must not depend on {}", what,
                       depends.force    ? "contact forces"
                       : depends.energy ? "the energy"
                                        : "velocities"),
           depends.force || depends.energy ? "" : "forces that depend on velocities are a dissipation or a force");
    return;
  }
  // "the potential energy" -> "potential energy"
  const std::string source = &into == &model_.dissipation ? "dissipation" : std::string(what).substr(4);
  into.push_back({*value, in->instances, source, false});
}

void Dynamics::elaborate_force(const ast::Force& force) {
  const auto found = globals_.find(force.target.text);
  const SymbolKind kind = found == globals_.end() ? SymbolKind::law : found->second.kind;
  if (kind == SymbolKind::body) {
    bodies_.elaborate_body_force(force, bodies_.body(found->second.index));
    return;
  }
  const bool array = kind == SymbolKind::coordinate_array;
  if (kind != SymbolKind::coordinate && kind != SymbolKind::velocity && !array) {
    std::vector<std::string> names;
    for (const auto& [text, symbol] : globals_) {
      if (symbol.kind == SymbolKind::coordinate || symbol.kind == SymbolKind::velocity ||
          symbol.kind == SymbolKind::coordinate_array || symbol.kind == SymbolKind::body) {
        names.push_back(text);
      }
    }
    report(Kind::unknown_name, force.target.span,
           fmt::format("'{}' is neither a coordinate nor a velocity nor a body", force.target.text),
           did_you_mean(force.target.text, names));
    return;
  }
  if (force.torque || force.at) {
    report(Kind::wrong_kind, force.target.span,
           fmt::format("'{}' is not a body: its force has no point and is no torque", force.target.text),
           fmt::format("a force or torque along a coordinate is written force {} : value", force.target.text));
    return;
  }
  const auto range = arrays_.ranged(force.range, global_scope_);
  if (!range) return;
  const Looking looking(core_, range->instances);
  const Result value = expressions_.scalar(force.value, range->scope, "a force");
  if (!value) return;
  TypedForce typed;
  typed.value = *value;
  typed.instances = range->instances;
  std::vector<const ast::Expr*> indices;
  if (force.index) indices.push_back(&*force.index);
  std::vector<NodeId> at;
  const Span span = force.target.span;
  const Instances elements = array ? Instances{{arrays_.array(found->second.index).bounds}, false, {}} : Instances{};
  if (!arrays_.find_instance(force.target.text, indices, elements, range->scope, span, at)) return;
  std::string target = force.target.text;
  if (array) {
    typed.velocity = velocity_node(arrays_.array(found->second.index).velocity, at[0], span);
    target += "'";
  } else if (kind == SymbolKind::velocity) {
    typed.velocity = velocity_node(found->second.index, {}, span);
  } else {
    const TypedCoordinate& c = model_.coordinates[found->second.index];
    if (!c.rate) target = model_.velocities[c.velocity].name;
    typed.velocity = c.rate ? *c.rate : velocity_node(c.velocity, {}, span);
  }
  typed.source = fmt::format("force on {}", target);
  const Dimension wanted = power_dimension() / type(typed.velocity).dimensions[0];
  if (!type(*value).dimensions[0].fits(wanted)) {
    report(Kind::wrong_dimension, force.value.span,
           fmt::format("the force on '{}' must be {}, this is {}", force.target.text, wanted.description(),
                       type(*value).dimensions[0].description()),
           "force times velocity is a power");
    return;
  }
  if (node(*value).depends.force || node(*value).depends.energy) {
    report(Kind::depends_on_velocity, force.value.span,
           "a smooth force must not depend on contact forces or on the energy");
    return;
  }
  model_.forces.push_back(std::move(typed));
}

void Dynamics::elaborate_force_vector(const ast::ForceVector& force) {
  const Result value = expressions_.expression(force.value, global_scope_);
  if (!value) return;
  const Type& t = type(*value);
  const std::size_t n = scalar_velocities();
  if (t.kind != ValueKind::number || t.cols != 1 || t.rows != n || n == 0) {
    report(Kind::shape_mismatch, force.value.span,
           fmt::format("the force vector needs {} components, one for each velocity, this is {}", n, shape_text(t)));
    return;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Dimension wanted = power_dimension() / model_.velocities[i].dimension;
    if (t.dimensions[i].fits(wanted)) continue;
    report(Kind::wrong_dimension, force.value.span,
           fmt::format("component {} of the force vector must be {}, this is {}", i + 1, wanted.description(),
                       t.dimensions[i].description()),
           fmt::format("it acts on {}: force times velocity is a power", model_.velocities[i].name));
    return;
  }
  if (node(*value).depends.force || node(*value).depends.energy) {
    report(Kind::depends_on_velocity, force.value.span,
           "a smooth force must not depend on contact forces or on the energy");
    return;
  }
  model_.force_vectors.push_back(*value);
}

void Dynamics::elaborate_mass(const ast::Mass& mass) {
  const Result value = expressions_.expression(mass.matrix, global_scope_);
  if (!value) return;
  const Type& t = type(*value);
  const auto n = static_cast<std::uint32_t>(scalar_velocities());
  if (t.kind != ValueKind::number || t.rows != n || t.cols != n) {
    report(
        Kind::shape_mismatch, mass.matrix.span,
        fmt::format("the mass matrix is {}x{}, one row and column for each velocity, this is {}", n, n, shape_text(t)));
    return;
  }
  for (std::uint32_t i = 0; i < n * n; ++i) {
    const Dimension wanted =
        energy_dimension() / (model_.velocities[i / n].dimension * model_.velocities[i % n].dimension);
    if (t.dimensions[i].fits(wanted)) continue;
    report(Kind::wrong_dimension, mass.matrix.span,
           fmt::format("entry [{}, {}] of the mass matrix must be {}, this is {}", i / n + 1, i % n + 1,
                       wanted.description(), t.dimensions[i].description()));
    return;
  }
  if (node(*value).depends.velocity || node(*value).depends.force) {
    report(Kind::depends_on_velocity, mass.matrix.span, "the mass matrix depends on coordinates and time only");
    return;
  }
  if (model_.mass) {
    report(Kind::inertia_given_twice, mass.matrix.span, "the mass matrix is given twice");
    return;
  }
  model_.mass = *value;
}

}  // namespace nsmc
