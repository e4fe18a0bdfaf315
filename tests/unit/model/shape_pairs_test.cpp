// The tables of shapes and of their pairs: what they promise, each other, and docs/language.md.
#include "compiler/model/shape_pairs.hpp"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <fstream>

#include "check_text.hpp"

using namespace nsmc;
using nsmc::test::Checked;

namespace {

// The first two cells of the rows below the heading.
std::vector<std::pair<std::string, std::string>> documented(const std::string& heading) {
  std::ifstream file(NSMC_SOURCE_DIR "/docs/language.md");
  std::string line;
  while (std::getline(file, line) && line != heading) {
  }
  std::getline(file, line);  // |---|
  std::vector<std::pair<std::string, std::string>> rows;
  while (std::getline(file, line) && line.starts_with("| ")) {
    const std::size_t second = line.find(" | ") + 3;
    rows.emplace_back(line.substr(2, second - 5), line.substr(second, line.find(" |", second) - second));
  }
  return rows;
}

// How a shape of this kind is written.
std::string written(ShapeKind kind, std::uint32_t dim) {
  const bool flat = dim == 2;
  switch (kind) {
    case ShapeKind::sphere: return "sphere(radius = 1 [m])";
    case ShapeKind::circle: return "circle(radius = 1 [m])";
    case ShapeKind::polygon: return "polygon([0, 0] [m], [1, 0] [m], [0, 1] [m])";
    case ShapeKind::polyhedron: return "polyhedron([0, 0, 0] [m], [1, 0, 0] [m], [0, 1, 0] [m], [0, 0, 1] [m])";
    case ShapeKind::box: return flat ? "box(size = [1, 1] [m])" : "box(size = [1, 1, 1] [m])";
    case ShapeKind::capsule: return "capsule(radius = 1 [m], length = 1 [m])";
    case ShapeKind::cylinder: return "cylinder(radius = 1 [m], length = 1 [m])";
    case ShapeKind::disc: return "disc(radius = 1 [m])";
    case ShapeKind::ellipsoid: return "ellipsoid(axes = [1, 1, 1] [m])";
    case ShapeKind::point: return "point()";
    case ShapeKind::plane: return flat ? "plane(normal = [0, 1])" : "plane(normal = [0, 0, 1])";
  }
  return "";
}

std::string touching(ShapeKind a, ShapeKind b, std::uint32_t dim) {
  const std::string body =
      dim == 2 ? "planar(mass = 1 [kg], inertia = 1 [kg m^2])" : "rigid(mass = 1 [kg], inertia = [1, 1, 1] [kg m^2])";
  return fmt::format(
      "body p = {0}\nbody q = {0}\nshape a = {1} on p\nshape b = {2} on q\ncontact c = a on b {{ law unilateral }}\n",
      body, written(a, dim), written(b, dim));
}

}  // namespace

TEST_CASE("shapes: the documentation has the kinds of the table, with their arguments") {
  std::vector<std::pair<std::string, std::string>> expected;
  for (const ShapeKindRow& row : shape_kinds()) {
    const std::string arguments = row.kind == ShapeKind::polygon || row.kind == ShapeKind::polyhedron ? "(p, p, ...)"
                                  : row.options.empty()                                               ? ""
                                                        : fmt::format("({})", joined(row.options));
    expected.emplace_back(fmt::format("`{}{}`", row.name, arguments), row.room == ShapeRoom::space   ? "space"
                                                                      : row.room == ShapeRoom::plane ? "plane"
                                                                                                     : "space, plane");
  }
  CHECK(documented("| shape | in | arguments | |") == expected);
}

TEST_CASE("shapes: the documentation has the pairs of the table") {
  std::vector<std::pair<std::string, std::string>> expected;
  for (const PairGroup& group : pair_groups()) {
    expected.emplace_back(fmt::format("{}{}", joined(group.first), group.dim == 2 ? " (in the plane)" : ""),
                          fmt::format("{}", joined(group.second)));
  }
  CHECK(documented("| first or second shape | on |") == expected);
}

TEST_CASE("shapes: a pair stands in one row, and check accepts what the table has and nothing else") {
  for (const std::uint32_t dim : {2U, 3U}) {
    for (const ShapeKindRow& a : shape_kinds()) {
      for (const ShapeKindRow& b : shape_kinds()) {
        const ShapeRoom elsewhere = dim == 2 ? ShapeRoom::space : ShapeRoom::plane;
        if (a.room == elsewhere || b.room == elsewhere) continue;
        std::size_t rows = 0;
        for (const ShapePairRow& row : shape_pairs()) {
          rows += row.dim == dim ? std::count(row.first.begin(), row.first.end(), a.kind) *
                                       std::count(row.second.begin(), row.second.end(), b.kind)
                                 : 0;
        }
        CHECK_MESSAGE(rows <= 1, a.name, " on ", b.name);
        const bool supported = find_pair(a.kind, b.kind, dim) != nullptr || find_pair(b.kind, a.kind, dim) != nullptr;
        const Checked checked(touching(a.kind, b.kind, dim), true);
        CHECK_MESSAGE(checked.codes() == (supported ? "" : "N0807"), a.name, " on ", b.name, " in ", dim, ": ",
                      checked.errors());
        if (!supported || !checked.model) continue;
        // The order is free: the same points, whichever stands first.
        const Checked swapped(touching(b.kind, a.kind, dim), true);
        CHECK(swapped.good().contacts[0].instances.count() == checked.good().contacts[0].instances.count());
      }
    }
  }
}
