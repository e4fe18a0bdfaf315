// The table of a study: a header, then the rows in the order of the runs, whatever the order in which they come.
//
// A file appears whole at the end (output_file.hpp). Standard output, devices and pipes get each row as soon as all
// before it are there.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "runtime/output/output_file.hpp"
#include "runtime/study/study_row.hpp"

namespace nsmc::rt {

class StudyTable {
 public:
  // header: a line without its end; line: that of a row. Throws OutputError.
  StudyTable(std::string path, std::string header, std::function<std::string(const StudyRow&)> line);

  void add(const StudyRow& row);
  bool has(std::uint64_t index) const { return index < written_ || rows_.contains(index); }
  std::uint64_t rows() const { return n_rows_; }

  // Writes all rows that are there.
  void finish();

 private:
  std::string path_, header_;
  std::function<std::string(const StudyRow&)> line_;
  std::unique_ptr<OutputFile> direct_;         // where rows go as they come
  std::map<std::uint64_t, std::string> rows_;  // that are not written yet
  std::uint64_t written_ = 0, n_rows_ = 0;
};

}  // namespace nsmc::rt
