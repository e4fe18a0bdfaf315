// Joints are bilateral constraints on positions; what is free in them can carry friction, springs and dampers.
#pragma once

#include <array>

#include "compiler/model/bodies.hpp"
#include "compiler/model/quantities.hpp"

namespace nsmc {

class Joints : Part {
 public:
  Joints(Core& core, Expressions& expressions, Calls& calls, Arguments& arguments, Bodies& bodies)
      : Part(core), expressions_(expressions), calls_(calls), arguments_(arguments), bodies_(bodies) {}

  static std::vector<KnownWord> words();  // kinds of joints
  std::optional<Quantities> joint_quantities(const ast::Joint& joint, const Scope& scope);

 private:
  enum class JointKind : std::uint8_t { fixed, revolute, prismatic, spherical, universal };
  struct JointKindRow;
  static const std::vector<JointKindRow>& joint_kinds();

  // One of the two bodies, or the world: where it is, and where it was at the start.
  struct Link {
    const BodyInfo* body = nullptr;
    At at;
    bool world = false;
    Pose pose, start;
  };
  // What the declaration says.
  struct Assembly {
    const ast::Expr& call;
    const Scope& scope;
    Span span;
    const JointKindRow* kind = nullptr;
    Options options{};
    std::array<Link, 2> links{};
    std::uint32_t dim = 3;
    NodeId place = 0, axis = 0, axis2 = 0;  // in the world, at the start
  };
  // Each fills in a part of the assembly; false after a report.
  bool find_kind(Assembly& joint);
  bool find_links(Assembly& joint);
  bool joins_itself(const Assembly& joint);
  bool place_links(Assembly& joint);
  bool find_directions(Assembly& joint);
  // A vector of the world at the start; zero if it is not given and need not be.
  Result vector(const Assembly& joint, const char* name, Dimension dimension, bool required);

  Quantities in_space(const Assembly& joint);
  std::optional<Quantities> in_the_plane(const Assembly& joint);
  void name_sides(const Assembly& joint, Quantities& q) const;
  NodeId carried_point(const Link& link, NodeId point, Span span);          // from the start to now
  NodeId carried_direction(const Link& link, NodeId direction, Span span);  // likewise
  NodeId rate_of(NodeId value, Span span);

  Expressions& expressions_;
  Calls& calls_;
  Arguments& arguments_;
  Bodies& bodies_;
};

}  // namespace nsmc
