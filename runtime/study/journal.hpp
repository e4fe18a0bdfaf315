// The rows of a study that are finished, on disk as soon as they are: `<table>.part` beside the table. Whatever ends
// the program -- a signal, a full disk, kill -9 -- what the journal has is not computed again.
//
// It begins with lines that say which study this is, each after "# ", and has a line for every run, in the order in
// which they finished: a checksum in 16 hexadecimal digits, a blank, the row (study_row.hpp). A line that was cut
// short, changed, or is no text at all after a loss of power does not count, and its run is done again. The head is on
// the disk before the first row, and rows are at the latest a second after they were added (fsync).
#pragma once

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/study/study_row.hpp"

namespace nsmc::rt {

// The journal that is there cannot be used as the user asked.
struct JournalError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class JournalUse : std::uint8_t { fresh, resume, restart };

class Journal {
 public:
  // study: the lines that describe it. With `resume` the rows of the journal that is there are read, if it is of the
  // same study. With `fresh` there must be none, with `restart` it is thrown away. Throws JournalError, OutputError.
  Journal(const std::string& table, const std::vector<std::string>& study, JournalUse use);
  ~Journal();  // without a single row, no file stays
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  const std::string& path() const { return path_; }
  const std::vector<StudyRow>& rows() const { return rows_; }  // that were there
  std::uint64_t damaged() const { return damaged_; }           // lines that were there and do not count

  void add(const StudyRow& row);
  void sync();    // all rows are on the disk
  void remove();  // the table has it all

 private:
  void read(const std::vector<std::string>& study, JournalUse use);

  std::string path_;
  int file_ = -1;
  bool empty_ = true;
  std::vector<StudyRow> rows_;
  std::uint64_t damaged_ = 0;
  std::chrono::steady_clock::time_point synced_{};
};

}  // namespace nsmc::rt
