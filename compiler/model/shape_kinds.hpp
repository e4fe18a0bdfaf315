// The kinds of shapes: one row for each, with its arguments and the room it lives in. What check accepts, what its
// messages list and what docs/language.md tells come from this table.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nsmc {

enum class ShapeKind : std::uint8_t {
  sphere,
  circle,
  polygon,
  polyhedron,
  box,
  capsule,
  cylinder,
  disc,
  ellipsoid,
  point,
  plane
};

// The dimensions of the space that a kind of shape lives in.
enum class ShapeRoom : std::uint8_t { plane, space, both };

struct ShapeKindRow {
  ShapeKind kind{};
  const char* name = "";
  ShapeRoom room{};
  std::vector<std::string>
      options;  // the names of its arguments; those of polygons and polyhedra are corners, without names
  const char* told_by = nullptr;  // of a kind in both rooms: the argument with as many components as the room
};

std::span<const ShapeKindRow> shape_kinds();  // in the order of ShapeKind
const ShapeKindRow* find_shape_kind(std::string_view name);
const ShapeKindRow& row_of(ShapeKind kind);
inline const char* name_of(ShapeKind kind) { return row_of(kind).name; }

// "circle, polygon, box with a size of 2, point and plane"
std::string shapes_in(std::uint32_t dim);

}  // namespace nsmc
