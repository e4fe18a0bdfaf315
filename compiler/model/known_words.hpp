// The words that are no keywords and yet mean something: functions, sets, kinds of bodies, units. Each comes from the
// table that check itself looks into.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nsmc {

enum class WordGroup : std::uint8_t {
  keyword,
  constant,  // t, pi, energy
  function,
  set,
  body,  // kinds of bodies
  shape,
  joint,
  drawing,
  member,  // of bodies, contacts and joints
  setting,
  choice,  // what a setting may be, and other fixed words
  color,
  unit,
};

std::string_view text(WordGroup group);

struct KnownWord {
  WordGroup group{};
  std::string name;
  std::vector<std::string> arguments{};  // that have names; of a setting the words that it may be
};

const std::vector<KnownWord>& known_words();

}  // namespace nsmc
