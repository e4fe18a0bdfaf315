// The matrix of pairs of shapes that can touch: one row for each way to touch, with the function that gives gap, normal
// and contact points, and the points where the pair may touch. What check accepts, the list in its messages and the
// table in docs/language.md come from it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "compiler/model/shape_kinds.hpp"
#include "compiler/model/typed_model.hpp"

namespace nsmc {

class PlacedShape;
struct ShapeInfo;

// The numbers that tell the points of a pair apart, one list for each point: {sx, sy, sz} of a corner.
using ContactPoints = std::vector<std::vector<double>>;

struct ShapePairRow {
  std::uint32_t dim = 3;                 // of the space
  std::vector<ShapeKind> first, second;  // each of the first kinds on each of the second
  // [gap, n, p1, p2] with the normal n from the second shape to the first, for the point with these numbers; nothing
  // after a report.
  std::optional<NodeId> (*geometry)(PlacedShape& a, PlacedShape& b, const std::vector<NodeId>& point) = nullptr;
  ContactPoints (*points)(const ShapeInfo& a, const ShapeInfo& b) = nullptr;  // null: one, without numbers
};

std::span<const ShapePairRow> shape_pairs();
// The row in which `a` stands first and `b` second; null if there is none.
const ShapePairRow* find_pair(ShapeKind a, ShapeKind b, std::uint32_t dim);

// Kinds that may touch the same others.
struct PairGroup {
  std::uint32_t dim = 3;
  std::vector<std::string> first, second;
};
std::vector<PairGroup> pair_groups();
// "in space: sphere or point on plane, ...; in the plane: ..."
std::string supported_pairs();

}  // namespace nsmc
