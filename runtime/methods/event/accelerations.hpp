// The contact problem on acceleration level [Studer 2006, (1), (4), (7), (9)]:
//
//     gamma' = G lambda + c,     G = V^T M^-1 W,     c = V^T M^-1 h + zeta
//
// over the rows of the closed contacts, in forces and accelerations (a ContactProblem with dt = 1). Rows with
// compliance are equations on velocity level, xi = C lambda + (V^T u + chi), in their place.
//
// `look` evaluates it at a state. `solve_modes` finds the forces of given modes (contact_modes.hpp): an equation for
// every row, smooth in the state as long as the modes are what they are, also a little beyond. `transition` finds the
// modes, from the inclusions (transition.cpp).
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <vector>

#include "runtime/evaluation/evaluation.hpp"
#include "runtime/evaluation/workspace.hpp"
#include "runtime/linear/least_norm.hpp"
#include "runtime/methods/event/contact_modes.hpp"
#include "runtime/methods/integrator.hpp"
#include "runtime/sets/convex_set.hpp"
#include "runtime/solvers/solve.hpp"
#include "runtime/system.hpp"

namespace nsmc::rt::event {

// Velocities below this part of their largest terms so far count as zero.
inline constexpr double zero_velocity = 1e-9;
// Likewise: a velocity that has no direction.
inline constexpr double no_velocity = 1e-13;
// A slip in several dimensions ends at this part: close to 0 its direction turns ever faster.
inline constexpr double end_of_slip = 1e-10;

// Solves a contact problem whose answer must be right: once more, from 0, if it is not.
ContactSolution solve_surely(ContactProblem& problem, const SolverOptions& options);

class Accelerations {
 public:
  Accelerations(const System& system, Workspace& work, ContactModes& modes);

  // The closed contacts of `modes` at (t, q, u): M, h, W, G, c, xi.
  Trouble look(double t, const double* q, const double* u);

  // Forces of the modes into problem().Lambda. False if there are none: the equations contradict each other.
  bool solve_modes();

  // u' of the forces that were found.
  void accelerate(double* u_rate) const;

  // The modes that the laws ask for at the state looked at; forces go into problem().Lambda and modes.lambda. Units in
  // `leaving` (by unit) are known to leave their mode. Slip that has come to an end must have xi = 0.
  struct Transition {
    ContactSolution solution;
    bool regular = true;                   // form kappa: G has an inverse
    std::vector<std::uint32_t> dependent;  // otherwise, contacts whose rows depend on others
    bool force_dependent = false;          // a set depends on forces: there may be no solution
  };
  Transition transition(const SolverOptions& options, Form form, const std::vector<std::uint8_t>& leaving);

  // Whether the inclusions have a solution in which everything that holds goes on to do so. Used where forces are not
  // determined and those of solve_modes leave their sets: others may not. If so, modes.lambda is such a solution.
  bool can_hold(const SolverOptions& options);

  const ContactProblem& problem() const { return work_.problem; }
  // By closed contact, at its position in problem().contacts.
  double xi(std::uint32_t row) const { return xi_[row]; }
  double xi_rate(const ContactRows& rows, std::uint32_t local) const {
    return work_.problem.xi(rows, local, work_.problem.Lambda.data());
  }
  bool is_compliant(std::uint32_t row) const { return compliant_[row] != 0; }

  // The set of a unit at forces `own` of its contact.
  ConvexSet set_of(const ContactRows& rows, const Unit& unit, const double* own);
  // -lambda of a unit that slips, as a function of the forces of its contact.
  void slip_point(const ContactRows& rows, const Unit& unit, const double* own, double* x);

  // Edges of polygons and of sets with flats (edges.cpp). For the edge unit.corner: its first corner, a unit vector
  // along it, its length.
  struct Edge {
    double corner[2], along[2], length;
  };
  Edge edge_of(const ContactRows& rows, const Unit& unit, const double* own);
  // Where on the edge the force is, as a part of its length.
  double place_on_edge(const ContactRows& rows, const Unit& unit, const double* own);
  // Bends (runtime/sets/flats.hpp). Whether the velocity of a unit that slips lies in one that will not let it go; the
  // slope of the velocity against the normal of a bend that it follows.
  bool bend_attracts(const ContactRows& rows, const Unit& unit, const double* own, const double* velocity);
  double slope_on_edge(const ContactRows& rows, const Unit& unit, const double* own);
  bool has_bends(const Unit& unit) const;
  // Whether this velocity, which is not 0, is normal to an edge. unit.corner <- the edge, or the corner that is
  // exposed.
  bool find_edge(const ContactRows& rows, Unit& unit, const double* own, const double* velocity, double tolerance);
  // A unit that begins to move at `point` of its set along n0: its mode and corner.
  void find_corner(const ContactRows& rows, Unit& unit, const double* own, const double* point, double* n0);
  // A unit that leaves its edge at one end: its corner and direction.
  void leave_edge(const ContactRows& rows, Unit& unit, const double* own, bool at_end, double* n0);
  // How far velocity and its rate are inside the normal cone of the corner, on either side.
  struct Margin {
    double velocity, rate;
  };
  std::array<Margin, 2> corner_margins(const ContactRows& rows, const Unit& unit, const double* own,
                                       const double* velocity, const double* rate);
  // The unit vector along the velocity; in an arc between flats, up to its ends, and not beyond ridges.
  void direction_in_arc(const Unit& unit, const double* n0, const double* velocity, double* direction) const;
  bool has_edges(const ContactRows& rows, const Unit& unit) const;

