#include <fmt/core.h>

#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>

#include "compiler/api/model_impl.hpp"
#include "nsmc/errors.hpp"
#include "nsmc/model.hpp"

namespace nsmc {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

// Empty: nowhere. The rules of XDG say that a path which is not absolute is to be ignored.
std::string place() {
  if (const std::string_view chosen = variable("NSMC_CACHE_DIR"); !chosen.empty()) return std::string(chosen);
  if (const std::string_view caches = variable("XDG_CACHE_HOME"); caches.starts_with('/')) {
    return fmt::format("{}/nsmc", caches);
  }
  const std::string_view home = variable("HOME");
  return home.starts_with('/') ? fmt::format("{}/.cache/nsmc", home) : std::string();
}

std::uint64_t bound() {
  const std::string_view text = variable("NSMC_CACHE_MB");
  if (text.empty()) return Cache().bytes;
  std::uint32_t megabytes = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), megabytes);
  if (error != std::errc{} || end != text.data() + text.size()) {
    throw SettingError(
        "NSMC_CACHE_MB",
        fmt::format("NSMC_CACHE_MB is '{}', expected a whole number: the size of the cache in MB", text));
  }
  return static_cast<std::uint64_t>(megabytes) << 20;
}

}  // namespace

Cache cache_of_environment() { return {place(), bound()}; }

std::optional<KernelCache> kernel_cache(const Cache& cache) {
  if (cache.directory.empty() || cache.bytes == 0) return std::nullopt;
  return KernelCache(cache.directory, cache.bytes);
}

}  // namespace nsmc
