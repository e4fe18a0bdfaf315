// Messages: a worker sends "ask" for each run it could take, "row ..." for each that is done, "bye" as its last word.
// Rank 0 sends "do INDEX", and "end" once, when there is no more to do or all should stop.
#include "runtime/study/share_runs.hpp"

#include <charconv>
#include <chrono>
#include <deque>
#include <set>

namespace nsmc::rt {

namespace {

using std::chrono::milliseconds;

// How long to wait for a row of the own threads before looking at the mail, or at `stop`.
constexpr milliseconds kGlance{1}, kLook{50};
// How long the others have for their last words.
constexpr std::chrono::seconds kFarewell{5};

constexpr std::size_t kRowPrefix = 4;  // "row "

std::string packed(const StudyRow& row) { return "row " + to_line(row); }

// Rank 0's view of the other ranks.
class Others {
 public:
  explicit Others(Ranks* ranks) : ranks_(ranks) {
    for (int rank = 1; ranks != nullptr && rank < ranks->size(); ++rank) here_.insert(rank);
  }

  bool any() const { return !here_.empty(); }
  bool working() const { return busy_ > 0; }

  // A rank that could take a run.
  bool hungry() const { return !asking_.empty(); }
  void give(std::uint64_t index) {
    ranks_->send(asking_.front(), "do " + std::to_string(index));
    asking_.pop_front();
    ++busy_;
  }

  // Reads the mail; true if a row has come.
  bool listen(StudyRow& row) {
    if (!any()) return false;
    while (const auto message = ranks_->receive()) {
      if (message->text == "ask") {
        asking_.push_back(message->from);
      } else if (message->text == "bye") {
        here_.erase(message->from);
        if (!dismissed_) deserted_ = true;
      } else {
        const std::optional<StudyRow> read = read_line(std::string_view(message->text).substr(kRowPrefix));
        if (!read) continue;  // cannot be: it was written by to_line
        row = *read;
        --busy_;
        return true;
      }
    }
    return false;
  }

  void dismiss() {
    for (const int rank : here_) ranks_->send(rank, "end");
    dismissed_ = true;
  }
  bool dismissed() const { return dismissed_; }
  // Somebody was stopped, and its runs with it.
  bool deserted() const { return deserted_; }

 private:
  Ranks* ranks_;
  std::set<int> here_;
  std::deque<int> asking_;
  std::size_t busy_ = 0;
  bool dismissed_ = false, deserted_ = false;
};

// Rows that come while the others finish are kept as well.
void part_from(Others& others, Ranks* ranks, const std::function<void(const StudyRow&)>& finished) {
  if (!others.any()) return;
  if (!others.dismissed()) others.dismiss();
  const auto start = std::chrono::steady_clock::now();
  StudyRow row;
  while (others.any()) {
    if (others.listen(row)) {
      finished(row);
    } else if (std::chrono::steady_clock::now() - start > kFarewell) {
      ranks->give_up();
      return;
    } else {
      std::this_thread::sleep_for(kGlance);
    }
  }
}

}  // namespace

unsigned share_runs(Ranks* ranks, const Crew& crew, const std::vector<std::uint64_t>& runs, const Stop& stop,
                    const std::function<void(const StudyRow&)>& finished) {
  Others others(ranks);
  WorkerPool pool(crew);
  try {
    std::size_t next = 0;
    StudyRow row;
    while (!stop.now()) {
      while (next < runs.size() && pool.hungry()) pool.give(runs[next++]);
      while (others.listen(row)) finished(row);
      while (next < runs.size() && others.hungry()) others.give(runs[next++]);
      if (next == runs.size() && pool.outstanding() == 0 && !others.working()) break;
      if (others.deserted()) stop.over = true;
      const auto own = pool.take(others.any() ? kGlance : kLook);
      if (own && !own->abandoned) finished(*own);
    }
    // What was finished in the last moment counts, too.
    while (pool.outstanding() > 0) {
      const auto own = pool.take(milliseconds(0));
      if (!own) break;
      if (!own->abandoned) finished(*own);
    }
  } catch (...) {
    stop.over = true;  // before the pool waits for its threads
    part_from(others, ranks, [](const StudyRow&) {});
    throw;
  }
  part_from(others, ranks, finished);
  return pool.threads();
}

void work_for_others(Ranks& ranks, const Crew& crew, const Stop& stop) {
  try {
    WorkerPool pool(crew);
    std::size_t asked = 0;
    while (!stop.now()) {
      while (pool.outstanding() + asked < pool.appetite()) {
        ranks.send(0, "ask");
        ++asked;
      }
      while (const auto message = ranks.receive()) {
        if (message->text == "end") {
          stop.over = true;
          break;
        }
        std::uint64_t index = 0;
        std::from_chars(message->text.data() + 3, message->text.data() + message->text.size(), index);
        pool.give(index);
        --asked;
      }
      if (const auto row = pool.take(kGlance); row && !row->abandoned) ranks.send(0, packed(*row));
    }
    while (const auto row = pool.take(milliseconds(0))) {
      if (!row->abandoned) ranks.send(0, packed(*row));
    }
  } catch (...) {
    stop.over = true;
    decline_work(ranks);  // rank 0 sees that somebody is missing
    throw;
  }
  ranks.send(0, "bye");
}

void decline_work(Ranks& ranks) { ranks.send(0, "bye"); }

}  // namespace nsmc::rt
