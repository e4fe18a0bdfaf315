// Projections on sets, and contact problems that are solved with them. The sets are those of bench/models/sets.nsm, as
// the compiler hands them to the runtime: descriptions, arguments and compiled functions of the kernel table. Sets that
// are one and the same must give the same answers; then all are timed in turns.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/model.hpp"
#include "bench/options.hpp"
#include "bench/timing.hpp"
#include "runtime/sets/convex_set.hpp"
#include "runtime/solvers/contact_problem.hpp"
#include "runtime/solvers/solve.hpp"
#include "runtime/system.hpp"

namespace nsmc::bench {
namespace {

constexpr const char* kHelp =
    R"(sets: projections on sets, and contact problems solved with them

The sets are those of bench/models/sets.nsm: semi-axes 0.6, 0.3 (and 0.2 in space). Prints
  <set>_ns, <set>_median_ns                one prox of a point outside, 1 to 3 times as far as the boundary
  <set>_far_ns                             the same for points 10 to 30 times as far
  <set>_solve_ns, <set>_solve_median_ns    one contact problem with 4 contacts by SORprox, tolerance 1e-10
  <set>_sweeps                             the mean number of sweeps of a problem
  ratio ellipse_direct/transformed         of the best times of a problem; ellipsoid_direct/transformed alike
  ratio contensou/ellipsoid, ...           of the best times of a prox: the Coulomb-Contensou ball, 0.6, 0.6, 0.18
  ratio gauge/direct, support/direct, ...  of the best times of a prox; _3 in space, _far for the far points
  ratio solve_gauge/direct, ...            of the best times of a problem
Times are taken in turns. Fails only if two forms of one set disagree.)";

constexpr std::size_t kPoints = 256;
constexpr std::size_t kProblems = 64;
constexpr std::size_t kContacts = 4;

// A contact of the model: its only set and what the kernel `directions` says about it.
struct Subject {
  std::string name;
  const nsm_contact_class* type;
  std::vector<double> A;          // n x n, row-major
  std::vector<double> arguments;  // a of a + K lambda
  std::vector<double> K;
  std::vector<double> points, far_points;  // kPoints outside each
  std::vector<rt::ContactProblem> problems;
  double sweeps = 0;
  std::vector<double> prox_ns, far_ns, solve_ns;

