// Rows of numbers as comma-separated text: a header line, then one line per recorded row (csv_text.hpp), in a file that
// appears whole (output_file.hpp).
#pragma once

#include <span>
#include <string>

#include "runtime/output/output_file.hpp"
#include "runtime/output/recorder.hpp"

namespace nsmc::rt {

struct CsvOptions {
  OutputMode mode = {};
  bool time_column = false;  // t before the columns of the model; the header has a name for it, too
};

class CsvWriter final : public Recorder {
 public:
  // Opens the file and writes the header, unless it goes on with one that has it. Throws OutputError.
  CsvWriter(std::string path, std::span<const std::string> header, CsvOptions options = {});

  // Throws OutputError.
  void record(double t, std::span<const double> columns) override;

  // Writes what is buffered, closes, and puts the file in its place; only whole rows are in it. Throws OutputError.
  void commit() { file_.commit(); }

  // What is buffered goes out: the bytes of the file until now.
  std::uint64_t keep() { return file_.keep(); }

  const std::string& path() const { return file_.path(); }

 private:
  OutputFile file_;
  bool time_column_;
};

}  // namespace nsmc::rt
