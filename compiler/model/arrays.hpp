// Arrays: index ranges, coordinate arrays, and which instance an index means. An index is an expression of the numbers
// of the instance that looks and of parameters, which count with the values they have when the model is compiled.
#pragma once

#include "compiler/model/core.hpp"

namespace nsmc {

class Expressions;
class Variables;

struct CoordinateArray {
  const ast::Coord* declaration = nullptr;
  std::string doc;
  IndexBounds bounds;
  std::uint32_t coordinate = 0, velocity = 0;
  bool known = false;
};

// The instances of a declaration with an index, and the scope in which the index is known. While `Looking` lives,
// indices are checked for all of them.
struct Ranged {
  Scope scope;
  Instances instances;
};

// While it lives, expressions are elaborated for these instances.
class Looking {
 public:
  Looking(Core& core, const Instances& instances)
      : core_(core), outer_(std::exchange(core.looking, instances.single() ? nullptr : &instances)) {}
  ~Looking() { core_.looking = outer_; }
  Looking(const Looking&) = delete;
  Looking& operator=(const Looking&) = delete;

 private:
  Core& core_;
  const Instances* outer_;
};

class Arrays : Part {
 public:
  Arrays(Core& core, Expressions& expressions, Variables& variables)
      : Part(core), expressions_(expressions), variables_(variables) {}

  void declare(const ast::Coord& declaration, const std::string& doc);
  void allocate_arrays();
  const CoordinateArray& array(std::uint32_t index) const { return arrays_[index]; }
  std::uint32_t count() const { return static_cast<std::uint32_t>(arrays_.size()); }

  // Whether a declared body or coordinate has instances; contacts of neighbours may be none (1..n-2 for n = 1).
  // Reports.
  bool has_length(const ast::IndexRange& range, const IndexBounds& bounds);
  std::optional<Ranged> ranged(const ast::Part<ast::IndexRange>& range, const Scope& parent);
  // An index into something declared with these bounds; reported if it leaves them for one of the instances.
  Result index_node(const ast::Expr& index, const Scope& scope, const IndexBounds& bounds, const std::string& name);
  // Which instance of an array is meant by a name with or without an index; false after a report.
  bool find_instance(const std::string& name, const std::vector<const ast::Expr*>& indices, const Instances& instances,
                     const Scope& scope, Span span, std::vector<NodeId>& at);
  // sum(c[i].N for i in 1..n), and min, max, norm: written out.
  Result reduction(const ast::Expr& expr, const Scope& scope);
  Result array_element(const CoordinateArray& array, const ast::Expr& expr, const Scope& scope, bool rate);

 private:
  std::optional<IndexBounds> bounds_of(const ast::IndexRange& range);
  // What a range or an index is made of; a `let` brings its parameters along as such, not as their values.
  void mark_structural(NodeId id);

  Expressions& expressions_;
  Variables& variables_;
  std::vector<CoordinateArray> arrays_;
};

}  // namespace nsmc
