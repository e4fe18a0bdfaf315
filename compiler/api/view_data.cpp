#include "compiler/api/view_data.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "compiler/api/model_impl.hpp"
#include "compiler/api/scene_json.hpp"
#include "compiler/api/simulation_setup.hpp"
#include "compiler/model/typed_scene.hpp"

namespace nsmc {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostColumns = 4000;
constexpr std::size_t kFewContacts = 20, kMostSinks = 60;
constexpr double kSameShape = 1e-4;  // of the extent of a set: what is no longer one shape in other sizes

std::string base64(const void* data, std::size_t bytes) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto* in = static_cast<const unsigned char*>(data);
  std::string out;
  out.reserve((bytes + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes; i += 3) {
    const std::uint32_t left = static_cast<std::uint32_t>(std::min<std::size_t>(3, bytes - i));
    std::uint32_t bits = 0;
    for (std::uint32_t k = 0; k < 3; ++k) bits = bits << 8U | (k < left ? in[i + k] : 0U);
    for (std::uint32_t k = 0; k < 4; ++k) out += k <= left ? digits[bits >> (18U - 6U * k) & 63U] : '=';
  }
  return out;
}

// The rows of a run by column, and columns that only the page has.
class Columns {
 public:
  explicit Columns(const Table& rows) : rows_(rows) {
    for (std::size_t i = 0; i < rows.names().size(); ++i) by_name_[rows.names()[i]] = i;
  }

  std::size_t rows() const { return rows_.rows(); }
  std::size_t count() const { return rows_.names().size() + own_.size(); }
  std::optional<std::size_t> find(const std::string& name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? std::nullopt : std::optional(found->second);
  }
  const std::vector<double>& values(std::size_t column) const {
    const std::size_t n = rows_.names().size();
    return column < n ? rows_.columns[column] : own_[column - n];
  }
  std::string name(std::size_t column) const {
    const std::size_t n = rows_.names().size();
    return column < n ? rows_.names()[column] : std::string(1, kSceneName) + "set" + std::to_string(column - n + 1);
  }
  std::size_t add(std::vector<double> values) {
    own_.push_back(std::move(values));
    return count() - 1;
  }
  double value(std::size_t column, std::size_t row) const {
    if (row == 0 && from_second_.contains(column)) row = 1;
    return values(column)[row];
  }
  double at(const Channel& channel, std::size_t row) const {
    if (channel.column.empty()) return channel.value;
    const auto column = find(channel.column);
    return column ? value(*column, row) : std::nan("");
  }
  // The first row has its value from the second one.
  void begin_with_second(const Channel& channel) {
    const auto column = channel.column.empty() ? std::nullopt : find(channel.column);
    if (column && rows() > 1) from_second_.insert(*column);
  }

 private:
  const Table& rows_;
  std::vector<std::vector<double>> own_;
  std::map<std::string, std::size_t, std::less<>> by_name_;
  std::set<std::size_t> from_second_;
};

// The first row lies before the first step and has no forces yet: a contact at rest has those of the step that begins
// there, and their sets.
void fill_first_forces(const Scene& scene, Columns& columns) {
  if (columns.rows() < 2) return;
  for (const SceneContact& contact : scene.contacts) {
    Channels forces = contact.T, arguments;
    for (const auto* one : {&contact.N, &contact.drill}) {
      if (*one) forces.push_back(**one);
    }
    for (const SceneLaw& law : contact.laws) {
      forces.insert(forces.end(), law.force.begin(), law.force.end());
      for (const SceneSet& set : law.sets)
        arguments.insert(arguments.end(), set.arguments.begin(), set.arguments.end());
    }
    if (std::any_of(forces.begin(), forces.end(), [&](const Channel& one) { return columns.at(one, 0) != 0; }))
      continue;
    for (const Channels& list : {forces, arguments}) {
      for (const Channel& one : list) columns.begin_with_second(one);
    }
  }
}

using Points = std::vector<std::vector<double>>;

double extent(const Points& points) {
  double largest = 0;
  for (const auto& point : points) {
    double square = 0;
    for (const double x : point) square += x * x;
    largest = std::max(largest, std::sqrt(square));
  }
  return largest;
}

// A set as one shape in the sizes of the rows where it is that, as a shape for each row otherwise.
class SetPicture {
 public:
  // `fine`: a body that is there once may have many corners.
  SetPicture(const SceneSet& set, Columns& columns, bool fine) : set_(set), columns_(columns), fine_(fine) {}

