// Event-driven integration on random laws by functions in three to six dimensions, most of which have no modes to
// follow, against Moreau's time-stepping. Fails if a run does not end, or if the difference does not fall as the steps
// do.
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "bench/model.hpp"
#include "bench/options.hpp"
#include "compiler/mechanics/initial_values.hpp"
#include "tests/temporary_folder.hpp"

namespace nsmc::bench {
namespace {

constexpr const char* kHelp =
    R"(event_laws: event-driven integration on random laws by functions, against time-stepping

Points in three to six dimensions with friction by a random set, from rest or not, under loads that turn. Prints for each
law its number, family and dimension, the seconds of the event-driven run, its evaluations, and the difference of
moreau's motion to it at two steps, one a quarter of the other. A law fails if its run does not end, or if the difference
does not fall with the step.)";

// u: an argument of the function.
const char* const kArguments[] = {"a", "b", "c", "d", "e", "f"};

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
  }
  int below(int n) { return static_cast<int>(between(0, n)); }

 private:
  std::mt19937_64 engine_;
};

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4f", x);
  return text;
}

std::string argument(int i) { return kArguments[i]; }

// term(first) + term(first + 1) + ... + term(last - 1)
template <class Term>
std::string sum(int first, int last, Term&& term, const char* between = " + ") {
  std::string text;
  for (int i = first; i < last; ++i) text += (i > first ? between : "") + term(i);
  return text;
}

// sqrt of the sum of squares of the arguments first ... last - 1
std::string length(int first, int last) {
  if (last - first == 1) return "abs(" + argument(first) + ")";
  return "sqrt(" + sum(first, last, [](int i) { return argument(i) + "^2"; }) + ")";
}

// (sum_i |w_i u_i|^p)^(1/p)
std::string power_norm(Random& random, int n, double p, double low, double high) {
  const std::string terms = sum(0, n, [&](int i) {
    return "abs(" + number(random.between(low, high)) + "*" + argument(i) + ")^(" + number(p) + ")";
  });
  return "(" + terms + ")^(1/" + number(p) + ")";
}

// A segment in any direction: |w . u|
std::string oblique(Random& random, int n) {
  return "abs(" + sum(0, n, [&](int i) { return "(" + number(random.between(-1.5, 1.5)) + ")*" + argument(i); }) + ")";
}

std::string weighted_abs(Random& random, int n, const char* between) {
  return sum(
      0, n, [&](int i) { return number(random.between(0.4, 2)) + "*abs(" + argument(i) + ")"; }, between);
}

// Exponents of superellipsoids are spread over 1.2 ... 10.
double exponent(Random& random) { return 1.2 * std::pow(10 / 1.2, random.between(0, 1)); }

struct Family {
  const char* name;
  const char* given;
  std::string (*function)(Random&, int n);
};

const Family kFamilies[] = {
    {"ellipsoid + box", "support",
     [](Random& r, int n) {
       const std::string round = power_norm(r, n, 2, 1, 3);
       return round + " + " + weighted_abs(r, n, " + ");
     }},
    {"ellipsoid + segment", "support",
     [](Random& r, int n) {
       const std::string round = power_norm(r, n, 2, 1, 4);
       return round + " + " + oblique(r, n);
     }},
    {"ellipsoid + segments", "support",
     [](Random& r, int n) {
       const std::string round = power_norm(r, n, 2, 1, 4), first = oblique(r, n);
       return round + " + " + first + " + " + oblique(r, n);
     }},
    {"hull of two discs", "support",
     [](Random& r, int n) {
       const int split = 1 + r.below(n - 1);
       const std::string radius = number(r.between(3, 5));
       return "max(" + radius + "*" + length(0, split) + ", " + number(r.between(3, 5)) + "*" + length(split, n) + ")";
     }},
    {"superellipsoid", "gauge",
     [](Random& r, int n) {
       const double s = exponent(r);
       return power_norm(r, n, s, 0.15, 0.4);
     }},
    {"ellipsoid in a box", "gauge",
     [](Random& r, int n) {
       const std::string round = power_norm(r, n, 2, 0.15, 0.4);
       return "max(" + round + ", (" + weighted_abs(r, n, ")/5, (") + ")/5)";
     }},
    {"sum of two lengths", "gauge",
     [](Random& r, int n) {
       const int split = 1 + r.below(n - 1);
       const std::string radius = number(r.between(3, 5));
       return length(0, split) + "/" + radius + " + " + length(split, n) + "/" + number(r.between(3, 5));
     }},
};

constexpr int n_families = static_cast<int>(std::size(kFamilies));

struct Law {
  const Family* family;
  int n;
  std::string model;
};

// Law `index` of a seed, whatever the others.
Law make_law(int seed, int index, bool in_space) {
  Random r(1000003 * static_cast<std::uint64_t>(seed) + static_cast<std::uint64_t>(index));
  Law law{&kFamilies[index % n_families], 3 + r.below(4), {}};
  if (in_space) law.n = 3;
  const auto coordinate = [](int i) { return "x" + std::to_string(i + 1); };
  const std::string set = std::string(law.family->given) + " (" + sum(0, law.n, argument, ", ") + ") { " +
                          law.family->function(r, law.n) + " }";
  const bool rest = r.below(4) == 0;
  law.model = "model random_law\n";
  for (int i = 0; i < law.n; ++i) {
    const std::string x = coordinate(i);
    law.model += "coord " + x + " = 0\n";
    if (!rest && r.below(4) > 0) law.model += "initial " + x + "' = " + number(r.between(-2, 2)) + "\n";
    law.model += "force " + x + " : " + number(r.between(0, rest ? 8 : 5)) + "*sin(" + number(r.between(2, 8)) +
                 "*t + " + number(r.between(0, 6.28)) + ")\n";
  }
  const auto kinetic = [&](int i) { return number(r.between(0.5, 1.2)) + "*" + coordinate(i) + "'^2"; };
  law.model += "kinetic " + sum(0, law.n, kinetic) + "\nlaw mine(C) { force T[" + std::to_string(law.n) +
               "]  slip in normal_cone(C, -T) }\ncontact floor { slip [" +
               sum(
                   0, law.n, [&](int i) { return coordinate(i) + "'"; }, ", ") +
               "]\n  law mine(" + set + ") }\n";
  return law;
}

