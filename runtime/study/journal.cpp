#include "runtime/study/journal.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <system_error>

#include "runtime/output/checksum.hpp"
#include "runtime/output/output_file.hpp"

namespace nsmc::rt {

namespace {

[[noreturn]] void fail(const std::string& path) { throw OutputError(path, std::generic_category().message(errno)); }

std::string read_all(int file, const std::string& path) {
  std::string text;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t n = ::read(file, buffer, sizeof buffer);
    if (n == 0) return text;
    if (n > 0) {
      text.append(buffer, static_cast<std::size_t>(n));
    } else if (errno != EINTR) {
      fail(path);
    }
  }
}

// The next line, without its end; false at the end of the text, and for a line that was torn off.
bool next_line(std::string_view& text, std::string_view& line) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return false;
  line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return true;
}

constexpr std::string_view first_line = "# nsmc";
constexpr std::size_t checksum_digits = 16;

std::string journal_line(const StudyRow& row) {
  const std::string text = to_line(row);
  return fmt::format("{:016x} {}\n", checksum_of(text), text);
}

std::optional<StudyRow> row_of(std::string_view line) {
  if (line.size() <= checksum_digits + 1) return std::nullopt;
  const std::string_view text = line.substr(checksum_digits + 1);
  if (line.substr(0, checksum_digits + 1) != fmt::format("{:016x} ", checksum_of(text))) return std::nullopt;
  return read_line(text);
}

}  // namespace

Journal::Journal(const std::string& table, const std::vector<std::string>& study, JournalUse use)
    : path_(table + ".part") {
  // No link leads elsewhere, and a pipe is not waited for.
  file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
  if (file_ < 0) fail(path_);
  try {
    struct stat status {};
    if (::fstat(file_, &status) != 0) fail(path_);
    if (!S_ISREG(status.st_mode)) throw OutputError(path_, "not a regular file");
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      throw JournalError(fmt::format("another sweep is writing {}", table));
    }
    read(study, use);
  } catch (...) {
    ::close(file_);
    throw;
  }
}

Journal::~Journal() {
  if (empty_) remove();
  ::close(file_);
}

void Journal::read(const std::vector<std::string>& study, JournalUse use) {
  const std::string text = read_all(file_, path_);
  const std::string_view begin = std::string_view(text).substr(0, first_line.size());
  if (!first_line.starts_with(begin)) {
    throw JournalError(
        fmt::format("{} is not the journal of a sweep: remove it, or choose another name for the table", path_));
  }
  std::string_view rest = text, line;
  std::vector<std::string> there;
  bool head = true;  // lines of the head stand before all rows
  while (next_line(rest, line)) {
    head = head && line.starts_with("# ");
    if (head) {
      there.emplace_back(line.substr(2));
    } else if (std::optional<StudyRow> row = row_of(line)) {
      rows_.push_back(std::move(*row));
    } else {
      ++damaged_;
    }
  }
  if ((!rows_.empty() || damaged_ > 0) && use == JournalUse::fresh) {
    throw JournalError(fmt::format(
        "{} has {} finished runs of a sweep that was stopped: --resume goes on with it, --restart throws it away",
        path_, rows_.size() + damaged_));
  }
  if (!rows_.empty() && use == JournalUse::resume) {
    for (std::size_t k = 0; k < std::max(study.size(), there.size()); ++k) {
      const std::string here = k < study.size() ? study[k] : "nothing", was = k < there.size() ? there[k] : "nothing";
      if (here != was) {
        throw JournalError(fmt::format("{} belongs to another study: there '{}', here '{}'", path_, was, here));
      }
    }
    empty_ = false;
    // Cut off what is torn.
    if (!rest.empty()) ++damaged_;
    if (::ftruncate(file_, static_cast<off_t>(text.size() - rest.size())) != 0) fail(path_);
    return;
  }
  rows_.clear();
  if (use == JournalUse::restart) damaged_ = 0;
  if (::ftruncate(file_, 0) != 0) fail(path_);
  std::string lines;
  for (const std::string& item : study) lines += "# " + item + "\n";
  write_all(file_, lines, path_);
  sync();
}

void Journal::add(const StudyRow& row) {
  using std::chrono::steady_clock;
  empty_ = false;
  write_all(file_, journal_line(row), path_);
  if (steady_clock::now() - synced_ > std::chrono::seconds(1)) sync();
}

void Journal::sync() {
  sync_file(file_, path_);
  synced_ = std::chrono::steady_clock::now();
}

void Journal::remove() { ::unlink(path_.c_str()); }

}  // namespace nsmc::rt
