#include "compiler/model/shape_kinds.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "compiler/support/diagnostics.hpp"
#include "compiler/support/internal_check.hpp"

namespace nsmc {

std::span<const ShapeKindRow> shape_kinds() {
  static const std::vector<ShapeKindRow> kKinds{
      {ShapeKind::sphere, "sphere", ShapeRoom::space, {"radius"}},
      {ShapeKind::circle, "circle", ShapeRoom::plane, {"radius"}},
      {ShapeKind::polygon, "polygon", ShapeRoom::plane, {}},
      {ShapeKind::polyhedron, "polyhedron", ShapeRoom::space, {}},
      {ShapeKind::box, "box", ShapeRoom::both, {"size", "orientation"}, "size"},
      {ShapeKind::capsule, "capsule", ShapeRoom::space, {"radius", "length", "axis"}},
      {ShapeKind::cylinder, "cylinder", ShapeRoom::space, {"radius", "length", "axis"}},
      {ShapeKind::disc, "disc", ShapeRoom::space, {"radius", "axis"}},
      {ShapeKind::ellipsoid, "ellipsoid", ShapeRoom::space, {"axes", "orientation"}},
      {ShapeKind::point, "point", ShapeRoom::both, {}},
      {ShapeKind::plane, "plane", ShapeRoom::both, {"normal"}, "normal"},
  };
  return kKinds;
}

const ShapeKindRow* find_shape_kind(std::string_view name) {
  const auto kinds = shape_kinds();
  const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const auto& row) { return name == row.name; });
  return found == kinds.end() ? nullptr : &*found;
}

const ShapeKindRow& row_of(ShapeKind kind) {
  const ShapeKindRow& row = shape_kinds()[static_cast<std::size_t>(kind)];
  internal_check(row.kind == kind, "the table of shapes is not in the order of their kinds");
  return row;
}

std::string shapes_in(std::uint32_t dim) {
  std::vector<std::string> names;
  for (const ShapeKindRow& row : shape_kinds()) {
    if (row.room == (dim == 2 ? ShapeRoom::space : ShapeRoom::plane)) continue;
    const bool sized = row.told_by != nullptr && row.kind != ShapeKind::plane;
    names.push_back(sized ? fmt::format("{} with a {} of {}", row.name, row.told_by, dim) : row.name);
  }
  const std::string last = std::exchange(names.back(), "");
  names.pop_back();
  return fmt::format("{} and {}", joined(names), last);
}

}  // namespace nsmc