  std::uint32_t n() const { return type->n_rows; }
  rt::ConvexSet set() const { return {type->sets, arguments.data()}; }
};

std::vector<Subject> subjects(const rt::System& system) {
  std::vector<Subject> result;
  std::vector<double> shared(system.model().n_shared + 1);
  const std::vector<double> state(3, 0.0);
  nsm_view view{};
  view.p = system.parameters();
  view.shared = shared.data();
  view.q[0] = view.u[0] = state.data();
  if (system.model().prepare != nullptr) system.model().prepare(&view, nullptr);
  std::vector<double> dynamics(system.n_dynamics());
  system.blocks()[0].type->dynamics(&view, dynamics.data());
  for (const rt::ContactInfo& contact : system.contacts()) {
    Subject s;
    s.name = contact.name;
    s.type = contact.type;
    if (s.type->affine == 0 || s.type->n_sets != 1) throw std::runtime_error(s.name + ": unexpected form");
    const rt::DirectionLayout& layout = system.layout(contact);
    std::vector<double> out(layout.size);
    s.type->directions(&view, out.data());
    for (std::uint32_t i = 0; i < s.n(); ++i) {
      for (std::uint32_t j = 0; j < s.n(); ++j) s.A.push_back(out[layout.W[0] + std::size_t{j} * system.n_u() + i]);
    }
    s.arguments.assign(out.data() + layout.a, out.data() + layout.a + s.type->n_arguments);
    s.K.assign(out.data() + layout.K, out.data() + layout.K + std::size_t{s.type->n_arguments} * s.n());
    result.push_back(std::move(s));
  }
  return result;
}

// Random directions, each from `nearest` to `farthest` times the boundary. Equal sets get equal points.
std::vector<double> choose_points(const Subject& s, double nearest, double farthest) {
  std::vector<double> points;
  std::mt19937_64 random(20170606);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> distance(nearest, farthest);
  while (points.size() < kPoints * s.n()) {
    double z[3];
    for (std::uint32_t k = 0; k < s.n(); ++k) z[k] = normal(random);
    const double factor = distance(random) / s.set().gauge(z);
    for (std::uint32_t k = 0; k < s.n(); ++k) points.push_back(factor * z[k]);
  }
  return points;
}

// xi = G Lambda + c for contacts that are all coupled, G = W^T W and c as drawn, in the user's coordinates; then hatted
// by [Möller 2009, (41)].
void draw_problems(Subject& s) {
  std::mt19937_64 random(20090304);
  std::normal_distribution<double> normal;
  const std::size_t n = s.n();
  const std::size_t rows = kContacts * n;
  for (std::size_t problem = 0; problem < kProblems; ++problem) {
    const std::size_t k = 2 * rows;
    std::vector<double> W(k * rows), G(rows * rows, 0.0), c(rows);
    for (double& w : W) w = normal(random) / std::sqrt(static_cast<double>(k));
    for (double& value : c) value = 0.5 * normal(random);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < rows; ++j) {
        for (std::size_t l = 0; l < k; ++l) G[i * rows + j] += W[l * rows + i] * W[l * rows + j];
      }
    }
    std::vector<double> half(rows * rows, 0.0), G_hat(rows * rows, 0.0), c_hat(rows, 0.0);
    for (std::size_t i = 0; i < rows; ++i) {  // A is the same for each contact
      const std::size_t first = i / n * n;
      for (std::size_t l = 0; l < n; ++l) {
        const double A_li = s.A[l * n + i - first];
        c_hat[i] += A_li * c[first + l];
        for (std::size_t j = 0; j < rows; ++j) half[i * rows + j] += A_li * G[(first + l) * rows + j];
      }
    }
    for (std::size_t j = 0; j < rows; ++j) {
      const std::size_t first = j / n * n;
      for (std::size_t l = 0; l < n; ++l) {
        for (std::size_t i = 0; i < rows; ++i) {
          G_hat[i * rows + j] += half[i * rows + first + l] * s.A[l * n + j - first];
        }
      }
    }
    std::vector<rt::ContactRows> contacts(kContacts);
    for (std::size_t i = 0; i < kContacts; ++i) {
      contacts[i].contact = static_cast<std::uint32_t>(i);
      contacts[i].n_rows = s.n();
      contacts[i].n_arguments = s.type->n_arguments;
      contacts[i].a = s.arguments.data();
      contacts[i].K = s.K.data();
    }
    s.problems.push_back(
        rt::dense_problem(std::vector<const nsm_contact_class*>(kContacts, s.type), contacts, G_hat, c_hat, 1.0));
  }
}

int solve_all(Subject& s) {
  int sweeps = 0;
  for (rt::ContactProblem& problem : s.problems) {
    std::fill(problem.Lambda.begin(), problem.Lambda.end(), 0.0);
    const rt::ContactSolution solution = rt::solve(problem, {});
    if (!solution.converged) throw std::runtime_error(s.name + ": a problem did not converge");
    sweeps += solution.iterations;
  }
  return sweeps;
}

double project_all(const Subject& s, const std::vector<double>& points) {
  const rt::ConvexSet set = s.set();
  const std::uint32_t n = s.n();
  double sum = 0;
  for (std::size_t i = 0; i < kPoints; ++i) {
    double z[3];
    for (std::uint32_t k = 0; k < n; ++k) z[k] = points[i * n + k];
    set.prox(z);
    sum += z[0];
  }
  return sum;
}

// Percussions in the user's coordinates.
std::vector<double> user_percussions(const Subject& s) {
  std::vector<double> result;
  const std::size_t n = s.n();
  for (const rt::ContactProblem& problem : s.problems) {
    for (std::size_t i = 0; i < kContacts * n; ++i) {
      double sum = 0;
      for (std::size_t l = 0; l < n; ++l) sum += s.A[i % n * n + l] * problem.Lambda[i / n * n + l];
      result.push_back(sum);
    }
  }
  return result;
}

bool close(const char* what, const Subject& a, const Subject& b, const std::vector<double>& x,
           const std::vector<double>& y, double tolerance) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::abs(x[i] - y[i]) <= tolerance) continue;
    std::fprintf(stderr, "%s of %s and %s differ: %.17g and %.17g\n", what, a.name.c_str(), b.name.c_str(), x[i], y[i]);
    return false;
  }
  return true;
}

std::vector<double> projected(const Subject& s, std::vector<double> points) {
  for (std::size_t i = 0; i < kPoints; ++i) s.set().prox(points.data() + i * s.n());
  return points;
}

