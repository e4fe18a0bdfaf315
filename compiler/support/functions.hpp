// The rows of functions.def as far as they are data: what a function of the language is called, takes, and looks like.
// Values and derivatives are code, which the rooms that compute take from the rows themselves.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace nsmc {

enum class Arity : std::uint8_t { one, two, many };

// How a function treats dimensions; numbers that are no physical quantity are pure.
enum class DimensionRule : std::uint8_t {
  pure,           // pure numbers in, a pure number out: sin, exp
  alike,          // all arguments of one dimension, the same out: abs, min, hypot
  alike_to_pure,  // all arguments of one dimension, a pure number out: sign, atan2
  square_root,
  cube_root,
};

enum class Symmetry : std::uint8_t { neither, odd, even, commutes };

struct LatexForm {
  const char* left;   // the command, or what stands before the argument
  const char* right;  // what stands behind it; null: the command has brackets
  bool power_in_front = false;
};

struct ScalarFunction {
  const char* name;
  Arity arity;
  DimensionRule dimensions;
  Symmetry symmetry;
  LatexForm latex;
};

namespace function_rows {
using enum Arity;
using enum DimensionRule;
using enum Symmetry;

constexpr LatexForm command(const char* name) { return {name, nullptr}; }
constexpr LatexForm powered(const char* name) { return {name, nullptr, true}; }
constexpr LatexForm around(const char* left, const char* right) { return {left, right}; }

// In the order of functions.def.
inline constexpr ScalarFunction all[] = {
#define NSMC_FUNCTION(name, arguments, dimensions, symmetry, value, derivative, latex) \
  {#name, arguments, dimensions, symmetry, latex},
#define NSMC_SHORTHAND(name, arguments, dimensions, meaning) \
  {#name, arguments, dimensions, neither, command("\\operatorname{" #name "}")},
#include "compiler/support/functions.def"
};
}  // namespace function_rows

inline constexpr auto& scalar_functions = function_rows::all;

// Null: there is none of this name.
constexpr const ScalarFunction* find_scalar_function(std::string_view name) {
  const auto* found = std::find_if(std::begin(scalar_functions), std::end(scalar_functions),
                                   [&](const ScalarFunction& f) { return name == f.name; });
  return found == std::end(scalar_functions) ? nullptr : found;
}

}  // namespace nsmc
