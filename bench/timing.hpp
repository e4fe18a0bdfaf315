// What all benchmarks do with times.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <ctime>
#include <string>
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

enum class Threads { this_one, all };

// The time that the processor has spent on this thread or on all, in nanoseconds. Other programs are not in it.
inline double processor_time(Threads threads = Threads::this_one) {
  std::timespec time{};
  clock_gettime(threads == Threads::all ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e9 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec);
}

// As nanoseconds, in the time of the processor: for work that takes longer than other programs let it.
template <class Work>
double processor_nanoseconds(std::size_t evaluations, Work&& work, Threads threads = Threads::this_one) {
  const double start = processor_time(threads);
  work();
  return (processor_time(threads) - start) / static_cast<double>(evaluations);
}

// <name>_<unit> and <name>_median_<unit>.
inline void print_times(const std::string& name, const char* unit, const std::vector<double>& times, int digits = 2) {
  std::printf("%s_%s %.*f\n", name.c_str(), unit, digits, best(times));
  std::printf("%s_median_%s %.*f\n", name.c_str(), unit, digits, median(times));
}

inline void print_ratio(const std::string& name, double ratio) { std::printf("ratio %s %.3f\n", name.c_str(), ratio); }

// Of the best times and, as <name>_median, of the medians.
inline void print_ratios(const std::string& name, const std::vector<double>& times, const std::vector<double>& others) {
  print_ratio(name, best(times) / best(others));
  print_ratio(name + "_median", median(times) / median(others));
}

}  // namespace nsmc::bench
