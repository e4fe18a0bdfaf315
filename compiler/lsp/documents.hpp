// The documents that are open in the editor, as it last said they are.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "compiler/lsp/messages.hpp"
#include "compiler/lsp/positions.hpp"

namespace nsmc::lsp {

// A text with its lines; what is said of it stays right for as long as somebody holds it.
struct Text {
  explicit Text(std::string of) : text(std::move(of)), lines(text) {}
  std::string text;
  Lines lines;
};

struct Document {
  std::string uri, path;    // path: as diagnostics and symbols have it
  Json version;             // a number, or null
  std::uint64_t stamp = 0;  // grows with every change of any document
  std::shared_ptr<const Text> text;
};

class Documents {
 public:
  Document& open(const std::string& uri, std::string text, Json version);
  // Changes of didChange, in their order. Null if it is not open.
  Document* change(const std::string& uri, const Json& changes, Json version, Encoding encoding);
  const Document& touch(const std::string& uri);  // a new stamp for the same text
  void close(const std::string& uri);

  const Document* find(const std::string& uri) const;
  const Document* find_path(const std::string& path) const;
  const std::map<std::string, Document>& all() const { return open_; }
  std::uint64_t next_stamp() { return ++stamp_; }

 private:
  std::map<std::string, Document> open_;  // by address
  std::uint64_t stamp_ = 0;
};

Position position_of(const Json& position);
Range range_of(const Json& range);
Json json_of(const Range& range);
// Of bytes of a text.
Range range_in(const Text& text, std::uint32_t begin, std::uint32_t end, Encoding encoding);

}  // namespace nsmc::lsp
