#include "runtime/solvers/set_extents.hpp"

#include <algorithm>
#include <cmath>

#include "runtime/solvers/contact_problem.hpp"

namespace nsmc::rt {

namespace {

// Which sign the laws leave to the percussion of a row of contact i: +1, -1, or 0 for both. -Lambda is in the set.
int sign_of_row(const ContactProblem& problem, const ContactRows& i, std::uint32_t row) {
  for (std::uint32_t n = i.first_set; n < i.first_set + i.n_sets; ++n) {
    const SetBlock& s = problem.sets[n];
    if (row < s.first_row || row >= s.first_row + s.dim) continue;
    if (s.set->kind != NSM_SET_INTERVAL || !s.constant || s.set->shifted != 0) return 0;
    const double* ends = problem.arguments.data() + i.first_argument + s.set->first_argument;
    if (ends[1] <= 0) return 1;
    return ends[0] >= 0 ? -1 : 0;
  }
  return 0;
}

// Whether the set gets an extent at percussions of some size that the laws allow. What is affine in the forces is known
// exactly by its slopes; of what is not, the present forces times powers of ten are tried.
bool has_extent_somewhere(ContactProblem& problem, const SetBlock& s, const ContactRows& i, double* own) {
  const nsm_set& set = *s.set;
  const auto extent = [&] {
    problem.update_arguments_at(i, set, own);
    return least_extent(set, problem.arguments.data() + i.first_argument + set.first_argument);
  };
  if (i.K == nullptr) {
    for (int power = -6; power <= 6; ++power) {
      for (std::uint32_t k = 0; k < i.n_rows; ++k) {
        const double size = std::abs(problem.Lambda[i.first_row + k]) * std::pow(10.0, power);
        own[k] = sign_of_row(problem, i, i.first_row + k) < 0 ? -size : size;
      }
      if (extent() > 0) return true;
    }
    return false;
  }
  std::fill_n(own, i.n_rows, 0.0);
  const double at_rest = extent();
  if (at_rest > 0) return true;
  for (std::uint32_t k = 0; k < i.n_rows; ++k) {
    const int sign = sign_of_row(problem, i, i.first_row + k);
    for (const int direction : {1, -1}) {
      if (sign == -direction) continue;
      own[k] = direction * problem.dt;
      if (extent() > at_rest) return true;
      own[k] = 0;
    }
  }
  return false;
}

}  // namespace

double negative_extent(ContactProblem& problem, const SetBlock& s) {
  const ContactRows& i = problem.contacts[s.contact];
  const nsm_set& set = *s.set;
  double* const own = problem.trial.data();
  std::copy_n(problem.Lambda.data() + i.first_row, i.n_rows, own);
  const auto extent = [&] {
    if (!s.constant) problem.update_arguments_at(i, set, own);
    return least_extent(set, problem.arguments.data() + i.first_argument + set.first_argument);
  };
  if (!(extent() < 0)) return 0;
  if (s.constant) return extent();
  // What a solver left below zero, of a force that is not negative, is zero.
  for (std::uint32_t k = 0; k < i.n_rows; ++k) {
    const int sign = sign_of_row(problem, i, i.first_row + k);
    if (sign * own[k] < 0) own[k] = 0;
  }
  const double negative = extent();
  if (!(negative < 0)) return 0;
  return has_extent_somewhere(problem, s, i, own) ? 0 : negative;
}

}  // namespace nsmc::rt
