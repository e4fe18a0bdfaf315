#include "compiler/lsp/server.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <thread>

#include "compiler/lsp/features/feature.hpp"
#include "compiler/lsp/inbox.hpp"
#include "compiler/lsp/publisher.hpp"
#include "compiler/lsp/uris.hpp"

namespace nsmc::lsp {
namespace {

using Clock = std::chrono::steady_clock;

// If names are right and equations take longer than this, what names tell is shown until they come.
constexpr std::chrono::milliseconds kEquationsMayTake(300);

class Server {
 public:
  Server(std::ostream& out, const Options& options)
      : out_(out),
        options_(options),
        session_(options.models_folder),
        publisher_([this](const Json& message) { write_message(out_, message); }) {}

  int run(Inbox& inbox) {
    const auto told = [&inbox](const std::string& path) { inbox.put({Item::Kind::checked, {}, path, false}); };
    session_.checker = std::make_unique<Checker>(options_.import_paths, told);
    while (!done_) {
      const Item item = inbox.take(patience());
      try {
        take(item);
        publish_late();
      } catch (const std::exception& error) {  // whatever it was, the next message may be another one
        std::fprintf(stderr, "nsmc lsp: %s\n", error.what());
      }
    }
    return shut_down_ ? 0 : 1;
  }

  bool is_deriving() const { return session_.checker->is_deriving(); }

 private:
  void take(const Item& item) {
    switch (item.kind) {
      case Item::Kind::message: return receive(item);
      case Item::Kind::unreadable: return send(failure(nullptr, {kParseError, item.text}));
      case Item::Kind::checked: return checked(item.text);
      case Item::Kind::end: done_ = true; return;
      case Item::Kind::nothing: return;
    }
  }

  void send(const Json& message) { write_message(out_, message); }

  // ----------------------------------------------------------------------------------------------------- messages

  void receive(const Item& item) {
    const Json& message = item.message;
    const bool has_id = message.is_object() && message.contains("id");
    const Json id = has_id ? message.at("id") : Json();
    if (!message.is_object()) return send(failure(nullptr, {kInvalidRequest, "a message is an object"}));
    if (!message.contains("method")) {
      // An answer to a request of ours; there is nothing to do with it.
      if (!message.contains("result") && !message.contains("error"))
        send(failure(id, {kInvalidRequest, "a message without a method"}));
      return;
    }
    if (!message.at("method").is_string() || (has_id && !id.is_number_integer() && !id.is_string() && !id.is_null()))
      return send(failure(nullptr, {kInvalidRequest, "a method is a text, an id a number or a text"}));
    const std::string method = message.at("method").get<std::string>();
    const Json params = message.contains("params") ? message.at("params") : Json::object();
    if (item.cancelled) return send(failure(id, {kRequestCancelled, "cancelled"}));
    try {
      if (has_id) {
        send(response(id, answer(method, params)));
        if (method == "initialize") initialized_ = true;
      } else {
        notice(method, params);
      }
    } catch (const Refusal& refusal) {
      if (has_id) send(failure(id, refusal));
    } catch (const Json::exception& error) {
      if (has_id) send(failure(id, {kInvalidParams, error.what()}));
    } catch (const std::exception& error) {
      if (has_id) send(failure(id, {kInternalFault, error.what()}));
    }
  }

  Json answer(const std::string& method, const Json& params) {
    if (method == "initialize") {
      if (initialized_) throw Refusal{kInvalidRequest, "initialize comes once"};
      return initialize(params);
    }
    if (!initialized_) throw Refusal{kServerNotInitialized, "initialize comes first"};
    if (shut_down_) throw Refusal{kInvalidRequest, "after shutdown there is nothing but exit"};
    if (method == "shutdown") {
      shut_down_ = true;
      return nullptr;
    }
    const auto all = features();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Feature& f) { return f.method == method; });
    if (found == all.end()) throw Refusal{kMethodNotFound, "there is no method " + method};
    return found->answer(session_, params);
  }

  void notice(const std::string& method, const Json& params) {
    if (method == "exit") {
      done_ = true;
      return;
    }
    if (!initialized_ || shut_down_) return;
    if (method == "initialized") return watch_files();
    if (method == "textDocument/didOpen") return open(params.at("textDocument"));
    if (method == "textDocument/didChange") return change(params);
    if (method == "textDocument/didClose") return close(params.at("textDocument").at("uri").get<std::string>());
    if (method == "textDocument/didSave" || method == "workspace/didChangeWatchedFiles") check_all();
  }

  // ---------------------------------------------------------------------------------------------------- lifecycle

  void note_folder(const Json& uri) {
    if (!uri.is_string()) return;
    if (const auto path = path_of_uri(uri.get<std::string>())) session_.folders.push_back(*path);
  }

  Json initialize(const Json& params) {
    const auto ability = [&](const char* pointer) -> Json {
      const Json::json_pointer at(std::string("/capabilities/") + pointer);
      return params.contains(at) ? params.at(at) : Json();
    };
    const auto can = [&](const char* pointer) { return ability(pointer) == Json(true); };
    const auto offers = [&](const char* pointer, const char* word) {
      const Json list = ability(pointer);
      return list.is_array() && std::find(list.begin(), list.end(), word) != list.end();
    };
    if (offers("general/positionEncodings", "utf-8")) session_.encoding = Encoding::utf8;
    session_.client.markdown = offers("textDocument/hover/contentFormat", "markdown");
    session_.client.nested_symbols = can("textDocument/documentSymbol/hierarchicalDocumentSymbolSupport");
    session_.client.related_information = can("textDocument/publishDiagnostics/relatedInformation");
    if (params.is_object()) {
      for (const Json& folder : params.value("workspaceFolders", Json())) {
        if (folder.is_object()) note_folder(folder.value("uri", Json()));
      }
      if (session_.folders.empty()) note_folder(params.value("rootUri", Json()));
    }
    session_.client.watches_files = can("workspace/didChangeWatchedFiles/dynamicRegistration");
    Json capabilities{{"positionEncoding", session_.encoding == Encoding::utf8 ? "utf-8" : "utf-16"},
                      {"textDocumentSync", {{"openClose", true}, {"change", 2}, {"save", true}}}};
    for (const Feature& feature : features()) {
      if (!feature.capability.empty()) capabilities[std::string(feature.capability)] = feature.options();
    }
    return {{"capabilities", std::move(capabilities)}, {"serverInfo", {{"name", "nsmc"}, {"version", NSMC_VERSION}}}};
  }

