// A scene as JSON, the form of docs/viewing.md: for `emit --stage scene` and for the page of `nsmc view`.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "nsmc/scene.hpp"

namespace nsmc {

struct SceneWords {
  std::function<nlohmann::ordered_json(const Channel&)> channel;
  // The sets of a law; those without a picture are left out.
  std::function<nlohmann::ordered_json(const SceneLaw&)> sets;
};
nlohmann::ordered_json scene_json(const Scene& scene, const SceneWords& words);

// Columns by their names, sets by their arguments.
std::string scene_text(const Scene& scene);

}  // namespace nsmc
