// Four doubles in a register of AVX2. Only for translation units that have made sure of the instruction set; see
// step_avx2.cpp.
#pragma once

#include <immintrin.h>

#include <cstdint>

#include "runtime/linear/number.hpp"

namespace nsmc::rt {

struct Mask4 {
  __m256d v;  // all bits of a lane, or none

  static Mask4 of(std::uint32_t bits) {
    const __m256i one = _mm256_set_epi64x(8, 4, 2, 1), own = _mm256_and_si256(_mm256_set1_epi64x(bits), one);
    return {_mm256_castsi256_pd(_mm256_cmpeq_epi64(own, one))};
  }
  std::uint32_t to_bits() const { return static_cast<std::uint32_t>(_mm256_movemask_pd(v)); }
  friend Mask4 operator&(const Mask4& a, const Mask4& b) { return {_mm256_and_pd(a.v, b.v)}; }
  friend Mask4 operator|(const Mask4& a, const Mask4& b) { return {_mm256_or_pd(a.v, b.v)}; }
  friend Mask4 operator!(const Mask4& a) { return {_mm256_xor_pd(a.v, _mm256_castsi256_pd(_mm256_set1_epi64x(-1)))}; }
  friend bool any(const Mask4& a) { return a.to_bits() != 0; }
  friend bool all(const Mask4& a) { return a.to_bits() == 0xf; }
};

struct __attribute__((may_alias)) Lanes4 {
  using Mask = Mask4;
  static constexpr unsigned lanes = 4;
  __m256d v;

  Lanes4() = default;
  Lanes4(double x) : v(_mm256_set1_pd(x)) {}  // NOLINT: numbers mix freely with doubles
  explicit Lanes4(__m256d x) : v(x) {}

  double operator[](unsigned lane) const { return reinterpret_cast<const double*>(this)[lane]; }
  void set(unsigned lane, double x) { reinterpret_cast<double*>(this)[lane] = x; }

  friend Lanes4 operator+(const Lanes4& a, const Lanes4& b) { return Lanes4(_mm256_add_pd(a.v, b.v)); }
  friend Lanes4 operator-(const Lanes4& a, const Lanes4& b) { return Lanes4(_mm256_sub_pd(a.v, b.v)); }
  friend Lanes4 operator*(const Lanes4& a, const Lanes4& b) { return Lanes4(_mm256_mul_pd(a.v, b.v)); }
  friend Lanes4 operator/(const Lanes4& a, const Lanes4& b) { return Lanes4(_mm256_div_pd(a.v, b.v)); }
  friend Lanes4 operator-(const Lanes4& a) { return Lanes4(_mm256_xor_pd(a.v, _mm256_set1_pd(-0.0))); }
  Lanes4& operator+=(const Lanes4& b) { return *this = *this + b; }
  Lanes4& operator-=(const Lanes4& b) { return *this = *this - b; }
  Lanes4& operator*=(const Lanes4& b) { return *this = *this * b; }
  Lanes4& operator/=(const Lanes4& b) { return *this = *this / b; }

  template <int comparison>
  static Mask4 compare(const Lanes4& a, const Lanes4& b) {
    return {_mm256_cmp_pd(a.v, b.v, comparison)};
  }
  friend Mask4 operator<(const Lanes4& a, const Lanes4& b) { return compare<_CMP_LT_OQ>(a, b); }
  friend Mask4 operator<=(const Lanes4& a, const Lanes4& b) { return compare<_CMP_LE_OQ>(a, b); }
  friend Mask4 operator>(const Lanes4& a, const Lanes4& b) { return compare<_CMP_GT_OQ>(a, b); }
  friend Mask4 operator>=(const Lanes4& a, const Lanes4& b) { return compare<_CMP_GE_OQ>(a, b); }
  friend Mask4 operator==(const Lanes4& a, const Lanes4& b) { return compare<_CMP_EQ_OQ>(a, b); }

  friend Lanes4 select(const Mask4& mask, const Lanes4& yes, const Lanes4& no) {
    return Lanes4(_mm256_blendv_pd(no.v, yes.v, mask.v));
  }
  friend Lanes4 root(const Lanes4& x) { return Lanes4(_mm256_sqrt_pd(x.v)); }
  friend Lanes4 magnitude(const Lanes4& x) { return Lanes4(_mm256_andnot_pd(_mm256_set1_pd(-0.0), x.v)); }
  // The instructions return their second operand where neither is the larger.
  friend Lanes4 larger(const Lanes4& a, const Lanes4& b) { return Lanes4(_mm256_max_pd(b.v, a.v)); }
  friend Lanes4 smaller(const Lanes4& a, const Lanes4& b) { return Lanes4(_mm256_min_pd(b.v, a.v)); }
  friend Mask4 is_nan(const Lanes4& x) { return compare<_CMP_UNORD_Q>(x, x); }
};

}  // namespace nsmc::rt
