// Threads that do numbered pieces of work and hand back what came of them, in the order in which they finish.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "runtime/study/study_row.hpp"

namespace nsmc::rt {

// Where a worker gets its pieces and puts what came of them.
class WorkQueue {
 public:
  virtual std::optional<std::uint64_t> next() = 0;         // waits for one; nothing: there is no more to do
  virtual std::optional<std::uint64_t> next_if_any() = 0;  // does not wait
  virtual void done(StudyRow row) = 0;

 protected:
  ~WorkQueue() = default;
};

// The operating system gives not a single thread.
struct NoThreads : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Threads that work: the same function on every thread, until there is no more to do. What it throws ends the work of
// this thread, and is thrown to whoever takes what was done.
struct Crew {
  unsigned threads = 1;
  unsigned at_once = 1;  // pieces that one of them has in hand
  std::function<void(WorkQueue& queue)> work;
};

// A crew in which every thread does one piece after another.
Crew crew_of_single_pieces(unsigned threads, std::function<StudyRow(std::uint64_t index)> work);

class WorkerPool final : private WorkQueue {
 public:
  // With as many threads as there are, if these are fewer. Throws NoThreads if there is none.
  explicit WorkerPool(Crew crew);
  ~WorkerPool();  // waits for the pieces that were begun
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  unsigned threads() const { return static_cast<unsigned>(threads_.size()); }

  void give(std::uint64_t index);

  // A finished piece, if there is one before the time is over.
  std::optional<StudyRow> take(std::chrono::milliseconds patience);

  // Given and not taken back yet. For the thread that gives and takes.
  std::size_t outstanding() const { return outstanding_; }

  // Can more be given without piling up? Threads that finish find the next piece waiting.
  bool hungry() const { return outstanding_ < appetite(); }
  std::size_t appetite() const { return 2 * std::size_t{crew_.threads} * crew_.at_once; }

 private:
  std::optional<std::uint64_t> next() override;
  std::optional<std::uint64_t> next_if_any() override;
  void done(StudyRow row) override;
  std::optional<std::uint64_t> pop();
  void work() noexcept;
  void close();

  Crew crew_;
  std::mutex mutex_;
  std::condition_variable given_, finished_;
  std::deque<std::uint64_t> waiting_;
  std::deque<StudyRow> done_;
  bool closing_ = false;
  std::exception_ptr failure_;
  std::size_t outstanding_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace nsmc::rt
