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

// On rank 0: does `runs` and calls `finished` on this thread for every row, in the order in which they finish. Returns
// early once `stop` is set, with the number of threads there were. What `finished` throws passes through, after the
// others were told to stop.
unsigned share_runs(Ranks& ranks, const Crew& crew, const std::vector<std::uint64_t>& runs, std::atomic<bool>& stop,
                    const std::function<void(const StudyRow&)>& finished);

// On the other ranks: works for rank 0 until it says that it is over.
void work_for_others(Ranks& ranks, const Crew& crew, std::atomic<bool>& stop);

// On a rank that cannot work: rank 0 sees it leave, and ends the study.
void decline_work(Ranks& ranks);

}  // namespace nsmc::rt
