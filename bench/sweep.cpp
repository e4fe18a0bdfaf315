// Runs per second of one core in sweeps, of the Tippe-Top above all: in SIMD lanes against one after another. The
// studies are those of `nsmc sweep` on one thread; all write the same rows, or there is no comparison.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "bench/options.hpp"
#include "bench/timing.hpp"
#include "nsmc/model.hpp"
#include "runtime/small/lane_step.hpp"

namespace nsmc::bench {
namespace {

constexpr const char* kHelp =
    R"(sweep: runs per second of one core, in SIMD lanes against one after another

Sweeps over the initial inclination and the friction of the Tippe-Top, and of a chain of links whose equations are full of
sines and cosines: 72 runs of 1.5 s with a step of 1e-4, on one thread, compilation not counted. So many steps that single
runs have their fused step, where the model has one. Prints for each case
  <case>_single_ms, <case>_lanes_ms, <case>_reproducible_ms   best time of a run; with _median the median of the repeats
  <case>_exact                                 1: lanes have the bits of single runs without being asked to
  <case>_failed                                runs that do not come to their end: at a singularity of Euler's angles
  ratio <case>_lanes/single, ..._median        throughput in lanes, one after another being 1
  ratio <case>_reproducible/single, ..._median the same with --reproducible
  ratio <case>_4_lanes/single, ..._median      on processors with 8 lanes: with 4 of them
  <case>_steps_lanes/single                    the same for a measure that looks at every step
Times are those of the processor, taken in turns. Fails if rows with --reproducible are not those of single runs, byte by
byte, or others differ by more than 1e-6. Prints nothing where the processor has no lanes.)";

struct Case {
  const char* name;
  const char* folder;
  const char* inclination;  // a parameter, varied together with mu
  const char* column;       // to measure
};

constexpr Case kCases[] = {{"tippe_top_ellipsoid", "models", "theta0=0.05:0.15", "inclination"},
                           {"tippe_top", "models", "theta0=0.05:0.15", "inclination"},
                           {"tippe_top_euler", "models", "theta0=0.05:0.15", "theta"},
                           {"chain_over_floor", "bench/models", "a0=0.8:1.2", "a"}};

struct Options {
  int repeats = 7;
  bool quick = false;
  std::string name;
};

// The values of a study, by run and measure.
using Rows = std::vector<std::vector<std::optional<double>>>;

// A study as `nsmc sweep` has it.
class Sweep {
 public:
  Sweep(const Case& c, const Options& options, int lanes, bool reproducible, bool every_step) {
    StudyRequest sweep;
    sweep.axes = {{std::string(c.inclination) + (options.quick ? ":3" : ":8")},
                  {std::string("mu=0.2:0.4:") + (options.quick ? "3" : "9")}};
    sweep.measures = {every_step ? std::string("max(") + c.column + ")" : std::string(c.column), "iterations"};
    sweep.settings = {{"until", options.quick ? 0.1 : 1.5}, {"step", 1e-4}};
    sweep.lanes = lanes;
    sweep.reproducible = reproducible;
    sweep.threads = 1;
    study_ = nsmc::Model::open(std::string(NSMC_SOURCE_DIR "/") + c.folder + "/" + c.name + ".nsm").prepare(sweep);
    all_.resize(study_->size());
    std::iota(all_.begin(), all_.end(), std::uint64_t{0});
  }

  // The rows, in the order of the grid.
  Rows run() {
    Rows rows(study_->size());
    const auto work = [&] { study_->run(all_, [&](const StudyRow& row) { rows[row.index] = row.values; }); };
    ms.push_back(1e-6 * processor_nanoseconds(study_->size(), work, Threads::all));
    return rows;
  }

  bool exact() const { return study_->exact_lanes(); }

  std::vector<double> ms;  // of a run

 private:
  std::optional<Study> study_;
  std::vector<std::uint64_t> all_;
};

// A run that fails has no values.
std::size_t failed(const Rows& rows) {
  return static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [](const auto& row) { return !row.front().has_value(); }));
}

double difference(const Rows& a, const Rows& b) {
  double worst = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    for (std::size_t i = 0; i < a[k].size(); ++i) {
      if (a[k][i].has_value() != b[k][i].has_value()) return std::numeric_limits<double>::infinity();
      if (a[k][i]) worst = std::max(worst, std::abs(*a[k][i] - *b[k][i]) / std::max(1.0, std::abs(*b[k][i])));
    }
  }
  return worst;
}

// Throughputs: the times of single runs over one's own.
void print_speed(const Case& c, const char* what, const Sweep& lanes, const Sweep& single) {
  print_ratios(std::string(c.name) + "_" + what + "/single", single.ms, lanes.ms);
}

bool measure(const Case& c, const Options& options) {
  const auto most = static_cast<int>(rt::lanes_of_processor());
  Sweep single(c, options, 1, false, false), lanes(c, options, most, false, false),
      reproducible(c, options, most, true, false), four(c, options, 4, true, false),
      single_steps(c, options, 1, false, true), lanes_steps(c, options, most, true, true);
  const Rows rows = single.run();
  const double apart = difference(lanes.run(), rows);
  std::printf("%s_exact %d\n%s_failed %zu\n%s_difference %.2g\n", c.name, lanes.exact() ? 1 : 0, c.name, failed(rows),
              c.name, apart);
  const bool same = reproducible.run() == rows && four.run() == rows && (!lanes.exact() || apart == 0) &&
                    single_steps.run() == lanes_steps.run();
  if (!same || !(apart <= 1e-6)) {
    std::fprintf(stderr, "%s: rows in lanes are not those of single runs: no comparison\n", c.name);
    return false;
  }
  if (options.quick) return true;
  for (int repeat = 0; repeat < options.repeats; ++repeat) {
    for (Sweep* sweep : {&single, &lanes, &reproducible, &four, &single_steps, &lanes_steps}) sweep->run();
  }
  print_times(std::string(c.name) + "_single", "ms", single.ms, 3);
  print_times(std::string(c.name) + "_lanes", "ms", lanes.ms, 3);
  print_times(std::string(c.name) + "_reproducible", "ms", reproducible.ms, 3);
  print_speed(c, "lanes", lanes, single);
  print_speed(c, "reproducible", reproducible, single);
  if (most == 8) print_speed(c, "4_lanes", four, single);
  print_speed(c, "steps_lanes", lanes_steps, single_steps);
  return true;
}

}  // namespace
}  // namespace nsmc::bench

int main(int argc, char** argv) {
  using namespace nsmc::bench;
  Options options;
  CLI::App app{kHelp, "sweep"};
  add_quick(app, "one short repeat, for the check of the rows", [&] { options.quick = true; });
  add_repeats(app, options.repeats);
  add_choice(app, "--case", options.name, names_of(kCases), "only this case");
  return run(app, argc, argv, [&] {
    if (nsmc::rt::lanes_of_processor() == 1) return true;
    return each_case(kCases, options.name, [&](const Case& c) { return measure(c, options); });
  });
}
