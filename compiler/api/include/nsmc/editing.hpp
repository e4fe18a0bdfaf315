// What an editor asks of a text that is being written: its names, what fits at the cursor, what a word means, how an
// error can be mended, colours. The language server and the studio use it; an editor of one's own can.
//
// Places in a text are byte offsets. Nothing here needs a model without errors, and nothing derives equations.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nsmc/model.hpp"

namespace nsmc {

// The names of a text and its imports, and what is wrong with it as far as this can be told without its equations:
// syntax, names, shapes, dimensions.
struct Names {
  std::string file;  // the text itself, as places have it
  std::vector<SymbolInfo> symbols;
  std::vector<DiagnosticInfo> diagnostics;
  bool ok = false;  // no errors so far
};
Names names_of(const std::string& text, const std::string& file, const ModelOptions& options = {});

// The symbol that is declared or used at this place; null if there is none.
const SymbolInfo* symbol_at(const std::vector<SymbolInfo>& symbols, const std::string& file, std::uint32_t offset);

// A word of the language: keywords, functions, sets, kinds of bodies, members, settings, units, ...
struct Word {
  std::string name, group;             // group: "keyword", "function", "set", ...
  std::string form, doc;               // how it is written; one sentence
  std::vector<std::string> arguments;  // those that have names; of a setting the words that it may be
};
const std::vector<Word>& words();

// What may be written at the cursor.
struct Completion {
  std::string text;
  std::string kind;         // of a symbol, or the group of a word; "label": an argument by its name
  std::string detail, doc;  // detail: form, unit or value
  int rank = 0;             // smaller: nearer to what is meant
};
struct Completions {
  std::uint32_t begin = 0, end = 0;  // what they take the place of: the word that was begun
  std::vector<Completion> items;
};
Completions complete(const std::string& text, std::uint32_t offset, const Names& names);

// What is known of the word at a place. `contacts`, as far as equations are known, have their laws in normal form.
struct Explanation {
  std::uint32_t begin = 0, end = 0;
  std::string title;  // "parameter m = 2 [kg]"
  std::string text;   // more about it, with line breaks; may be empty
  std::vector<std::string> formulas;
};
std::optional<Explanation> explain(const std::string& text, std::uint32_t offset, const Names& names,
                                   const std::vector<ContactInfo>& contacts = {});

// The call around a place.
struct Signature {
  std::string label;  // "coulomb(mu, restitution = 0)"
  std::string doc;
  std::vector<std::string> arguments;
  std::size_t active = 0;  // which of them is being written
};
std::optional<Signature> signature_at(const std::string& text, std::uint32_t offset, const Names& names);

// A change of the text that mends an error, as its hint says it.
struct Fix {
  std::string title;                 // "write 'mu'"
  std::uint32_t begin = 0, end = 0;  // in the file of the diagnostic
  std::string text;
};
std::vector<Fix> fixes(const DiagnosticInfo& diagnostic, const std::string& text);

// Words and signs with what they are: keyword, name, unit, number, string, comment, or the kind of their symbol. In
// order; what is left out has no colour.
struct ColouredWord {
  std::uint32_t begin = 0, end = 0;
  std::string kind;
  bool declares = false;  // the name where it is declared
  bool library = false;   // a name of the language or its library
};
std::vector<ColouredWord> coloured_words(const std::string& text, const Names& names);

// What can be folded: bodies in braces, lists over several lines, comments. Whole lines, from 0.
struct Fold {
  std::uint32_t first_line = 0, last_line = 0;
  bool comment = false;
};
std::vector<Fold> folds(const std::string& text);

// The text in canonical layout, as `nsmc fmt` writes it; nothing if it has errors of syntax.
std::optional<std::string> formatted(const std::string& text);

// A file of the standard library, "std/laws.nsm"; empty if there is none.
std::string_view library_text(const std::string& file);

// What is allowed as a name, and no keyword.
bool is_name(const std::string& text);

}  // namespace nsmc
