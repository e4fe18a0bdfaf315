// Sets as users write them by functions, with points whose projections are known by construction.
//
// All functions are sums of maxima of norms,
//     f(v) = sum_g max_j |B_gj v|_s ,
// support functions (balls, boxes, segments and discs that are added, hulls of points) and gauge functions (ellipsoids,
// boxes, cylinders and their intersections). A point x of the boundary and a normal n of it make y = x + d n, whose
// nearest point is x. With support functions n is chosen and x is a gradient of f there; with gauge functions x is
// chosen and n is a gradient. At kinks it is any convex combination of the gradients that meet.
//
// Besides, gauge functions that are roots (implicit_gauge.hpp): of sets by support functions, and of sets that are
// moved.
#pragma once

#include <Eigen/Core>
#include <random>
#include <vector>

#include "runtime/sets/by_function/homogeneous_function.hpp"

namespace set_families {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

struct Norm {
  Matrix B;
  double s = 2;  // the exponent
};

// How a function is asked for.
enum class Asked { itself, moved, polar };

class Set {
 public:
  nsmc::rt::Given given = nsmc::rt::Given::by_gauge;
  Asked asked = Asked::itself;
  std::vector<std::vector<Norm>> groups;
  Vector shift;  // if moved

  bool by_gauge() const { return given == nsmc::rt::Given::by_gauge || asked == Asked::polar; }
  // Lives as long as the set stays where it is.
  nsmc::rt::HomogeneousFunction function() const;
  // The image under a regular map A.
  Set image(const Matrix& A) const;
  double size() const;
  int dim() const { return static_cast<int>(groups[0][0].B.cols()); }

  // In place; returns the residual.
  double prox(Vector& z) const;

  // Value, gradient and Hessian, as a kernel does it.
  void evaluate(const double* v, double* out) const;
  // One of the gradients at v, where norms below 1e-13 count as 0 and such differences as ties.
  Vector subgradient(const Vector& v, std::mt19937& generator) const;
};

struct Family {
  const char* name;
  Asked asked;
  Set (*make)(int dim, std::mt19937& generator);
};

// The families of the promise of docs/numerics.md, and those beyond it: curvature without bounds along directions that
// are not the axes.
extern const std::vector<Family> families, exotic_families;

// Random, with singular values from 1/2 to 2.
Matrix regular_map(int dim, std::mt19937& generator);

struct Sample {
  Set set;
  Vector y, nearest;
  double size;  // of the point or the set, whichever is larger
};

// A random member, mapped or turned at random, and a point at this distance (of its size), as often as not beyond a
// kink.
Sample sample(const Family& family, int dim, double distance, std::mt19937& generator);

}  // namespace set_families
