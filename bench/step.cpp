// Whole runs: compiled models in the runtime of nsmc against programs written by hand for exactly one model
// (bench/handwritten/runs.hpp), and against Siconos where it is installed (bench/siconos/runs.hpp). All do the same
// steps from the same start in turns; first they must arrive at the same state.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bench/handwritten/runs.hpp"
#include "bench/model.hpp"
#include "bench/options.hpp"
#include "bench/siconos/runs.hpp"
#include "bench/timing.hpp"

namespace nsmc::bench {
namespace {

constexpr const char* kHelp =
    R"(step: steps per second of whole runs, against programs written by hand and Siconos

Moreau's midpoint rule, SORprox, tolerance 1e-10; runs without recording, compilation not counted. Times are those
of the processor, without what other programs take. Prints for each case
  <case>_nsmc_ns, <case>_hand_ns                     best time of a step; with _median the median of the repeats
  <case>_nsmc_sweeps, <case>_hand_sweeps             sweeps of the contact solver, per step
  <case>_difference                                  of the final states, |x - x_hand|/|x_hand| for q and u, the larger
  ratio <case>_nsmc/hand                             speed of nsmc, the program by hand being 1: of the best times
  ratio <case>_nsmc/hand_median                      of the medians
  <case>_siconos_ns, ratio <case>_nsmc/siconos       where Siconos is installed and knows the model; its Gauss-Seidel
                                                     (Lemke for bouncing_ball), also against auto
  <case>_siconos_newton_ns                           its Newton's method, for column_100 and column_1000
  <case>_siconos_difference, _sweeps, _residual      as above, and what its solver leaves at most in a step; next to it
                                                     <case>_nsmc_residual or, next to Newton, <case>_auto_residual
  <case>_siconos_difference_half                     with half of dt, where the difference is of order dt
and the same lines <case>_auto_... for the default solver, which leaves SORprox where that is slow, and
<case>_general_... for the general step, where the model has one of fixed size.
Times are taken in turns. Fails only if final states differ by more than the case allows.)";

struct Case {
  const char* name;
  const char* model;
  std::map<std::string, double> set;
  double dt;
  std::uint64_t steps;
  Run by_hand;
  double allowed;  // difference of the final states
};

// None where it is not installed or does not know the model.
std::vector<SiconosCase> by_siconos([[maybe_unused]] const Case& c) {
#ifdef NSMC_SICONOS
  return siconos_cases(c.name);
#else
  return {};
#endif
}

const Case kCases[] = {
    {"bouncing_ball", "bench/models/bouncing_ball", {}, 5e-3, 2000, run_bouncing_ball, 1e-9},
    {"sphere_on_plane", "bench/models/sphere_on_plane", {}, 1e-3, 1000, run_sphere_on_plane, 1e-9},
    {"pulled_block", "bench/models/pulled_block", {}, 1e-3, 2000, run_pulled_block, 1e-9},
    {"rocking_corners", "bench/models/rocking_corners", {}, 1e-3, 1000, run_rocking_corners, 1e-6},
    {"tippe_top_coulomb", "bench/models/tippe_top_coulomb", {}, 1e-4, 10000, run_tippe_top_coulomb, 1e-6},
    {"tippe_top_ellipsoid", "models/tippe_top_ellipsoid", {}, 1e-4, 20000, run_tippe_top_ellipsoid, 1e-6},
    {"column_10", "models/column", {{"n", 10}}, 1e-3, 100, run_column_10, 1e-6},
    {"column_100", "models/column", {{"n", 100}}, 1e-3, 20, run_column_100, 1e-6},
    {"column_1000", "models/column", {{"n", 1000}}, 1e-3, 2, run_column_1000, 1e-6},
    {"pyramid", "models/pyramid", {}, 1e-3, 200, run_pyramid, 1e-6},
};

struct Options {
  int repeats = 200, refine = 1;
  bool quick = false;
  std::string name, only;
};

// Sees the problems of a run and does nothing about it. The step of fixed size leaves observed runs to the general one.
class Onlooker final : public rt::ProblemObserver {
 public:
  void solved(const rt::ContactProblem&, const rt::ContactSolution&) override {}
};

// A model ready to run.
class Compiled {
 public:
  explicit Compiled(const Case& c)
      : model_(c.model, c.set, Level::velocity, Fusing::always),
        options_(quiet_options(c.dt, static_cast<double>(c.steps) * c.dt)) {
    options_.solver.tolerance = run_tolerance;
    options_.solver.max_iterations = run_most_sweeps;
    options_.stabilises = false;  // the programs by hand have the plain scheme
  }

