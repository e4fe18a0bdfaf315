#include "compiler/model/outputs.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <span>

#include "compiler/model/arrays.hpp"
#include "compiler/model/expressions.hpp"
#include "compiler/model/settings.hpp"
#include "compiler/support/habits.hpp"

namespace nsmc {

void Outputs::elaborate_output(const ast::Output& output, const std::string& doc) {
  const auto range = arrays_.ranged(output.range, global_scope_);
  if (!range) return;
  const Looking looking(core_, range->instances);
  const Result value = expressions_.expression(output.value, range->scope);
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
                         d.description()),
             without_unit({*value}));
      return;
    }
  }
  model_.outputs.push_back(
      {output.name.text + (output.range ? "@" : ""), doc, *value, range->instances, output.name.span});
}

void Outputs::elaborate_simulate(const ast::Simulate& simulate) {
  for (const ast::Setting& written : simulate.settings) {
    const std::optional<Setting> known = find_setting(written.name.text);
    if (!known || (row(*known).places & kSimulate) == 0) {
      report_unknown_setting(written.name);
    } else if (row(*known).kind == SettingKind::word) {
      elaborate_word(*known, written.value);
    } else {
      elaborate_number(*known, written.value);
    }
  }
  compare_step(simulate);
}

void Outputs::compare_step(const ast::Simulate& simulate) {
  const auto value = [&](const char* name) -> std::optional<double> {
    const auto found = model_.settings.number(name);
    return found ? evaluate(*found, {}) : std::nullopt;
  };
  const std::optional<double> step = value("step"), until = value("until");
  if (!step || !until || !(*step > *until)) return;
  for (const ast::Setting& written : simulate.settings) {
    if (written.name.text != "step") continue;
    report(Kind::step_beyond_end, written.value.span,
           fmt::format("the step of {:.6g} s is longer than the run, which ends at {:.6g} s", *step, *until),
           "a step is a small part of what happens in the model: until/10000 if none is given");
  }
}

void Outputs::report_unknown_setting(const ast::Name& name) {
  std::vector<std::string> names;
  for (const SettingRow& known : setting_rows()) {
    if ((known.places & kSimulate) != 0) names.emplace_back(known.name);
  }
  const std::optional<Advice> known_elsewhere = habit(HabitOf::setting, name.text);
  std::string hint = known_elsewhere ? known_elsewhere->hint : did_you_mean(name.text, names);
  if (hint.empty()) hint = fmt::format("simulate takes {}", joined(names));
  report(Kind::unknown_setting, name.span, fmt::format("unknown setting '{}'", name.text), hint);
}

void Outputs::elaborate_word(Setting setting, const ast::Expr& value) {
  const std::span<const std::string_view> words = row(setting).words;
  if (value.kind != ast::ExprKind::name || std::find(words.begin(), words.end(), value.text) == words.end()) {
    const std::string hint = did_you_mean(value.text, std::vector<std::string>(words.begin(), words.end()));
    report(Kind::bad_setting, value.span, fmt::format("unknown {}, known are {}", row(setting).name, joined(words)),
           hint);
    return;
  }
  model_.settings.words[setting] = value.text;
}

void Outputs::elaborate_number(Setting setting, const ast::Expr& written) {
  const SettingRow& setting_row = row(setting);
  const Result value = expressions_.scalar(written, global_scope_, "a setting");
  if (!value) return;
  if (node(*value).depends.any()) {
    report(Kind::not_constant, written.span, "a setting may depend on parameters alone");
    return;
  }
  // A plain number counts as SI, so that a model in pure numbers and one with units may both be brief.
  const Dimension given = type(*value).dimensions[0];
  const bool time = setting_row.kind == SettingKind::time;
  if (!given.is_dimensionless() && !(time && given == dimensions::time)) {
    report(Kind::wrong_dimension, written.span,
           fmt::format("'{}' is {}, this is {}", setting_row.name, time ? "a time" : "a pure number",
                       given.description()));
    return;
  }
  const auto known = constant_number(*value);
  if (known && !fits(setting_row, *known)) {
    report(Kind::bad_setting, written.span,
           fmt::format("'{}' must {}", setting_row.name, *known > 0 ? setting_row.range : "be greater than 0"));
    return;
  }
  model_.settings.numbers[setting] = *value;
}

}  // namespace nsmc
