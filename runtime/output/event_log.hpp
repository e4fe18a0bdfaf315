// Events as comma-separated text: time, contact, kind, and the velocities of the contact before and after, as many as
// the largest contact of the model has; those that a contact does not have are empty.
#pragma once

#include <string>

#include "runtime/integrators/event_sink.hpp"
#include "runtime/output/csv_writer.hpp"
#include "runtime/system.hpp"

namespace nsmc::rt {

class EventLog final : public EventSink {
 public:
  // Opens the file, as CsvWriter does. Throws OutputError.
  EventLog(const std::string& path, const System& system, CsvOptions options = {});

  void record(const Event& event) override;
  void commit() { writer_.commit(); }
  std::uint64_t rows() const { return rows_; }

 private:
  const System& system_;
  CsvWriter writer_;
  std::string line_;
  std::uint64_t rows_ = 0;
};

}  // namespace nsmc::rt
