// What is asked of an integrator, and what it tells: stretches of steps, reports of single ones, and their sum.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "runtime/evaluation/evaluation.hpp"
#include "runtime/evaluation/event_sink.hpp"
#include "runtime/saved_run.hpp"
#include "runtime/solvers/solve.hpp"

namespace nsmc::rt {

// Equal steps of a run: the first of them goes from t_first + first * dt to t_first + (first + 1) * dt.
struct Stretch {
  double t_first = 0, dt = 0;
  std::uint64_t first = 0, steps = 0;
};

struct StepReport {
  StepStatus status = StepStatus::ok;
  std::uint32_t n_closed = 0;
  int iterations = 0;                // of the contact solver, in all its problems of the step
  int newton_steps = 0;              // of them
  bool solved = true;                // false: contacts were closed, but no contact problem was solved (event-driven)
  double residual = 0;               // natural residual of its solution
  bool converged = true;             // false: the step was done with an inaccurate solution
  std::uint32_t block = NSM_NONE;    // where a failure was seen
  std::uint32_t contact = NSM_NONE;  // where a failure or the largest residual was seen

  // Constraints with positions (projection.hpp): the largest |g| after the step, where, and rounds of Newton's method.
  double position_error = 0;
  std::uint32_t position_contact = NSM_NONE;
  int projection_rounds = 0;

  // Event-driven integration: steps of the ODE solver, evaluations of the accelerations, events by kind; where G is
  // singular, the contacts that depend on others; where a failure happened, and whether the contact problem that was
  // not solved is known to have a solution, since no set in it depends on forces.
  std::uint64_t internal_steps = 0, evaluations = 0;
  std::array<std::uint64_t, n_event_kinds> events{};
  std::vector<std::uint32_t> dependent;
  double failure_time = 0;
  bool solution_exists = false;

  // Steps by accuracy (adaptive.hpp), besides internal_steps, those that were taken, and evaluations, steps of the
  // scheme: how many were done again, how many had a switching point, how many of these were not as accurate as asked
  // for, and the shortest and the longest.
  std::uint64_t rejected = 0, switches = 0, forced = 0;
  bool gave_up = false;  // what it asks for would take too many of them
  double shortest = 0, longest = 0;

  // Takes in how a contact problem of the step was solved; the worst of several counts.
  void add(const ContactSolution& solution) {
    iterations += solution.iterations;
    newton_steps += solution.newton_steps;
    converged = converged && solution.converged;
    if (contact == NSM_NONE || !(solution.residual <= residual)) contact = solution.worst_contact;
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

// The contact problems of all steps of a run. Steps are counted from 1.
struct ContactTally {
  std::uint64_t steps = 0, closed = 0, iterations = 0;  // steps with closed contacts; sums over them
  std::uint32_t closed_max = 0;
  int iterations_max = 0;
  std::uint64_t without_problem = 0;  // steps with closed contacts and no contact problem
  double worst_residual = 0;
  std::uint64_t worst_step = 0;
  std::uint32_t worst_contact = NSM_NONE;

  void remember(Memory& memory) {
    memory(steps, closed, iterations, closed_max, iterations_max, without_problem);
    memory(worst_residual, worst_step, worst_contact);
  }

  void add(const StepReport& report, std::uint64_t step) {
    if (report.n_closed == 0) return;
    ++steps;
    if (!report.solved) ++without_problem;
    closed += report.n_closed;
    iterations += static_cast<std::uint64_t>(report.iterations);
    closed_max = std::max(closed_max, report.n_closed);
    iterations_max = std::max(iterations_max, report.iterations);
    if (report.residual > worst_residual || worst_contact == NSM_NONE) {
      worst_residual = report.residual;
      worst_step = step;
      worst_contact = report.contact;
    }
  }
};

}  // namespace nsmc::rt
