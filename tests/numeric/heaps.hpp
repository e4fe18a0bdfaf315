// Models of many solids: which contacts carry what is not determined, and what falls falls differently for every
// rounding. They have tests of their own, by statics and counts; what is asked of every model about paths and forces is
// not of them.
#pragma once

#include <string_view>

namespace nsmc::test {

inline bool is_heap(std::string_view model) { return model == "arch" || model == "boxes" || model == "pile"; }

// Models whose states, inputs, tables and events are what they are about: signals.cpp knows their answers.
inline bool is_controlled(std::string_view model) { return model == "balance" || model == "brake" || model == "motor"; }

}  // namespace nsmc::test
