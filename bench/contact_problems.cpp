// Contact problems from files: jor, sor, newton and auto on each of them.
//
//     contact_problems DIRECTORY [SOLVER...]
//
// Every *.dat of the directory is a frictional contact problem in the format of friction_problem.hpp, which
// `nsmc run --dump-contact-problems` writes, too.
//
// The table says for each solver: iterations (of them Newton steps), its own residual (natural_residual.hpp), time, and
// the error of publications (cone_error). W may be rank deficient and slightly unsymmetric.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "runtime/solvers/friction_problem.hpp"
#include "runtime/solvers/solve.hpp"

namespace {

using namespace nsmc::rt;

struct Named {
  const char* name;
  SolverKind kind;
};
constexpr Named solvers[] = {{"jor", SolverKind::jor},
                             {"sor", SolverKind::sor},
                             {"newton", SolverKind::newton},
                             {"auto", SolverKind::automatic}};

}  // namespace

int main(int n_words, char** words) {
  const std::vector<std::string> arguments(words + 1, words + n_words);
  if (arguments.empty() || !std::filesystem::is_directory(arguments[0])) {
    fmt::print(stderr, "usage: contact_problems DIRECTORY [SOLVER...]\n");
    return 2;
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(arguments[0])) {
    if (entry.path().extension() == ".dat") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  fmt::print("{:<34} {:>5}  {:<7} {:>10} {:>7}  {:>9} {:>9} {:>10}\n", "problem", "nc", "solver", "iterations",
             "newton", "residual", "error", "ms");
  for (const std::filesystem::path& file : files) {
    std::ifstream text(file);
    const std::optional<FrictionProblem> given = read_friction_problem(text);
    if (!given) {
      fmt::print("{:<34} not a problem in this format\n", file.filename().string());
      continue;
    }
    const std::size_t n_contacts = given->mu.size();
    for (const Named& solver : solvers) {
      if (arguments.size() > 1 && std::find(arguments.begin() + 1, arguments.end(), solver.name) == arguments.end())
        continue;
      SolvableFriction solvable(*given);
      ContactProblem& problem = solvable.problem;
      SolverOptions options;
      options.kind = solver.kind;
      const auto start = std::chrono::steady_clock::now();
      const ContactSolution solution = solve(problem, options);
      const double ms = 1e3 * std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      fmt::print("{:<34} {:>5}  {:<7} {:>10} {:>7}  {:>9.1e} {:>9.1e} {:>10.3f}  {}\n", file.stem().string(),
                 n_contacts, solver.name, solution.iterations, solution.newton_steps, solution.residual,
                 cone_error(*given, problem.Lambda), ms, solution.converged ? "" : "not converged");
    }
  }
  return 0;
}
