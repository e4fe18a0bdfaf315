// Where smooth forces take energy from and put it: what the runtime adds up over a run
// (runtime/evaluation/work_account.hpp).
//
// With T = T2 + T1 + T0 by powers of u, E = T + V and H = T2 - T0 + V, Lagrange's equations give, L = T - V,
//     dH/dt = -dL/dt|_explicit + u^T f - u^T dR/du + (contacts),       E = H + T1 + 2 T0,
// f the given forces and R the dissipation functions. So along every motion
//     dE/dt = u^T f - u^T dR/du + d/dt(T1 + 2 T0) + d(V - T)/dt|_explicit + (contacts).
// T1 and T0 are there where coordinates are measured from something that is moved (a bead on a hoop that a motor
// turns); whoever moves it does that work.
#pragma once

#include "compiler/mechanics/equations.hpp"

namespace nsmc {

// In the order of the kernel `work` (kernel_abi.hpp).
struct WorkRates {
  sym::Expr supplied;  // u^T f
  sym::Expr damped;    // u^T dR/du
  sym::Expr moved;     // T1 + 2 T0: not a rate, but what its changes are work of
  sym::Expr by_time;   // d(V - T)/dt|_explicit; with a mass matrix that was given, all that is left of dE/dt
};

WorkRates work_of(sym::ExprPool& pool, const Equations& equations, const BlockEquation& block);
WorkRates work_of(sym::ExprPool& pool, const Equations& equations, const ElementEquation& element);

bool is_zero(const sym::ExprPool& pool, const WorkRates& work);

}  // namespace nsmc
