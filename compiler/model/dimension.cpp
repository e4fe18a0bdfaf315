#include "compiler/model/dimension.hpp"

#include <fmt/core.h>

#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "compiler/support/habits.hpp"

namespace nsmc {
namespace {

struct NamedUnit {
  std::string_view name;
  double factor;
  Dimension dimension;
  bool prefixes;  // takes SI prefixes
};

constexpr double kPi = std::numbers::pi;

// The base units, the derived units of the SI that mechanics meets, and the customary ones beside them.
constexpr NamedUnit kUnits[] = {
    {"m", 1, {0, 1, 0}, true},
    {"g", 1e-3, {1, 0, 0}, true},
    {"s", 1, {0, 0, 1}, true},
    {"A", 1, {0, 0, 0, 1}, true},
    {"K", 1, {0, 0, 0, 0, 1}, true},
    {"mol", 1, {0, 0, 0, 0, 0, 1}, true},
    {"cd", 1, {0, 0, 0, 0, 0, 0, 1}, true},
    {"rad", 1, {}, true},
    {"sr", 1, {}, false},
    {"deg", kPi / 180, {}, false},
    {"°", kPi / 180, {}, false},
    {"rev", 2 * kPi, {}, false},
    {"rpm", 2 * kPi / 60, {0, 0, -1}, false},
    {"Hz", 1, {0, 0, -1}, true},
    {"N", 1, {1, 1, -2}, true},
    {"Pa", 1, {1, -1, -2}, true},
    {"bar", 1e5, {1, -1, -2}, true},
    {"J", 1, {1, 2, -2}, true},
    {"W", 1, {1, 2, -3}, true},
    {"C", 1, {0, 0, 1, 1}, true},
    {"V", 1, {1, 2, -3, -1}, true},
    {"Ω", 1, {1, 2, -3, -2}, true},
    {"ohm", 1, {1, 2, -3, -2}, true},
    {"F", 1, {-1, -2, 4, 2}, true},
    {"H", 1, {1, 2, -2, -2}, true},
    {"T", 1, {1, 0, -2, -1}, true},
    {"Wb", 1, {1, 2, -2, -1}, true},
    {"min", 60, {0, 0, 1}, false},
    {"h", 3600, {0, 0, 1}, false},
    {"d", 86400, {0, 0, 1}, false},
    {"t", 1e3, {1, 0, 0}, false},
    {"L", 1e-3, {0, 3, 0}, true},
    {"l", 1e-3, {0, 3, 0}, true},
};

struct Prefix {
  std::string_view name;
  double factor;
};
constexpr Prefix kPrefixes[] = {
    {"da", 1e1}, {"Y", 1e24}, {"Z", 1e21}, {"E", 1e18},  {"P", 1e15},  {"T", 1e12},  {"G", 1e9},
    {"M", 1e6},  {"k", 1e3},  {"h", 1e2},  {"d", 1e-1},  {"c", 1e-2},  {"m", 1e-3},  {"µ", 1e-6},
    {"μ", 1e-6}, {"u", 1e-6}, {"n", 1e-9}, {"p", 1e-12}, {"f", 1e-15}, {"a", 1e-18}, {"z", 1e-21},
};

const NamedUnit* find_named(std::string_view name) {
  for (const NamedUnit& unit : kUnits) {
    if (unit.name == name) return &unit;
  }
  return nullptr;
}

struct Quantity {
  Dimension dimension;
  std::string_view name;
  std::string_view unit;
};
constexpr Quantity kQuantities[] = {
    {{1, 0, 0}, "mass", "kg"},
    {{0, 1, 0}, "length", "m"},
    {{0, 0, 1}, "time", "s"},
    {{0, 1, -1}, "velocity", "m/s"},
    {{0, 0, -1}, "angular velocity", "rad/s"},
    {{0, 1, -2}, "acceleration", "m/s^2"},
    {{1, 1, -2}, "force", "N"},
    {{1, 1, -1}, "impulse", "N s"},
    {{1, 2, -2}, "energy or torque", "J"},
    {{1, 2, -3}, "power", "W"},
    {{1, 2, 0}, "moment of inertia", "kg m^2"},
    {{1, 0, -2}, "stiffness", "N/m"},
    {{1, 0, -1}, "damping", "N s/m"},
    {{1, -1, -2}, "pressure", "Pa"},
    {{0, 2, 0}, "area", "m^2"},
    {{0, 3, 0}, "volume", "m^3"},
};

std::string power_text(std::string_view name, int twelfths) {
  const int divisor = std::gcd(twelfths, 12);
  const int numerator = twelfths / divisor;
  const int denominator = 12 / divisor;
  if (denominator != 1) return fmt::format("{}^({}/{})", name, numerator, denominator);
  if (numerator != 1) return fmt::format("{}^{}", name, numerator);
  return std::string(name);
}

}  // namespace

std::optional<Dimension> Dimension::power(long numerator, long denominator) const {
  Dimension result = *this;
  for (std::int16_t& exponent : result.exponents_) {
    const long product = exponent * numerator;
    if (denominator == 0 || product % denominator != 0) return std::nullopt;
    const long value = product / denominator;
    if (std::abs(value) > 1200) return std::nullopt;
    exponent = static_cast<std::int16_t>(value);
  }
  return result;
}

Dimension Dimension::combine(const Dimension& a, const Dimension& b, int sign) {
  Dimension result;
  result.any_ = a.any_ || b.any_;
  if (result.any_) return any();
  for (std::size_t i = 0; i < result.exponents_.size(); ++i) {
    result.exponents_[i] = static_cast<std::int16_t>(a.exponents_[i] + sign * b.exponents_[i]);
  }
  return result;
}

std::string Dimension::text() const {
  static constexpr std::string_view kNames[] = {"kg", "m", "s", "A", "K", "mol", "cd"};
  std::string numerator;
  std::string denominator;
  int below = 0;
  for (std::size_t i = 0; i < exponents_.size(); ++i) {
    const int exponent = exponents_[i];
    if (exponent == 0) continue;
    std::string& part = exponent > 0 ? numerator : denominator;
    if (exponent < 0) ++below;
    part += (part.empty() ? "" : " ") + power_text(kNames[i], std::abs(exponent));
  }
  if (numerator.empty()) numerator = "1";
  if (denominator.empty()) return numerator;
  return numerator + "/" + (below > 1 ? "(" + denominator + ")" : denominator);
}

std::string Dimension::description() const {
  if (is_dimensionless()) return "a pure number";
  for (const Quantity& quantity : kQuantities) {
    if (quantity.dimension == *this) {
      return quantity.unit == text() ? fmt::format("{} [{}]", quantity.name, quantity.unit)
                                     : fmt::format("{} [{} = {}]", quantity.name, quantity.unit, text());
    }
  }
  return "[" + text() + "]";
}

std::optional<UnitValue> find_unit(std::string_view name) {
  // A unit's own name comes before prefixes: min is a minute, not a milli-inch; Pa is not a peta-ampere-something.
  if (const NamedUnit* unit = find_named(name)) return UnitValue{unit->factor, unit->dimension};
  for (const Prefix& prefix : kPrefixes) {
    if (!name.starts_with(prefix.name)) continue;
    const NamedUnit* unit = find_named(name.substr(prefix.name.size()));
    if (unit != nullptr && unit->prefixes) return UnitValue{prefix.factor * unit->factor, unit->dimension};
  }
  return std::nullopt;
}

std::vector<std::string> usual_units() {
  std::vector<std::string> names;
  for (const NamedUnit& unit : kUnits) {
    names.emplace_back(unit.name);
    if (!unit.prefixes) continue;
    for (const char* prefix : {"k", "m", "c", "u"}) names.push_back(prefix + std::string(unit.name));
  }
  return names;
}

UnitValue resolve(const ast::Unit& unit, Diagnostics& diagnostics) {
  UnitValue result;
  for (const ast::UnitFactor& factor : unit.factors) {
    const auto found = find_unit(factor.name);
    if (!found) {
      const std::optional<Advice> known = habit(HabitOf::unit, factor.name);
      diagnostics.report(Kind::unknown_unit, factor.span, fmt::format("unknown unit '{}'", factor.name),
                         known ? known->hint : did_you_mean(factor.name, usual_units()));
      result.dimension = Dimension::any();  // what follows from it is no second error
      continue;
    }
    const auto dimension = found->dimension.power(factor.numerator, factor.denominator);
    if (!dimension) {
      diagnostics.report(Kind::unknown_unit, factor.span,
                         fmt::format("exponents of units are multiples of 1/12 up to 100, '{}' has {}/{}", factor.name,
                                     factor.numerator, factor.denominator));
      continue;
    }
    const bool whole = factor.denominator == 1;
    const double exponent = static_cast<double>(factor.numerator) / factor.denominator;
    result.factor *= whole && factor.numerator == 1 ? found->factor : std::pow(found->factor, exponent);
    result.dimension = result.dimension * *dimension;
  }
  return result;
}

std::string unit_text(const ast::Unit& unit) {
  std::string text;
  for (const ast::UnitFactor& factor : unit.factors) {
    const bool below = factor.numerator < 0;
    const int numerator = below ? -factor.numerator : factor.numerator;
    text += below ? (text.empty() ? "1/" : "/") : (text.empty() ? "" : " ");
    text += factor.name;
    if (factor.denominator != 1) {
      text += fmt::format("^({}/{})", numerator, factor.denominator);
    } else if (numerator != 1) {
      text += fmt::format("^{}", numerator);
    }
  }
  return text.empty() ? "1" : text;
}

}  // namespace nsmc
