// What all integrators have in common: evaluate the model at a state (t, q, u), set up the contact problem over a step,
// and turn percussions back into velocities.
//
// The order of calls is that of kernel_abi.hpp: evaluate_dynamics, find_closed, evaluate_directions, assemble. Results
// live in the Workspace. Trouble is a value: Trouble::status other than ok, with the block or contact it was seen at.
#pragma once

#include <cstdint>
#include <span>

#include "runtime/evaluation/workspace.hpp"
#include "runtime/state.hpp"
#include "runtime/system.hpp"

namespace nsmc::rt {

enum class StepStatus : std::uint8_t {
  ok,
  mass_not_positive_definite,
  not_finite,
  interrupted,  // asked to stop within the step, and did
  // Shapes went further than the search of contacts looked: to be searched anew, and done again.
  beyond_candidates,
  // Reported by event-driven integration only:
  no_accelerations,     // no accelerations satisfy the laws, or the solver finds none
  no_impact,            // no velocities after an impact do
  singular_G,           // the form kappa needs an inverse of G
  events_accumulate,    // events follow each other and time stands still
  smooth_motion_fails,  // the step of the ODE solver has become too small
  gap_law_not_plain,    // NSM_MIXED
  no_zeta,              // the kernels were compiled for time-stepping
};

struct Trouble {
  StepStatus status = StepStatus::ok;
  std::uint32_t block = NSM_NONE;
  std::uint32_t contact = NSM_NONE;

  explicit operator bool() const { return status != StepStatus::ok; }
};

// q' = F(q) u of all blocks, and the rates of signals.
void evaluate_kinematics(const System& system, Workspace& work, double t, const double* q, const double* u,
                         double* q_rate);
// The same where u is no velocity but a small change of one: signals stay.
void evaluate_displacement(const System& system, Workspace& work, double t, const double* q, const double* u,
                           double* q_rate);

// M, h of all blocks, h with the forces of the elements, the factor of M and M^-1 h. Constant masses are factored once
// per `prepare`.
Trouble evaluate_dynamics(const System& system, Workspace& work, double t, const double* q, const double* u);

// Factors of M of some blocks, and what kernels of the same evaluation read from `shared`. h and M^-1 h are undefined
// then.
Trouble evaluate_masses(const System& system, Workspace& work, double t, const double* q, const double* u,
                        std::span<const std::uint32_t> blocks);

// Whether a contact with a condition, `while`, can act.
bool is_switched_on(const System& system, nsm_view& view, const ContactInfo& contact, const double* q, const double* u);

// I = { i : g_i(q, t) <= 0 } [Möller 2009, (12)]; contacts without a gap are always in it. A contact that was closed in
// the last step stays closed while its gap is not larger than rounding and the solver's tolerance make it: a body at
// rest would else hop, open for a step, and fall and slip for the next. For a contact that opens in earnest this
// changes nothing, as its inclusion gives no percussion.
Trouble find_closed(const System& system, Workspace& work, double t, const double* q, const double* u);

// W, V, chi, restitution, ... of some contacts (the closed ones: work.closed), and X = M^-1 W.
void evaluate_directions(const System& system, Workspace& work, double t, const double* q, const double* u,
                         std::span<const std::uint32_t> which);

// What `directions` may read of the kernels `gap`, at a state where the closed contacts are known already.
void evaluate_gaps(const System& system, Workspace& work, double t, const double* q, const double* u,
                   std::span<const std::uint32_t> which);

// zeta = d/dt(V^T u + chi) - V^T u' of the closed contacts into Workspace::zeta, after their directions. Models without
// the kernel have none.
void evaluate_zeta(const System& system, Workspace& work, double t, const double* q, const double* u);
bool has_zeta(const System& system);

// V_h^T u of row h of a contact whose directions are evaluated.
double row_velocity(const System& system, const Workspace& work, const ContactInfo& contact, std::uint32_t h,
                    const double* u);
// W_h^T u, which is another one for mapped laws.
double force_velocity(const System& system, const Workspace& work, const ContactInfo& contact, std::uint32_t h,
                      const double* u);

// The largest coordinate of the blocks that a contact touches.
double coordinate_size(const System& system, const ContactInfo& contact, const double* q);

// Whether the contact problem comes with G, or, where contacts are many, in the velocities of bodies (body_form.hpp).
enum class ProblemForm : std::uint8_t { matrix, bodies_if_many };

// All of the contact problem of a step of length dt but c: its rows, G and sets. To be completed by c, c_magnitude and
// ContactProblem::finish(). Its starting point is `Lambda_before`, percussions of all contacts.
void assemble_matrix(const System& system, Workspace& work, double dt, double t, const double* q, const double* u,
                     const double* Lambda_before, ProblemForm form = ProblemForm::matrix);

// The contact problem of a step of length dt that begins with velocities u [Möller 2009, (16), (17)]:
//     G_ij = V_i^T M^-1 W_j (+ C_i/dt for i = j),   c_i = V_i^T M^-1 h dt + (1 + eps_i) (V_i^T u + chi_i).
// Rows that hold positions are kept by the mean of the velocities at both ends, W^T (u^B + u^E)/2 + chi = 0, that is by
// eps = 1 whatever the table says. It is the midpoint rule: the constraint forces do no work on (u^B + u^E)/2 and the
// positions follow it. With eps = 0, u^E tangential at q^M, every step would lose the part of u^B that is normal there,
// and a pendulum of angular velocity omega a share of omega^2 dt of its kinetic energy per unit of time.
// With `end` it is eps = 0 nevertheless: see moreau.cpp. With `no_restitution` it is 0 in all rows.
enum class Velocities : std::uint8_t { mean, end, no_restitution };
void assemble(const System& system, Workspace& work, double dt, double t, const double* q, const double* u,
              const double* Lambda_before, Velocities asked = Velocities::mean, ProblemForm form = ProblemForm::matrix);

// u^E = u^B + M^-1 h dt + sum_i X_i Lambda_i [Möller 2009, (18)].
void apply_percussions(const System& system, const Workspace& work, double dt, const double* u_before, double* u_after);

// Percussions of the closed contacts into State::Lambda and State::closed, and how far their gaps may be off 0 by now
// (Workspace::gap_slack). residual: of the solution of the contact problem.
void keep_percussions(const System& system, Workspace& work, double residual, State& state);

// The block whose part of x, which starts at first_q (of_q) or first_u, is not finite; one beyond the last block if it
// is a signal; NSM_NONE if all is well.
std::uint32_t find_not_finite(const System& system, const double* x, bool of_q);

// The user's forces of all contacts from hatted percussions Lambda over dt; 0 for dt = 0. From the simple sets back to
// the laws as the user wrote them. The map is linear: no force, no force.
void user_forces(const System& system, Workspace& work, double t, const double* q, const double* u,
                 const double* Lambda, double dt, double* out);

// Hatted forces lambda = Lambda/dt of all contacts after a step; 0 for open contacts and before the first step.
void forces(const State& state, double* lambda);

}  // namespace nsmc::rt
