#include "compiler/driver/page.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "compiler/api/model_impl.hpp"
#include "nsmc/errors.hpp"
#include "runtime/output/output_file.hpp"

namespace nsmc {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::string_view kPlace = "NSMC_DATA";

// Beside the program in the tree of its build, or where both are installed.
std::vector<fs::path> page_places() {
  if (const char* folder = std::getenv("NSMC_WEB_DIR"); folder != nullptr && *folder != '\0')
    return {fs::path(folder) / "view.html"};
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  return {program / "web" / "view.html", program.parent_path() / "share" / "nsmc" / "web" / "view.html"};
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

std::string page_template() {
  for (const fs::path& place : page_places()) {
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
      page_places().front().string()));
}

Json page_model(const Model& model, const Overrides& overrides) {
  const Model::Impl& impl = model.impl();
  Json out{{"name", model.name()}, {"doc", model.doc()}};
  out["sources"] = Json::array();
  for (const ast::Model& file : impl.pipeline.parsed()->files) {
    const SourceFile& source = impl.pipeline.sources().file(file.file);
    out["sources"].push_back(
        {{"file", fs::path(source.name()).filename().string()}, {"text", std::string(source.text())}});
  }
  out["latex"] = model.emit("latex");
  out["parameters"] = Json::array();
  const std::shared_ptr<const Model::Impl> with = impl.with(GivenParameters(overrides));
  with->good_equations();
  const std::lock_guard lock(with->mutex);
  const std::vector<double> p =
      parameters_with(GivenParameters(overrides).values(), *with->equations, with->pipeline.pool());
  for (std::size_t i = 0; i < p.size(); ++i) {
    const ParameterEquation& one = with->equations->parameters[i];
    const sym::ExprPool& pool = with->pipeline.pool();
    out["parameters"].push_back(
        {{"name", one.name},
         {"unit", one.dimension},
         {"value", p[i]},
         {"doc", one.doc},
         {"expression", pool.is_constant(one.value) ? "" : sym::to_infix(pool, one.value, 200)}});
  }
  return out;
}

void write_page(const std::string& path, const std::string& page, Json data) {
  Json whole{{"format", 1}, {"program", "nsmc " NSMC_VERSION}};
  whole.update(data);
  const std::size_t at = page.find(kPlace);
  rt::OutputFile file(path);
  file.buffer() += page.substr(0, at);
  file.buffer() += harmless(whole.dump(-1, ' ', false, Json::error_handler_t::replace));
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
