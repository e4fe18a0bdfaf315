// Symbols in words.
#pragma once

#include <string>

#include "nsmc/editing.hpp"

namespace nsmc {

// "parameter = 2 [kg]", "coordinate [m]".
std::string short_text(const SymbolInfo& symbol);
// "coulomb(mu, restitution = 0)", with the defaults as they are written where the text is at hand.
std::string signature_text(const SymbolInfo& symbol);
// Its documentation; of the library, where there are no strings, the comment beside or above it.
std::string doc_text(const SymbolInfo& symbol);

}  // namespace nsmc
