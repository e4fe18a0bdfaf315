// Between derive and plan: which numbers of a scene move. Those that depend on parameters and indices alone are no
// outputs any more, those that are coordinates or forces are columns already; the others stay, each once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/api/set_boundary.hpp"
#include "compiler/mechanics/equations.hpp"
#include "compiler/model/typed_model.hpp"
#include "compiler/support/diagnostics.hpp"

namespace nsmc {

struct SceneNumber {
  enum class From { constant, variable, force, output } from = From::constant;
  sym::Expr value;
  std::string column{};  // of an output, a pattern (with_index)
};

struct SceneSetEquation {
  std::string role;
  SetBoundary boundary;
  std::vector<SceneNumber> arguments;
};

struct SceneLawEquation {
  std::vector<SceneNumber> velocity;
  std::vector<SceneSetEquation> sets;
};

struct SceneEquations {
  std::vector<std::vector<SceneNumber>> outputs;    // by TypedModel::outputs; empty for those of the model itself
  std::vector<std::vector<SceneLawEquation>> laws;  // by contact and law; empty where there are too many contacts
};

// Changes the outputs of the equations. Nothing after a report.
std::optional<SceneEquations> take_scene(const TypedModel& model, Equations& equations, sym::ExprPool& pool,
                                         Diagnostics& diagnostics);

}  // namespace nsmc
