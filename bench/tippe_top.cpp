// The price of the exact law: contact problems of the Tippe-Top with the sphere S_F (the ellipsoid, transformed), the
// ellipsoid E_F (the same problems, projected on directly) and the Coulomb-Contensou ball B_F [Möller 2009, sec. 6].
// Problems are recorded in a run with the law, each with the percussions of the step before as its starting point. Then
// all are solved in turns. The paper reports 1 : 2.7 : 10.5 (in MATLAB).
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/model.hpp"
#include "bench/options.hpp"
#include "bench/timing.hpp"

namespace nsmc::bench {
namespace {

constexpr const char* kHelp =
    R"(tippe_top: contact problems of the Tippe-Top with the friction sets S_F, E_F and B_F

Problems are recorded in runs of models/tippe_top_ellipsoid.nsm (S_F, and E_F in other coordinates) and
models/tippe_top.nsm (B_F), every 100th of 8 s of motion, and solved again by SORprox, tolerance 1e-10, from the
percussions of the step before (warm) and from none (cold). Prints for each set
  <set>_ns, <set>_median_ns, <set>_sweeps              one problem, warm
  <set>_cold_ns, <set>_cold_median_ns, <set>_cold_sweeps
  <set>_prox_ns                                        one projection of the points that the solutions project
  ratio E_F/S_F, B_F/S_F                               of the best times, warm; _median, _cold, _prox alike
Times are taken in turns. Fails only if a problem is not solved or has another solution than in the run.)";

struct Recorded {
  rt::ContactProblem problem;
  std::vector<double> numbers;  // a and K of its contacts
  std::vector<double> start, solution;
};

// Keeps every Nth problem with contacts.
class Recorder final : public rt::ProblemObserver {
 public:
  Recorder(const rt::System& system, std::uint64_t every) : system_(system), every_(every), last_(system.n_rows(), 0) {}

  void solved(const rt::ContactProblem& problem, const rt::ContactSolution& solution) override {
    if (!solution.converged) throw std::runtime_error("a problem of the run did not converge");
    if (!problem.contacts.empty() && seen_++ % every_ == 0) keep(problem);
    std::fill(last_.begin(), last_.end(), 0.0);
    for (const rt::ContactRows& rows : problem.contacts) {
      std::copy_n(problem.Lambda.data() + rows.first_row, rows.n_rows,
                  last_.data() + system_.contacts()[rows.contact].first_row);
    }
  }

  std::vector<std::unique_ptr<Recorded>> kept;

 private:
  void keep(const rt::ContactProblem& problem) {
    auto copy = std::make_unique<Recorded>();
    copy->problem = problem;
    copy->solution = problem.Lambda;
    std::vector<double>& numbers = copy->numbers;
    for (const rt::ContactRows& rows : problem.contacts) {
      if (rows.K == nullptr) throw std::runtime_error("arguments of the sets are not affine");
      numbers.insert(numbers.end(), rows.a, rows.a + rows.n_arguments);
      numbers.insert(numbers.end(), rows.K, rows.K + std::size_t{rows.n_arguments} * rows.n_rows);
      const double* last = last_.data() + system_.contacts()[rows.contact].first_row;
      copy->start.insert(copy->start.end(), last, last + rows.n_rows);
    }
    const double* at = numbers.data();
    for (rt::ContactRows& rows : copy->problem.contacts) {
      rows.a = at;
      rows.K = at + rows.n_arguments;
      at = rows.K + std::size_t{rows.n_arguments} * rows.n_rows;
    }
    kept.push_back(std::move(copy));
  }

