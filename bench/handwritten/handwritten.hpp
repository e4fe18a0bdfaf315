// The models of bench/models, written by hand as an engineer would for a solver of his own: the textbook equations with
// common terms named. One call evaluates everything a time step needs of a model with one closed contact, in the layout
// of runtime/kernel_abi.hpp, so that results can be compared number by number:
//     dynamics:   M (diagonal, or column-major with zeros above the diagonal), then h
//     gap:        one number
//     directions: W (column by column), chi, restitution, then the set arguments a + K*lambda: a, K (row by row)
#pragma once

namespace nsmc::bench {

struct Outputs {
  double* dynamics;
  double* gap;
  double* directions;
};

using Evaluate = void (*)(double t, const double* p, const double* q, const double* u, const Outputs& out);

void sliding_ball(double t, const double* p, const double* q, const double* u, const Outputs& out);
void double_pendulum(double t, const double* p, const double* q, const double* u, const Outputs& out);
void cart_pendulum(double t, const double* p, const double* q, const double* u, const Outputs& out);
void euler_top(double t, const double* p, const double* q, const double* u, const Outputs& out);

}  // namespace nsmc::bench
