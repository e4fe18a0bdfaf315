// Eight doubles in a register of AVX-512. Only for translation units that have made sure of the instruction set; see
// step_avx512.cpp.
#pragma once

#include <immintrin.h>

#include <cstdint>

#include "runtime/linear/number.hpp"

namespace nsmc::rt {

struct Mask8 {
  std::uint8_t bits;

  static Mask8 of(std::uint32_t bits) { return {static_cast<std::uint8_t>(bits)}; }
  std::uint32_t to_bits() const { return bits; }
  friend Mask8 operator&(Mask8 a, Mask8 b) { return of(a.bits & b.bits); }
  friend Mask8 operator|(Mask8 a, Mask8 b) { return of(a.bits | b.bits); }
  friend Mask8 operator!(Mask8 a) { return of(~std::uint32_t{a.bits}); }
  friend bool any(Mask8 a) { return a.bits != 0; }
  friend bool all(Mask8 a) { return a.bits == 0xff; }
};

struct __attribute__((may_alias)) Lanes8 {
  using Mask = Mask8;
  static constexpr unsigned lanes = 8;
  __m512d v;

  Lanes8() = default;
  Lanes8(double x) : v(_mm512_set1_pd(x)) {}  // NOLINT: numbers mix freely with doubles
  explicit Lanes8(__m512d x) : v(x) {}

  double operator[](unsigned lane) const { return reinterpret_cast<const double*>(this)[lane]; }
  void set(unsigned lane, double x) { reinterpret_cast<double*>(this)[lane] = x; }

  friend Lanes8 operator+(const Lanes8& a, const Lanes8& b) { return Lanes8(_mm512_add_pd(a.v, b.v)); }
  friend Lanes8 operator-(const Lanes8& a, const Lanes8& b) { return Lanes8(_mm512_sub_pd(a.v, b.v)); }
  friend Lanes8 operator*(const Lanes8& a, const Lanes8& b) { return Lanes8(_mm512_mul_pd(a.v, b.v)); }
  friend Lanes8 operator/(const Lanes8& a, const Lanes8& b) { return Lanes8(_mm512_div_pd(a.v, b.v)); }
  friend Lanes8 operator-(const Lanes8& a) { return Lanes8(_mm512_xor_pd(a.v, _mm512_set1_pd(-0.0))); }
  Lanes8& operator+=(const Lanes8& b) { return *this = *this + b; }
  Lanes8& operator-=(const Lanes8& b) { return *this = *this - b; }
  Lanes8& operator*=(const Lanes8& b) { return *this = *this * b; }
  Lanes8& operator/=(const Lanes8& b) { return *this = *this / b; }

  template <int comparison>
  static Mask8 compare(const Lanes8& a, const Lanes8& b) {
    return {_mm512_cmp_pd_mask(a.v, b.v, comparison)};
  }
  friend Mask8 operator<(const Lanes8& a, const Lanes8& b) { return compare<_CMP_LT_OQ>(a, b); }
  friend Mask8 operator<=(const Lanes8& a, const Lanes8& b) { return compare<_CMP_LE_OQ>(a, b); }
  friend Mask8 operator>(const Lanes8& a, const Lanes8& b) { return compare<_CMP_GT_OQ>(a, b); }
  friend Mask8 operator>=(const Lanes8& a, const Lanes8& b) { return compare<_CMP_GE_OQ>(a, b); }
  friend Mask8 operator==(const Lanes8& a, const Lanes8& b) { return compare<_CMP_EQ_OQ>(a, b); }

  friend Lanes8 select(Mask8 mask, const Lanes8& yes, const Lanes8& no) {
    return Lanes8(_mm512_mask_blend_pd(mask.bits, no.v, yes.v));
  }
  friend Lanes8 root(const Lanes8& x) { return Lanes8(_mm512_sqrt_pd(x.v)); }
  friend Lanes8 magnitude(const Lanes8& x) { return Lanes8(_mm512_andnot_pd(_mm512_set1_pd(-0.0), x.v)); }
  // The instructions return their second operand where neither is the larger.
  friend Lanes8 larger(const Lanes8& a, const Lanes8& b) { return Lanes8(_mm512_max_pd(b.v, a.v)); }
  friend Lanes8 smaller(const Lanes8& a, const Lanes8& b) { return Lanes8(_mm512_min_pd(b.v, a.v)); }
  friend Mask8 is_nan(const Lanes8& x) { return compare<_CMP_UNORD_Q>(x, x); }
};

}  // namespace nsmc::rt
