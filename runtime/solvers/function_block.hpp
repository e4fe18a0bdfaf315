// A set by a function in three and more dimensions, solved for the percussions of its own rows by one projection, as
// balls are in ball_block.hpp. With those of the other sets as known,
//
//     xi_i = G_ii Lambda_i + c_i in N_K(-Lambda_i)    <=>    -Lambda_i = argmin { 1/2 x . G_ii x - c_i . x : x in K }.
//
// If G_ii = R^2 is diagonal, R x is the nearest point of R K to R^-1 c_i, and R K is of the kind of K: it has the
// support function Phi(R v), or the gauge k(R^-1 z), and the same axes, which projections treat with care.
#pragma once

#include "runtime/solvers/contact_problem.hpp"

namespace nsmc::rt {

// Writes Lambda_i, as exact as projections are in the norm of G_ii. False, and nothing changed, if the set is not one
// of these.
bool solve_function_block(ContactProblem& problem, const SetBlock& s);

}  // namespace nsmc::rt
