#include "compiler/lsp/closed_models.hpp"

#include <algorithm>
#include <filesystem>

#include "nsmc/files.hpp"

namespace nsmc::lsp {
namespace {

namespace fs = std::filesystem;

constexpr int kMostEntries = 20'000;

bool imports_something(const std::string& path) {
  try {
    return files_on_disk()(path).find("import") != std::string::npos;
  } catch (const std::exception&) {
    return false;  // it cannot be read, or is no model
  }
}

}  // namespace

std::vector<std::string> importing_files(const std::vector<std::string>& folders) {
  std::vector<std::string> found;
  for (const std::string& folder : folders) {
    std::error_code error;
    fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end;
    for (int looked_at = 0; !error && at != end && looked_at < kMostEntries; at.increment(error), ++looked_at) {
      const std::string name = at->path().filename().string();
      std::error_code none;
      if (at->is_directory(none)) {
        if (name.starts_with('.') || name == "node_modules") at.disable_recursion_pending();
      } else if (name.ends_with(".nsm") && at->is_regular_file(none) && imports_something(at->path().string())) {
        found.push_back(at->path().string());
      }
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace nsmc::lsp
