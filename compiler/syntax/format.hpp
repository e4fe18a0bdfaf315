// Source text in, the same tokens and comments in canonical layout out (`nsmc fmt`). Lines stay lines; what changes is
// indentation, blanks between tokens, blank lines and trailing blanks. Formatting twice changes nothing more.
#pragma once

#include <optional>
#include <string>

#include "compiler/support/diagnostics.hpp"
#include "compiler/support/source.hpp"

namespace nsmc {

// Nothing, and diagnostics, if the file has syntax errors.
std::optional<std::string> format(const Sources& sources, FileId file, Diagnostics& diagnostics);

}  // namespace nsmc
