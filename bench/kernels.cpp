// Compiled kernels against the same equations by hand. Both evaluate a model with one closed contact (dynamics, gap,
// directions) at the same random states; first they must agree, then they are timed in turns, and the ratio is that of
// the best times. Also the time from source to kernels, stage by stage.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "bench/handwritten/handwritten.hpp"
#include "bench/timing.hpp"
#include "compiler/driver/pipeline.hpp"
#include "compiler/mechanics/initial_values.hpp"

namespace nsmc::bench {
namespace {

constexpr const char* kHelp =
    R"(kernels: compiled kernels against hand-written C++ (-O3 -march=native)

usage: kernels [--quick] [--repeats N] [--model NAME]

One evaluation is dynamics, gap and directions of a model of bench/models, at one of 256 random states. Prints
  <model>_jit_ns, <model>_hand_ns            best time of one evaluation
  <model>_jit_median_ns, ..._hand_median_ns  median of the repeats
  ratio <model>_jit/hand                     of the best times
  <model>_<stage>_ms                         parse, check, derive, lower, build_ir, optimise, link: median
  <model>_total_ms                           from source to callable kernels
Times are taken in turns. Fails only if the results differ by more than 1e-10.

  --quick       a few repeats: for the check of agreement
  --repeats N   how often each is timed (default 1500)
  --model NAME  only this model
)";

struct Case {
  const char* name;
  Evaluate by_hand;
};

constexpr Case kCases[] = {
    {"sliding_ball", sliding_ball},
    {"double_pendulum", double_pendulum},
    {"cart_pendulum", cart_pendulum},
    {"euler_top", euler_top},
};

struct Options {
  int repeats = 1500;
  int compilations = 9;
  std::string model;
};

struct State {
  double t;
  std::vector<double> q, u;
};

std::vector<State> random_states(const nsm_model& table, std::size_t count) {
  std::mt19937_64 random(20090304);
  const auto uniform = [&](double bound) { return std::uniform_real_distribution<double>(-bound, bound)(random); };
  std::vector<State> states(count);
  for (State& s : states) {
    s.t = 5 + uniform(5);
    for (std::uint32_t i = 0; i < table.n_q; ++i) s.q.push_back(uniform(3));
    for (std::uint32_t i = 0; i < table.n_u; ++i) s.u.push_back(uniform(5));
  }
  return states;
}

// Where one evaluation writes to.
struct Buffers {
  std::vector<double> dynamics, gap, directions;
  explicit Buffers(const nsm_model& table) : gap(1) {
    const nsm_contact_class& c = table.contact_classes[0];
    const std::size_t n_M =
        table.block_classes[0].mass_structure == NSM_MASS_DIAGONAL ? table.n_u : table.n_u * table.n_u;
    dynamics.assign(n_M + table.n_u, std::nan(""));
    directions.assign(table.n_u * c.n_rows + 2 * c.n_rows + c.n_arguments * (1 + c.n_rows), std::nan(""));
  }
  Outputs outputs() { return {dynamics.data(), gap.data(), directions.data()}; }
};

// The kernels as a runtime calls them: through the table.
class Compiled {
 public:
  Compiled(const nsm_model& table, const std::vector<double>& p) : table_(table), shared_(table.n_shared + 1) {
    view_.p = p.data();
    view_.shared = shared_.data();
    if (table.prepare != nullptr) table.prepare(&view_, nullptr);
  }
  void evaluate(const State& s, const Outputs& out) {
    view_.t = s.t;
    view_.q[0] = s.q.data();
    view_.u[0] = s.u.data();
    table_.block_classes[0].dynamics(&view_, out.dynamics);
    table_.contact_classes[0].gap(&view_, out.gap);
    table_.contact_classes[0].directions(&view_, out.directions);
  }

