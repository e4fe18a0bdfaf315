// A model file and everything it imports, parsed. Imports are found beside the file that names them; the standard
// library is part of the program.
#pragma once

#include <optional>
#include <string>

#include "compiler/model/check.hpp"
#include "compiler/support/diagnostics.hpp"
#include "compiler/support/source.hpp"

namespace nsmc {

// Nothing after errors; throws FileError if the model itself cannot be read. `text`: what the file says, if it was read
// before.
std::optional<SourceModels> load(const std::string& path, const std::optional<std::string>& text, Sources& sources,
                                 Diagnostics& diagnostics);

}  // namespace nsmc
