#include "runtime/linear/pivoted_inverse.hpp"

#include <Eigen/QR>
#include <cmath>

namespace nsmc::rt {

std::vector<Eigen::Index> invert(const Eigen::MatrixXd& G, double smallest_pivot, Eigen::MatrixXd& H) {
  const Eigen::Index n = G.rows();
  Eigen::VectorXd scale(n);
  for (Eigen::Index h = 0; h < n; ++h) scale[h] = G(h, h) > 0 ? 1 / std::sqrt(G(h, h)) : 1;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  qr.setThreshold(smallest_pivot);
  qr.compute(scale.asDiagonal() * G * scale.asDiagonal());
  std::vector<Eigen::Index> dependent;
  for (Eigen::Index k = qr.rank(); k < n; ++k) dependent.push_back(qr.colsPermutation().indices()[k]);
  if (dependent.empty()) H = scale.asDiagonal() * qr.inverse() * scale.asDiagonal();
  return dependent;
}

}  // namespace nsmc::rt
