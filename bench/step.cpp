// Whole runs: compiled models in the runtime of nsmc against programs written by hand for exactly one model
// (bench/handwritten/runs.hpp), and against Siconos where it is installed (bench/siconos/runs.hpp). All do the same
// steps from the same start in turns; first they must arrive at the same state.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/handwritten/runs.hpp"
#include "bench/siconos/runs.hpp"
#include "bench/timing.hpp"
#include "compiler/driver/pipeline.hpp"
#include "compiler/mechanics/initial_values.hpp"
#include "runtime/simulation/simulate.hpp"

namespace nsmc::bench {
namespace {

constexpr const char* kHelp =
    R"(step: steps per second of whole runs, against programs written by hand and Siconos

usage: step [--quick] [--repeats N] [--case NAME] [--refine N] [--only nsmc|hand]

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
Times are taken in turns. Fails only if final states differ by more than the case allows.

  --quick       one short repeat: for the check of the states
  --repeats N   how often each is timed (default 200, fewer of runs that take longer than 10 ms)
  --case NAME   only this case
  --refine N    N steps in place of each, of the N-th part of dt: differences of order dt become smaller
  --only WHO    run only nsmc, or only the program by hand, about 2 s long, and print nothing: for profilers
)";

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
  explicit Compiled(const Case& c) : pipeline_(std::string(NSMC_SOURCE_DIR "/") + c.model + ".nsm", c.set) {
    if (pipeline_.compiled(Level::velocity, nullptr, Fusing::always) == nullptr)
      throw std::runtime_error(render(pipeline_.diagnostics(), pipeline_.sources(), false));
    const std::vector<double> p = parameter_values(pipeline_.pool(), *pipeline_.derived(), c.set);
    system_ = std::make_unique<rt::System>(pipeline_.compiled()->table(), p);
    options_.step = c.dt;
    options_.until = static_cast<double>(c.steps) * c.dt;
    options_.record_every = 0;
    options_.parts = rt::RowParts::none();
    options_.solver.tolerance = run_tolerance;
    options_.solver.max_iterations = run_most_sweeps;
  }

  const rt::System& system() const { return *system_; }

  rt::State run(rt::SolverKind solver, rt::ProblemObserver* observer = nullptr) {
    options_.solver.kind = solver;
    options_.solver.observer = observer;
    rt::State state = rt::initial_state(*system_);
    rt::NullRecorder nowhere;
    const rt::SimulationResult result = rt::simulate(*system_, state, options_, nowhere);
    if (result.reason != rt::EndReason::finished) throw std::runtime_error(result.message);
    summary = result.summary;
    return state;
  }

  rt::Summary summary;

 private:
  Pipeline pipeline_;
  std::unique_ptr<rt::System> system_;
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

void print_times(const Case& c, const char* who, const std::vector<double>& ns) {
  std::printf("%s_%s_ns %.2f\n%s_%s_median_ns %.2f\n", c.name, who, best(ns), c.name, who, median(ns));
}

void print_ratio(const Case& c, const char* who, const char* other, const std::vector<double>& ns,
                 const std::vector<double>& other_ns) {
  std::printf("ratio %s_%s/%s %.3f\n", c.name, who, other, best(other_ns) / best(ns));
  std::printf("ratio %s_%s/%s_median %.3f\n", c.name, who, other, median(other_ns) / median(ns));
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
  print_times(c, "nsmc", nsmc.ns);
  print_times(c, "auto", with_auto.ns);
  print_times(c, "general", general.ns);
  print_times(c, "hand", hand.ns);
  print_ratio(c, "nsmc", "hand", nsmc.ns, hand.ns);
  print_ratio(c, "auto", "hand", with_auto.ns, hand.ns);
  print_ratio(c, "general", "hand", general.ns, hand.ns);
  for (std::size_t k = 0; k < siconos.size(); ++k) {
    print_times(c, siconos[k].name, siconos_ns[k]);
    print_ratio(c, "nsmc", siconos[k].name, nsmc.ns, siconos_ns[k]);
    print_ratio(c, "auto", siconos[k].name, with_auto.ns, siconos_ns[k]);
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

int benchmark(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const bool has_value = i + 1 < argc;
    if (argument == "--help" || argument == "-h") {
      std::fputs(kHelp, stdout);
      return 0;
    }
    if (argument == "--quick") {
      options.quick = true;
    } else if (argument == "--repeats" && has_value) {
      options.repeats = std::max(1, std::atoi(argv[++i]));
    } else if (argument == "--refine" && has_value) {
      options.refine = std::max(1, std::atoi(argv[++i]));
    } else if (argument == "--case" && has_value) {
      options.name = argv[++i];
    } else if (argument == "--only" && has_value) {
      options.only = argv[++i];
    } else {
      std::fputs(kHelp, stderr);
      return 2;
    }
  }
  if (!options.only.empty() && options.only != "nsmc" && options.only != "hand") {
    std::fputs(kHelp, stderr);
    return 2;
  }
  bool ok = true, any = false;
  for (Case c : kCases) {
    if (!options.name.empty() && options.name != c.name) continue;
    any = true;
    c.dt /= options.refine;
    c.steps *= static_cast<std::uint64_t>(options.refine);
    if (options.only.empty()) {
      ok = measure(c, options) && ok;
    } else {
      run_only(c, options.only);
    }
  }
  if (!any) std::fprintf(stderr, "no case '%s'\n", options.name.c_str());
  return ok && any ? 0 : 1;
}

}  // namespace
}  // namespace nsmc::bench

int main(int argc, char** argv) {
  try {
    return nsmc::bench::benchmark(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "step: %s\n", error.what());
    return 1;
  }
}
