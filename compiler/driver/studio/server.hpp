// The studio as a server on 127.0.0.1: requests in, answers of a Session out, none without the token.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "compiler/driver/studio/session.hpp"

namespace nsmc::studio {

struct ServerOptions {
  int port = 0;                             // 0: any that is free
  std::string page, view;                   // the HTML of the studio, and of the frame in which it shows runs
  const std::atomic<bool>* stop = nullptr;  // set from outside, ends the server; never null
  std::function<void(const std::string& address)> ready;  // once it listens
};

// Serves until *stop. Throws FileError if the port cannot be had.
void serve(Session& session, const ServerOptions& options);

}  // namespace nsmc::studio
