#include "runtime/output/csv_text.hpp"

#include <charconv>
#include <cmath>

namespace nsmc::rt {

void append_number(std::string& out, double value) {
  if (std::isnan(value)) {
    out += "nan";
    return;
  }
  char text[40];
  const double shown = value == 0 ? 0 : value;  // not -0
  const std::to_chars_result end = std::to_chars(text, text + sizeof text, shown, std::chars_format::general, 17);
  out.append(text, end.ptr);
}

void append_cell(std::string& out, std::string_view text) {
  if (text.find_first_of(",\"\n\r") == std::string_view::npos) {
    out += text;
    return;
  }
  out += '"';
  for (const char character : text) {
    if (character == '"') out += '"';
    out += character;
  }
  out += '"';
}

std::string csv_header(std::span<const std::string> names) {
  std::string line;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (k > 0) line += ',';
    append_cell(line, names[k]);
  }
  return line + '\n';
}

}  // namespace nsmc::rt
