#include "compiler/lsp/inbox.hpp"

#include <algorithm>

namespace nsmc::lsp {
namespace {

bool is_cancellation(const Item& item) {
  if (item.kind != Item::Kind::message || !item.message.is_object()) return false;
  const auto method = item.message.find("method"), params = item.message.find("params");
  return method != item.message.end() && *method == "$/cancelRequest" && params != item.message.end() &&
         params->is_object() && params->contains("id");
}

}  // namespace

void Inbox::put(Item item) {
  {
    const std::lock_guard lock(mutex_);
    if (is_cancellation(item)) {
      cancel(item.message.at("params").at("id"));
      return;
    }
    // Two pieces of news of one text are one.
    const bool known = item.kind == Item::Kind::checked &&
                       std::any_of(items_.begin(), items_.end(),
                                   [&](const Item& i) { return i.kind == Item::Kind::checked && i.text == item.text; });
    if (known) return;
    items_.push_back(std::move(item));
  }
  changed_.notify_one();
}

void Inbox::cancel(const Json& id) {
  for (Item& item : items_) {
    const bool request =
        item.kind == Item::Kind::message && item.message.is_object() && item.message.contains("method");
    if (request && item.message.contains("id") && item.message.at("id") == id) item.cancelled = true;
  }
}

Item Inbox::take(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, patience, [&] { return !items_.empty(); });
  if (items_.empty()) return {};
  Item item = std::move(items_.front());
  items_.pop_front();
  return item;
}

}  // namespace nsmc::lsp
