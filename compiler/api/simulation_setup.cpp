#include "compiler/api/simulation_setup.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <string_view>

#include "compiler/mechanics/initial_values.hpp"
#include "compiler/support/diagnostics.hpp"
#include "compiler/support/internal_check.hpp"
#include "runtime/names.hpp"
#include "runtime/tables/table.hpp"

namespace nsmc {
namespace {

// The smallest tolerance of smooth motion, relative. Coordinates are rounded to 1.1e-16 of their size in every one of
// the many steps.
constexpr double smallest_rtol = 1e-15;

void require_finite(const std::vector<double>& p, const Equations& equations) {
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (std::isfinite(p[i])) continue;
    const std::string& name = equations.parameters[i].name;
    throw SettingError(name, fmt::format("parameter '{}' becomes {} with these parameters", name,
                                         std::isnan(p[i]) ? "undefined" : "infinite"));
  }
}

// In the words of the model: the columns of q and u stand first.
std::string start_fault(const Kernels& kernels, const rt::System& system, const rt::StateFault& fault) {
  if (fault.block >= system.blocks().size()) {
    return fmt::format("the initial value of '{}' is not a finite number with these parameters",
                       kernels.plan().columns[system.first_z() + fault.index]);
  }
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

// The field of the options that a number or a flag fills.
struct NumberField {
  std::string_view setting;
  void (*fill)(rt::SimulationOptions& options, double value);
};
constexpr NumberField kNumberFields[] = {
    {"until", [](rt::SimulationOptions& o, double x) { o.until = x; }},
    {"step", [](rt::SimulationOptions& o, double x) { o.step = x; }},
    {"accuracy", [](rt::SimulationOptions& o, double x) { o.integrator.accuracy = x; }},
    {"record", [](rt::SimulationOptions& o, double x) { o.record_dt = x; }},
    {"every", [](rt::SimulationOptions& o, double x) { o.record_every = static_cast<std::uint64_t>(x); }},
    {"omega", [](rt::SimulationOptions& o, double x) { o.solver.omega = x; }},
    {"tolerance", [](rt::SimulationOptions& o, double x) { o.solver.tolerance = x; }},
    {"max_iterations", [](rt::SimulationOptions& o, double x) { o.solver.max_iterations = static_cast<int>(x); }},
    {"rho", [](rt::SimulationOptions& o, double x) { o.solver.rho = x; }},
    {"scaled", [](rt::SimulationOptions& o, double x) { o.solver.scaled = x != 0; }},
    {"inner_steps", [](rt::SimulationOptions& o, double x) { o.integrator.inner_steps = static_cast<int>(x); }},
    {"rtol", [](rt::SimulationOptions& o, double x) { o.integrator.rtol = x; }},
    {"atol", [](rt::SimulationOptions& o, double x) { o.integrator.atol = x; }},
    {"energy",
     [](rt::SimulationOptions& o, double x) {
       using Count = rt::SimulationOptions::CountWork;
       o.count_work = x != 0 ? Count::yes : Count::if_cheap;
     }},
    {"no_stabilisation", [](rt::SimulationOptions& o, double x) { o.stabilises = x == 0; }},
    {"strict", [](rt::SimulationOptions& o, double x) { o.strict = x != 0; }},
};

// The same of a word. In this order: the method decides on the default solver.
struct WordField {
  std::string_view setting;
  void (*fill)(rt::SimulationOptions& options, std::string_view word);
};
constexpr WordField kWordFields[] = {
    {"method", [](rt::SimulationOptions& o,
                  std::string_view word) { o.method = *rt::find_named<rt::Method>(rt::method_names, word); }},
    {"solver", [](rt::SimulationOptions& o,
                  std::string_view word) { o.solver.kind = *rt::find_named<rt::SolverKind>(rt::solver_names, word); }},
    {"tableau", [](rt::SimulationOptions& o, std::string_view word) { o.integrator.tableau = rt::find_tableau(word); }},
    {"form", [](rt::SimulationOptions& o,
                std::string_view word) { o.integrator.form = *rt::find_named<rt::Form>(rt::form_names, word); }},
};

template <class Field, std::size_t n>
const Field& field_of(const Field (&fields)[n], std::string_view setting) {
  const Field* const found =
      std::find_if(std::begin(fields), std::end(fields), [&](const Field& field) { return field.setting == setting; });
  internal_check(found != std::end(fields), "a setting that fills no field");
  return *found;
}

// A setting that was given must be of use; in a model it may wait for the method or the solver to be chosen.
void require_owner(const SettingValues<double>& chosen, const rt::SimulationOptions& options) {
  for (std::size_t i = 0; i < setting_rows().size(); ++i) {
    const SettingRow& setting_row = setting_rows()[i];
    if (setting_row.owner.empty() || !chosen.has(static_cast<Setting>(i))) continue;
    const std::string_view by =
        setting_row.owner == "method" ? rt::name_of(options.method) : rt::name_of(options.solver.kind);
    if (by != setting_row.owner_word) {
      throw SettingError(std::string(setting_row.name), fmt::format("{}{}", setting_row.misplaced, by));
    }
  }
}

// With more contacts than this a model whose steps nobody chose gets fixed ones: each of them may switch, and each
// switch would take steps of its own.
constexpr std::size_t most_contacts_by_accuracy = 100;
constexpr double standard_accuracy = 1e-4;

// Whether steps follow from an accuracy. One in a model stands back where a step or another method is chosen.
enum class Accuracy : std::uint8_t { none, chosen, written, standard };
Accuracy accuracy_of(const SettingValues<double>& chosen, const SettingValues<sym::Expr>& written, rt::Method method) {
  const bool fits = method == rt::Method::moreau || method == rt::Method::rk;
  if (chosen.number("accuracy")) {
    if (!fits) {
      throw SettingError("accuracy", fmt::format("`accuracy` is for the methods moreau and rk, this run is by {}{}",
                                                 rt::name_of(method),
                                                 method == rt::Method::event ? ", which has `rtol` and `atol`" : ""));
    }
    return Accuracy::chosen;
  }
  if (written.number("accuracy") && fits && !chosen.number("step")) return Accuracy::written;
  return Accuracy::none;
}

// Neither the caller nor the model says how steps are done.
bool nobody_chose_steps(const SettingValues<double>& chosen, const SettingValues<sym::Expr>& written) {
  return !chosen.number("step") && !chosen.number("accuracy") && chosen.word("method").empty() &&
         !written.number("step") && !written.number("accuracy") && written.word("method").empty();
}

double checked(const SettingRow& setting_row, double value) {
  const std::string name(setting_row.name);
  if (!fits(setting_row, value)) {
    const bool tell = setting_row.range.starts_with("be a finite");
    throw SettingError(
        name, fmt::format("{} must {}{}", name, setting_row.range, tell ? fmt::format(", this is {}", value) : ""));
  }
  if (name == "rtol" && value < smallest_rtol) {
    throw SettingError(name, fmt::format("rtol {:.3g} is below the rounding of numbers with 16 digits; {:.3g} is the "
                                         "least",
                                         value, smallest_rtol));
  }
  return value;
}

}  // namespace

GivenParameters::GivenParameters(const Overrides& overrides) {
  for (const auto& [name, value] : overrides) {
    const std::string text = text_of(value);
    const Quantity quantity =
        value.number() != nullptr ? Quantity{*value.number(), false, {}} : read_quantity(text, {name, "`set` " + name});
    given_[name] = {text, quantity};
  }
}

ParameterValues GivenParameters::values() const {
  ParameterValues values;
  for (const auto& [name, given] : given_) values[name] = given.quantity.value;
  return values;
}

ParameterValues GivenParameters::values_for(const Equations& equations) const {
  for (const auto& [name, given] : given_) {
    const ParameterEquation& parameter = find_parameter(name, fmt::format("`set` {}={}", name, given.text), equations);
    require_dimension(given.quantity, given.text, {name, "`set` " + name}, parameter.dimension);
  }
  return values();
}

const ParameterEquation& find_parameter(const std::string& name, const std::string& what, const Equations& equations) {
  std::vector<std::string> names;
  for (const ParameterEquation& p : equations.parameters) {
    if (p.name == name) return p;
    names.push_back(p.name);
  }
  std::string hint = did_you_mean(name, names);
  if (hint.empty()) hint = names.empty() ? "it has no parameters" : fmt::format("it has {}", joined(names));
  throw SettingError(name, fmt::format("{}: the model has no parameter '{}'; {}", what, name, hint));
}

std::optional<std::uint32_t> find_input(const std::string& name, const Equations& equations) {
  for (std::uint32_t i = 0; i < equations.signals.size(); ++i) {
    if (equations.signals[i].kind == SignalKind::input && equations.signals[i].name == name) return i;
  }
  return std::nullopt;
}

std::vector<rt::InputSamples> input_samples(const Inputs& inputs, const Equations& equations) {
  std::vector<rt::InputSamples> result;
  for (const auto& [name, samples] : inputs) {
    const std::string what = fmt::format("`input` {}", name);
    const std::optional<std::uint32_t> signal = find_input(name, equations);
    if (!signal) {
      std::vector<std::string> names;
      for (const SignalEquation& z : equations.signals) {
        if (z.kind == SignalKind::input) names.push_back(z.name);
      }
      std::string hint = did_you_mean(name, names);
      if (hint.empty()) hint = names.empty() ? "it has no inputs" : fmt::format("it has {}", joined(names));
      throw SettingError(name, fmt::format("{}: the model has no input '{}'; {}", what, name, hint));
    }
    constexpr std::string_view forms[] = {"held", "linear", "cubic"};
    const auto form = std::find(std::begin(forms), std::end(forms), samples.form);
    if (form == std::end(forms))
      throw SettingError(name, fmt::format("{}: samples are held, linear or cubic, not '{}'", what, samples.form));
    rt::InputSamples input{*signal, static_cast<rt::InputForm>(form - std::begin(forms)), samples.t, samples.value, {}};
    if (input.t.empty() || input.t.size() != input.value.size())
      throw SettingError(name, fmt::format("{}: {} times and {} values", what, input.t.size(), input.value.size()));
    for (std::size_t k = 0; k < input.t.size(); ++k) {
      if (!std::isfinite(input.t[k]) || !std::isfinite(input.value[k]))
        throw SettingError(name, fmt::format("{}: sample {} is not finite", what, k + 1));
      if (k > 0 && !(input.t[k] > input.t[k - 1]))
        throw SettingError(name,
                           fmt::format("{}: times ascend, {} does not follow {}", what, input.t[k], input.t[k - 1]));
    }
    const bool cubic = input.form == rt::InputForm::cubic && input.t.size() > 1;
    if (cubic) input.slope = rt::tables::monotone_slopes(input.t, input.value);
    if (input.t.size() == 1) input.form = rt::InputForm::held;
    result.push_back(std::move(input));
  }
  return result;
}

std::vector<double> parameters_with(const ParameterValues& overrides, const Equations& equations,
                                    const sym::ExprPool& pool) {
  std::vector<double> p = parameter_values(pool, equations, overrides);
  require_finite(p, equations);
  return p;
}

SettingValues<double> read_settings(const Settings& settings) {
  SettingValues<double> values;
  for (const auto& [name, value] : settings) {
    const std::optional<Setting> found = find_setting(name);
    if (!found) {
      std::vector<std::string> names;
      for (const SettingRow& known : setting_rows()) names.emplace_back(known.name);
      std::string hint = did_you_mean(name, names);
      if (hint.empty()) hint = fmt::format("there are {}", joined(names));
      throw SettingError(name, fmt::format("there is no setting '{}'; {}", name, hint));
    }
    const SettingRow& setting_row = row(*found);
    const std::string text = text_of(value);
    if (setting_row.kind == SettingKind::word) {
      const auto words = setting_row.words;
      if (std::find(words.begin(), words.end(), text) == words.end()) {
        throw SettingError(name, fmt::format("`{0}`: there is no {0} '{1}'; there are {2}", name, text, joined(words)));
      }
      values.words[*found] = text;
    } else {
      values.numbers[*found] =
          value.number() != nullptr
              ? *value.number()
              : read_value(text, {name, fmt::format("`{}`", name)}, setting_row.kind == SettingKind::time ? "s" : "1");
    }
  }
  return values;
}

rt::Method method_of(const std::string& chosen, const Equations& equations) {
  const std::string name = chosen.empty() ? equations.settings.word("method") : chosen;
  return name.empty() ? rt::SimulationOptions().method : *rt::find_named<rt::Method>(rt::method_names, name);
}

rt::SimulationOptions simulation_options(const SettingValues<double>& chosen, const Equations& equations,
                                         const sym::ExprPool& pool, const std::vector<double>& p, Recording recording) {
  const SettingValues<sym::Expr>& written = equations.settings;
  if (!chosen.number("until") && !written.number("until")) {
    throw SettingError("until",
                       "the model does not say how long to run: use `until` T, or write simulate { until T step DT }");
  }
  rt::SimulationOptions options;
  // A study has no use for it, unless it measures it.
  if (recording == Recording::yes) options.count_work = rt::SimulationOptions::CountWork::if_cheap;
  for (const WordField& field : kWordFields) {
    const std::string given = chosen.word(field.setting);
    const std::string word = given.empty() ? written.word(field.setting) : given;
    if (!word.empty()) field.fill(options, word);
    // The friction substep of lie has an iteration of its own.
    if (field.setting == "method" && options.method == rt::Method::lie) {
      options.solver.kind = rt::SolverKind::multiplier;
    }
  }
  require_owner(chosen, options);
  if (options.integrator.form == rt::Form::kappa && !rt::has_kappa_form(options.solver.kind)) {
    throw SettingError("form", fmt::format("`form` kappa is solved by auto, sor, jor or newton; the solver {} is made "
                                           "for forces, `form` lambda",
                                           rt::name_of(options.solver.kind)));
  }
  // What is said about recording takes the place of all that the model says about it.
  const bool own_recording = chosen.number("record") || chosen.number("every");
  options.step = 0;
  for (std::size_t i = 0; i < setting_rows().size(); ++i) {
    const SettingRow& setting_row = setting_rows()[i];
    if (setting_row.kind == SettingKind::word) continue;
    const bool of_recording = (setting_row.places & kRunOnly) != 0;
    if (of_recording && recording == Recording::no) continue;
    std::optional<double> value = chosen.number(setting_row.name);
    const auto expression = written.number(setting_row.name);
    if (!value && expression && !(of_recording && own_recording)) value = constant_value(pool, *expression, p);
    if (!value) continue;
    if (setting_row.kind != SettingKind::flag) value = checked(setting_row, *value);
    field_of(kNumberFields, setting_row.name).fill(options, *value);
  }
  Accuracy accuracy = accuracy_of(chosen, written, options.method);
  if (accuracy == Accuracy::none) options.integrator.accuracy = 0;
  options.default_steps = nobody_chose_steps(chosen, written);
  // Steps by accuracy look ahead for contacts that close, and do not know of those that are switched off.
  const bool switched = std::any_of(equations.contacts.begin(), equations.contacts.end(),
                                    [](const ContactEquation& contact) { return contact.active.has_value(); });
  if (switched && options.integrator.accuracy > 0) {
    throw SettingError("accuracy",
                       "`accuracy` does not know contacts and joints that are switched by `while`: give a `step`");
  }
  if (options.default_steps && !switched && contact_count(equations) <= most_contacts_by_accuracy) {
    accuracy = Accuracy::standard;
    options.integrator.accuracy = standard_accuracy;
  }
  if (options.integrator.accuracy > 0) {
    // Where states are reported: at steps that stand beside the accuracy, else where rows are asked for.
    const bool own_step = chosen.number("step") || (accuracy == Accuracy::written && written.number("step"));
    if (!own_step) options.step = options.record_dt > 0 ? options.record_dt : options.until / 1000;
  }
  options.step = std::min(options.until, options.step > 0 ? options.step : options.until / 10000);
  return options;
}

Fusing fusing_for(const rt::SimulationOptions& options, double runs) {
  constexpr double many_steps = 1e6;
  if (options.method != rt::Method::moreau || options.integrator.accuracy > 0) return Fusing::never;
  return runs * options.until / options.step >= many_steps ? Fusing::always : Fusing::if_cached;
}

rt::State start_state(const Kernels& kernels, const rt::System& system) {
  rt::State state = rt::initial_state(system);
  if (const rt::StateFault fault = rt::find_fault(system, state)) {
    throw SettingError("", start_fault(kernels, system, fault));
  }
  return state;
}

std::vector<std::uint8_t> passable_contacts(const sym::ExprPool& pool, const Equations& equations) {
  using sym::Op;
  std::vector<std::uint8_t> passable;
  for (const ContactEquation& contact : equations.contacts) {
    std::set<std::uint32_t> moving;  // what depends on coordinates
    bool can = false;
    for (const sym::Expr e : sym::topological_order(pool, contact.gap)) {
      const Op op = pool.op(e);
      bool moves = op == Op::symbol && pool.symbol(e).source == sym::Source::coordinate;
      for (const sym::Expr arg : pool.args(e)) moves = moves || moving.contains(arg.id);
      if (!moves) continue;
      moving.insert(e.id);
      const bool root = op == Op::pow && !(pool.is_constant(pool.args(e)[1]) &&
                                           std::floor(pool.value(pool.args(e)[1])) == pool.value(pool.args(e)[1]));
      can = can || root || op == Op::abs || op == Op::min || op == Op::max || op == Op::hypot || op == Op::select;
    }
    passable.push_back(can ? 1 : 0);
  }
  return passable;
}

std::vector<std::size_t> columns_named(const std::string& name, const KernelPlan& plan) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < plan.columns.size(); ++i) {
    const std::string& column = plan.columns[i];
    // What is counted on request only is asked for by its whole name.
    const bool component = i < plan.work_column || plan.work_column == 0;
    if (column == name || (component && column.starts_with(name) && column.substr(name.size()).starts_with("["))) {
      found.push_back(i);
    }
  }
  return found;
}

