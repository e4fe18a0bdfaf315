// How much a file may ask of the parser. Recursion follows the nesting of the source, so the nesting is bounded: a
// build with AddressSanitizer on a stack of 8 MB must survive the deepest file that is accepted.
#pragma once

#include <cstddef>

namespace nsmc {

inline constexpr std::size_t max_file_bytes = std::size_t{16} << 20;
// What a model may read by imports: of files that import each other, and of all of them together.
inline constexpr std::size_t max_import_depth = 64;
inline constexpr std::size_t max_imports = 1000;
inline constexpr std::size_t max_model_bytes = std::size_t{64} << 20;
inline constexpr std::size_t max_nesting = 256;                  // brackets, and levels of an expression
inline constexpr std::size_t max_rule_depth = 14 * max_nesting;  // grammar rules under way: at most 13 per level
inline constexpr std::size_t max_declaration_tokens = 500'000;   // one parse tree at a time is in memory
inline constexpr std::size_t max_syntax_errors = 50;

}  // namespace nsmc
