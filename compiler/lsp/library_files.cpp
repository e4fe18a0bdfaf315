#include "compiler/lsp/library_files.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "nsmc/editing.hpp"

namespace nsmc::lsp {
namespace {

namespace fs = std::filesystem;

bool holds(const fs::path& path, std::string_view text) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream content;
  content << in.rdbuf();
  return in && content.view() == text;
}

}  // namespace

std::optional<std::string> LibraryFiles::path(const std::string& file) const {
  const std::string_view text = library_text(file);
  if (text.empty()) return std::nullopt;
  if (models_folder_) {
    const fs::path installed = fs::path(*models_folder_) / file;
    if (holds(installed, text)) return installed.string();
  }
  const std::string cache = cache_of_environment().directory;
  if (cache.empty()) return std::nullopt;
  const fs::path copy = fs::path(cache) / file;
  if (holds(copy, text)) return copy.string();
  std::error_code error;
  fs::create_directories(copy.parent_path(), error);
  std::ofstream out(copy, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  return out ? std::optional(copy.string()) : std::nullopt;
}

}  // namespace nsmc::lsp
