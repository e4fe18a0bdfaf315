// Machine code of earlier runs, as files in a directory of the user. An entry is found by a key that says everything
// the code depends on, so it is never out of date; it is only thrown away, the least recently used first, when the
// directory grows beyond its bound.
//
// Processes share the directory without locks: an entry appears whole (written beside and renamed), is never changed,
// and whoever has opened it can read it to its end even if it is removed meanwhile. Nothing here fails: what cannot be
// read, is damaged or belongs to somebody else is not there, and what cannot be written is not kept.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nsmc {

using Digest = std::array<std::uint8_t, 32>;
Digest digest(std::string_view bytes);  // BLAKE3

class KernelCache {
 public:
  static constexpr std::uint64_t default_bytes = 256ULL << 20;

  // `directory` is made when the first entry is written. All entries together take `bound` bytes at most.
  explicit KernelCache(std::string directory, std::uint64_t bound = default_bytes);

  std::optional<std::string> load(const Digest& key) const;  // and marks the entry as used
  void store(const Digest& key, std::string_view code) const;

  const std::string& directory() const { return directory_; }

 private:
  void keep_bound() const;

  std::string directory_;
  std::uint64_t bound_;
};

}  // namespace nsmc
