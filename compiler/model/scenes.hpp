// The scene of a model: shapes, drawings, springs, and the frames of contacts and joints, whose numbers become outputs
// (typed_scene.hpp).
#pragma once

#include "compiler/model/contacts.hpp"
#include "compiler/model/drawings.hpp"
#include "compiler/model/shapes.hpp"

namespace nsmc {

class Scenes : Part {
 public:
  Scenes(Core& core, Expressions& expressions, Calls& calls, Arrays& arrays, Arguments& arguments, Bodies& bodies,
         Shapes& shapes, Contacts& contacts, Drawings& drawings)
      : Part(core),
        expressions_(expressions),
        calls_(calls),
        arrays_(arrays),
        arguments_(arguments),
        bodies_(bodies),
        shapes_(shapes),
        contacts_(contacts),
        drawings_(drawings) {}

  // The scene of a model without errors.
  TypedScene scene();

 private:
  using Parts = std::vector<std::pair<std::string, NodeId>>;

  Drawing shape_drawing(const ShapeInfo& shape);
  Drawing spring_drawing(const ast::Spring& spring);
  TypedSceneContact contact(std::uint32_t contact, const Drawing* reaction);
  At shape_orientation(const ShapeInfo& shape, At at, At local, Span span);
  SceneValues values(const Parts& parts, const Instances& instances, Span span);
  TypedSceneItem item(const Drawing& drawing);
  std::string body_name(std::uint32_t body, At at, const std::vector<double>& self) const;

  Expressions& expressions_;
  Calls& calls_;
  Arrays& arrays_;
  Arguments& arguments_;
  Bodies& bodies_;
  Shapes& shapes_;
  Contacts& contacts_;
  Drawings& drawings_;
};

}  // namespace nsmc
