// A double of which the optimiser may know the value: arithmetic that leaves out what is known to be zero. A direction
// with five zeros, a diagonal mass matrix: written by hand, one would not multiply with them. The optimiser may not do
// that by itself (0*x is NaN for x = inf, and x + 0 is not x for x = -0); here it may, whatever turns out to be
// constant when the step is specialised to a model. Results are those of plain arithmetic for finite numbers, up to the
// sign of zeros.
#pragma once

#include "runtime/linear/number.hpp"

namespace nsmc::rt {

// In memory it is a double: kernels write doubles where the step reads these.
struct __attribute__((may_alias)) Known {
  using Mask = bool;
  double v;

  Known() = default;
  NSM_INLINE Known(double x) : v(x) {}  // NOLINT: numbers mix freely with doubles
  NSM_INLINE explicit operator double() const { return v; }

  // Without branches: there are thousands of these before the optimiser has done its work.
  NSM_INLINE bool is_zero() const {
    bool known = false;
    known = __builtin_constant_p(v);  // as the initial value of a constant it would be answered by the front end
    const bool zero = v == 0;
    return known & zero;
  }

  NSM_INLINE friend Known operator*(const Known& a, const Known& b) {
    const bool no_a = a.is_zero(), no_b = b.is_zero(), zero = no_a | no_b;
    const double product = a.v * b.v;
    return zero ? 0.0 : product;
  }
  NSM_INLINE friend Known operator+(const Known& a, const Known& b) {
    const bool only_b = a.is_zero(), only_a = b.is_zero();
    const double sum = a.v + b.v, rest = only_a ? a.v : sum;
    return only_b ? b.v : rest;
  }
  NSM_INLINE friend Known operator-(const Known& a, const Known& b) {
    const bool only_b = a.is_zero(), only_a = b.is_zero();
    const double difference = a.v - b.v, negative = -b.v, rest = only_b ? negative : difference;
    return only_a ? a.v : rest;
  }
  NSM_INLINE friend Known operator/(const Known& a, const Known& b) {
    const bool zero = a.is_zero();
    const double quotient = a.v / b.v;
    return zero ? 0.0 : quotient;
  }
  NSM_INLINE friend Known operator-(const Known& a) { return -a.v; }
  NSM_INLINE Known& operator+=(const Known& b) { return *this = *this + b; }
  NSM_INLINE Known& operator-=(const Known& b) { return *this = *this - b; }
  NSM_INLINE Known& operator*=(const Known& b) { return *this = *this * b; }
  NSM_INLINE Known& operator/=(const Known& b) { return *this = *this / b; }

  NSM_INLINE friend bool operator<(const Known& a, const Known& b) { return a.v < b.v; }
  NSM_INLINE friend bool operator<=(const Known& a, const Known& b) { return a.v <= b.v; }
  NSM_INLINE friend bool operator>(const Known& a, const Known& b) { return a.v > b.v; }
  NSM_INLINE friend bool operator>=(const Known& a, const Known& b) { return a.v >= b.v; }
  NSM_INLINE friend bool operator==(const Known& a, const Known& b) { return a.v == b.v; }

  NSM_INLINE friend Known select(bool mask, const Known& yes, const Known& no) { return mask ? yes.v : no.v; }
  NSM_INLINE friend Known root(const Known& x) { return std::sqrt(x.v); }
  NSM_INLINE friend Known magnitude(const Known& x) { return std::fabs(x.v); }
  NSM_INLINE friend Known larger(const Known& a, const Known& b) { return a.v < b.v ? b.v : a.v; }
  NSM_INLINE friend Known smaller(const Known& a, const Known& b) { return b.v < a.v ? b.v : a.v; }
};

}  // namespace nsmc::rt
