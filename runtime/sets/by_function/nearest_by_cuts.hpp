// Nearest point of a set that is given by a function, without any assumption but convexity: what the methods that rely
// on derivatives are not sure of. It costs about 40 (n + 1)^2 evaluations in n dimensions, less from a good answer.
#pragma once

#include "runtime/sets/by_function/homogeneous_function.hpp"

namespace nsmc::rt {

// The nearest point x to y of { f(x) <= 1 }, within 1e-13 of |x|, or of the set with the support function f, within
// 1e-13 of its size, but for the rounding of y. x goes in as an answer that may be right or not, or NaN. False if f has
// no precise kernel, or no value somewhere.
bool nearest_by_cuts(const HomogeneousFunction& f, Given given, const double* y, double* x, int& evaluations);

}  // namespace nsmc::rt
