#include "compiler/lsp/session.hpp"

#include <algorithm>
#include <filesystem>

#include "compiler/lsp/closed_models.hpp"
#include "compiler/lsp/uris.hpp"

namespace nsmc::lsp {
namespace {

// Names of a text that is a few letters old will do to complete or to explain a word. For places they will not; who
// asks for them waits for a while before the question is refused. A model of 5000 lines takes a tenth of it.
constexpr std::chrono::milliseconds kPatienceForPlaces(1000);

// A file of laws and functions that others import says nothing of what they have to declare.
bool is_part(const std::string& text, const std::vector<DiagnosticInfo>& diagnostics) {
  const bool moves = std::none_of(diagnostics.begin(), diagnostics.end(),
                                  [](const DiagnosticInfo& d) { return d.name == "no_coordinates"; });
  return !moves && !text.starts_with("model ") && text.find("\nmodel ") == text.npos;
}

}  // namespace

Subject Session::subject(const Json& params, std::chrono::milliseconds patience) const {
  const std::string uri = params.at("textDocument").at("uri").get<std::string>();
  Subject subject;
  subject.document = documents.find(uri);
  if (subject.document == nullptr) throw Refusal{kInvalidParams, "the document is not open: " + uri};
  subject.checked = checker->names(subject.document->path, subject.document->stamp, patience);
  if (subject.checked == nullptr) {
    auto nothing = std::make_shared<CheckedNames>();
    nothing->names.file = subject.document->path;
    subject.checked = std::move(nothing);
  }
  if (params.contains("position")) {
    const Text& text = *subject.document->text;
    subject.offset = text.lines.offset(text.text, position_of(params.at("position")), encoding);
  }
  return subject;
}

Subject Session::fresh_subject(const Json& params) const {
  Subject found = subject(params, kPatienceForPlaces);
  if (!found.fresh()) throw Refusal{kContentModified, "the text changed and is still being looked at"};
  return found;
}

std::shared_ptr<const Text> Session::text_of(const std::string& file) const {
  if (const std::string_view text = library_text(file); !text.empty())
    return std::make_shared<const Text>(std::string(text));
  if (const Document* open = documents.find_path(file)) return open->text;
  try {
    return std::make_shared<const Text>(files_on_disk()(file));
  } catch (const FileError&) {
    return nullptr;
  }
}

std::optional<std::string> Session::uri_of(const std::string& file) const {
  if (!library_text(file).empty()) {
    const auto path = library.path(file);
    return path ? std::optional(uri_of_path(*path)) : std::nullopt;
  }
  if (const Document* open = documents.find_path(file)) return open->uri;
  return uri_of_path(file);
}

Json Session::location(const Place& place) const {
  const auto uri = uri_of(place.file);
  const auto text = text_of(place.file);
  if (!uri || text == nullptr) return nullptr;
  return {{"uri", *uri}, {"range", json_of(range_in(*text, place.begin, place.end, encoding))}};
}

std::shared_ptr<const Overlay> Session::overlay() const {
  auto texts = std::make_shared<Overlay>();
  for (const auto& [uri, document] : documents.all()) (*texts)[canonical_path(document.path)] = document.text;
  return texts;
}

std::vector<Appearance> Session::appearances(const Subject& subject, const SymbolInfo& symbol, Reach reach) const {
  std::vector<Appearance> found{{subject.checked, &symbol}};
  const std::string home = canonical_path(symbol.declared.file);
  const auto ask = [&](const std::shared_ptr<const CheckedNames>& checked) {
    if (checked == nullptr) return;
    for (const SymbolInfo& s : checked->names.symbols) {
      if (s.name == symbol.name && s.declared.begin == symbol.declared.begin && canonical_path(s.declared.file) == home)
        found.push_back({checked, &s});
    }
  };
  for (const auto& [uri, document] : documents.all()) {
    if (document.path != subject.document->path) ask(checker->names(document.path));
  }
  if (reach == Reach::open || symbol.library) return found;
  std::vector<std::string> places = folders;
  places.push_back(std::filesystem::path(home).parent_path().string());
  const auto texts = overlay();
  for (const std::string& path : importing_files(places)) {
    if (texts->contains(canonical_path(path))) continue;
    if (const auto text = text_of(path)) ask(checker->look_at({path, 0, text, texts}));
  }
  return found;
}

std::vector<Occurrence> Session::occurrences(const std::vector<Appearance>& appearances) {
  std::vector<Occurrence> found;
  const auto add = [&](const Place& place, bool declares) {
    const Occurrence one{place, declares};
    if (place.begin < place.end && std::find(found.begin(), found.end(), one) == found.end()) found.push_back(one);
  };
  for (const Appearance& one : appearances) {
    add(one.symbol->declared, true);
    for (const Place& use : one.symbol->uses) add(use, false);
  }
  return found;
}

std::vector<DiagnosticInfo> Session::diagnostics(const std::string& path) const {
  const auto names = checker->names(path);
  if (names == nullptr) return {};
  const auto equations = checker->equations(path);
  const bool derived = names->names.ok && equations != nullptr && equations->stamp == names->stamp;
  std::vector<DiagnosticInfo> list = derived ? equations->diagnostics : names->names.diagnostics;
  if (is_part(names->text != nullptr ? names->text->text : "", list)) list.clear();
  return list;
}

bool Session::is_imported(const std::string& path) const {
  const std::string canonical = canonical_path(path);
  return std::any_of(documents.all().begin(), documents.all().end(), [&](const auto& entry) {
    if (entry.second.path == path) return false;
    const auto names = checker->names(entry.second.path);
    return names != nullptr && names->imports.contains(canonical);
  });
}

}  // namespace nsmc::lsp
