// The names of integrators, tableaux of Runge-Kutta methods and contact solvers, as model files and the command line
// write them. One list for both; compiler/driver maps them to the runtime's.
#pragma once

#include <array>
#include <string_view>

namespace nsmc {

inline constexpr std::array<std::string_view, 4> method_names{"moreau", "rk", "event", "lie"};
inline constexpr std::array<std::string_view, 10> tableau_names{"euler", "midpoint", "heun", "ralston", "rk3",
                                                                "heun3", "ssp3",     "rk4",  "kutta38", "butcher5"};
inline constexpr std::array<std::string_view, 7> solver_names{"jor",   "sor",   "newton",    "auto",
                                                              "jprox", "uzawa", "multiplier"};
// The forms of the contact problem of method event; the command line only.
inline constexpr std::array<std::string_view, 2> form_names{"lambda", "kappa"};

}  // namespace nsmc
