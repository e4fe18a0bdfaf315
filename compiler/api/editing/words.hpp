// Words of the language by their name.
#pragma once

#include <initializer_list>
#include <string_view>

#include "nsmc/editing.hpp"

namespace nsmc {

const Word* find_word(std::string_view group, std::string_view name);
// The first of these groups that has it.
const Word* find_word(std::initializer_list<std::string_view> groups, std::string_view name);

}  // namespace nsmc
