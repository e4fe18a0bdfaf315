#include "runtime/simulation/failure_text.hpp"

#include <fmt/format.h>

#include "runtime/solvers/set_extents.hpp"
#include "runtime/tables/table.hpp"

namespace nsmc::rt {

namespace {

// What only event-driven integration meets.
std::string describe_event_failure(const System& system, const StepReport& report, const std::string& where) {
  switch (report.status) {
    case StepStatus::no_accelerations:
      return fmt::format(
          "the contact solver did not converge to accelerations that satisfy the laws{} (residual {:.2g} after {} "
          "iterations){}",
          where, report.residual, report.iterations,
          report.solution_exists
              ? ""
              : "; since limits of friction depend on forces, there may be none, as in the examples of Painleve");
    case StepStatus::no_impact:
      return fmt::format("no velocities after an impact that satisfy the laws{} were found (residual {:.2g})", where,
                         report.residual);
    case StepStatus::singular_G: {
      std::string names;
      for (const std::uint32_t contact : report.dependent)
        names += (names.empty() ? "" : ", ") + system.contact_name(contact);
      return fmt::format(
          "form kappa needs an inverse of G, and the rows of {} depend on those of other contacts; form "
          "lambda does without",
          names);
    }
    case StepStatus::events_accumulate: return fmt::format("events{} follow each other and time stands still", where);
    case StepStatus::smooth_motion_fails:
      return "the steps of the smooth motion became too small (forces that jump, or that turn too fast where slip "
             "begins)";
    case StepStatus::gap_law_not_plain:
      return fmt::format(
          "method event needs a law for gap' by itself, but{} it is scaled, compliant or together with "
          "other velocities",
          where);
    default: return "method event needs kernels of the acceleration level";
  }
}

// The extent of a set of the contact that is negative in the problem that was solved last; 0 if there is none.
double negative_extent_of(ContactProblem& problem, std::uint32_t contact) {
  for (const SetBlock& s : problem.sets) {
    if (problem.contacts[s.contact].contact != contact) continue;
    const double extent = negative_extent(problem, s);
    if (extent < 0) return extent / problem.dt;
  }
  return 0;
}

}  // namespace

std::string describe_contradiction(const System& system, const std::vector<std::uint32_t>& contacts) {
  std::string names;
  for (std::size_t n = 0; n < contacts.size(); ++n) {
    if (n > 0) names += n + 1 == contacts.size() ? " and " : ", ";
    names += system.contact_name(contacts[n]);
  }
  return contacts.size() == 1
             ? fmt::format("the constraint {} cannot be satisfied: no positions near the start fulfil it", names)
             : fmt::format("the constraints {} contradict each other: no positions near the start fulfil all of them",
                           names);
}

std::string describe_failure(const System& system, Workspace& work, const StepReport& report, std::uint64_t step,
                             double t) {
  std::string where;
  if (report.block != NSM_NONE && system.blocks().size() > 1)
    where = fmt::format(" in block {}", system.block_name(report.block));
  if (report.contact != NSM_NONE) where = fmt::format(" in contact {}", system.contact_name(report.contact));
  if (report.contact != NSM_NONE && report.status != StepStatus::mass_not_positive_definite) {
    const double extent = negative_extent_of(work.problem, report.contact);
    if (extent < 0) {
      return fmt::format(
          "the set of a law has the negative extent {:.4g}{} in step {} from t = {:.9g}: a friction coefficient or "
          "limit must not be negative",
          extent, where, step, t);
    }
  }
  if (report.status >= StepStatus::no_accelerations) {
    return fmt::format("at t = {:.9g}, {}", report.failure_time, describe_event_failure(system, report, where));
  }
  const std::optional<tables::Left> left = tables::take_left();
  if (report.status == StepStatus::not_finite && left) {
    return fmt::format(
        "a table that goes from {:.6g} to {:.6g} was asked at {:.6g} in step {} from t = {:.9g}; `beyond held` "
        "or `beyond extend` says what it is there",
        left->first, left->last, left->at, step, t);
  }
  if (report.status == StepStatus::beyond_candidates) {
    return fmt::format(
        "bodies are too fast for the search of contacts, in step {} from t = {:.9g}: the step is too long", step, t);
  }
  const char* what = report.status == StepStatus::mass_not_positive_definite
                         ? "the mass matrix is not positive definite"
                         : "a value is not finite";
  return fmt::format("{}{} in step {} from t = {:.9g}", what, where, step, t);
}

}  // namespace nsmc::rt
