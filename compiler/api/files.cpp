#include "compiler/api/files.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
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

bool is_stream(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

std::string read_file(const std::string& path, std::size_t limit) {
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rb"));
  if (!file) fail("read", path, errno);
  return read_stream(file.get(), path, limit);
}

std::string read_regular_file(const std::string& path, std::size_t limit) {
  // Without O_NONBLOCK a pipe would wait for a writer before it could be asked what it is.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0) fail("read", path, errno);
  const std::unique_ptr<std::FILE, CloseFile> file(::fdopen(descriptor, "rb"));
  if (!file) {
    const int error = errno;
    ::close(descriptor);
    fail("read", path, error);
  }
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) fail("read", path, errno);
  if (S_ISDIR(status.st_mode)) fail("read", path, EISDIR);
  if (!S_ISREG(status.st_mode)) throw FileError(fmt::format("cannot read {}: not a regular file", path));
  return read_stream(file.get(), path, limit);
}

FileProvider files_on_disk() {
  return [](const std::string& path) { return read_regular_file(path, max_file_bytes); };
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

bool is_replaceable(const std::string& path) { return rt::is_replaceable(path); }

void write_file(const std::string& path, const std::string& text) {
  as_file_errors([&] {
    rt::OutputFile file(path);
    file.buffer() = text;
    file.commit();
  });
}

void replace_file(const std::string& path, const std::string& text) {
  if (!is_replaceable(path)) throw FileError(fmt::format("cannot write {}: not a regular file", path));
  write_file(path, text);
}

}  // namespace nsmc
