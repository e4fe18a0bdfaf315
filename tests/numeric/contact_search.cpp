// Contacts that come and go: a run that searches for its contacts has the bits of one that looks at all pairs in every
// step, for every method and for shapes of all kinds and sizes.
#include <cmath>
#include <cstring>

#include "run_model.hpp"
#include "runtime/simulation/run.hpp"

using namespace nsmc;
using namespace nsmc::test;
using rt::Method;

namespace {

// The state at every recorded time: coordinates and velocities stand first in a row, whatever contacts there are.
class States final : public rt::Recorder {
 public:
  explicit States(std::size_t n) : n_(n) {}
  void record(double, std::span<const double> row) override {
    rows.emplace_back(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(n_));
    energy.push_back(row[energy_column]);
  }
  std::size_t energy_column = 0;
  std::vector<std::vector<double>> rows;
  std::vector<double> energy;

 private:
  std::size_t n_;
};

struct Ran {
  States states;
  rt::SimulationResult result;
  std::size_t columns;
};

const Kernels& compiled(Pipeline& pipeline, std::uint64_t search_from) {
  pipeline.set_search_from(search_from);
  const Kernels* kernels = pipeline.compiled();
  REQUIRE_MESSAGE(kernels != nullptr, render(pipeline.diagnostics(), pipeline.sources(), false));
  return *kernels;
}

rt::SimulationOptions options_of(const RunSettings& settings) {
  rt::SimulationOptions options;
  options.until = settings.until;
  options.step = settings.step;
  options.method = settings.method;
  options.solver.kind = settings.solver;
  options.solver.tolerance = settings.tolerance;
  options.solver.max_iterations = settings.max_iterations;
  options.parts.work = true;
  return options;
}

Ran run(const std::string& text, std::uint64_t search_from, const RunSettings& settings) {
  Pipeline pipeline(ModelSource("test.nsm", text));
  const Kernels& kernels = compiled(pipeline, search_from);
  const std::vector<double> p = parameter_values(pipeline.pool(), *pipeline.derived(), {});
  const rt::SimulationOptions options = options_of(settings);
  const rt::System system(kernels.table(), p);
  CHECK(system.families().empty() == (search_from > 0));
  rt::State state = rt::initial_state(system);
  Ran ran{States(system.n_q() + system.n_u()), {}, system.n_columns()};
  ran.states.energy_column = system.energy_column();
  ran.result = rt::simulate(system, state, options, ran.states);
  REQUIRE_MESSAGE(ran.result.reason == rt::EndReason::finished, ran.result.message);
  return ran;
}

constexpr std::uint64_t never = 1'000'000'000;

void check_same(const std::string& text, const RunSettings& settings) {
  const Ran searched = run(text, 0, settings), enumerated = run(text, never, settings);
  REQUIRE(searched.states.rows.size() == enumerated.states.rows.size());
  for (std::size_t k = 0; k < searched.states.rows.size(); ++k) {
    CAPTURE(k);
    const auto &a = searched.states.rows[k], &b = enumerated.states.rows[k];
    REQUIRE(std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
  }
  const rt::Summary &a = searched.result.summary, &b = enumerated.result.summary;
  CHECK(a.closed_max == b.closed_max);
  CHECK(a.closed_mean == b.closed_mean);
  CHECK(b.closed_max > 5);
  CHECK(a.iterations_total == b.iterations_total);
  CHECK(a.worst_contact_name == b.worst_contact_name);
  CHECK(a.worst_residual == b.worst_residual);
  CHECK(a.penetration == b.penetration);
  CHECK(a.penetration_contact == b.penetration_contact);
  CHECK(a.corrections == b.corrections);
  CHECK(a.energy_rest == doctest::Approx(b.energy_rest).epsilon(1e-6));
  CHECK(searched.columns < enumerated.columns);
}

// Grains of very different sizes fall into a funnel of planes whose bottom vibrates.
std::string grains(int n) {
  return "param n = " + std::to_string(n) + R"(
param r = 1 [cm]
gravity [0, 0, -9.81] [m/s^2]
fn size(i) = piecewise { mod(i, 9) == 0 : 3*r, mod(i, 4) == 0 : 0.3*r, else : r }
body ball[i in 1..n] = rigid(mass = 1e4 [kg/m^3]*size(i)^3, inertia = [1, 1, 1]*4e3 [kg/m^3]*size(i)^5,
  position = [(mod(i, 3) - 1)*6.5*r + 0.1*r*sin(7*i), (mod(floor(i/3), 3) - 1)*6.5*r + 0.1*r*cos(5*i),
              4*r + floor(i/9)*6.5*r], velocity = [0.3*sin(3*i), 0.3*cos(2*i), -0.5] [m/s])
shape skin[i in 1..n] = sphere(radius = size(i)) on ball[i]
shape ground = plane(normal = [0, 0, 1]) at [0, 0, 2 [mm]*sin(60 [rad/s]*t)]
shape left = plane(normal = [2, 0, 1]) at [-8*r, 0, 0]
shape right = plane(normal = [-2, 0, 1]) at [8*r, 0, 0]
shape post = capsule(radius = r, length = 6*r) at [0, 0, 2*r]
contact touch = skin[*] on skin[*] { law unilateral(restitution = 0.2)  law coulomb(0.3) }
contact land = skin[*] on ground { law unilateral  law coulomb(0.4) }
contact lean_left = skin[*] on left { law unilateral  law coulomb(0.4) }
contact lean_right = skin[*] on right { law unilateral  law coulomb(0.4) }
contact stand = skin[*] on post { law unilateral }
simulate { until 1 [s]  step 1e-3 [s] }
)";
}

const char* const planar_boxes = R"(
param a = 10 [cm]
gravity [0, -9.81] [m/s^2]
body b[i in 1..6] = planar(mass = 1 [kg], inertia = 1 [kg]*a^2/6, position = [0.02*a*i, (i - 0.4)*1.05*a])
body d[i in 1..4] = planar(mass = 1 [kg], inertia = 1 [kg]*a^2/8, position = [1.3*a, i*1.1*a])
shape s = box(size = [a, a]) on b
shape rim = circle(radius = a/2) on d
shape floor = plane(normal = [0, 1])
contact c = s[*] on s[*] { law unilateral  law coulomb(0.5) }
contact e = s[*] on rim[*] { law unilateral  law coulomb(0.5) }
contact h = rim[*] on rim[*] { law unilateral  law coulomb(0.5) }
contact f = s[*] on floor { law unilateral  law coulomb(0.5) }
contact g = rim[*] on floor { law unilateral  law coulomb(0.5) }
simulate { until 1 [s]  step 1e-3 [s] }
)";