  // Nothing if it has no end, or no size in any row.
  Json draw() {
    const bool constant =
        std::all_of(set_.arguments.begin(), set_.arguments.end(), [](const Channel& a) { return a.column.empty(); });
    if (constant || columns_.rows() == 0) {
      const Points points = set_.boundary(arguments(0), detail());
      return points.empty() || !(extent(points) > 0) ? Json() : shape(points, 1.0);
    }
    std::vector<Points> few;
    std::vector<double> sizes;
    for (std::size_t row = 0; row < columns_.rows(); ++row) {
      few.push_back(set_.boundary(arguments(row), 0));
      if (few.back().empty()) return {};
      sizes.push_back(extent(few.back()));
    }
    const auto largest = static_cast<std::size_t>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
    const double whole = sizes[largest];
    if (!(whole > 0)) return {};
    for (double& size : sizes) size /= whole;
    for (std::size_t row = 0; row < columns_.rows(); ++row) {
      if (!same(few[row], few[largest], sizes[row])) return by_rows();
    }
    const Points points = set_.boundary(arguments(largest), detail());
    return shape(points, Json{{"c", columns_.add(std::move(sizes))}});
  }

 private:
  int detail() const { return set_.dim == 3 && !fine_ ? 1 : 2; }

  std::vector<double> arguments(std::size_t row) const {
    std::vector<double> values;
    for (const Channel& channel : set_.arguments) {
      values.push_back(columns_.rows() == 0 ? channel.value : columns_.at(channel, row));
    }
    return values;
  }

  static bool same(const Points& a, const Points& b, double scale) {
    if (a.size() != b.size()) return false;
    const double slack = kSameShape * extent(b);
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t k = 0; k < a[i].size(); ++k) {
        if (!(std::abs(a[i][k] - scale * b[i][k]) <= slack)) return false;
      }
    }
    return true;
  }

  void add_triangles(Json& out, int detail) const {
    if (set_.dim == 3) out["triangles"] = set_triangles(detail);
  }

  // Rounded to what can be seen, so that a page does not carry sixteen digits.
  Json shape(const Points& points, Json scale) const {
    const double grain = extent(points) * 1e-7;
    Json out;
    out["points"] = Json::array();
    for (const auto& point : points) {
      Json rounded = Json::array();
      for (const double x : point) rounded.push_back(static_cast<float>(std::abs(x) < grain ? 0 : x));
      out["points"].push_back(std::move(rounded));
    }
    out["scale"] = std::move(scale);
    add_triangles(out, detail());
    return out;
  }

  Json by_rows() const {
    std::vector<float> all;
    std::size_t n = 0;
    for (std::size_t row = 0; row < columns_.rows(); ++row) {
      const Points points = set_.boundary(arguments(row), 1);
      n = points.size();
      for (const auto& point : points) {
        for (const double x : point) all.push_back(static_cast<float>(x));
      }
    }
    Json out{{"n", n}, {"frames", base64(all.data(), all.size() * sizeof(float))}};
    add_triangles(out, 1);
    return out;
  }

  const SceneSet& set_;
  Columns& columns_;
  bool fine_;
};

void collect(const Channels& channels, std::set<std::string>& names) {
  for (const Channel& channel : channels) {
    if (!channel.column.empty()) names.insert(channel.column);
  }
}

// All columns that a scene speaks of.
std::set<std::string> columns_of(const Scene& scene) {
  std::set<std::string> names;
  for (const SceneItem& item : scene.items) {
    collect(item.position, names);
    collect(item.orientation, names);
    for (const auto& [name, size] : item.sizes) collect(size, names);
    for (const Channels& point : item.points) collect(point, names);
  }
  for (const SceneJoint& joint : scene.joints) {
    collect(joint.position, names);
    collect(joint.axis, names);
  }
  for (const SceneContact& contact : scene.contacts) {
    collect(contact.point, names);
    collect(contact.normal, names);
    for (const Channels& tangent : contact.tangents) collect(tangent, names);
    for (const auto* one : {&contact.gap, &contact.N, &contact.drill}) {
      if (*one) collect({**one}, names);
    }
    for (const SceneLaw& law : contact.laws) {
      collect(law.force, names);
      collect(law.velocity, names);
      for (const SceneSet& set : law.sets) collect(set.arguments, names);
    }
  }
  return names;
}

}  // namespace

std::string short_number(double value) { return fmt::format("{:.6g}", value); }

std::string shown_unit(const std::string& unit) {
  static const std::map<std::string, std::string, std::less<>> kNames{
      {"1", ""},         {"kg m/s^2", "N"}, {"kg m^2/s^2", "N m"}, {"kg m^2/s^3", "W"}, {"kg/(m s^2)", "Pa"},
      {"kg/s^2", "N/m"}, {"kg/s", "N s/m"}, {"kg m/s", "N s"}};
  const auto found = kNames.find(unit);
  return found == kNames.end() ? unit : found->second;
}

std::vector<ColumnInfo> columns_with_units(const Model& model) {
  std::vector<ColumnInfo> columns = model.columns();
  const std::vector<ParameterInfo> parameters = model.parameters();
  const auto dimensional = [](const auto& info) { return info.unit != "1" && !info.unit.empty(); };
  const bool units = std::any_of(columns.begin(), columns.end(), dimensional) ||
                     std::any_of(parameters.begin(), parameters.end(), dimensional);
  for (ColumnInfo& column : columns) {
    const bool open = units && column.unit.empty();
    column.unit = shown_unit(column.unit);
    if (open && (column.name.starts_with("energy") || column.name.ends_with(".dissipated"))) column.unit = "J";
    if (open && column.name.find(".gap") != std::string::npos) column.unit = "m";
  }
  return columns;
}

