// Text in, abstract syntax out: one file of Sources becomes an ast::Model, or diagnostics say why not.
#pragma once

#include <optional>

#include "compiler/support/diagnostics.hpp"
#include "compiler/support/source.hpp"
#include "compiler/syntax/ast.hpp"

namespace nsmc {

// Nothing if there was an error; all syntax errors of the file are reported in one go (up to 50).
std::optional<ast::Model> parse(const Sources& sources, FileId file, Diagnostics& diagnostics);
// The same for a part of a file, which must hold whole declarations.
std::optional<ast::Model> parse(const Sources& sources, Span part, Diagnostics& diagnostics);

// What could be read, also of a file with errors: the declarations before and after the broken ones. A model that is
// being written has names in it that an editor asks for; nothing is derived from it.
struct PartlyParsed {
  ast::Model model;
  bool whole = false;  // there were no errors
};
PartlyParsed parse_partly(const Sources& sources, FileId file, Diagnostics& diagnostics);

}  // namespace nsmc
