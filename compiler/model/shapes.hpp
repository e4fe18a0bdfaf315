// Shapes: where they are and, of two of them, how they touch. The geometry of a pair is a function of
// models/std/bodies.nsm that gives gap, normal and the two contact points.
#pragma once

#include "compiler/model/bodies.hpp"
#include "compiler/model/shape_pairs.hpp"

namespace nsmc {

struct ShapeInfo {
  const ast::Shape* declaration = nullptr;
  ShapeKind kind{};
  std::uint32_t dim = 3;
  Options options;
  std::optional<std::uint32_t> body;
  Instances instances;
  std::vector<double> hull;  // of a polyhedron, see runtime/collision/solid.hpp
  bool known = false;
};

class Shapes : Part {
 public:
  Shapes(Core& core, Expressions& expressions, Calls& calls, Arrays& arrays, Arguments& arguments, Bodies& bodies)
      : Part(core), expressions_(expressions), calls_(calls), arrays_(arrays), arguments_(arguments), bodies_(bodies) {}

  void declare(const ast::Shape& declaration);
  void elaborate_shapes();
  const ShapeInfo& shape(std::uint32_t index) const { return shapes_[index]; }
  const std::vector<ShapeInfo>& all() const { return shapes_; }

  Scope shape_scope(const ShapeInfo& shape, At at) const;  // with its index
  At body_instance(const ShapeInfo& shape, At at);         // which of the bodies of an array it is on
  // How what it is fixed to moves; where its centre is, and its frame.
  Pose shape_pose(const ShapeInfo& shape, At at, NodeId& centre, NodeId& frame, Span span);
  // How large a shape is (TypedShapes::bounds); nothing after a report.
  Result bounds(const ShapeInfo& shape, At at, Span span);
  ContactPoints points_of(const ShapeInfo& a, const ShapeInfo& b) const;
  // [gap, n, p1, p2]
  Result pair_geometry(const ShapeInfo& a, At a_at, const ShapeInfo& b, At b_at, const std::vector<NodeId>& point,
                       Span span, std::vector<TypedMeasure>* measures = nullptr);

 private:
  void elaborate_shape(ShapeInfo& shape);
  // Each fills in a part of it; false after a report.
  bool find_kind(ShapeInfo& shape);
  bool find_body(ShapeInfo& shape);
  bool find_room(ShapeInfo& shape, const Scope& scope);
  bool find_hull(ShapeInfo& shape, const Scope& scope);
  void try_out(const ShapeInfo& shape, const Scope& scope);

  Expressions& expressions_;
  Calls& calls_;
  Arrays& arrays_;
  Arguments& arguments_;
  Bodies& bodies_;
  std::vector<ShapeInfo> shapes_;
};

}  // namespace nsmc
