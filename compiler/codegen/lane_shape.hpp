// How many runs of a model a kernel works on at once.
#pragma once

namespace nsmc {

// One lane: plain kernels. Over several, functions of the mathematics library are called lane by lane if the results
// have to be exact (those of plain kernels, bit by bit), else once for all lanes where there is a vector version.
struct LaneShape {
  unsigned lanes = 1;
  bool exact = true;
};

}  // namespace nsmc
