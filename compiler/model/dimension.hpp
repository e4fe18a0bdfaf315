// Physical dimensions and units. A dimension is a product of powers of the SI base dimensions; angles are pure
// numbers. A unit is a factor to SI and a dimension.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/support/diagnostics.hpp"
#include "compiler/syntax/unit.hpp"

namespace nsmc {

class Dimension {
 public:
  constexpr Dimension() = default;  // dimensionless
  constexpr Dimension(int mass, int length, int time, int current = 0, int temperature = 0, int amount = 0,
                      int light = 0)
      : exponents_{scaled(mass),        scaled(length), scaled(time), scaled(current),
                   scaled(temperature), scaled(amount), scaled(light)} {}

  // The dimension of a literal zero, which fits every other: max(0, x), initial z' = 0.
  static constexpr Dimension any() {
    Dimension d;
    d.any_ = true;
    return d;
  }

  bool is_any() const { return any_; }
  bool is_dimensionless() const { return any_ || *this == Dimension{}; }
  bool fits(const Dimension& other) const { return any_ || other.any_ || *this == other; }
  // x^(numerator/denominator); nothing if the exponents leave the twelfths that nsmc counts in.
  std::optional<Dimension> power(long numerator, long denominator) const;

  friend Dimension operator*(const Dimension& a, const Dimension& b) { return combine(a, b, 1); }
  friend Dimension operator/(const Dimension& a, const Dimension& b) { return combine(a, b, -1); }
  friend bool operator==(const Dimension&, const Dimension&) = default;

  // "kg m^2/s^2", "1" for a pure number.
  std::string text() const;
  // "energy (J = kg m^2/s^2)" where the dimension has a usual name, else text().
  std::string description() const;

 private:
  static constexpr std::int16_t kParts = 12;  // exponents are counted in twelfths: roots up to the fourth are exact
  static constexpr std::int16_t scaled(int exponent) { return static_cast<std::int16_t>(exponent * kParts); }
  static Dimension combine(const Dimension& a, const Dimension& b, int sign);

  std::array<std::int16_t, 7> exponents_{};  // kg, m, s, A, K, mol, cd
  bool any_ = false;
};

namespace dimensions {
inline constexpr Dimension length{0, 1, 0};
inline constexpr Dimension time{0, 0, 1};
inline constexpr Dimension energy{1, 2, -2};
inline constexpr Dimension power{1, 2, -3};
inline constexpr Dimension mass{1, 0, 0};
inline constexpr Dimension inertia{1, 2, 0};
inline constexpr Dimension velocity{0, 1, -1};
inline constexpr Dimension spin{0, 0, -1};
inline constexpr Dimension acceleration{0, 1, -2};
inline constexpr Dimension force{1, 1, -2};
inline constexpr Dimension torque{1, 2, -2};
}  // namespace dimensions

struct UnitValue {
  double factor = 1;  // to SI
  Dimension dimension;
};

// A single unit name with or without an SI prefix: "kg", "mm", "rpm".
std::optional<UnitValue> find_unit(std::string_view name);

// All of them, with the prefixes that are usual in mechanics.
std::vector<std::string> usual_units();

// A unit expression of the source; unknown names are reported and count as 1.
UnitValue resolve(const ast::Unit& unit, Diagnostics& diagnostics);

// "kg m^2/s" as the user wrote it, normalised.
std::string unit_text(const ast::Unit& unit);

}  // namespace nsmc
