// Events as comma-separated text: time, contact, kind, and the velocities of the contact before and after, as many as
// the largest contact of the model has; those that a contact does not have are empty.
#pragma once

#include <string>

#include "runtime/evaluation/event_sink.hpp"
#include "runtime/output/output_file.hpp"
#include "runtime/system.hpp"

namespace nsmc::rt {

class EventLog final : public EventSink {
 public:
  // Opens the file, which appears whole (output_file.hpp) unless it streams; `rows` were written before it goes on.
  // Throws OutputError.
  EventLog(const std::string& path, const System& system, const OutputMode& mode = {}, std::uint64_t rows = 0);

  void record(const Event& event) override;
  void commit() { file_.commit(); }
  std::uint64_t keep() { return file_.keep(); }
  std::uint64_t rows() const { return rows_; }

 private:
  const System& system_;
  OutputFile file_;
  std::uint64_t rows_;
};

}  // namespace nsmc::rt
