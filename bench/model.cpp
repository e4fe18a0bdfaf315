#include "bench/model.hpp"

#include <stdexcept>

#include "compiler/mechanics/initial_values.hpp"

namespace nsmc::bench {

Model::Model(const std::string& name, const std::map<std::string, double>& set, Level level, Fusing fusing)
    : pipeline_(std::make_unique<Pipeline>(NSMC_SOURCE_DIR "/" + name + ".nsm", set)) {
  kernels_ = pipeline_->compiled(level, nullptr, fusing);
  if (kernels_ == nullptr) throw std::runtime_error(render(pipeline_->diagnostics(), pipeline_->sources(), false));
  system_ =
      std::make_unique<rt::System>(kernels_->table(), parameter_values(pipeline_->pool(), *pipeline_->derived(), set));
}

rt::SimulationOptions quiet_options(double step, double until) {
  rt::SimulationOptions options;
  options.step = step;
  options.until = until;
  options.record_every = 0;
  options.parts = rt::RowParts::none();
  return options;
}

rt::Summary run_quietly(const rt::System& system, rt::State& state, const rt::SimulationOptions& options) {
  rt::NullRecorder nowhere;
  const rt::SimulationResult result = rt::simulate(system, state, options, nowhere);
  if (result.reason != rt::EndReason::finished) throw std::runtime_error(result.message);
  return result.summary;
}

}  // namespace nsmc::bench
