// Where a name is declared and used, and other names for it.
#include <algorithm>
#include <filesystem>
#include <map>

#include "compiler/lsp/features/feature.hpp"

namespace nsmc::lsp {
namespace {

const SymbolInfo* symbol_of(const Subject& subject) {
  return symbol_at(subject.names().symbols, subject.names().file, subject.offset);
}

// The file of `import "FILE"`, if the place is in such a line.
Json imported_file(const Session& session, const Subject& subject) {
  const std::string& text = subject.text();
  const std::size_t newline = subject.offset > 0 ? text.rfind('\n', subject.offset - 1) : text.npos;
  const std::size_t begin = newline == text.npos ? 0 : newline + 1;
  const std::string_view line = std::string_view(text).substr(begin, text.find('\n', begin) - begin);
  const std::size_t word = line.find("import"), open = line.find('"', word == line.npos ? line.size() : word);
  const std::size_t close = open == line.npos ? open : line.find('"', open + 1);
  if (close == line.npos || line.find_first_not_of(" \t") != word) return nullptr;
  const std::filesystem::path path = std::filesystem::path(subject.document->path).parent_path() /
                                     std::string(line.substr(open + 1, close - open - 1));
  Place start;
  start.file = path.lexically_normal().string();
  return session.location(start);
}

Subject with_symbol(const Session& session, const Json& params, const SymbolInfo*& symbol) {
  Subject subject = session.fresh_subject(params);
  symbol = symbol_of(subject);
  return subject;
}

// Why it cannot get another name; empty if it can.
std::string fixed_name(const SymbolInfo& symbol) {
  if (symbol.library) return "'" + symbol.name + "' belongs to the standard library";
  if (symbol.declared.begin == symbol.declared.end) return "'" + symbol.name + "' is called after its shapes";
  return "";
}

// Two names that would mean one thing somewhere.
bool would_clash(const SymbolInfo& symbol, const SymbolInfo& other) {
  const auto within = [](const SymbolInfo& scope, const SymbolInfo& of) {
    const auto inside = [&](const Place& p) {
      return p.file == scope.declaration.file && scope.declaration.begin <= p.begin && p.end <= scope.declaration.end;
    };
    return inside(of.declared) || std::any_of(of.uses.begin(), of.uses.end(), inside);
  };
  if (!symbol.local && !other.local) return !other.library;
  if (other.local && within(other, symbol)) return true;
  return symbol.local && within(symbol, other);
}

}  // namespace

Json definition(const Session& session, const Json& params) {
  const SymbolInfo* symbol = nullptr;
  const Subject subject = with_symbol(session, params, symbol);
  if (symbol == nullptr) return imported_file(session, subject);
  const bool named = symbol->declared.begin < symbol->declared.end;
  return session.location(named ? symbol->declared : symbol->declaration);
}

Json references(const Session& session, const Json& params) {
  const SymbolInfo* symbol = nullptr;
  const Subject subject = with_symbol(session, params, symbol);
  if (symbol == nullptr) return nullptr;
  const bool with_declaration = params.value("context", Json::object()).value("includeDeclaration", true);
  Json list = Json::array();
  for (const Occurrence& one : Session::occurrences(session.appearances(subject, *symbol, Reach::disk))) {
    if (one.declares && !with_declaration) continue;
    if (Json location = session.location(one.place); !location.is_null()) list.push_back(std::move(location));
  }
  return list;
}

Json highlights(const Session& session, const Json& params) {
  const SymbolInfo* symbol = nullptr;
  const Subject subject = with_symbol(session, params, symbol);
  if (symbol == nullptr) return nullptr;
  Json list = Json::array();
  for (const Occurrence& one : Session::occurrences(session.appearances(subject, *symbol, Reach::open))) {
    if (one.place.file != subject.names().file) continue;
    list.push_back(
        {{"range", json_of(session.range(subject, one.place.begin, one.place.end))}, {"kind", one.declares ? 3 : 2}});
  }
  return list;
}

Json rename_options() { return {{"prepareProvider", true}}; }

Json prepare_rename(const Session& session, const Json& params) {
  const SymbolInfo* symbol = nullptr;
  const Subject subject = with_symbol(session, params, symbol);
  if (symbol == nullptr) return nullptr;
  if (const std::string why = fixed_name(*symbol); !why.empty()) throw Refusal{kRequestFailed, why};
  for (const Occurrence& one : Session::occurrences(session.appearances(subject, *symbol, Reach::open))) {
    const Place& place = one.place;
    if (place.file == subject.names().file && place.begin <= subject.offset && subject.offset <= place.end)
      return {{"range", json_of(session.range(subject, place.begin, place.end))}, {"placeholder", symbol->name}};
  }
  return nullptr;
}

Json rename(const Session& session, const Json& params) {
  const SymbolInfo* symbol = nullptr;
  const Subject subject = with_symbol(session, params, symbol);
  if (symbol == nullptr) throw Refusal{kRequestFailed, "there is no name of the model here"};
  const std::string name = params.at("newName").get<std::string>();
  if (const std::string why = fixed_name(*symbol); !why.empty()) throw Refusal{kRequestFailed, why};
  const bool fixed = std::any_of(words().begin(), words().end(),
                                 [&](const Word& word) { return word.group == "constant" && word.name == name; });
  if (fixed || !is_name(name)) throw Refusal{kRequestFailed, "'" + name + "' cannot be a name"};
  const std::vector<Appearance> known = session.appearances(subject, *symbol, Reach::disk);
  for (const Appearance& one : known) {
    for (const SymbolInfo& other : one.checked->names.symbols) {
      if (&other == one.symbol || other.name != name || !would_clash(*one.symbol, other)) continue;
      const bool here = one.checked == subject.checked;
      throw Refusal{kRequestFailed, "there is a " + other.kind + " '" + name + "' already" +
                                        (here ? "" : ", in " + one.checked->names.file)};
    }
  }
  std::map<std::string, Json> changes;
  for (const Occurrence& one : Session::occurrences(known)) {
    const auto text = session.text_of(one.place.file);
    const auto uri = session.uri_of(one.place.file);
    if (text == nullptr || !uri) continue;
    if (std::string_view(text->text).substr(one.place.begin, one.place.end - one.place.begin) != symbol->name)
      throw Refusal{kContentModified, "the text of " + one.place.file + " changed meanwhile"};
    changes.try_emplace(*uri, Json::array())
        .first->second.push_back(
            {{"range", json_of(range_in(*text, one.place.begin, one.place.end, session.encoding))}, {"newText", name}});
  }
  return {{"changes", changes}};
}

}  // namespace nsmc::lsp
