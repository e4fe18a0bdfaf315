// The symbolic expression DAG: scalar expressions as ids into a pool, hash-consed and immutable. Two expressions
// that the pool finds equal have one id, so common subexpressions are shared by construction.
//
// Normal form. add: n-ary, like terms collected (2x + 3x = 5x), constants folded, at most one constant, first.
// mul: n-ary, powers of one base with constant exponents collected, numeric coefficient first. a - b is
// a + (-1)*b, a/b is a*b^-1, sqrt(x) is x^0.5. Simplification is exact: where the original is defined, the
// value is the same (up to rounding); no x^2^0.5 -> x, no log(exp) games.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/support/functions.hpp"

namespace nsmc::sym {

enum class Op : std::uint8_t {
  constant,
  symbol,
  add,
  mul,
  pow,
#define NSMC_FUNCTION(name, ...) name,
#include "compiler/support/functions.def"
  less,
  less_equal,
  equal,
  logic_not,
  logic_and,
  logic_or,  // conditions: 1 or 0
  select,    // select(condition, then, else)
  implicit,  // a value or derivative of an ImplicitGauge: implicit(number, component, x_1 ..., coefficients ...)
};

struct Expr {
  std::uint32_t id = 0;
  friend bool operator==(Expr, Expr) = default;
};

// Functions are the operations between pow and less, in the order of functions.def.
inline constexpr int first_function = static_cast<int>(Op::pow) + 1;
// The row of a function; null for other operations.
constexpr const ScalarFunction* function_of(Op op) {
  return op > Op::pow && op < Op::less ? &scalar_functions[static_cast<int>(op) - first_function] : nullptr;
}
// The operation with this name; nothing if there is none, or if it is a shorthand for others.
constexpr std::optional<Op> function_named(std::string_view name) {
  const ScalarFunction* row = find_scalar_function(name);
  if (row == nullptr) return std::nullopt;
  const auto op = static_cast<Op>(first_function + (row - scalar_functions));
  return op < Op::less ? std::optional(op) : std::nullopt;
}

// Where a symbol's value comes from at run time; codegen turns it into a load.
// signal: of states, discrete variables and inputs, which every kernel sees.
enum class Source : std::uint8_t { parameter, time, coordinate, velocity, force, instance, signal };

struct Symbol {
  std::string name;  // as the user wrote it: "z", "z'", "table.N", "T[1]"
  Source source{};
  std::uint32_t index = 0;  // within its source
};

// What a function of the runtime finds: a gauge k(x; c) that is the solution of an equation
// (runtime/sets/by_function/implicit_gauge.hpp), whose component 0 is k, then come the gradient and the Hessian in x;
// or how two solids touch (runtime/collision/kernel.hpp), with its values and slopes as components.
struct ImplicitGauge {
  enum Kind : std::uint8_t {
    polar,      // of the support function `body`
    shifted,    // of the gauge function `body`, moved by the first dim of the coefficients
    parabolic,  // Coulomb-Contensou friction, moved by its dim coefficients; no body
    uniform,
    touch,  // all arguments are coefficients; no body
    table,  // the same: a function of the runtime of one or two arguments, whose components are its derivatives
  };
  Kind kind = polar;
  std::uint32_t dim = 0;
  Expr body;  // at the force symbols 0 ... dim - 1, with the instance symbols 0 ... as coefficients
  // body, its gradient and its Hessian, and all nodes that these need; filled by the pool
  std::vector<Expr> outputs{}, order{};
  std::vector<double> shapes{};  // of a touch or a table: what does not change
  std::string name{};            // of a table
};

// More work than one model may ask for: a bound for time and memory that is the same on every machine.
struct TooLarge : std::runtime_error {
  TooLarge();
};
// Operands that a pool looks at, for all that is made of a model: about half a minute, and a gigabyte.
inline constexpr std::uint64_t most_operands = 30'000'000;

// What makes an expression throws TooLarge once all of them together took more than most_operands.
class ExprPool {
 public:
  ExprPool();
  ~ExprPool();
  ExprPool(const ExprPool&) = delete;
  ExprPool& operator=(const ExprPool&) = delete;

