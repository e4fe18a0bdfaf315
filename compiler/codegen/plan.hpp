// What the planners of kernels share.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "compiler/codegen/kernels.hpp"

namespace nsmc {

// Kernels of one evaluation in their order; see KernelSpec::stage.
enum Stage : int { kAnyTime = 0, kDynamics = 1, kGap = 2, kDirections = 3, kAfterDirections = 4 };

inline bool depends(const sym::ExprPool& pool, const std::vector<sym::Expr>& exprs, auto&& which) {
  return std::any_of(exprs.begin(), exprs.end(), [&](sym::Expr e) { return sym::depends_on(pool, e, which); });
}

// A C identifier, unique by its number.
std::string identifier(std::size_t index, const std::string& name);

// Where the references stand in the view of a kernel: one block after the other.
std::vector<ReferencePlace> places_of(const std::vector<std::size_t>& references);

// Kernels of things that exist once, on blocks that exist once, may hand values on within an evaluation.
bool may_share(const Equations& equations, const Instances& instances, const std::vector<std::size_t>& references);

ContactKernels plan_contact(const Equations& equations, sym::ExprPool& pool, std::size_t contact, Level level,
                            std::vector<KernelSpec>& specs);

}  // namespace nsmc
