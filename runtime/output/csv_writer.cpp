#include "runtime/output/csv_writer.hpp"

#include "runtime/output/csv_text.hpp"

namespace nsmc::rt {

CsvWriter::CsvWriter(std::string path, std::span<const std::string> header, CsvOptions options)
    : file_(std::move(path), options.mode), time_column_(options.time_column) {
  if (options.mode.go_on_at) return;
  file_.buffer() += csv_header(header);
  // The header goes out at once, so that a full or unwritable target is known before the run and not after it.
  file_.flush();
}

void CsvWriter::record(double t, std::span<const double> columns) {
  std::string& text = file_.buffer();
  if (time_column_) {
    append_number(text, t);
    if (!columns.empty()) text += ',';
  }
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (k > 0) text += ',';
    append_number(text, columns[k]);
  }
  text += '\n';
  file_.flush_if_full();
}

}  // namespace nsmc::rt
