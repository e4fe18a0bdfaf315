#include "runtime/neighbours/box_grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace nsmc::rt::neighbours {

namespace {

constexpr std::uint64_t no_key = std::numeric_limits<std::uint64_t>::max();
constexpr double most_cells = 1 << 20;  // from the origin along an axis; what is farther shares the last cell

// Monotonous, so that what lies between two places lies between their cells.
std::int64_t cell_of(double x, double cell) {
  const double c = std::floor(x / cell);
  return static_cast<std::int64_t>(std::isnan(c) ? most_cells : std::clamp(c, -most_cells, most_cells));
}

std::uint64_t key_of(const std::int64_t (&c)[3]) {
  std::uint64_t key = 0;
  for (const std::int64_t x : c) key = key << 21U | (static_cast<std::uint64_t>(x + (1 << 20)) & 0x1fffffU);
  return key;
}

std::uint64_t mixed(std::uint64_t x) {
  x ^= x >> 32U;
  x *= 0x9e3779b97f4a7c15U;
  return x ^ x >> 29U;
}

double size_of(const Box& box) { return 2 * (std::max({box.reach[0], box.reach[1], box.reach[2], 0.0}) + box.margin); }

}  // namespace

std::size_t BoxGrid::Level::find_slot(std::uint64_t key) const {
  std::size_t slot = mixed(key) & (keys.size() - 1);
  while (keys[slot] != key && keys[slot] != no_key) slot = (slot + 1) & (keys.size() - 1);
  return slot;
}

BoxGrid::BoxGrid(const std::vector<Box>& boxes) : boxes_(boxes) {
  std::map<int, std::vector<std::pair<std::uint64_t, std::uint32_t>>> by_size;
  for (std::uint32_t i = 0; i < boxes.size(); ++i) {
    const double size = size_of(boxes[i]);
    const int level = std::isfinite(size) && size > 0 ? std::ilogb(size) + 1 : std::numeric_limits<int>::min();
    by_size[level].emplace_back(0, i);
  }
  for (auto& [size, members] : by_size) {
    Level& level = levels_.emplace_back();
    level.cell = size == std::numeric_limits<int>::min() ? 1 : std::ldexp(1.0, size);
    for (auto& [key, i] : members) {
      std::int64_t c[3];
      for (int k = 0; k < 3; ++k) c[k] = cell_of(boxes[i].centre[k], level.cell);
      key = key_of(c);
    }
    std::sort(members.begin(), members.end());
    std::size_t capacity = 2;
    while (capacity < 2 * members.size()) capacity *= 2;
    level.keys.assign(capacity, no_key);
    level.first.assign(capacity, 0);
    level.last.assign(capacity, 0);
    for (const auto& [key, i] : members) {
      const std::size_t slot = level.find_slot(key);
      if (level.keys[slot] == no_key) {
        level.keys[slot] = key;
        level.first[slot] = level.last[slot] = static_cast<std::uint32_t>(level.members.size());
      }
      level.members.push_back(i);
      ++level.last[slot];
    }
  }
}

void BoxGrid::find_in(const Level& level, const Box& box, std::vector<std::uint32_t>& found) const {
  // The centres of those that are near lie at most half a cell beyond the box.
  std::int64_t low[3], high[3];
  double cells = 1;
  for (int k = 0; k < 3; ++k) {
    const double reach = box.reach[k] + box.margin + level.cell / 2;
    low[k] = cell_of(box.centre[k] - reach, level.cell);
    high[k] = cell_of(box.centre[k] + reach, level.cell);
    cells *= static_cast<double>(high[k] - low[k] + 1);
  }
  const auto look = [&](std::uint32_t i) {
    if (near(box, boxes_[i])) found.push_back(i);
  };
  if (!(cells < static_cast<double>(level.members.size()))) {
    for (const std::uint32_t i : level.members) look(i);
    return;
  }
  std::int64_t c[3];
  for (c[0] = low[0]; c[0] <= high[0]; ++c[0]) {
    for (c[1] = low[1]; c[1] <= high[1]; ++c[1]) {
      for (c[2] = low[2]; c[2] <= high[2]; ++c[2]) {
        const std::size_t slot = level.find_slot(key_of(c));
        for (std::uint32_t n = level.first[slot]; n < level.last[slot]; ++n) look(level.members[n]);
      }
    }
  }
}

void BoxGrid::find(const Box& box, std::vector<std::uint32_t>& found) const {
  for (const Level& level : levels_) find_in(level, box, found);
}

}  // namespace nsmc::rt::neighbours
