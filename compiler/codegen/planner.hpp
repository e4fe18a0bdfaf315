// What the planners of a model and of its contacts share (plan.cpp, plan_contacts.cpp).
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "compiler/codegen/plan.hpp"

namespace nsmc {

inline bool depends(const sym::ExprPool& pool, const std::vector<sym::Expr>& exprs, auto&& which) {
  return std::any_of(exprs.begin(), exprs.end(), [&](sym::Expr e) { return sym::depends_on(pool, e, which); });
}

// What makes the names of a class's kernels readable, and unique by its number: "1_top".
std::string label_of(std::size_t index, const std::string& name);

// Where the references stand in the view of a kernel: one block after the other.
std::vector<ReferencePlace> places_of(const std::vector<std::size_t>& references);

// Kernels of things that exist once, on blocks that exist once, may hand values on within an evaluation.
bool may_share(const Equations& equations, const Instances& instances, const std::vector<std::size_t>& references);

ContactKernels plan_contact(const Equations& equations, sym::ExprPool& pool, std::size_t contact, Level level,
                            std::vector<KernelSpec>& specs);

}  // namespace nsmc
