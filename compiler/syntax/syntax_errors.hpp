// Says in words of the language what is wrong with a declaration that the grammar refused.
#pragma once

#include <cstddef>

#include "compiler/support/diagnostics.hpp"
#include "compiler/syntax/declaration_tokens.hpp"

namespace nsmc {

// Where the parser gave up, and what it would have taken there.
struct SyntaxFailure {
  std::size_t at = 0;                  // index of the token in the declaration; its size stands for what follows
  antlr4::misc::IntervalSet expected;  // token types; empty where a complete declaration is followed by more
};

// One diagnostic for the declaration.
void report(const SyntaxFailure& failure, const DeclarationTokens& declaration, const TokenReader& reader,
            Diagnostics& diagnostics);

// The declaration keyword, written at the margin of the declaration or left of it, before which the declaration seems
// to lack its '}'; the size of the declaration if there is none.
std::size_t missing_brace(const SyntaxFailure& failure, const DeclarationTokens& declaration);

}  // namespace nsmc
