#include "runtime/study/ranks.hpp"

#include <dlfcn.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "runtime/study/mpi_table.hpp"

namespace nsmc::rt {

namespace {

namespace fs = std::filesystem;

// What mpirun tells its processes: OpenMPI, and the launchers that speak PMI.
int announced_size() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"}) {
    if (const char* text = std::getenv(name)) return std::atoi(text);
  }
  return 1;
}

// Beside the program in the tree of its build, or where both are installed.
fs::path mpi_library() {
  if (const char* named = std::getenv("NSMC_MPI_LIBRARY"); named != nullptr && *named != '\0') return named;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  const fs::path beside = program / kMpiLibrary;
  return fs::exists(beside, error) ? beside : program.parent_path() / "lib" / "nsmc" / kMpiLibrary;
}

const MpiTable& loaded_table() {
  const auto refuse = [](const std::string& why) {
    return RanksError("mpirun started several processes, but nsmc cannot use MPI: " + why +
                      "; without mpirun it uses all cores of this machine");
  };
  const fs::path path = mpi_library();
  if (std::error_code error; !fs::exists(path, error)) {
    throw refuse(path.string() + " is not there: it is built with nsmc where MPI is found (libopenmpi-dev)");
  }
  // MPI's own plugins look for its names in the whole program.
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) throw refuse(::dlerror());
  const auto* table = static_cast<const MpiTable*>(::dlsym(library, kMpiSymbol));
  if (table == nullptr || table->version != MpiTable::kVersion) {
    throw refuse(path.string() + " belongs to another nsmc");
  }
  return *table;
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

Ranks::Ranks() {
  if (announced_size() <= 1) return;  // starting MPI takes a while, and one process needs none
  mpi_ = &loaded_table();
  mpi_->join(&rank_, &size_, &on_this_machine_);
}

Ranks::~Ranks() {
  if (mpi_ != nullptr) mpi_->leave();
}

void Ranks::give_up() { mpi_ = nullptr; }

int Ranks::agree(int word) const { return mpi_ != nullptr ? mpi_->agree(word) : word; }

void Ranks::send(int to, const std::string& text) const {
  if (mpi_ != nullptr) mpi_->send(to, text.data(), text.size());
}

std::optional<Ranks::Message> Ranks::receive() const {
  Message message;
  std::size_t length = 0;
  if (mpi_ == nullptr || !mpi_->waiting(&message.from, &length)) return std::nullopt;
  message.text.resize(length);
  mpi_->receive(message.from, message.text.data(), length);
  return message;
}

}  // namespace nsmc::rt
