#include "compiler/api/page.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "compiler/api/model_impl.hpp"
#include "compiler/api/view_data.hpp"
#include "nsmc/errors.hpp"
#include "nsmc/page.hpp"

namespace nsmc {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// No end of a script inside of a script: '<' stands in strings only, where a backslash changes nothing.
std::string harmless(const std::string& json) {
  std::string out;
  out.reserve(json.size() + json.size() / 64);
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (json[i] == '<' && json.compare(i, 2, "</") == 0) {
      out += "<\\/";
      ++i;
    } else if (json[i] == '<' && json.compare(i, 4, "<!--") == 0) {
      out += "\\u003c";
    } else {
      out += json[i];
    }
  }
  return out;
}

}  // namespace

Json page_model(const Model& model, const Overrides& overrides, const Scene& scene) {
  Json out{{"name", model.name()}, {"doc", model.doc()}};
  out["sources"] = Json::array();
  for (const SourceInfo& source : model.sources())
    out["sources"].push_back({{"file", fs::path(source.file).filename().string()}, {"text", source.text}});
  out["planar"] = scene.planar;
  if (!scene.gravity.empty() &&
      std::all_of(scene.gravity.begin(), scene.gravity.end(), [](const Channel& g) { return g.column.empty(); })) {
    out["gravity"] = {scene.gravity[0].value, scene.gravity[1].value, scene.gravity[2].value};
  }
  out["latex"] = model.emit("latex");
  out["parameters"] = Json::array();
  for (const ParameterInfo& one : model.parameters(overrides)) {
    out["parameters"].push_back({{"name", one.name},
                                 {"unit", one.unit},
                                 {"value", one.value},
                                 {"doc", one.doc},
                                 {"expression", one.expression}});
  }
  return out;
}

std::string page_text(Json data) {
  Json whole{{"format", 1}, {"program", "nsmc " NSMC_VERSION}};
  whole.update(data);
  return whole.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string filled_page(const std::string& page, Json data) {
  const std::size_t at = page.find(kPageData);
  if (at == std::string::npos) throw FileError("this is not the page of nsmc view: it has no place for data");
  return page.substr(0, at) + harmless(page_text(std::move(data))) + page.substr(at + kPageData.size());
}

std::string page_of_runs(const Model& seen, const std::vector<ShownRun>& runs, const std::string& page) {
  const Overrides none;
  const Overrides& overrides = runs.empty() ? none : runs.front().overrides;
  Json data;
  data["model"] = page_model(seen, overrides, seen.scene(overrides));
  data["scene"] = nullptr;
  data["runs"] = Json::array();
  for (const ShownRun& run : runs) add_to_page(data, run_page(seen, run, run.summary));
  return filled_page(page, std::move(data));
}

}  // namespace nsmc
