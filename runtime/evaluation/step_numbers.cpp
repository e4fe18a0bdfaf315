#include "runtime/evaluation/step_numbers.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/solvers/dense_matrix.hpp"

namespace nsmc::rt {

namespace {

// Pivots below this part of the largest are rounding errors of the kernels.
constexpr double zero_pivot = 1e-12;
// Likewise, elements of G - G^T.
constexpr double zero_asymmetry = 1e-12;

void fill_dynamics(const System& system, const Workspace& work, StepNumbers& numbers) {
  numbers.M = Eigen::MatrixXd::Zero(system.n_u(), system.n_u());
  numbers.h = Eigen::VectorXd::Zero(system.n_u());
  for (const BlockInfo& block : system.blocks()) {
    const double* values = work.dynamics.data() + block.first_dynamics;
    const bool diagonal = block.type->mass_structure == NSM_MASS_DIAGONAL;
    const std::uint32_t n = block.n_u;
    auto M = numbers.M.block(block.first_u, block.first_u, n, n);
    for (std::uint32_t j = 0; j < n; ++j) {
      for (std::uint32_t i = j; i < (diagonal ? j + 1 : n); ++i) M(i, j) = M(j, i) = values[diagonal ? j : j * n + i];
    }
    values += diagonal ? n : std::size_t{n} * n;
    for (std::uint32_t i = 0; i < n; ++i) numbers.h[block.first_u + i] = values[i];
  }
}

// W or V of the closed contacts, from the place that the kernels write them to.
Eigen::MatrixXd directions_of(const System& system, const Workspace& work, const std::vector<StepNumbers::Row>& rows,
                              std::size_t (DirectionLayout::*part)[2]) {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(system.n_u(), static_cast<Eigen::Index>(rows.size()));
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const ContactInfo& contact = system.contacts()[rows[n].contact];
    for (std::uint32_t b = 0; b < contact.n_blocks; ++b) {
      const BlockInfo& block = system.blocks()[contact.blocks[b]];
      const double* values =
          work.directions_of(contact) + (system.layout(contact).*part)[b] + std::size_t{rows[n].local} * block.n_u;
      for (std::uint32_t k = 0; k < block.n_u; ++k)
        result(block.first_u + k, static_cast<Eigen::Index>(n)) += values[k];
    }
  }
  return result;
}

void look_at_G(StepNumbers& numbers) {
  const Eigen::MatrixXd& G = numbers.G;
  if (G.rows() == 0) return;
  const double size = G.cwiseAbs().maxCoeff();
  numbers.symmetric = !((G - G.transpose()).cwiseAbs().maxCoeff() > zero_asymmetry * size);
  const Eigen::MatrixXd half = (G + G.transpose()) / 2;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> of_G(half, Eigen::EigenvaluesOnly);
  numbers.smallest_eigenvalue = of_G.eigenvalues().minCoeff();
  numbers.largest_eigenvalue = of_G.eigenvalues().maxCoeff();
  Eigen::VectorXd scale = G.diagonal();
  for (double& d : scale) d = d > 0 ? 1 / std::sqrt(d) : 0;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(scale.asDiagonal() * G * scale.asDiagonal());
  qr.setThreshold(zero_pivot);
  numbers.rank = static_cast<int>(qr.rank());
}

}  // namespace

StepNumbers step_numbers(const System& system, Workspace& work, const State& state, double dt) {
  StepNumbers numbers;
  const double *q = state.q.data(), *u = state.u.data();
  numbers.t = state.t;
  numbers.dt = dt;
  if ((numbers.trouble = evaluate_dynamics(system, work, state.t, q, u))) return numbers;
  if ((numbers.trouble = find_closed(system, work, state.t, q, u))) return numbers;
  evaluate_directions(system, work, state.t, q, u, work.closed);
  assemble(system, work, dt, state.t, q, u, state.Lambda.data());

  fill_dynamics(system, work, numbers);
  numbers.u = Eigen::Map<const Eigen::VectorXd>(u, system.n_u());
  numbers.closed = work.closed;
  numbers.gaps = work.gap;
  for (std::size_t i = 0; i < numbers.gaps.size(); ++i) {
    if (system.contacts()[i].type->gap == nullptr) numbers.gaps[i] = std::numeric_limits<double>::quiet_NaN();
  }
  const ContactProblem& problem = work.problem;
  for (const ContactRows& rows : problem.contacts) {
    for (std::uint32_t h = 0; h < rows.n_rows; ++h) numbers.rows.push_back({rows.contact, h});
  }
  const auto n = static_cast<Eigen::Index>(numbers.rows.size());
  numbers.W = directions_of(system, work, numbers.rows, &DirectionLayout::W);
  numbers.V = directions_of(system, work, numbers.rows, &DirectionLayout::V);
  numbers.c = Eigen::Map<const Eigen::VectorXd>(problem.c.data(), n);
  numbers.Lambda = Eigen::Map<const Eigen::VectorXd>(problem.Lambda.data(), n);
  numbers.gamma.resize(n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const StepNumbers::Row& row = numbers.rows[static_cast<std::size_t>(k)];
    const ContactInfo& contact = system.contacts()[row.contact];
    numbers.gamma[k] = row_velocity(system, work, contact, row.local, u) +
                       work.directions_of(contact)[system.layout(contact).chi + row.local];
  }
  fill_dense(problem, numbers.G);
  look_at_G(numbers);
  return numbers;
}

}  // namespace nsmc::rt
