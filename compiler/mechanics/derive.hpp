// derive: the typed model -> the equations of motion, by Lagrange's equations (with the Boltzmann-Hamel terms for
// quasi-velocities) or from M and h given outright. Also the checks that need derivatives or numbers: linearity in
// the velocities, the form of the laws, M symmetric and positive definite at the initial state.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/mechanics/equations.hpp"
#include "compiler/model/typed_model.hpp"
#include "compiler/support/diagnostics.hpp"

namespace nsmc {

// overrides: values that parameters have in the run to come, for the checks of the laws.
std::optional<Equations> derive(const TypedModel& model, sym::ExprPool& pool, Diagnostics& diagnostics,
                                const ParameterValues& overrides = {});

// The checks of the laws once more, at other values of the parameters: the first error, or an empty text. The pool
// grows.
std::string fault_of_laws(const TypedModel& model, sym::ExprPool& pool, const Equations& equations,
                          const ParameterValues& overrides);

// The parameters that these checks depend on, by number.
std::vector<std::size_t> parameters_of_laws(const sym::ExprPool& pool, const Equations& equations);

}  // namespace nsmc
