#include "compiler/lsp/uris.hpp"

#include <cctype>
#include <filesystem>
#include <string_view>

namespace nsmc::lsp {
namespace {

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const int lower = std::tolower(static_cast<unsigned char>(c));
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

}  // namespace

std::optional<std::string> path_of_uri(const std::string& uri) {
  constexpr std::string_view kScheme = "file://";
  if (!uri.starts_with(kScheme)) return std::nullopt;
  const std::size_t slash = uri.find('/', kScheme.size());  // behind the name of a host, which is this one
  if (slash == uri.npos) return std::nullopt;
  std::string path;
  for (std::size_t i = slash; i < uri.size(); ++i) {
    if (uri[i] != '%') {
      path += uri[i];
      continue;
    }
    const int high = i + 2 < uri.size() ? digit(uri[i + 1]) : -1, low = high >= 0 ? digit(uri[i + 2]) : -1;
    if (low < 0 || high * 16 + low == 0) return std::nullopt;
    path += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return path;
}

std::string uri_of_path(const std::string& path) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string uri = "file://";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = std::isalnum(byte) != 0 || std::string_view("/-._~").find(c) != std::string_view::npos;
    if (plain && byte < 0x80) {
      uri += c;
    } else {
      uri += {'%', kDigits[byte >> 4U], kDigits[byte & 15U]};
    }
  }
  return uri;
}

std::string canonical_path(const std::string& path) {
  std::error_code error;
  const std::filesystem::path found = std::filesystem::weakly_canonical(path, error);
  return error ? std::filesystem::path(path).lexically_normal().string() : found.string();
}

}  // namespace nsmc::lsp
