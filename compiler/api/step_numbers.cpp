#include "nsmc/step_numbers.hpp"

#include <fmt/format.h>

#include "compiler/api/run_impl.hpp"

namespace nsmc {
namespace {

std::vector<double> copy_of(const auto& matrix) { return {matrix.data(), matrix.data() + matrix.size()}; }

void name(StepNumbers& numbers, const KernelPlan& plan, const rt::System& system,
          const std::vector<rt::StepNumbers::Row>& rows) {
  for (std::uint32_t k = 0; k < system.n_u(); ++k) {
    numbers.velocities.push_back(plan.columns[system.columns().u + k]);
    numbers.velocity_units.push_back(plan.column_dimensions[system.columns().u + k]);
  }
  for (std::uint32_t i = 0; i < system.contacts().size(); ++i) numbers.contacts.push_back(system.contact_name(i));
  for (const rt::StepNumbers::Row& row : rows) {
    const rt::ContactInfo& contact = system.contacts()[row.contact];
    const std::size_t column = std::size_t{contact.first_column} + contact.n_geometry + row.local;
    // Where the forces of the law are others than those of its simple sets, rows have numbers.
    const bool as_written = contact.type->forces == nullptr;
    numbers.rows.push_back(as_written ? plan.columns[column]
                                      : fmt::format("{}^[{}]", numbers.contacts[row.contact], row.local + 1));
  }
}

}  // namespace

std::optional<StepNumbers> step_numbers(Run& run) {
  const rt::StepNumbers from = run.impl().run->numbers();
  if (from.trouble) return std::nullopt;
  StepNumbers to;
  name(to, run.impl().prepared->kernels->plan(), run.impl().run->system(), from.rows);
  to.t = from.t;
  to.dt = from.dt;
  to.gaps = from.gaps;
  to.closed.assign(from.closed.begin(), from.closed.end());
  to.memory = {copy_of(from.M),     copy_of(from.u),      copy_of(from.h), copy_of(from.W), copy_of(from.V),
               copy_of(from.gamma), copy_of(from.Lambda), copy_of(from.G), copy_of(from.c)};
  to.symmetric = from.symmetric;
  to.rank = from.rank;
  to.smallest_eigenvalue = from.smallest_eigenvalue;
  to.largest_eigenvalue = from.largest_eigenvalue;
  return to;
}

}  // namespace nsmc
