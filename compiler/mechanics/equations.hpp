// The equations of motion of a model, as scalar expressions:
//     M u' - h - sum W_i lambda_i = 0,   q' = F u,   gamma_i = W_i^T u + chi_i          [Möller 2009, (10)]
// and its force laws in the form  B gamma + D lambda in N_{A K}(-lambda)  with K a product of simple sets.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/mechanics/simple_set.hpp"
#include "compiler/model/instances.hpp"
#include "compiler/model/settings.hpp"
#include "compiler/model/signal_kind.hpp"
#include "compiler/model/typed_model.hpp"
#include "compiler/support/source.hpp"
#include "compiler/symbolic/expr.hpp"

namespace nsmc {

// Dense and row-major; small.
struct Matrix {
  std::size_t rows = 0, cols = 0;
  std::vector<sym::Expr> entries;
  sym::Expr& operator()(std::size_t i, std::size_t j) { return entries[i * cols + j]; }
  sym::Expr operator()(std::size_t i, std::size_t j) const { return entries[i * cols + j]; }
};

struct ParameterEquation {
  std::string name, doc, unit, dimension;
  sym::Expr symbol, value;  // its default, in other parameters
  Span span;
};

struct VariableEquation {  // a coordinate or a velocity
  std::string name, doc, dimension;
  sym::Expr symbol, initial;  // initial: in parameters
  Span span;
};

struct SignalEquation {
  std::string name, doc, dimension;
  SignalKind kind{};
  sym::Expr symbol, initial, rate;  // initial: in parameters; rate: 0 if it is no state
  Span span;
};

struct EventTarget {
  bool velocity = false;
  std::size_t block = 0, number = 0;  // a velocity of this block, or a signal
};

struct EventEquation {
  EventKind kind{};
  std::string doc;
  sym::Expr condition, margin;  // of when and stop
  sym::Expr interval;           // of every
  std::vector<EventTarget> targets;
  std::vector<sym::Expr> values;
  Span span;
};

// What a part of h does to the energy.
enum class ForceKind : std::uint8_t { conservative, dissipation, given };

// Where a part of h comes from.
struct ForceContribution {
  std::string source;
  ForceKind kind{};
  std::vector<sym::Expr> h;
};

// The set C of a two-set law, alpha = 1/(k_D - k_C + 1) with D the set of its normal cone [Walker 2017, (22)].
struct Reservoir {
  sym::Expr k_C, k_D;           // in the law's own forces
  Matrix A;                     // C = A*(K_1 x ...), as in SetForm; empty if it has no such form
  std::vector<SimpleSet> sets;  // not convex perhaps
};

// B gamma + D lambda in N_{A*K}(-alpha*lambda), gamma = the contact velocities that lambda is dual to.
struct LawEquation {
  std::string name;
  Span span, inclusion, left_span, set_span, argument_span;  // where the contact uses it, where it is written
  std::size_t first = 0, size = 0;                           // rows within the contact
  std::vector<std::size_t> velocities;                       // rows of the contact's gamma
  std::vector<std::string> force_names;                      // one for each row: "N", "T[1]"
  Matrix B, D, A;
  bool identity_B = true, zero_D = true, identity_A = true;
  std::optional<sym::Expr> alpha;  // absent: 1 [Walker 2017, (21)]
  std::optional<Reservoir> reservoir;
  bool direct = false;          // `solve direct`
  bool positive_sign = false;   // written with +lambda: turned round, -left in N_{-C}(-lambda)
  std::vector<SimpleSet> sets;  // arguments in the contact's forces lambda
  std::vector<sym::Expr> restitution;
};

// An instance of a block as an expression sees it: the block itself, or bead[i + 1]. The symbols of its coordinates
// and velocities are numbered by variable_index().
struct Reference {
  std::size_t block = 0;
  std::optional<sym::Expr> index;  // in the numbers of the instance that looks; absent: a single block
  Span span;
};

// A block of the mass matrix, with the forces that depend on it alone.
struct BlockEquation {
  std::string name, doc;  // patterns, see with_index()
  Instances instances;
  std::vector<VariableEquation> q, u;
  std::vector<sym::Expr> q_dot;  // F u
  Matrix F;                      // n_q x n_u
  bool identity_kinematics = true;
  std::optional<std::size_t> quaternion;  // where in q a unit quaternion stands
  Matrix M;
  std::vector<sym::Expr> h;
  std::vector<ForceContribution> contributions;
  sym::Expr kinetic, potential;
  bool given_mass = false;  // M was given, and with it what inertia adds to h
  Span span;
};

// A smooth force on one or two blocks that stands in no block's own h: a spring between two bodies.
struct ElementEquation {
  std::string source;
  ForceKind kind{};
  Instances instances;
  std::vector<std::size_t> references;
  std::vector<std::vector<sym::Expr>> h;  // by reference
  sym::Expr potential;
};

// A length of a shape, component by component.
struct MeasureEquation {
  std::vector<sym::Expr> value;
  Span span;
  std::string name;
  bool zero = false;  // it may be 0
};

// The shapes that families are searched among, and what their size is (TypedShapes), in the view of one of them.
struct ShapesEquation {
  Instances instances;
  bool half_space = false;
  std::vector<std::size_t> references;  // none or one
  std::vector<sym::Expr> bounds;
};

struct ContactEquation {
  std::string name, doc;
  Instances instances;
  std::vector<std::size_t> references;      // the one or two that it touches
  bool always_closed = false;               // no gap, or bilateral
  std::optional<sym::Expr> active;          // a condition: it acts while it holds
  std::vector<sym::Expr> gap;               // one value; a bilateral constraint may have several; or none
  std::vector<std::string> velocity_names;  // "gap'", "slip[1]", ...
  std::vector<sym::Expr> gamma, chi;
  Matrix W;  // velocities of the references, one after another, x gamma
  std::vector<LawEquation> laws;
  std::vector<MeasureEquation> measures;  // of its shapes
  std::optional<TypedFamily> family;      // its instances come and go
  std::vector<sym::Expr> lambda;          // user's force symbols, one for each row
  std::vector<std::string> force_dimensions;
};

// The forces of a contact as an expression outside of it sees them: c[3].N.
struct ForceReference {
  std::size_t contact = 0;
  std::vector<sym::Expr> indices;
};

struct OutputEquation {
  std::string name, doc, dimension;
  Instances instances;
  sym::Expr value;
};

struct Equations {
  std::string name, doc;
  std::vector<ParameterEquation> parameters;
  std::vector<std::size_t> parameter_order;  // each after those that its default needs
  sym::Expr t;
  std::vector<SignalEquation> signals;        // seen by all expressions, by their number
  std::vector<Reference> references;          // the first ones are the blocks themselves
  std::vector<std::vector<sym::Expr>> q_dot;  // by reference
  std::vector<BlockEquation> blocks;
  std::vector<ElementEquation> elements;
  std::vector<ContactEquation> contacts;
  std::vector<ShapesEquation> shapes;            // of families
  std::vector<ForceReference> force_references;  // the first ones are the contacts themselves
  std::vector<EventEquation> events;
  std::vector<OutputEquation> outputs;
  SettingValues<sym::Expr> settings;
};

// zeta of velocities gamma = W^T u + chi on these references: d/dt gamma - W^T u'. What only the acceleration level
// needs is derived when it is asked for: for contacts between shapes it is most of the work.
std::vector<sym::Expr> zeta_of(sym::ExprPool& pool, const Equations& equations,
                               const std::vector<std::size_t>& references, const std::vector<sym::Expr>& gamma);

std::size_t coordinate_count(const Equations& equations);  // of all instances
std::size_t velocity_count(const Equations& equations);
std::size_t contact_count(const Equations& equations);

// Coordinate and velocity symbols: which variable of a block, seen through which reference.
constexpr std::uint32_t variable_index(std::size_t reference, std::size_t variable) {
  return static_cast<std::uint32_t>(reference << 9U | variable);
}
constexpr std::size_t reference_of(std::uint32_t index) { return index >> 9U; }
constexpr std::size_t variable_of(std::uint32_t index) { return index & 511U; }

// Symbols of user forces: which row of a contact. An instance of an array seen from outside has a number of its own
// beyond those of the contacts, see Equations::force_references.
inline constexpr std::uint32_t kUserForce = 1U << 24U;
constexpr std::uint32_t force_index(std::size_t contact, std::size_t row) {
  return static_cast<std::uint32_t>(kUserForce + (contact << 8U) + row);
}
constexpr std::size_t force_contact(std::uint32_t index) { return (index - kUserForce) >> 8U; }
constexpr std::size_t force_row(std::uint32_t index) { return (index - kUserForce) & 255U; }

}  // namespace nsmc
