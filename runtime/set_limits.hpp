// What the kinds of sets ask of the numbers in the kernel table, and the largest sets: projections work on arrays of
// fixed size, and a System accepts no larger set.
#pragma once

#include <cstdint>

#include "runtime/kernel_abi.hpp"

namespace nsmc::rt {

inline constexpr std::uint32_t max_shifted_dim = 16;  // of a set with a centre
inline constexpr std::uint32_t max_function_dim = 6;  // of a set given by a gauge or support function

// ends: of an interval; two: an extent, and what else it takes.
enum class SetArguments { one, two, ends, by_row, corners, with_coefficients };

struct SetKindFacts {
  SetArguments arguments;
  std::uint32_t least_dim, largest_dim;
  bool one_length;   // only the first argument is a length; otherwise all are
  bool by_function;  // given by a kernel
};

// By nsm_set_kind, up to NSM_SET_FACE, which is not of a model.
inline constexpr std::uint32_t any_dim = UINT32_MAX;
inline constexpr SetKindFacts set_kind_facts[NSM_SET_FACE] = {
    {SetArguments::ends, 1, any_dim, false, false},                      // interval
    {SetArguments::one, 1, any_dim, false, false},                       // ball
    {SetArguments::by_row, 1, any_dim, false, false},                    // ellipsoid
    {SetArguments::corners, 2, 2, false, false},                         // polygon
    {SetArguments::with_coefficients, 1, max_function_dim, true, true},  // gauge
    {SetArguments::with_coefficients, 1, max_function_dim, true, true},  // support
    {SetArguments::two, 3, 3, true, false},                              // contensou_parabolic
    {SetArguments::two, 3, 3, true, false},                              // contensou_uniform
};

constexpr bool is_by_function(const nsm_set& set) {
  return set.kind < NSM_SET_FACE && set_kind_facts[set.kind].by_function;
}

constexpr bool fits_number_of_arguments(const nsm_set& set) {
  switch (set_kind_facts[set.kind].arguments) {
    case SetArguments::one: return set.n_arguments == 1;
    case SetArguments::two:
    case SetArguments::ends: return set.n_arguments == 2;
    case SetArguments::by_row: return set.n_arguments == set.dim;
    case SetArguments::corners: return set.n_arguments >= 2 && set.n_arguments % 2 == 0;
    case SetArguments::with_coefficients: return set.n_arguments >= 1;
  }
  return false;
}

}  // namespace nsmc::rt