std::vector<std::size_t> select_columns(const std::vector<std::string>& wanted, const KernelPlan& plan) {
  std::vector<std::size_t> selected;
  for (const std::string& name : wanted) {
    if (name == "t") continue;  // always there
    const std::vector<std::size_t> found = columns_named(name, plan);
    selected.insert(selected.end(), found.begin(), found.end());
    if (found.empty()) {
      std::string hint = did_you_mean(name, plan.columns);
      constexpr std::size_t few = 12;
      if (hint.empty() && plan.columns.size() <= few) hint = fmt::format("there are {}", joined(plan.columns));
      if (hint.empty()) {
        const std::vector<std::string> near = nearest_names(name, plan.columns, few);
        hint = fmt::format("of {} columns the nearest are {}", plan.columns.size(), joined(near));
      }
      throw SettingError(name, fmt::format("`outputs`: nothing is called '{}'; {}", name, hint));
    }
  }
  if (wanted.empty()) {
    for (std::size_t i = 0; i < plan.work_column; ++i) selected.push_back(i);
  }
  return selected;
}

std::vector<std::size_t> select_columns(const std::vector<std::string>& wanted, std::vector<std::string> columns) {
  KernelPlan plan;
  plan.work_column = static_cast<std::uint32_t>(columns.size());
  plan.columns = std::move(columns);
  return select_columns(wanted, plan);
}

}  // namespace nsmc
