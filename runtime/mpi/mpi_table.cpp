// nsmc_mpi.so, see runtime/study/mpi_table.hpp. The only user of MPI.
#include "runtime/study/mpi_table.hpp"

#include <mpi.h>

namespace nsmc::rt {
namespace {

void join(int* rank, int* size, int* on_this_machine) {
  int given = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, rank);
  MPI_Comm_size(MPI_COMM_WORLD, size);
  MPI_Comm machine;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, *rank, MPI_INFO_NULL, &machine);
  MPI_Comm_size(machine, on_this_machine);
  MPI_Comm_free(&machine);
}

void leave() { MPI_Finalize(); }

int agree(int word) {
  MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return word;
}

void send(int to, const char* text, std::size_t length) {
  MPI_Send(text, static_cast<int>(length), MPI_CHAR, to, 0, MPI_COMM_WORLD);
}

bool waiting(int* from, std::size_t* length) {
  int there = 0, count = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &status);
  if (there == 0) return false;
  MPI_Get_count(&status, MPI_CHAR, &count);
  *from = status.MPI_SOURCE;
  *length = static_cast<std::size_t>(count);
  return true;
}

void receive(int from, char* text, std::size_t length) {
  MPI_Recv(text, static_cast<int>(length), MPI_CHAR, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

}  // namespace
}  // namespace nsmc::rt

extern "C" __attribute__((visibility("default")))
const nsmc::rt::MpiTable nsmc_mpi_table = {nsmc::rt::MpiTable::kVersion,
                                           nsmc::rt::join,
                                           nsmc::rt::leave,
                                           nsmc::rt::agree,
                                           nsmc::rt::send,
                                           nsmc::rt::waiting,
                                           nsmc::rt::receive};
