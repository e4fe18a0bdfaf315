// Contact problems with known answers, for the tests of solvers.
#pragma once

#include <Eigen/Dense>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <utility>
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

// G = W^T W of a random W, and a random c.
inline std::pair<Eigen::MatrixXd, Eigen::VectorXd> random_matrix(int motions, int rows, std::mt19937& generator,
                                                                 std::normal_distribution<double>& normal) {
  Eigen::MatrixXd W(motions, rows);
  for (auto& value : W.reshaped()) value = normal(generator);
  Eigen::VectorXd c(rows);
  for (auto& value : c) value = normal(generator);
  return {W.transpose() * W, c};
}

// What a case needs besides G: the contacts, with numbers that stay where they are.
inline void add_contacts(Case& result, const std::vector<Contact>& contacts,
                         std::vector<const nsm_contact_class*>& types, std::vector<nsmc::rt::ContactRows>& rows) {
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
}

inline Case make(const std::vector<Contact>& contacts, const Eigen::MatrixXd& G, const Eigen::VectorXd& c,
                 double dt = 1) {
  Case result;
  std::vector<const nsm_contact_class*> types;
  std::vector<nsmc::rt::ContactRows> rows;
  add_contacts(result, contacts, types, rows);
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

// A rigid body of mass 1 and a contact of it with another one or, below = -1, with the ground: normal z, friction x, y.
struct BodyContact {
  int above, below;
  Eigen::Vector3d r_above, r_below;  // from the centres
};

// Contacts with Coulomb friction between bodies; u: velocities (v, omega) of the bodies without contact forces.
inline Case bodies(const Eigen::Vector3d& inertia, const std::vector<BodyContact>& contacts, double mu,
                   const Eigen::VectorXd& u) {
  Eigen::Matrix3d frame;
  frame << 0, 1, 0,  //
      0, 0, 1,       //
      1, 0, 0;
  Eigen::Matrix<double, 6, 1> inverse_mass;
  inverse_mass << 1, 1, 1, inertia.cwiseInverse();
  const auto W = [&](const BodyContact& contact, int body) {
    const bool above = body == contact.above;
    Eigen::Matrix<double, 6, 3> result;
    result.topRows(3) = (above ? 1 : -1) * frame;
    for (int k = 0; k < 3; ++k) {
      const Eigen::Vector3d direction = result.block<3, 1>(0, k);
      result.block<3, 1>(3, k) = (above ? contact.r_above : contact.r_below).cross(direction);
    }
    return result;
  };
  std::vector<std::vector<std::uint32_t>> of_body(static_cast<std::size_t>(u.size() / 6));
  for (std::uint32_t i = 0; i < contacts.size(); ++i) {
    for (const int body : {contacts[i].above, contacts[i].below}) {
      if (body >= 0) of_body[static_cast<std::size_t>(body)].push_back(i);
    }
  }
  std::vector<nsmc::rt::GBlock> blocks;
  std::vector<double> c;
  for (std::uint32_t i = 0; i < contacts.size(); ++i) {
    std::map<std::uint32_t, Eigen::Matrix3d> row;
    Eigen::Vector3d velocity(0, 0, 0);
    for (const int body : {contacts[i].above, contacts[i].below}) {
      if (body < 0) continue;
      const auto W_i = W(contacts[i], body);
      velocity += W_i.transpose() * u.segment(6 * body, 6);
      for (const std::uint32_t j : of_body[static_cast<std::size_t>(body)]) {
        const auto at = row.try_emplace(j, Eigen::Matrix3d::Zero()).first;
        at->second += W_i.transpose() * inverse_mass.asDiagonal() * W(contacts[j], body);
      }
    }
    for (const auto& [j, G] : row) {
      const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> by_rows = G;
      blocks.push_back({i, j, {by_rows.data(), by_rows.data() + 9}});
    }
    c.insert(c.end(), velocity.data(), velocity.data() + 3);
  }
  Case result;
  std::vector<const nsm_contact_class*> types;
  std::vector<nsmc::rt::ContactRows> rows;
  add_contacts(result, std::vector<Contact>(contacts.size(), spatial_contact(mu)), types, rows);
  result.problem = nsmc::rt::sparse_problem(types, rows, blocks, c, 1);
  return result;
}

// n bodies on top of each other that touch at these points, over the centre of the lower one and under that of the
// upper one, after one unit of time under gravity 1 and with some noise on their velocities.
inline Case tower(int n, const std::vector<Eigen::Vector2d>& points, double noise, unsigned seed = 1, double mu = 0.3) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  std::vector<BodyContact> contacts;
  Eigen::VectorXd u = Eigen::VectorXd::Zero(6 * n);
  for (int i = 0; i < n; ++i) {
    for (const Eigen::Vector2d& p : points) contacts.push_back({i, i - 1, {p[0], p[1], -0.5}, {p[0], p[1], 0.5}});
    u[6 * i + 2] = -1;
    for (int k = 0; k < 6; ++k) u[6 * i + k] += noise * normal(generator);
  }
  return bodies({0.1, 0.1, 0.1}, contacts, mu, u);
}
inline const std::vector<Eigen::Vector2d> one_point = {{0, 0}};
inline const std::vector<Eigen::Vector2d> four_corners = {{-0.5, -0.6}, {-0.5, 0.6}, {0.5, -0.6}, {0.5, 0.6}};

}  // namespace cases
