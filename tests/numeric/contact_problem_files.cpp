// Contact problems of a run, as numbers in a text: read back and solved they give the percussions of the run.
#include <sstream>

#include "run_model.hpp"
#include "runtime/solvers/friction_problem.hpp"

using namespace nsmc::test;
using namespace nsmc::rt;

namespace {

class Keeper final : public ProblemObserver {
 public:
  void solved(const ContactProblem& problem, const ContactSolution& solution) override {
    REQUIRE(solution.converged);
    const auto converted = friction_problem_of(problem);
    if (problem.contacts.empty() || seen_++ % 17 != 0) return;
    REQUIRE(converted);
    std::ostringstream out;
    write_friction_problem(out, *converted);
    texts.push_back(out.str());
    Lambda.push_back(problem.Lambda);  // laws in the order unilateral, coulomb: rows (n, t1, t2)
  }

  std::vector<std::string> texts;
  std::vector<std::vector<double>> Lambda;

 private:
  int seen_ = 0;
};

}  // namespace

TEST_CASE("contact problems as text: solved again they give the percussions of the run") {
  for (const auto& [name, method] : {std::pair("pyramid", Method::moreau), std::pair("rolling_sphere", Method::moreau),
                                     std::pair("rolling_sphere", Method::rk), std::pair("billiard", Method::moreau)}) {
    CAPTURE(name);
    Model model = Model::named(name);
    const System system(model.kernels().table(), model.parameters());
    State state = initial_state(system);
    Keeper keeper;
    SimulationOptions options;
    options.until = 0.1;
    options.step = 1e-4;
    options.method = method;
    options.solver.tolerance = 1e-13;
    options.solver.observer = &keeper;
    NullRecorder nowhere;
    REQUIRE(simulate(system, state, options, nowhere).reason == EndReason::finished);
    REQUIRE(keeper.texts.size() > 20);
    for (std::size_t n = 0; n < keeper.texts.size(); ++n) {
      std::istringstream in(keeper.texts[n]);
      const auto problem = read_friction_problem(in);
      REQUIRE(problem);
      SolvableFriction solvable(*problem);
      SolverOptions tight;
      tight.tolerance = 1e-13;
      CHECK(solve(solvable.problem, tight).converged);
      REQUIRE(solvable.problem.Lambda.size() == keeper.Lambda[n].size());
      double scale = 0, worst = 0;
      for (std::size_t k = 0; k < keeper.Lambda[n].size(); ++k) {
        scale = std::max(scale, std::abs(keeper.Lambda[n][k]));
        worst = std::max(worst, std::abs(keeper.Lambda[n][k] - solvable.problem.Lambda[k]));
      }
      CHECK(worst <= 1e-9 * scale);
    }
  }
}
