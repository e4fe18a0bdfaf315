// Threads that do numbered pieces of work and hand back what came of them, in the order in which they finish.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace nsmc::rt {

// The outcome of one run of a study: a line of its table.
struct StudyRow {
  std::uint64_t index = 0;
  bool failed = false;
  bool abandoned = false;  // asked to stop before its end: there is no line
  std::string line;        // without the line break
};

class WorkerPool {
 public:
  using Work = std::function<StudyRow(std::uint64_t index)>;  // called by several threads at a time; must not throw

  WorkerPool(unsigned threads, Work work);
  ~WorkerPool();  // waits for the pieces that were begun
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  void give(std::uint64_t index);

  // A finished piece, if there is one before the time is over.
  std::optional<StudyRow> take(std::chrono::milliseconds patience);

  // Given and not taken back yet. For the thread that gives and takes.
  std::size_t outstanding() const { return outstanding_; }

  // Can more be given without piling up? Threads that finish find the next piece waiting.
  bool hungry() const { return outstanding_ < 2 * threads_.size(); }

 private:
  void work_on();

  Work work_;
  std::mutex mutex_;
  std::condition_variable given_, finished_;
  std::deque<std::uint64_t> waiting_;
  std::deque<StudyRow> done_;
  bool closing_ = false;
  std::size_t outstanding_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace nsmc::rt
