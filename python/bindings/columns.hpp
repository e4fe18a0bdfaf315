// Which columns a name means: one, or all components of a vector side by side.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace nsmc::python {

struct ColumnRange {
  std::size_t first = 0, count = 1;
  bool vector = false;
};

// "z"; "top.position" for top.position[1] ... top.position[3].
inline std::optional<ColumnRange> find_columns(const std::vector<std::string>& names, const std::string& name) {
  ColumnRange found{0, 0, true};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& other = names[i];
    if (other == name) return ColumnRange{i, 1, false};
    const bool component = other.size() > name.size() + 2 && other.starts_with(name) && other[name.size()] == '[' &&
                           other.find_first_not_of("0123456789", name.size() + 1) == other.size() - 1 &&
                           other.back() == ']';
    if (!component) continue;
    if (found.count > 0 && found.first + found.count != i) return std::nullopt;  // not side by side
    if (found.count++ == 0) found.first = i;
  }
  if (found.count == 0) return std::nullopt;
  return found;
}

}  // namespace nsmc::python
