// The runs of a study, shared over the threads of this process and, under mpirun, over those of all others.
//
// Rank 0 has the list and gives runs away one by one, to whoever is free: runs may last a millisecond or an hour. The
// other ranks ask for work, do it, and send back rows.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "runtime/study/ranks.hpp"
#include "runtime/study/worker_pool.hpp"

namespace nsmc::rt {

// Ends a study early.
struct Stop {
  std::atomic<bool>& over;                   // the crew looks at it
  const std::atomic<bool>* asked = nullptr;  // set from outside
  std::function<void()> look{};              // called with every question, several times a second; may set `asked`

  bool now() const {
    if (look) look();
    if (asked != nullptr && asked->load(std::memory_order_relaxed)) over = true;
    return over.load(std::memory_order_relaxed);
  }
};

// On rank 0, or where there are no ranks: does `runs` and calls `finished` on this thread for every row, in the order
// in which they finish. Returns with the number of threads there were. What `finished` throws passes through, after the
// others were told to stop.
unsigned share_runs(Ranks* ranks, const Crew& crew, const std::vector<std::uint64_t>& runs, const Stop& stop,
                    const std::function<void(const StudyRow&)>& finished);

// On the other ranks: works for rank 0 until it says that it is over.
void work_for_others(Ranks& ranks, const Crew& crew, const Stop& stop);

// On a rank that cannot work: rank 0 sees it leave, and ends the study.
void decline_work(Ranks& ranks);

}  // namespace nsmc::rt
