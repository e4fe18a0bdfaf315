// G of a contact problem as one dense matrix, for methods that factor it.
#pragma once

#include <Eigen/Core>

#include "runtime/solvers/contact_problem.hpp"

namespace nsmc::rt {

inline void fill_dense(const ContactProblem& problem, Eigen::MatrixXd& G) {
  const auto n = static_cast<Eigen::Index>(problem.n_rows());
  G.resize(n, n);
  G.setZero();
  for (const ContactRows& rows : problem.contacts) {
    const double* g = problem.G.data() + rows.first_value;
    for (std::uint32_t h = 0; h < rows.n_rows; ++h) {
      for (std::uint32_t m = 0; m < rows.n_runs; ++m) {
        const ColumnRun& run = problem.runs[rows.first_run + m];
        for (std::uint32_t k = 0; k < run.n_columns; ++k) G(rows.first_row + h, run.first_column + k) = *g++;
      }
    }
  }
}

}  // namespace nsmc::rt
