// The names of integrators and contact solvers, as model files and the command line write them. One list for both;
// compiler/driver maps them to the runtime's.
#pragma once

#include <array>
#include <string_view>

namespace nsmc {

inline constexpr std::array<std::string_view, 2> method_names{"moreau", "lie"};
inline constexpr std::array<std::string_view, 7> solver_names{"jor",   "sor",   "newton",    "auto",
                                                              "jprox", "uzawa", "multiplier"};

}  // namespace nsmc
