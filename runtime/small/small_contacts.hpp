// SORprox for the contact problem of a small step: as iterate.hpp and sor.cpp do it for sets that are intervals of one
// row and balls, without relaxation, with everything in fixed-size arrays.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "runtime/kernel_abi.hpp"
#include "runtime/sets/ball.hpp"
#include "runtime/sets/interval.hpp"
#include "runtime/solvers/ball_block.hpp"
#include "runtime/solvers/iterate.hpp"
#include "runtime/solvers/set_extents.hpp"

namespace nsmc::rt {

inline constexpr std::uint32_t max_small_contacts = 4, max_small_rows = 16;

// A set and its rows, in a contact problem over the closed contacts.
struct SmallSet {
  std::uint32_t kind = 0, dim = 0;
  std::uint32_t first_row = 0;
  std::uint32_t n_arguments = 0;
  std::uint32_t contact_row = 0, n_contact_rows = 0;  // of its contact, for a + K Lambda
  std::uint32_t contact = 0;                          // in the model
  const double* a = nullptr;
  const double* K = nullptr;
  bool constant = false;
  double D = 0, r = 0, weight = 0;
  double arguments[2] = {0, 0};
};

struct SmallContacts {
  static constexpr std::uint32_t stride = max_small_rows;
  double dt = 0;
  std::uint32_t n_rows = 0, n_sets = 0;
  double G[max_small_rows * stride];
  double c[max_small_rows], c_magnitude[max_small_rows], Lambda[max_small_rows];
  std::array<SmallSet, max_small_rows> sets;

  double xi(std::uint32_t row) const {
    const double* g = G + std::size_t{row} * stride;
    double sum = c[row];
    for (std::uint32_t k = 0; k < n_rows; ++k) sum += g[k] * Lambda[k];
    return sum;
  }

  void update_arguments(SmallSet& s) const {
    const double* own = Lambda + s.contact_row;
    const double* K = s.K;
    for (std::uint32_t m = 0; m < s.n_arguments; ++m) {
      double value = 0;
      for (std::uint32_t k = 0; k < s.n_contact_rows; ++k) value += K[k] * own[k];
      s.arguments[m] = dt * s.a[m] + value;
      K += s.n_contact_rows;
    }
  }

  // D, r and the constant arguments, when G and c are there: ContactProblem::finish and the steps of sor.
  void finish() {
    for (std::uint32_t n = 0; n < n_sets; ++n) {
      SmallSet& s = sets[n];
      s.D = 0;
      for (std::uint32_t h = 0; h < s.dim; ++h) {
        const double* g = G + std::size_t{s.first_row + h} * stride + s.first_row;
        double sum = 0;
        for (std::uint32_t k = 0; k < s.dim; ++k) sum += std::abs(g[k]);
        if (!(sum <= s.D)) s.D = sum;
      }
      s.r = s.D == 0 ? 0 : 1 / s.D;
      const double rD = s.r * s.D;
      s.weight = rD > 0 && rD < 1 ? s.D / (rD * rD) : s.D;
      s.constant = true;
      for (std::uint32_t k = 0; k < s.n_arguments * s.n_contact_rows; ++k) s.constant = s.constant && s.K[k] == 0;
      if (s.constant) update_arguments(s);
    }
  }

  // max_i |c_magnitude_i|/sqrt(D_i), see natural_residual.hpp.
  double c_scale() const {
    double scale = 0;
    for (std::uint32_t n = 0; n < n_sets; ++n) {
      const SmallSet& s = sets[n];
      if (!(s.D > 0)) continue;
      double largest = 0;
      for (std::uint32_t h = 0; h < s.dim; ++h) largest = std::max(largest, c_magnitude[s.first_row + h]);
      scale = std::max(scale, largest / std::sqrt(s.D));
    }
    return scale;
  }

  // A set of one row: prox of -Lambda + r xi.
  double prox_of_row(SmallSet& s, double r) {
    if (!s.constant) update_arguments(s);
    double z = r * xi(s.first_row) - Lambda[s.first_row];
    if (s.kind == NSM_SET_INTERVAL) return Interval{s.arguments[0], s.arguments[1]}.prox(z);
    Ball{s.arguments[0], 1}.prox(&z);
    return z;
  }

