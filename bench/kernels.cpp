// Compiled kernels against the same equations by hand. Both evaluate a model with one closed contact (dynamics, gap,
// directions) at the same random states; first they must agree, then they are timed in turns, and the ratio is that of
// the best times. Also the time from source to kernels, stage by stage.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "bench/handwritten/handwritten.hpp"
#include "bench/model.hpp"
#include "bench/options.hpp"
#include "bench/stages.hpp"
#include "bench/timing.hpp"

namespace nsmc::bench {
namespace {

constexpr const char* kHelp =
    R"(kernels: compiled kernels against hand-written C++ (-O3 -march=native)

One evaluation is dynamics, gap and directions of a model of bench/models, at one of 256 random states. Prints
  <model>_jit_ns, <model>_hand_ns            best time of one evaluation
  <model>_jit_median_ns, ..._hand_median_ns  median of the repeats
  ratio <model>_jit/hand                     of the best times
  <model>_<stage>_ms                         parse, check, derive, lower, build_ir, optimise, link: median
  <model>_total_ms                           from source to callable kernels
Times are taken in turns. Fails only if the results differ by more than 1e-10.)";

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
  Compiled(const nsm_model& table, const double* p) : table_(table), shared_(table.n_shared + 1) {
    view_.p = p;
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

bool compare(const Case& c, const nsm_model& table, const double* p, const std::vector<State>& states) {
  Compiled jit(table, p);
  for (const State& s : states) {
    Buffers a(table), b(table);
    jit.evaluate(s, a.outputs());
    c.by_hand(s.t, p, s.q.data(), s.u.data(), b.outputs());
    if (!agree(c.name, "dynamics", a.dynamics, b.dynamics) || !agree(c.name, "gap", a.gap, b.gap) ||
        !agree(c.name, "directions", a.directions, b.directions)) {
      return false;
    }
  }
  return true;
}

void time_kernels(const Case& c, const nsm_model& table, const double* p, const std::vector<State>& states,
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
        for (const State& s : states) c.by_hand(s.t, p, s.q.data(), s.u.data(), hand_out);
      }
    }));
  }
  print_times(std::string(c.name) + "_jit", "ns", jit_ns);
  print_times(std::string(c.name) + "_hand", "ns", hand_ns);
  print_ratio(std::string(c.name) + "_jit/hand", best(jit_ns) / best(hand_ns));
}

Model load(const Case& c) { return Model(std::string("bench/models/") + c.name); }

void time_stages(const Case& c, const Options& options) {
  StageSamples stages;
  std::vector<double> total;
  for (int i = 0; i < options.compilations; ++i) {
    Model model = load(c);
    stages.add(stages_of(model.pipeline(), model.kernels()));
    total.push_back(1e3 * model.pipeline().times().total());
  }
  for (std::size_t k = 0; k < std::size(kStages); ++k)
    std::printf("%s_%s_ms %.3f\n", c.name, kStages[k], median(stages.ms[k]));
  std::printf("%s_total_ms %.3f\n", c.name, median(total));
}

bool measure(const Case& c, const Options& options) {
  Model model = load(c);
  const nsm_model& table = model.table();
  const double* p = model.system().parameters();
  const std::vector<State> states = random_states(table, 256);
  if (!compare(c, table, p, states)) return false;
  time_kernels(c, table, p, states, options);
  time_stages(c, options);
  return true;
}

}  // namespace
}  // namespace nsmc::bench

int main(int argc, char** argv) {
  using namespace nsmc::bench;
  Options options;
  CLI::App app{kHelp, "kernels"};
  add_quick(app, "a few repeats: for the check of agreement", [&] { options.repeats = options.compilations = 3; });
  add_repeats(app, options.repeats);
  add_choice(app, "--model", options.model, names_of(kCases), "only this model");
  return run(app, argc, argv,
             [&] { return each_case(kCases, options.model, [&](const Case& c) { return measure(c, options); }); });
}
