#include "compiler/api/files.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "compiler/syntax/limits.hpp"

namespace nsmc {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

[[noreturn]] void fail(const char* doing, const std::string& path, int error) {
  throw FileError(fmt::format("cannot {} {}: {}", doing, path, std::strerror(error)));
}

}  // namespace

std::string read_stream(std::FILE* file, const std::string& name, std::size_t limit) {
  std::string text;
  char buffer[1 << 16];
  while (text.size() <= limit) {
    const std::size_t wanted = std::min(sizeof buffer, limit + 1 - text.size());
    const std::size_t n = std::fread(buffer, 1, wanted, file);
    text.append(buffer, n);
    if (n < wanted) break;
  }
  if (std::ferror(file) != 0) fail("read", name, errno);
  return text;
}

std::string read_file(const std::string& path, std::size_t limit) {
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rb"));
  if (!file) fail("read", path, errno);
  return read_stream(file.get(), path, limit);
}

FileProvider files_on_disk() {
  return [](const std::string& path) { return read_file(path, max_file_bytes); };
}

FileProvider files_in_memory(std::map<std::string, std::string> texts) {
  return [texts = std::move(texts)](const std::string& path) {
    const auto found = texts.find(path);
    if (found == texts.end()) fail("read", path, ENOENT);
    return found->second;
  };
}

bool is_same_file(const std::string& a, const std::string& b) {
  namespace fs = std::filesystem;
  if (a.empty() || b.empty() || a == "-" || b == "-") return false;
  std::error_code error;
  const bool device = fs::exists(a, error) && !fs::is_regular_file(a, error);
  if (device) return false;
  if (fs::equivalent(a, b, error) && !error) return true;
  const fs::path first = fs::weakly_canonical(fs::absolute(a), error);
  if (error) return a == b;
  const fs::path second = fs::weakly_canonical(fs::absolute(b), error);
  return error ? a == b : first == second;
}

void replace_file(const std::string& path, const std::string& text) {
  std::error_code ignored;
  const std::filesystem::path target = std::filesystem::weakly_canonical(path, ignored);
  const std::string temporary = fmt::format("{}.tmp-{}", target.string(), ::getpid());
  std::unique_ptr<std::FILE, CloseFile> file(std::fopen(temporary.c_str(), "wb"));
  if (!file) fail("write", path, errno);
  const bool written =
      std::fwrite(text.data(), 1, text.size(), file.get()) == text.size() && std::fflush(file.get()) == 0;
  const int write_error = errno;
  file.reset();
  std::error_code error;
  if (written) {
    const auto permissions = std::filesystem::status(target, ignored).permissions();
    if (!ignored) std::filesystem::permissions(temporary, permissions, ignored);
    std::filesystem::rename(temporary, target, error);
    if (!error) return;
  }
  std::filesystem::remove(temporary, ignored);
  fail("write", path, written ? error.value() : write_error);
}

}  // namespace nsmc
