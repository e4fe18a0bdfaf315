#include "compiler/model/known_words.hpp"

#include <iterator>

#include "compiler/model/calls.hpp"
#include "compiler/model/declarations.hpp"
#include "compiler/model/dimension.hpp"
#include "compiler/model/drawings.hpp"
#include "compiler/model/joints.hpp"
#include "compiler/model/sets.hpp"
#include "compiler/model/settings.hpp"
#include "compiler/model/shape_kinds.hpp"
#include "compiler/syntax/source_tokens.hpp"

namespace nsmc {

std::string_view text(WordGroup group) {
  static constexpr std::string_view kTexts[] = {"keyword", "constant", "function", "set",    "body",  "shape", "joint",
                                                "drawing", "member",   "setting",  "choice", "color", "unit"};
  static_assert(std::size(kTexts) == static_cast<std::size_t>(WordGroup::unit) + 1);
  return kTexts[static_cast<std::size_t>(group)];
}

const std::vector<KnownWord>& known_words() {
  static const std::vector<KnownWord> all = [] {
    std::vector<KnownWord> words;
    const auto add = [&](WordGroup group, const auto& names) {
      for (const auto& name : names) words.push_back({group, std::string(name)});
    };
    const auto take = [&](std::vector<KnownWord> more) {
      words.insert(words.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    };
    add(WordGroup::keyword, keywords());
    take(Declarations::words());
    take(Calls::words());
    add(WordGroup::function, std::vector{"normal_cone", "sum"});
    add(WordGroup::set, Sets::set_constructor_names());
    take(Bodies::words());
    for (const ShapeKindRow& kind : shape_kinds()) words.push_back({WordGroup::shape, kind.name, kind.options});
    take(Joints::words());
    take(Drawings::words());
    add(WordGroup::member, std::vector{"gap", "slip", "roll", "normal", "travel"});
    for (const SettingRow& row : setting_rows()) {
      if ((row.places & kSimulate) == 0) continue;
      words.push_back({WordGroup::setting, std::string(row.name), {row.words.begin(), row.words.end()}});
      add(WordGroup::choice, row.words);
    }
    add(WordGroup::choice, std::vector{"direct", "transformed", "parabolic", "uniform"});
    add(WordGroup::unit, usual_units());
    return words;
  }();
  return all;
}

}  // namespace nsmc
