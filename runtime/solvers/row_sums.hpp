// Row sums of |G|: no eigenvalue of a matrix is larger than the largest of them.
#pragma once

#include <algorithm>
#include <cmath>

#include "runtime/solvers/contact_problem.hpp"

namespace nsmc::rt {

// sum_k s_h |G_hk| s_k over all columns k, for row h = `local` of a contact; s: row_metric.hpp.
inline double row_sum(const ContactProblem& problem, const ContactRows& i, std::uint32_t local) {
  const double* g = problem.G.data() + i.first_value + std::size_t{local} * i.width;
  double sum = 0;
  if (!problem.has_metrics) {
    for (std::uint32_t k = 0; k < i.width; ++k) sum += std::abs(g[k]);
    return sum;
  }
  for (std::uint32_t n = i.first_run; n < i.first_run + i.n_runs; ++n) {
    const ColumnRun& run = problem.runs[n];
    const double* scale = problem.row_scale.data() + run.first_column;
    for (std::uint32_t k = 0; k < run.n_columns; ++k) sum += std::abs(*g++) * scale[k];
  }
  return problem.row_scale[i.first_row + local] * sum;
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