bool benchmark(int repeats) {
  const Model model("bench/models/sets");
  std::vector<Subject> all = subjects(model.system());
  std::map<std::string, Subject*> by_name;
  for (Subject& s : all) {
    by_name[s.name] = &s;
    s.points = choose_points(s, 1.001, 3);
    s.far_points = choose_points(s, 10, 30);
    draw_problems(s);
    s.sweeps = static_cast<double>(solve_all(s)) / kProblems;
  }
  const auto get = [&](const char* name) -> const Subject& { return *by_name.at(name); };

  bool ok = true;
  const struct {
    const char *one, *other;
    bool same_point;  // a mapped set projects in other coordinates
  } equal[] = {
      {"ellipse_direct", "ellipse_transformed", false}, {"ellipse_direct", "gauge_ellipse", true},
      {"ellipse_direct", "support_ellipse", true},      {"ellipsoid_direct", "ellipsoid_transformed", false},
      {"ellipsoid_direct", "gauge_ellipsoid", true},    {"ellipsoid_direct", "support_ellipsoid", true},
  };
  for (const auto& [one, other, same_point] : equal) {
    const Subject& a = get(one);
    const Subject& b = get(other);
    if (same_point) {
      ok = close("projections", a, b, projected(a, a.points), projected(b, b.points), 1e-12) && ok;
      ok = close("projections", a, b, projected(a, a.far_points), projected(b, b.far_points), 1e-12) && ok;
    }
    ok = close("percussions", a, b, user_percussions(a), user_percussions(b), 1e-7) && ok;
  }
  if (!ok) return false;

  constexpr int kRounds = 8;  // over all points in one measurement
  volatile double sink = 0;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const auto time_all = [&](const Subject& s, const std::vector<double>& points) {
      return nanoseconds(kRounds * kPoints, [&] {
        for (int round = 0; round < kRounds; ++round) sink = sink + project_all(s, points);
      });
    };
    for (Subject& s : all) s.prox_ns.push_back(time_all(s, s.points));
    for (Subject& s : all) s.far_ns.push_back(time_all(s, s.far_points));
    for (Subject& s : all) s.solve_ns.push_back(nanoseconds(kProblems, [&] { solve_all(s); }));
  }
  for (const Subject& s : all) {
    print_times(s.name, "ns", s.prox_ns);
    std::printf("%s_far_ns %.2f\n", s.name.c_str(), best(s.far_ns));
  }
  for (const Subject& s : all) {
    print_times(s.name + "_solve", "ns", s.solve_ns, 1);
    std::printf("%s_sweeps %.1f\n", s.name.c_str(), s.sweeps);
  }
  const auto prox_ratio = [&](const std::string& label, const char* one, const char* other) {
    print_ratio(label, best(get(one).prox_ns) / best(get(other).prox_ns));
    print_ratio(label + "_far", best(get(one).far_ns) / best(get(other).far_ns));
  };
  const auto solve_ratio = [&](const char* label, const char* one, const char* other) {
    print_ratio(label, best(get(one).solve_ns) / best(get(other).solve_ns));
  };
  solve_ratio("ellipse_direct/transformed", "ellipse_direct", "ellipse_transformed");
  solve_ratio("ellipsoid_direct/transformed", "ellipsoid_direct", "ellipsoid_transformed");
  prox_ratio("gauge/direct", "gauge_ellipse", "ellipse_direct");
  prox_ratio("support/direct", "support_ellipse", "ellipse_direct");
  prox_ratio("contensou/ellipsoid", "contensou_parabolic", "ellipsoid_direct");
  prox_ratio("contensou_uniform/ellipsoid", "contensou_uniform", "ellipsoid_direct");
  prox_ratio("gauge_3/direct", "gauge_ellipsoid", "ellipsoid_direct");
  prox_ratio("support_3/direct", "support_ellipsoid", "ellipsoid_direct");
  solve_ratio("solve_gauge/direct", "gauge_ellipse", "ellipse_direct");
  solve_ratio("solve_support/direct", "support_ellipse", "ellipse_direct");
  solve_ratio("solve_gauge_3/direct", "gauge_ellipsoid", "ellipsoid_direct");
  solve_ratio("solve_support_3/direct", "support_ellipsoid", "ellipsoid_direct");
  return true;
}

}  // namespace
}  // namespace nsmc::bench

int main(int argc, char** argv) {
  using namespace nsmc::bench;
  int repeats = 300;
  CLI::App app{kHelp, "sets"};
  add_quick(app, "a few repeats: for the check of agreement", [&] { repeats = 3; });
  add_repeats(app, repeats);
  return run(app, argc, argv, [&] { return benchmark(repeats); });
}
