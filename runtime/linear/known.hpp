// Arithmetic that leaves out what is known to be zero. A direction with five zeros, a diagonal mass matrix: written by
// hand, one would not multiply with them. The optimiser may not do that by itself (0*x is NaN for x = inf, and x + 0 is
// not x for x = -0); here it may, whatever turns out to be constant when the step is specialised to a model. Results
// are those of plain arithmetic for finite numbers, up to the sign of zeros.
#pragma once

// The fused step has no loops but those that must be: clang marks them, and their bounds are known when they are
// unrolled.
#ifdef __clang__
#define NSM_UNROLL _Pragma("clang loop unroll(full)")
#else
#define NSM_UNROLL
#endif

namespace nsmc::fused {

// Without branches: there are thousands of these before the optimiser has done its work.
[[gnu::always_inline]] inline bool is_zero(double x) {
  bool known = false;
  known = __builtin_constant_p(x);  // as the initial value of a constant it would be answered by the front end
  const bool zero = x == 0;
  return known & zero;
}

[[gnu::always_inline]] inline double times(double a, double b) {
  const bool no_a = is_zero(a), no_b = is_zero(b), zero = no_a | no_b;
  const double product = a * b;
  return zero ? 0.0 : product;
}
[[gnu::always_inline]] inline double plus(double a, double b) {
  const bool only_b = is_zero(a), only_a = is_zero(b);
  const double sum = a + b, rest = only_a ? a : sum;
  return only_b ? b : rest;
}
[[gnu::always_inline]] inline double minus(double a, double b) {
  const bool only_b = is_zero(a), only_a = is_zero(b);
  const double difference = a - b, negative = -b, rest = only_b ? negative : difference;
  return only_a ? a : rest;
}

[[gnu::always_inline]] inline double over(double a, double b) {
  const bool zero = is_zero(a);
  const double quotient = a / b;
  return zero ? 0.0 : quotient;
}

}  // namespace nsmc::fused
