#include "compiler/driver/sweep_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "compiler/api/measure_text.hpp"
#include "compiler/api/view_data.hpp"
#include "compiler/driver/option_text.hpp"
#include "compiler/driver/page.hpp"
#include "compiler/driver/run_family.hpp"
#include "compiler/driver/run_summary.hpp"
#include "compiler/driver/terminal.hpp"

namespace nsmc {
namespace {

using Json = nlohmann::ordered_json;

// What a page keeps: runs, moments of each of them, and numbers of all together.
constexpr std::size_t kKeptRuns = 200, kKeptFrames = 300, kKeptAtLeast = 50, kKeptNumbers = 6'000'000;

Json json(const Value& value) { return value.number() != nullptr ? Json(*value.number()) : Json(*value.text()); }

std::string unit_of(const Model& model, const StudyAxis& axis) {
  for (const ParameterInfo& parameter : model.parameters()) {
    if (parameter.name == axis.parameter) return shown_unit(parameter.unit);
  }
  return "";
}

// The units of the columns that the measures have in the table; a vector has one for each of its components.
std::vector<std::string> units_of(const Model& model, const std::vector<std::string>& measures) {
  const std::vector<ColumnInfo> columns = columns_with_units(model);
  std::vector<std::string> units;
  for (const std::string& text : measures) {
    const MeasureText measure = parse_measure(text);
    std::vector<std::string> own;
    for (const ColumnInfo& column : columns) {
      if (column.name == measure.column || (!measure.column.empty() && column.name.starts_with(measure.column + "[")))
        own.push_back(column.unit);
    }
    if (own.empty()) own.push_back(measure.kind == rt::MeasureKind::wall ? "s" : "");
    const bool moment = measure.kind == rt::MeasureKind::first_above || measure.kind == rt::MeasureKind::first_below ||
                        measure.kind == rt::MeasureKind::crossing;
    for (const std::string& unit : own) units.push_back(moment ? "s" : unit);
  }
  return units;
}

// For a shell: 'it'\''s'.
std::string for_shell(const std::string& text) {
  if (text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/+-=") == text.npos &&
      !text.empty())
    return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

std::string shown(const Value& value) {
  return value.number() != nullptr ? fmt::format("{}", *value.number()) : *value.text();
}

// What stands before the value of a parameter or setting: "--set mu=", "--step ".
std::string option_of(const std::string& parameter, const std::string& setting) {
  return setting.empty() ? "--set " + parameter + "=" : in_options("`" + setting + "`") + " ";
}

// What shows a single run of the study, but for what its axes say.
std::string view_command_of(const ModelChoices& choices) {
  std::string command = "nsmc view " + for_shell(choices.file.path);
  for (const auto& [name, value] : choices.overrides) command += " " + option_of(name, "") + for_shell(shown(value));
  for (const auto& [name, value] : choices.settings) command += " " + option_of("", name) + for_shell(shown(value));
  return command;
}

FamilyMember member_at(const Study& study, std::uint64_t index, const ModelChoices& choices) {
  FamilyMember member{"", {}, choices.settings, choices.overrides};
  const std::vector<Value> point = study.point(index);
  for (std::size_t i = 0; i < point.size(); ++i) {
    const StudyAxis& axis = study.axes()[i];
    give(member, axis.name, axis.parameter, axis.setting, point[i]);
  }
  return member;
}

}  // namespace

SweepReport::SweepReport(const SweepOptions& options) : options_(options) {
  if (options.report.empty()) return;
  if (options.model.file.path == "-") throw UsageError("--report needs the model as a file, not standard input");
  page_ = page_template();
}

void SweepReport::require_room(std::uint64_t runs) const {
  if (options_.curves && runs > kKeptRuns)
    throw UsageError(fmt::format("--curves: {} runs are too many for a page, which keeps {}", runs, kKeptRuns));
}

void SweepReport::add(const rt::StudyRow& row) {
  if (!options_.report.empty()) rows_[row.index] = row;
}

void SweepReport::write(const Model& model, const Study& study) const {
  if (options_.report.empty() || rows_.empty()) return;
  Json table{{"axes", Json::array()}, {"measures", Json::array()}, {"rows", Json::array()}};
  const std::vector<std::string> units = units_of(model, options_.study.measures);
  for (std::size_t i = 0; i < study.measures().size(); ++i)
    table["measures"].push_back({{"name", study.measures()[i]}, {"unit", i < units.size() ? units[i] : ""}});
  for (const StudyAxis& axis : study.axes()) {
    Json values = Json::array();
    for (const Value& value : axis.values) values.push_back(json(value));
    table["axes"].push_back({{"name", axis.name},
                             {"unit", unit_of(model, axis)},
                             {"option", option_of(axis.parameter, axis.setting)},
                             {"values", std::move(values)}});
  }
  table["command"] = view_command_of(options_.model);
  const Model seen = options_.curves ? model.with_scene() : model;
  const Scene scene = options_.curves ? seen.scene(options_.model.overrides) : Scene{};
  const std::vector<std::string> columns =
      options_.curves ? columns_to_show(seen, scene, {}) : std::vector<std::string>{};
  const std::size_t numbers = (columns.empty() ? seen.columns().size() : columns.size()) * rows_.size();
  const std::size_t frames = std::clamp(kKeptNumbers / std::max<std::size_t>(1, numbers), kKeptAtLeast, kKeptFrames);
  const RunWatch watch = watch_run(options_.quiet);

  Json data;
  data["model"] = page_model(model, options_.model.overrides, scene);
  data["scene"] = nullptr;
  data["runs"] = Json::array();
  for (const auto& [index, row] : rows_) {
    Json point = Json::array(), values = Json::array();
    for (const Value& value : study.point(index)) point.push_back(json(value));
    for (const std::optional<double>& value : row.values) values.push_back(value ? Json(*value) : Json(nullptr));
    Json shown{{"point", std::move(point)},
               {"values", std::move(values)},
               {"status", in_options(row.status)},
               {"failed", row.failed}};
    if (options_.curves && !row.failed && !watch.stop->load()) {
      const FamilyRun run = run_member(seen, member_at(study, index, options_.model), columns, frames, watch);
      shown["run"] = data["runs"].size();
      add_to_page(data, run_page(seen, run, run_summary(seen, run.result)));
    }
    table["rows"].push_back(std::move(shown));
  }
  if (watch.progress) clear_progress_bar();
  data["study"] = std::move(table);
  write_page(options_.report, page_, std::move(data));
}

}  // namespace nsmc
