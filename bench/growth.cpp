// How time and memory grow with the size of a model: columns of n spheres, where every contact feels every other one,
// and n spheres on a plane that know nothing of each other.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "bench/timing.hpp"
#include "compiler/driver/pipeline.hpp"
#include "compiler/mechanics/initial_values.hpp"
#include "runtime/simulation/simulate.hpp"

namespace nsmc::bench {
namespace {

constexpr const char* kHelp =
    R"(growth: time per step and memory against the size of a model

usage: growth [--quick] [--largest N] [--repeats N] [--case column|spheres]

Runs with the default solver, without recording, each size in a process of its own. Prints for each case and n
  <case>_<n>_step_ns            time of a step, the best of the repeats
  <case>_<n>_step_median_ns     the median
  <case>_<n>_compile_ms         from the source to the first step
  <case>_<n>_memory_kB          the largest memory of the process, above that of the same model with n = 2
  <case>_<n>_sweeps             iterations of the contact solver, per step
  ratio <case>_<n>_time         growth of the time of a step from n/10, divided by 10: 1 is linear
  ratio <case>_<n>_memory       the same of memory

  --quick       up to n = 100, one repeat
  --largest N   up to this size (default 100000)
  --repeats N   runs of each size (default 5)
)";

struct Case {
  const char* name;
  const char* model;
};

const Case kCases[] = {{"column", "models/column"}, {"spheres", "bench/models/spheres"}};

struct Measured {
  double step_ns = 0, median_ns = 0, compile_ms = 0, memory_kB = 0, sweeps = 0;
};

constexpr std::uint64_t kSteps = 20;

Measured measure(const Case& c, int n, int repeats) {
  Measured result;
  const std::map<std::string, double> set{{"n", n}};
  Pipeline pipeline(std::string(NSMC_SOURCE_DIR "/") + c.model + ".nsm", set);
  result.compile_ms = 1e-6 * nanoseconds(1, [&] { pipeline.compiled(Level::velocity); });
  if (pipeline.compiled(Level::velocity) == nullptr)
    throw std::runtime_error(render(pipeline.diagnostics(), pipeline.sources(), false));
  const rt::System system(pipeline.compiled()->table(), parameter_values(pipeline.pool(), *pipeline.derived(), set));
  rt::SimulationOptions options;
  options.step = 1e-3;
  options.record_every = 0;
  options.parts = rt::RowParts::none();
  std::vector<double> ns;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    // The difference of a long and a short run is that of steps alone: no first step, no memory to allocate.
    const auto run = [&](std::uint64_t steps) {
      options.until = options.step * static_cast<double>(steps);
      rt::State state = rt::initial_state(system);
      rt::NullRecorder nowhere;
      return nanoseconds(1, [&] {
        const rt::SimulationResult end = rt::simulate(system, state, options, nowhere);
        if (end.reason != rt::EndReason::finished) throw std::runtime_error(end.message);
        if (end.summary.unconverged_steps > 0) throw std::runtime_error("a step did not converge");
        result.sweeps = static_cast<double>(end.summary.iterations_total) / static_cast<double>(steps);
      });
    };
    const double first = run(1);
    ns.push_back((run(1 + kSteps) - first) / kSteps);
  }
  result.step_ns = best(ns);
  result.median_ns = median(ns);
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  result.memory_kB = static_cast<double>(usage.ru_maxrss);
  return result;
}

// In a process of its own: what one size has used does not count for the next.
Measured measure_apart(const Case& c, int n, int repeats) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) {
    int status = 1;
    try {
      const Measured result = measure(c, n, repeats);
      status = write(ends[1], &result, sizeof result) == sizeof result ? 0 : 1;
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s, n = %d: %s\n", c.name, n, error.what());
    }
    _exit(status);
  }
  close(ends[1]);
  Measured result;
  const bool read_all = read(ends[0], &result, sizeof result) == sizeof result;
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!read_all || status != 0) throw std::runtime_error("a run failed");
  return result;
}

int benchmark(int argc, char** argv) {
  int largest = 100000, repeats = 5;
  std::string only;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const bool has_value = i + 1 < argc;
    if (argument == "--help" || argument == "-h") {
      std::fputs(kHelp, stdout);
      return 0;
    }
    if (argument == "--quick") {
      largest = 100;
      repeats = 1;
    } else if (argument == "--largest" && has_value) {
      largest = std::atoi(argv[++i]);
    } else if (argument == "--repeats" && has_value) {
      repeats = std::max(1, std::atoi(argv[++i]));
    } else if (argument == "--case" && has_value) {
      only = argv[++i];
    } else {
      std::fputs(kHelp, stderr);
      return 2;
    }
  }
  bool any = false;
  for (const Case& c : kCases) {
    if (!only.empty() && only != c.name) continue;
    any = true;
    const double base = measure_apart(c, 2, 1).memory_kB;
    Measured before;
    for (int n = 10; n <= largest; n *= 10) {
      Measured now = measure_apart(c, n, repeats);
      now.memory_kB -= base;
      std::printf("%s_%d_step_ns %.0f\n%s_%d_step_median_ns %.0f\n", c.name, n, now.step_ns, c.name, n, now.median_ns);
      std::printf("%s_%d_compile_ms %.1f\n%s_%d_memory_kB %.0f\n%s_%d_sweeps %.2f\n", c.name, n, now.compile_ms, c.name,
                  n, now.memory_kB, c.name, n, now.sweeps);
      if (n > 10) std::printf("ratio %s_%d_time %.2f\n", c.name, n, now.step_ns / before.step_ns / 10);
      if (n > 100) std::printf("ratio %s_%d_memory %.2f\n", c.name, n, now.memory_kB / before.memory_kB / 10);
      std::fflush(stdout);
      before = now;
    }
  }
  if (!any) std::fprintf(stderr, "no case '%s'\n", only.c_str());
  return any ? 0 : 1;
}

}  // namespace
}  // namespace nsmc::bench

int main(int argc, char** argv) {
  try {
    return nsmc::bench::benchmark(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "growth: %s\n", error.what());
    return 1;
  }
}
