#include "compiler/lsp/messages.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace nsmc::lsp {
namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 20;
constexpr std::size_t kLongestHeader = 4096;

// Without its end; at most so long, the rest is dropped.
bool read_line(std::istream& in, std::string& line) {
  line.clear();
  int c = in.get();
  if (c == std::istream::traits_type::eof()) return false;
  for (; c != std::istream::traits_type::eof() && c != '\n'; c = in.get()) {
    if (line.size() < kLongestHeader) line += static_cast<char>(c);
  }
  if (line.ends_with('\r')) line.pop_back();
  return true;
}

std::optional<std::size_t> content_length(const std::string& line) {
  static constexpr std::string_view kName = "content-length:";
  if (line.size() < kName.size()) return std::nullopt;
  for (std::size_t i = 0; i < kName.size(); ++i) {
    if (std::tolower(static_cast<unsigned char>(line[i])) != kName[i]) return std::nullopt;
  }
  const std::size_t first = line.find_first_not_of(" \t", kName.size());
  if (first == line.npos) return std::nullopt;
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(line.data() + first, line.data() + line.size(), length);
  if (error != std::errc() || line.find_first_not_of(" \t", static_cast<std::size_t>(end - line.data())) != line.npos)
    return std::nullopt;
  return length;
}

}  // namespace

std::optional<Incoming> read_message(std::istream& in) {
  std::string line;
  std::optional<std::size_t> length;
  bool any = false;
  while (read_line(in, line)) {
    if (line.empty()) {
      if (any) break;
      continue;  // blank lines between messages
    }
    any = true;
    if (const auto found = content_length(line)) length = found;
  }
  if (!any) return std::nullopt;
  if (!length) return Incoming{std::nullopt, "a message without Content-Length"};
  if (*length > kMostBytes) {
    in.ignore(static_cast<std::streamsize>(std::min<std::size_t>(*length, std::size_t{1} << 40)));
    return Incoming{std::nullopt, "a message of more than 64 MiB"};
  }
  std::string body(*length, '\0');
  in.read(body.data(), static_cast<std::streamsize>(body.size()));
  if (static_cast<std::size_t>(in.gcount()) != body.size()) return std::nullopt;  // the client is gone
  Json message = Json::parse(body, nullptr, false);
  if (message.is_discarded()) return Incoming{std::nullopt, "a message that is not JSON"};
  return Incoming{std::move(message), ""};
}

void write_message(std::ostream& out, const Json& message) {
  const std::string body = message.dump(-1, ' ', false, Json::error_handler_t::replace);
  out << "Content-Length: " << body.size() << "\r\n\r\n" << body;
  out.flush();
}

Json response(const Json& id, Json result) { return {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}}; }

Json failure(const Json& id, const Refusal& refusal) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", refusal.code}, {"message", refusal.message}}}};
}

Json notification(const std::string& method, Json params) {
  return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}

}  // namespace nsmc::lsp
