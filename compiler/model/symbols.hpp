// The names of a model: what each one is, where it is declared and used, and what is known of it. Editors need them
// (completion, hover, definition, references, rename), and so do callers of the library. Models with errors have them
// too: declarations and uses come from the syntax tree alone, so that they are whole in what check does not reach
// either; types, units and values are there as far as check came.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/support/source.hpp"

namespace nsmc {

struct SourceModels;

struct Symbol {
  enum class Kind : std::uint8_t {
    parameter,
    input,
    let,
    coordinate,
    velocity,
    state,
    discrete,
    table,
    function,
    set,
    law,
    contact,
    constraint,
    joint,
    spring,
    damper,
    output,
    body,
    shape,
    drawing,
    argument,  // of a function, a set or a law
    force,     // of a law
    index,     // of an array or a loop
    variable   // of a gauge or support function
  };

  std::string name;
  Kind kind{};
  Span declared;         // the name where it is declared; of a contact without a name of its own: its two shapes
  Span declaration;      // the whole declaration; a local name is known in here only
  bool local = false;    // known within its declaration only
  bool array = false;    // takes an index
  bool library = false;  // of the standard library
  std::string doc;
  std::vector<std::string> arguments;  // of a function, a set or a law, in their order
  std::vector<Span> uses;              // in the files of the model, without the declaration

  // As far as check came; empty or absent what is not known or does not apply.
  std::string type;             // "a number", "a vector of 3", "a set in R^2"; the kind of a body, shape or joint
  std::string unit;             // as declared, else that of the dimension in SI; empty for pure numbers
  std::optional<double> value;  // SI; of a parameter or constant, or the start of a coordinate or velocity
  std::optional<double> value_in_unit;
  std::vector<std::string> members;  // what may stand behind the name and a dot
};

// "parameter", "coordinate", ...
std::string_view text(Symbol::Kind kind);

struct SymbolTable {
  struct Unknown {
    std::string name;
    Span place;
  };
  std::vector<Symbol> symbols;
  std::vector<Unknown>
      unknown;  // names in expressions that the model and the library do not declare; words of the language are, too

  // The one that is meant outside of functions, laws and loops; null if there is none.
  const Symbol* find(std::string_view name) const;
  // The one that is declared or used at this place; null if there is none.
  const Symbol* at(FileId file, std::uint32_t offset) const;
};

// Declarations and uses, from the syntax alone.
SymbolTable declared_symbols(const SourceModels& models);

}  // namespace nsmc
