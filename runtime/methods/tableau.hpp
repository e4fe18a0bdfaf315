// Butcher tableaux of explicit Runge-Kutta methods, by name:
//
//     c_i | a_ij            Y_i = y + dt sum_{j<i} a_ij f(t + c_j dt, Y_j)
//     ----+------           y^E = y + dt sum_i b_i f(t + c_i dt, Y_i)
//         | b_i
//
// All have c_1 = 0, and b_i >= 0: the percussions of a step are the mean of those of its stages with the weights b_i,
// and a mean with positive weights stays within convex sets.
#pragma once

#include <span>
#include <string_view>

namespace nsmc::rt {

inline constexpr int max_stages = 6;

struct Tableau {
  std::string_view name;
  int order;
  int stages;
  double a[max_stages][max_stages];
  double b[max_stages];

  double c(int i) const {
    double sum = 0;
    for (int j = 0; j < i; ++j) sum += a[i][j];
    return sum;
  }
};

std::span<const Tableau> tableaux();
const Tableau* find_tableau(std::string_view name);  // null if there is none of this name

// The method of Runge and Kutta of four stages: the default.
const Tableau& classical_tableau();

}  // namespace nsmc::rt
