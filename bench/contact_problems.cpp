// Contact problems from files: jor, sor, newton and auto on each of them.
//
//     contact_problems DIRECTORY [SOLVER...]
//
// Every *.dat of the directory is a frictional contact problem in three dimensions, u = W r + q with Coulomb cones, in
// the text format of Siconos (fc3d): d, number of contacts, storage, n, n, the matrix W dense or by sparse blocks, q,
// mu; three components (n, t1, t2) for each contact. In the notation of nsmc: xi = u, G = W, Lambda = r, c = q.
//
// The table says for each solver: iterations (of them Newton steps), its own residual (natural_residual.hpp), time, and
// the error
//     |r - P_K(r - u - mu |u_t| n)| / max(|q|, |r|, |u|),    P_K the projection on the product of second-order cones,
// that publications use. W may be rank deficient and slightly unsymmetric.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/solvers/solve.hpp"

namespace {

using namespace nsmc::rt;

constexpr double infinity = std::numeric_limits<double>::infinity();

struct FrictionProblem {
  std::vector<GBlock> W;  // blocks of 3 x 3, sorted
  std::vector<double> q, mu;
};

std::optional<FrictionProblem> read(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::size_t d = 0, n_contacts = 0, n = 0, n_again = 0;
  int storage = -1;
  if (!(in >> d >> n_contacts >> storage >> n >> n_again) || d != 3 || n != 3 * n_contacts || n != n_again) return {};
  FrictionProblem problem;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<double>> blocks;
  const auto block = [&](std::size_t i, std::size_t j) -> std::vector<double>& {
    std::vector<double>& values = blocks[{static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j)}];
    values.resize(9);
    return values;
  };
  if (storage == 0) {
    in >> n >> n_again;
    for (std::size_t column = 0; column < n; ++column) {
      for (std::size_t row = 0; row < n; ++row) {
        double value = 0;
        in >> value;
        if (value != 0 || row == column) block(row / 3, column / 3)[row % 3 * 3 + column % 3] = value;
      }
    }
  } else if (storage == 1) {
    std::size_t n_blocks = 0, rows = 0, columns = 0, filled1 = 0, filled2 = 0, ignored = 0;
    in >> n_blocks >> rows >> columns;
    for (std::size_t k = 0; k < rows + columns; ++k) in >> ignored;
    in >> filled1 >> filled2;
    if (!in || rows != n_contacts || filled1 != rows + 1 || filled2 != n_blocks) return {};
    std::vector<std::size_t> first(filled1), column(filled2);
    for (std::size_t& value : first) in >> value;
    for (std::size_t& value : column) in >> value;
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t k = first[i]; k < first[i + 1]; ++k) {
        in >> ignored;
        std::vector<double>& values = block(i, column[k]);
        for (std::size_t m = 0; m < 9; ++m) in >> values[m % 3 * 3 + m / 3];
      }
    }
  } else {
    return {};
  }
  problem.q.resize(n);
  problem.mu.resize(n_contacts);
  for (double& value : problem.q) in >> value;
  for (double& value : problem.mu) in >> value;
  if (!in) return {};
  for (std::size_t i = 0; i < n_contacts; ++i) block(i, i);
  for (auto& [at, values] : blocks) problem.W.push_back({at.first, at.second, std::move(values)});
  return problem;
}

const nsm_set sets[2] = {{NSM_SET_INTERVAL, 0, 1, 0, 2, 2, 0, 0, nullptr},
                         {NSM_SET_BALL, 1, 2, 2, 1, 1, 0, 0, nullptr}};

nsm_contact_class coulomb() {
  nsm_contact_class type{};
  type.name = "contact";
  type.n_blocks = 1;
  type.n_rows = 3;
  type.n_sets = 2;
  type.sets = sets;
  type.n_arguments = 3;
  type.affine = 1;
  return type;
}

double error_of(const FrictionProblem& problem, const std::vector<double>& r) {
  std::vector<double> u = problem.q;
  for (const GBlock& block : problem.W) {
    for (std::size_t h = 0; h < 3; ++h) {
      for (std::size_t k = 0; k < 3; ++k) u[3 * block.row + h] += block.values[3 * h + k] * r[3 * block.column + k];
    }
  }
  double sum = 0, q2 = 0, r2 = 0, u2 = 0;
  for (std::size_t i = 0; i < problem.mu.size(); ++i) {
    const double mu = problem.mu[i], *v = u.data() + 3 * i, *f = r.data() + 3 * i;
    double n = f[0] - v[0] - mu * std::hypot(v[1], v[2]), t1 = f[1] - v[1], t2 = f[2] - v[2];
    const double t = std::hypot(t1, t2);
    if (mu * t <= -n) {
      n = t1 = t2 = 0;  // in the polar cone
    } else if (t > mu * n) {
      const double on = (mu * t + n) / (mu * mu + 1);
      n = on;
      t1 *= mu * on / t;
      t2 *= mu * on / t;
    }
    sum += (f[0] - n) * (f[0] - n) + (f[1] - t1) * (f[1] - t1) + (f[2] - t2) * (f[2] - t2);
  }
  for (std::size_t k = 0; k < r.size(); ++k) {
    q2 += problem.q[k] * problem.q[k];
    r2 += r[k] * r[k];
    u2 += u[k] * u[k];
  }
  return std::sqrt(sum / std::max({q2, r2, u2}));
}

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
  const nsm_contact_class type = coulomb();
  fmt::print("{:<34} {:>5}  {:<7} {:>10} {:>7}  {:>9} {:>9} {:>10}\n", "problem", "nc", "solver", "iterations",
             "newton", "residual", "error", "ms");
  for (const std::filesystem::path& file : files) {
    const std::optional<FrictionProblem> given = read(file);
    if (!given) {
      fmt::print("{:<34} not a problem in this format\n", file.filename().string());
      continue;
    }
    const std::size_t n_contacts = given->mu.size();
    const std::vector<double> a = {-infinity, 0, 0};
    std::vector<std::vector<double>> K;
    std::vector<ContactRows> rows(n_contacts);
    for (const double mu : given->mu) K.push_back({0, 0, 0, 0, 0, 0, mu, 0, 0});
    for (std::size_t i = 0; i < n_contacts; ++i) {
      rows[i].contact = static_cast<std::uint32_t>(i);
      rows[i].n_rows = 3;
      rows[i].n_arguments = 3;
      rows[i].a = a.data();
      rows[i].K = K[i].data();
    }
    for (const Named& solver : solvers) {
      if (arguments.size() > 1 && std::find(arguments.begin() + 1, arguments.end(), solver.name) == arguments.end())
        continue;
      ContactProblem problem = sparse_problem({n_contacts, &type}, rows, given->W, given->q, 1);
      SolverOptions options;
      options.kind = solver.kind;
      const auto start = std::chrono::steady_clock::now();
      const ContactSolution solution = solve(problem, options);
      const double ms = 1e3 * std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      fmt::print("{:<34} {:>5}  {:<7} {:>10} {:>7}  {:>9.1e} {:>9.1e} {:>10.3f}  {}\n", file.stem().string(),
                 n_contacts, solver.name, solution.iterations, solution.newton_steps, solution.residual,
                 error_of(*given, problem.Lambda), ms, solution.converged ? "" : "not converged");
    }
  }
  return 0;
}
