// Contact problems from files: all solvers on each of them.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "bench/options.hpp"
#include "bench/timing.hpp"
#include "runtime/solvers/friction_problem.hpp"
#include "runtime/solvers/solve.hpp"

namespace nsmc::bench {
namespace {

constexpr const char* kHelp =
    R"(contact_problems: jor, sor, newton and auto on contact problems from files

Every *.dat of the directory is a frictional contact problem in the format of runtime/solvers/friction_problem.hpp, which
'nsmc run --dump-contact-problems' writes, too. The table says for each solver: iterations (of them Newton steps), its own
residual (natural_residual.hpp), the error of publications (cone_error), and time. G may be rank deficient and slightly
unsymmetric.)";

struct Solver {
  const char* name;
  rt::SolverKind kind;
};
constexpr Solver kSolvers[] = {{"jor", rt::SolverKind::jor},
                               {"sor", rt::SolverKind::sor},
                               {"newton", rt::SolverKind::newton},
                               {"auto", rt::SolverKind::automatic}};

std::vector<std::filesystem::path> problems_of(const std::string& directory) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    if (entry.path().extension() == ".dat") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

void solve_with(const Solver& solver, const rt::FrictionProblem& given, const std::string& name) {
  rt::SolvableFriction solvable(given);
  rt::ContactProblem& problem = solvable.problem;
  rt::SolverOptions options;
  options.kind = solver.kind;
  rt::ContactSolution solution;
  const double ms = 1e-6 * nanoseconds(1, [&] { solution = rt::solve(problem, options); });
  fmt::print("{:<34} {:>5}  {:<7} {:>10} {:>7}  {:>9.1e} {:>9.1e} {:>10.3f}  {}\n", name, given.mu.size(), solver.name,
             solution.iterations, solution.newton_steps, solution.residual, cone_error(given, problem.Lambda), ms,
             solution.converged ? "" : "not converged");
}

void solve_all(const std::string& directory, const std::vector<std::string>& chosen) {
  fmt::print("{:<34} {:>5}  {:<7} {:>10} {:>7}  {:>9} {:>9} {:>10}\n", "problem", "nc", "solver", "iterations",
             "newton", "residual", "error", "ms");
  for (const std::filesystem::path& file : problems_of(directory)) {
    std::ifstream text(file);
    const std::optional<rt::FrictionProblem> given = rt::read_friction_problem(text);
    if (!given) {
      fmt::print("{:<34} not a problem in this format\n", file.filename().string());
      continue;
    }
    for (const Solver& solver : kSolvers) {
      if (chosen.empty() || std::find(chosen.begin(), chosen.end(), solver.name) != chosen.end())
        solve_with(solver, *given, file.stem().string());
    }
  }
}

}  // namespace
}  // namespace nsmc::bench

int main(int argc, char** argv) {
  using namespace nsmc::bench;
  std::string directory;
  std::vector<std::string> chosen;
  CLI::App app{kHelp, "contact_problems"};
  app.add_option("DIRECTORY", directory, "where the problems are")->required()->check(CLI::ExistingDirectory);
  app.add_option("SOLVER", chosen, "only these")->check(CLI::IsMember(names_of(kSolvers)));
  return run(app, argc, argv, [&] {
    solve_all(directory, chosen);
    return true;
  });
}
