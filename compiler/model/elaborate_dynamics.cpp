// Energies, forces and the mass matrix, with the dimensions that make force times velocity a power.
#include <fmt/format.h>

#include "compiler/model/elaborator.hpp"

namespace nsmc {

void Elaborator::elaborate_energy(const ast::Expr& expr, const char* what, const Dimension& dimension, bool velocities,
                                  std::vector<NodeId>& into) {
  const Result value = scalar(expr, global_scope_, what);
  if (!value) return;
  const Dimension given = type(*value).dimensions[0];
  if (!given.fits(dimension)) {
    report(Kind::wrong_dimension, expr.span,
           fmt::format("{} must be {}, this is {}", what, dimension.description(), given.description()),
           "check the units of the parameters in it: a number without a unit is a pure number");
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
  into.push_back(*value);
}

void Elaborator::elaborate_force(const ast::Force& force) {
  const auto found = globals_.find(force.target.text);
  const bool coordinate = found != globals_.end() && found->second.kind == SymbolKind::coordinate;
  if (!coordinate && (found == globals_.end() || found->second.kind != SymbolKind::velocity)) {
    std::vector<std::string> names;
    for (const auto& [text, symbol] : globals_) {
      if (symbol.kind == SymbolKind::coordinate || symbol.kind == SymbolKind::velocity) names.push_back(text);
    }
    report(Kind::unknown_name, force.target.span,
           fmt::format("'{}' is neither a coordinate nor a velocity", force.target.text),
           did_you_mean(force.target.text, names));
    return;
  }
  const Result value = scalar(force.value, global_scope_, "a force");
  if (!value) return;
  TypedForce typed;
  typed.value = *value;
  typed.coordinate_or_velocity = found->second.index;
  Dimension velocity;
  if (coordinate) {
    const TypedCoordinate& c = model_.coordinates[found->second.index];
    typed.on_coordinate = c.rate.has_value();
    if (!c.rate) typed.coordinate_or_velocity = c.velocity;
    velocity = c.dimension / time_dimension();
  } else {
    velocity = model_.velocities[found->second.index].dimension;
  }
  const Dimension wanted = power_dimension() / velocity;
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
  model_.forces.push_back(typed);
}

void Elaborator::elaborate_force_vector(const ast::ForceVector& force) {
  const Result value = expression(force.value, global_scope_);
  if (!value) return;
  const Type& t = type(*value);
  if (t.kind != ValueKind::number || t.cols != 1 || t.rows != model_.velocities.size()) {
    report(Kind::shape_mismatch, force.value.span,
           fmt::format("the force vector needs {} components, one for each velocity, this is {}",
                       model_.velocities.size(), shape_text(t)));
    return;
  }
  for (std::size_t i = 0; i < model_.velocities.size(); ++i) {
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

void Elaborator::elaborate_mass(const ast::Mass& mass) {
  const Result value = expression(mass.matrix, global_scope_);
  if (!value) return;
  const Type& t = type(*value);
  const auto n = static_cast<std::uint32_t>(model_.velocities.size());
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
