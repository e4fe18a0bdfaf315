// Rows and events of a run as files.
#include "nsmc/run_files.hpp"

#include <fmt/core.h>

#include <cstdio>

#include "compiler/api/files.hpp"
#include "runtime/output/csv_text.hpp"
#include "runtime/output/csv_writer.hpp"

namespace nsmc {
namespace {

rt::OutputMode output_mode(const FileMode& mode) {
  rt::OutputMode to;
  to.stream = mode.stream;
  to.part = mode.part;
  if (mode.from) to.go_on_at = mode.from->bytes;
  return to;
}

std::uint64_t rows_before(const FileMode& mode) { return mode.from ? mode.from->rows : 0; }

void require_same_header(const std::string& path, const std::vector<std::string>& names) {
  const std::string now = rt::csv_header(names), file = rt::part_of(path);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> part(std::fopen(file.c_str(), "rb"), std::fclose);
  if (part == nullptr) return;  // whoever opens it will say so
  std::string then(now.size(), '\0');
  then.resize(std::fread(then.data(), 1, then.size(), part.get()));
  if (then == now) return;
  throw SettingError("outputs", fmt::format("the run that `resume` goes on with records other columns, those of {}: "
                                            "give the same `outputs`",
                                            file));
}

}  // namespace

struct RowFile::Writer {
  rt::CsvWriter to;
};

RowFile::RowFile(std::string path, FileMode mode)
    : path_(std::move(path)), mode_(std::move(mode)), rows_(rows_before(mode_)) {}
RowFile::~RowFile() = default;

void RowFile::begin(const std::vector<std::string>& columns) {
  std::vector<std::string> header{"t"};
  header.insert(header.end(), columns.begin(), columns.end());
  if (mode_.from) require_same_header(path_, header);
  as_file_errors([&] { writer_.reset(new Writer{{path_, header, rt::CsvOptions{output_mode(mode_), true}}}); });
}

void RowFile::record(double t, std::span<const double> columns) {
  as_file_errors([&] { writer_->to.record(t, columns); });
  ++rows_;
}

KeptFile RowFile::keep() {
  return as_file_errors([&] { return KeptFile{path_, writer_->to.keep(), rows_}; });
}

void RowFile::commit() {
  as_file_errors([&] { writer_->to.commit(); });
}

struct EventFile::File {
  rt::OutputFile to;
};

EventFile::EventFile(std::string path, FileMode mode)
    : path_(std::move(path)), mode_(std::move(mode)), rows_(rows_before(mode_)) {}
EventFile::~EventFile() = default;

void EventFile::begin(std::size_t velocities) {
  velocities_ = velocities;
  as_file_errors([&] {
    file_.reset(new File{rt::OutputFile(path_, output_mode(mode_))});
    if (mode_.from) return;
    std::vector<std::string> names{"t", "contact", "kind"};
    for (const char* when : {"before", "after"}) {
      for (std::size_t k = 1; k <= velocities_; ++k) names.push_back(fmt::format("{}[{}]", when, k));
    }
    file_->to.buffer() += rt::csv_header(names);
    file_->to.flush();
  });
}

void EventFile::record(const EventInfo& event) {
  std::string& line = file_->to.buffer();
  rt::append_number(line, event.t);
  line += ',';
  rt::append_cell(line, event.contact);
  line += ',';
  line += event.kind;
  for (const std::vector<double>* velocities : {&event.before, &event.after}) {
    for (std::size_t k = 0; k < velocities_; ++k) {
      line += ',';
      if (k < velocities->size()) rt::append_number(line, (*velocities)[k]);
    }
  }
  line += '\n';
  as_file_errors([&] { file_->to.flush_if_full(); });
  ++rows_;
}

KeptFile EventFile::keep() {
  return as_file_errors([&] { return KeptFile{path_, file_->to.keep(), rows_}; });
}

void EventFile::commit() {
  as_file_errors([&] { file_->to.commit(); });
}

}  // namespace nsmc
