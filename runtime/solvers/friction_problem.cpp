#include "runtime/solvers/friction_problem.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <istream>
#include <limits>
#include <map>
#include <ostream>
#include <utility>

namespace nsmc::rt {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

using Blocks = std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<double>>;

std::vector<double>& block_of(Blocks& blocks, std::size_t i, std::size_t j) {
  std::vector<double>& values = blocks[{static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j)}];
  values.resize(9);
  return values;
}

bool read_dense(std::istream& in, std::size_t n_contacts, Blocks& blocks) {
  std::size_t n = 0, n_again = 0;
  if (!(in >> n >> n_again) || n != 3 * n_contacts || n != n_again) return false;
  for (std::size_t column = 0; column < n; ++column) {
    for (std::size_t row = 0; row < n; ++row) {
      double value = 0;
      if (!(in >> value)) return false;
      if (value != 0 || row == column) block_of(blocks, row / 3, column / 3)[row % 3 * 3 + column % 3] = value;
    }
  }
  return true;
}

bool read_sparse(std::istream& in, std::size_t n_contacts, Blocks& blocks) {
  std::size_t n_blocks = 0, rows = 0, columns = 0, filled1 = 0, filled2 = 0, ignored = 0;
  if (!(in >> n_blocks >> rows >> columns) || rows != n_contacts || columns != n_contacts) return false;
  for (std::size_t k = 0; k < rows + columns; ++k) {
    if (!(in >> ignored)) return false;
  }
  if (!(in >> filled1 >> filled2) || filled1 != rows + 1 || filled2 != n_blocks || n_blocks > rows * columns)
    return false;
  std::vector<std::size_t> first(filled1), column(filled2);
  for (std::size_t& value : first) in >> value;
  for (std::size_t& value : column) in >> value;
  if (!in || !std::is_sorted(first.begin(), first.end()) || first.back() > n_blocks) return false;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = first[i]; k < first[i + 1]; ++k) {
      if (!(in >> ignored) || column[k] >= columns) return false;
      std::vector<double>& values = block_of(blocks, i, column[k]);
      for (std::size_t m = 0; m < 9; ++m) in >> values[m % 3 * 3 + m / 3];
    }
  }
  return static_cast<bool>(in);
}

// The sets of a contact in the format: the unilateral row and the disc.
struct Parts {
  const nsm_set* normal = nullptr;
  const nsm_set* disc = nullptr;
};

Parts parts_of(const nsm_contact_class& type) {
  Parts parts;
  for (std::uint32_t j = 0; j < type.n_sets; ++j) {
    const nsm_set& set = type.sets[j];
    if (set.kind == NSM_SET_INTERVAL && set.dim == 1) parts.normal = &set;
    if (set.kind == NSM_SET_BALL && set.dim == 2) parts.disc = &set;
  }
  return parts;
}

// The rows of one contact in the order (n, t1, t2), and its mu. False if the numbers are others than those of Coulomb's
// law.
bool read_contact(const ContactRows& rows, const nsm_contact_class& type, std::uint32_t order[3], double& mu) {
  const Parts parts = parts_of(type);
  order[0] = parts.normal->first_row;
  order[1] = parts.disc->first_row;
  order[2] = parts.disc->first_row + 1;
  const std::uint32_t low = parts.normal->first_argument, radius = parts.disc->first_argument;
  if (rows.a[low] != -infinity || rows.a[low + 1] != 0 || rows.a[radius] != 0) return false;
  const auto K = [&](std::uint32_t argument, std::uint32_t row) { return rows.K[std::size_t{argument} * 3 + row]; };
  for (std::uint32_t k = 0; k < 3; ++k) {
    if (K(low, k) != 0 || K(low + 1, k) != 0 || (k != order[0] && K(radius, k) != 0)) return false;
  }
  mu = K(radius, order[0]);
  return mu >= 0;
}

const nsm_set kSets[2] = {{NSM_SET_INTERVAL, 0, 1, 0, 2, 2, 0, 0, nullptr},
                          {NSM_SET_BALL, 1, 2, 2, 1, 1, 0, 0, nullptr}};

const nsm_contact_class& coulomb_class() {
  static const nsm_contact_class type = [] {
    nsm_contact_class made{};
    made.name = "contact";
    made.n_blocks = 1;
    made.n_rows = 3;
    made.n_sets = 2;
    made.sets = kSets;
    made.n_arguments = 3;
    made.affine = 1;
    return made;
  }();
  return type;
}

}  // namespace

