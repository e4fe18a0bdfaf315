#include "compiler/lsp/messages.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <string>

#include "compiler/lsp/inbox.hpp"

namespace nsmc::lsp {
namespace {

std::string framed(const std::string& body) {
  return "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

TEST_CASE("messages are read one after the other") {
  std::stringstream stream(framed(R"({"id":1})") + "content-length:8\nContent-Type: x\n\n" + R"({"id":2})");
  CHECK(read_message(stream)->message->at("id") == 1);
  CHECK(read_message(stream)->message->at("id") == 2);
  CHECK_FALSE(read_message(stream).has_value());
}

TEST_CASE("what cannot be read is told, and the next message is read") {
  for (const std::string broken :
       {"Content-Length: no\r\n\r\n", "Content-Length: -3\r\n\r\n", "Nonsense\r\n\r\n", "Content-Length: 4 4\r\n\r\n",
        "Content-Length: 3\r\n\r\n{x}", "Content-Length: 2\r\n\r\n\xFF\xFE"}) {
    std::stringstream stream(broken + framed(R"({"id":7})"));
    const auto first = read_message(stream);
    REQUIRE(first.has_value());
    CHECK_FALSE(first->message.has_value());
    CHECK_FALSE(first->trouble.empty());
    const auto second = read_message(stream);
    REQUIRE(second.has_value());
    REQUIRE(second->message.has_value());
    CHECK(second->message->at("id") == 7);
  }
}

TEST_CASE("a message that is cut off is the end") {
  std::stringstream stream("Content-Length: 100\r\n\r\n{}");
  CHECK_FALSE(read_message(stream).has_value());
}

TEST_CASE("what is written can be read") {
  std::stringstream stream;
  write_message(stream, {{"text", "ω\n"}});
  write_message(stream, {{"text", "\xFF"}});  // no UTF-8: replaced
  CHECK(read_message(stream)->message->at("text") == "ω\n");
  CHECK(read_message(stream)->message->at("text") == "\uFFFD");
}

TEST_CASE("a request that waits can be cancelled") {
  Inbox inbox;
  const auto put = [&](Json message) { inbox.put({Item::Kind::message, std::move(message), {}, false}); };
  put({{"id", 1}, {"method", "a"}});
  put({{"id", "1"}, {"method", "b"}});
  put({{"method", "$/cancelRequest"}, {"params", {{"id", 1}}}});
  put({{"method", "$/cancelRequest"}, {"params", {{"id", 77}}}});
  const auto next = [&] { return inbox.take(std::chrono::milliseconds(0)); };
  CHECK(next().cancelled);
  CHECK_FALSE(next().cancelled);
  CHECK(next().kind == Item::Kind::nothing);
}

TEST_CASE("news of one text come once") {
  Inbox inbox;
  for (const char* path : {"a", "b", "a"}) inbox.put({Item::Kind::checked, {}, path, false});
  CHECK(inbox.take(std::chrono::milliseconds(0)).text == "a");
  CHECK(inbox.take(std::chrono::milliseconds(0)).text == "b");
  CHECK(inbox.take(std::chrono::milliseconds(0)).kind == Item::Kind::nothing);
}

}  // namespace
}  // namespace nsmc::lsp
