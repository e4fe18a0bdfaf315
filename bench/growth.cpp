// How time and memory grow with the size of a model: columns of n spheres, where every contact feels every other one,
// and n spheres on a plane that know nothing of each other.
#include <sys/resource.h>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/apart.hpp"
#include "bench/model.hpp"
#include "bench/options.hpp"
#include "bench/timing.hpp"

namespace nsmc::bench {
namespace {

constexpr const char* kHelp =
    R"(growth: time per step and memory against the size of a model

Runs with the default solver, without recording, each size in a process of its own. Prints for each case and n
  <case>_<n>_step_ns            time of a step, the best of the repeats
  <case>_<n>_step_median_ns     the median
  <case>_<n>_compile_ms         from the source to the first step
  <case>_<n>_memory_kB          the largest memory of the process, above that of the same model with n = 2
  <case>_<n>_sweeps             iterations of the contact solver, per step
  ratio <case>_<n>_time         growth of the time of a step from n/10, divided by 10: 1 is linear
  ratio <case>_<n>_memory       the same of memory)";

struct Case {
  const char* name;
  const char* model;
};

const Case kCases[] = {{"column", "models/column"}, {"spheres", "bench/models/spheres"}};

struct Options {
  int largest = 100000, repeats = 5;
  std::string name;
};

struct Measured {
  double step_ns = 0, median_ns = 0, compile_ms = 0, memory_kB = 0, sweeps = 0;
};

constexpr double kStep = 1e-3;
constexpr std::uint64_t kSteps = 20;

Measured measure(const Case& c, int n, int repeats) {
  Measured result;
  Model model(c.model, {{"n", n}}, Level::velocity);
  result.compile_ms = 1e3 * model.pipeline().times().total();
  const rt::System& system = model.system();
  std::vector<double> ns;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    // The difference of a long and a short run is that of steps alone: no first step, no memory to allocate.
    const auto run = [&](std::uint64_t steps) {
      const rt::SimulationOptions options = quiet_options(kStep, kStep * static_cast<double>(steps));
      rt::State state = rt::initial_state(system);
      return nanoseconds(1, [&] {
        const rt::Summary end = run_quietly(system, state, options);
        if (end.unconverged_steps > 0) throw std::runtime_error("a step did not converge");
        result.sweeps = static_cast<double>(end.iterations_total) / static_cast<double>(steps);
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
  return apart(std::string(c.name) + ", n = " + std::to_string(n), [&] { return measure(c, n, repeats); });
}

bool measure_sizes(const Case& c, const Options& options) {
  const double base = measure_apart(c, 2, 1).memory_kB;
  Measured before;
  for (int n = 10; n <= options.largest; n *= 10) {
    Measured now = measure_apart(c, n, options.repeats);
    now.memory_kB -= base;
    std::printf("%s_%d_step_ns %.0f\n%s_%d_step_median_ns %.0f\n", c.name, n, now.step_ns, c.name, n, now.median_ns);
    std::printf("%s_%d_compile_ms %.1f\n%s_%d_memory_kB %.0f\n%s_%d_sweeps %.2f\n", c.name, n, now.compile_ms, c.name,
                n, now.memory_kB, c.name, n, now.sweeps);
    if (n > 10) std::printf("ratio %s_%d_time %.2f\n", c.name, n, now.step_ns / before.step_ns / 10);
    if (n > 100) std::printf("ratio %s_%d_memory %.2f\n", c.name, n, now.memory_kB / before.memory_kB / 10);
    std::fflush(stdout);
    before = now;
  }
  return true;
}

}  // namespace
}  // namespace nsmc::bench

int main(int argc, char** argv) {
  using namespace nsmc::bench;
  Options options;
  CLI::App app{kHelp, "growth"};
  add_quick(app, "up to n = 100, one repeat", [&] {
    options.largest = 100;
    options.repeats = 1;
  });
  add_number(app, "--largest", options.largest, "up to this size");
  add_repeats(app, options.repeats, "runs of each size");
  add_choice(app, "--case", options.name, names_of(kCases), "only this case");
  return run(app, argc, argv,
             [&] { return each_case(kCases, options.name, [&](const Case& c) { return measure_sizes(c, options); }); });
}
