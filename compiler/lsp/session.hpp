// What all features share: the open documents, what is known of them, and how places are told to the client.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/lsp/checker.hpp"
#include "compiler/lsp/documents.hpp"
#include "compiler/lsp/library_files.hpp"

namespace nsmc::lsp {

// What the client said that it can do, as far as an answer depends on it.
struct ClientAbilities {
  bool markdown = false;             // in hovers
  bool nested_symbols = false;       // an outline with levels
  bool related_information = false;  // notes of diagnostics as places
  bool watches_files = false;        // if it is asked to
};

// A document that a request is about, with its names.
struct Subject {
  const Document* document = nullptr;
  std::shared_ptr<const CheckedNames> checked;  // never null; perhaps of an older text
  std::uint32_t offset = 0;                     // of the position, if the request has one

  const std::string& text() const { return document->text->text; }
  const Names& names() const { return checked->names; }
  bool fresh() const { return checked->stamp == document->stamp; }
};

// A place of a symbol in some file.
struct Occurrence {
  Place place;
  bool declares = false;
  friend bool operator==(const Occurrence& a, const Occurrence& b) {
    return a.place.file == b.place.file && a.place.begin == b.place.begin;
  }
};

// A model that knows a symbol, and what it knows of it.
struct Appearance {
  std::shared_ptr<const CheckedNames> checked;
  const SymbolInfo* symbol = nullptr;
};

// Which models are asked for a symbol: those that are open, or also those on the disk that import its file.
enum class Reach { open, disk };

class Session {
 public:
  explicit Session(std::optional<std::string> models_folder) : library(std::move(models_folder)) {}

  // Throw Refusal if the document is not open.
  Subject subject(const Json& params, std::chrono::milliseconds patience = std::chrono::milliseconds(150)) const;
  // The same where places have to be those of the newest text: refused if it takes too long to find them.
  Subject fresh_subject(const Json& params) const;

  // The text of a file: as it is in the editor, of the standard library, on the disk; null if there is none.
  std::shared_ptr<const Text> text_of(const std::string& file) const;
  // Where the client finds it; nothing for what it cannot open.
  std::optional<std::string> uri_of(const std::string& file) const;
  Json location(const Place& place) const;  // null if there is none
  Range range(const Subject& subject, std::uint32_t begin, std::uint32_t end) const {
    return range_in(*subject.document->text, begin, end, encoding);
  }
  std::shared_ptr<const Overlay> overlay() const;

  // The models that know a symbol, first that of the subject.
  std::vector<Appearance> appearances(const Subject& subject, const SymbolInfo& symbol, Reach reach) const;
  // Every place of a symbol in these models.
  static std::vector<Occurrence> occurrences(const std::vector<Appearance>& appearances);
  // What is wrong with the model whose first file this is, as far as it is known.
  std::vector<DiagnosticInfo> diagnostics(const std::string& path) const;
  // Whether another open document imports it: then it is a part of that model.
  bool is_imported(const std::string& path) const;

  Encoding encoding = Encoding::utf16;
  ClientAbilities client;
  std::vector<std::string> folders;  // those that the client works in
  Documents documents;
  LibraryFiles library;
  std::unique_ptr<Checker> checker;
};

}  // namespace nsmc::lsp
