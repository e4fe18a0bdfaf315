// The argument of a normal cone, read off its symbolic form: s alpha lambda with s = +1 or -1, and whether alpha is
// that of a two-set law [Walker 2017, (21), (22)].
#pragma once

#include <optional>
#include <span>

#include "compiler/mechanics/derivation.hpp"
#include "compiler/mechanics/initial_values.hpp"

namespace nsmc {

// argument = ratio * lambda for all components; nothing if it has not this form.
std::optional<sym::Expr> ratio_to_force(sym::ExprPool& pool, std::span<const sym::Expr> argument,
                                        std::span<const sym::Expr> lambda);

// The sign of the ratio at small forces of the law, at the start: there alpha is what the user means it to be, while a
// faulty one may change its sign at large forces.
bool is_positive_at_start(const sym::ExprPool& pool, sym::Expr ratio, std::span<const sym::Expr> lambda,
                          StartView& start);

// ratio = s/(k_D - k_C + 1) with D the set of the law, and C another one in a gauge(C, s lambda) of the argument.
std::optional<Reservoir> two_set_reservoir(const Derivation& d, const TypedLaw& law, sym::Expr ratio,
                                           bool positive_sign, std::span<const sym::Expr> lambda);

}  // namespace nsmc
