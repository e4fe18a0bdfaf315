#include "compiler/driver/studio/session.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "compiler/api/files.hpp"
#include "compiler/api/quantity.hpp"
#include "compiler/api/view_data.hpp"
#include "compiler/driver/page.hpp"
#include "compiler/driver/run_family.hpp"
#include "compiler/driver/run_summary.hpp"
#include "compiler/syntax/parse.hpp"
#include "runtime/output/checksum.hpp"

namespace nsmc::studio {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* examples_prefix = "/examples/";
constexpr std::size_t most_kept = 4;  // compiled models
constexpr std::size_t frames = 600;   // of a run that is shown: enough for the eye, quick to send

// Texts of users may have any bytes: those that are no UTF-8 are replaced.
std::string dump(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

json place(const Place& p) {
  return {{"file", p.file}, {"line", p.line}, {"column", p.column}, {"begin", p.begin}, {"end", p.end}};
}

// Each with what mends it, if that is known and in this text.
json diagnostics_of(const Model& model, const std::string& file, const std::string& text) {
  json list = json::array();
  for (const DiagnosticInfo& d : model.diagnostics()) {
    json notes = json::array(), mending = json::array();
    for (const DiagnosticInfo::Note& note : d.notes)
      notes.push_back({{"place", place(note.place)}, {"text", note.text}});
    for (const Fix& fix : d.place.file == file ? fixes(d, text) : std::vector<Fix>())
      mending.push_back({{"title", fix.title}, {"begin", fix.begin}, {"end", fix.end}, {"text", fix.text}});
    list.push_back({{"code", d.code},
                    {"error", d.error},
                    {"message", d.message},
                    {"hint", d.hint},
                    {"place", place(d.place)},
                    {"notes", std::move(notes)},
                    {"fixes", std::move(mending)}});
  }
  return list;
}

// In the unit that the model gives it, which is worth `factor` in SI.
json parameters_of(const Model& model) {
  std::map<std::string, std::string> units;
  for (const SymbolInfo& s : model.symbols()) {
    if (!s.local && !s.library && s.kind == "parameter") units[s.name] = s.unit;
  }
  json list = json::array();
  for (const ParameterInfo& p : model.parameters()) {
    const std::string& written = units[p.name];
    const double factor = written.empty() ? 1 : read_quantity(fmt::format("1 [{}]", written), {p.name, p.name}).value;
    list.push_back({{"name", p.name},
                    {"doc", p.doc},
                    {"unit", written.empty() ? shown_unit(p.unit) : written},
                    {"factor", factor},
                    {"value", p.value},
                    {"expression", p.expression},
                    {"structural", p.structural},
                    {"bounds", p.bounds ? json{p.bounds->first, p.bounds->second} : json()}});
  }
  return list;
}

json settings_of(const Model& model) {
  json list = json::array();
  for (const SettingInfo& s : model.settings()) {
    json written;
    if (s.written) written = s.written->number() ? json(*s.written->number()) : json(*s.written->text());
    list.push_back({{"name", s.name},
                    {"help", s.help},
                    {"standard", s.standard},
                    {"unit", s.unit},
                    {"words", s.words},
                    {"written", std::move(written)}});
  }
  return list;
}

// Numbers in SI, or texts with units.
std::map<std::string, Value> values_of(const json& request, const char* key) {
  std::map<std::string, Value> values;
  if (!request.contains(key)) return values;
  for (const auto& [name, value] : request.at(key).items()) {
    if (value.is_number()) {
      values[name] = value.get<double>();
    } else if (value.is_boolean()) {
      values[name] = value.get<bool>();
    } else {
      values[name] = value.get<std::string>();
    }
  }
  return values;
}

}  // namespace

std::string version_of(const std::string& text) { return fmt::format("{:016x}", rt::checksum_of(text)); }

std::string quoted(const std::string& text) { return dump(json(text)); }

Session::Session(const fs::path& folder, const std::optional<fs::path>& examples, std::string first_model)
    : folder_(folder), first_(std::move(first_model)) {
  if (examples) examples_.emplace(*examples);
}

fs::path Session::place_of(const std::string& name) const {
  const bool example = name.starts_with(examples_prefix);
  std::optional<fs::path> path;
  if (!example) path = folder_.model(name);
  if (example && examples_) path = examples_->model(name.substr(std::string_view(examples_prefix).size()));
  if (!path) throw Refusal(403, fmt::format("'{}' is not the name of a model in this folder", name));
  return *path;
}

// Each with what its header says about it.
std::string Session::examples() const {
  std::call_once(examples_read_, [this] {
    json list = json::array();
    for (const std::string& name : examples_ ? examples_->models() : std::vector<std::string>()) {
      if (name.starts_with("std/")) continue;
      Sources sources;
      Diagnostics none;
      const FileId file = sources.add(name, read_file((examples_->root() / name).string(), most_bytes));
      list.push_back({{"name", examples_prefix + name}, {"doc", parse_partly(sources, file, none).model.doc}});
    }
    examples_list_ = dump(list);
  });
  return examples_list_;
}

std::string Session::files() const {
  return fmt::format("{{\"folder\":{},\"first\":{},\"files\":{},\"examples\":{}}}",
                     quoted(folder_.root().filename().string()), quoted(first_), dump(folder_.models()), examples());
}

std::string Session::read(const std::string& name) const {
  std::string text = read_file(place_of(name).string(), most_bytes);
  if (text.size() > most_bytes) throw Refusal(413, fmt::format("{} is larger than the studio takes", name));
  return text;
}

void Session::write(const std::string& name, const std::string& text, const std::string& version) const {
  if (name.starts_with(examples_prefix))
    throw Refusal(403, "examples are not written: save the model under another name");
  if (text.size() > most_bytes) throw Refusal(413, "the model is larger than the studio takes");
  const fs::path path = place_of(name);
  std::error_code error;
  const bool there = fs::exists(path, error);
  if (there && version.empty()) throw Refusal(412, fmt::format("there is a model {} already", name));
  if (there && version_of(read(name)) != version) throw Refusal(412, fmt::format("{} was changed by others", name));
  replace_file(path.string(), text);
}

bool Session::Kept::is_of(const std::string& other_name, const std::string& other_text) const {
  std::error_code error;
  return name == other_name && text == other_text && std::all_of(imports.begin(), imports.end(), [&](const auto& file) {
           return fs::last_write_time(file.first, error) == file.second;
         });
}

Model Session::model_of(const std::string& name, const std::string& text) {
  if (text.size() > most_bytes) throw Refusal(413, "the model is larger than the studio takes");
  const fs::path path = place_of(name);
  {
    const std::lock_guard lock(mutex_);
    const auto found =
        std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) { return kept.is_of(name, text); });
    if (found != kept_.end()) {
      kept_.splice(kept_.begin(), kept_, found);
      return kept_.front().model;
    }
  }
  ModelOptions options;
  options.cache = cache_of_environment();
  Model model = Model::from_text(text, path.string(), options);
  if (!model.ok()) return model;
  Kept kept{name, text, model, {}, {}};
  for (const SourceInfo& source : model.sources()) {
    std::error_code error;
    const fs::file_time_type time = fs::last_write_time(source.file, error);
    if (!error && source.file != path.string()) kept.imports[source.file] = time;
  }
  const std::lock_guard lock(mutex_);
  kept_.push_front(std::move(kept));
  if (kept_.size() > most_kept) kept_.pop_back();
  return model;
}

