// Gauges that are the solution of an equation, with gradient and Hessian: what compiled kernels call where a gauge
// function cannot be written down. All pointers as in kernels; out: k, its gradient (dim), its Hessian (dim x dim).
// Where k has no derivative (at 0, at kinks) those are NaN, and all is NaN where an argument is. `context` is handed on
// to the function.
#pragma once

#include <cstdint>

#include "runtime/kernel_abi.hpp"

extern "C" {

// The polar k(x) = max over v of v . x/Phi(v) of a support function Phi > 0. arguments: x, then the coefficients of
// Phi.
void nsm_polar_gauge(nsm_kernel Phi, const void* context, uint32_t dim, uint32_t n_coefficients,
                     const double* arguments, double* out);

// The gauge of the set {x : k0(x - c) <= 1} with k0(-c) < 1: the root k of k0(x/k - c) = 1. arguments: x, c, then the
// coefficients of k0.
void nsm_shifted_gauge(nsm_kernel k0, const void* context, uint32_t dim, uint32_t n_coefficients,
                       const double* arguments, double* out);

// Support functions of Coulomb-Contensou friction with all extents 1, moved by the coefficients c: Phi(v) + c . v.
void nsm_contensou_parabolic(const struct nsm_view* view, double* out);
void nsm_contensou_uniform(const struct nsm_view* view, double* out);

}  // extern "C"
