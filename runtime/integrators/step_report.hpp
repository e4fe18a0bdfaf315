// What an integrator tells about one step.
#pragma once

#include <algorithm>
#include <cstdint>

#include "runtime/integrators/evaluation.hpp"
#include "runtime/solvers/solve.hpp"

namespace nsmc::rt {

struct StepReport {
  StepStatus status = StepStatus::ok;
  std::uint32_t n_closed = 0;
  int iterations = 0;              // of the contact solver, in all its problems of the step
  int newton_steps = 0;            // of them
  double residual = 0;             // natural residual of its solution
  bool converged = true;           // false: the step was done with an inaccurate solution
  std::uint32_t block = nobody;    // where a failure was seen
  std::uint32_t contact = nobody;  // where a failure or the largest residual was seen

  // Constraints with positions (projection.hpp): the largest |g| after the step, where, and rounds of Newton's method.
  double position_error = 0;
  std::uint32_t position_contact = nobody;
  int projection_rounds = 0;

  // Takes in how a contact problem of the step was solved; the worst of several counts.
  void add(const ContactSolution& solution) {
    iterations += solution.iterations;
    newton_steps += solution.newton_steps;
    converged = converged && solution.converged;
    if (contact == nobody || !(solution.residual <= residual)) contact = solution.worst_contact;
    residual = std::max(residual, solution.residual);
  }
};

inline StepReport failure(const Trouble& trouble, StepReport report) {
  report.status = trouble.status;
  report.block = trouble.block;
  report.contact = trouble.contact;
  report.converged = false;
  return report;
}

}  // namespace nsmc::rt
