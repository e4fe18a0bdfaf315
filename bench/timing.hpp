// What all benchmarks do with times.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <vector>

namespace nsmc::bench {

inline double best(const std::vector<double>& values) { return *std::min_element(values.begin(), values.end()); }

inline double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

// Of one evaluation, `work` doing as many as that.
template <class Work>
double nanoseconds(std::size_t evaluations, Work&& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - start;
  return elapsed.count() / static_cast<double>(evaluations);
}

// The time that the processor has spent on this thread, in nanoseconds. Other programs are not in it.
inline double processor_time() {
  std::timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e9 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec);
}

// As nanoseconds, in the time of the processor: for work that takes longer than other programs let it.
template <class Work>
double processor_nanoseconds(std::size_t evaluations, Work&& work) {
  const double start = processor_time();
  work();
  return (processor_time() - start) / static_cast<double>(evaluations);
}

}  // namespace nsmc::bench
