// What the server has to do, in order: messages of the client, which a thread of its own reads, and news of the
// checker. A request that is cancelled while it waits here is not done.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>

#include "compiler/lsp/messages.hpp"

namespace nsmc::lsp {

struct Item {
  enum class Kind { message, unreadable, checked, nothing, end };
  Kind kind = Kind::nothing;
  Json message{};      // of Kind::message
  std::string text{};  // the reason why it is unreadable; the path that was checked
  bool cancelled = false;
};

class Inbox {
 public:
  void put(Item item);
  // The next one; Kind::nothing if none comes in time.
  Item take(std::chrono::milliseconds patience);

 private:
  void cancel(const Json& id);  // under the mutex

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> items_;
};

}  // namespace nsmc::lsp
