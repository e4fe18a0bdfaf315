// From the command line and the model to what the runtime needs: parameters, settings, the initial state, columns.
// Whatever does not fit is a UsageError in the words of the user.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/codegen/kernels.hpp"
#include "compiler/driver/commands.hpp"
#include "compiler/mechanics/equations.hpp"
#include "compiler/model/check.hpp"
#include "compiler/symbolic/expr.hpp"
#include "runtime/simulation/simulate.hpp"

namespace nsmc {

// The overrides that are plain numbers, before the model is known: the size of an array may be among them.
StructuralNumbers structural_numbers(const std::vector<std::string>& set);

// The parameters of the model with those of `set` (name=value[unit]) in their place.
std::vector<double> parameters_with(const std::vector<std::string>& set, const Equations& equations,
                                    const sym::ExprPool& pool);

// Everything but recording, progress and the wish to stop.
rt::SimulationOptions simulation_options(const SimulationChoices& choices, const Equations& equations,
                                         const sym::ExprPool& pool, const std::vector<double>& p);

// When to record. What the command line says takes the place of all that the model says.
void choose_recording(const RunOptions& run, const Equations& equations, const sym::ExprPool& pool,
                      const std::vector<double>& p, rt::SimulationOptions& options);

rt::State start_state(const Kernels& kernels, const rt::System& system);

// Indices of the wanted columns, all if none is named; a vector by its name means all its components.
std::vector<std::size_t> select_columns(const std::vector<std::string>& wanted, const std::vector<std::string>& all);

std::string_view method_name(rt::Method method);
std::string_view solver_name(rt::SolverKind kind);

}  // namespace nsmc