  // Faces of sets by functions in three and more dimensions (faces.cpp). The face of Mode::edge at the velocity of the
  // state looked at.
  bool has_faces(const ContactRows& rows, const Unit& unit) const;
  // Whether modes are no way to follow its motion: forces change the shape of such a set, its law has compliance, or
  // its points are too hard to find.
  bool is_without_modes(const ContactRows& rows, const Unit& unit);
  const FlatFace& face_of(const ContactRows& rows, const Unit& unit, const double* own);
  // Minkowski's functional of the face at the force.
  double gauge_on_face(const ContactRows& rows, const Unit& unit, const double* own);
  // A unit that begins to move at `point` of its set along n0: its mode and face.
  void find_first_face(const ContactRows& rows, Unit& unit, const double* own, const double* point, double* n0);
  // A unit whose velocity leaves the ridge of a face to this side: its mode, face, direction.
  void leave_face(const ContactRows& rows, Unit& unit, const double* own, const FlatFace& face, const double* side,
                  double* n0);
  // Whether forces have jumped between modes.direction and the state looked at, or may jump in a moment, which is why
  // the step was short: at ridges which are known from now on.
  bool find_ridges(bool step_was_short);
  // Whether the velocity is at the ridge that it was near to.
  bool reaches_ridge(const ContactRows& rows, const Unit& unit) const;
  // After a step: what is kept of the velocity.
  void keep_face(const ContactRows& rows, Unit& unit, const double* own, double* n0);
  // The unit vector along the velocity, on the near side of a ridge.
  void direction_near_ridge(const Unit& unit, const double* velocity, double* direction) const;

  // What is large and small for the force and the acceleration of a unit.
  double force_scale(const ContactRows& rows, const Unit& unit) const;
  double rate_scale(const ContactRows& rows, const Unit& unit) const;

  // Keeps what is large at the state looked at (Unit::speed, Unit::D); `moment` is a short time.
  void note_sizes(double moment);
  // False where a unit has lost its leverage, as a slider in the dead centre of its crank: forces cannot hold it, nor
  // does it need to be held.
  bool has_leverage(const ContactRows& rows, const Unit& unit) const {
    return work_.problem.sets[rows.first_set + unit.set].D > 1e-12 * unit.D;
  }
  // Whether the modes determine every force, into modes.determinate.
  void find_determinacy();

  std::uint64_t evaluations = 0;
  const std::atomic<bool>* stop = nullptr;  // set from outside: give up, with what there is

 private:
  friend class FaceProblem;

  double xi_of(const ContactRows& rows, std::uint32_t local, const double* own) const;
  bool drop_rows_without_leverage();
  double usual_rate() const;
  double rate_scale(const ContactRows& rows, const Unit& unit, double others) const;
  void slip_row(const ContactRows& rows, const Unit& unit, bool with_jacobian);
  bool attracts(const ContactRows& rows, const Unit& unit, const double* own);
  void find_flats_of(const ContactRows& rows, const Unit& unit, const double* own);
  double place_in_arc(const Unit& unit, const double* n0, const double* velocity) const;
  bool find_ridge(const ContactRows& rows, const Unit& unit, bool step_was_short);
  void scaled_interval_row(const ContactRows& rows, const Unit& unit, bool with_jacobian);
  void edge_row(const ContactRows& rows, const Unit& unit, bool with_jacobian);
  void face_row(const ContactRows& rows, const Unit& unit, bool with_jacobian);
  void equations(bool with_jacobian);
  void start_modes();
  void add_G(const ContactRows& rows, std::uint32_t local, double factor, std::uint32_t to);

  const System& system_;
  Workspace& work_;
  ContactModes& modes_;
  double t_ = 0;
  std::vector<double> xi_, xi_size_, zeta_;
  std::vector<std::uint8_t> compliant_;
  std::vector<double> zeros_, own_, shifted_, point_, other_;
  Eigen::VectorXd E_, lambda_, row_scale_, column_scale_, correction_;
  Eigen::MatrixXd J_;
  LeastNorm least_norm_;
};

}  // namespace nsmc::rt::event
