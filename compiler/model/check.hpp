// check: the model as written -> the typed model. Resolves names, expands functions and laws, checks shapes, kinds and
// physical dimensions, and reports everything wrong in one go. What needs derivatives (is a slip linear in the
// velocities, is M positive definite) is checked by compiler/mechanics, where derivatives exist.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "compiler/model/symbols.hpp"
#include "compiler/model/typed_model.hpp"
#include "compiler/support/diagnostics.hpp"
#include "compiler/syntax/ast.hpp"
#include "compiler/syntax/lazy_functions.hpp"

namespace nsmc {

struct SourceModels {
  std::vector<ast::Model> files;                                 // the model first, then what it imports
  ast::Model library;                                            // models/std; its names may be shadowed
  std::map<std::pair<FileId, std::string>, std::string> data{};  // texts of tables, as that file names them
  // More of models/std. Behind a pointer, since asking for a function may parse it. Null: none.
  std::shared_ptr<LazyFunctions> functions;
};

// Contacts by [*] that are more than so many come and go; of fewer, each has its columns.
inline constexpr std::uint64_t kSearchFrom = 2000;

// structure: values that parameters have in the run to come; the size of arrays may depend on them. `symbols`: the
// names of the model, if asked for; also after errors, and of files that were parsed partly. with_scene: also what can
// be seen, with outputs for it (typed_scene.hpp). search_from: contacts of all shapes with all others are searched for
// if they are more than so many, and enumerated if not.
std::optional<TypedModel> check(const SourceModels& models, Diagnostics& diagnostics,
                                const ParameterValues& structure = {}, SymbolTable* symbols = nullptr,
                                bool with_scene = false, std::uint64_t search_from = kSearchFrom);

}  // namespace nsmc
