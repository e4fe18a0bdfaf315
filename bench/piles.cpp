// Piles: n spheres that fall into a box and come to rest, by the solvers of nsmc and, where they are installed, by
// Bullet and ODE, on the same scene in one run.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/handwritten/pile_sweeps.hpp"
#include "bench/model.hpp"
#include "bench/options.hpp"
#include "bench/peers/pile_scene.hpp"
#include "bench/timing.hpp"
#include "runtime/evaluation/evaluation.hpp"
#include "runtime/simulation/run.hpp"
#include "runtime/solvers/solve.hpp"

namespace nsmc::bench {
namespace {

constexpr const char* kHelp =
    R"(piles: spheres that fall into a box and come to rest, against Bullet and ODE

bench/models/pile.nsm with a step of 1 ms. Times are those of the processor. For each number of spheres n and each solver,
while the pile falls ('fall', the first half of the time) and comes to rest ('rest', the second half), prints
  pile_<n>_<solver>_<phase>_step_ms        mean time of a step, search for contacts included
  pile_<n>_<solver>_<phase>_sweeps         iterations of the contact solver, per step
  pile_<n>_<solver>_<phase>_unconverged    steps that did not reach the tolerance (solvers of nsmc)
  pile_<n>_<solver>_<phase>_penetration    the deepest at the end, of the radius
  pile_<n>_<solver>_<phase>_kinetic_mJ     kinetic energy at the end
Solvers: auto to the tolerance, sor with a fixed number of sweeps (sor10, sor50), bullet10, bullet50, ode10, ode50 with as
many. ratio pile_<n>_sor<k>/bullet<k>: speed of nsmc at equal sweeps, Bullet being 1, over both phases.
  pile_<n>_contact_ns, pile_<n>_hand_contact_ns   one contact in one sweep: BodySweeps, and written by hand
  ratio pile_<n>_sweep/hand                       speed of the sweeps of nsmc, those by hand being 1)";

struct Options {
  std::vector<int> sizes = {300};
  double until = 0.5, tolerance = 1e-8;
  int sweep_repeats = 20;
  std::string only;
  bool quick = false;
};

int side(int n) { return std::max(2, static_cast<int>(std::lround(std::cbrt(0.72 * n)))); }

struct Measured {
  double seconds = 0, sweeps = 0, penetration = 0, kinetic = 0;
  std::uint64_t steps = 0, unconverged = 0;
};

// The deepest penetration and the kinetic energy of a pile.
void look_at(const PileScene& scene, const PileState& state, Measured& result) {
  const double J = 0.4 * scene.m * scene.r * scene.r;
  result.kinetic = result.penetration = 0;
  for (std::size_t i = 0; i < state.position.size(); ++i) {
    const auto &x = state.position[i], &v = state.velocity[i], &w = state.spin[i];
    const auto square = [](const std::array<double, 3>& a) { return a[0] * a[0] + a[1] * a[1] + a[2] * a[2]; };
    result.kinetic += (scene.m * square(v) + J * square(w)) / 2;
    double deepest =
        std::max({scene.r - x[2], std::abs(x[0]) + scene.r - scene.half(), std::abs(x[1]) + scene.r - scene.half()});
    for (std::size_t j = 0; j < i; ++j) {
      const auto& y = state.position[j];
      deepest = std::max(deepest, 2 * scene.r - std::sqrt(square({x[0] - y[0], x[1] - y[1], x[2] - y[2]})));
    }
    result.penetration = std::max(result.penetration, deepest / scene.r);
  }
}

void print(int n, const std::string& solver, const char* phase, const Measured& m, bool by_nsmc) {
  const std::string name = "pile_" + std::to_string(n) + "_" + solver + "_" + phase;
  std::printf("%s_step_ms %.3f\n%s_sweeps %.1f\n", name.c_str(), 1e3 * m.seconds / static_cast<double>(m.steps),
              name.c_str(), m.sweeps / static_cast<double>(m.steps));
  if (by_nsmc) std::printf("%s_unconverged %llu\n", name.c_str(), static_cast<unsigned long long>(m.unconverged));
  std::printf("%s_penetration %.2g\n%s_kinetic_mJ %.3g\n", name.c_str(), m.penetration, name.c_str(), 1e3 * m.kinetic);
  std::fflush(stdout);
}

// Both phases of one run; returns the seconds of both.
double run_nsmc(const Model& model, const PileScene& scene, const Options& options, const std::string& name,
                rt::SolverKind kind, int sweeps, const std::function<void(const rt::Run&)>& at_rest = {}) {
  rt::SimulationOptions given = quiet_options(scene.dt, options.until);
  given.solver.kind = kind;
  given.solver.tolerance = sweeps > 0 ? 1e-300 : options.tolerance;
  if (sweeps > 0) given.solver.max_iterations = sweeps;
  rt::NullRecorder nowhere;
  rt::Run run(model.table(), {model.system().parameters(), model.table().n_p}, rt::initial_state(model.system()), given,
              nowhere);
  double seconds = 0, sweeps_before = 0;
  std::uint64_t unconverged_before = 0;
  for (const int phase : {1, 2}) {
    Measured m;
    m.seconds = 1e-9 * processor_nanoseconds(1, [&] { run.advance(options.until * phase / 2); });
    const rt::Summary summary = run.result().summary;
    m.steps = static_cast<std::uint64_t>(std::llround(options.until / 2 / scene.dt));
    m.sweeps = static_cast<double>(summary.iterations_total) - sweeps_before;
    m.unconverged = summary.unconverged_steps - unconverged_before;
    sweeps_before += m.sweeps;
    unconverged_before += m.unconverged;
    const rt::State& state = run.state();
    PileState pile;
    for (int i = 0; i < scene.n; ++i) {
      const double *q = state.q.data() + 7 * i, *u = state.u.data() + 6 * i;
      pile.position.push_back({q[0], q[1], q[2]});
      pile.velocity.push_back({u[0], u[1], u[2]});
      pile.spin.push_back({u[3], u[4], u[5]});
    }
    look_at(scene, pile, m);
    print(scene.n, name, phase == 1 ? "fall" : "rest", m, true);
    seconds += m.seconds;
  }
  if (at_rest) at_rest(run);
  return seconds;
}

using MakePeer = std::function<std::unique_ptr<PeerPile>(const PileScene&, int)>;

[[maybe_unused]] double run_peer(const PileScene& scene, const Options& options, const std::string& name,
                                 const MakePeer& make, int sweeps) {
  const std::unique_ptr<PeerPile> pile = make(scene, sweeps);
  double seconds = 0;
  for (const char* phase : {"fall", "rest"}) {
    Measured m;
    m.steps = static_cast<std::uint64_t>(std::llround(options.until / 2 / scene.dt));
    m.seconds = 1e-9 * processor_nanoseconds(1, [&] {
                  for (std::uint64_t step = 0; step < m.steps; ++step) pile->step();
                });
    m.sweeps = sweeps * static_cast<double>(m.steps);
    look_at(scene, pile->state(), m);
    print(scene.n, name, phase, m, false);
    seconds += m.seconds;
  }
  return seconds;
}

// The sweeps alone, on the contacts of a state: the same percussions must come out.
bool compare_sweeps(const rt::System& system, const rt::State& state, double dt, int n, int repeats) {
  rt::Workspace work(system);
  const double *q = state.q.data(), *u = state.u.data();
  if (rt::evaluate_dynamics(system, work, state.t, q, u) || rt::find_closed(system, work, state.t, q, u)) return false;
  rt::evaluate_directions(system, work, state.t, q, u, work.closed);
  rt::assemble(system, work, dt, state.t, q, u, state.Lambda.data(), rt::Velocities::mean,
               rt::ProblemForm::bodies_if_many);
  rt::ContactProblem& problem = work.problem;
  const rt::BodyForm& bodies = problem.bodies;
  if (!bodies.active() || bodies.stride != 6) return false;
  std::vector<PileContact> contacts(problem.contacts.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    PileContact& contact = contacts[i];
    const rt::BodyForm::Contact& on = bodies.contacts[i];
    std::copy_n(on.body, 2, contact.body);
    std::copy_n(bodies.directions.data() + on.W, 36, &contact.w[0][0][0]);
    std::copy_n(problem.c.data() + 3 * i, 3, contact.c);
    const double* G = bodies.own_blocks.data() + on.own;
    contact.D_N = G[0];
    contact.D_T = G[4];
    contact.mu = 0.3;
  }
  constexpr int kSweeps = 100;
  rt::SolverOptions options;
  options.kind = rt::SolverKind::sor;
  options.tolerance = 1e-300;
  options.max_iterations = kSweeps;
  std::vector<double> nsmc_ns, hand_ns, Lambda, y;
  const std::vector<double> start = problem.Lambda;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    problem.Lambda = start;
    nsmc_ns.push_back(processor_nanoseconds(kSweeps * contacts.size(), [&] { rt::solve_sor(problem, options); }));
    Lambda = start;
    y.assign(bodies.y.size(), 0);
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      for (std::size_t b = 0; b < 2; ++b) {
        for (std::size_t h = 0; h < 3; ++h) {
          for (std::size_t k = 0; k < 6; ++k)
            y[6 * contacts[i].body[b] + k] += contacts[i].w[b][h][k] * Lambda[3 * i + h];
        }
      }
    }
    hand_ns.push_back(processor_nanoseconds(kSweeps * contacts.size(),
                                            [&] { sweep_pile(contacts, kSweeps, Lambda.data(), y.data()); }));
  }
  double largest = 0, difference = 0;
  for (std::size_t k = 0; k < Lambda.size(); ++k) {
    largest = std::max(largest, std::abs(Lambda[k]));
    difference = std::max(difference, std::abs(Lambda[k] - problem.Lambda[k]));
  }
  const std::string name = "pile_" + std::to_string(n);
  std::printf("%s_contacts %zu\n%s_sweep_difference %.2g\n", name.c_str(), contacts.size(), name.c_str(),
              difference / largest);
  print_times(name + "_contact", "ns", nsmc_ns);
  print_times(name + "_hand_contact", "ns", hand_ns);
  print_ratios(name + "_sweep/hand", hand_ns, nsmc_ns);
  return difference <= 1e-9 * largest;
}

