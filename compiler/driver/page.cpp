#include "compiler/driver/page.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "nsmc/errors.hpp"
#include "runtime/output/output_file.hpp"

namespace nsmc {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::string_view kPlace = "NSMC_DATA";

// Beside the program in the tree of its build, or where both are installed.
std::vector<fs::path> page_places(const std::string& name) {
  if (const char* folder = std::getenv("NSMC_WEB_DIR"); folder != nullptr && *folder != '\0')
    return {fs::path(folder) / name};
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  return {program / "web" / name, program.parent_path() / "share" / "nsmc" / "web" / name};
}

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

std::optional<fs::path> examples_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& place :
       {program.parent_path() / "share" / "nsmc" / "models", program.parent_path() / "models"}) {
    if (fs::is_regular_file(place / "tippe_top.nsm", error)) return place;
  }
  return std::nullopt;
}

std::string page_template(const std::string& name) {
  for (const fs::path& place : page_places(name)) {
    std::ifstream file(place, std::ios::binary);
    if (!file) continue;
    std::ostringstream text;
    text << file.rdbuf();
    if (text.str().find(kPlace) == std::string::npos)
      throw FileError(fmt::format("{} is not the page of nsmc view: it has no place for data", place.string()));
    return text.str();
  }
  throw FileError(fmt::format(
      "the page of nsmc view is not there ({}): it is made by npm when nsmc is built; scripts/setup installs npm, and "
      "NSMC_WEB_DIR names another folder",
      page_places(name).front().string()));
}

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

void write_page(const std::string& path, const std::string& page, Json data) {
  const std::size_t at = page.find(kPlace);
  rt::OutputFile file(path);
  file.buffer() += page.substr(0, at);
  file.buffer() += harmless(page_text(std::move(data)));
  file.buffer() += page.substr(at + kPlace.size());
  file.commit();
}

bool open_page(const std::string& path) {
  const auto set = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0';
  };
  if (!set("DISPLAY") && !set("WAYLAND_DISPLAY")) return false;
  const pid_t child = fork();
  if (child < 0) return false;
  if (child == 0) {
    const int nowhere = open("/dev/null", O_RDWR);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, stream);
    execlp("xdg-open", "xdg-open", path.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace nsmc
