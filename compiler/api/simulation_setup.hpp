// From a caller's overrides and settings, and the model's own, to what the runtime needs: parameters, options, the
// initial state, columns. Whatever does not fit is a SettingError.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/api/quantity.hpp"
#include "compiler/codegen/kernels.hpp"
#include "compiler/mechanics/equations.hpp"
#include "compiler/model/check.hpp"
#include "compiler/model/settings.hpp"
#include "compiler/symbolic/expr.hpp"
#include "nsmc/errors.hpp"
#include "nsmc/settings.hpp"
#include "runtime/simulation/simulate.hpp"

namespace nsmc {

// Overrides, each read once: before the model is known they are numbers that its structure may need, and once it is
// known their names and dimensions must fit it.
class GivenParameters {
 public:
  GivenParameters() = default;
  explicit GivenParameters(const Overrides& overrides);

  bool has(const std::string& name) const { return given_.contains(name); }
  ParameterValues values() const;
  ParameterValues values_for(const Equations& equations) const;

 private:
  struct Given {
    std::string text;
    Quantity quantity;
  };
  std::map<std::string, Given> given_;
};

// The parameter of this name, or a SettingError that begins with `what` and knows a better name.
const ParameterEquation& find_parameter(const std::string& name, const std::string& what, const Equations& equations);

// The number of an input among the signals; nothing if this is the name of none.
std::optional<std::uint32_t> find_input(const std::string& name, const Equations& equations);

// Samples as the runtime has them.
std::vector<rt::InputSamples> input_samples(const Inputs& inputs, const Equations& equations);

// All parameters of the model, with the overrides in their place.
std::vector<double> parameters_with(const ParameterValues& overrides, const Equations& equations,
                                    const sym::ExprPool& pool);

// Settings in SI and words that are known. Whether they fit together is seen by simulation_options.
SettingValues<double> read_settings(const Settings& settings);

// The method of this name, or the model's if it is empty.
rt::Method method_of(const std::string& chosen, const Equations& equations);

// The options of a run: what was chosen, else what the model writes, else the defaults of the runtime. Recording is a
// matter of runs, not of studies.
enum class Recording : bool { no, yes };
rt::SimulationOptions simulation_options(const SettingValues<double>& chosen, const Equations& equations,
                                         const sym::ExprPool& pool, const std::vector<double>& p, Recording recording);

// Whether the step is compiled together with the kernels, for so many runs: what that takes (0.05 to 0.4 s) is gained
// back by a million steps or so. From the cache it is always taken.
Fusing fusing_for(const rt::SimulationOptions& options, double runs = 1);

// By contact: whether its gap can be open at both ends of a path and closed in between, so that a step may pass it. A
// gap without distances (roots), abs, min, max and cases is like that of a plane, behind which everything is closed.
std::vector<std::uint8_t> passable_contacts(const sym::ExprPool& pool, const Equations& equations);

rt::State start_state(const Kernels& kernels, const rt::System& system);

// Indices of the columns of this name: one, or all components of a vector. May be empty.
std::vector<std::size_t> columns_named(const std::string& name, const KernelPlan& plan);

// Indices of the wanted columns; if none is named, all but those that are counted on request only. A vector by its name
// means all its components.
std::vector<std::size_t> select_columns(const std::vector<std::string>& wanted, const KernelPlan& plan);
// The same among the columns of a table.
std::vector<std::size_t> select_columns(const std::vector<std::string>& wanted, std::vector<std::string> columns);

}  // namespace nsmc
