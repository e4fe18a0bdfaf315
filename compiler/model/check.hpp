// check: the model as written -> the typed model. Resolves names, expands functions and laws, checks shapes, kinds and
// physical dimensions, and reports everything wrong in one go. What needs derivatives (is a slip linear in the
// velocities, is M positive definite) is checked by compiler/mechanics, where derivatives exist.
#pragma once

#include <optional>
#include <span>

#include "compiler/model/typed_model.hpp"
#include "compiler/support/diagnostics.hpp"
#include "compiler/syntax/ast.hpp"

namespace nsmc {

struct SourceModels {
  std::vector<ast::Model> files;  // the model first, then what it imports
  ast::Model library;             // models/std; its names may be shadowed
};

std::optional<TypedModel> check(const SourceModels& models, Diagnostics& diagnostics);

}  // namespace nsmc
