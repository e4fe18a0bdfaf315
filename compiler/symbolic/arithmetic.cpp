#include "compiler/symbolic/arithmetic.hpp"

#include <cmath>

#include "compiler/support/internal_check.hpp"

namespace nsmc::sym {

namespace {

using std::fabs, std::floor;
double sign(double a) { return a > 0 ? 1.0 : a < 0 ? -1.0 : a; }  // sign(0) = 0, NaN stays NaN
double min(double a, double b) { return a <= b ? a : b; }
double max(double a, double b) { return a <= b ? b : a; }

}  // namespace

bool is_whole(double value) { return std::abs(value) <= 9007199254740992.0 && value == std::floor(value); }
bool is_even(double value) { return is_whole(value) && is_whole(value / 2); }

double power(double base, double exponent) {
  if (exponent == 0.5) return std::sqrt(base);
  if (exponent == -0.5) return 1 / std::sqrt(base);
  if (!is_whole(exponent) || std::abs(exponent) > 64) return std::pow(base, exponent);
  double result = 1;
  double square = base;
  for (auto n = static_cast<unsigned>(std::abs(exponent)); n != 0; n >>= 1, square *= square)
    if (n & 1) result *= square;
  return exponent < 0 ? 1 / result : result;
}

double operation_value(Op op, std::span<const double> args) {
  const auto truth = [](bool condition) { return condition ? 1.0 : 0.0; };
  const double a = args[0];
  const double b = args.size() > 1 ? args[1] : 0;
  switch (op) {
    case Op::add: {
      double sum = a;
      for (std::size_t i = 1; i < args.size(); ++i) sum += args[i];
      return sum;
    }
    case Op::mul: {
      double product = a;
      for (std::size_t i = 1; i < args.size(); ++i) product *= args[i];
      return product;
    }
    case Op::pow: return power(a, b);
#define NSMC_FUNCTION(name, arguments, dimensions, symmetry, value, derivative, latex) \
  case Op::name:                                                                       \
    return value;
#define LIBM1(f) std::f(a)
#define LIBM2(f) std::f(a, b)
#define OPERATIONS(...) __VA_ARGS__
#include "compiler/support/functions.def"
    case Op::less: return truth(a < b);
    case Op::less_equal: return truth(a <= b);
    case Op::equal: return truth(a == b);
    case Op::logic_not: return truth(a == 0);
    case Op::logic_and: return truth(a != 0 && b != 0);
    case Op::logic_or: return truth(a != 0 || b != 0);
    case Op::select: return a != 0 ? b : args[2];
    case Op::constant:
    case Op::symbol:
    case Op::implicit: break;
  }
  internal_check(false, "operation_value: a constant or a symbol has no arguments");
  return 0;
}

}  // namespace nsmc::sym
