// Steps by accuracy against fixed ones: the error of the end state against event-driven integration, and the time, both
// in one run. Of fixed steps the fastest counts that is as good.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "bench/model.hpp"
#include "bench/options.hpp"
#include "bench/timing.hpp"

namespace nsmc::bench {
namespace {

constexpr const char* kHelp =
    R"(accuracy_steps: steps by accuracy (moreau, rk) against fixed steps

For each model, method and accuracy E prints a row of the table in docs/numerics.md:
  | <model> | <method> | <E> | error | ms | ms of fixed steps (<method> <dt>) | time over that of fixed steps |
error: of coordinates and velocities at the end, relative to their largest values in the run, against event-driven
integration with rtol 1e-12; fixed steps: the fastest run by moreau (as one program where the model has one) or rk whose
error is not larger, > if none is that takes up to a million steps (rk: an eighth) or --patience; half or a quarter of a
step may be missed, they go by factors of 2. Times are processor times, the least of three.
Fails only if a run by accuracy does not reach the end.)";

constexpr int grid = 20;  // states that a run by accuracy reports: each of them ends a step

struct Case {
  std::string name, file;
  double until;
};

const std::vector<Case> kCases{
    {"bouncing_ball", "models/bouncing_ball", 1.5},
    {"tippe_top", "models/tippe_top", 1.4},
    {"rocking_block", "models/rocking_block", 1},
    {"woodpecker", "models/woodpecker", 0.3},
    {"pendulum", "models/pendulum", 2},
    {"four_bar", "models/four_bar", 1},
    {"linkage_in_angles", "bench/models/linkage_in_angles", 1},
    {"slider_crank", "models/slider_crank", 1},
    {"slider_ellipse", "models/slider_ellipse", 0.3},
    {"slider_nonconvex", "models/slider_nonconvex", 0.3},
    {"rattleback", "models/rattleback", 1},
    {"walker", "models/walker", 1},
    {"two_masses", "models/two_masses", 1},
    {"double_pendulum", "models/double_pendulum", 1},
};

struct Outcome {
  std::vector<double> x;
  double milliseconds = 0;
  bool good = false;
};

Outcome run_once(Model& model, const rt::SimulationOptions& options) {
  Outcome out;
  rt::State state = rt::initial_state(model.system());
  const double start = processor_time();
  try {
    run_quietly(model.system(), state, options);
    out.good = true;
  } catch (const std::exception&) {
    return out;
  }
  out.milliseconds = (processor_time() - start) / 1e6;
  out.x = state.q;
  out.x.insert(out.x.end(), state.u.begin(), state.u.end());
  return out;
}

// The least time of three: the first run of a model pays for the memory of all.
Outcome run_often(Model& model, const rt::SimulationOptions& options) {
  Outcome best = run_once(model, options);
  for (int k = 0; k < 2 && best.good && best.milliseconds < 500; ++k)
    best.milliseconds = std::min(best.milliseconds, run_once(model, options).milliseconds);
  return best;
}

// Largest values over the run, from the reference.
double error(const std::vector<double>& x, const std::vector<double>& exact, const std::vector<double>& scale) {
  double largest = 0;
  for (std::size_t k = 0; k < x.size(); ++k) largest = std::max(largest, std::abs(x[k] - exact[k]) / scale[k]);
  return largest;
}

struct Fixed {
  rt::Method method;
  double step, error, milliseconds;
};

// "13 (rk 2.5e-04) | 0.2": the fastest that is as good, and the time of the run by accuracy over it.
std::string against(const std::vector<Fixed>& fixed, double error, double milliseconds) {
  const Fixed* best = nullptr;
  double longest = 0;
  for (const Fixed& f : fixed) {
    longest = std::max(longest, f.milliseconds);
    const bool as_good = f.error <= std::max(error, 1e-12);
    if (as_good && (best == nullptr || f.milliseconds < best->milliseconds)) best = &f;
  }
  if (best == nullptr) return fmt::format("> {:.3g} | < {:.2g}", longest, milliseconds / longest);
  return fmt::format("{:.3g} ({} {:.1e}) | {:.2g}", best->milliseconds, rt::name_of(best->method), best->step,
                     milliseconds / best->milliseconds);
}

struct Limits {
  double most_steps = 1e6, patience = 2000;  // of runs with fixed steps; in ms
};

bool measure(const Case& c, const std::vector<double>& accuracies, const Limits& limits) {
  Model model(c.file, {}, Level::acceleration, Fusing::always);
  rt::SimulationOptions options = quiet_options(c.until / 1000, c.until);
  options.solver.kind = rt::SolverKind::automatic;
  options.method = rt::Method::event;
  options.integrator.rtol = 1e-12;
  options.integrator.atol = 1e-14;
  // Scales: the largest values at some times.
  std::vector<double> scale;
  for (int k = 1; k <= 8; ++k) {
    rt::SimulationOptions part = options;
    part.until = c.until * k / 8;
    const Outcome at = run_once(model, part);
    if (!at.good) {
      fmt::print("{}: no reference\n", c.name);
      return true;
    }
    scale.resize(at.x.size(), 0);
    for (std::size_t i = 0; i < scale.size(); ++i) scale[i] = std::max(scale[i], std::abs(at.x[i]));
  }
  double largest = 0;
  for (const double s : scale) largest = std::max(largest, s);
  for (double& s : scale) s = std::max(s, 1e-3 * largest);
  const Outcome reference = run_once(model, options);

  std::vector<Fixed> fixed;
  for (const rt::Method method : {rt::Method::moreau, rt::Method::rk}) {
    for (double steps = 250; steps <= limits.most_steps / (method == rt::Method::rk ? 8 : 1); steps *= 2) {
      rt::SimulationOptions o = quiet_options(c.until / steps, c.until);
      o.solver.kind = rt::SolverKind::automatic;
      o.method = method;
      const Outcome at = run_often(model, o);
      if (at.good) fixed.push_back({method, o.step, error(at.x, reference.x, scale), at.milliseconds});
      if (at.milliseconds > limits.patience) break;
    }
  }
  bool good = true;
  for (const rt::Method method : {rt::Method::moreau, rt::Method::rk}) {
    for (const double E : accuracies) {
      rt::SimulationOptions o = quiet_options(c.until / grid, c.until);
      o.solver.kind = rt::SolverKind::automatic;
      o.method = method;
      o.integrator.accuracy = E;
      const Outcome at = run_often(model, o);
      const std::string name = fmt::format("| {} | {} | {:.0e} |", c.name, rt::name_of(method), E);
      good = good && at.good;
      if (at.good) {
        const double e = error(at.x, reference.x, scale);
        fmt::print("{} {:.1e} | {:.3g} | {} |\n", name, e, at.milliseconds, against(fixed, e, at.milliseconds));
      } else {
        fmt::print("{} failed |\n", name);
      }
      std::fflush(stdout);
    }
  }
  return good;
}

}  // namespace
}  // namespace nsmc::bench

int main(int argc, char** argv) {
  using namespace nsmc::bench;
  CLI::App app(kHelp, "accuracy_steps");
  std::string only;
  Limits limits;
  std::vector<double> accuracies{1e-2, 1e-4, 1e-6, 1e-8};
  add_choice(app, "--model", only, names_of(kCases), "this model only");
  app.add_option("--patience", limits.patience, "longest run with fixed steps, in ms")->capture_default_str();
  add_quick(app, "one accuracy, fewer fixed steps", [&] {
    accuracies = {1e-4};
    limits.most_steps = 4000;
  });
  return run(app, argc, argv,
             [&] { return each_case(kCases, only, [&](const Case& c) { return measure(c, accuracies, limits); }); });
}
