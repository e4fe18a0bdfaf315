// The methods of the textbooks: Euler, Runge, Heun, Ralston, Kutta (of three and of four stages, and the rule of 3/8),
// the strong stability preserving one of order 3, and Butcher's of order 5. tableau_test.cpp checks the conditions of
// their orders, tree by tree.
#include "runtime/methods/tableau.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "runtime/names.hpp"

namespace nsmc::rt {

namespace {

constexpr std::array<Tableau, 10> kTableaux{{
    {"euler", 1, 1, {}, {1}},
    {"midpoint", 2, 2, {{}, {1.0 / 2}}, {0, 1}},
    {"heun", 2, 2, {{}, {1}}, {1.0 / 2, 1.0 / 2}},
    {"ralston", 2, 2, {{}, {2.0 / 3}}, {1.0 / 4, 3.0 / 4}},
    {"rk3", 3, 3, {{}, {1.0 / 2}, {-1, 2}}, {1.0 / 6, 2.0 / 3, 1.0 / 6}},
    {"heun3", 3, 3, {{}, {1.0 / 3}, {0, 2.0 / 3}}, {1.0 / 4, 0, 3.0 / 4}},
    {"ssp3", 3, 3, {{}, {1}, {1.0 / 4, 1.0 / 4}}, {1.0 / 6, 1.0 / 6, 2.0 / 3}},
    {"rk4", 4, 4, {{}, {1.0 / 2}, {0, 1.0 / 2}, {0, 0, 1}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}},
    {"kutta38", 4, 4, {{}, {1.0 / 3}, {-1.0 / 3, 1}, {1, -1, 1}}, {1.0 / 8, 3.0 / 8, 3.0 / 8, 1.0 / 8}},
    {"butcher5",
     5,
     6,
     {{},
      {1.0 / 4},
      {1.0 / 8, 1.0 / 8},
      {0, -1.0 / 2, 1},
      {3.0 / 16, 0, 0, 9.0 / 16},
      {-3.0 / 7, 2.0 / 7, 12.0 / 7, -12.0 / 7, 8.0 / 7}},
     {7.0 / 90, 0, 32.0 / 90, 12.0 / 90, 32.0 / 90, 7.0 / 90}},
}};
static_assert(std::equal(kTableaux.begin(), kTableaux.end(), std::begin(tableau_names), std::end(tableau_names),
                         [](const Tableau& tableau, std::string_view name) { return tableau.name == name; }));

}  // namespace

std::span<const Tableau> tableaux() { return kTableaux; }

const Tableau* find_tableau(std::string_view name) {
  const auto* const found =
      std::find_if(kTableaux.begin(), kTableaux.end(), [&](const Tableau& tableau) { return tableau.name == name; });
  return found == kTableaux.end() ? nullptr : found;
}

const Tableau& classical_tableau() { return *find_tableau("rk4"); }

}  // namespace nsmc::rt