  // The squared change of the set's percussions and their squared length, into the sweep; false if the block of a ball
  // is not positive definite.
  bool update(SmallSet& s, double& delta2, double& size2) {
    double* own = Lambda + s.first_row;
    if (s.dim == 1) {
      const double value = -prox_of_row(s, s.r), delta = value - own[0];
      own[0] = value;
      delta2 = delta * delta;
      size2 = value * value;
      return true;
    }
    if (!s.constant) update_arguments(s);
    const double* block = G + std::size_t{s.first_row} * stride + s.first_row;
    double others[max_ball_block], next[max_ball_block];
    for (std::uint32_t h = 0; h < s.dim; ++h) {
      next[h] = own[h];
      others[h] = xi(s.first_row + h);
      for (std::uint32_t k = 0; k < s.dim; ++k) others[h] -= block[h * stride + k] * own[k];
    }
    if (!solve_ball_block(block, stride, s.dim, others, s.arguments[0], next)) return false;
    delta2 = size2 = 0;
    for (std::uint32_t h = 0; h < s.dim; ++h) {
      const double delta = next[h] - own[h];
      own[h] = next[h];
      delta2 += delta * delta;
      size2 += next[h] * next[h];
    }
    return true;
  }

  // natural_residual of the same name, at Lambda. Not finite: NaN.
  double natural_residual(double scale, std::uint32_t& worst) {
    double delta2_max = 0, Lambda2_max = 0;
    worst = 0;
    for (std::uint32_t n = 0; n < n_sets; ++n) {
      SmallSet& s = sets[n];
      const double* own = Lambda + s.first_row;
      double z[max_ball_block], delta2 = 0, Lambda2 = 0;
      if (s.dim == 1) {
        z[0] = prox_of_row(s, s.r);
      } else {
        if (!s.constant) update_arguments(s);
        for (std::uint32_t h = 0; h < s.dim; ++h) z[h] = s.r * xi(s.first_row + h) - own[h];
        Ball{s.arguments[0], s.dim}.prox(z);
      }
      for (std::uint32_t h = 0; h < s.dim; ++h) {
        const double delta = own[h] + z[h];
        delta2 += delta * delta;
        Lambda2 += own[h] * own[h];
      }
      delta2 *= s.D;
      Lambda2 *= s.D;
      if (!std::isfinite(delta2) || !std::isfinite(Lambda2)) return std::numeric_limits<double>::quiet_NaN();
      if (delta2 > delta2_max) {
        delta2_max = delta2;
        worst = n;
      }
      if (Lambda2 > Lambda2_max) Lambda2_max = Lambda2;
    }
    return residual_ratio(delta2_max, Lambda2_max, scale);
  }

  // As solve.cpp looks for them; the ordinary step says where.
  bool has_negative_set() const {
    double size = 0;
    for (std::uint32_t k = 0; k < n_rows; ++k) size += std::abs(Lambda[k]);
    for (std::uint32_t n = 0; n < n_sets; ++n) {
      if (negative_extent(sets[n].kind, sets[n].arguments, sets[n].n_arguments, 1e-12 * size) < 0) return true;
    }
    return false;
  }

  // False if it does not converge within the sweeps in which `iterate` would neither slow down nor give up.
  bool solve(const SolverOptions& options, ContactSolution& solution) {
    finish();
    double scale = -1;  // not known yet
    RateWatch rate;
    const int most = std::min(options.max_iterations, 2 * StagnationWatch::window - 1);
    while (solution.iterations < most) {
      ++solution.iterations;
      double change2 = 0, Lambda2 = 0, sum = 0;
      for (std::uint32_t n = 0; n < n_sets; ++n) {
        SmallSet& s = sets[n];
        double delta2, size2;
        if (!update(s, delta2, size2)) return false;
        sum += delta2;
        change2 = std::max(change2, s.weight * delta2);
        Lambda2 = std::max(Lambda2, s.D * size2);
      }
      if (!std::isfinite(sum) || !std::isfinite(Lambda2)) return false;
      if (change2 == 0) {
        if (has_negative_set()) return false;
        solution.worst_contact = sets[0].contact;
        solution.converged = true;
        return true;
      }
      if (scale < 0) scale = c_scale();
      const double ratio = residual_ratio(change2, Lambda2, scale);
      if (ratio <= options.tolerance) {
        std::uint32_t worst = 0;
        solution.residual = natural_residual(scale, worst);
        if (!std::isfinite(solution.residual) || has_negative_set()) return false;
        if (solution.residual <= options.tolerance) {
          solution.worst_contact = sets[worst].contact;
          solution.converged = true;
          return true;
        }
      }
      if (options.kind == SolverKind::automatic && rate.gives_up(solution.iterations, ratio, options.tolerance))
        return false;
    }
    return false;
  }
};

}  // namespace nsmc::rt
