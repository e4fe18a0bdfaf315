// nsmc::Model::scene: the scene with its numbers, at given parameters.
#include "nsmc/scene.hpp"

#include <algorithm>
#include <cmath>

#include "compiler/api/model_impl.hpp"
#include "compiler/api/scene_equations.hpp"
#include "compiler/mechanics/initial_values.hpp"
#include "compiler/mechanics/law_text.hpp"
#include "compiler/support/internal_check.hpp"
#include "nsmc/errors.hpp"

namespace nsmc {
namespace {

using sym::Source;

class SceneReader {
 public:
  SceneReader(std::shared_ptr<const Model::Impl> impl, std::vector<double> p)
      : impl_(std::move(impl)),
        pool_(impl_->pipeline.pool()),
        e_(*impl_->equations),
        typed_(*impl_->pipeline.checked()),
        scene_(*impl_->pipeline.scene()),
        p_(std::move(p)) {}

  Scene read() {
    const TypedScene& typed = *typed_.scene;
    Scene scene;
    scene.planar = typed.planar;
    for (const auto& [role, channels] : values(typed.gravity, 0)) scene.gravity = channels;
    for (const TypedSceneItem& item : typed.items) {
      for (std::size_t k = 0; k < item.values.instances.count(); ++k) scene.items.push_back(this->item(item, k));
    }
    for (const TypedSceneContact& contact : typed.contacts) {
      const ContactEquation& equation = e_.contacts[contact.contact];
      // Without frames and laws a contact is not seen; arrays of very many are left out.
      if (contact.bodies.empty() && scene_.laws[contact.contact].empty() && !equation.laws.empty()) continue;
      for (std::size_t k = 0; k < equation.instances.count(); ++k) {
        Parts parts = values(contact.values, k);
        if (!contact.joint.empty() && !find(parts, "point").empty())
          scene.joints.push_back({name_of(equation, k), contact.joint, find(parts, "point"), find(parts, "axis")});
        scene.contacts.push_back(this->contact(contact, equation, parts, k));
      }
    }
    return scene;
  }

 private:
  using Parts = std::vector<std::pair<std::string, Channels>>;

  static std::string name_of(const ContactEquation& contact, std::size_t k) {
    return with_index(contact.name, contact.instances.suffix(k));
  }

  static Channels find(const Parts& parts, std::string_view role) {
    const auto found = std::find_if(parts.begin(), parts.end(), [&](const auto& part) { return part.first == role; });
    return found == parts.end() ? Channels{} : found->second;
  }

  Channel channel(const SceneNumber& number, const Instances& instances, std::size_t k,
                  const ContactEquation* contact = nullptr) const {
    const std::vector<double> self = instances.self(k);
    switch (number.from) {
      case SceneNumber::From::constant: return {constant_value(pool_, number.value, p_, self)};
      case SceneNumber::From::output: return {0, with_index(number.column, instances.suffix(k))};
      case SceneNumber::From::force: {
        const std::uint32_t index = pool_.symbol(number.value).index;
        const ContactEquation& owner = contact != nullptr ? *contact : e_.contacts[force_contact(index)];
        return {0, force_column(owner, contact != nullptr ? k : 0, force_row(index))};
      }
      case SceneNumber::From::variable: break;
    }
    const sym::Symbol& symbol = pool_.symbol(number.value);
    const Reference& reference = e_.references[reference_of(symbol.index)];
    const BlockEquation& block = e_.blocks[reference.block];
    const std::size_t variable = variable_of(symbol.index);
    const bool coordinate = symbol.source == Source::coordinate;
    std::string suffix;
    if (reference.index) {
      const auto i = std::llround(constant_value(pool_, *reference.index, p_, self));
      const auto found = block.instances.find({i});
      internal_check(found.has_value(), "an index of the scene leaves its array");
      suffix = block.instances.suffix(*found);
    }
    return {0, with_index((coordinate ? block.q : block.u)[variable].name, suffix)};
  }

  static std::string force_column(const ContactEquation& contact, std::size_t k, std::size_t row) {
    for (const LawEquation& law : contact.laws) {
      if (row >= law.first && row < law.first + law.size)
        return name_of(contact, k) + "." + law.force_names[row - law.first];
    }
    throw InternalError("a force of the scene without a law");
  }

  Parts values(const SceneValues& values, std::size_t k) const {
    Parts parts;
    if (!values.output) return parts;
    const std::vector<SceneNumber>& numbers = scene_.outputs[*values.output];
    for (const ScenePart& part : values.parts) {
      Channels& channels = parts.emplace_back(part.role, Channels{}).second;
      for (std::uint32_t i = part.first; i < part.first + part.size; ++i)
        channels.push_back(channel(numbers[i], values.instances, k));
    }
    return parts;
  }

  SceneItem item(const TypedSceneItem& typed, std::size_t k) const {
    SceneItem item;
    item.name = with_index(typed.name, typed.values.instances.suffix(k));
    item.kind = typed.kind;
    item.color = typed.color;
    item.doc = typed.doc;
    item.text = typed.text;
    if (!typed.bodies.empty()) item.body = typed.bodies[std::min(k, typed.bodies.size() - 1)];
    for (auto& [role, channels] : values(typed.values, k)) {
      if (role == "position")
        item.position = std::move(channels);
      else if (role == "orientation")
        item.orientation = std::move(channels);
      else if (role == "point")
        item.points.push_back(std::move(channels));
      else
        item.sizes.emplace_back(role, std::move(channels));
    }
    in_the_plane(item);
    return item;
  }

