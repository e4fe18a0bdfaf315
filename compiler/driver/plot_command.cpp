// nsmc plot: a figure of columns, of a model's run, of several, or of a table; or the set of a law.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>

#include "compiler/api/simulation_setup.hpp"
#include "compiler/api/view_data.hpp"
#include "compiler/driver/commands.hpp"
#include "compiler/driver/exit_codes.hpp"
#include "compiler/driver/plot_figure.hpp"
#include "compiler/driver/plot_set.hpp"
#include "compiler/driver/run_family.hpp"
#include "compiler/driver/targets.hpp"
#include "compiler/driver/terminal.hpp"
#include "nsmc/errors.hpp"

namespace nsmc {
namespace {

constexpr std::size_t kPlotRows = 4000;
constexpr std::size_t kMostParts = 100;
constexpr std::size_t kMarkedRows =
    60;  // so few are points, and lines between neighbours: a run that failed leaves a gap

struct Curves {  // of one run, or a table
  std::string label;
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;
};

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  bool inside = false;
  for (const char c : line) {
    if (c == '"')
      inside = !inside;
    else if (c == ',' && !inside)
      cells.emplace_back();
    else if (c != '\r')
      cells.back() += c;
  }
  return cells;
}

Curves read_table(const std::string& path) {
  const std::string text = read_text(path);
  Curves table;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::vector<std::string> cells = cells_of(text.substr(at, end - at));
    at = end + 1;
    if (table.names.empty()) {
      table.names = cells;
      table.columns.resize(cells.size());
      continue;
    }
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      double value = std::numeric_limits<double>::quiet_NaN();
      if (i < cells.size()) std::from_chars(cells[i].data(), cells[i].data() + cells[i].size(), value);
      table.columns[i].push_back(value);
    }
  }
  if (table.columns.empty()) throw FileError(fmt::format("{} has no columns", path));
  return table;
}

// The column of that name in each run; what is missing is named with the file in which it is.
const std::vector<double>& column_of(const Curves& run, const std::string& name) {
  const auto found = std::find(run.names.begin(), run.names.end(), name);
  if (found == run.names.end()) throw UsageError(fmt::format("{} has no column {}", run.label, name));
  return run.columns[static_cast<std::size_t>(found - run.names.begin())];
}

// A table for each value of a column, in the order in which they come.
std::vector<Curves> split_by(const Curves& table, const std::string& name) {
  const std::vector<double>& keys = column_of(table, name);
  std::vector<Curves> parts;
  std::map<double, std::size_t> place;
  for (std::size_t row = 0; row < keys.size(); ++row) {
    if (!std::isfinite(keys[row])) continue;
    const auto [found, fresh] = place.emplace(keys[row], parts.size());
    if (fresh) {
      if (parts.size() == kMostParts)
        throw UsageError(fmt::format("--by {}: it has more than {} values", name, kMostParts));
      parts.push_back({fmt::format("{} = {:.6g}", name, keys[row]), table.names, {}});
      parts.back().columns.resize(table.columns.size());
    }
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      parts[found->second].columns[c].push_back(table.columns[c][row]);
  }
  if (parts.empty()) throw UsageError(fmt::format("--by {}: the column has no numbers", name));
  return parts;
}

void require_numbers(const std::vector<double>& values, const std::string& name, bool positive) {
  const auto drawn = [&](double value) { return std::isfinite(value) && (!positive || value > 0); };
  if (std::none_of(values.begin(), values.end(), drawn))
    throw UsageError(fmt::format("the column {} has no {}numbers", name, positive ? "positive " : ""));
}

// A path in the plane, length over length, is seen in one scale as long as it is about as wide as high.
bool is_place(const Figure& figure, const std::string& across, const std::vector<std::string>& units) {
  if (across != "m" || units != std::vector<std::string>{"m"} || figure.log_x || figure.log_y) return false;
  double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
  for (const Series& series : figure.series) {
    for (const std::vector<double>& row : series.rows) {
      for (const std::size_t k : {0, 1}) {
        low[k] = std::min(low[k], row[k]);
        high[k] = std::max(high[k], row[k]);
      }
    }
  }
  const double wide = high[0] - low[0], tall = high[1] - low[1];
  return wide < 4 * tall && tall < 4 * wide;
}

