#include "runtime/study/worker_pool.hpp"

#include <system_error>

namespace nsmc::rt {

Crew crew_of_single_pieces(unsigned threads, std::function<StudyRow(std::uint64_t index)> work) {
  return {threads, 1, [work = std::move(work)](WorkQueue& queue) {
            while (const auto index = queue.next()) queue.done(work(*index));
          }};
}

WorkerPool::WorkerPool(Crew crew) : crew_(std::move(crew)) {
  threads_.reserve(crew_.threads);
  try {
    while (threads_.size() < crew_.threads) threads_.emplace_back([this] { work(); });
  } catch (const std::system_error& error) {
    if (threads_.empty()) throw NoThreads("cannot create a thread: " + error.code().message());
    crew_.threads = threads();
  } catch (...) {
    close();
    throw;
  }
}

WorkerPool::~WorkerPool() { close(); }

void WorkerPool::close() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    waiting_.clear();
  }
  given_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void WorkerPool::work() noexcept {
  try {
    crew_.work(*this);
  } catch (...) {
    {
      const std::lock_guard lock(mutex_);
      if (failure_ == nullptr) failure_ = std::current_exception();
    }
    finished_.notify_all();
  }
}

void WorkerPool::give(std::uint64_t index) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(index);
  }
  ++outstanding_;
  given_.notify_one();
}

std::optional<StudyRow> WorkerPool::take(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  if (!finished_.wait_for(lock, patience, [this] { return !done_.empty() || failure_ != nullptr; }))
    return std::nullopt;
  if (done_.empty()) std::rethrow_exception(failure_);
  StudyRow row = std::move(done_.front());
  done_.pop_front();
  --outstanding_;
  return row;
}

std::optional<std::uint64_t> WorkerPool::pop() {
  if (closing_ || waiting_.empty()) return std::nullopt;
  const std::uint64_t index = waiting_.front();
  waiting_.pop_front();
  return index;
}

std::optional<std::uint64_t> WorkerPool::next() {
  std::unique_lock lock(mutex_);
  given_.wait(lock, [this] { return closing_ || !waiting_.empty(); });
  return pop();
}

std::optional<std::uint64_t> WorkerPool::next_if_any() {
  const std::lock_guard lock(mutex_);
  return pop();
}

void WorkerPool::done(StudyRow row) {
  {
    const std::lock_guard lock(mutex_);
    done_.push_back(std::move(row));
  }
  finished_.notify_one();
}

}  // namespace nsmc::rt
