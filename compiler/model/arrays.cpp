#include "compiler/model/arrays.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "compiler/model/expressions.hpp"
#include "compiler/model/variables.hpp"

namespace nsmc {
namespace {

constexpr std::int64_t kMostInstances = 10'000'000;

std::optional<std::int64_t> whole(std::optional<double> value) {
  if (!value || *value != std::floor(*value) || std::abs(*value) > 1e15) return std::nullopt;
  return static_cast<std::int64_t>(*value);
}

}  // namespace

void Arrays::mark_structural(NodeId id) {
  const Node& n = node(id);
  if (n.kind == NodeKind::parameter) model_.parameters[n.index].structural = true;
  for (const NodeId arg : n.args) mark_structural(arg);
}

std::optional<IndexBounds> Arrays::bounds_of(const ast::IndexRange& range) {
  const bool outer = std::exchange(core_.structural, true);
  const Result first = expressions_.scalar(range.first, global_scope_, "the first index");
  const Result last = expressions_.scalar(range.last, global_scope_, "the last index");
  core_.structural = outer;
  if (!first || !last) return std::nullopt;
  IndexBounds bounds;
  for (const auto& [end, value, expr] :
       {std::tuple(&bounds.first, *first, &range.first), std::tuple(&bounds.last, *last, &range.last)}) {
    const Dimension& dimension = type(value).dimensions[0];
    mark_structural(value);
    const auto found = evaluate(value, {});
    const auto number = whole(found);
    if (!number || !dimension.is_dimensionless()) {
      report(Kind::bad_range, expr->span,
             fmt::format("an index range goes from a whole number to a whole number, this {}",
                         node(value).depends.any()       ? "depends on the state or time"
                         : !dimension.is_dimensionless() ? "is " + dimension.description()
                         : found                         ? fmt::format("is {:.10g}", *found)
                                                         : "is not known when the model is compiled"),
             "its ends are made of numbers and parameters: param n = 10, then 1..n");
      return std::nullopt;
    }
    *end = *number;
  }
  if (bounds.last - bounds.first >= kMostInstances) {
    report(Kind::bad_range, range.span, fmt::format("an array has at most {} elements", kMostInstances));
    return std::nullopt;
  }
  return bounds;
}

bool Arrays::has_length(const ast::IndexRange& range, const IndexBounds& bounds) {
  if (bounds.last >= bounds.first - 1) return true;
  report(Kind::bad_range, range.span, fmt::format("the range {}..{} has a negative length", bounds.first, bounds.last),
         "an array without elements ends one before its first index: 1..0");
  return false;
}

std::optional<Ranged> Arrays::ranged(const ast::Part<ast::IndexRange>& range, const Scope& parent) {
  Ranged result;
  result.scope.parent = &parent;
  if (!range) return result;
  const auto bounds = bounds_of(*range);
  if (!bounds) return std::nullopt;
  result.instances.indices.push_back(*bounds);
  result.scope.names[range->variable.text] = instance_node(0, range->variable.span);
  return result;
}

Result Arrays::index_node(const ast::Expr& index, const Scope& scope, const IndexBounds& bounds,
                          const std::string& name) {
  const bool outer = std::exchange(core_.structural, true);
  const Result value = expressions_.scalar(index, scope, "an index");
  core_.structural = outer;
  if (!value) return std::nullopt;
  const auto not_whole = [&](const std::string& seen) {
    report(Kind::bad_index, index.span, fmt::format("an index of '{}' is a whole number, this {}", name, seen),
           "it is made of numbers, parameters and the indices of this declaration");
    return std::nullopt;
  };
  if (node(*value).depends.any()) return not_whole("depends on the state or time");
  const Dimension& dimension = type(*value).dimensions[0];
  if (!dimension.is_dimensionless()) return not_whole("is " + dimension.description());
  mark_structural(*value);
  const bool fixed = core_.looking == nullptr || evaluate(*value, {}).has_value();
  const std::size_t n = fixed ? 1 : core_.looking->count();
  for (std::size_t k = 0; k < n; ++k) {
    const auto found = evaluate(*value, fixed ? std::vector<double>{} : core_.looking->self(k));
    const auto number = whole(found);
    if (number && *number >= bounds.first && *number <= bounds.last) continue;
    if (!number)
      return not_whole(found ? fmt::format("is {:.10g}", *found) : "is not known when the model is compiled");
    std::string seen = fixed ? fmt::format("there is no '{}[{}]'", name, *number)
                             : fmt::format("the index becomes {} for {}", *number, core_.looking->suffix(k));
    report(Kind::bad_index, index.span,
           bounds.count() == 0 ? fmt::format("{}: '{}' has no elements", seen, name)
                               : fmt::format("{}: '{}' has the indices {}..{}", seen, name, bounds.first, bounds.last),
           fixed                   ? ""
           : *number > bounds.last ? "let the range end earlier, as in i in 1..n-1"
                                   : "let the range begin later, as in i in 2..n");
    return std::nullopt;
  }
  return value;
}

bool Arrays::find_instance(const std::string& name, const std::vector<const ast::Expr*>& indices,
                           const Instances& instances, const Scope& scope, Span span, std::vector<NodeId>& at) {
  const std::size_t wanted = instances.indices.size() + (instances.points.empty() ? 0 : 1);
  if (indices.size() != wanted) {
    std::string ranges;
    for (const IndexBounds& bounds : instances.indices) {
      ranges += fmt::format("{}{}..{}", ranges.empty() ? "" : ", ", bounds.first, bounds.last);
    }
    if (!instances.points.empty()) {
      ranges +=
          fmt::format("{}1..{}, the number of a contact point", ranges.empty() ? "" : ", ", instances.points.size());
    }
    report(
        Kind::bad_index, span,
        wanted == 0 ? fmt::format("'{}' is not an array, it has no index", name)
                    : fmt::format("'{}' takes {} {}, {} given", name, wanted, wanted == 1 ? "index" : "indices",
                                  indices.empty() ? "none" : std::to_string(indices.size())),
        wanted == 0 ? "" : fmt::format("say which one is meant, {}[{}]: {}", name, wanted == 1 ? "1" : "1, 2", ranges));
    return false;
  }
  for (std::size_t d = 0; d < wanted; ++d) {
    const bool point = d == instances.indices.size();
    const IndexBounds bounds =
        point ? IndexBounds{1, static_cast<std::int64_t>(instances.points.size())} : instances.indices[d];
    const Result index = index_node(*indices[d], scope, bounds, name);
    if (!index) return false;
    at.push_back(*index);
  }
  return true;
}

Result Arrays::array_element(const CoordinateArray& array, const ast::Expr& expr, const Scope& scope, bool rate) {
  if (!array.known) {
    report(Kind::not_constant, expr.span, "a parameter must not depend on the state or time");
    return std::nullopt;
  }
  std::vector<const ast::Expr*> indices;
  for (std::size_t i = 1; i < expr.args.size(); ++i) indices.push_back(&expr.args[i]);
  std::vector<NodeId> at;
  if (!find_instance(array.declaration->name.text, indices, {{array.bounds}, false, {}}, scope, expr.span, at)) {
    return std::nullopt;
  }
  return rate ? velocity_node(array.velocity, at[0], expr.span) : coordinate_node(array.coordinate, at[0], expr.span);
}

void Arrays::declare(const ast::Coord& declaration, const std::string& doc) {
  CoordinateArray array;
  array.declaration = &declaration;
  array.doc = doc;
  arrays_.push_back(std::move(array));
}

// Arrays of equal range are one block for each index: what belongs together is indexed together.
void Arrays::allocate_arrays() {
  for (CoordinateArray& array : arrays_) {
    auto bounds = bounds_of(*array.declaration->range);
    if (bounds && !has_length(*array.declaration->range, *bounds)) bounds.reset();
    if (bounds) array.bounds = *bounds;
    array.known = bounds.has_value();
  }
  std::vector<bool> done(arrays_.size(), false);
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    if (done[i] || !arrays_[i].known) continue;
    TypedBlock block;
    block.kind = BlockKind::coordinates;
    block.instances.indices.push_back(arrays_[i].bounds);
    block.first_coordinate = static_cast<std::uint32_t>(model_.coordinates.size());
    block.first_velocity = static_cast<std::uint32_t>(model_.velocities.size());
    block.span = arrays_[i].declaration->name.span;
    for (std::size_t j = i; j < arrays_.size(); ++j) {
      CoordinateArray& array = arrays_[j];
      if (!array.known || !(array.bounds == arrays_[i].bounds)) continue;
      done[j] = true;
      block.name += (block.name.empty() ? "" : ",") + array.declaration->name.text;
      array.coordinate = static_cast<std::uint32_t>(model_.coordinates.size());
      array.velocity = static_cast<std::uint32_t>(model_.velocities.size());
      TypedCoordinate coordinate;
      coordinate.name = array.declaration->name.text + "@";
      coordinate.doc = array.doc;
      coordinate.span = array.declaration->name.span;
      if (array.declaration->unit && model_.dimensional) {
        coordinate.dimension = resolve(*array.declaration->unit, diagnostics_).dimension;
      }
      coordinate.velocity = array.velocity;
      coordinate.block = static_cast<std::uint32_t>(model_.blocks.size());
      TypedVelocity velocity;
      velocity.name = coordinate.name + "'";
      velocity.dimension = coordinate.dimension / time_dimension();
      velocity.coordinate = array.coordinate;
      velocity.block = coordinate.block;
      velocity.span = coordinate.span;
      model_.coordinates.push_back(std::move(coordinate));
      model_.velocities.push_back(std::move(velocity));
      ++block.n_coordinates;
      ++block.n_velocities;
    }
    block.name += "@";
    model_.blocks.push_back(std::move(block));
  }
  for (const CoordinateArray& array : arrays_) {
    if (!array.known || !array.declaration->initial) continue;
    auto range = ranged(array.declaration->range, global_scope_);
    if (!range) continue;
    const Looking looking(core_, range->instances);
    const Result value =
        variables_.constant_value(*array.declaration->initial, array.declaration->unit,
                                  model_.coordinates[array.coordinate].dimension, "the initial value", range->scope);
    if (value) model_.coordinates[array.coordinate].initial = *value;
  }
}

}  // namespace nsmc
