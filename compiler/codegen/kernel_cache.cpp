// An entry is the file KEY.kernels, KEY in hexadecimal:
//     magic (8 bytes)  key (32)  BLAKE3 of the code (32)  length of the code (8, little-endian)  code
// The code runs in this process, so it is taken only from files and directories that nobody else can write to. The
// digest finds damage, not malice.
#include "compiler/codegen/kernel_cache.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <llvm/Support/BLAKE3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <vector>

namespace nsmc {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "nsmckrn1";
constexpr std::string_view kSuffix = ".kernels";
constexpr std::string_view kUnfinished = ".kernels-new-";
constexpr std::size_t kName = 2 * std::tuple_size_v<Digest>;
constexpr std::size_t kHeader = kMagic.size() + 2 * std::tuple_size_v<Digest> + 8;
constexpr std::uint64_t kLargest = 1ULL << 30;
constexpr std::time_t kAbandoned = 3600;  // seconds after which an unfinished file has no writer any more

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  explicit operator bool() const { return fd_ >= 0; }
  int operator*() const { return fd_; }

 private:
  int fd_;
};

bool is_ours_alone(const struct stat& status) {
  return status.st_uid == ::geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

std::string_view text_of(const Digest& bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

std::string header(const Digest& key, std::string_view code) {
  std::string result(kMagic);
  result += text_of(key);
  result += text_of(digest(code));
  for (unsigned i = 0; i < 8; ++i) result += static_cast<char>(static_cast<std::uint64_t>(code.size()) >> (8 * i));
  return result;
}

std::string file_name(const Digest& key) {
  std::string name;
  for (const std::uint8_t byte : key) name += fmt::format("{:02x}", byte);
  return name;
}

bool is_entry(std::string_view name, std::string_view ending) {
  return name.size() >= kName + ending.size() && name.substr(kName, ending.size()) == ending &&
         name.find_first_not_of("0123456789abcdef") == kName;
}

bool read_all(int fd, std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::read(fd, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

// For its owner alone, made with its parents if need be. False if it cannot be had or is open to others.
bool has_directory(const std::string& path, bool make) {
  if (make) {
    std::error_code ignored;
    fs::create_directories(fs::path(path).parent_path(), ignored);
    ::mkdir(path.c_str(), S_IRWXU);
  }
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && is_ours_alone(status);
}

}  // namespace

Digest digest(std::string_view bytes) {
  return llvm::BLAKE3::hash<std::tuple_size_v<Digest>>(
      llvm::ArrayRef(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()));
}

KernelCache::KernelCache(std::string directory, std::uint64_t bound)
    : directory_(std::move(directory)), bound_(bound) {}

std::optional<std::string> KernelCache::load(const Digest& key) const {
  if (!has_directory(directory_, false)) return std::nullopt;
  const std::string path = fmt::format("{}/{}{}", directory_, file_name(key), kSuffix);
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat status {};
  if (!file || ::fstat(*file, &status) != 0 || !S_ISREG(status.st_mode) || !is_ours_alone(status)) return std::nullopt;
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size < kHeader || size > kLargest) return std::nullopt;
  std::string begin(kHeader, '\0');
  std::string code(size - kHeader, '\0');
  if (!read_all(*file, begin) || !read_all(*file, code) || begin != header(key, code)) return std::nullopt;
  ::futimens(*file, nullptr);  // used now
  return code;
}

void KernelCache::store(const Digest& key, std::string_view code) const {
  if (kHeader + code.size() > std::min(bound_, kLargest) || !has_directory(directory_, true)) return;
  const std::string name = fmt::format("{}/{}", directory_, file_name(key));
  std::string unfinished = fmt::format("{}{}XXXXXX", name, kUnfinished);
  {
    const Descriptor file(::mkostemp(unfinished.data(), O_CLOEXEC));  // with the permissions 0600
    if (!file) return;
    if (!write_all(*file, header(key, code)) || !write_all(*file, code)) {
      ::unlink(unfinished.c_str());
      return;
    }
  }
  if (::rename(unfinished.c_str(), (name + std::string(kSuffix)).c_str()) != 0) ::unlink(unfinished.c_str());
  keep_bound();
}

void KernelCache::keep_bound() const {
  struct Entry {
    timespec used;
    std::uint64_t size;
    std::string path;
  };
  std::vector<Entry> entries;
  std::uint64_t total = 0;
  std::error_code error;
  const std::time_t now = std::time(nullptr);
  for (fs::directory_iterator at(directory_, error), end; !error && at != end; at.increment(error)) {
    // Nothing else in this directory is ours to remove.
    const std::string name = at->path().filename().string();
    const bool unfinished = is_entry(name, kUnfinished);
    if (!unfinished && !(is_entry(name, kSuffix) && name.size() == kName + kSuffix.size())) continue;
    struct stat status {};
    if (::lstat(at->path().c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    if (unfinished) {
      if (status.st_mtime + kAbandoned < now) ::unlink(at->path().c_str());
      continue;
    }
    total += static_cast<std::uint64_t>(status.st_size);
    entries.push_back({status.st_mtim, static_cast<std::uint64_t>(status.st_size), at->path().string()});
  }
  if (total <= bound_) return;
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.used.tv_sec != b.used.tv_sec ? a.used.tv_sec < b.used.tv_sec : a.used.tv_nsec < b.used.tv_nsec;
  });
  for (const Entry& entry : entries) {
    if (total <= bound_) break;
    if (::unlink(entry.path.c_str()) == 0 || errno == ENOENT) total -= entry.size;
  }
}

}  // namespace nsmc