  const rt::System& system() const { return model_.system(); }

  rt::State run(rt::SolverKind solver, rt::ProblemObserver* observer = nullptr) {
    options_.solver.kind = solver;
    options_.solver.observer = observer;
    rt::State state = rt::initial_state(system());
    summary = run_quietly(system(), state, options_);
    return state;
  }

  rt::Summary summary;

 private:
  Model model_;
  rt::SimulationOptions options_;
};

double relative_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0, difference = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    largest = std::max(largest, std::abs(b[k]));
    difference = std::max(difference, std::abs(a[k] - b[k]));
  }
  return difference / std::max(largest, 1e-3);
}

// One of those that run, and what was measured of it.
struct Runner {
  std::function<void()> once;  // a whole run
  double first_ns = 0;         // of a whole run
  std::size_t runs = 0;        // in one measurement: as many as take about 1 ms
  std::vector<double> ns;

  explicit Runner(std::function<void()> whole_run) : once(std::move(whole_run)) {
    first_ns = processor_nanoseconds(1, once);
    runs = static_cast<std::size_t>(std::clamp(1e6 / first_ns, 1.0, 1e4));
  }
  void time(const Case& c) {
    ns.push_back(processor_nanoseconds(runs * c.steps, [&] {
      for (std::size_t k = 0; k < runs; ++k) once();
    }));
  }
};

std::string of_case(const Case& c, const char* who) { return std::string(c.name) + "_" + who; }

// Speeds: the times of the other over one's own.
void print_speed(const Case& c, const char* who, const char* other, const std::vector<double>& ns,
                 const std::vector<double>& other_ns) {
  print_ratios(of_case(c, who) + "/" + other, other_ns, ns);
}

// A run of nsmc and one of Siconos.
struct Pair {
  double nsmc_residual, difference;
  SiconosResult siconos;
};

Pair run_both(const Case& c, const SiconosCase& by) {
  Compiled compiled(c);
  const rt::State end = compiled.run(by.newton ? rt::SolverKind::automatic : rt::SolverKind::sor);
  std::vector<double> q(end.q.size()), u(end.u.size());
  const SiconosResult siconos = by.run(c.dt, c.steps, q.data(), u.data());
  return {compiled.summary.worst_residual, std::max(relative_difference(end.q, q), relative_difference(end.u, u)),
          siconos};
}

bool agrees(const Case& c, const SiconosCase& by) {
  const Pair pair = run_both(c, by);
  std::printf("%s_%s_difference %.2g\n%s_%s_sweeps %.3f\n", c.name, by.name, pair.difference, c.name, by.name,
              pair.siconos.sweeps);
  std::printf("%s_%s_residual %.2g\n%s_%s_residual %.2g\n", c.name, by.name, pair.siconos.residual, c.name,
              by.newton ? "auto" : "nsmc", pair.nsmc_residual);
  bool ok = pair.difference <= by.allowed;
  if (by.first_order) {
    Case half = c;
    half.dt /= 2;
    half.steps *= 2;
    const double difference = run_both(half, by).difference;
    std::printf("%s_%s_difference_half %.2g\n", c.name, by.name, difference);
    ok = ok && difference <= 0.7 * pair.difference;
  }
  if (!ok) {
    std::fprintf(stderr, "%s: the state of Siconos differs by %.3g, allowed are %.3g: no comparison\n", c.name,
                 pair.difference, by.allowed);
  }
  return ok;
}

