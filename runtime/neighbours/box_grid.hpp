// Which of many boxes are near a given one, in time that does not grow with their number.
//
// A grid for each size: a box lies in the cell of its centre, in the grid whose cells are as large as the box or up to
// twice that. What is asked for is compared with the boxes of few cells in every grid, whatever the sizes of the boxes:
// a grain beside a boulder meets the few cells of the boulders' grid, and the boulder the cells of grains that it
// covers. Cells are found by a hash table, so that the extent of the scene does not matter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nsmc::rt::neighbours {

// A centre, how far it reaches from there along the axes and at all, and how far it may move until it is looked for
// anew.
struct Box {
  double centre[3] = {0, 0, 0}, reach[3] = {0, 0, 0}, radius = 0, margin = 0;
};

inline bool near(const Box& a, const Box& b) {
  const double margin = a.margin + b.margin;
  double square = 0;
  for (int k = 0; k < 3; ++k) {
    const double d = a.centre[k] - b.centre[k];
    const double reach = a.reach[k] + b.reach[k] + margin;
    if (!(d <= reach && -d <= reach)) return false;
    square += d * d;
  }
  const double radius = a.radius + b.radius + margin;
  return square <= radius * radius;
}

class BoxGrid {
 public:
  // The boxes outlive the grid.
  explicit BoxGrid(const std::vector<Box>& boxes);

  // The numbers of all boxes that are near this one, appended to `found` in no particular order.
  void find(const Box& box, std::vector<std::uint32_t>& found) const;

 private:
  struct Level {
    double cell = 1;                         // the length of its edges
    std::vector<std::uint32_t> members;      // boxes, cell after cell
    std::vector<std::uint64_t> keys;         // hash table: of cells,
    std::vector<std::uint32_t> first, last;  // and where their members stand
    std::size_t find_slot(std::uint64_t key) const;
  };
  void find_in(const Level& level, const Box& box, std::vector<std::uint32_t>& found) const;

  const std::vector<Box>& boxes_;
  std::vector<Level> levels_;
};

}  // namespace nsmc::rt::neighbours
