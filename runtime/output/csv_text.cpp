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

}  // namespace nsmc::rt