  const rt::System& system_;
  std::uint64_t every_, seen_ = 0;
  std::vector<double> last_;
};

// A projection as the solution of a problem asks for it.
struct Projection {
  rt::ConvexSet set;
  std::vector<double> arguments;
  double z[3];
};

struct Subject {
  std::string name;
  std::optional<Model> model;  // whose sets the problems have
  std::vector<std::unique_ptr<Recorded>> problems;
  std::vector<Projection> projections;
  double sweeps = 0, cold_sweeps = 0;
  std::vector<std::vector<double>> warm_ns, cold_ns;  // by part of the problems
  std::vector<double> prox_ns;
};

rt::SolverOptions sor() { return {rt::SolverKind::sor}; }

// What the solutions project: the arguments of prox at Lambda, r = 1/D.
void find_projections(Subject& s) {
  for (const auto& r : s.problems) {
    rt::ContactProblem& problem = r->problem;
    for (const rt::SetBlock& block : problem.sets) {
      if (block.dim != 3) continue;
      const rt::ContactRows& rows = problem.contacts[block.contact];
      Projection projection{{block.set, nullptr}, {}, {}};
      problem.update_arguments(rows, *block.set, problem.Lambda.data());
      projection.arguments.assign(problem.arguments.data() + rows.first_argument,
                                  problem.arguments.data() + rows.first_argument + rows.n_arguments);
      for (std::uint32_t h = 0; h < 3; ++h) {
        const std::uint32_t local = block.first_row - rows.first_row + h;
        projection.z[h] =
            problem.xi(rows, local, problem.Lambda.data()) / block.D - problem.Lambda[block.first_row + h];
      }
      s.projections.push_back(std::move(projection));
    }
  }
  for (Projection& projection : s.projections) projection.set.arguments = projection.arguments.data();
}

Subject record(const std::string& name, const std::string& model, double until, std::uint64_t every) {
  Subject s;
  s.name = name;
  s.model.emplace("models/" + model, std::map<std::string, double>{}, Level::velocity);
  const rt::System& system = s.model->system();
  Recorder recorder(system, every);
  rt::SimulationOptions options = quiet_options(5e-5, until);
  options.solver = sor();
  options.solver.observer = &recorder;
  rt::State state = rt::initial_state(system);
  run_quietly(system, state, options);
  s.problems = std::move(recorder.kept);
  find_projections(s);
  return s;
}

constexpr nsm_set kEllipsoidSets[2] = {{NSM_SET_INTERVAL, 0, 1, 0, 2, 2, 0, 0, nullptr},
                                       {NSM_SET_ELLIPSOID, 1, 3, 2, 3, 3, 0, 0, nullptr}};

// The same problems with the ellipsoid itself. The torque of each contact is divided by s, such that its G_hh becomes
// that of the forces: without this, sweeps are counted in hundreds. The semi-axes are then f, f, f/s if f is the radius
// of the sphere.
Subject with_ellipsoids(const Subject& spheres) {
  static const nsm_contact_class type = [] {
    nsm_contact_class made{};
    made.n_rows = 4;
    made.n_sets = 2;
    made.sets = kEllipsoidSets;
    made.n_arguments = 5;
    made.affine = 1;
    return made;
  }();
  Subject result;
  result.name = "E_F";
  for (const auto& sphere : spheres.problems) {
    const rt::ContactProblem& given = sphere->problem;
    auto made = std::make_unique<Recorded>(Recorded{{}, {}, sphere->start, sphere->solution});
    const std::size_t n = given.n_rows();
    std::vector<double> scale(n, 1.0), G = given.G, c = given.c;
    std::vector<rt::ContactRows> contacts = given.contacts;
    for (const rt::ContactRows& rows : given.contacts) {
      const rt::SetBlock& ball = given.sets[rows.first_set + 1];
      if (rows.n_rows != 4 || rows.n_arguments != 3 || rows.width != n || ball.set->kind != NSM_SET_BALL)
        throw std::runtime_error("the problems of S_F have another form");
      const double s = std::sqrt(given.diagonal(ball, 0) / given.diagonal(ball, 2));
      scale[rows.first_row + 3] = s;
      made->numbers.insert(made->numbers.end(), {rows.a[0], rows.a[1], rows.a[2], rows.a[2], rows.a[2] / s});
      made->numbers.insert(made->numbers.end(), rows.K, rows.K + 12);
      for (const double factor : {1.0, 1 / s}) {
        for (int k = 0; k < 4; ++k) made->numbers.push_back(factor * rows.K[8 + k]);
      }
    }
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      contacts[i].n_arguments = 5;
      contacts[i].a = made->numbers.data() + 25 * i;
      contacts[i].K = contacts[i].a + 5;
    }
    for (std::size_t h = 0; h < n; ++h) {
      c[h] *= scale[h];
      made->start[h] /= scale[h];
      made->solution[h] /= scale[h];
      for (std::size_t k = 0; k < n; ++k) G[h * n + k] *= scale[h] * scale[k];
    }
    made->problem =
        rt::dense_problem(std::vector<const nsm_contact_class*>(contacts.size(), &type), contacts, G, c, given.dt);
    for (std::size_t h = 0; h < n; ++h) made->problem.c_magnitude[h] = scale[h] * given.c_magnitude[h];
    made->problem.finish();
    made->problem.Lambda = made->solution;
    result.problems.push_back(std::move(made));
  }
  find_projections(result);
  return result;
}

// Problems are timed in parts of this size: what disturbs one part leaves the best times of the others alone.
constexpr std::size_t kPart = 50;

std::size_t parts_of(const Subject& s) { return (s.problems.size() + kPart - 1) / kPart; }

// Iterations of all problems of a part.
long solve_part(Subject& s, std::size_t part, bool warm, const rt::SolverOptions& options) {
  long iterations = 0;
  for (std::size_t n = part * kPart; n < std::min(s.problems.size(), (part + 1) * kPart); ++n) {
    Recorded& r = *s.problems[n];
    if (warm) {
      std::copy(r.start.begin(), r.start.end(), r.problem.Lambda.begin());
    } else {
      std::fill(r.problem.Lambda.begin(), r.problem.Lambda.end(), 0.0);
    }
    const rt::ContactSolution solution = rt::solve(r.problem, options);
    if (!solution.converged) throw std::runtime_error(s.name + ": a problem did not converge");
    iterations += solution.iterations;
  }
  return iterations;
}