const char* const boxes_in_space = R"(
param a = 10 [cm]
gravity [0, 0, -9.81] [m/s^2]
body b[i in 1..5] = rigid(mass = 1 [kg], inertia = [1, 1, 1]*(1 [kg]*a^2/6), position = [0.03*a*i, 0.02*a*i, (i - 0.4)*1.1*a])
shape s = box(size = [a, a, a]) on b
shape plate = box(size = [20*a, 20*a, a]) at [0, 0, -a/2]
contact c = s[*] on s[*] { law unilateral  law coulomb(0.5) }
contact f = s[*] on plate { law unilateral  law coulomb(0.5) }
simulate { until 1 [s]  step 1e-3 [s] }
)";

}  // namespace

TEST_CASE("contact search: grains of all sizes move as with all pairs") {
  check_same(grains(24),
             {.step = 1e-3, .until = 0.5, .solver = rt::SolverKind::sor, .tolerance = 1e-8, .max_iterations = 300});
}

TEST_CASE("contact search: boxes and discs in the plane move as with all pairs") {
  check_same(planar_boxes, {.step = 1e-3, .until = 0.4, .solver = rt::SolverKind::automatic, .tolerance = 1e-10});
}

TEST_CASE("contact search: boxes in space move as with all pairs") {
  check_same(boxes_in_space, {.step = 1e-3, .until = 0.3, .solver = rt::SolverKind::automatic, .tolerance = 1e-10});
}

TEST_CASE("contact search: long steps and fast bodies") {
  check_same(grains(24),
             {.step = 2e-2, .until = 0.6, .solver = rt::SolverKind::sor, .tolerance = 1e-8, .max_iterations = 300});
}

TEST_CASE("contact search: Runge-Kutta and operator splitting") {
  for (const Method method : {Method::rk, Method::lie}) {
    check_same(grains(18), {.step = 1e-3,
                            .until = 0.2,
                            .solver = rt::SolverKind::sor,
                            .tolerance = 1e-8,
                            .max_iterations = 300,
                            .method = method});
  }
}

TEST_CASE("contact search: event-driven integration goes the same way") {
  // Where candidates change, the smooth motion begins anew: its numbers differ by what its tolerances allow.
  const RunSettings settings{.step = 1e-2, .until = 0.12, .method = Method::event};
  const Ran searched = run(grains(9), 0, settings), enumerated = run(grains(9), never, settings);
  REQUIRE(searched.states.rows.size() == enumerated.states.rows.size());
  const auto &a = searched.states.rows.back(), &b = enumerated.states.rows.back();
  for (std::size_t k = 0; k < a.size(); ++k) CHECK(a[k] == doctest::Approx(b[k]).epsilon(1e-5).scale(0.1));
  // Contacts that are closed when the modes are chosen anew are counted as impacts once more.
  constexpr auto impact = static_cast<std::size_t>(rt::EventKind::impact);
  CHECK(searched.result.summary.events[impact] >= enumerated.result.summary.events[impact]);
  CHECK(enumerated.result.summary.events[impact] > 3);
}

TEST_CASE("contact search: a run that was saved goes on bit for bit") {
  Pipeline pipeline(ModelSource("test.nsm", grains(18)));
  const Kernels& kernels = compiled(pipeline, 0);
  const std::vector<double> p = parameter_values(pipeline.pool(), *pipeline.derived(), {});
  const rt::SimulationOptions options =
      options_of({.step = 1e-3, .until = 0.3, .solver = rt::SolverKind::sor, .tolerance = 1e-8, .max_iterations = 300});
  rt::NullRecorder nowhere;
  const rt::System system(kernels.table(), p);
  rt::Run first(kernels.table(), p, rt::initial_state(system), options, nowhere);
  REQUIRE(first.advance(0.2));
  const rt::SavedRun saved = first.save();
  rt::Run second(kernels.table(), p, saved, options, nowhere);
  REQUIRE(first.advance(0.3));
  REQUIRE(second.advance(0.3));
  CHECK(first.state().q == second.state().q);
  CHECK(first.state().u == second.state().u);
  CHECK(first.save() == second.save());
  CHECK(first.system().candidates().size() > 10);
}