Model Session::seen_model_of(const std::string& name, const std::string& text, const Model& model) {
  const auto find = [&]() -> Kept* {
    const auto found =
        std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) { return kept.is_of(name, text); });
    return found == kept_.end() ? nullptr : &*found;
  };
  {
    const std::lock_guard lock(mutex_);
    if (const Kept* kept = find(); kept != nullptr && kept->seen) return *kept->seen;
  }
  Model seen = model.with_scene();
  const std::lock_guard lock(mutex_);
  if (Kept* kept = find()) kept->seen = seen;
  return seen;
}

std::string Session::check(const std::string& name, const std::string& text) {
  const Model model = model_of(name, text);
  const std::string file = place_of(name).string();
  return dump({{"ok", model.ok()},
               {"file", file},
               {"name", model.name()},
               {"doc", model.doc()},
               {"diagnostics", diagnostics_of(model, file, text)},
               {"parameters", parameters_of(model)},
               {"settings", settings_of(model)}});
}

Names Session::names(const std::string& name, const std::string& text, std::size_t at) const {
  if (text.size() > most_bytes) throw Refusal(413, "the model is larger than the studio takes");
  if (at > text.size()) throw Refusal(400, "there is no such place in the text");
  return names_of(text, place_of(name).string());
}

std::string Session::complete(const std::string& name, const std::string& text, std::size_t at) const {
  const Completions found = nsmc::complete(text, static_cast<std::uint32_t>(at), names(name, text, at));
  json items = json::array();
  for (const Completion& one : found.items)
    items.push_back(
        {{"text", one.text}, {"kind", one.kind}, {"detail", one.detail}, {"doc", one.doc}, {"rank", one.rank}});
  return dump({{"begin", found.begin}, {"end", found.end}, {"items", std::move(items)}});
}

std::string Session::explain(const std::string& name, const std::string& text, std::size_t at) {
  const Names known = names(name, text, at);
  std::vector<ContactInfo> contacts;
  if (known.ok) {
    if (const Model model = model_of(name, text); model.ok()) contacts = model.contacts();
  }
  const auto found = nsmc::explain(text, static_cast<std::uint32_t>(at), known, contacts);
  if (!found) return "null";
  return dump({{"begin", found->begin},
               {"end", found->end},
               {"title", found->title},
               {"text", found->text},
               {"formulas", found->formulas}});
}

std::string Session::run(const std::string& request, const std::atomic<bool>& stop,
                         const std::function<void(double, double)>& progress) {
  const json asked = json::parse(request, nullptr, false);
  if (asked.is_discarded() || !asked.is_object() || !asked.contains("name") || !asked.contains("text"))
    throw Refusal(400, "a run needs the name and the text of a model");
  FamilyMember member;
  std::string name, text;
  try {
    member.overrides = member.varied = values_of(asked, "overrides");
    member.settings = values_of(asked, "settings");
    name = asked.at("name").get<std::string>();
    text = asked.at("text").get<std::string>();
  } catch (const json::exception& error) {
    throw Refusal(400, fmt::format("the request cannot be read: {}", error.what()));
  }
  const Model model = model_of(name, text);
  if (!model.ok()) throw Refusal(400, "the model has errors");
  const Model seen = seen_model_of(name, text, model);
  const Scene scene = seen.scene(member.overrides);
  const FamilyRun run = run_member(seen, member, columns_to_show(seen, scene, {}), frames, {&stop, progress});
  RunPage shown = run_page(seen, run, run_summary(seen, run.result));
  if (run.result.end != RunEnd::finished)
    shown.run["warnings"].push_back({{"code", ""}, {"message", run.result.message}});
  nlohmann::ordered_json data;
  data["model"] = page_model(model, member.overrides, scene);
  data["scene"] = std::move(shown.scene);
  data["runs"] = nlohmann::ordered_json::array({std::move(shown.run)});
  return page_text(std::move(data));
}

}  // namespace nsmc::studio
