// Arithmetic that leaves out what is known to be zero. A direction with five zeros, a diagonal mass matrix: written by
// hand, one would not multiply with them. The optimiser may not do that by itself (0*x is NaN for x = inf, and x + 0 is
// not x for x = -0); here it may, whatever turns out to be constant when the step is specialised to a model. Results are
// those of plain arithmetic for finite numbers, up to the sign of zeros.
#pragma once

namespace nsmc::fused {

[[gnu::always_inline]] inline bool is_zero(double x) { return __builtin_constant_p(x) && x == 0; }

[[gnu::always_inline]] inline double times(double a, double b) { return is_zero(a) || is_zero(b) ? 0 : a * b; }
[[gnu::always_inline]] inline double plus(double a, double b) { return is_zero(a) ? b : is_zero(b) ? a : a + b; }
[[gnu::always_inline]] inline double minus(double a, double b) { return is_zero(b) ? a : is_zero(a) ? -b : a - b; }

}  // namespace nsmc::fused