// Columns of equal unit share an axis; there are two.
Figure curves_figure(const std::vector<Curves>& runs, const PlotOptions& options,
                     const std::map<std::string, std::string>& units) {
  Figure figure;
  const auto has = [&](const char* axis) {
    return std::find(options.log.begin(), options.log.end(), axis) != options.log.end();
  };
  figure.log_x = has("x");
  figure.log_y = has("y");
  const auto unit = [&](const std::string& name) {
    const auto found = units.find(name);
    return found == units.end() ? std::string() : found->second;
  };
  const std::vector<std::string>& names = runs.front().names;
  // A table of a sweep has no time: its first column is that of the first axis.
  const bool has_time = std::find(names.begin(), names.end(), "t") != names.end();
  const std::vector<std::size_t> across = options.x == "t" && (names[0] == "t" || !has_time)
                                              ? std::vector<std::size_t>{0}
                                              : select_columns({options.x}, names);
  if (across.size() != 1) throw UsageError(fmt::format("-x {}: one column goes across, this is a vector", options.x));
  const std::string& x = names[across[0]];
  std::vector<std::string> ys;
  for (const std::size_t c : select_columns(options.y, names)) ys.push_back(names[c]);
  std::vector<std::string> axes;  // units
  for (const std::string& y : ys) {
    if (std::find(axes.begin(), axes.end(), unit(y)) == axes.end()) axes.push_back(unit(y));
  }
  const auto axis_label = [&](const std::string& of) {
    std::vector<std::string> with;
    for (const std::string& y : ys) {
      if (unit(y) == of) with.push_back(y);
    }
    return axes.size() <= 2 ? labelled(with.size() <= 3 ? joined(with) : "", of) : "";
  };
  figure.x_label = labelled(x, unit(x));
  figure.y_label = axis_label(axes[0]);
  if (axes.size() == 2) figure.y2_label = axis_label(axes[1]);
  for (const Curves& run : runs) {
    const std::vector<double>& at = column_of(run, x);
    require_numbers(at, x, figure.log_x);
    for (const std::string& y : ys) {
      const std::vector<double>& values = column_of(run, y);
      require_numbers(values, y, figure.log_y);
      Series& series = figure.series.emplace_back();
      const std::string name = axes.size() > 2 ? labelled(y, unit(y)) : y;
      series.label = runs.size() == 1 ? (ys.size() > 1 ? name : "")
                     : ys.size() > 1  ? name + ", " + run.label
                                      : run.label;
      series.second_axis = axes.size() == 2 && unit(y) == axes[1];
      if (values.size() <= kMarkedRows) series.style = Series::Style::marked;
      for (std::size_t row = 0; row < values.size(); ++row) series.rows.push_back({at[row], values[row]});
    }
  }
  figure.equal_axes = is_place(figure, unit(x), axes);
  if (options.labels.empty()) return figure;
  if (options.labels.size() != figure.series.size())
    throw UsageError(fmt::format("--label: {} for {} curves", options.labels.size(), figure.series.size()));
  for (std::size_t i = 0; i < figure.series.size(); ++i) figure.series[i].label = options.labels[i];
  return figure;
}

bool is_table(const std::string& file) { return file.ends_with(".csv"); }

// "bouncing_ball" of models/bouncing_ball.nsm, "table" of table.csv.
std::string stem_of(const std::string& file) { return std::filesystem::path(file).stem().string(); }

// What all figures of runs share.
struct Drawn {
  std::vector<Curves> curves;
  std::map<std::string, std::string> units;  // of columns
  std::string title;
  int code = kDone;
};

void add_units(const Model& model, Drawn& drawn) {
  bool dimensional = false;
  for (const ColumnInfo& column : columns_with_units(model)) {
    drawn.units[column.name] = column.unit;
    dimensional = dimensional || (column.unit != "1" && !column.unit.empty());
  }
  if (dimensional) drawn.units["t"] = "s";
}

// One run, as far as the figure is worth drawing.
std::optional<FamilyRun> finished_run(const Model& model, const FamilyMember& member,
                                      const std::vector<std::string>& wanted, int& code) {
  const RunWatch watch = watch_run(false);
  FamilyRun run = run_member(model, member, wanted, kPlotRows, watch);
  if (watch.progress) clear_progress_bar();
  for (const RunWarning& warning : run.result.summary.warnings)
    std::fputs(fmt::format("nsmc: warning {}: {}\n", warning.code, warning.message).c_str(), stderr);
  if (run.result.end == RunEnd::finished) return run;
  std::fputs(fmt::format("nsmc: {}\n", run.result.message).c_str(), stderr);
  code = run.result.end == RunEnd::interrupted ? kInterrupted : kNumericalFailure;
  return std::nullopt;
}

// A model, or nothing after its errors were printed.
std::optional<Model> good_model(const ModelFile& file, const ModelChoices& choices) {
  const Model model = open_model(file, model_options(choices));
  print_diagnostics(model);
  if (!model.ok()) return std::nullopt;
  return model;
}