  // Imports may be changed by others.
  void watch_files() {
    if (!session_.client.watches_files) return;
    const Json watchers = Json::array({{{"globPattern", "**/*.nsm"}}});
    const Json registration{{"id", "nsmc-files"},
                            {"method", "workspace/didChangeWatchedFiles"},
                            {"registerOptions", {{"watchers", watchers}}}};
    send({{"jsonrpc", "2.0"},
          {"id", "nsmc-register"},
          {"method", "client/registerCapability"},
          {"params", {{"registrations", Json::array({registration})}}}});
  }

  // ---------------------------------------------------------------------------------------------------- documents

  void open(const Json& item) {
    const std::string uri = item.at("uri").get<std::string>();
    if (const Document* before = session_.documents.find(uri)) close(before->uri);
    const Document& document =
        session_.documents.open(uri, item.at("text").get<std::string>(), item.value("version", Json()));
    check(document);
    check_importers(document.path);
  }

  void change(const Json& params) {
    const Json& item = params.at("textDocument");
    const Document* document = session_.documents.change(item.at("uri").get<std::string>(), params.at("contentChanges"),
                                                         item.value("version", Json()), session_.encoding);
    if (document == nullptr) return;
    check(*document);
    check_importers(document->path);
  }

  void close(const std::string& uri) {
    const Document* document = session_.documents.find(uri);
    if (document == nullptr) return;
    const std::string path = document->path;
    session_.documents.close(uri);
    session_.checker->forget(path);
    waiting_.erase(path);
    publisher_.forget(session_, path);
    check_importers(path);  // the file on the disk may be another text
  }

  void check(const Document& document) {
    session_.checker->submit({document.path, document.stamp, document.text, session_.overlay()});
  }

  // The same text, which imports another one now.
  void check_again(const std::string& uri) { check(session_.documents.touch(uri)); }

  void check_importers(const std::string& path) {
    const std::string canonical = canonical_path(path);
    for (const auto& [uri, document] : session_.documents.all()) {
      const auto names = session_.checker->names(document.path);
      if (document.path != path && names != nullptr && names->imports.contains(canonical)) check_again(uri);
    }
  }

  void check_all() {
    for (const auto& [uri, document] : session_.documents.all()) check_again(uri);
  }

  // -------------------------------------------------------------------------------------------------- diagnostics

  void checked(const std::string& path) {
    const auto names = session_.checker->names(path);
    if (names == nullptr || session_.documents.find_path(path) == nullptr) return;
    const auto equations = session_.checker->equations(path);
    if (names->names.ok && (equations == nullptr || equations->stamp != names->stamp)) {
      waiting_.try_emplace(path, Clock::now() + kEquationsMayTake);
      return;
    }
    publish(path);
  }

  void publish(const std::string& path) {
    waiting_.erase(path);
    publisher_.update(session_, path);
    // What this model imports belongs to it now.
    const auto names = session_.checker->names(path);
    for (const auto& [uri, document] : session_.documents.all()) {
      if (names != nullptr && document.path != path && names->imports.contains(canonical_path(document.path)))
        publisher_.update(session_, document.path);
    }
  }

  void publish_late() {
    const auto now = Clock::now();
    for (auto at = waiting_.begin(); at != waiting_.end();) {
      const std::string path = at->first;
      if (at->second > now) {
        ++at;
        continue;
      }
      at = waiting_.erase(at);
      publisher_.update(session_, path);
    }
  }

  std::chrono::milliseconds patience() const {
    if (waiting_.empty()) return std::chrono::hours(1);
    const auto first = std::min_element(waiting_.begin(), waiting_.end(),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(first->second - Clock::now());
    return std::max(left + std::chrono::milliseconds(1), std::chrono::milliseconds(0));
  }

  std::ostream& out_;
  const Options& options_;
  Session session_;
  Publisher publisher_;
  std::map<std::string, Clock::time_point> waiting_;  // for equations, by path, until when
  bool initialized_ = false, shut_down_ = false, done_ = false;
};

// Until the end of the stream, or until exit: what comes after it is not for this server.
void read_all(std::istream& in, Inbox& inbox) {
  while (std::optional<Incoming> incoming = read_message(in)) {
    if (!incoming->message) {
      inbox.put({Item::Kind::unreadable, {}, incoming->trouble, false});
      continue;
    }
    const Json& message = *incoming->message;
    const bool last = message.is_object() && message.contains("method") && message.at("method") == "exit";
    inbox.put({Item::Kind::message, std::move(*incoming->message), {}, false});
    if (last) return;
  }
  inbox.put({Item::Kind::end, {}, {}, false});
}

}  // namespace

int serve(std::istream& in, std::ostream& out, const Options& options) {
  Inbox inbox;
  std::thread reader([&] { read_all(in, inbox); });
  Server server(out, options);
  const int code = server.run(inbox);
  reader.join();
  // A derivation cannot be stopped, and nobody waits for it any more.
  if (server.is_deriving()) std::_Exit(code);
  return code;
}

}  // namespace nsmc::lsp
