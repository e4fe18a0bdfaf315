// Events as scalar expressions: conditions, the margins by which they hold, new values.
#pragma once

#include "compiler/mechanics/derivation.hpp"

namespace nsmc {

// A number that is positive where the condition holds, negative where not, and continuous wherever it is made of
// comparisons of continuous numbers.
sym::Expr margin_of(sym::ExprPool& pool, sym::Expr condition);

// "when x < 0 { k := k + 1 }"
std::string event_text(const sym::ExprPool& pool, const Equations& equations, const EventEquation& event);

void derive_events(const Derivation& d, Equations& equations);

}  // namespace nsmc