  // A sphere or disc in the plane is a circle, a box there a polygon.
  void in_the_plane(SceneItem& item) const {
    if (!typed_.scene->planar) return;
    if (item.kind == "sphere" || item.kind == "disc") {
      item.kind = "circle";
      item.sizes.resize(1);
    }
    if (item.kind != "box" || item.sizes.empty() || item.sizes[0].second.size() != 2) return;
    const Channels size = item.sizes[0].second;
    if (!size[0].column.empty() || !size[1].column.empty()) {  // corners cannot be halves of columns
      item.sizes[0].second.push_back({0.0});
      return;
    }
    item.kind = "polygon";
    item.sizes.clear();
    for (const auto& [x, y] : {std::pair(-1, -1), std::pair(1, -1), std::pair(1, 1), std::pair(-1, 1)})
      item.points.push_back({{x * size[0].value / 2}, {y * size[1].value / 2}});
  }

  static bool holds_point(const std::string& joint) { return !joint.empty() && joint != "prismatic"; }

  SceneContact contact(const TypedSceneContact& typed, const ContactEquation& equation, const Parts& parts,
                       std::size_t k) const {
    SceneContact contact;
    contact.name = name_of(equation, k);
    contact.doc = equation.doc;
    if (!typed.bodies.empty()) contact.bodies = typed.bodies[k];
    contact.point = find(parts, "point");
    contact.normal = find(parts, "normal");
    for (const char* tangent : {"tangent1", "tangent2"}) {
      if (Channels direction = find(parts, tangent); !direction.empty())
        contact.tangents.push_back(std::move(direction));
    }
    if (equation.gap.size() == 1) contact.gap = {0, contact.name + ".gap"};
    const auto row_kind = [&](std::size_t row) { return equation.velocity_names[row]; };
    for (std::size_t l = 0; l < equation.laws.size(); ++l) {
      const LawEquation& law = equation.laws[l];
      SceneLaw& shown = contact.laws.emplace_back();
      shown.name = law.name;
      shown.text = law_text(pool_, equation, law);
      for (std::size_t i = 0; i < law.size; ++i) {
        const Channel force{0, contact.name + "." + law.force_names[i]};
        shown.axes.push_back(law.force_names[i]);
        shown.units.push_back(equation.force_dimensions[law.first + i]);
        shown.force.push_back(force);
        const std::string kind = i < law.velocities.size() ? row_kind(law.velocities[i]) : "";
        if (kind == "gap'" && typed.joint.empty() && !contact.N) contact.N = force;
        if (kind.starts_with("slip") && contact.T.size() < 2 && typed.joint.empty()) contact.T.push_back(force);
        // A joint that holds a point has the reaction there in its first rows, along the axes of the world.
        const std::size_t across = contact.T.size();
        if (kind.starts_with("gap'") && holds_point(typed.joint) && across < (typed_.scene->planar ? 2 : 3)) {
          const double along = contact.bodies[0].empty() ? -1.0 : 1.0;  // on the body, where the first is the world
          const auto axis = [&](std::size_t d) { return Channel{d == across ? along : 0.0}; };
          contact.T.push_back(force);
          contact.tangents.push_back({axis(0), axis(1), axis(2)});
        }
        if (kind == "spin") contact.drill = force;
        if (kind.starts_with("roll")) contact.roll.push_back(force);
      }
      if (scene_.laws[typed.contact].empty()) continue;
      const SceneLawEquation& numbers = scene_.laws[typed.contact][l];
      for (const SceneNumber& v : numbers.velocity)
        shown.velocity.push_back(channel(v, equation.instances, k, &equation));
      for (const SceneSetEquation& set : numbers.sets) shown.sets.push_back(this->set(set, equation, k));
    }
    return contact;
  }

  SceneSet set(const SceneSetEquation& set, const ContactEquation& contact, std::size_t k) const {
    SceneSet shown;
    shown.role = set.role;
    shown.dim = set.boundary.dim();
    for (const SceneNumber& number : set.arguments)
      shown.arguments.push_back(channel(number, contact.instances, k, &contact));
    shown.boundary = [impl = impl_, boundary = &set.boundary, p = p_](std::span<const double> arguments, int detail) {
      const std::lock_guard lock(impl->mutex);
      return boundary->points(impl->pipeline.pool(), arguments, p, detail);
    };
    return shown;
  }

  std::shared_ptr<const Model::Impl> impl_;
  sym::ExprPool& pool_;
  const Equations& e_;
  const TypedModel& typed_;
  const SceneEquations& scene_;
  std::vector<double> p_;
};

}  // namespace

Scene Model::scene(const Overrides& overrides) const {
  impl_->good_equations();
  if (!impl_->options.scene) throw SettingError("scene", "the model was not opened with its scene");
  const GivenParameters given(impl_->overrides_of(overrides));
  const std::shared_ptr<const Impl> model = impl_->with(given);
  model->good_equations();
  const std::lock_guard lock(model->mutex);
  return SceneReader(model, parameters_with(given.values(), *model->equations, model->pipeline.pool())).read();
}

}  // namespace nsmc
