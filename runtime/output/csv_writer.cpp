// Files are handled with the system's own calls, since their errors have to be told apart.
#include "runtime/output/csv_writer.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <system_error>

namespace nsmc::rt {

namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 16;

bool has_prefix(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

}  // namespace

// Names with separators in them are quoted, quotes doubled.
void append_cell(std::string& out, std::string_view text) {
  if (text.find_first_of(",\"\n\r") == std::string_view::npos) {
    out += text;
    return;
  }
  out += '"';
  for (const char character : text) {
    if (character == '"') out += '"';
    out += character;
  }
  out += '"';
}

void append_cell(std::string& out, double value) {
  if (std::isnan(value)) {
    out += "nan";  // never "-nan"
    return;
  }
  char text[40];
  const std::to_chars_result end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 17);
  out.append(text, end.ptr);
}

CsvWriter::CsvWriter(std::string path, std::span<const std::string> header, CsvOptions options)
    : path_(std::move(path)), target_(path_), options_(options) {
  struct stat status {};
  const bool exists = ::stat(path_.c_str(), &status) == 0;
  if (path_ == "-") {
    path_ = "standard output";
    file_ = STDOUT_FILENO;
    close_file_ = false;
  } else if (options_.stream || has_prefix(path_, "/dev/") || has_prefix(path_, "/proc/") ||
             (exists && !S_ISREG(status.st_mode))) {
    open_target();
  } else {
    if (exists) {
      // Replace the file behind a link, not the link; and a file that may not be written is not replaced either.
      if (char* real = ::realpath(path_.c_str(), nullptr)) {
        target_ = real;
        std::free(real);
      }
      if (::access(target_.c_str(), W_OK) != 0) fail(errno);
    }
    open_temporary();
    if (exists) (void)::fchmod(file_, status.st_mode & 07777);
  }
  buffer_.reserve(buffer_size + 4096);
  for (std::size_t k = 0; k < header.size(); ++k) {
    if (k > 0) buffer_ += ',';
    append_cell(buffer_, header[k]);
  }
  buffer_ += '\n';
  // The header goes out at once, so that a full or unwritable target is known before the run and not after it.
  try {
    flush();
  } catch (...) {
    abandon();
    throw;
  }
}

CsvWriter::~CsvWriter() {
  if (file_ >= 0 && temporary_.empty()) {
    try {
      flush();
    } catch (const OutputError&) {
      // Whoever wants to know calls commit().
    }
  }
  abandon();
}

void CsvWriter::record(double t, std::span<const double> columns) {
  if (options_.time_column) {
    append_cell(buffer_, t);
    if (!columns.empty()) buffer_ += ',';
  }
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (k > 0) buffer_ += ',';
    append_cell(buffer_, columns[k]);
  }
  buffer_ += '\n';
  if (buffer_.size() >= buffer_size) flush();
}

void CsvWriter::record_line(std::string_view line) {
  buffer_ += line;
  buffer_ += '\n';
  if (buffer_.size() >= buffer_size) flush();
}

void CsvWriter::commit() {
  if (file_ < 0) return;
  flush();
  const int file = file_;
  file_ = -1;
  if (close_file_ && ::close(file) != 0) fail(errno);
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  temporary_.clear();
}

void CsvWriter::flush() {
  const char* data = buffer_.data();
  std::size_t left = buffer_.size();
  while (left > 0) {
    const ssize_t written = ::write(file_, data, left);
    if (written < 0) {
      if (errno == EINTR) continue;
      const int error = errno;
      buffer_.clear();  // what could not be written once is not tried again
      fail(error);
    }
    data += written;
    left -= static_cast<std::size_t>(written);
  }
  buffer_.clear();
}

void CsvWriter::open_target() {
  file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file_ < 0) fail(errno);
}

void CsvWriter::open_temporary() {
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

void CsvWriter::abandon() noexcept {
  if (file_ >= 0 && close_file_) ::close(file_);
  file_ = -1;
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
}

void CsvWriter::fail(int error) { throw OutputError(path_, std::generic_category().message(error)); }

}  // namespace nsmc::rt
