#include "compiler/api/scene_json.hpp"

#include <nlohmann/json.hpp>

namespace nsmc {
namespace {

using Json = nlohmann::ordered_json;

class SceneWriter {
 public:
  explicit SceneWriter(const SceneWords& words) : words_(words) {}

  Json scene(const Scene& scene) const {
    Json out;
    out["items"] = Json::array();
    out["springs"] = Json::array();
    for (const SceneItem& one : scene.items) out[one.kind == "spring" ? "springs" : "items"].push_back(item(one));
    out["contacts"] = Json::array();
    for (const SceneContact& one : scene.contacts) out["contacts"].push_back(contact(one));
    out["joints"] = Json::array();
    for (const SceneJoint& one : scene.joints) {
      out["joints"].push_back({{"name", one.name},
                               {"kind", one.kind},
                               {"position", channels(one.position)},
                               {"axis", channels_or_null(one.axis)}});
    }
    return out;
  }

 private:
  static Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

  Json channels(const Channels& list) const {
    Json out = Json::array();
    for (const Channel& one : list) out.push_back(words_.channel(one));
    return out;
  }
  Json channels_or_null(const Channels& list) const { return list.empty() ? Json(nullptr) : channels(list); }
  Json channel_or_null(const std::optional<Channel>& one) const { return one ? words_.channel(*one) : Json(nullptr); }

  Json item(const SceneItem& item) const {
    Json out{{"name", item.name}, {"kind", item.kind}};
    if (!item.position.empty()) out["position"] = channels(item.position);
    out["orientation"] = channels_or_null(item.orientation);
    out["color"] = text_or_null(item.color);
    out["body"] = text_or_null(item.body);
    if (!item.doc.empty()) out["doc"] = item.doc;
    if (!item.text.empty()) out["text"] = item.text;
    for (const auto& [name, list] : item.sizes) {
      const bool vector = name == "size" || name == "radii";
      out[name] = vector ? channels(list) : words_.channel(list[0]);
    }
    if (item.kind == "arrow") {
      out["from"] = channels(item.points[0]);
      out["to"] = channels(item.points[1]);
    } else if (!item.points.empty()) {
      out["points"] = Json::array();
      for (const Channels& point : item.points) out["points"].push_back(channels(point));
    }
    return out;
  }

  Json contact(const SceneContact& contact) const {
    Json out{{"name", contact.name}};
    if (!contact.doc.empty()) out["doc"] = contact.doc;
    out["bodies"] = {text_or_null(contact.bodies[0]), text_or_null(contact.bodies[1])};
    out["point"] = channels_or_null(contact.point);
    out["normal"] = channels_or_null(contact.normal);
    out["tangents"] = nullptr;
    for (const Channels& tangent : contact.tangents) {
      if (out["tangents"].is_null()) out["tangents"] = Json::array();
      out["tangents"].push_back(channels(tangent));
    }
    out["closed"] = nullptr;  // where there is a force
    out["gap"] = channel_or_null(contact.gap);
    out["N"] = channel_or_null(contact.N);
    out["T"] = channels_or_null(contact.T);
    out["drill"] = channel_or_null(contact.drill);
    out["roll"] = channels_or_null(contact.roll);
    out["laws"] = Json::array();
    for (const SceneLaw& law : contact.laws) {
      out["laws"].push_back({{"name", law.name},
                             {"text", law.text},
                             {"dim", law.axes.size()},
                             {"axes", law.axes},
                             {"units", law.units},
                             {"force", channels(law.force)},
                             {"velocity", channels(law.velocity)},
                             {"sets", words_.sets(law)}});
    }
    return out;
  }

  const SceneWords& words_;
};

}  // namespace

Json scene_json(const Scene& scene, const SceneWords& words) { return SceneWriter(words).scene(scene); }

std::string scene_text(const Scene& scene) {
  SceneWords words;
  words.channel = [](const Channel& channel) {
    return channel.column.empty() ? Json(channel.value) : Json{{"column", channel.column}};
  };
  words.sets = [&](const SceneLaw& law) {
    Json sets = Json::array();
    for (const SceneSet& set : law.sets) {
      Json arguments = Json::array();
      for (const Channel& argument : set.arguments) arguments.push_back(words.channel(argument));
      sets.push_back({{"role", set.role}, {"dim", set.dim}, {"arguments", std::move(arguments)}});
    }
    return sets;
  };
  Json out{{"planar", scene.planar}};
  if (!scene.gravity.empty()) {
    out["gravity"] = Json::array();
    for (const Channel& one : scene.gravity) out["gravity"].push_back(words.channel(one));
  }
  out.update(scene_json(scene, words));
  return out.dump(1) + "\n";
}

}  // namespace nsmc
