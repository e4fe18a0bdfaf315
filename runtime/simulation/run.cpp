#include "runtime/simulation/run.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/methods/make_integrator.hpp"
#include "runtime/output/observation.hpp"

namespace nsmc::rt {

namespace {

// The steps of a run without an end: as many as a Simulation accepts, less than one could take in a life.
constexpr double many_steps = 1e14;

SimulationOptions with_an_end(SimulationOptions options, double t) {
  if (std::isinf(options.until)) options.until = t + many_steps * options.step;
  options.integrator.stop = options.stop;
  return options;
}

std::vector<InputSamples> inputs_of(const SavedRun& from) {
  std::vector<InputSamples> inputs;
  if (from.find(inputs_block) == nullptr) return inputs;
  restore_block(from, inputs_block, [&](Memory& memory) { memory.sized(inputs); });
  return inputs;
}

RowParts whole_rows() {
  RowParts parts;
  parts.work = true;
  return parts;
}

}  // namespace

struct Run::Parts {
  System system;
  State state;
  SimulationOptions options;
  Recorder& recorder;
  std::unique_ptr<Integrator> integrator;
  Simulation simulation;
  Observation observation;

  Parts(const nsm_model& model, std::span<const double> parameters, const State& initial,
        const SimulationOptions& given, Recorder& to)
      : system(model, parameters, given.inputs),
        state(initial),
        options(with_an_end(given, initial.t)),
        recorder(to),
        integrator(make_integrator(options.method, system, options.integrator)),
        simulation(system, state, options, recorder),
        observation(simulation.system(), whole_rows()) {}

  Parts(const nsm_model& model, std::span<const double> parameters, const SavedRun& from,
        const SimulationOptions& given, Recorder& to)
      : system(model, parameters, inputs_of(from)),
        state(system),
        options(with_an_end(given, 0)),
        recorder(to),
        integrator(make_integrator(options.method, system, options.integrator)),
        simulation(system, state, options, recorder, from, *integrator),
        observation(simulation.system(), whole_rows()) {}
};

Run::Run(const nsm_model& model, std::span<const double> parameters, const State& initial,
         const SimulationOptions& options, Recorder& recorder)
    : parts_(std::make_unique<Parts>(model, parameters, initial, options, recorder)) {}

Run::Run(const nsm_model& model, std::span<const double> parameters, const SavedRun& from,
         const SimulationOptions& options, Recorder& recorder)
    : parts_(std::make_unique<Parts>(model, parameters, from, options, recorder)) {}

Run::~Run() = default;
Run::Run(Run&&) noexcept = default;
Run& Run::operator=(Run&&) noexcept = default;

bool Run::step() { return parts_->simulation.go_on(*parts_->integrator, 1); }

bool Run::advance(double t) {
  Simulation& simulation = parts_->simulation;
  const std::uint64_t last = simulation.step_at(t);
  while (simulation.steps() < last) {
    const std::uint64_t most = std::min(last - simulation.steps(), Simulation::longest_stretch);
    const std::uint64_t before = simulation.steps();
    if (!simulation.go_on(*parts_->integrator, most) || simulation.steps() == before) return false;
  }
  return true;
}

bool Run::advance_to_last_time() {
  const SimulationOptions& options = parts_->options;
  return advance(parts_->simulation.ends_between_times() ? options.until - options.step : options.until);
}

bool Run::is_over() const { return parts_->simulation.is_over(); }
bool Run::is_interrupted() const { return parts_->simulation.is_interrupted(); }
std::uint64_t Run::steps() const { return parts_->simulation.steps(); }
const State& Run::state() const { return parts_->state; }
const System& Run::system() const { return parts_->simulation.system(); }

std::span<const double> Run::row() { return parts_->observation.row(parts_->state, parts_->simulation.work()); }

bool Run::counts_work() { return parts_->simulation.work().account != nullptr; }

StepNumbers Run::numbers() {
  return step_numbers(parts_->simulation.system(), parts_->simulation.work(), parts_->state, parts_->options.step);
}

void Run::set_parameters(std::span<const double> parameters) {
  // Forces jump with the parameters: event-driven integration begins anew, as one without a memory.
  const bool keeps_modes = parts_->options.method != Method::event;
  const std::unique_ptr<Integrator> fresh =
      make_integrator(parts_->options.method, parts_->system, parts_->options.integrator);
  const SavedRun saved = parts_->simulation.save(keeps_modes ? *parts_->integrator : *fresh);
  parts_ = std::make_unique<Parts>(parts_->system.model(), parameters, saved, parts_->options, parts_->recorder);
}

void Run::set_signal(std::uint32_t signal, double value) {
  parts_->simulation.system().release_input(signal);
  parts_->state.q[parts_->system.first_z() + signal] = value;
}

SavedRun Run::save() { return parts_->simulation.save(*parts_->integrator); }
SimulationResult Run::result() { return parts_->simulation.finish(); }

}  // namespace nsmc::rt
