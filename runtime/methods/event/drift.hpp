// What holds, holds on acceleration level only, and drifts off by the errors of integration. Here positions (bilateral
// constraints, gaps of closed contacts) and velocities (all units that hold, slip along edges) are put back:
//     q <- q + F M^-1 W mu,   (W^T M^-1 W) mu = -g,        u <- u + M^-1 W mu,   (V^T M^-1 W) mu = -xi
// over the rows that hold. Dependent rows do no harm. Contacts that have passed the end of their face are left alone.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "runtime/methods/event/accelerations.hpp"

namespace nsmc::rt::event {

class Drift {
 public:
  Drift(const System& system, Workspace& work, const ContactModes& modes)
      : system_(system), work_(work), modes_(modes) {
    rate_.assign(system.n_u(), 0);
    zeros_.assign(system.n_u(), 0);
    ended_.assign(system.contacts().size(), 0);
  }

  // Looks at the state and changes q and u. Looks last at the positions that come out.
  Trouble project(Accelerations& at, double t, double* q, double* u);

  double position_error = 0;                  // of bilateral constraints, after the last project
  std::uint32_t position_contact = NSM_NONE;  // where

 private:
  void find_ended(double t, const double* q, const double* u);
  bool find_errors(double t, const double* q, const double* u);
  void solve(Accelerations& at, const std::vector<double>& errors);

  // A combination of neighbouring rows of the problem.
  struct Row {
    std::uint32_t first, n;
    double part[FlatFace::max_dim];
  };

  const System& system_;
  Workspace& work_;
  const ContactModes& modes_;
  std::vector<Row> rows_;
  std::vector<double> errors_, rate_, zeros_, values_;
  Eigen::MatrixXd G_, A_;
  Eigen::VectorXd mu_, scale_;
  LeastNorm least_norm_;
  std::vector<std::uint8_t> ended_;  // by contact
};

}  // namespace nsmc::rt::event
