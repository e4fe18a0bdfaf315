// The stages of a compilation and their times.
#pragma once

#include <array>
#include <cstddef>
#include <iterator>
#include <vector>

#include "compiler/api/pipeline.hpp"

namespace nsmc::bench {

constexpr const char* kStages[] = {"parse", "check", "derive", "lower", "build_ir", "optimise", "link"};
using Stages = std::array<double, std::size(kStages)>;  // ms

// Of a model that has been compiled once, to these kernels.
inline Stages stages_of(const Pipeline& pipeline, const Kernels& kernels) {
  const CompileTimes& backend = kernels.times();
  const StageTimes& times = pipeline.times();
  const double lower = times.compile - backend.build_ir - backend.optimise - backend.link;
  Stages stages{times.parse, times.check, times.derive, lower, backend.build_ir, backend.optimise, backend.link};
  for (double& stage : stages) stage *= 1e3;
  return stages;
}

// Those of several compilations.
struct StageSamples {
  std::array<std::vector<double>, std::size(kStages)> ms;

  void add(const Stages& stages) {
    for (std::size_t k = 0; k < stages.size(); ++k) ms[k].push_back(stages[k]);
  }
};

}  // namespace nsmc::bench
