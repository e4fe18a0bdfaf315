// Infix and LaTeX text.
#include <doctest/doctest.h>

#include <numbers>

#include "tests/unit/symbolic/fixture.hpp"

using namespace nsmc::sym;
using nsmc::sym::test::Fixture;

TEST_CASE_FIXTURE(Fixture, "infix") {
  const auto text = [&](Expr e) { return to_infix(pool, e); };
  CHECK(text(pool.mul(cos(x), pool.mul(m, g))) == "m*g*cos(x)");
  CHECK(text(pool.div(pool.mul(m, g), pool.add(x, y))) == "m*g/(x + y)");
  CHECK(text(pool.div(m, pool.mul(x, y))) == "m/(x*y)");
  CHECK(text(pool.div(c(1), x)) == "1/x");
  CHECK(text(pool.div(c(1), pool.sqrt(x))) == "1/sqrt(x)");
  CHECK(text(pool.div(m, square(x))) == "m/x^2");
  CHECK(text(pool.sub(x, c(1))) == "x - 1");
  CHECK(text(pool.sub(y, x)) == "y - x");
  CHECK(text(pool.neg(pool.add(x, y))) == "-(x + y)");
  CHECK(text(pool.sub(pool.neg(x), y)) == "-x - y");
  CHECK(text(square(pool.add(x, y))) == "(x + y)^2");
  CHECK(text(square(pool.neg(x))) == "x^2");
  CHECK(text(pool.pow(x, pool.neg(m))) == "x^(-m)");
  CHECK(text(pool.pow(pool.pow(x, m), g)) == "(x^m)^g");
  CHECK(text(pool.pow(c(-2), x)) == "(-2)^x");
  CHECK(text(pool.mul(c(0.5), pool.mul(m, square(x)))) == "0.5*m*x^2");
  CHECK(text(c(1.0 / 3)) == "0.3333333333333333");
  CHECK(text(pool.call(Op::atan2, y, x)) == "atan2(y, x)");
  CHECK(text(pool.call(Op::max, x, pool.neg(y))) == "max(x, -y)");
  const Expr less = pool.call(Op::less, x, c(0));
  const Expr equal = pool.call(Op::equal, x, y);
  CHECK(text(pool.call(Op::logic_or, less, equal)) == "x < 0 or x == y");
  CHECK(text(pool.call(Op::logic_and, pool.call(Op::logic_or, less, equal), pool.call(Op::less, y, z))) ==
        "(x < 0 or x == y) and y < z");
  CHECK(text(pool.call(Op::logic_not, less)) == "not (x < 0)");
  CHECK(text(pool.select(less, x, pool.select(equal, y, z))) == "piecewise { x < 0 : x, x == y : y, else : z }");
  CHECK(text(pool.mul(m, pool.select(less, x, y))) == "m*(piecewise { x < 0 : x, else : y })");
  CHECK(to_infix(pool, pool.add(x, pool.add(y, z)), 5) == "x + y...");
}

TEST_CASE("names in LaTeX") {
  CHECK(latex_name("x") == "x");
  CHECK(latex_name("x1") == "x_{1}");
  CHECK(latex_name("mu") == "\\mu");
  CHECK(latex_name("μ") == "\\mu");
  CHECK(latex_name("θ") == "\\theta");
  CHECK(latex_name("mu1") == "\\mu_{1}");
  CHECK(latex_name("θ2'") == "\\dot{\\theta}_{2}");
  CHECK(latex_name("z'") == "\\dot{z}");
  CHECK(latex_name("z''") == "\\ddot{z}");
  CHECK(latex_name("T[1]") == "T_{1}");
  CHECK(latex_name("T[1,2]'") == "\\dot{T}_{1,2}");
  CHECK(latex_name("table.N") == "N_{\\mathrm{table}}");
  CHECK(latex_name("mass") == "\\mathrm{mass}");
  CHECK(latex_name("lambda_N") == "\\lambda_{N}");
  CHECK(latex_name("a_b_c") == "a_{\\mathrm{b\\_c}}");
  CHECK(latex_name("_") == "\\mathrm{\\_}");
  CHECK(latex_name("top.position[2]") == "x_{2,\\mathrm{top}}");
  CHECK(latex_name("top.quaternion[1]") == "e_{0,\\mathrm{top}}");
  CHECK(latex_name("wheel.spin") == "\\Omega_{\\mathrm{wheel}}");
  CHECK(latex_name("position") == "\\mathrm{position}");
  CHECK(latex_name("left_foot.x") == "x_{\\mathrm{left\\_foot}}");
}

TEST_CASE_FIXTURE(Fixture, "LaTeX") {
  const auto text = [&](Expr e) { return to_latex(pool, e); };
  CHECK(text(pool.div(pool.mul(m, g), pool.add(x, y))) == "\\frac{m \\, g}{x + y}");
  CHECK(text(pool.mul(c(0.5), pool.mul(m, square(x)))) == "\\frac{1}{2} \\, m \\, {x}^{2}");
  CHECK(text(pool.sqrt(pool.add(x, y))) == "\\sqrt{x + y}");
  CHECK(text(square(sin(x))) == "\\sin^{2}\\left(x\\right)");
  CHECK(text(pool.neg(pool.add(x, y))) == "-\\left(x + y\\right)");
  CHECK(text(pool.call(Op::abs, x)) == "\\left|x\\right|");
  CHECK(text(pool.mul(c(1.0 / 12), square(x))) == "\\frac{1}{12} \\, {x}^{2}");
  CHECK(text(sin(pool.add(x, c(std::numbers::pi / 2)))) == "\\sin\\left(\\frac{\\pi}{2} + x\\right)");
  CHECK(text(pool.mul(c(-2 * std::numbers::pi / 3), x)) == "-\\frac{2 \\, \\pi}{3} \\, x");
  CHECK(text(c(3.14159)) == "3.14159");
  CHECK(text(c(0.25)) == "0.25");
  CHECK(text(c(2.5e-7)) == "2.5 \\cdot 10^{-7}");
  CHECK(text(pool.select(pool.call(Op::less_equal, x, c(0)), y, z)) ==
        "\\begin{cases} y & \\text{if } x \\le 0 \\\\ z & \\text{otherwise} \\end{cases}");
}

TEST_CASE_FIXTURE(Fixture, "LaTeX that is cut short is still balanced") {
  Expr e = x;
  for (int i = 0; i < 40; ++i) e = pool.div(sin(pool.add(e, y)), pool.add(square(cos(e)), pool.pow(e, m)));
  for (std::size_t limit = 0; limit < 400; limit += 7) {
    const std::string text = to_latex(pool, e, limit);
    int depth = 0;
    for (char c : text) {
      depth += c == '{' ? 1 : c == '}' ? -1 : 0;
      CHECK(depth >= 0);
    }
    CHECK(depth == 0);
  }
}
