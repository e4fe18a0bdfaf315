// Messages of the protocol on streams: a header with Content-Length, an empty line, JSON. What cannot be read is
// reported and left out; reading goes on with the next header.
#pragma once

#include <istream>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>

namespace nsmc::lsp {

using Json = nlohmann::json;

struct Incoming {
  std::optional<Json> message;  // absent: it cannot be read,
  std::string trouble;          // for this reason
};

// The next message; nothing at the end of the stream.
std::optional<Incoming> read_message(std::istream& in);
void write_message(std::ostream& out, const Json& message);

enum ErrorCode : int {
  kParseError = -32700,
  kInvalidRequest = -32600,
  kMethodNotFound = -32601,
  kInvalidParams = -32602,
  kInternalFault = -32603,
  kServerNotInitialized = -32002,
  kRequestFailed = -32803,
  kContentModified = -32801,
  kRequestCancelled = -32800,
};

// The answer to a request that cannot be met.
struct Refusal {
  int code;
  std::string message;
};

Json response(const Json& id, Json result);
Json failure(const Json& id, const Refusal& refusal);
Json notification(const std::string& method, Json params);

}  // namespace nsmc::lsp