 private:
  const nsm_model& table_;
  std::vector<double> shared_;
  nsm_view view_{};
};

bool agree(const char* model, const char* what, const std::vector<double>& jit, const std::vector<double>& hand) {
  for (std::size_t i = 0; i < jit.size(); ++i) {
    if (jit[i] == hand[i] || std::abs(jit[i] - hand[i]) <= 1e-10 * std::max(1.0, std::abs(hand[i]))) continue;
    std::fprintf(stderr, "%s: %s[%zu] is %.17g compiled and %.17g by hand\n", model, what, i, jit[i], hand[i]);
    return false;
  }
  return true;
}

bool compare(const Case& c, const nsm_model& table, const std::vector<double>& p, const std::vector<State>& states) {
  Compiled jit(table, p);
  for (const State& s : states) {
    Buffers a(table), b(table);
    jit.evaluate(s, a.outputs());
    c.by_hand(s.t, p.data(), s.q.data(), s.u.data(), b.outputs());
    if (!agree(c.name, "dynamics", a.dynamics, b.dynamics) || !agree(c.name, "gap", a.gap, b.gap) ||
        !agree(c.name, "directions", a.directions, b.directions)) {
      return false;
    }
  }
  return true;
}

void time_kernels(const Case& c, const nsm_model& table, const std::vector<double>& p, const std::vector<State>& states,
                  const Options& options) {
  constexpr int kRounds = 16;  // over all states in one measurement
  Compiled jit(table, p);
  Buffers a(table), b(table);
  const Outputs jit_out = a.outputs(), hand_out = b.outputs();
  const std::size_t evaluations = kRounds * states.size();
  std::vector<double> jit_ns, hand_ns;
  for (int repeat = 0; repeat < options.repeats; ++repeat) {
    jit_ns.push_back(nanoseconds(evaluations, [&] {
      for (int round = 0; round < kRounds; ++round) {
        for (const State& s : states) jit.evaluate(s, jit_out);
      }
    }));
    hand_ns.push_back(nanoseconds(evaluations, [&] {
      for (int round = 0; round < kRounds; ++round) {
        for (const State& s : states) c.by_hand(s.t, p.data(), s.q.data(), s.u.data(), hand_out);
      }
    }));
  }
  const double best_jit = best(jit_ns);
  const double best_hand = best(hand_ns);
  std::printf("%s_jit_ns %.2f\n%s_hand_ns %.2f\n", c.name, best_jit, c.name, best_hand);
  std::printf("%s_jit_median_ns %.2f\n%s_hand_median_ns %.2f\n", c.name, median(jit_ns), c.name, median(hand_ns));
  std::printf("ratio %s_jit/hand %.3f\n", c.name, best_jit / best_hand);
}

std::string model_path(const char* name) { return std::string(NSMC_SOURCE_DIR "/bench/models/") + name + ".nsm"; }

void time_stages(const Case& c, const Options& options) {
  struct Stage {
    const char* name;
    std::vector<double> ms;
  };
  Stage stages[] = {{"parse", {}},    {"check", {}},    {"derive", {}}, {"lower", {}},
                    {"build_ir", {}}, {"optimise", {}}, {"link", {}},   {"total", {}}};
  for (int i = 0; i < options.compilations; ++i) {
    Pipeline pipeline(model_path(c.name));
    const CompileTimes& backend = pipeline.compiled()->times();
    const StageTimes& times = pipeline.times();
    const double lower = times.compile - backend.build_ir - backend.optimise - backend.link;
    const double seconds[] = {times.parse,      times.check,      times.derive, lower,
                              backend.build_ir, backend.optimise, backend.link, times.total()};
    for (std::size_t k = 0; k < std::size(stages); ++k) stages[k].ms.push_back(1e3 * seconds[k]);
  }
  for (const Stage& stage : stages) std::printf("%s_%s_ms %.3f\n", c.name, stage.name, median(stage.ms));
}

bool run(const Case& c, const Options& options) {
  Pipeline pipeline(model_path(c.name));
  const Kernels* kernels = pipeline.compiled();
  if (kernels == nullptr) {
    std::fputs(render(pipeline.diagnostics(), pipeline.sources(), false).c_str(), stderr);
    return false;
  }
  const std::vector<double> p = parameter_values(pipeline.pool(), *pipeline.derived(), {});
  const std::vector<State> states = random_states(kernels->table(), 256);
  if (!compare(c, kernels->table(), p, states)) return false;
  time_kernels(c, kernels->table(), p, states, options);
  time_stages(c, options);
  return true;
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
      options.repeats = options.compilations = 3;
    } else if (argument == "--repeats" && has_value) {
      options.repeats = std::max(1, std::atoi(argv[++i]));
    } else if (argument == "--model" && has_value) {
      options.model = argv[++i];
    } else {
      std::fputs(kHelp, stderr);
      return 2;
    }
  }
  bool ok = true, any = false;
  for (const Case& c : kCases) {
    if (!options.model.empty() && options.model != c.name) continue;
    any = true;
    ok = run(c, options) && ok;
  }
  if (!any) std::fprintf(stderr, "no model '%s'\n", options.model.c_str());
  return ok && any ? 0 : 1;
}

}  // namespace
}  // namespace nsmc::bench

int main(int argc, char** argv) {
  try {
    return nsmc::bench::benchmark(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "kernels: %s\n", error.what());
    return 1;
  }
}
