// The inclusions on acceleration level. Differentiating xi in N_K(-lambda) for the right derivative of xi gives
//
//     xi' in N_{F(xi)}(-lambda),       F(xi) = argmax { xi . x : x in K },  F(0) = K.
//
// For xi = 0 this is the law itself with accelerations in the place of velocities, [Studer 2006, (11), (13)]; where the
// velocity exposes a single point, the force is this point whatever xi'; polygons and flats have edges in between. So
// the problem is a ContactProblem with faces as sets, and any solver can have it. Points and edges depend on the forces
// of their contact, points of slip possibly not in an affine way: they are linearised at modes.lambda.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/methods/event/accelerations.hpp"

namespace nsmc::rt::event {

// How much of its set is open to a unit.
enum class Face : std::uint8_t { whole, edge, point };

class FaceProblem {
 public:
  // At the state that `at` has looked at. The starting point is problem().Lambda there. frozen: sets that are
  // not affine in the forces are those of this point.
  void build(Accelerations& at, bool frozen = false);

  ContactProblem problem;
  std::vector<Face> faces;         // by unit of the model; of closed contacts only
  std::vector<FaceSet> face_sets;  // by unit: where a set by a function has a face in three or more dimensions
  bool affine = true;              // no set was linearised: once is enough

 private:
  Face find_face(Accelerations& at, const ContactRows& rows, Unit& unit);
  void add_whole(Accelerations& at, const ContactRows& rows, const Unit& unit);
  void add_point(Accelerations& at, const ContactRows& rows, const Unit& unit);
  void add_edge(Accelerations& at, const ContactRows& rows, const Unit& unit);
  void add_face(Accelerations& at, const ContactRows& rows, const Unit& unit);
  template <class F>
  void add_linearised(Accelerations& at, const ContactRows& rows, const Unit& unit, std::uint32_t n, bool fixed, F&& f);
  void add_argument(Accelerations& at, const ContactRows& rows, const Unit& unit, std::uint32_t argument);
  nsm_set& add_set(const ContactRows& rows, const Unit& unit, std::uint32_t contact);

  std::vector<nsm_set> sets_;
  std::vector<std::uint32_t> units_;  // of sets_
  std::vector<double> a_, K_;
  bool frozen_ = false;
  std::size_t first_a_ = 0;  // of the present contact
};

}  // namespace nsmc::rt::event
