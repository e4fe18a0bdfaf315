#include "runtime/study/worker_pool.hpp"

namespace nsmc::rt {

WorkerPool::WorkerPool(unsigned threads, Work work) : work_(std::move(work)) {
  threads_.reserve(threads);
  for (unsigned k = 0; k < threads; ++k) threads_.emplace_back([this] { work_on(); });
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    waiting_.clear();
  }
  given_.notify_all();
  for (std::thread& thread : threads_) thread.join();
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
  if (!finished_.wait_for(lock, patience, [this] { return !done_.empty(); })) return std::nullopt;
  StudyRow row = std::move(done_.front());
  done_.pop_front();
  --outstanding_;
  return row;
}

void WorkerPool::work_on() {
  std::unique_lock lock(mutex_);
  for (;;) {
    given_.wait(lock, [this] { return closing_ || !waiting_.empty(); });
    if (closing_) return;
    const std::uint64_t index = waiting_.front();
    waiting_.pop_front();
    lock.unlock();
    StudyRow row = work_(index);
    lock.lock();
    done_.push_back(std::move(row));
    finished_.notify_one();
  }
}

}  // namespace nsmc::rt
