// What runtime/mpi offers: the few functions of MPI that ranks need, as a table in a library that is loaded only where
// mpirun has started several processes. So nsmc itself needs no MPI where it runs, and whoever has mpirun has MPI.
#pragma once

#include <cstddef>

namespace nsmc::rt {

struct MpiTable {
  static constexpr int kVersion = 1;  // of this table; raised with every change

  int version;
  void (*join)(int* rank, int* size, int* on_this_machine);  // on_this_machine: processes
  void (*leave)();
  int (*agree)(int word);  // that of rank 0
  void (*send)(int to, const char* text, std::size_t length);
  bool (*waiting)(int* from, std::size_t* length);  // whether a message is there, and which
  void (*receive)(int from, char* text, std::size_t length);
};

inline constexpr const char* kMpiLibrary = "nsmc_mpi.so";
inline constexpr const char* kMpiSymbol = "nsmc_mpi_table";  // a `const MpiTable`

}  // namespace nsmc::rt
