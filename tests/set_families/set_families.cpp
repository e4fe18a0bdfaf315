#include "tests/set_families/set_families.hpp"

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/sets/by_function/gauge_set.hpp"
#include "runtime/sets/by_function/implicit_gauge.hpp"
#include "runtime/sets/by_function/support_set.hpp"

using nsmc::rt::Given;

namespace set_families {

namespace {

constexpr double rounding = 1e-13;  // of norms

double norm_of(const Norm& norm, const Vector& w) {
  if (norm.s == 2) return w.norm();
  const double largest = w.cwiseAbs().maxCoeff();
  return largest > 0 ? largest * std::pow((w / largest).cwiseAbs().array().pow(norm.s).sum(), 1 / norm.s) : 0;
}

// d|w|_s/dw.
Vector slope_of(const Norm& norm, const Vector& w, double value) {
  if (norm.s == 2) return w / value;
  return w.array().sign() * (w / value).array().abs().pow(norm.s - 1);
}

void kernel(const nsm_view* view, double* out) { static_cast<const Set*>(view->context)->evaluate(view->lambda, out); }

// Arguments: the point, then for a moved set its shift.
void implicit_kernel(const nsm_view* view, double* out) {
  const Set& set = *static_cast<const Set*>(view->context);
  const auto n = static_cast<std::uint32_t>(set.dim());
  std::vector<double> arguments(view->lambda, view->lambda + n);
  if (set.asked == Asked::polar) return nsm_polar_gauge(kernel, view->context, n, 0, arguments.data(), out);
  arguments.insert(arguments.end(), set.shift.begin(), set.shift.end());
  nsm_shifted_gauge(kernel, view->context, n, 0, arguments.data(), out);
}

double uniform(std::mt19937& generator, double low = 0, double high = 1) {
  return std::uniform_real_distribution<double>(low, high)(generator);
}

Vector random_vector(int n, std::mt19937& generator) {
  std::normal_distribution<double> normal;
  Vector v(n);
  for (double& value : v) value = normal(generator);
  return v;
}

Vector semi_axes(int n, double decades, std::mt19937& generator) {
  Vector c(n);
  for (double& value : c) value = std::pow(10, -decades * uniform(generator));
  return c;
}

Matrix rotation(int n, std::mt19937& generator) {
  Matrix A(n, n);
  for (double& value : A.reshaped()) value = std::normal_distribution<double>()(generator);
  return Eigen::HouseholderQR<Matrix>(A).householderQ();
}

Matrix row(int n, int i, double factor) {
  Matrix B = Matrix::Zero(1, n);
  B(0, i) = factor;
  return B;
}

Set support(std::vector<std::vector<Norm>> groups) { return {Given::by_support, Asked::itself, std::move(groups), {}}; }
Set gauge(std::vector<std::vector<Norm>> groups) { return {Given::by_gauge, Asked::itself, std::move(groups), {}}; }

// sum h_i |v_i|, as groups.
void add_box(std::vector<std::vector<Norm>>& groups, const Vector& h) {
  const auto n = static_cast<int>(h.size());
  for (int i = 0; i < n; ++i) groups.push_back({{row(n, i, h[i])}});
}

Set ellipsoid_plus_box(int n, std::mt19937& generator, double s) {
  std::vector<std::vector<Norm>> groups{{{Matrix(semi_axes(n, 1, generator).asDiagonal()), s}}};
  add_box(groups, semi_axes(n, 2, generator));
  return support(std::move(groups));
}
Set ball_plus_box(int n, std::mt19937& generator) { return ellipsoid_plus_box(n, generator, 2); }
Set ball_plus_segment(int n, std::mt19937& generator) {
  return support({{{Matrix::Identity(n, n)}}, {{row(n, 0, uniform(generator, 0.1, 1))}}});
}
Set norm_plus_max(int n, std::mt19937&) {
  return support({{{Matrix::Identity(n, n)}}, {{row(n, 0, 1)}, {row(n, 1, 1)}}});
}
// A disc of all coordinates but the last, which is a segment.
Set cylinder_by_support(int n, std::mt19937& generator) {
  return support({{{Matrix(uniform(generator, 0.2, 1) * Matrix::Identity(n, n).topRows(n - 1))}},
                  {{row(n, n - 1, uniform(generator, 0.2, 1))}}});
}
Set cylinder_plus_ball(int n, std::mt19937& generator) {
  Set set = cylinder_by_support(n, generator);
  set.groups.push_back({{Matrix(uniform(generator, 0.1, 1) * Matrix::Identity(n, n))}});
  return set;
}
Set box_by_support(int n, std::mt19937& generator) {
  std::vector<std::vector<Norm>> groups;
  add_box(groups, semi_axes(n, 1, generator));
  return support(std::move(groups));
}
std::vector<Norm> all_rows(const Vector& h) {
  std::vector<Norm> norms;
  const auto n = static_cast<int>(h.size());
  for (int i = 0; i < n; ++i) norms.push_back({row(n, i, h[i])});
  return norms;
}
Set hull_of_points(int n, std::mt19937& generator) { return support({all_rows(semi_axes(n, 1, generator))}); }
Set box_by_gauge(int n, std::mt19937& generator) {
  return gauge({all_rows(semi_axes(n, 1, generator).cwiseInverse())});
}
Set octahedron_by_gauge(int n, std::mt19937& generator) {
  std::vector<std::vector<Norm>> groups;
  add_box(groups, semi_axes(n, 1, generator).cwiseInverse());
  return gauge(std::move(groups));
}
Set cut_by_box(int n, std::mt19937& generator, double s) {
  std::vector<Norm> norms = all_rows(semi_axes(n, 0.5, generator).cwiseInverse());
  norms.push_back({Matrix(semi_axes(n, 0.5, generator).cwiseInverse().asDiagonal()), s});
  return gauge({std::move(norms)});
}
Set ellipsoid_cut_by_box(int n, std::mt19937& generator) { return cut_by_box(n, generator, 2); }
Set cylinder_by_gauge(int n, std::mt19937& generator) {
  return gauge({{{Matrix(Matrix::Identity(n, n).topRows(n - 1) / uniform(generator, 0.2, 1))},
                 {row(n, n - 1, 1 / uniform(generator, 0.2, 1))}}});
}
Set two_ellipsoids(int n, std::mt19937& generator) {
  std::vector<Norm> norms;
  for (int i = 0; i < 2; ++i) {
    norms.push_back({Matrix(semi_axes(n, 1, generator).cwiseInverse().asDiagonal() * rotation(n, generator))});
  }
  return gauge({std::move(norms)});
}
template <int tenths>
Set superellipsoid(int n, std::mt19937& generator) {
  return gauge({{{Matrix(semi_axes(n, 1, generator).cwiseInverse().asDiagonal()), tenths / 10.0}}});
}
template <int tenths>
Set superellipsoid_by_support(int n, std::mt19937& generator) {
  return support({{{Matrix(semi_axes(n, 1, generator).asDiagonal()), tenths / 10.0}}});
}
template <int tenths>
Set superellipsoid_plus_box(int n, std::mt19937& generator) {
  return ellipsoid_plus_box(n, generator, tenths / 10.0);
}
template <int tenths>
Set superellipsoid_cut_by_box(int n, std::mt19937& generator) {
  return cut_by_box(n, generator, tenths / 10.0);
}

// A unit vector on which some of the norms of one row vanish, or all but vanish, or two of a group are equal.
Vector at_kinks(const Set& set, std::mt19937& generator) {
  const int n = set.dim();
  Matrix conditions(0, n);
  const auto add = [&](const Matrix& rows) {
    if (conditions.rows() + rows.rows() >= n) return;
    conditions.conservativeResize(conditions.rows() + rows.rows(), n);
    conditions.bottomRows(rows.rows()) = rows;
  };
  const double often = uniform(generator, 0, 0.8);
  for (const std::vector<Norm>& group : set.groups) {
    for (std::size_t j = 0; j < group.size(); ++j) {
      if (uniform(generator) > often) continue;
      const bool is_row = group[j].B.rows() == 1;
      if (group.size() == 1) {
        add(group[j].B);
      } else if (j > 0 && is_row && group[0].B.rows() == 1) {
        add(group[j].B - (uniform(generator) < 0.5 ? 1 : -1) * group[0].B);
      }
    }
  }
  Vector v = random_vector(n, generator);
  if (conditions.rows() > 0) {
    const Matrix Q = Eigen::ColPivHouseholderQR<Matrix>(conditions.transpose()).householderQ();
    const Matrix across = Q.leftCols(conditions.rows());
    const double near = uniform(generator) < 0.3 ? std::pow(10, -6 * uniform(generator)) : 0;
    for (int round = 0; round < 3; ++round)
      v -= (round == 0 ? 1 - near : near == 0 ? 1 : 0) * across * (across.transpose() * v);
  }
  return v.normalized();
}

}  // namespace

void Set::evaluate(const double* at, double* out) const {
  const int n = dim();
  const Vector v = Eigen::Map<const Vector>(at, n);
  std::fill_n(out, 1 + n + n * n, 0.0);
  Eigen::Map<Vector> g(out + 1, n);
  Eigen::Map<Matrix> H(out + 1 + n, n, n);
  for (const std::vector<Norm>& group : groups) {
    const Norm* largest = group.data();
    double value = std::numeric_limits<double>::quiet_NaN();
    for (const Norm& norm : group) {
      const double here = norm_of(norm, norm.B * v);
      if (!(here <= value)) value = here, largest = &norm;
    }
    const Vector w = largest->B * v;
    out[0] += value;
    if (w.size() == 1) {  // abs, whose derivative is a sign
      g += (w[0] > 0 ? 1 : w[0] < 0 ? -1 : 0) * largest->B.transpose();
      continue;
    }
    const Vector slope = slope_of(*largest, w, value);
    Matrix bend = -slope * slope.transpose() / value;
    for (Eigen::Index i = 0; i < w.size(); ++i) {
      bend(i, i) += (largest->s == 2 ? 1 : std::pow(std::abs(w[i]) / value, largest->s - 2)) / value;
    }
    g += largest->B.transpose() * slope;
    H += (largest->s - 1) * largest->B.transpose() * bend * largest->B;
  }
}

Vector Set::subgradient(const Vector& v, std::mt19937& generator) const {
  Vector result = Vector::Zero(dim());
  for (const std::vector<Norm>& group : groups) {
    double largest = 0, sum = 0;
    for (const Norm& norm : group) largest = std::max(largest, norm_of(norm, norm.B * v));
    Vector mean = Vector::Zero(dim());
    for (const Norm& norm : group) {
      const Vector w = norm.B * v;
      const double value = norm_of(norm, w), zero = rounding * norm.B.norm() * v.norm();
      if (value < largest - zero) continue;
      const double weight = uniform(generator, 0.1, 1);
      Vector slope = random_vector(static_cast<int>(w.size()), generator);
      slope *= uniform(generator) / slope.norm();
      if (value > zero) slope = slope_of(norm, w, value);
      mean += weight * norm.B.transpose() * slope;
      sum += weight;
    }
    result += mean / sum;
  }
  return result;
}

nsmc::rt::HomogeneousFunction Set::function() const {
  return {asked == Asked::itself ? kernel : implicit_kernel, nullptr, 0, static_cast<std::uint32_t>(dim()), this};
}

Set Set::image(const Matrix& A) const {
  Set result = *this;
  const Matrix map = given == Given::by_gauge ? Matrix(A.inverse()) : Matrix(A.transpose());
  for (std::vector<Norm>& group : result.groups) {
    for (Norm& norm : group) norm.B = norm.B * map;
  }
  if (shift.size() > 0) result.shift = A * shift;
  return result;
}

double Set::size() const {
  const int n = dim();
  double largest = 0;
  std::vector<double> out(1 + n + n * n);
  for (int i = 0; i < n; ++i) {
    const Vector axis = Vector::Unit(n, i);
    evaluate(axis.data(), out.data());
    largest = std::max(largest, given == Given::by_gauge ? 1 / out[0] : out[0]);
  }
  return largest + (shift.size() > 0 ? shift.norm() : 0);
}

double Set::prox(Vector& z) const {
  double residual = 0;
  if (by_gauge()) {
    nsmc::rt::GaugeSet{function(), 1}.prox(z.data(), &residual);
  } else {
    nsmc::rt::SupportSet{function(), 1}.prox(z.data(), &residual);
  }
  return residual;
}

Matrix regular_map(int dim, std::mt19937& generator) {
  Vector values(dim);
  for (double& value : values) value = std::exp2(uniform(generator, -1, 1));
  return rotation(dim, generator) * values.asDiagonal() * rotation(dim, generator);
}

const std::vector<Family> families{
    {"support, ellipsoid + box", Asked::itself, ball_plus_box},
    {"support, ball + segment", Asked::itself, ball_plus_segment},
    {"support, norm + max", Asked::itself, norm_plus_max},
    {"support, cylinder", Asked::itself, cylinder_by_support},
    {"support, cylinder + ball", Asked::itself, cylinder_plus_ball},
    {"support, box", Asked::itself, box_by_support},
    {"support, hull of points", Asked::itself, hull_of_points},
    {"gauge, box", Asked::itself, box_by_gauge},
    {"gauge, octahedron", Asked::itself, octahedron_by_gauge},
    {"gauge, cylinder", Asked::itself, cylinder_by_gauge},
    {"gauge, ellipsoid cut by box", Asked::itself, ellipsoid_cut_by_box},
    {"gauge, two ellipsoids", Asked::itself, two_ellipsoids},
    {"gauge, exponent 4", Asked::itself, superellipsoid<40>},
    {"moved gauge, ellipsoid cut by box", Asked::moved, ellipsoid_cut_by_box},
    {"gauge of support, ellipsoid + box", Asked::polar, ball_plus_box},
    {"gauge of support, cylinder + ball", Asked::polar, cylinder_plus_ball},
};
const std::vector<Family> exotic_families{
    {"support, exponent 1.33", Asked::itself, superellipsoid_by_support<13>},
    {"support, exponent 1.33 + box", Asked::itself, superellipsoid_plus_box<13>},
    {"gauge, exponent 1.3", Asked::itself, superellipsoid<13>},
    {"gauge, exponent 1.3 cut by box", Asked::itself, superellipsoid_cut_by_box<13>},
    {"gauge, exponent 6 cut by box", Asked::itself, superellipsoid_cut_by_box<60>},
};

Sample sample(const Family& family, int dim, double distance, std::mt19937& generator) {
  Set set = family.make(dim, generator);
  const double choice = uniform(generator);
  if (choice > 0.3) set = set.image(choice > 0.6 ? regular_map(dim, generator) : rotation(dim, generator));
  set.asked = family.asked;
  Vector x, n;
  if (set.given == Given::by_support) {
    n = at_kinks(set, generator);
    x = set.subgradient(n, generator);
  } else {
    x = at_kinks(set, generator);
    // Some of the norms of a group become equal at x, whatever they were.
    for (std::vector<Norm>& group : set.groups) {
      if (group.size() == 1) continue;
      const auto some = std::min<std::size_t>(group.size(), 1 + static_cast<std::size_t>(uniform(generator, 0, 3)));
      std::shuffle(group.begin(), group.end(), generator);
      for (std::size_t j = 0; j < group.size(); ++j) {
        const double value = norm_of(group[j], group[j].B * x);
        if (value > 0.1 * group[j].B.norm()) group[j].B *= (j < some ? 1 : uniform(generator, 0.3, 0.9)) / value;
      }
    }
    std::vector<double> out(1 + dim + dim * dim);
    set.evaluate(x.data(), out.data());
    x /= out[0];
    n = set.subgradient(x, generator).normalized();
  }
  if (set.asked == Asked::moved) {
    // 0 stays inside.
    set.shift = random_vector(dim, generator);
    std::vector<double> out(1 + dim + dim * dim);
    set.evaluate(Vector(-set.shift).data(), out.data());
    set.shift *= uniform(generator, 0.1, 0.8) / out[0];
    x += set.shift;
  }
  const double size = set.size();
  const Vector y = x + distance * size * n;
  return {std::move(set), y, x, std::max(y.norm(), size)};
}

}  // namespace set_families