void add_runs(const std::string& path, const PlotOptions& options, Drawn& drawn) {
  if (is_table(path)) {
    Curves table = read_table(path);
    table.label = stem_of(path);
    if (options.by.empty()) {
      drawn.curves.push_back(std::move(table));
      return;
    }
    for (Curves& part : split_by(table, options.by)) {
      if (!options.more.empty()) part.label = table.label + ", " + part.label;
      drawn.curves.push_back(std::move(part));
    }
    return;
  }
  if (!options.by.empty()) throw UsageError("--by is for tables; of a model --vary draws several runs");
  ModelFile file = options.model.file;
  file.path = path;
  const std::optional<Model> model = good_model(file, options.model);
  if (!model) {
    drawn.code = kModelErrors;
    return;
  }
  require_apart({{"--output", options.output}}, *model);
  add_units(*model, drawn);
  drawn.title = model->doc();
  std::vector<std::string> wanted = options.y;
  if (options.x != "t") wanted.push_back(options.x);
  for (const FamilyMember& member : members_of(*model, options.model, options.vary)) {
    const std::optional<FamilyRun> run = finished_run(*model, member, wanted, drawn.code);
    if (!run) return;
    Curves& one = drawn.curves.emplace_back();
    one.label = member.label.empty()   ? stem_of(path)
                : options.more.empty() ? member.label
                                       : stem_of(path) + ", " + member.label;
    one.names = {"t"};
    one.names.insert(one.names.end(), run->rows.names().begin(), run->rows.names().end());
    one.columns.push_back(run->rows.t);
    one.columns.insert(one.columns.end(), run->rows.columns.begin(), run->rows.columns.end());
  }
}

int draw_set(const PlotOptions& options) {
  if (is_table(options.model.file.path)) throw UsageError("a table has columns only: --set-of is for models");
  if (!options.more.empty() || !options.vary.empty() || !options.log.empty() || !options.labels.empty() ||
      !options.by.empty())
    throw UsageError("--set-of shows one run: it goes without other files, --vary, --by, --label and --log");
  const std::optional<Model> plain = good_model(options.model.file, options.model);
  if (!plain) return kModelErrors;
  const Model model = plain->with_scene();
  if (!model.ok()) {
    print_diagnostics(model);
    return kModelErrors;
  }
  require_apart({{"--output", options.output}}, model);
  const FamilyMember member = members_of(model, options.model, {}).front();
  const Scene scene = model.scene(member.overrides);
  const auto found = std::find_if(scene.contacts.begin(), scene.contacts.end(),
                                  [&](const SceneContact& one) { return one.name == options.set_of; });
  if (found == scene.contacts.end()) {
    std::vector<std::string> names;
    for (const SceneContact& one : scene.contacts) names.push_back(one.name);
    std::string hint = did_you_mean(options.set_of, names);
    if (hint.empty() && names.size() <= 20) hint = fmt::format("contacts are {}", joined(names));
    throw UsageError(
        fmt::format("--set-of {}: there is no such contact{}{}", options.set_of, hint.empty() ? "" : "; ", hint));
  }
  int code = kDone;
  const std::optional<FamilyRun> run = finished_run(model, member, {}, code);
  if (!run) return code;
  Figure figure = set_figure(*found, run->rows, options.at);
  if (!options.title.empty()) figure.title = options.title;
  draw_figure(figure, options.output);
  return code;
}

}  // namespace

int plot_command(const PlotOptions& options) {
  if (options.y.empty() == options.set_of.empty()) throw UsageError("what is drawn: -y z,table.N, or --set-of CONTACT");
  require_figure(options.output);
  if (!options.set_of.empty()) return draw_set(options);
  std::vector<std::string> files{options.model.file.path};
  files.insert(files.end(), options.more.begin(), options.more.end());
  if (!options.vary.empty() && std::all_of(files.begin(), files.end(), is_table))
    throw UsageError("a table has columns only: --vary is for models");
  Drawn drawn;
  Figure figure;
  try {
    for (const std::string& file : files) {
      add_runs(file, options, drawn);
      if (drawn.code != kDone) return drawn.code;
    }
    figure = curves_figure(drawn.curves, options, drawn.units);
  } catch (const SettingError& error) {
    // Columns of a run are its outputs; here they have other options.
    constexpr std::string_view of_a_run = "`outputs`";
    const std::string message = error.what();
    if (!message.starts_with(of_a_run)) throw;
    throw UsageError((error.setting == options.x ? "-x" : "-y") + message.substr(of_a_run.size()));
  }
  figure.title = !options.title.empty() ? options.title : files.size() == 1 ? drawn.title : "";
  draw_figure(figure, options.output);
  return kDone;
}

}  // namespace nsmc
