// Families of sets that mix curvature and kinks, by functions and with projections that are known otherwise.
//
// Support functions that are sums of norms, |v_i| and max: R (C1 + box + disc), C1 a superellipsoid. If the kinks lie
// along the axes of C1, the box costs nothing but a threshold: prox(y) = prox_C1(t) + y - t, t the point y with each
// |y_i| reduced by the box; a disc does the same to the length of its coordinates.
//
// Gauge functions: R C1, or R (C1 cut by a box), where the box is a bound on each coordinate.
//
// Gauge functions that are roots (implicit_gauge.hpp): of sets by support functions, and of gauge sets that are moved.
//
// prox_C1 is by bisection in long double.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <random>
#include <vector>

#include "runtime/sets/by_function/homogeneous_function.hpp"

namespace kink_families {

struct Family {
  const char* name;
  nsmc::rt::Given given;
  enum Kind { nothing, box, segment, maximum, disc } kind;
  double s;     // exponent of C1
  bool turned;  // R is no identity
  bool root = false;

  nsmc::rt::Given asked() const { return root ? nsmc::rt::Given::by_gauge : given; }
  bool is_moved() const { return root && given == nsmc::rt::Given::by_gauge; }
  // Every value is the solution of a problem of its own: a thousand times slower.
  bool is_polar() const { return root && given == nsmc::rt::Given::by_support; }
};

template <int n>
using Direction = Eigen::Matrix<double, n, 1>;

// A member of a family, in two to six dimensions.
template <int n>
struct Member {
  using Vector = Direction<n>;
  using Matrix = Eigen::Matrix<double, n, n>;
  Matrix R = Matrix::Identity();
  Vector c, h = Vector::Zero();
  double radius = 0;
  Vector shift = Vector::Zero();
  std::vector<double> coefficients, shift_and_coefficients;

  Member(const Family& family, int number, std::mt19937& generator);

  // Its image under A, a regular map: k(A^-1 x), or Phi(A^T v). `beyond` and `nearest` speak of what it was before.
  void map(const Family& family, const Eigen::MatrixXd& A);

  nsmc::rt::HomogeneousFunction function(const Family& family) const;
  double size() const;
  // A point at this distance beyond one whose normal v is given, in the axes of the set.
  Vector beyond(const Family& family, const Vector& v, double distance, std::mt19937& generator) const;
  Vector nearest(const Family& family, const Vector& y) const;
};

// With singular values from 1/2 to 2.
Eigen::MatrixXd regular_map(int n, std::mt19937& generator);

// visit(function, y, nearest point, size) for points from 1e-9 to 1e6 away, whose normals have coordinates that vanish
// or nearly.
template <int n, class Visit>
void for_each_point(const Family& family, int sets, unsigned seed, Visit&& visit) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  for (int m = 0; m < sets; ++m) {
    const Member<n> member(family, m, generator);
    int q = m;
    for (const double distance : {1e-9, 1e-6, 1e-4, 1e-2, 0.5, 10.0, 1e3, 1e6}) {
      Direction<n> v;
      const int style = ++q % 4;
      for (double& value : v) {
        value = normal(generator);
        if (uniform(generator) < (style == 0 ? 0 : 0.5)) {
          value *= style == 2 ? std::pow(10, -12 * uniform(generator)) : 0;
        }
      }
      if (v.norm() == 0) v[0] = 1;
      v.normalize();
      const Direction<n> y = member.beyond(family, v, distance, generator);
      visit(member.function(family), y, member.nearest(family, y), std::max(y.norm(), member.size()));
    }
  }
}

// Exponents from four on, and below two of gauges: the gradient is like |v_i|^(1/3), |v_i|^(1/7) near v_i = 0, and
// where that is oblique, rounding of v shows in it.
inline constexpr nsmc::rt::Given by_support = nsmc::rt::Given::by_support, by_gauge = nsmc::rt::Given::by_gauge;
inline constexpr Family all[] = {
    {"support, ellipsoid + box", by_support, Family::box, 2, false},
    {"support, ellipsoid + box, oblique", by_support, Family::box, 2, true},
    {"support, ball + segment, oblique", by_support, Family::segment, 2, true},
    {"support, norm + max", by_support, Family::maximum, 2, true},
    {"support, disc + segment + ball", by_support, Family::disc, 2, false},
    {"support, disc + segment + ball, oblique", by_support, Family::disc, 2, true},
    {"support, exponent 1.2 + box", by_support, Family::box, 1.2, false},
    {"support, exponent 1.2 + box, oblique", by_support, Family::box, 1.2, true},
    {"support, exponent 1.5 + box, oblique", by_support, Family::box, 1.5, true},
    {"support, exponent 4 + box", by_support, Family::box, 4, false},
    {"support, exponent 4 + box, oblique", by_support, Family::box, 4, true},
    {"support, exponent 8 + box, oblique", by_support, Family::box, 8, true},
    {"support, exponent 3, oblique", by_support, Family::nothing, 3, true},
    {"support, exponent 8, oblique", by_support, Family::nothing, 8, true},
    {"gauge, ellipsoid cut by box", by_gauge, Family::box, 2, false},
    {"gauge, ellipsoid cut by box, oblique", by_gauge, Family::box, 2, true},
    {"gauge, exponent 1.15, oblique", by_gauge, Family::nothing, 1.15, true},
    {"gauge, exponent 1.3", by_gauge, Family::nothing, 1.3, false},
    {"gauge, exponent 1.3, oblique", by_gauge, Family::nothing, 1.3, true},
    {"gauge, exponent 1.3 cut by box, oblique", by_gauge, Family::box, 1.3, true},
    {"gauge, exponent 6, oblique", by_gauge, Family::nothing, 6, true},
    {"gauge, exponent 6 cut by box, oblique", by_gauge, Family::box, 6, true},
    {"root, ellipsoid + box", by_support, Family::box, 2, false, true},
    {"root, ellipsoid + box, oblique", by_support, Family::box, 2, true, true},
    {"root, disc + segment + ball, oblique", by_support, Family::disc, 2, true, true},
    {"root, exponent 1.2, oblique", by_support, Family::nothing, 1.2, true, true},
    {"root, exponent 1.5 + box, oblique", by_support, Family::box, 1.5, true, true},
    {"root, exponent 3, oblique", by_support, Family::nothing, 3, true, true},
    {"root, exponent 4", by_support, Family::nothing, 4, false, true},
    {"root, exponent 8 + box, oblique", by_support, Family::box, 8, true, true},
    {"moved, ellipsoid cut by box, oblique", by_gauge, Family::box, 2, true, true},
    {"moved, exponent 1.3", by_gauge, Family::nothing, 1.3, false, true},
    {"moved, exponent 1.3, oblique", by_gauge, Family::nothing, 1.3, true, true},
    {"moved, exponent 6 cut by box, oblique", by_gauge, Family::box, 6, true, true},
};

}  // namespace kink_families
