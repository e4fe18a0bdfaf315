#include "compiler/api/simulation_setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <span>

#include "compiler/api/quantity.hpp"
#include "compiler/mechanics/initial_values.hpp"
#include "compiler/model/method_names.hpp"
#include "compiler/support/diagnostics.hpp"
#include "compiler/support/internal_check.hpp"

namespace nsmc {
namespace {

// Of smooth motion. Coordinates are rounded to 1.1e-16 of their size in every one of the many steps.
constexpr double smallest_rtol = 1e-15;

double positive(double value, const std::string& what) {
  if (!(value > 0) || !std::isfinite(value)) {
    throw UsageError(fmt::format("{} must be a finite number greater than 0, this is {}", what, value));
  }
  return value;
}

void require_finite(const std::vector<double>& p, const Equations& equations) {
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (std::isfinite(p[i])) continue;
    throw UsageError(fmt::format("parameter '{}' becomes {} with these parameters", equations.parameters[i].name,
                                 std::isnan(p[i]) ? "undefined" : "infinite"));
  }
}

// In the words of the model: the columns of q and u stand first.
std::string start_fault(const Kernels& kernels, const rt::System& system, const rt::StateFault& fault) {
  const rt::BlockInfo& block = system.blocks()[fault.block];
  const bool velocity = fault.kind == rt::StateFault::Kind::u_not_finite;
  const std::size_t column =
      (velocity ? system.n_q() + block.first_u : block.first_q) + static_cast<std::size_t>(fault.index);
  const std::string& name = kernels.plan().columns[column];
  if (fault.kind == rt::StateFault::Kind::quaternion_zero) {
    return fmt::format("the initial orientation at '{}' has no direction with these parameters", name);
  }
  return fmt::format("the initial value of '{}' is not a finite number with these parameters", name);
}

// The runtime's kinds in the order of their names.
constexpr std::array<rt::Method, method_names.size()> method_kinds{rt::Method::moreau, rt::Method::rk,
                                                                   rt::Method::event, rt::Method::lie};
constexpr std::array<rt::SolverKind, solver_names.size()> solver_kinds{
    rt::SolverKind::jor,   rt::SolverKind::sor,   rt::SolverKind::newton,    rt::SolverKind::automatic,
    rt::SolverKind::jprox, rt::SolverKind::uzawa, rt::SolverKind::multiplier};

template <class Kind, std::size_t n>
Kind kind_of(const std::string& name, Kind otherwise, const std::array<std::string_view, n>& names,
             const std::array<Kind, n>& kinds) {
  if (name.empty()) return otherwise;
  const auto* const at = std::find(names.begin(), names.end(), name);
  internal_check(at != names.end(), "a method or solver that has a name but no place in the runtime");
  return kinds[static_cast<std::size_t>(at - names.begin())];
}

template <class Kind, std::size_t n>
std::string_view name_of(Kind kind, const std::array<std::string_view, n>& names, const std::array<Kind, n>& kinds) {
  return names[static_cast<std::size_t>(std::find(kinds.begin(), kinds.end(), kind) - kinds.begin())];
}

std::optional<double> read_time(const std::string& text, const char* option) {
  if (text.empty()) return std::nullopt;
  return read_value(text, option, "s");
}

// A setting: what the command line gives, else what the model writes.
class SettingReader {
 public:
  SettingReader(const sym::ExprPool& pool, const std::vector<double>& p) : pool_(pool), p_(p) {}

  std::optional<double> time(const std::optional<double>& given, const std::optional<sym::Expr>& written,
                             const char* name) const {
    if (given) return positive(*given, name);
    if (written) return positive(constant_value(pool_, *written, p_), name);
    return std::nullopt;
  }

  template <class Number>
  double number(const std::optional<Number>& given, const std::optional<sym::Expr>& written, double otherwise) const {
    return given ? static_cast<double>(*given) : written ? constant_value(pool_, *written, p_) : otherwise;
  }

 private:
  const sym::ExprPool& pool_;
  const std::vector<double>& p_;
};

// The settings of lie and of its solver. In a model they may wait for the method to be chosen; on the command line they
// must fit it.
void read_splitting(const ChosenSettings& settings, const SettingsEquation& s, const SettingReader& read,
                    rt::SimulationOptions& options) {
  if (settings.inner_steps && options.method != rt::Method::lie) {
    throw UsageError(
        fmt::format("--inner-steps belongs to --method lie, this run is by {}", method_name(options.method)));
  }
  if (settings.rho && options.solver.kind != rt::SolverKind::multiplier) {
    throw UsageError(
        fmt::format("--rho belongs to --solver multiplier, this run is by {}", solver_name(options.solver.kind)));
  }
  const double inner_steps = read.number(settings.inner_steps, s.inner_steps, options.integrator.inner_steps);
  if (!(inner_steps >= 1 && inner_steps <= 1e6)) throw UsageError("inner-steps must lie between 1 and 1e6");
  options.integrator.inner_steps = static_cast<int>(inner_steps);
  if (settings.rho || s.rho) options.solver.rho = positive(read.number(settings.rho, s.rho, 0), "rho");
}

}  // namespace

