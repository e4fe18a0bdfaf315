// The whole way from a file to what runs:  load -> check -> derive -> plan -> compile.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/api/load.hpp"
#include "compiler/api/scene_equations.hpp"
#include "compiler/codegen/kernels.hpp"
#include "compiler/codegen/lane_kernels.hpp"
#include "compiler/mechanics/equations.hpp"
#include "compiler/model/check.hpp"
#include "compiler/support/diagnostics.hpp"
#include "compiler/symbolic/expr.hpp"

namespace nsmc {

struct StageTimes {                                      // seconds
  double parse = 0, check = 0, derive = 0, compile = 0;  // planning is part of `compile`
  double total() const { return parse + check + derive + compile; }
};

// One compilation: the sources and the pool live as long as what was made from them.
class Pipeline {
 public:
  // `structure`: values of parameters that a run overrides: sizes of arrays and checks of laws need them.
  explicit Pipeline(ModelSource source, ParameterValues structure = {}, bool with_scene = false)
      : source_(std::move(source)), structure_(std::move(structure)), with_scene_(with_scene) {}

  // For those who hold the search of contacts against their enumeration, before anything runs.
  void set_search_from(std::uint64_t contacts) { search_from_ = contacts; }

  // Each runs the stages before it, once; null after errors in the model. Throws FileError.
  const SourceModels* parsed();
  const TypedModel* checked();
  const Equations* derived();
  std::shared_ptr<const KernelPlan> planned(Level level = Level::acceleration);  // once for each level
  // Once for each level, and once more if the fused step is wanted and was not compiled.
  const Kernels* compiled(Level level = Level::acceleration, const KernelCache* cache = nullptr,
                          Fusing fusing = Fusing::never);
  // The kernels of a step over lanes, anew with every call; null after errors and where there are none.
  std::unique_ptr<LaneKernels> compiled_lanes(Level level, const LaneShape& shape, const KernelCache* cache = nullptr);

  const Sources& sources() const { return sources_; }
  const Diagnostics& diagnostics() const { return diagnostics_; }
  const SceneEquations* scene() const { return scene_ ? &*scene_ : nullptr; }  // once it is derived, if asked for
  sym::ExprPool& pool() { return pool_; }
  const StageTimes& times() const { return times_; }

 private:
  ModelSource source_;
  ParameterValues structure_;
  bool with_scene_ = false;
  std::uint64_t search_from_ = kSearchFrom;
  Sources sources_;
  Diagnostics diagnostics_;
  sym::ExprPool pool_;
  StageTimes times_;
  std::optional<SourceModels> parsed_;
  std::optional<TypedModel> checked_;
  std::optional<Equations> derived_;
  std::optional<SceneEquations> scene_;
  std::map<Level, std::shared_ptr<const KernelPlan>> planned_;           // kernels point into them
  std::map<std::pair<Level, bool>, std::unique_ptr<Kernels>> compiled_;  // by level, and whether with the fused step
};

}  // namespace nsmc
