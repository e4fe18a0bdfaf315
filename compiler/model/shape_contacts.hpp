// Contacts between shapes: which two touch, and the velocities of the contact, which follow from the bodies at the
// contact points.
#pragma once

#include <map>
#include <utility>

#include "compiler/model/quantities.hpp"
#include "compiler/model/shapes.hpp"

namespace nsmc {

class ShapeContacts : Part {
 public:
  ShapeContacts(Core& core, Expressions& expressions, Calls& calls, Arrays& arrays, Bodies& bodies, Shapes& shapes)
      : Part(core), expressions_(expressions), calls_(calls), arrays_(arrays), bodies_(bodies), shapes_(shapes) {}

  // Instances by [*], and one for each point where the shapes may touch; false after a report.
  bool add_instances(const ast::ShapePair& shapes, const ast::Part<ast::IndexRange>& range, Instances& instances);
  // If its instances are to be searched: its shapes, and how large they are.
  void add_family(const ast::ShapePair& shapes, std::uint32_t contact);
  // Gap, normal and points of the contact with the instances and the place given, for the instance with the numbers
  // `self`.
  std::optional<Quantities> pair_quantities(const ast::ShapePair& shapes, const TypedContact& contact,
                                            const Scope& scope, const std::vector<NodeId>& self);

 private:
  // One side of a contact: the shape (of a body, its only one), and which index it has.
  struct Side {
    const ShapeInfo* shape = nullptr;
    std::vector<const ast::Expr*> indices;
    bool all = false;
  };
  std::optional<Side> side_of(const ast::Use& use);
  std::optional<std::uint32_t> shapes_on(const Side& side, Span span);
  bool apart(const ShapeInfo& a, At a_at, const ShapeInfo& b, At b_at, const TypedContact& contact);
  bool is_searched(const Instances& instances, const Side& a, const Side& b) const;

  Expressions& expressions_;
  Calls& calls_;
  Arrays& arrays_;
  Bodies& bodies_;
  Shapes& shapes_;
  // Those that families are searched among, each once: of a declaration, or one shape of it.
  std::map<std::pair<const ShapeInfo*, std::optional<std::int64_t>>, std::uint32_t> searched_;
};

}  // namespace nsmc
