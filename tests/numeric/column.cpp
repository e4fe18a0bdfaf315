// A column of spheres: forces that are sums of weights, and a model whose code does not grow with its size.
#include <algorithm>

#include "run_model.hpp"
#include "runtime/evaluation/workspace.hpp"

using namespace nsmc::test;

namespace {

// The relaxation for which SOR needs O(n) sweeps instead of O(n^2) for a chain of n: 2/(1 + sin(pi/(n + 1))).
double best_relaxation(int n) { return 2 / (1 + std::sin(M_PI / (n + 1))); }

void check_weights(int n, const RunSettings& settings) {
  CAPTURE(n);
  const Trajectory run = Model::named("column", {{"n", n}}).run({}, settings);
  CHECK(run.summary.closed_max == static_cast<std::uint32_t>(n));
  CHECK(run.summary.closed_mean == n);
  const double mg = 0.1 * 9.81;
  double worst = 0, friction = 0;
  for (int i = 0; i < n; ++i) {
    const std::string contact = i == 0 ? "foot" : "touch[" + std::to_string(i) + "]";
    worst = std::max(worst, std::abs(run.last(contact + ".N") - (n - i) * mg));
    friction = std::max({friction, std::abs(run.last(contact + ".T[1]")), std::abs(run.last(contact + ".T[2]"))});
  }
  MESSAGE("column of " << n << ": worst force off by " << worst / (n * mg) << " of the weight");
  CHECK(worst < (n > 100 ? 1e-6 : 1e-7) * n * mg);  // the condition of the problem grows with n^2
  CHECK(friction < 1e-7 * n * mg);
  CHECK(std::abs(run.last("top")) < 1e-7);
}

struct Sizes {
  std::size_t kernels, instructions, specs_outputs;
};

Sizes sizes(Model& model) {
  const nsmc::KernelPlan& plan = model.kernels().plan();
  Sizes s{plan.specs.size(), 0, 0};
  for (const nsmc::KernelSpec& spec : plan.specs) s.specs_outputs += spec.outputs.size();
  for (const nsmc::Program& program : plan.programs.programs) s.instructions += program.instructions.size();
  return s;
}

// Numbers of all contacts together.
std::size_t directions_of(const nsmc::rt::System& system) {
  std::size_t n = 0;
  for (const nsmc::rt::ContactInfo& contact : system.contacts()) n += system.layout(contact).size;
  return n;
}
std::size_t columns_of(const nsmc::rt::System& system) {
  std::size_t n = 0;
  for (const nsmc::rt::ContactInfo& contact : system.contacts()) n += system.n_X(contact);
  return n;
}

}  // namespace

TEST_CASE("column: contact forces are the weights above") {
  check_weights(10, {.until = 0.1});
  check_weights(100, {.until = 0.02, .tolerance = 1e-10, .omega = best_relaxation(100)});
}

// sor would need tens of thousands of sweeps from a cold start.
TEST_CASE("column: a thousand spheres") {
  check_weights(1000, {.until = 0.02, .solver = nsmc::rt::SolverKind::automatic, .tolerance = 1e-10});
}

TEST_CASE("arrays: code does not grow with n, memory does so linearly") {
  for (const std::string name :
       {"column"}) {  // whose contacts are named: of many others only the near ones have a place
    CAPTURE(name);
    Model small = Model::named(name, {{"n", 10}}), large = Model::named(name, {{"n", 1000}});
    const Sizes a = sizes(small), b = sizes(large);
    MESSAGE(name << ": " << a.kernels << " kernels, " << a.instructions << " instructions");
    CHECK(a.kernels == b.kernels);
    CHECK(a.specs_outputs == b.specs_outputs);
    CHECK(a.instructions == b.instructions);
    CHECK(small.kernels().table().n_q * 100 == large.kernels().table().n_q);

    const nsmc::rt::System first(small.kernels().table(), small.parameters());
    const nsmc::rt::System second(large.kernels().table(), large.parameters());
    const auto linear = [](const char* what, std::size_t x, std::size_t y) {
      CAPTURE(what);
      CHECK(x > 0);
      CHECK(y >= 90 * x);
      CHECK(y <= 120 * x);  // 100 times, and what the ends of a row lack
    };
    linear("blocks", first.blocks().size(), second.blocks().size());
    linear("contacts", first.contacts().size(), second.contacts().size());
    linear("rows", first.n_rows(), second.n_rows());
    linear("M and h", first.n_dynamics(), second.n_dynamics());
    linear("directions", directions_of(first), directions_of(second));
    linear("M^-1 W", columns_of(first), columns_of(second));
    linear("G", first.max_G_values(), second.max_G_values());
    linear("columns", first.n_columns(), second.n_columns());
  }
}
