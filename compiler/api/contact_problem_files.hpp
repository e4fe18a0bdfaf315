// What stands behind nsmc::ContactProblemFiles.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "nsmc/run_files.hpp"
#include "runtime/solvers/friction_problem.hpp"
#include "runtime/solvers/solve.hpp"
#include "runtime/system.hpp"

namespace nsmc {

struct ContactProblemFiles::Impl final : rt::ProblemObserver {
  // The problems of a run of this system. Creates the directory. SettingError if no contact is within the format or the
  // choice makes no sense, FileError as usual.
  rt::ProblemObserver& observe(const rt::System& of);

  void solved(const rt::ContactProblem& problem, const rt::ContactSolution& solution) override;

  struct Kept {
    std::uint64_t number;  // of the problem, from 1
    int iterations;
    rt::FrictionProblem problem;
  };

  ContactProblemChoice choice;
  std::string model;
  std::string outside;  // a contact that is not within the format, and why
  std::uint64_t seen = 0, left_out = 0;
  std::vector<Kept> kept;
};

}  // namespace nsmc