  Expr constant(double value);
  // One id for each (source, index); the name of the first call is kept.
  Expr symbol(Source source, std::uint32_t index, std::string_view name);

  Expr add(std::span<const Expr> terms);
  Expr add(Expr a, Expr b);
  Expr sub(Expr a, Expr b);
  Expr neg(Expr a);
  Expr mul(std::span<const Expr> factors);
  Expr mul(Expr a, Expr b);
  Expr div(Expr a, Expr b);
  Expr pow(Expr base, Expr exponent);
  Expr sqrt(Expr a);
  Expr call(Op op, Expr a);          // a function of one argument, logic_not
  Expr call(Op op, Expr a, Expr b);  // a function of two arguments, a condition
  Expr select(Expr condition, Expr then_value, Expr else_value);
  // The number of such a gauge; equal ones have one number.
  std::uint32_t add_implicit(ImplicitGauge gauge);
  const ImplicitGauge& implicit(std::uint32_t number) const;
  std::size_t implicit_count() const;
  // arguments: x, then the coefficients.
  Expr implicit(std::uint32_t number, std::uint32_t component, std::span<const Expr> arguments);
  // The gauge that a node of Op::implicit belongs to.
  const ImplicitGauge& implicit_of(Expr e) const;

  Op op(Expr e) const;
  std::span<const Expr> args(Expr e) const;  // valid until the pool grows
  double value(Expr e) const;                // of a constant
  const Symbol& symbol(Expr e) const;        // of a symbol
  bool is_constant(Expr e) const { return op(e) == Op::constant; }
  bool is_constant(Expr e, double value) const;
  std::size_t size() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// All nodes that the roots need, each after its arguments; no recursion, each node once. Deterministic.
std::vector<Expr> topological_order(const ExprPool& pool, std::span<const Expr> roots);

// True if `e` contains a symbol for which `which` holds.
bool depends_on(const ExprPool& pool, Expr e, const std::function<bool(const Symbol&)>& which);

// Replaces symbols (and only symbols) by expressions; `map` returns the symbol itself to keep it.
std::vector<Expr> substitute(ExprPool& pool, std::span<const Expr> roots, const std::function<Expr(Expr symbol)>& map);

// The operation `op` (neither constant nor symbol) on `args`, in normal form: what a pass calls to rebuild a node.
// `args` must not be a span into the pool.
Expr rebuild(ExprPool& pool, Op op, std::span<const Expr> args);

// d e_i / d symbol_j as rows of a Jacobian, row-major: result[i*symbols.size() + j].
// Derivatives at kinks: abs' = sign, min and max take the branch, sign' = 0, select differentiates its branches.
std::vector<Expr> jacobian(ExprPool& pool, std::span<const Expr> exprs, std::span<const Expr> symbols);
Expr derivative(ExprPool& pool, Expr e, Expr symbol);

// The interpreter: the oracle that every compiled kernel is tested against.
std::vector<double> evaluate(const ExprPool& pool, std::span<const Expr> roots,
                             const std::function<double(const Symbol&)>& value);
double evaluate(const ExprPool& pool, Expr root, const std::function<double(const Symbol&)>& value);

// Readable infix ("m*g*cos(phi)"), and LaTeX. Output is linear in the size of the DAG only if the caller names
// shared subexpressions; `limit` caps the length (the rest is "...").
std::string to_infix(const ExprPool& pool, Expr e, std::size_t limit = 2000);
std::string to_latex(const ExprPool& pool, Expr e, std::size_t limit = 2000);

// A name of the model as LaTeX: mu1 -> \mu_{1}, z' -> \dot{z}, T[1] -> T_{1}, table.N -> N_{\mathrm{table}}.
std::string latex_name(std::string_view name);

}  // namespace nsmc::sym
