// Cells of comma-separated text.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace nsmc::rt {

// 17 significant digits, enough to read back the same double; '.' as the decimal point whatever the locale; never
// "-nan", nor "-0": the sign of a zero may depend on how a step was compiled, and nothing else does.
void append_number(std::string& out, double value);

// Text with separators in it is quoted, quotes doubled.
void append_cell(std::string& out, std::string_view text);

// A line of such cells.
std::string csv_header(std::span<const std::string> names);

}  // namespace nsmc::rt
