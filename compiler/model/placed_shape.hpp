// A shape at its place and its measures as nodes: the vocabulary in which shape_pairs.cpp writes how two shapes touch.
#pragma once

#include <vector>

#include "compiler/model/shapes.hpp"

namespace nsmc {

class PlacedShape : Part {
 public:
  PlacedShape(Core& core, Shapes& shapes, Expressions& expressions, Calls& calls, Arguments& arguments,
              const ShapeInfo& shape, At at, Span span);

  NodeId centre = 0, frame = 0;  // in the world

  NodeId radius();  // that of a point is 0
  NodeId half_length();
  NodeId half_size();
  NodeId semi_axes();
  NodeId axis();    // a unit vector of the world
  NodeId normal();  // likewise
  // A unit vector across `axis`, fixed in the body.
  NodeId across(NodeId axis);
  // The corners of a polygon or planar box, in the world, counter-clockwise; none after a report.
  std::vector<NodeId> corners();

  // How large it is, see TypedShapes::bounds.
  NodeId bounds();

  // [gap, n, p1, p2] at the point with this number, by a search for the features that are closest.
  NodeId touch(PlacedShape& other, NodeId number);

  // The lengths that were asked for.
  const std::vector<TypedMeasure>& measures() const { return measures_; }
  bool failed() const { return failed_; }  // a measure was wrong: it is reported, and zero stands for it
  std::uint32_t dim() const { return shape_.dim; }

  NodeId library(const char* function, const std::vector<NodeId>& args);
  NodeId stack(const std::vector<NodeId>& parts);
  NodeId zero();
  NodeId number(double value);
  // The one with this number, from 1; the number may differ between instances.
  NodeId choose(const std::vector<NodeId>& from, NodeId which);

 private:
  // Along the axes of the world, and at all.
  std::pair<NodeId, NodeId> reach();
  NodeId turned_along(NodeId axis);  // a frame with this third axis
  // What the search is told of it: its kind into `shapes`, its hull into `hulls`, its place and measures into `args`.
  void describe(std::vector<double>& shapes, std::vector<double>& hulls, std::vector<NodeId>& args);
  NodeId measure(const char* option, std::uint32_t rows);
  NodeId half(NodeId value);
  std::vector<NodeId> box_corners();

  Expressions& expressions_;
  Calls& calls_;
  Arguments& arguments_;
  const ShapeInfo& shape_;
  Span span_;
  Scope scope_;
  std::vector<TypedMeasure> measures_;
  bool failed_ = false;
};

// Those of a polygon or planar box.
std::size_t corner_count(const ShapeInfo& shape);

}  // namespace nsmc
