// Numbers for a run: defaults, overrides, and what follows from them.
#include "compiler/mechanics/initial_values.hpp"

#include "tests/unit/mechanics/derived_model.hpp"

using namespace nsmc;
using namespace nsmc::test;

namespace {

const char* const kDisc = R"(
  model disc
  param J = m*r^2/2
  param m = 2
  param r = 0.5
  param twice = 2*J
  coord x = 3*r
  coord phi
  initial x' = -twice
  initial phi' = x0/r
  param x0 = 1
  kinetic m/2*x'^2 + J/2*phi'^2
)";

}  // namespace

namespace {

struct Start {
  std::vector<double> p, q, u;
};

Start start_of(const DerivedModel& model, const std::map<std::string, double>& overrides) {
  Start start{parameter_values(model.pool, model.equations(), overrides), {}, {}};
  const BlockEquation& block = model.equations().blocks.at(0);
  for (const VariableEquation& q : block.q) start.q.push_back(constant_value(model.pool, q.initial, start.p));
  for (const VariableEquation& u : block.u) start.u.push_back(constant_value(model.pool, u.initial, start.p));
  return start;
}

}  // namespace

TEST_CASE("defaults, in whatever order parameters are declared") {
  const DerivedModel model(kDisc);
  const Start start = start_of(model, {});
  check_near(start.p, {0.25, 2, 0.5, 0.5, 1});
  check_near(start.q, {1.5, 0});
  check_near(start.u, {-0.5, 2});
}

TEST_CASE("what is derived follows an override, what is overridden does not") {
  const DerivedModel model(kDisc);
  const Start heavier = start_of(model, {{"m", 8}});
  check_near(heavier.p, {1, 8, 0.5, 2, 1});
  check_near(heavier.u, {-2, 2});
  const Start given = start_of(model, {{"m", 8}, {"J", 5}});
  check_near(given.p, {5, 8, 0.5, 10, 1});
  const Start small = start_of(model, {{"r", 0.1}});
  check_near(small.p, {0.01, 2, 0.1, 0.02, 1});
  check_near(small.q, {0.3, 0});
  check_near(small.u, {-0.02, 10});
}

TEST_CASE("the value of an expression of parameters") {
  const DerivedModel model(kDisc);
  const Equations& e = model.equations();
  const std::vector<double> p = parameter_values(model.pool, e, {{"m", 3}});
  CHECK(constant_value(model.pool, e.parameters[0].value, p) == doctest::Approx(0.375));
}
