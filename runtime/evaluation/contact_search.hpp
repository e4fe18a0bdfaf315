// Which contacts of the families may close soon: the candidates, for a System to give them places.
//
// In: where shapes are, by the kernels `bounds`. Two shapes are candidates if their boxes, each wider by a margin,
// touch (neighbours/box_grid.hpp). As long as every shape stays within its wider box, no other contact of the families
// can be closed, so that a step that looks at the candidates alone has the numbers of one that looks at all;
// find_closed asks `covers` in every step. Otherwise the search is done anew. Its margin is chosen so that this happens
// about every twentieth time; it decides how long a run takes, and nothing else.
//
// What lies on one body, or both in the world, does not move against each other and is no candidate.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/evaluation/workspace.hpp"
#include "runtime/neighbours/box_grid.hpp"
#include "runtime/saved_run.hpp"
#include "runtime/system.hpp"

namespace nsmc::rt {

class ContactSearch {
 public:
  explicit ContactSearch(const System& system);

  // The candidates around a state, and those of `kept` in any case; all in order.
  std::vector<Candidate> find(const System& system, const Workspace& work, double t, const double* q,
                              std::span<const Candidate> kept);

  // Whether all shapes are still where the last search looked. Where they are if not is known to the next search, whose
  // boxes will reach as far.
  bool covers(const System& system, const Workspace& work, double t, const double* q);

  // A step begins: how far the last one went does not matter any more.
  void begin_step();

  // A run that goes on searches when it would have.
  void remember(Memory& memory);

 private:
  struct HalfSpace {
    double point[3], normal[3];
  };
  // The shapes of a declaration: where they were at the last search, and are.
  struct Group {
    std::vector<neighbours::Box> boxes, now;
    HalfSpace plane{}, plane_now{};
    double plane_margin = 0;
    bool turns = false;          // the plane: every shape is a candidate for it
    std::vector<double> beyond;  // how much more margin a shape needs in this step
  };

  void look(const System& system, const Workspace& work, double t, const double* q);  // into `now`
  bool is_covered(const Group& group, std::uint32_t kind) const;
  void choose_margins(const System& system);
  void find_in(const System& system, std::uint32_t family, std::vector<Candidate>& found);
  void find_on_plane(const System& system, std::uint32_t family, std::uint32_t side, std::vector<Candidate>& found);
  bool same_body(const System& system, const nsm_family& family, const std::uint64_t (&shape)[2]) const;

  std::vector<Group> groups_;
  std::vector<neighbours::BoxGrid> grids_;  // by group, made when they are asked for
  std::vector<std::uint32_t> grid_of_;
  double size_ = 0;    // of a typical shape
  double margin_ = 0;  // 0: not chosen yet
  std::uint64_t searches_ = 0, looks_ = 0;
};

}  // namespace nsmc::rt
