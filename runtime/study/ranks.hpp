// The processes that mpirun started together, and short messages between them. Outside of mpirun there is one: rank 0.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>

namespace nsmc::rt {

struct MpiTable;

// mpirun started several processes, and the library that knows MPI (runtime/mpi) is not there or not usable.
struct RanksError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Ranks {
 public:
  Ranks();  // joins the others, if there are any; at most one object in a program
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  // Threads for this process, so that the machine has one for each of its cores.
  unsigned fair_threads() const;

  // The same word for all: that of rank 0.
  int agree(int word) const;

  struct Message {
    int from = 0;
    std::string text;
  };
  void send(int to, const std::string& text) const;
  std::optional<Message> receive() const;  // at once
  // Some rank is gone and will not answer: leave without waiting for it.
  void give_up();

 private:
  int rank_ = 0, size_ = 1, on_this_machine_ = 1;
  const MpiTable* mpi_ = nullptr;  // null: there are no others
};

}  // namespace nsmc::rt
