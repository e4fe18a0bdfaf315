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
  // Opens the file, which appears whole (output_file.hpp) unless it streams. Throws OutputError.
  EventLog(const std::string& path, const System& system, bool stream = false);

  void record(const Event& event) override;
  void commit() { file_.commit(); }
  std::uint64_t rows() const { return rows_; }

 private:
  const System& system_;
  OutputFile file_;
  std::uint64_t rows_ = 0;
};

}  // namespace nsmc::rt
