// The text format of frictional contact problems: what is written is read back, and nonsense is refused.
#include "runtime/solvers/friction_problem.hpp"

#include <doctest/doctest.h>

#include <sstream>

#include "runtime/solvers/solve.hpp"
#include "tests/unit/runtime/contact_cases.hpp"

using namespace nsmc::rt;

namespace {

// Two contacts that share a body, a third one alone.
FrictionProblem example() {
  FrictionProblem p;
  p.W = {{0, 0, {2, 0.1, 0, 0.1, 3, -0.2, 0, -0.2, 2.5}},
         {0, 1, {0.3, 0, 0.1, 0, -0.4, 0, 0.2, 0, 0.1}},
         {1, 0, {0.3, 0, 0.2, 0, -0.4, 0, 0.1, 0, 0.1}},
         {1, 1, {1.5, 0, 0, 0, 1.25, 0, 0, 0, 1.0 / 3}},
         {2, 2, {1, 0, 0, 0, 1, 0, 0, 0, 1}}};
  p.q = {-1, 0.3, 0.1, -0.5, 0.01, -1e-3, -2, 3, 4};
  p.mu = {0.3, 0.7, 0.5};
  return p;
}

std::string text_of(const FrictionProblem& problem) {
  std::ostringstream out;
  write_friction_problem(out, problem);
  return out.str();
}

std::optional<FrictionProblem> read_text(const std::string& text) {
  std::istringstream in(text);
  return read_friction_problem(in);
}

}  // namespace

TEST_CASE("friction problems: written and read again they are the same to the last bit") {
  const FrictionProblem problem = example();
  const auto again = read_text(text_of(problem));
  REQUIRE(again);
  CHECK(again->q == problem.q);
  CHECK(again->mu == problem.mu);
  REQUIRE(again->W.size() == problem.W.size());
  for (std::size_t k = 0; k < problem.W.size(); ++k) {
    CHECK(again->W[k].row == problem.W[k].row);
    CHECK(again->W[k].column == problem.W[k].column);
    CHECK(again->W[k].values == problem.W[k].values);
  }
}

TEST_CASE("friction problems: the dense form, column by column") {
  const auto problem = read_text("3 1 0 3 3  3 3  1 2 3 4 5 6 7 8 9  -1 0.5 0  0.25");
  REQUIRE(problem);
  REQUIRE(problem->W.size() == 1);
  CHECK(problem->W[0].values == std::vector<double>{1, 4, 7, 2, 5, 8, 3, 6, 9});
  CHECK(problem->q == std::vector<double>{-1, 0.5, 0});
  CHECK(problem->mu == std::vector<double>{0.25});
}

TEST_CASE("friction problems: what is not of the format is refused") {
  for (const char* text : {"", "3", "2 1 0 2 2", "3 1 0 4 4", "3 1 7 3 3 3 3 1 2 3", "3 1 0 3 3 3 3 1 2 3 4 5 6 7 8",
                           "3 1 1 3 3 1 1 1 3 3 2 1 0 9 0 0 1 2 3 4 5 6 7 8 9 0 0 0 0.5",
                           "3 1 1 3 3 1 1 1 3 3 2 1 0 1 5 0 1 2 3 4 5 6 7 8 9 0 0 0 0.5", "3 1 0 3 3 x"}) {
    CAPTURE(text);
    CHECK_FALSE(read_text(text));
  }
  const std::string whole = text_of(example());
  for (std::size_t length = 0; length + 5 < whole.size(); length += 7) CHECK_FALSE(read_text(whole.substr(0, length)));
}

TEST_CASE("friction problems: all solvers find the solution, and its error is none") {
  const FrictionProblem problem = example();
  std::vector<double> first;
  for (const SolverKind kind : {SolverKind::jor, SolverKind::sor, SolverKind::newton, SolverKind::automatic}) {
    SolvableFriction solvable(problem);
    SolverOptions options{kind};
    options.tolerance = 1e-13;
    CHECK(solve(solvable.problem, options).converged);
    CHECK(cone_error(problem, solvable.problem.Lambda) < 1e-12);
    if (first.empty()) first = solvable.problem.Lambda;
    for (std::size_t k = 0; k < first.size(); ++k)
      CHECK(solvable.problem.Lambda[k] == doctest::Approx(first[k]).epsilon(1e-10));
  }
  std::vector<double> wrong = first;
  wrong[0] += 0.1;
  CHECK(cone_error(problem, wrong) > 1e-3);
}

TEST_CASE("friction problems: which contacts are within the format") {
  CHECK(outside_format(cases::spatial).empty());
  CHECK(outside_format(cases::unilateral) == "it has no friction");
  CHECK(outside_format(cases::planar) == "its friction is not that of Coulomb in two directions");
  nsm_set sets[2] = {cases::spatial_sets[0], {NSM_SET_CONTENSOU_PARABOLIC, 1, 3, 2, 2, 1, 0, 0, nullptr}};
  CHECK_FALSE(outside_format(cases::contact_class(4, sets, 2, 4)).empty());
}
