// The matrices of a step at a state, for those who look at them: what a step sees in pieces, as it needs them, here as
// a whole.
//
//     M u' = h + W lambda,     gamma = V^T u + chi,     xi = G Lambda + c in N_K(-Lambda)         [Möller 2009, (16),
//     (17)]
//
// over the closed contacts, everything hatted [Möller 2009, (41)]: V = W unless a law says otherwise. M, h, W and V are
// those at the state; time-stepping evaluates them half a step later.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "runtime/evaluation/evaluation.hpp"
#include "runtime/evaluation/workspace.hpp"
#include "runtime/state.hpp"
#include "runtime/system.hpp"

namespace nsmc::rt {

struct StepNumbers {
  Trouble trouble;  // then the rest is not known
  double t = 0, dt = 0;
  Eigen::MatrixXd M;
  Eigen::VectorXd h, u;
  std::vector<double> gaps;           // by contact; NaN for those without
  std::vector<std::uint32_t> closed;  // contacts, ascending

  // Over the rows of the closed contacts.
  struct Row {
    std::uint32_t contact, local;  // its index in the model, and of the row in it
  };
  std::vector<Row> rows;
  Eigen::MatrixXd W, V;    // a column for each row
  Eigen::VectorXd gamma;   // velocities
  Eigen::VectorXd Lambda;  // percussions of the last step
  Eigen::MatrixXd G;       // with the compliance of laws, C/dt
  Eigen::VectorXd c;       // of a step of length dt

  bool symmetric = true;  // G; if not, the eigenvalues are those of its symmetric part
  int rank = 0;           // of G with its diagonal scaled to 1, so that units do not matter
  double smallest_eigenvalue = 0, largest_eigenvalue = 0;  // of G; 0 without rows
};

// Which contacts are closed is asked as in a step, by their gaps and what the last step has left. Writes over the
// evaluation in `work`.
StepNumbers step_numbers(const System& system, Workspace& work, const State& state, double dt);

}  // namespace nsmc::rt
