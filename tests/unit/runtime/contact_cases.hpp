// Contact problems with known answers, for the tests of solvers.
#pragma once

#include <Eigen/Dense>
#include <limits>
#include <memory>
#include <vector>

#include "runtime/solvers/contact_problem.hpp"

namespace cases {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

inline const nsm_set unilateral_set{NSM_SET_INTERVAL, 0, 1, 0, 2, 2, 0, 0, nullptr};
inline const nsm_set coulomb_sets[2] = {unilateral_set, {NSM_SET_INTERVAL, 1, 1, 2, 2, 2, 0, 0, nullptr}};
inline const nsm_set spatial_sets[2] = {unilateral_set, {NSM_SET_BALL, 1, 2, 2, 1, 1, 0, 0, nullptr}};

inline nsm_contact_class contact_class(std::uint32_t n_rows, const nsm_set* sets, std::uint32_t n_sets,
                                       std::uint32_t n_arguments) {
  nsm_contact_class type{};
  type.name = "contact";
  type.n_blocks = 1;
  type.n_rows = n_rows;
  type.n_sets = n_sets;
  type.sets = sets;
  type.n_arguments = n_arguments;
  type.affine = 1;
  return type;
}

inline const nsm_contact_class unilateral = contact_class(1, &unilateral_set, 1, 2);
inline const nsm_contact_class planar = contact_class(2, coulomb_sets, 2, 4);
inline const nsm_contact_class spatial = contact_class(3, spatial_sets, 2, 3);

// A problem together with the numbers its sets point to.
struct Case {
  std::vector<std::unique_ptr<std::vector<double>>> numbers;
  nsmc::rt::ContactProblem problem;
};

struct Contact {
  const nsm_contact_class* type;
  std::vector<double> a;
  std::vector<double> K;
};

inline Contact unilateral_contact() { return {&unilateral, {-infinity, 0}, {0, 0}}; }
// K as a function of scales: Lambda_h is measured in units of s_h.
inline Contact planar_contact(double mu, double s_N = 1, double s_T = 1) {
  return {&planar, {-infinity, 0, 0, 0}, {0, 0, 0, 0, -mu * s_N / s_T, 0, mu * s_N / s_T, 0}};
}
inline Contact spatial_contact(double mu) { return {&spatial, {-infinity, 0, 0}, {0, 0, 0, 0, 0, 0, mu, 0, 0}}; }

inline Case make(const std::vector<Contact>& contacts, const Eigen::MatrixXd& G, const Eigen::VectorXd& c,
                 double dt = 1) {
  Case result;
  std::vector<const nsm_contact_class*> types;
  std::vector<nsmc::rt::ContactRows> rows;
  for (const Contact& contact : contacts) {
    nsmc::rt::ContactRows row;
    row.contact = static_cast<std::uint32_t>(rows.size());
    row.n_rows = contact.type->n_rows;
    row.n_arguments = contact.type->n_arguments;
    row.a = result.numbers.emplace_back(std::make_unique<std::vector<double>>(contact.a))->data();
    row.K = result.numbers.emplace_back(std::make_unique<std::vector<double>>(contact.K))->data();
    types.push_back(contact.type);
    rows.push_back(row);
  }
  const Eigen::Matrix<double, -1, -1, Eigen::RowMajor> by_rows = G;
  result.problem = nsmc::rt::dense_problem(types, rows, {by_rows.data(), by_rows.data() + by_rows.size()},
                                           {c.data(), c.data() + c.size()}, dt);
  return result;
}

inline Eigen::VectorXd Lambda(const Case& c) {
  return Eigen::Map<const Eigen::VectorXd>(c.problem.Lambda.data(), static_cast<Eigen::Index>(c.problem.Lambda.size()));
}

// The block on a surface of [Studer 2006, sec. 5.8, (73)], rows in the order lambda_1, lambda_3, lambda_2,
// lambda_4 (normal and friction of the first corner, then of the second).
struct Block {
  static constexpr double m = 2.1, J = 0.018, l = 0.15, h = 0.05, g = 9.81;
  Eigen::Matrix3d M;
  Eigen::Matrix<double, 3, 4> W;
  Block() {
    M = Eigen::Vector3d(m, m, J).asDiagonal();
    W << 0, 1, 0, 1,  //
        1, 0, 1, 0,   //
        -l, h, l, h;
  }
  Eigen::MatrixXd G() const { return W.transpose() * M.inverse() * W; }
  Eigen::VectorXd c(const Eigen::Vector3d& load) const { return W.transpose() * M.inverse() * load; }
  Eigen::Vector3d acceleration(const Eigen::Vector3d& load, const Eigen::VectorXd& lambda) const {
    return M.inverse() * (load + W * lambda);
  }
};

}  // namespace cases
