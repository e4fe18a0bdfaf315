// A model of the repository, compiled and ready to run without recording.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "compiler/api/pipeline.hpp"
#include "runtime/simulation/simulate.hpp"

namespace nsmc::bench {

class Model {
 public:
  // `name` is that of its file from the root of the repository, without .nsm. Throws if the model does not compile.
  explicit Model(const std::string& name, const std::map<std::string, double>& set = {},
                 Level level = Level::acceleration, Fusing fusing = Fusing::never);

  Pipeline& pipeline() { return *pipeline_; }
  const Kernels& kernels() const { return *kernels_; }
  const nsm_model& table() const { return kernels_->table(); }
  const rt::System& system() const { return *system_; }

 private:
  std::unique_ptr<Pipeline> pipeline_;
  const Kernels* kernels_ = nullptr;
  std::unique_ptr<rt::System> system_;
};

// Of runs that record nothing.
rt::SimulationOptions quiet_options(double step, double until);

// A run to its end: throws if it gets no further.
rt::Summary run_quietly(const rt::System& system, rt::State& state, const rt::SimulationOptions& options);

}  // namespace nsmc::bench