StructuralNumbers structural_numbers(const std::vector<std::string>& set) {
  StructuralNumbers numbers;
  for (const std::string& item : set) {
    const std::size_t equal = item.find('=');
    if (equal == std::string::npos || equal == 0) continue;
    try {
      numbers[item.substr(0, equal)] = read_quantity(item.substr(equal + 1), item).value;
    } catch (const UsageError&) {
      continue;  // read_overrides says what is wrong with it
    }
  }
  return numbers;
}

double read_value(const std::string& text, const std::string& what, const std::string& dimension) {
  const Quantity quantity = read_quantity(text, what);
  if (quantity.has_unit && quantity.dimension.text() != dimension) {
    throw UsageError(fmt::format("{}: '{}' is {}, expected {}", what, text, quantity.dimension.description(),
                                 dimension == "1" ? "a pure number" : "[" + dimension + "]"));
  }
  return quantity.value;
}

const ParameterEquation& find_parameter(const std::string& name, const std::string& what, const Equations& equations) {
  std::vector<std::string> names;
  for (const ParameterEquation& p : equations.parameters) {
    if (p.name == name) return p;
    names.push_back(p.name);
  }
  std::string hint = did_you_mean(name, names);
  if (hint.empty()) hint = names.empty() ? "it has no parameters" : fmt::format("it has {}", fmt::join(names, ", "));
  throw UsageError(fmt::format("{}: the model has no parameter '{}'; {}", what, name, hint));
}

Overrides read_overrides(const std::vector<std::string>& set, const Equations& equations) {
  Overrides overrides;
  for (const std::string& item : set) {
    const std::size_t equal = item.find('=');
    if (equal == std::string::npos || equal == 0) {
      throw UsageError(fmt::format("--set {}: expected name=value, such as --set mu=0.3", item));
    }
    const std::string name = item.substr(0, equal);
    const ParameterEquation& parameter = find_parameter(name, "--set " + item, equations);
    overrides[name] = read_value(item.substr(equal + 1), "--set " + name, parameter.dimension);
  }
  return overrides;
}

std::vector<double> parameters_with(const Overrides& overrides, const Equations& equations, const sym::ExprPool& pool) {
  std::vector<double> p = parameter_values(pool, equations, overrides);
  require_finite(p, equations);
  return p;
}

ChosenSettings read_settings(const SimulationChoices& choices) {
  ChosenSettings settings;
  settings.until = read_time(choices.until, "--until");
  settings.step = read_time(choices.step, "--step");
  settings.omega = choices.omega;
  settings.tolerance = choices.tolerance;
  settings.max_iterations = choices.max_iterations;
  settings.method = choices.method;
  settings.tableau = choices.tableau;
  settings.rtol = choices.rtol;
  settings.atol = choices.atol;
  settings.form = choices.form;
  settings.rho = choices.rho;
  settings.inner_steps = choices.inner_steps;
  settings.solver = choices.solver;
  settings.scaled = choices.scaled;
  settings.strict = choices.strict;
  return settings;
}

std::string_view method_name(rt::Method method) { return name_of(method, method_names, method_kinds); }
std::string_view solver_name(rt::SolverKind kind) { return name_of(kind, solver_names, solver_kinds); }

rt::Method method_of(const std::string& chosen, const Equations& equations) {
  const std::string& name = chosen.empty() ? equations.settings.method : chosen;
  return kind_of(name, rt::SimulationOptions().method, method_names, method_kinds);
}

