// Contact problems of a run, kept while it runs and written to files at its end, in the format of
// runtime/solvers/friction_problem.hpp: nsmc run --dump-contact-problems.
//
// Which ones: the hardest, by iterations of the solver, the earlier of equals; or every Nth, the first ones. In both
// cases a bounded number, so that memory and files are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/driver/usage_error.hpp"
#include "runtime/solvers/friction_problem.hpp"
#include "runtime/solvers/solve.hpp"
#include "runtime/system.hpp"

namespace nsmc {

// Contact problems to files.
struct DumpOptions {
  std::string directory;               // empty: none
  std::uint64_t count = 20;            // at most
  std::optional<std::uint64_t> every;  // every Nth; otherwise the hardest
};

class ProblemDump final : public rt::ProblemObserver {
 public:
  // Creates the directory. UsageError if no contact of the model is within the format, FileError as usual.
  ProblemDump(const rt::System& system, const DumpOptions& options, std::string model);

  void solved(const rt::ContactProblem& problem, const rt::ContactSolution& solution) override;

  // All files or, with a FileError, none: MODEL-NUMBER.dat with the number of the problem in the run.
  void write() const;

  std::string text() const;  // a line of the summary

 private:
  struct Kept {
    std::uint64_t number;  // of the problem, from 1
    int iterations;
    rt::FrictionProblem problem;
  };

  const rt::System& system_;
  DumpOptions options_;
  std::string model_, outside_;  // outside_: a contact that is not within the format, and why
  std::uint64_t seen_ = 0, skipped_ = 0;
  std::vector<Kept> kept_;
};

}  // namespace nsmc
