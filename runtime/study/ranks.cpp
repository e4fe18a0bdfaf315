#include "runtime/study/ranks.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#ifdef NSMC_MPI
#include <mpi.h>
#endif

namespace nsmc::rt {

namespace {

// What mpirun tells its processes: OpenMPI, and the launchers that speak PMI.
int announced_size() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"}) {
    if (const char* text = std::getenv(name)) return std::atoi(text);
  }
  return 1;
}

}  // namespace

unsigned Ranks::fair_threads() const {
  const long machine = std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN));
  cpu_set_t mine;
  CPU_ZERO(&mine);
  const long allowed = ::sched_getaffinity(0, sizeof mine, &mine) == 0 ? CPU_COUNT(&mine) : machine;
  // A launcher that binds each process to its own cores has divided the machine already.
  const long share = allowed < machine ? allowed : machine / on_this_machine_;
  return static_cast<unsigned>(std::max(1L, share));
}

#ifdef NSMC_MPI

Ranks::Ranks() {
  if (announced_size() <= 1) return;  // starting MPI takes a while, and one process needs none
  int given = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given);
  joined_ = true;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  MPI_Comm machine;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &machine);
  MPI_Comm_size(machine, &on_this_machine_);
  MPI_Comm_free(&machine);
}

Ranks::~Ranks() {
  if (joined_) MPI_Finalize();
}

void Ranks::give_up() { joined_ = false; }

int Ranks::agree(int word) const {
  if (joined_) MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return word;
}

void Ranks::send(int to, const std::string& text) const {
  MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, to, 0, MPI_COMM_WORLD);
}

std::optional<Ranks::Message> Ranks::receive() const {
  if (!joined_) return std::nullopt;
  int there = 0, length = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &status);
  if (there == 0) return std::nullopt;
  MPI_Get_count(&status, MPI_CHAR, &length);
  Message message{status.MPI_SOURCE, std::string(static_cast<std::size_t>(length), '\0')};
  MPI_Recv(message.text.data(), length, MPI_CHAR, message.from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return message;
}

#else

Ranks::Ranks() {
  if (announced_size() > 1) {
    throw RanksError(
        "mpirun started several processes, but this nsmc was built without MPI: without mpirun it uses "
        "all cores of this machine");
  }
}
Ranks::~Ranks() = default;
void Ranks::give_up() {}
int Ranks::agree(int word) const { return word; }
void Ranks::send(int, const std::string&) const {}
std::optional<Ranks::Message> Ranks::receive() const { return std::nullopt; }

#endif

}  // namespace nsmc::rt
