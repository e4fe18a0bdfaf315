// What of a model can be seen, as plain values: shapes, drawings, springs, joints, and contacts with the frames of
// their forces and the sets of their laws. Whatever moves is a column of a run.
//
//     nsmc::Model model = nsmc::Model::open("top.nsm", {.scene = true});
//     nsmc::Table table;
//     model.run({}, table);
//     for (const nsmc::SceneItem& item : model.scene().items) ... table.column(item.position[0].column)
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace nsmc {

// A number that is constant in time, or the column of this name, in SI.
struct Channel {
  double value = 0;
  std::string column{};
};
using Channels = std::vector<Channel>;

// Vectors have 3 components; in a planar model the third is 0. Orientations are unit quaternions w, x, y, z.
struct SceneItem {
  std::string name;
  // sphere, ellipsoid, box, cylinder, capsule, disc (axis or normal: the local z), plane (normal: the local z),
  // polygon, circle, line, polyline, arrow, spring, text, trace
  std::string kind;
  std::string body, color, doc, text;                   // empty: none
  Channels position, orientation;                       // empty: made of points; not turned
  std::vector<std::pair<std::string, Channels>> sizes;  // radius, radii, size, length, thickness
  std::vector<Channels> points;                         // of a polygon 2 components each, in its own frame
};

// A set of forces -lambda. Its boundary is a function of the arguments, which may be channels.
struct SceneSet {
  std::string role;  // "both", or of a law with two sets "reservoir" and "slip"
  std::size_t dim = 0;
  Channels arguments;
  // Points of the boundary: the two ends (dim 1), around it (dim 2), or the corners of set_triangles(detail) (dim 3).
  // detail: 0 few, 1 usual, 2 many. Nothing if the set has no end.
  std::function<std::vector<std::vector<double>>(std::span<const double> arguments, int detail)> boundary;
};
std::vector<std::array<std::uint32_t, 3>> set_triangles(int detail);

struct SceneLaw {
  std::string name, text;
  std::vector<std::string> axes, units;  // names and units of its forces
  Channels force, velocity;              // velocity: empty for contacts of which there are very many
  std::vector<SceneSet> sets;            // that have an end; of one to three dimensions
};

// A contact, or a joint with its laws. Forces are those on the first body; T of a joint that holds a point is
// its reaction (on the second body where the first is the world).
struct SceneContact {
  std::string name, doc;
  std::array<std::string, 2> bodies;  // empty: the world, or not known
  Channels point, normal;             // empty: not known
  std::vector<Channels> tangents;
  std::optional<Channel> gap, N, drill;
  Channels T, roll;
  std::vector<SceneLaw> laws;
};

struct SceneJoint {
  std::string name, kind;
  Channels position, axis;  // axis: empty if it has none
};

struct Scene {
  bool planar = false;
  Channels gravity;  // empty: not known
  std::vector<SceneItem> items;
  std::vector<SceneContact> contacts;
  std::vector<SceneJoint> joints;
};

}  // namespace nsmc
