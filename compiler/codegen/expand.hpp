// From the expression DAG to machine operations: n-ary sums and products into chains, powers into products and square
// roots, quotients with one division each. In: roots in the pool; out: their values in the graph.
//
// In every sum and product the part that depends on parameters alone is grouped, so that lowering can move it to
// `prepare`: m*g*l*cos(phi) becomes (m*g*l)*cos(phi).
#pragma once

#include <span>
#include <vector>

#include "compiler/codegen/value_graph.hpp"
#include "compiler/symbolic/expr.hpp"

namespace nsmc {

std::vector<ValueGraph::Value> expand(const sym::ExprPool& pool, std::span<const sym::Expr> roots, ValueGraph& graph);

}  // namespace nsmc