double project_all(const Subject& s) {
  double sum = 0;
  for (const Projection& projection : s.projections) {
    double z[3] = {projection.z[0], projection.z[1], projection.z[2]};
    projection.set.prox(z);
    sum += z[0];
  }
  return sum;
}

// Where both contacts are closed the percussions are not unique; there is nothing to compare then.
void check_solutions(const Subject& s) {
  for (const auto& r : s.problems) {
    if (r->problem.contacts.size() != 1) continue;
    double scale = 0, worst = 0;
    for (std::size_t k = 0; k < r->solution.size(); ++k) {
      scale = std::max(scale, std::abs(r->solution[k]));
      worst = std::max(worst, std::abs(r->solution[k] - r->problem.Lambda[k]));
    }
    if (!(worst <= 1e-6 * scale)) throw std::runtime_error(s.name + ": another solution than in the run");
  }
}

// Of one problem, the mean over all parts.
template <class Choice>
double mean_of(const std::vector<std::vector<double>>& parts, std::size_t problems, Choice&& choice) {
  double sum = 0;
  for (const std::vector<double>& times : parts) sum += choice(times);
  return sum / static_cast<double>(problems);
}

struct Options {
  int repeats = 100;
  double until = 8;
  rt::SolverOptions solver = sor();
};

bool benchmark(const Options& options) {
  constexpr std::uint64_t kEvery = 100;
  std::vector<Subject> all;
  all.push_back(record("S_F", "tippe_top_ellipsoid", options.until, kEvery));
  all.push_back(with_ellipsoids(all[0]));
  all.push_back(record("B_F", "tippe_top", options.until, kEvery));
  for (Subject& s : all) {
    const auto mean = [&](bool warm) {
      long iterations = 0;
      for (std::size_t part = 0; part < parts_of(s); ++part) iterations += solve_part(s, part, warm, options.solver);
      check_solutions(s);
      return static_cast<double>(iterations) / static_cast<double>(s.problems.size());
    };
    s.warm_ns.resize(parts_of(s));
    s.cold_ns.resize(parts_of(s));
    s.sweeps = mean(true);
    s.cold_sweeps = mean(false);
  }
  volatile double sink = 0;
  for (int repeat = 0; repeat < options.repeats; ++repeat) {
    for (const bool warm : {true, false}) {
      for (std::size_t part = 0; part < std::max(parts_of(all[0]), parts_of(all[2])); ++part) {
        for (Subject& s : all) {
          if (part >= parts_of(s)) continue;
          auto& times = (warm ? s.warm_ns : s.cold_ns)[part];
          times.push_back(nanoseconds(1, [&] { solve_part(s, part, warm, options.solver); }));
        }
      }
    }
    for (Subject& s : all)
      s.prox_ns.push_back(nanoseconds(s.projections.size(), [&] { sink = sink + project_all(s); }));
  }
  const auto warm = [](const Subject& s, auto choice) { return mean_of(s.warm_ns, s.problems.size(), choice); };
  const auto cold = [](const Subject& s, auto choice) { return mean_of(s.cold_ns, s.problems.size(), choice); };
  for (const Subject& s : all) {
    const char* name = s.name.c_str();
    std::printf("%s_ns %.1f\n%s_median_ns %.1f\n%s_sweeps %.2f\n", name, warm(s, best), name, warm(s, median), name,
                s.sweeps);
    std::printf("%s_cold_ns %.1f\n%s_cold_median_ns %.1f\n%s_cold_sweeps %.2f\n", name, cold(s, best), name,
                cold(s, median), name, s.cold_sweeps);
    std::printf("%s_prox_ns %.1f\n", name, best(s.prox_ns));
  }
  const Subject& sphere = all[0];
  for (const Subject* s : {&all[1], &all[2]}) {
    const std::string name = s->name + "/S_F";
    print_ratio(name, warm(*s, best) / warm(sphere, best));
    print_ratio(name + "_median", warm(*s, median) / warm(sphere, median));
    print_ratio(name + "_cold", cold(*s, best) / cold(sphere, best));
    print_ratio(name + "_prox", best(s->prox_ns) / best(sphere.prox_ns));
  }
  return true;
}

}  // namespace
}  // namespace nsmc::bench

int main(int argc, char** argv) {
  using namespace nsmc::bench;
  Options options;
  CLI::App app{kHelp, "tippe_top"};
  add_quick(app, "a short run and a few repeats: for the check of the solutions", [&] {
    options.repeats = 2;
    options.until = 0.5;
  });
  app.add_flag_callback(
      "--jor", [&] { options.solver.kind = nsmc::rt::SolverKind::jor; },
      "by JORprox, which projects on the sphere as on any set; SORprox solves its block exactly");
  add_repeats(app, options.repeats);
  return run(app, argc, argv, [&] { return benchmark(options); });
}
