// The functions of a library file, each parsed when it is first asked for: a model needs a few of them, and to parse
// them all takes longer than everything else before code generation.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "compiler/support/source.hpp"
#include "compiler/syntax/ast.hpp"

namespace nsmc {

class LazyFunctions {
 public:
  LazyFunctions() = default;  // none
  // Every declaration of the file must be a function, and `fn` the first word of a line. `sources` must live on.
  LazyFunctions(const Sources& sources, FileId file);

  struct Entry {
    Span name, declaration;
    std::unique_ptr<ast::Function> parsed;
  };
  const std::map<std::string, Entry, std::less<>>& entries() const { return entries_; }

  const ast::Function* find(std::string_view name);  // null if there is none

 private:
  const Sources* sources_ = nullptr;
  std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace nsmc
