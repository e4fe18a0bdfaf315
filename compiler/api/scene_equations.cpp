#include "compiler/api/scene_equations.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "compiler/support/internal_check.hpp"

namespace nsmc {
namespace {

using sym::Expr;
using sym::Source;

// Laws of one declaration that are shown: the panel of sets is for contacts that are looked at one by one.
constexpr std::size_t kMostLaws = 300;
constexpr std::size_t kMostDimensions = 3;

class SceneTaker {
 public:
  SceneTaker(const TypedModel& model, Equations& equations, sym::ExprPool& pool, Diagnostics& diagnostics)
      : model_(model), e_(equations), pool_(pool), diagnostics_(diagnostics) {}

  std::optional<SceneEquations> take() {
    const std::size_t errors = diagnostics_.error_count();
    const std::vector<OutputEquation> all = std::exchange(e_.outputs, {});
    std::size_t next = 0;
    for (const TypedOutput& output : model_.outputs) {
      const std::size_t n = model_.type(output.value).size();
      std::vector<SceneNumber>& numbers = scene_.outputs.emplace_back();
      for (std::size_t k = 0; k < n; ++k, ++next) {
        internal_check(next < all.size(), "an output of the scene is missing");
        if (output.name.front() == kSceneName) {
          require_few_blocks(output, all[next].value);
          numbers.push_back(number(all[next].value, output.instances));
        } else {
          e_.outputs.push_back(all[next]);
        }
      }
    }
    for (const ContactEquation& contact : e_.contacts) laws(contact);
    e_.outputs.insert(e_.outputs.end(), hidden_.begin(), hidden_.end());
    if (diagnostics_.error_count() > errors) return std::nullopt;
    return std::move(scene_);
  }

 private:
  // An output over the elements of an array sees the blocks of two bodies at most (nsm_output_class).
  void require_few_blocks(const TypedOutput& output, Expr value) {
    if (output.instances.single()) return;
    std::set<std::size_t> references;
    for (const Expr e : sym::topological_order(pool_, std::span(&value, 1))) {
      if (pool_.op(e) != sym::Op::symbol) continue;
      const sym::Symbol& s = pool_.symbol(e);
      if (s.source == Source::coordinate || s.source == Source::velocity) references.insert(reference_of(s.index));
    }
    if (references.size() > 2 && reported_.insert(output.name).second) {
      diagnostics_.report(Kind::too_many_blocks, output.span,
                          fmt::format("a number of this drawing depends on {} bodies or elements", references.size()),
                          "in an array each number of a drawing may depend on two; without an array on all");
    }
  }

  void laws(const ContactEquation& contact) {
    std::vector<SceneLawEquation>& laws = scene_.laws.emplace_back();
    if (contact.instances.count() > kMostLaws) return;
    for (const LawEquation& law : contact.laws) {
      SceneLawEquation& scene = laws.emplace_back();
      for (const std::size_t row : law.velocities)
        scene.velocity.push_back(number(contact.gamma[row], contact.instances));
      if (law.size > kMostDimensions) continue;
      add_set(scene, law.reservoir ? "slip" : "both", law.A, law.sets, contact.instances);
      if (law.reservoir && law.reservoir->A.rows == law.size)
        add_set(scene, "reservoir", law.reservoir->A, law.reservoir->sets, contact.instances);
    }
  }

  void add_set(SceneLawEquation& law, const char* role, const Matrix& A, const std::vector<SimpleSet>& sets,
               const Instances& instances) {
    // Without an end: what is not a bound is no picture.
    for (const SimpleSet& set : sets) {
      if (set.kind != SetKind::interval) continue;
      for (const Expr bound : set.arguments) {
        if (pool_.is_constant(bound) && !(std::abs(pool_.value(bound)) < 1e300)) return;
      }
    }
    SceneSetEquation scene{role, SetBoundary(pool_, A, sets), {}};
    for (const Expr e : scene.boundary.arguments()) scene.arguments.push_back(number(e, instances));
    law.sets.push_back(std::move(scene));
  }

  SceneNumber number(Expr value, const Instances& instances) {
    SceneNumber result;
    result.value = value;
    const bool moves = sym::depends_on(pool_, value, [](const sym::Symbol& s) {
      return s.source != Source::parameter && s.source != Source::instance;
    });
    if (!moves) return result;
    if (pool_.op(value) == sym::Op::symbol) {
      const sym::Symbol& s = pool_.symbol(value);
      if (s.source == Source::coordinate || s.source == Source::velocity) {
        result.from = SceneNumber::From::variable;
        return result;
      }
      if (s.source == Source::force && force_contact(s.index) < e_.contacts.size()) {
        result.from = SceneNumber::From::force;
        return result;
      }
    }
    result.from = SceneNumber::From::output;
    for (const auto& [known, column] : known_[value.id]) {
      if (known->indices == instances.indices && known->pairs == instances.pairs && known->points == instances.points) {
        result.column = column;
        return result;
      }
    }
    result.column = fmt::format("{}{}{}", kSceneName, hidden_.size() + 1, instances.single() ? "" : "@");
    known_[value.id].emplace_back(&instances, result.column);
    hidden_.push_back({result.column, "", "", instances, value});
    return result;
  }

  const TypedModel& model_;
  Equations& e_;
  sym::ExprPool& pool_;
  Diagnostics& diagnostics_;
  SceneEquations scene_;
  std::set<std::string> reported_;
  std::vector<OutputEquation> hidden_;
  std::map<std::uint32_t, std::vector<std::pair<const Instances*, std::string>>> known_;  // by the id of the value
};

}  // namespace

std::optional<SceneEquations> take_scene(const TypedModel& model, Equations& equations, sym::ExprPool& pool,
                                         Diagnostics& diagnostics) {
  return SceneTaker(model, equations, pool, diagnostics).take();
}

}  // namespace nsmc
