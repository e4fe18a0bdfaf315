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

#include "compiler/api/files.hpp"

namespace nsmc {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Beside the program in the tree of its build, or where both are installed.
std::vector<fs::path> page_places(const std::string& name) {
  if (const char* folder = std::getenv("NSMC_WEB_DIR"); folder != nullptr && *folder != '\0')
    return {fs::path(folder) / name};
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  return {program / "web" / name, program.parent_path() / "share" / "nsmc" / "web" / name};
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
    if (text.str().find(kPageData) == std::string::npos)
      throw FileError(fmt::format("{} is not the page of nsmc view: it has no place for data", place.string()));
    return text.str();
  }
  throw FileError(fmt::format(
      "the page of nsmc view is not there ({}): it is made by npm when nsmc is built; scripts/setup installs npm, and "
      "NSMC_WEB_DIR names another folder",
      page_places(name).front().string()));
}

void write_page(const std::string& path, const std::string& page, Json data) {
  write_file(path, filled_page(page, std::move(data)));
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
