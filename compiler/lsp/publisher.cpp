#include "compiler/lsp/publisher.hpp"

#include <algorithm>

#include "compiler/lsp/uris.hpp"

namespace nsmc::lsp {
namespace {

bool is_library(const Place& place) { return !library_text(place.file).empty(); }

Json related(const Session& session, const Place& place, const std::string& text) {
  Json location = session.location(place);
  return location.is_null() ? Json() : Json{{"location", std::move(location)}, {"message", text}};
}

// Where it is shown: a place in the library is none that the user can mend, so there it is the first note that is not.
Place shown_at(const DiagnosticInfo& d, const std::string& path) {
  if (!is_library(d.place)) return d.place;
  for (const DiagnosticInfo::Note& note : d.notes) {
    if (!is_library(note.place)) return note.place;
  }
  Place start;
  start.file = path;
  return start;
}

Json diagnostic(const Session& session, const DiagnosticInfo& d, const Place& at, const Text& text) {
  Json one{{"range", json_of(range_in(text, at.begin, at.end, session.encoding))},
           {"severity", d.error ? 1 : 2},
           {"code", d.code},
           {"source", "nsmc"}};
  std::string message = d.message;
  if (!d.hint.empty()) message += "\nhint: " + d.hint;
  Json notes = Json::array();
  const auto add = [&](const Place& place, const std::string& what) {
    if (session.client.related_information) {
      if (Json note = related(session, place, what); !note.is_null()) notes.push_back(std::move(note));
    } else {
      message += "\nnote: " + what;
    }
  };
  if (is_library(d.place)) add(d.place, "in the standard library");
  for (const DiagnosticInfo::Note& note : d.notes) add(note.place, note.text);
  one["message"] = std::move(message);
  if (!notes.empty()) one["relatedInformation"] = std::move(notes);
  return one;
}

}  // namespace

void Publisher::update(const Session& session, const std::string& path) {
  std::map<std::string, Json> files;
  if (!session.is_imported(path)) {
    for (const DiagnosticInfo& d : session.diagnostics(path)) {
      const Place at = shown_at(d, path);
      const auto text = session.text_of(at.file);
      const auto uri = session.uri_of(at.file);
      if (text == nullptr || !uri) continue;
      files.try_emplace(*uri, Json::array()).first->second.push_back(diagnostic(session, d, at, *text));
    }
  }
  by_model_[path] = std::move(files);
  publish(session);
}

void Publisher::forget(const Session& session, const std::string& path) {
  by_model_.erase(path);
  publish(session);
}

void Publisher::publish(const Session& session) {
  std::map<std::string, Json> all;
  for (const auto& [uri, document] : session.documents.all()) all[uri] = Json::array();
  for (const auto& [path, files] : by_model_) {
    for (const auto& [uri, list] : files) {
      Json& together = all.try_emplace(uri, Json::array()).first->second;
      for (const Json& one : list) {
        if (std::find(together.begin(), together.end(), one) == together.end()) together.push_back(one);
      }
    }
  }
  for (const auto& [uri, list] : sent_) {
    if (!all.contains(uri) && !list.empty())
      send_(notification("textDocument/publishDiagnostics", {{"uri", uri}, {"diagnostics", Json::array()}}));
  }
  for (const auto& [uri, list] : all) {
    const auto before = sent_.find(uri);
    if (before != sent_.end() && before->second == list) continue;
    send_(notification("textDocument/publishDiagnostics", {{"uri", uri}, {"diagnostics", list}}));
  }
  sent_ = std::move(all);
}

}  // namespace nsmc::lsp
