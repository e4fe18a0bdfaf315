// What a declaration stands for: one thing, or one for each index of an array. Nothing is ever written out n times:
// the instances of a declaration share its expressions and differ in a few numbers, their `self`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nsmc {

struct IndexBounds {
  std::int64_t first = 1, last = 0;
  std::size_t count() const { return last < first ? 0 : static_cast<std::size_t>(last - first + 1); }
  friend bool operator==(const IndexBounds&, const IndexBounds&) = default;
};

// self = (the indices, then the numbers of the point).
struct Instances {
  std::vector<IndexBounds> indices;         // none: a single thing; one; or two
  bool pairs = false;                       // two indices of one range, the first smaller than the second
  std::vector<std::vector<double>> points;  // each index once for each of these, the corners of a box; empty: once

  bool single() const { return indices.empty() && points.empty(); }
  std::size_t count() const;
  std::size_t self_size() const { return indices.size() + (points.empty() ? 0 : points.front().size()); }
  std::vector<double> self(std::size_t k) const;
  // The (first) instance with these indices, and a point number after them if there are points.
  std::optional<std::size_t> find(const std::vector<std::int64_t>& wanted) const;
  // "", "[3]", "[2,5]"; points count from 1 after the indices.
  std::string suffix(std::size_t k) const;

 private:
  std::vector<std::int64_t> index(std::size_t k) const;
};

// A name with a place for the index, "bead@.x", for one of the instances: "bead[3].x".
std::string with_index(const std::string& pattern, const std::string& suffix);

}  // namespace nsmc
