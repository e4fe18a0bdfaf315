// The equations of motion of a model, as scalar expressions:
//     M u' - h - sum W_i lambda_i = 0,   q' = F u,   gamma_i = W_i^T u + chi_i          [Möller 2009, (10)]
// and its force laws in the form  B gamma + D lambda in N_{A K}(-lambda)  with K a product of simple sets.
#pragma once

#include <optional>
#include <string>
#include <vector>

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

// Where a part of h comes from, for the reader of the equations.
struct ForceContribution {
  std::string source;
  std::vector<sym::Expr> h;
};

enum class SimpleSetKind { interval, ball, ellipsoid, polygon, gauge, support };

struct SimpleSet {
  SimpleSetKind kind{};
  std::size_t dim = 1;
  // interval: a, b; ball: r; ellipsoid: semi-axes; polygon: corners; gauge and support: s, a factor on the whole set
  std::vector<sym::Expr> arguments;
  std::vector<sym::Expr> centre;  // empty: the origin
  // Gauge and support sets: k or Phi at the point x, whose components are the symbols set_point(pool, i).
  sym::Expr function;
  Span span;  // where the function is written
};

// The i-th component of the point at which a gauge or support function is taken.
sym::Expr set_point(sym::ExprPool& pool, std::size_t i);

// B gamma + D lambda in N_{A*K}(-alpha*lambda), gamma = the contact velocities that lambda is dual to.
struct LawEquation {
  std::string name;
  Span span, left_span, set_span, argument_span;  // where the contact uses it, and its parts
  std::size_t first = 0, size = 0;                // rows within the contact
  std::vector<std::size_t> velocities;            // rows of the contact's gamma
  std::vector<std::string> force_names;           // one for each row: "N", "T[1]"
  Matrix B, D, A;
  bool identity_B = true, zero_D = true, identity_A = true;
  std::optional<sym::Expr> alpha;  // absent: 1 [Walker 2017, (21)]
  bool direct = false;             // `solve direct`
  bool positive_sign = false;      // written with +lambda: turned round, -left in N_{-C}(-lambda)
  std::vector<SimpleSet> sets;     // arguments in the contact's forces lambda
  std::vector<sym::Expr> restitution;
};

struct ContactEquation {
  std::string name, doc;
  bool always_closed = false;  // no gap, or bilateral
  std::optional<sym::Expr> gap;
  std::vector<std::string> velocity_names;  // "gap'", "slip[1]", ...
  std::vector<sym::Expr> gamma, chi, zeta;
  Matrix W;  // n_u x gamma
  std::vector<LawEquation> laws;
  std::vector<sym::Expr> lambda;  // user's force symbols, one for each row
  std::vector<std::string> force_dimensions;
};

struct OutputEquation {
  std::string name, doc, dimension;
  sym::Expr value;
};

struct SettingsEquation {
  std::optional<sym::Expr> until, step, omega, tolerance, max_iterations, record, every;
  std::string method, solver;
};

struct Equations {
  std::string name, doc;
  std::vector<ParameterEquation> parameters;
  std::vector<std::size_t> parameter_order;  // each after those that its default needs
  std::vector<VariableEquation> q, u;
  sym::Expr t;
  std::vector<sym::Expr> q_dot;  // F u
  Matrix F;                      // n_q x n_u
  bool identity_kinematics = true;
  Matrix M;
  std::vector<sym::Expr> h;
  std::vector<ForceContribution> contributions;
  sym::Expr kinetic, potential;
  std::vector<ContactEquation> contacts;
  std::vector<OutputEquation> outputs;
  SettingsEquation settings;
};

// Symbols that stand for something while equations are derived. User forces keep theirs to the end: force symbol
// kUserForce + i is row i of all contacts' forces, one after another.
inline constexpr std::uint32_t kUserForce = 1U << 24U;

}  // namespace nsmc
