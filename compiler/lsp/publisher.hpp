// Diagnostics for the client: of every file of every open model, sent when they change, and taken back when they are
// mended, also in files that are imported.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include "compiler/lsp/session.hpp"

namespace nsmc::lsp {

class Publisher {
 public:
  explicit Publisher(std::function<void(const Json& message)> send) : send_(std::move(send)) {}

  // Something new is known of the model with this first file.
  void update(const Session& session, const std::string& path);
  // It is not open any more.
  void forget(const Session& session, const std::string& path);

 private:
  void publish(const Session& session);

  std::function<void(const Json&)> send_;
  std::map<std::string, std::map<std::string, Json>> by_model_;  // first file, file: a list of diagnostics
  std::map<std::string, Json> sent_;                             // by address
};

}  // namespace nsmc::lsp
