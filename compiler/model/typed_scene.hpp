// What of a model can be seen: bodies' shapes, drawings, springs, joints, and where contact forces act. The numbers are
// outputs of the model under names that no model can give ('$' begins no name), so that whatever moves is compiled and
// recorded like any other output; nothing behind compiler/model knows of shapes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/model/instances.hpp"

namespace nsmc {

inline constexpr char kSceneName = '$';

// Some of the components of an output.
struct ScenePart {
  std::string role;  // "position", "orientation", "radius", "point", ...
  std::uint32_t first = 0, size = 0;
};

struct SceneValues {
  std::optional<std::uint32_t> output;  // of TypedModel::outputs; absent: there are no numbers
  std::vector<ScenePart> parts;
  Instances instances;
};

struct TypedSceneItem {
  std::string name, kind, doc, color, text;  // name: with '@' if it is an array
  std::vector<std::string> bodies;           // by instance; empty: fixed to none
  SceneValues values;
};

// Of a contact or joint: parts point, normal, tangent1, tangent2, axis, as far as there are such.
struct TypedSceneContact {
  std::uint32_t contact = 0;
  std::string joint;                               // the kind of a joint; empty: a contact
  std::vector<std::array<std::string, 2>> bodies;  // by instance; empty names: the world. None where not known
  SceneValues values;
};

struct TypedScene {
  bool planar = false;
  SceneValues gravity;
  std::vector<TypedSceneItem> items;
  std::vector<TypedSceneContact> contacts;  // one for each of TypedModel::contacts
};

}  // namespace nsmc
