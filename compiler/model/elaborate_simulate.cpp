// Outputs and the settings of a simulation.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "compiler/model/elaborator.hpp"
#include "compiler/model/looking.hpp"
#include "compiler/model/method_names.hpp"

namespace nsmc {

void Elaborator::elaborate_output(const ast::Output& output, const std::string& doc) {
  const auto range = ranged(output.range, global_scope_);
  if (!range) return;
  const Looking looking(looking_, range->instances);
  const Result value = expression(output.value, range->scope);
  if (!value) return;
  if (output.range && node(*value).depends.energy) {
    report(Kind::wrong_kind, output.value.span, "the energy is that of the whole model: it goes without an index");
    return;
  }
  if (type(*value).kind != ValueKind::number || type(*value).cols != 1) {
    report(Kind::wrong_kind, output.value.span, "an output is a number or a vector");
    return;
  }
  if (output.unit && model_.dimensional) {
    const Dimension wanted = resolve(*output.unit, diagnostics_).dimension;
    for (const Dimension& d : type(*value).dimensions) {
      if (d.fits(wanted)) continue;
      report(Kind::wrong_dimension, output.value.span,
             fmt::format("output '{}' is declared as {}, this is {}", output.name.text, wanted.description(),
                         d.description()));
      return;
    }
  }
  model_.outputs.push_back(
      {output.name.text + (output.range ? "@" : ""), doc, *value, range->instances, output.name.span});
}

void Elaborator::elaborate_simulate(const ast::Simulate& simulate) {
  Settings& s = model_.settings;
  struct Entry {
    const char* name;
    std::optional<NodeId> Settings::*slot;
    bool time;
  };
  static constexpr Entry kEntries[] = {
      {"until", &Settings::until, true},
      {"step", &Settings::step, true},
      {"record", &Settings::record, true},
      {"omega", &Settings::omega, false},
      {"tolerance", &Settings::tolerance, false},
      {"max_iterations", &Settings::max_iterations, false},
      {"every", &Settings::every, false},
      {"inner_steps", &Settings::inner_steps, false},
      {"rho", &Settings::rho, false},
  };
  struct Choice {
    const char* name;
    std::string Settings::*slot;
    std::span<const std::string_view> known;
  };
  static constexpr Choice kChoices[] = {
      {"method", &Settings::method, method_names},
      {"tableau", &Settings::tableau, tableau_names},
      {"solver", &Settings::solver, solver_names},
  };
  for (const ast::Setting& setting : simulate.settings) {
    const std::string& text = setting.name.text;
    const auto* choice = std::find_if(std::begin(kChoices), std::end(kChoices),
                                      [&](const Choice& candidate) { return text == candidate.name; });
    if (choice != std::end(kChoices)) {
      const std::span<const std::string_view> known = choice->known;
      const bool is_known = setting.value.kind == ast::ExprKind::name &&
                            std::find(known.begin(), known.end(), setting.value.text) != known.end();
      if (!is_known) {
        report(Kind::bad_setting, setting.value.span, fmt::format("unknown {}, known are {}", text, joined(known)));
        continue;
      }
      s.*(choice->slot) = setting.value.text;
      continue;
    }
    const auto* entry = std::find_if(std::begin(kEntries), std::end(kEntries),
                                     [&](const Entry& candidate) { return text == candidate.name; });
    if (entry == std::end(kEntries)) {
      std::vector<std::string> names;
      for (const Choice& known : kChoices) names.emplace_back(known.name);
      for (const Entry& known : kEntries) names.emplace_back(known.name);
      std::string hint = did_you_mean(text, names);
      if (hint.empty()) hint = fmt::format("simulate takes {}", joined(names));
      report(Kind::unknown_setting, setting.name.span, fmt::format("unknown setting '{}'", text), hint);
      continue;
    }
    const Result value = scalar(setting.value, global_scope_, "a setting");
    if (!value) continue;
    if (node(*value).depends.any()) {
      report(Kind::not_constant, setting.value.span, "a setting may depend on parameters alone");
      continue;
    }
    // A plain number counts as SI, so that a model in pure numbers and one with units may both be brief.
    const Dimension given = type(*value).dimensions[0];
    if (!given.is_dimensionless() && !(entry->time && given == dimensions::time)) {
      report(
          Kind::wrong_dimension, setting.value.span,
          fmt::format("'{}' is {}, this is {}", text, entry->time ? "a time" : "a pure number", given.description()));
      continue;
    }
    const auto known = constant_number(*value);
    if (known && !(*known > 0)) {
      report(Kind::bad_setting, setting.value.span, fmt::format("'{}' must be greater than 0", text));
      continue;
    }
    const bool whole = text == "every" || text == "max_iterations" || text == "inner_steps";
    if (known && ((text == "omega" && !(*known < 2)) || (whole && *known != std::floor(*known)))) {
      report(Kind::bad_setting, setting.value.span,
             whole ? fmt::format("'{}' must be a whole number", text) : "'omega' must lie between 0 and 2");
      continue;
    }
    s.*(entry->slot) = *value;
  }
}

}  // namespace nsmc