rt::SimulationOptions simulation_options(const ChosenSettings& settings, const Equations& equations,
                                         const sym::ExprPool& pool, const std::vector<double>& p) {
  const SettingsEquation& s = equations.settings;
  const SettingReader read(pool, p);
  rt::SimulationOptions options;
  const auto until = read.time(settings.until, s.until, "until");
  if (!until) {
    throw UsageError("the model does not say how long to run: use --until T, or write simulate { until T step DT }");
  }
  options.until = *until;
  options.step = std::min(options.until, read.time(settings.step, s.step, "step").value_or(options.until / 10000));
  options.method = method_of(settings.method, equations);
  if (!settings.tableau.empty() && options.method != rt::Method::rk) {
    throw UsageError(fmt::format("--tableau is for --method rk, this run is by {}", method_name(options.method)));
  }
  if (const std::string& name = settings.tableau.empty() ? s.tableau : settings.tableau; !name.empty()) {
    options.integrator.tableau = rt::find_tableau(name);
    internal_check(options.integrator.tableau != nullptr, "a tableau that has a name but no place in the runtime");
  }
  if (options.method != rt::Method::event && (settings.rtol || settings.atol || !settings.form.empty())) {
    throw UsageError(
        fmt::format("--rtol, --atol and --form belong to --method event, not to {}", method_name(options.method)));
  }
  if (settings.rtol) options.integrator.rtol = positive(*settings.rtol, "rtol");
  if (options.integrator.rtol < smallest_rtol) {
    throw UsageError(fmt::format("rtol {:.3g} is below the rounding of numbers with 16 digits; {:.3g} is the least",
                                 options.integrator.rtol, smallest_rtol));
  }
  if (settings.atol) options.integrator.atol = positive(*settings.atol, "atol");
  rt::SolverOptions& solver = options.solver;
  // The friction substep of lie has an iteration of its own.
  if (options.method == rt::Method::lie) solver.kind = rt::SolverKind::multiplier;
  solver.kind = kind_of(settings.solver.empty() ? s.solver : settings.solver, solver.kind, solver_names, solver_kinds);
  if (settings.form == "kappa") {
    options.integrator.form = rt::Form::kappa;
    if (!rt::has_kappa_form(solver.kind)) {
      throw UsageError(fmt::format(
          "--form kappa is solved by auto, sor, jor or newton; the solver {} is made for forces, --form lambda",
          solver_name(solver.kind)));
    }
  }
  read_splitting(settings, s, read, options);
  solver.omega = read.number(settings.omega, s.omega, solver.omega);
  solver.tolerance = positive(read.number(settings.tolerance, s.tolerance, solver.tolerance), "tolerance");
  if (!(solver.omega > 0 && solver.omega < 2)) throw UsageError("omega must lie between 0 and 2");
  const double iterations = read.number(settings.max_iterations, s.max_iterations, solver.max_iterations);
  if (!(iterations >= 1 && iterations <= 1e9 && iterations == std::floor(iterations))) {
    throw UsageError("max-iterations must be a whole number between 1 and 1e9");
  }
  solver.max_iterations = static_cast<int>(iterations);
  solver.scaled = settings.scaled;
  options.strict = settings.strict;
  return options;
}

void choose_recording(const std::string& record, const std::optional<std::uint64_t>& every, const Equations& equations,
                      const sym::ExprPool& pool, const std::vector<double>& p, rt::SimulationOptions& options) {
  const SettingsEquation& s = equations.settings;
  const SettingReader read(pool, p);
  const bool given = every || !record.empty();
  if (const auto interval = read.time(read_time(record, "--record"), given ? std::nullopt : s.record, "record")) {
    options.record_dt = *interval;
    return;
  }
  const double steps = read.number(every, given ? std::nullopt : s.every, 1);
  if (!(steps >= 1 && steps <= 1e15)) throw UsageError("every must be a whole number of steps, at least 1");
  options.record_every = static_cast<std::uint64_t>(steps);
}

Fusing fusing_for(const rt::SimulationOptions& options, double runs) {
  constexpr double many_steps = 1e6;
  if (options.method != rt::Method::moreau) return Fusing::never;
  return runs * options.until / options.step >= many_steps ? Fusing::always : Fusing::if_cached;
}

rt::State start_state(const Kernels& kernels, const rt::System& system) {
  rt::State state = rt::initial_state(system);
  if (const rt::StateFault fault = rt::find_fault(system, state)) {
    throw UsageError(start_fault(kernels, system, fault));
  }
  return state;
}

std::vector<std::size_t> columns_named(const std::string& name, const std::vector<std::string>& all) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] == name || (all[i].starts_with(name) && all[i].substr(name.size()).starts_with("["))) {
      found.push_back(i);
    }
  }
  return found;
}

std::vector<std::size_t> select_columns(const std::vector<std::string>& wanted, const std::vector<std::string>& all) {
  std::vector<std::size_t> selected;
  for (const std::string& name : wanted) {
    if (name == "t") continue;  // always there
    const std::vector<std::size_t> found = columns_named(name, all);
    selected.insert(selected.end(), found.begin(), found.end());
    if (found.empty()) {
      std::string hint = did_you_mean(name, all);
      if (hint.empty()) hint = fmt::format("there are {}", fmt::join(all, ", "));
      throw UsageError(fmt::format("--outputs: nothing is called '{}'; {}", name, hint));
    }
  }
  if (wanted.empty()) {
    for (std::size_t i = 0; i < all.size(); ++i) selected.push_back(i);
  }
  return selected;
}

}  // namespace nsmc
