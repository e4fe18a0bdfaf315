#include "compiler/api/editing/words.hpp"

#include <algorithm>

#include "compiler/model/dimension.hpp"
#include "compiler/model/known_words.hpp"
#include "compiler/model/settings.hpp"

namespace nsmc {
namespace {

struct WordRow {
  WordGroup group;
  std::string_view name, form, doc;
};

constexpr WordRow kWordRows[] = {
#define NSMC_WORD(group, name, form, doc) {WordGroup::group, name, form, doc},
#include "compiler/api/editing/words.def"
#undef NSMC_WORD
};

std::string setting_doc(const SettingRow& row) {
  return std::string(row.help) + ". Default: " + std::string(row.standard) + ".";
}

Word word_of(const KnownWord& known) {
  Word word{known.name, std::string(text(known.group)), known.name, "", known.arguments};
  const auto row = std::find_if(std::begin(kWordRows), std::end(kWordRows),
                                [&](const WordRow& one) { return one.group == known.group && one.name == known.name; });
  if (row != std::end(kWordRows)) {
    word.form = row->form;
    word.doc = row->doc;
  } else if (known.group == WordGroup::setting) {
    word.doc = setting_doc(nsmc::row(setting(known.name)));
  } else if (known.group == WordGroup::unit) {
    const UnitValue unit = *find_unit(known.name);
    word.doc = unit.dimension.is_dimensionless() ? "a pure number" : unit.dimension.description();
  }
  return word;
}

}  // namespace

const std::vector<Word>& words() {
  static const std::vector<Word> all = [] {
    std::vector<Word> list;
    for (const KnownWord& known : known_words()) list.push_back(word_of(known));
    return list;
  }();
  return all;
}

const Word* find_word(std::string_view group, std::string_view name) {
  const auto found = std::find_if(words().begin(), words().end(),
                                  [&](const Word& word) { return word.group == group && word.name == name; });
  return found == words().end() ? nullptr : &*found;
}

const Word* find_word(std::initializer_list<std::string_view> groups, std::string_view name) {
  for (const std::string_view group : groups) {
    if (const Word* word = find_word(group, name)) return word;
  }
  return nullptr;
}

}  // namespace nsmc
