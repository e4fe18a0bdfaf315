#include "compiler/driver/studio/guard.hpp"

#include <fmt/core.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace nsmc::studio {

namespace fs = std::filesystem;

namespace {

// Takes the same time wherever the texts differ.
bool same_secret(const std::string& a, const std::string& b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned char>(a[i] ^ b[i]);
  return difference == 0;
}

bool is_below(const fs::path& path, const fs::path& root) {
  return std::mismatch(root.begin(), root.end(), path.begin(), path.end()).first == root.end();
}

}  // namespace

std::string make_token() {
  std::array<unsigned char, 16> bits{};
  if (getrandom(bits.data(), bits.size(), 0) != static_cast<ssize_t>(bits.size()))
    throw std::runtime_error("the system gives no random numbers");
  std::string token;
  for (const unsigned char byte : bits) token += fmt::format("{:02x}", byte);
  return token;
}

std::string Guard::address() const { return fmt::format("http://127.0.0.1:{}/?token={}", port_, token_); }

bool Guard::admits(const std::string& host, const std::string& origin, const std::string& token) const {
  const std::string here = fmt::format("127.0.0.1:{}", port_), by_name = fmt::format("localhost:{}", port_);
  if (host != here && host != by_name) return false;
  if (!origin.empty() && origin != "http://" + here && origin != "http://" + by_name) return false;
  return same_secret(token, token_);
}

std::optional<fs::path> Folder::model(const std::string& name) const {
  const fs::path relative(name);
  if (name.empty() || relative.is_absolute() || relative.extension() != ".nsm") return std::nullopt;
  if (name.find('\0') != std::string::npos) return std::nullopt;
  for (const fs::path& part : relative) {
    if (part.empty() || part.string().starts_with(".")) return std::nullopt;
  }
  std::error_code error;
  const fs::path path = fs::weakly_canonical(root_ / relative, error);
  if (error || !is_below(path, root_)) return std::nullopt;
  const fs::file_status status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) return std::nullopt;
  return path;
}

std::vector<std::string> Folder::models(std::size_t most) const {
  std::vector<std::string> names;
  std::error_code error;
  auto entry = fs::recursive_directory_iterator(root_, fs::directory_options::skip_permission_denied, error);
  for (std::size_t looked_at = 0; !error && entry != fs::recursive_directory_iterator() && looked_at < 20 * most;
       entry.increment(error), ++looked_at) {
    const bool hidden = entry->path().filename().string().starts_with(".");
    if (entry->is_directory(error) && (hidden || entry.depth() > 4)) entry.disable_recursion_pending();
    if (hidden || entry->is_symlink(error) || !entry->is_regular_file(error)) continue;
    if (entry->path().extension() != ".nsm" || names.size() == most) continue;
    names.push_back(entry->path().lexically_relative(root_).generic_string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace nsmc::studio
