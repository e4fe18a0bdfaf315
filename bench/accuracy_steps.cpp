// Steps by accuracy against fixed ones: the error of the end state against event-driven integration, and the time, both
// in one run. Of fixed steps the fastest counts that is as good.
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

For each model and accuracy E prints
  <model> <method> <E> error <e> time <ms> fixed <ms> (<method> <dt>) ratio <r>
error: of coordinates and velocities at the end, relative to their largest values in the run, against event-driven
integration with rtol 1e-12; fixed: the fastest run with a fixed step by moreau (as one program where the model has one)
or rk whose error is not larger, > if none of up to a million steps is; ratio: time over fixed.
Fails only if a run by accuracy does not reach the end.)";

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
    {"rattleback", "bench/models/rattleback", 1},
    {"walker", "bench/models/rimless_walker", 1},
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

// Largest values over the run, from the reference.
double error(const std::vector<double>& x, const std::vector<double>& exact, const std::vector<double>& scale) {
  double largest = 0;
  for (std::size_t k = 0; k < x.size(); ++k) largest = std::max(largest, std::abs(x[k] - exact[k]) / scale[k]);
  return largest;
}

bool measure(const Case& c, const std::vector<double>& accuracies, double most_steps) {
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
      std::printf("%-18s no reference\n", c.name.c_str());
      return true;
    }
    scale.resize(at.x.size(), 0);
    for (std::size_t i = 0; i < scale.size(); ++i) scale[i] = std::max(scale[i], std::abs(at.x[i]));
  }
  double largest = 0;
  for (const double s : scale) largest = std::max(largest, s);
  for (double& s : scale) s = std::max(s, 1e-3 * largest);
  const Outcome reference = run_once(model, options);

  struct Fixed {
    rt::Method method;
    double step, error, milliseconds;
  };
  std::vector<Fixed> fixed;
  for (const rt::Method method : {rt::Method::moreau, rt::Method::rk}) {
    for (double steps = 250; steps <= most_steps / (method == rt::Method::rk ? 8 : 1); steps *= 4) {
      rt::SimulationOptions o = quiet_options(c.until / steps, c.until);
      o.solver.kind = rt::SolverKind::automatic;
      o.method = method;
      const Outcome at = run_once(model, o);
      if (at.good) fixed.push_back({method, o.step, error(at.x, reference.x, scale), at.milliseconds});
    }
  }
  bool good = true;
  for (const rt::Method method : {rt::Method::moreau, rt::Method::rk}) {
    for (const double E : accuracies) {
      rt::SimulationOptions o = quiet_options(c.until / 100, c.until);
      o.solver.kind = rt::SolverKind::automatic;
      o.method = method;
      o.integrator.accuracy = E;
      const Outcome at = run_once(model, o);
      if (!at.good) {
        std::printf("%-18s %-6s %.0e failed\n", c.name.c_str(), method == rt::Method::rk ? "rk" : "moreau", E);
        good = false;
        continue;
      }
      const double e = error(at.x, reference.x, scale);
      const Fixed* best_fixed = nullptr;
      double longest = 0;
      for (const Fixed& f : fixed) {
        longest = std::max(longest, f.milliseconds);
        if (f.error <= std::max(e, 1e-12) && (best_fixed == nullptr || f.milliseconds < best_fixed->milliseconds))
          best_fixed = &f;
      }
      std::printf("%-18s %-6s %.0e error %.1e time %.3g", c.name.c_str(), method == rt::Method::rk ? "rk" : "moreau", E,
                  e, at.milliseconds);
      if (best_fixed != nullptr) {
        std::printf(" fixed %.3g (%s %.1e) ratio %.2g\n", best_fixed->milliseconds,
                    best_fixed->method == rt::Method::rk ? "rk" : "moreau", best_fixed->step,
                    at.milliseconds / best_fixed->milliseconds);
      } else {
        std::printf(" fixed > %.3g ratio < %.2g\n", longest, at.milliseconds / longest);
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
  double most_steps = 1e6;
  std::vector<double> accuracies{1e-2, 1e-4, 1e-6, 1e-8};
  add_choice(app, "--model", only, names_of(kCases), "this model only");
  add_quick(app, "one accuracy, fewer fixed steps", [&] {
    accuracies = {1e-4};
    most_steps = 4000;
  });
  return run(app, argc, argv, [&] {
    return each_case(kCases, only, [&](const Case& c) { return measure(c, accuracies, most_steps); });
  });
}
