// Files are handled with the system's own calls, since their errors have to be told apart.
#include "runtime/output/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <system_error>
#include <vector>

namespace nsmc::rt {

namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 16;

// Not every file system can, and one that cannot is no reason to lose a run.
bool synced(int file) { return ::fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS; }

// The names in the folder of this path: whether it could be asked for is not known everywhere, so nothing fails.
void sync_folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  (void)::fsync(file);
  ::close(file);
}

// The open files of this process. A thread that ends the process may hold the mutex already: then the temporaries stay.
struct OpenFiles {
  std::mutex mutex;
  std::vector<OutputFile*> files;
};
OpenFiles& open_files() {
  static OpenFiles all;
  return all;
}

// Opens what is a regular file, or will be one, under this very name: no link leads elsewhere, no pipe is waited for.
int open_regular(const std::string& path, int flags) {
  const int file = ::open(path.c_str(), flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
  struct stat status {};
  if (file < 0 || (::fstat(file, &status) == 0 && S_ISREG(status.st_mode))) return file;
  ::close(file);
  errno = EEXIST;
  return -1;
}

}  // namespace

void remove_temporaries() noexcept {
  OpenFiles& all = open_files();
  const std::unique_lock lock(all.mutex, std::try_to_lock);
  if (!lock.owns_lock()) return;
  for (const OutputFile* file : all.files) {
    if (!file->temporary_.empty() && !file->stays_) ::unlink(file->temporary_.c_str());
  }
}

void write_all(int file, std::string_view text, const std::string& path) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      throw OutputError(path, std::generic_category().message(errno));
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void sync_file(int file, const std::string& path) {
  if (!synced(file)) throw OutputError(path, std::generic_category().message(errno));
}

bool is_replaceable(const std::string& path) {
  if (path == "-" || path.starts_with("/dev/") || path.starts_with("/proc/")) return false;
  struct stat status {};
  return ::stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode);
}

OutputFile::OutputFile(std::string path, const OutputMode& mode)
    : path_(std::move(path)), target_(path_), durable_(mode.part || mode.durable) {
  {
    OpenFiles& all = open_files();
    const std::lock_guard lock(all.mutex);
    all.files.push_back(this);
  }
  try {
    open(mode);
  } catch (...) {
    abandon();
    throw;
  }
}

void OutputFile::open(const OutputMode& mode) {
  buffer_.reserve(buffer_size + 4096);
  if (path_ == "-") {
    path_ = "standard output";
    file_ = STDOUT_FILENO;
    close_file_ = false;
  } else if (mode.stream || !is_replaceable(path_)) {
    open_target();
  } else {
    struct stat status {};
    const bool exists = ::stat(path_.c_str(), &status) == 0;
    // A link to nothing: neither would it be right to replace it, nor to make a file somewhere else.
    if (!exists && ::lstat(path_.c_str(), &status) == 0)
      throw OutputError(path_, "it is a link to a file that does not exist");
    if (exists) {
      // Replace the file behind a link, not the link; and a file that may not be written is not replaced either.
      if (char* real = ::realpath(path_.c_str(), nullptr)) {
        target_ = real;
        std::free(real);
      }
      if (::access(target_.c_str(), W_OK) != 0) fail(errno);
    }
    if (mode.part) {
      open_part(mode.go_on_at);
    } else {
      open_temporary();
    }
    if (exists) (void)::fchmod(file_, status.st_mode & 07777);
  }
}

OutputFile::~OutputFile() {
  if (file_ >= 0 && temporary_.empty()) {
    try {
      flush();
    } catch (...) {
      // Whoever wants to know calls commit().
    }
  }
  abandon();
}

void OutputFile::commit() {
  if (file_ < 0) return;
  flush();
  if (!temporary_.empty()) sync();
  const int file = file_;
  file_ = -1;
  if (close_file_ && ::close(file) != 0) fail(errno);
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  temporary_.clear();
  if (durable_) sync_folder_of(target_);
}

void OutputFile::sync() {
  if (durable_) sync_file(file_, path_);
}

void OutputFile::flush_if_full() {
  if (buffer_.size() >= buffer_size) flush();
}

void OutputFile::flush() {
  try {
    write_all(file_, buffer_, path_);
  } catch (const OutputError&) {
    buffer_.clear();  // what could not be written once is not tried again
    throw;
  }
  bytes_ += buffer_.size();
  buffer_.clear();
}

std::uint64_t OutputFile::keep() {
  flush();
  sync();
  return bytes_;
}

void OutputFile::open_target() {
  file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file_ < 0) fail(errno);
}

void OutputFile::open_temporary() {
  const std::string first = target_ + ".tmp-" + std::to_string(::getpid());
  temporary_ = first;
  // Another writer of this process may be at work on the same target.
  for (int attempt = 1; attempt < 100; ++attempt) {
    file_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file_ >= 0) return;
    if (errno != EEXIST) break;
    temporary_ = first + "-" + std::to_string(attempt);
  }
  const int error = errno;
  temporary_.clear();
  fail(error);
}

void OutputFile::open_part(const std::optional<std::uint64_t>& go_on_at) {
  const std::string part = part_of(target_);
  file_ = open_regular(part, O_WRONLY | (go_on_at ? 0 : O_CREAT | O_TRUNC));
  if (file_ < 0) throw OutputError(part, std::generic_category().message(errno));
  if (go_on_at) {
    struct stat status {};
    if (::fstat(file_, &status) != 0) throw OutputError(part, std::generic_category().message(errno));
    if (static_cast<std::uint64_t>(status.st_size) < *go_on_at)
      throw OutputError(part, "rows that were written before the run was saved are missing");
    const auto end = static_cast<off_t>(*go_on_at);
    if (::ftruncate(file_, end) != 0 || ::lseek(file_, end, SEEK_SET) != end)
      throw OutputError(part, std::generic_category().message(errno));
    bytes_ = *go_on_at;
  }
  sync_folder_of(part);
  temporary_ = part;
  stays_ = true;
}

void OutputFile::abandon() noexcept {
  if (file_ >= 0 && close_file_) ::close(file_);
  file_ = -1;
  if (!temporary_.empty() && !stays_) ::unlink(temporary_.c_str());
  temporary_.clear();
  OpenFiles& all = open_files();
  const std::lock_guard lock(all.mutex);
  std::erase(all.files, this);
}

void OutputFile::fail(int error) { throw OutputError(path_, std::generic_category().message(error)); }

}  // namespace nsmc::rt
