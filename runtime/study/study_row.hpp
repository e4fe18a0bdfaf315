// What came of one run of a study, and the same as a line of text, which reads back as the same row: for the journal
// and for messages between processes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nsmc::rt {

struct StudyRow {
  std::uint64_t index = 0;
  bool failed = false;                          // there are no values, and `status` says why
  bool converged = true;                        // false: some steps did not
  bool abandoned = false;                       // asked to stop before its end: there is no row
  std::vector<std::optional<double>> values{};  // by measure; nothing for a time that never came
  std::string status{};                         // "ok", or what is to be said about the run
};

// "index,kind,value,...,status", kind: 0 failed, 1 good, 2 with steps that did not converge.
std::string to_line(const StudyRow& row);
std::optional<StudyRow> read_line(std::string_view line);

}  // namespace nsmc::rt
