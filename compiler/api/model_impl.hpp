// What stands behind nsmc::Model: one compilation, and the kernels that were asked for so far.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/api/model_identity.hpp"
#include "compiler/api/pipeline.hpp"
#include "compiler/api/simulation_setup.hpp"
#include "compiler/codegen/kernel_cache.hpp"
#include "nsmc/model.hpp"
#include "runtime/simulation/simulate.hpp"

namespace nsmc {

// Nothing if kernels are not kept.
std::optional<KernelCache> kernel_cache(const Cache& cache);

// A run that is ready to start.
struct PreparedRun {
  std::shared_ptr<const Model::Impl> model;  // keeps the kernels alive
  const Kernels* kernels;
  std::vector<double> parameters;
  std::vector<std::size_t> columns;  // that were asked for, of those that there are
  double compile_seconds;            // of the model, until now
  rt::SimulationOptions options;
  rt::System system;
  rt::State state;
};

struct Model::Impl : std::enable_shared_from_this<Model::Impl> {
  // structure: values of parameters that it is compiled with, where the options have none.
  Impl(ModelSource from, const ModelOptions& with, ParameterValues structure = {});

  // Throws ModelError.
  const Equations& good_equations() const;

  // The model with these overrides beside its own: another one if sizes of arrays or checks of laws depend on them.
  std::shared_ptr<const Impl> with(const GivenParameters& given) const;
  std::unique_ptr<PreparedRun> prepare(const RunRequest& request) const;
  // With these overrides, and none of the model or the request.
  std::unique_ptr<PreparedRun> prepare(const Overrides& overrides, const RunRequest& request) const;
  Overrides overrides_of(const Overrides& request) const;  // and those of the model
  std::shared_ptr<const Impl> at_start_of(const StudyRequest& request) const;

  std::vector<DiagnosticInfo> diagnostics() const;
  std::string identity(IdentityOf what) const;

  ModelSource source;
  ModelOptions options;
  GivenParameters parameters;
  ParameterValues structure;
  std::optional<KernelCache> cache;
  // The pool grows where something is derived on demand, and kernels are compiled once: by one thread at a time.
  mutable std::mutex mutex;
  mutable Pipeline pipeline;
  const Equations* equations = nullptr;  // null: there are errors

 private:
  std::unique_ptr<PreparedRun> prepare_here(const RunRequest& request, const ParameterValues& overrides) const;
  bool fits(const ParameterValues& overrides) const;

  mutable std::optional<std::vector<std::size_t>> law_parameters_;   // that the checks of laws depend on
  mutable std::map<std::vector<double>, bool> law_fits_;             // by their values
  mutable std::pair<ParameterValues, std::shared_ptr<Impl>> other_;  // the last one that with() made
};

}  // namespace nsmc