std::vector<std::string> columns_with_work(const Model& model) {
  std::vector<std::string> all;
  std::size_t sinks = 0;
  for (const ColumnInfo& column : model.columns()) {
    all.push_back(column.name);
    if (column.name.ends_with(".dissipated")) ++sinks;
  }
  return sinks > kMostSinks || all.size() > kMostColumns ? std::vector<std::string>{} : all;
}

std::vector<std::string> columns_to_show(const Model& model, const Scene& scene,
                                         const std::vector<std::string>& wanted) {
  std::vector<std::string> all;
  for (const ColumnInfo& column : model.columns()) all.push_back(column.name);
  if (wanted.empty() && all.size() <= kMostColumns) return {};
  std::set<std::string> names = columns_of(scene);
  names.insert("energy");
  for (const std::size_t i : wanted.empty() ? std::vector<std::size_t>{} : select_columns(wanted, all))
    names.insert(all[i]);
  if (wanted.empty()) {  // outputs that are no arrays
    for (const OutputInfo& output : model.outputs()) {
      if (output.name.find("[i]") == std::string::npos && output.name.front() != kSceneName) names.insert(output.name);
    }
  }
  std::vector<std::string> result;
  for (const std::string& name : all) {
    if (names.contains(name)) result.push_back(name);
  }
  return result;
}

RunPage run_page(const Model& model, const ShownRun& run, const std::string& summary) {
  Scene scene = model.scene(run.overrides);
  for (SceneContact& contact : scene.contacts) {
    for (SceneLaw& law : contact.laws)
      std::transform(law.units.begin(), law.units.end(), law.units.begin(), shown_unit);
  }
  Columns columns(run.rows);
  fill_first_forces(scene, columns);
  SceneWords words;
  words.channel = [&](const Channel& channel) -> Json {
    if (channel.column.empty()) return std::isfinite(channel.value) ? Json(channel.value) : Json(0.0);
    const auto column = columns.find(channel.column);
    return column ? Json{{"c", *column}} : Json(0.0);
  };
  words.sets = [&](const SceneLaw& law) {
    Json sets = Json::array();
    for (const SceneSet& set : law.sets) {
      Json boundary = SetPicture(set, columns, scene.contacts.size() <= kFewContacts).draw();
      if (!boundary.is_null()) sets.push_back({{"role", set.role}, {"boundary", std::move(boundary)}});
    }
    return sets;
  };
  RunPage page;
  page.scene = scene_json(scene, words);

  std::map<std::string, std::string> units, docs;
  for (const ColumnInfo& column : columns_with_units(model)) units[column.name] = column.unit;
  for (const auto& list : {model.coordinates(), model.velocities()}) {
    for (const VariableInfo& variable : list) docs[variable.name] = variable.doc;
  }
  for (const OutputInfo& output : model.outputs()) docs[output.name] = output.doc;
  Json& out = page.run;
  out["label"] = run.label;
  out["overrides"] = Json::object();
  for (const auto& [name, value] : run.overrides)
    out["overrides"][name] = value.number() != nullptr ? short_number(*value.number()) : *value.text();
  out["columns"] = Json::array();
  std::vector<float> data;
  data.reserve(columns.count() * columns.rows());
  for (std::size_t c = 0; c < columns.count(); ++c) {
    const std::string name = columns.name(c);
    Json column{{"name", name}, {"unit", units[name]}};
    if (const auto doc = docs.find(name); doc != docs.end() && !doc->second.empty()) column["doc"] = doc->second;
    if (name.front() == kSceneName) column["hidden"] = true;
    out["columns"].push_back(std::move(column));
    for (std::size_t row = 0; row < columns.rows(); ++row) data.push_back(static_cast<float>(columns.value(c, row)));
  }
  out["rows"] = columns.rows();
  out["t"] = base64(run.rows.t.data(), run.rows.t.size() * sizeof(double));
  out["data"] = base64(data.data(), data.size() * sizeof(float));
  out["events"] = Json::array();
  for (const EventInfo& event : run.events)
    out["events"].push_back({{"t", event.t}, {"contact", event.contact}, {"kind", event.kind}});
  out["summary"] = summary;
  out["warnings"] = Json::array();
  for (const RunWarning& warning : run.result.summary.warnings)
    out["warnings"].push_back({{"code", warning.code}, {"message", warning.message}});
  return page;
}

void add_to_page(Json& data, RunPage run) {
  if (data["scene"].is_null())
    data["scene"] = std::move(run.scene);
  else if (run.scene != data["scene"])
    run.run["scene"] = std::move(run.scene);
  data["runs"].push_back(std::move(run.run));
}

std::vector<std::string> columns_of_page(const Model& seen, const Overrides& overrides) {
  const std::vector<std::string> shown = columns_to_show(seen, seen.scene(overrides), {});
  return shown.empty() ? columns_with_work(seen) : shown;  // the page says where the energy went
}

}  // namespace nsmc
