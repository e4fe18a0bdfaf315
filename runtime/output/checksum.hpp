// FNV-1a: finds a text that was cut short or has a wrong bit, not one that was forged.
#pragma once

#include <cstdint>
#include <string_view>

namespace nsmc::rt {

inline std::uint64_t checksum_of(std::string_view text) {
  std::uint64_t sum = 0xcbf29ce484222325;
  for (const char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return sum;
}

}  // namespace nsmc::rt