bool measure(const Case& c, const Options& options) {
  Compiled compiled(c);
  std::vector<double> q(compiled.system().n_q()), u(compiled.system().n_u());
  std::uint64_t hand_sweeps = 0;
  const rt::State end = compiled.run(rt::SolverKind::sor);
  const double nsmc_sweeps = static_cast<double>(compiled.summary.iterations_total);
  hand_sweeps = c.by_hand(c.dt, c.steps, q.data(), u.data());
  const double difference = std::max(relative_difference(end.q, q), relative_difference(end.u, u));
  const auto steps = static_cast<double>(c.steps);
  std::printf("%s_difference %.2g\n%s_nsmc_sweeps %.3f\n%s_hand_sweeps %.3f\n", c.name, difference, c.name,
              nsmc_sweeps / steps, c.name, static_cast<double>(hand_sweeps) / steps);
  if (!(difference <= c.allowed)) {
    std::fprintf(stderr, "%s: final states differ by %.3g, allowed are %.3g: no comparison\n", c.name, difference,
                 c.allowed);
    return false;
  }
  const std::vector<SiconosCase> siconos = by_siconos(c);
  for (const SiconosCase& by : siconos) {
    if (!agrees(c, by)) return false;
  }
  if (options.quick) return true;

  Runner nsmc([&] { compiled.run(rt::SolverKind::sor); });
  Runner with_auto([&] { compiled.run(rt::SolverKind::automatic); });
  Onlooker onlooker;
  Runner general([&] { compiled.run(rt::SolverKind::sor, &onlooker); });
  Runner hand([&] { c.by_hand(c.dt, c.steps, q.data(), u.data()); });
  // Other programs disturb: the best of many short measurements is what holds. Long runs would take minutes.
  const int repeats = nsmc.first_ns > 1e7 ? std::min(options.repeats, 5) : options.repeats;
  constexpr double kSiconosTime = 5e9;  // of all repeats, ns: some runs take 10 s
  std::vector<std::vector<double>> siconos_ns(siconos.size());
  for (int repeat = 0; repeat < repeats; ++repeat) {
    nsmc.time(c);
    hand.time(c);
    with_auto.time(c);
    general.time(c);
    for (std::size_t k = 0; k < siconos.size(); ++k) {
      std::vector<double>& ns = siconos_ns[k];
      if (ns.empty() || best(ns) * steps * static_cast<double>(ns.size()) < kSiconosTime)
        ns.push_back(siconos[k].run(c.dt, c.steps, q.data(), u.data()).ns);
    }
  }
  print_times(of_case(c, "nsmc"), "ns", nsmc.ns);
  print_times(of_case(c, "auto"), "ns", with_auto.ns);
  print_times(of_case(c, "general"), "ns", general.ns);
  print_times(of_case(c, "hand"), "ns", hand.ns);
  print_speed(c, "nsmc", "hand", nsmc.ns, hand.ns);
  print_speed(c, "auto", "hand", with_auto.ns, hand.ns);
  print_speed(c, "general", "hand", general.ns, hand.ns);
  for (std::size_t k = 0; k < siconos.size(); ++k) {
    print_times(of_case(c, siconos[k].name), "ns", siconos_ns[k]);
    print_speed(c, "nsmc", siconos[k].name, nsmc.ns, siconos_ns[k]);
    print_speed(c, "auto", siconos[k].name, with_auto.ns, siconos_ns[k]);
  }
  return true;
}

void run_only(const Case& c, const std::string& who) {
  Compiled compiled(c);
  std::vector<double> q(compiled.system().n_q()), u(compiled.system().n_u());
  const auto start = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - start < std::chrono::seconds(2)) {
    if (who == "nsmc") {
      compiled.run(rt::SolverKind::sor);
    } else {
      c.by_hand(c.dt, c.steps, q.data(), u.data());
    }
  }
}

bool benchmark(const Options& options) {
  return each_case(kCases, options.name, [&](Case c) {
    c.dt /= options.refine;
    c.steps *= static_cast<std::uint64_t>(options.refine);
    if (options.only.empty()) return measure(c, options);
    run_only(c, options.only);
    return true;
  });
}

}  // namespace
}  // namespace nsmc::bench

int main(int argc, char** argv) {
  using namespace nsmc::bench;
  Options options;
  CLI::App app{kHelp, "step"};
  add_quick(app, "one short repeat: for the check of the states", [&] { options.quick = true; });
  add_repeats(app, options.repeats, "how often each is timed; fewer of runs that take longer than 10 ms");
  add_choice(app, "--case", options.name, names_of(kCases), "only this case");
  add_number(app, "--refine", options.refine,
             "N steps in place of each, of the N-th part of dt: differences of order dt become smaller");
  app.add_option("--only", options.only,
                 "run only nsmc, or only the program by hand, about 2 s long, and print nothing: for profilers")
      ->type_name("WHO")
      ->check(CLI::IsMember({"nsmc", "hand"}));
  return run(app, argc, argv, [&] { return benchmark(options); });
}
