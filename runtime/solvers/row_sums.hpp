// Row sums of |G|: no eigenvalue of a matrix is larger than the largest of them.
#pragma once

#include <algorithm>
#include <cmath>

#include "runtime/solvers/contact_problem.hpp"

namespace nsmc::rt {

// sum_k |G_hk| over all columns k, for row `local` of a contact.
inline double row_sum(const ContactProblem& problem, const ContactRows& i, std::uint32_t local) {
  const double* g = problem.G.data() + i.first_value + std::size_t{local} * i.width;
  double sum = 0;
  for (std::uint32_t k = 0; k < i.width; ++k) sum += std::abs(g[k]);
  return sum;
}

// The largest over the rows of a set; NaN if there is one.
inline double row_sum(const ContactProblem& problem, const SetBlock& s) {
  const ContactRows& i = problem.contacts[s.contact];
  const std::uint32_t local = s.first_row - i.first_row;
  double largest = 0;
  for (std::uint32_t h = local; h < local + s.dim; ++h) {
    const double sum = row_sum(problem, i, h);
    if (!(sum <= largest)) largest = sum;
  }
  return largest;
}

}  // namespace nsmc::rt
