// From the command line and the model to what the runtime needs: parameters, settings, the initial state, columns.
// Whatever does not fit is a UsageError in the words of the user.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/api/usage_error.hpp"
#include "compiler/codegen/kernels.hpp"
#include "compiler/mechanics/equations.hpp"
#include "compiler/model/check.hpp"
#include "compiler/symbolic/expr.hpp"
#include "runtime/simulation/simulate.hpp"

namespace nsmc {

// What every simulation can be told. Texts carry units; what is empty is as the model says.
struct SimulationChoices {
  std::vector<std::string> set;  // name=value[unit]
  std::string until, step;
  std::string method, tableau, solver;
  std::optional<double> omega, tolerance;
  std::optional<double> rtol, atol;  // of method event, and so is
  std::string form;                  // lambda or kappa
  std::optional<int> max_iterations;
  std::optional<int> inner_steps;  // of method lie
  std::optional<double> rho;       // of solver multiplier
  bool scaled = false, strict = false;
  bool no_cache = false;  // neither read nor write compiled kernels
};

// The overrides as far as they can be read before the model is known: the size of an array may be among them.
StructuralNumbers structural_numbers(const std::vector<std::string>& set);

// A value from the command line in SI: a bare number, or one with a unit that fits. dimension: "1" is a pure number.
double read_value(const std::string& text, const std::string& what, const std::string& dimension);

// The parameter of this name, or a UsageError that begins with `what` and knows a better name.
const ParameterEquation& find_parameter(const std::string& name, const std::string& what, const Equations& equations);

// Values of parameters, by name, that take the place of the model's.
using Overrides = std::map<std::string, double>;
Overrides read_overrides(const std::vector<std::string>& set, const Equations& equations);  // of name=value[unit]

// All parameters of the model, with the overrides in their place.
std::vector<double> parameters_with(const Overrides& overrides, const Equations& equations, const sym::ExprPool& pool);

// SimulationChoices as numbers; what is absent is as the model says.
struct ChosenSettings {
  std::optional<double> until, step, omega, tolerance, max_iterations;
  std::optional<double> rtol, atol, rho, inner_steps;
  std::string method, tableau, solver, form;
  bool scaled = false, strict = false;
};
ChosenSettings read_settings(const SimulationChoices& choices);

// The method of this name, or the model's if it is empty.
rt::Method method_of(const std::string& chosen, const Equations& equations);

// Everything but recording, progress and the wish to stop.
rt::SimulationOptions simulation_options(const ChosenSettings& settings, const Equations& equations,
                                         const sym::ExprPool& pool, const std::vector<double>& p);

// When to record: at this interval (a time with its unit, or empty) or every so many steps. What is given takes the
// place of all that the model says.
void choose_recording(const std::string& record, const std::optional<std::uint64_t>& every, const Equations& equations,
                      const sym::ExprPool& pool, const std::vector<double>& p, rt::SimulationOptions& options);

// Whether the step is compiled together with the kernels, for so many runs: what that takes (0.05 to 0.4 s) is gained
// back by a million steps or so. From the cache it is always taken.
Fusing fusing_for(const rt::SimulationOptions& options, double runs = 1);

rt::State start_state(const Kernels& kernels, const rt::System& system);

// Indices of the columns of this name: one, or all components of a vector. May be empty.
std::vector<std::size_t> columns_named(const std::string& name, const std::vector<std::string>& all);

// Indices of the wanted columns, all if none is named; a vector by its name means all its components.
std::vector<std::size_t> select_columns(const std::vector<std::string>& wanted, const std::vector<std::string>& all);

std::string_view method_name(rt::Method method);
std::string_view solver_name(rt::SolverKind kind);

}  // namespace nsmc
