// Spans, diagnostics and symbols of a compilation as the plain values of the library.
#pragma once

#include <vector>

#include "compiler/model/symbols.hpp"
#include "compiler/support/diagnostics.hpp"
#include "nsmc/model.hpp"

namespace nsmc {

Place place_of(const Sources& sources, Span span);
std::vector<DiagnosticInfo> diagnostic_infos(const Diagnostics& diagnostics, const Sources& sources);
std::vector<SymbolInfo> symbol_infos(const SymbolTable& table, const Sources& sources);

}  // namespace nsmc