// Sets a flag after some seconds, unless the end of its life comes first.
class Alarm {
 public:
  explicit Alarm(double seconds)
      : thread_([this, seconds] {
          std::unique_lock lock(mutex_);
          if (!over_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return done_; })) rang = true;
        }) {}
  ~Alarm() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    over_.notify_one();
    thread_.join();
  }
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

  std::atomic<bool> rang{false};

 private:
  std::mutex mutex_;
  std::condition_variable over_;
  bool done_ = false;
  std::thread thread_;
};

struct Options {
  int laws = 70, seed = 1, law = -1, seconds = 60;
  double until = 0.3, rtol = 1e-10, step = 4e-3;
  bool in_space = false;  // three dimensions only
};

double difference(const rt::State& one, const rt::State& other) {
  double worst = 0;
  for (std::size_t k = 0; k < one.q.size(); ++k) worst = std::max(worst, std::abs(one.q[k] - other.q[k]));
  for (std::size_t k = 0; k < one.u.size(); ++k) worst = std::max(worst, std::abs(one.u[k] - other.u[k]));
  return worst;
}

// Below this the errors of moreau are those of its contact solver.
constexpr double kSmall = 1e-8;

bool check_law(const Law& law, int index, const Options& options) {
  const test::TemporaryFolder folder;
  Pipeline pipeline(folder.write("law.nsm", law.model));
  const Kernels* kernels = pipeline.compiled();
  if (kernels == nullptr) throw std::runtime_error(render(pipeline.diagnostics(), pipeline.sources(), false));
  const rt::System system(kernels->table(), parameter_values(pipeline.pool(), *pipeline.derived(), {}));

  std::printf("%4d  %-26s %d", index, law.family->name, law.n);
  std::fflush(stdout);
  rt::NullRecorder nowhere;
  rt::State reference = rt::initial_state(system);
  rt::SimulationOptions by_events = quiet_options(1e-2, options.until);
  by_events.method = rt::Method::event;
  by_events.integrator.rtol = options.rtol;
  by_events.integrator.atol = 0.01 * options.rtol;
  rt::SimulationResult result;
  {
    const Alarm alarm(options.seconds);
    by_events.stop = &alarm.rang;
    result = rt::simulate(system, reference, by_events, nowhere);
  }
  std::printf(" %9.2f %9llu", result.summary.wall_seconds, static_cast<unsigned long long>(result.summary.evaluations));
  std::fflush(stdout);
  if (result.reason != rt::EndReason::finished) {
    std::printf("  does not end: %s\n", result.message.c_str());
    return false;
  }
  // The worst of a few runs with nearly equal steps: where in the steps a kink falls makes the error of one jump.
  const auto error = [&](double step) {
    double worst = 0;
    for (const double part : {1.0, 0.9}) {
      rt::State state = rt::initial_state(system);
      run_quietly(system, state, quiet_options(part * step, options.until));
      worst = std::max(worst, difference(state, reference));
    }
    return worst;
  };
  const double coarse = error(options.step), fine = error(options.step / 4);
  const bool agrees = fine <= 0.4 * coarse + kSmall && fine <= 0.5 * options.step;
  std::printf(" %10.1e %10.1e%s\n", coarse, fine, agrees ? "" : "  does not agree");
  std::fflush(stdout);
  return agrees;
}

bool check_all(const Options& options) {
  std::printf(" law  %-26s n   seconds     evals  step %4g  step %4g\n", "set", options.step, options.step / 4);
  if (options.law >= 0) {
    const Law law = make_law(options.seed, options.law, options.in_space);
    std::printf("%s", law.model.c_str());
    return check_law(law, options.law, options);
  }
  int failed = 0;
  for (int index = 0; index < options.laws; ++index) {
    if (!check_law(make_law(options.seed, index, options.in_space), index, options)) ++failed;
  }
  std::printf("%d of %d laws failed\n", failed, options.laws);
  return failed == 0;
}

}  // namespace
}  // namespace nsmc::bench

int main(int argc, char** argv) {
  using namespace nsmc::bench;
  CLI::App app(kHelp, "event_laws");
  Options options;
  add_quick(app, "one law of each family, in three dimensions, for a shorter time", [&] {
    options.laws = n_families;
    options.in_space = true;
    options.until = 0.1;
  });
  add_number(app, "--laws", options.laws, "how many");
  add_number(app, "--seed", options.seed, "of the random numbers");
  add_number(app, "--seconds", options.seconds, "after which a run has not ended");
  app.add_option("--law", options.law, "this one only, with its model");
  app.add_option("--rtol", options.rtol, "of the event-driven runs; atol is a hundredth")->capture_default_str();
  return run(app, argc, argv, [&] { return check_all(options); });
}
