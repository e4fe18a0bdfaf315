// What numerical code needs of a number, so that it can be written once for a double and for a register of doubles with
// a run in every lane: arithmetic, comparisons that give a mask, and choices by masks in the place of branches.
//
// Here is the plain case: a double, whose mask is a bool. Registers are in registers_*.hpp. Every operation has, in
// every lane, the bits that it has for a double.
#pragma once

#include <cmath>
#include <limits>

namespace nsmc::rt {

inline bool any(bool mask) { return mask; }
inline bool all(bool mask) { return mask; }

inline double select(bool mask, double yes, double no) { return mask ? yes : no; }
inline double root(double x) { return std::sqrt(x); }
inline double magnitude(double x) { return std::abs(x); }
// As std::max and std::min: the first if they are equal or one of them is NaN.
inline double larger(double a, double b) { return a < b ? b : a; }
inline double smaller(double a, double b) { return b < a ? b : a; }
inline bool is_nan(double x) { return x != x; }

template <class Real>
struct MaskOf {
  using type = typename Real::Mask;
};
template <>
struct MaskOf<double> {
  using type = bool;
};
template <class Real>
using mask_of = typename MaskOf<Real>::type;

template <class Real>
mask_of<Real> is_finite(const Real& x) {
  return magnitude(x) <= Real(std::numeric_limits<double>::max());
}

}  // namespace nsmc::rt
