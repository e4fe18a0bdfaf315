#include "compiler/lsp/documents.hpp"

#include <algorithm>
#include <filesystem>

#include "compiler/lsp/uris.hpp"

namespace nsmc::lsp {
namespace {

// A document that was never saved stands beside where the server was started.
std::string path_of(const std::string& uri) {
  if (auto path = path_of_uri(uri)) return std::filesystem::path(*path).lexically_normal().string();
  std::string name = uri;
  std::replace(name.begin(), name.end(), '/', '_');
  std::error_code error;
  return (std::filesystem::current_path(error) / name).string();
}

}  // namespace

Position position_of(const Json& position) {
  // A client that means the end of a line may send any number that is large enough.
  const auto number = [](const Json& value) {
    if (!value.is_number_integer() || value.get<std::int64_t>() < 0)
      throw Refusal{kInvalidParams, "a position has whole numbers that are not negative"};
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(value.get<std::uint64_t>(), 0xFFFFFFFFU));
  };
  return {number(position.at("line")), number(position.at("character"))};
}

Range range_of(const Json& range) { return {position_of(range.at("start")), position_of(range.at("end"))}; }

Json json_of(const Range& range) {
  const auto one = [](Position p) { return Json{{"line", p.line}, {"character", p.character}}; };
  return {{"start", one(range.start)}, {"end", one(range.end)}};
}

Range range_in(const Text& text, std::uint32_t begin, std::uint32_t end, Encoding encoding) {
  return {text.lines.position(text.text, begin, encoding), text.lines.position(text.text, end, encoding)};
}

Document& Documents::open(const std::string& uri, std::string text, Json version) {
  Document& document = open_[uri];
  document.uri = uri;
  document.path = path_of(uri);
  document.version = std::move(version);
  document.stamp = next_stamp();
  document.text = std::make_shared<const Text>(std::move(text));
  return document;
}

Document* Documents::change(const std::string& uri, const Json& changes, Json version, Encoding encoding) {
  const auto found = open_.find(uri);
  if (found == open_.end()) return nullptr;
  Document& document = found->second;
  for (const Json& change : changes) {
    std::string text = change.at("text").get<std::string>();
    if (change.contains("range") && !change.at("range").is_null()) {
      const Range range = range_of(change.at("range"));
      const Text& old = *document.text;
      const std::uint32_t a = old.lines.offset(old.text, range.start, encoding),
                          b = old.lines.offset(old.text, range.end, encoding);
      text = old.text.substr(0, std::min(a, b)) + text + old.text.substr(std::max(a, b));
    }
    document.text = std::make_shared<const Text>(std::move(text));
  }
  document.version = std::move(version);
  document.stamp = next_stamp();
  return &document;
}

const Document& Documents::touch(const std::string& uri) {
  Document& document = open_.at(uri);
  document.stamp = next_stamp();
  return document;
}

void Documents::close(const std::string& uri) { open_.erase(uri); }

const Document* Documents::find(const std::string& uri) const {
  const auto found = open_.find(uri);
  return found == open_.end() ? nullptr : &found->second;
}

const Document* Documents::find_path(const std::string& path) const {
  for (const auto& [uri, document] : open_) {
    if (document.path == path) return &document;
  }
  for (const auto& [uri, document] : open_) {
    if (canonical_path(document.path) == canonical_path(path)) return &document;
  }
  return nullptr;
}

}  // namespace nsmc::lsp
