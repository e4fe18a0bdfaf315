// What numerical code needs of a number, so that it can be written once for a double and for a register of doubles with
// a run in every lane: arithmetic, comparisons that give a mask, and choices by masks in the place of branches.
//
// Here is the plain case: a double, whose mask is a bool. Registers are in small/registers_*.hpp, doubles of which the
// optimiser may know the value in small/known.hpp. Every operation has, in every lane, the bits that it has for a
// double. Numbers with 113 bits have arithmetic and roots only.
//
// So that branches on bools remain branches, and for registers are taken if any lane asks for them, code reads
//     if (any(mask)) x = select(mask, y, x);
// Within such a branch a bool is known, and nothing is left of the choice.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

// The step that is compiled into a model (small/step_fused.cpp) becomes one function, without loops but those that must
// be: clang inlines what is marked, and unrolls loops whose bounds are known only with the model.
#ifdef __clang__
#define NSM_UNROLL _Pragma("clang loop unroll(full)")
#define NSM_INLINE [[gnu::always_inline]] inline
#else
#define NSM_UNROLL
#define NSM_INLINE inline
#endif

namespace nsmc::rt {

inline bool any(bool mask) { return mask; }
inline bool all(bool mask) { return mask; }

inline double select(bool mask, double yes, double no) { return mask ? yes : no; }
template <std::integral Integer>
Integer select(bool mask, Integer yes, Integer no) {
  return mask ? yes : no;
}
inline double root(double x) { return std::sqrt(x); }
inline double magnitude(double x) { return std::abs(x); }
// As std::max and std::min: the first if they are equal or one of them is NaN.
inline double larger(double a, double b) { return a < b ? b : a; }
inline double smaller(double a, double b) { return b < a ? b : a; }
inline bool is_nan(double x) { return x != x; }

using Quad = __float128;
// Heron's rule; the first guess has half of the digits.
inline Quad root(Quad x) {
  if (!(x > 0)) return 0;
  Quad result = std::sqrt(static_cast<double>(x));
  if (!(result > 0)) return 0;
  for (int i = 0; i < 2; ++i) result = (result + x / result) / 2;
  return result;
}

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

// Whether a number has one lane, whose mask is a bool.
template <class Real>
inline constexpr bool is_single = std::is_same_v<mask_of<Real>, bool>;

template <class Real>
mask_of<Real> mask_from(std::uint32_t bits) {
  if constexpr (is_single<Real>) {
    return (bits & 1) != 0;
  } else {
    return mask_of<Real>::of(bits);
  }
}

template <class Real>
mask_of<Real> is_finite(const Real& x) {
  return magnitude(x) <= Real(std::numeric_limits<double>::max());
}

}  // namespace nsmc::rt
