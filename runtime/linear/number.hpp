// What numerical code needs of a number, so that it can be written once for a double and for a register of doubles with
// a run in every lane: arithmetic, comparisons that give a mask, and choices by masks in the place of branches.
//
// Here is the plain case: a double, whose mask is a bool. Registers are in small/registers_*.hpp, doubles of which the
// optimiser may know the value in small/known.hpp. Every operation has, in every lane, the bits that it has for a
// double.
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

// Functions of the small step are inlined for speed, and in the step that is compiled into a model
// (small/step_fused.cpp) because it must become one function, without loops but those that must be: clang unrolls those
// whose bounds are known only with the model.
#define NSM_INLINE [[gnu::always_inline]] inline
#ifdef __clang__
#define NSM_UNROLL _Pragma("clang loop unroll(full)")
#define NSM_FUSED_INLINE NSM_INLINE
#else
#define NSM_UNROLL
#define NSM_FUSED_INLINE inline
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

// f of the lanes of a mask, one after the other; 0 in the others.
template <class Real, class F>
Real lane_by_lane(const Real& x, mask_of<Real> mask, const F& f) {
  if constexpr (is_single<Real>) {
    return mask ? f(x) : 0;
  } else {
    Real result = 0;
    const std::uint32_t bits = mask.to_bits();
    for (unsigned l = 0; l < Real::lanes; ++l) {
      if ((bits >> l & 1) != 0) result.set(l, f(x[l]));
    }
    return result;
  }
}

// An iteration that lanes go through together, each as far as it needs: which of them are on their way, which are done
// with a result, and which wait. The functions let the lanes of a mask leave, and are true if no lane is left on its
// way. A single run is on its way as long as it asks: nothing is left of masks then but the branch.
template <class Real>
class Lanes {
 public:
  using Mask = mask_of<Real>;
  NSM_INLINE explicit Lanes(Mask wanted) : going_(wanted) {}

  NSM_INLINE Mask going() const {
    if constexpr (is_single<Real>) {
      return true;
    } else {
      return going_;
    }
  }
  NSM_INLINE Mask done() const { return done_; }

  NSM_INLINE bool fail(Mask who) { return leave(who, nullptr); }
  NSM_INLINE bool finish(Mask who) { return leave(who, &done_); }
  NSM_INLINE bool wait(Mask who) { return leave(who, &waiting_); }

  // Those that wait are on their way again, if there are any.
  NSM_INLINE bool resume() {
    going_ = waiting_;
    waiting_ = mask_from<Real>(0);
    return any(going_);
  }

 private:
  NSM_INLINE bool leave(Mask who, Mask* where) {
    if constexpr (is_single<Real>) {
      if (!who) return false;
      if (where != nullptr) *where = true;
      return true;
    } else {
      who = who & going_;
      if (where != nullptr) *where = *where | who;
      going_ = going_ & !who;
      return !any(going_);
    }
  }

  Mask going_, done_ = mask_from<Real>(0), waiting_ = mask_from<Real>(0);
};

}  // namespace nsmc::rt
