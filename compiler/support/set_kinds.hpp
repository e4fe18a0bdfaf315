// The kinds of sets, the same from the model to the kernel table: nodes of the typed model, sets of a law in normal
// form and nsm_set::kind have these numbers.
#pragma once

#include <cstdint>

namespace nsmc {

enum class SetKind : std::uint8_t {
  // Sets that are projected on, in the order of nsm_set_kind (compiler/codegen/plan_contacts.cpp holds them against
  // each other).
  interval,
  ball,
  ellipsoid,
  polygon,
  gauge,    // {x : k(x) <= 1}
  support,  // the set with the support function Phi
  contensou_parabolic,
  contensou_uniform,
  // Sets that are expressed by these.
  superellipse,
  intersection,
  union_of,  // star-shaped about the origin, and not convex as a rule: a reservoir of forces
  product,
  map,
  scale,
  shift,
};

constexpr bool is_simple(SetKind kind) { return kind <= SetKind::contensou_uniform; }
constexpr bool is_contensou(SetKind kind) {
  return kind == SetKind::contensou_parabolic || kind == SetKind::contensou_uniform;
}
// By a function that becomes a kernel.
constexpr bool is_by_function(SetKind kind) { return kind == SetKind::gauge || kind == SetKind::support; }

}  // namespace nsmc
