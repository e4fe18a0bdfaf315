#include "runtime/study/study_row.hpp"

#include <charconv>

#include "runtime/output/csv_text.hpp"

namespace nsmc::rt {
namespace {

// The cells of a line, quotes taken off.
std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      cells.back() += line[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

template <class Number>
bool read(const std::string& text, Number& number) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end;
}

}  // namespace

std::string to_line(const StudyRow& row) {
  std::string line = std::to_string(row.index) + (row.failed ? ",0," : row.converged ? ",1," : ",2,");
  for (const std::optional<double>& value : row.values) {
    if (value) append_number(line, *value);
    line += ',';
  }
  append_cell(line, row.status);
  return line;
}

std::optional<StudyRow> read_line(std::string_view line) {
  const std::vector<std::string> cells = cells_of(line);
  StudyRow row;
  if (cells.size() < 3 || !read(cells[0], row.index)) return std::nullopt;
  if (cells[1] != "0" && cells[1] != "1" && cells[1] != "2") return std::nullopt;
  row.failed = cells[1] == "0";
  row.converged = cells[1] == "1";
  for (std::size_t i = 2; i + 1 < cells.size(); ++i) {
    double value = 0;
    if (!cells[i].empty() && !read(cells[i], value)) return std::nullopt;
    row.values.push_back(cells[i].empty() ? std::nullopt : std::optional(value));
  }
  row.status = cells.back();
  return row;
}

}  // namespace nsmc::rt