bool measure(int n, const Options& options) {
  PileScene scene{n, side(n)};
  const Model model("bench/models/pile", {{"n", n}, {"k", scene.k}}, Level::velocity);
  const auto wanted = [&](const char* name) { return options.only.empty() || options.only == name; };
  bool agree = true;
  if (wanted("auto") || wanted("sweeps")) {
    run_nsmc(model, scene, options, "auto", rt::SolverKind::automatic, 0, [&](const rt::Run& run) {
      agree = compare_sweeps(run.system(), run.state(), scene.dt, n, options.sweep_repeats);
    });
  }
  for (const int sweeps : {10, 50}) {
    const std::string many = std::to_string(sweeps);
    double nsmc = 0, bullet = 0;
    if (wanted("sor")) nsmc = run_nsmc(model, scene, options, "sor" + many, rt::SolverKind::sor, sweeps);
#ifdef NSMC_BULLET
    if (wanted("bullet")) bullet = run_peer(scene, options, "bullet" + many, bullet_pile, sweeps);
#endif
#ifdef NSMC_ODE
    if (wanted("ode")) run_peer(scene, options, "ode" + many, ode_pile, sweeps);
#endif
    if (nsmc > 0 && bullet > 0)
      print_ratio("pile_" + std::to_string(n) + "_sor" + many + "/bullet" + many, bullet / nsmc);
  }
  return agree;
}

}  // namespace
}  // namespace nsmc::bench

int main(int argc, char** argv) {
  using namespace nsmc::bench;
  Options options;
  CLI::App app{kHelp, "piles"};
  add_quick(app, "150 spheres that have just fallen", [&] {
    options.sizes = {150};
    options.until = 0.15;
    options.sweep_repeats = 1;
  });
  app.add_option("--sizes", options.sizes, "numbers of spheres")->type_name("N...");
  app.add_option("--until", options.until, "simulated time of both phases")->type_name("S");
  app.add_option("--tolerance", options.tolerance, "of auto");
  app.add_option("--only", options.only, "only this")->check(CLI::IsMember({"auto", "sor", "bullet", "ode", "sweeps"}));
  return run(app, argc, argv, [&] {
    return std::all_of(options.sizes.begin(), options.sizes.end(), [&](int n) { return measure(n, options); });
  });
}