std::optional<FrictionProblem> read_friction_problem(std::istream& in) {
  std::size_t d = 0, n_contacts = 0, n = 0, n_again = 0;
  int storage = -1;
  if (!(in >> d >> n_contacts >> storage >> n >> n_again) || d != 3 || n != 3 * n_contacts || n != n_again) return {};
  Blocks blocks;
  if (storage != 0 && storage != 1) return {};
  if (!(storage == 0 ? read_dense(in, n_contacts, blocks) : read_sparse(in, n_contacts, blocks))) return {};
  FrictionProblem problem;
  problem.q.resize(n);
  problem.mu.resize(n_contacts);
  for (double& value : problem.q) in >> value;
  for (double& value : problem.mu) in >> value;
  if (!in) return {};
  for (std::size_t i = 0; i < n_contacts; ++i) block_of(blocks, i, i);
  for (auto& [at, values] : blocks) problem.W.push_back({at.first, at.second, std::move(values)});
  return problem;
}

void write_friction_problem(std::ostream& out, const FrictionProblem& problem) {
  const std::size_t n_contacts = problem.mu.size(), n = problem.q.size();
  out << fmt::format("3\n{}\n1\n{}\n{}\n{}\n{}\n{}\n", n_contacts, n, n, problem.W.size(), n_contacts, n_contacts);
  for (int side = 0; side < 2; ++side) {
    for (std::size_t i = 1; i <= n_contacts; ++i) out << fmt::format("{}\t", 3 * i);
    out << '\n';
  }
  out << fmt::format("{}\n{}\n", n_contacts + 1, problem.W.size());
  std::size_t first = 0;
  for (std::size_t i = 0; i <= n_contacts; ++i) {
    while (first < problem.W.size() && problem.W[first].row < i) ++first;
    out << fmt::format("{}\t", first);
  }
  out << '\n';
  for (const GBlock& block : problem.W) out << fmt::format("{}\t", block.column);
  out << '\n';
  for (std::size_t k = 0; k < problem.W.size(); ++k) {
    out << fmt::format("{}\n", k);
    for (std::size_t m = 0; m < 9; ++m) out << fmt::format("{}\n", problem.W[k].values[m % 3 * 3 + m / 3]);
  }
  for (const double value : problem.q) out << fmt::format("{}\n", value);
  for (const double value : problem.mu) out << fmt::format("{}\n", value);
}

std::string outside_format(const nsm_contact_class& type) {
  if (type.n_position > 0) return "it holds a position";
  const Parts parts = parts_of(type);
  if (parts.normal == nullptr) return "it has no unilateral law";
  if (type.n_sets == 1) return "it has no friction";
  if (type.n_rows != 3 || type.n_sets != 2 || parts.disc == nullptr || type.affine == 0 || type.compliant != 0 ||
      parts.disc->shifted != 0 || parts.disc->scaled != 0 || parts.normal->shifted != 0 || parts.normal->scaled != 0) {
    return "its friction is not that of Coulomb in two directions";
  }
  return {};
}

std::optional<FrictionProblem> friction_problem_of(const ContactProblem& problem) {
  FrictionProblem result;
  std::vector<std::array<std::uint32_t, 3>> orders(problem.contacts.size());
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const ContactRows& rows = problem.contacts[i];
    const nsm_contact_class& type = *rows.type;
    double mu = 0;
    if (!outside_format(type).empty() || !read_contact(rows, type, orders[i].data(), mu)) return {};
    result.mu.push_back(mu);
    for (const std::uint32_t local : orders[i]) result.q.push_back(problem.c[rows.first_row + local]);
  }
  for (std::uint32_t i = 0; i < problem.contacts.size(); ++i) {
    const ContactRows& rows = problem.contacts[i];
    std::size_t column = 0;
    for (std::uint32_t n = 0; n < rows.n_runs; ++n) {
      const ColumnRun& run = problem.runs[rows.first_run + n];
      for (std::uint32_t j = run.first_contact; j < run.first_contact + run.n_contacts; ++j, column += 3) {
        GBlock& block = result.W.emplace_back(GBlock{i, j, std::vector<double>(9)});
        for (std::size_t h = 0; h < 3; ++h) {
          const double* g = problem.G.data() + rows.first_value + std::size_t{orders[i][h]} * rows.width + column;
          for (std::size_t k = 0; k < 3; ++k) block.values[3 * h + k] = g[orders[j][k]];
        }
      }
    }
  }
  return result;
}

SolvableFriction::SolvableFriction(const FrictionProblem& given) {
  const std::size_t n_contacts = given.mu.size();
  numbers_ = {-infinity, 0, 0};
  for (const double mu : given.mu) numbers_.insert(numbers_.end(), {0, 0, 0, 0, 0, 0, mu, 0, 0});
  std::vector<ContactRows> rows(n_contacts);
  for (std::size_t i = 0; i < n_contacts; ++i) {
    rows[i].contact = static_cast<std::uint32_t>(i);
    rows[i].n_rows = 3;
    rows[i].n_arguments = 3;
    rows[i].a = numbers_.data();
    rows[i].K = numbers_.data() + 3 + 9 * i;
  }
  problem =
      sparse_problem(std::vector<const nsm_contact_class*>(n_contacts, &coulomb_class()), rows, given.W, given.q, 1);
}

double cone_error(const FrictionProblem& problem, const std::vector<double>& r) {
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

}  // namespace nsmc::rt
