// The matrices of a step at the present state of a run. The only header of nsmc that includes Eigen, which is wanted by
// nobody else; nsmc/nsmc.hpp leaves it out.
//
//     M u' = h + W lambda,     gamma = V^T u + chi,     xi = G Lambda + c in N_K(-Lambda)   [Möller 2009, (16), (17)]
//
// over the closed contacts, everything hatted [Möller 2009, (41)]: V = W unless a law says otherwise. M, h, W and V are
// those at the state; time-stepping evaluates them half a step later.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "nsmc/run.hpp"

namespace nsmc {

// All in SI. What is returned as a matrix looks at memory of this object: how a caller compiles Eigen (its alignment
// follows from options of the compiler) is a matter of the caller alone.
struct StepNumbers {
  using Matrix = Eigen::Map<const Eigen::MatrixXd>;
  using Vector = Eigen::Map<const Eigen::VectorXd>;

  double t = 0, dt = 0;
  std::vector<std::string> velocities, velocity_units;  // names of u
  Matrix M() const { return matrix(memory.M, velocities, velocities); }
  Vector u() const { return vector(memory.u); }
  Vector h() const { return vector(memory.h); }

  std::vector<std::string> contacts;  // all of them
  std::vector<double> gaps;           // by contact; NaN for those without
  std::vector<std::size_t> closed;    // which of them, ascending

  std::vector<std::string> rows;                                   // of the laws of the closed contacts, by name
  Matrix W() const { return matrix(memory.W, velocities, rows); }  // a column for each row
  Matrix V() const { return matrix(memory.V, velocities, rows); }  // likewise
  Vector gamma() const { return vector(memory.gamma); }            // velocities of the contacts
  Vector Lambda() const { return vector(memory.Lambda); }          // percussions of the last step
  Matrix G() const { return matrix(memory.G, rows, rows); }        // V^T M^-1 W, with the compliance of laws, C/dt
  Vector c() const { return vector(memory.c); }                    // of a step of length dt

  bool symmetric = true;  // G; if not, the eigenvalues are those of its symmetric part
  int rank = 0;           // of G with its diagonal scaled to 1, so that units do not matter
  double smallest_eigenvalue = 0, largest_eigenvalue = 0;  // of G; 0 without rows

  struct Memory {  // column by column
    std::vector<double> M, u, h, W, V, gamma, Lambda, G, c;
  } memory;

 private:
  using Names = std::vector<std::string>;
  static Matrix matrix(const std::vector<double>& values, const Names& rows, const Names& columns) {
    return {values.data(), static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(columns.size())};
  }
  static Vector vector(const std::vector<double>& values) {
    return {values.data(), static_cast<Eigen::Index>(values.size())};
  }
};

// Which contacts are closed is asked as in a step, by their gaps and what the last step has left. Nothing if the
// equations cannot be evaluated at this state: a value is not finite, or M not positive definite.
std::optional<StepNumbers> step_numbers(Run& run);

}  // namespace nsmc
