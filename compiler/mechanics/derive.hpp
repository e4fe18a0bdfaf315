// derive: the typed model -> the equations of motion, by Lagrange's equations (with the Boltzmann-Hamel terms for
// quasi-velocities) or from M and h given outright. Also the checks that need derivatives or numbers: linearity in
// the velocities, the form of the laws, M symmetric and positive definite at the initial state.
#pragma once

#include <optional>

#include "compiler/mechanics/equations.hpp"
#include "compiler/model/typed_model.hpp"
#include "compiler/support/diagnostics.hpp"

namespace nsmc {

std::optional<Equations> derive(const TypedModel& model, sym::ExprPool& pool, Diagnostics& diagnostics);

}  // namespace nsmc
