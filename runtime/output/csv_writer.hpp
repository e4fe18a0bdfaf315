// Rows of numbers as comma-separated text: a header line, then one line per recorded row, 17 significant digits (enough
// to read back the same double), '.' as the decimal point whatever the locale.
//
// A reader never sees half a file: rows go to `<path>.tmp-<pid>` beside the target, which commit() renames to the
// target. Without commit() the temporary is removed and the target left alone. Where there is no file to replace --
// "-" (standard output), anything under /dev or /proc, pipes and devices -- or if asked to stream, rows are written to
// the target directly.
//
// Every failure of the operating system becomes an OutputError with the path and the reason.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/output/recorder.hpp"

namespace nsmc::rt {

struct OutputError : std::runtime_error {
  OutputError(std::string where, std::string why)
      : std::runtime_error("cannot write " + where + ": " + why), path(std::move(where)), reason(std::move(why)) {}
  std::string path;
  std::string reason;  // of the operating system
};

struct CsvOptions {
  bool stream = false;       // write to the target directly
  bool time_column = false;  // t before the columns of the model; the header has a name for it, too
};

// A cell of text, quoted where it has to be, and a number.
void append_cell(std::string& out, std::string_view text);
void append_cell(std::string& out, double value);

class CsvWriter final : public Recorder {
 public:
  // Opens the file and writes the header. Throws OutputError.
  CsvWriter(std::string path, std::span<const std::string> header, CsvOptions options = {});
  ~CsvWriter() override;
  CsvWriter(const CsvWriter&) = delete;
  CsvWriter& operator=(const CsvWriter&) = delete;

  // Throws OutputError.
  void record(double t, std::span<const double> columns) override;
  // A row that is text already, without the end of the line. Throws OutputError.
  void record_line(std::string_view line);

  // Writes what is buffered, closes, and puts the file in its place; only whole rows are in it. Throws OutputError.
  void commit();

  const std::string& path() const { return path_; }

 private:
  void flush();
  void open_target();
  void open_temporary();
  void abandon() noexcept;
  [[noreturn]] void fail(int error);

  std::string path_;       // as given, for messages
  std::string target_;     // what is replaced: path_ with links resolved
  std::string temporary_;  // empty: writing to the target directly
  CsvOptions options_;
  int file_ = -1;
  bool close_file_ = true;
  std::string buffer_;
};

}  // namespace nsmc::rt
