// The rows of a sweep as a page (docs/viewing.md): the table as curves and maps and, if they are kept, the runs.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "compiler/driver/commands.hpp"
#include "nsmc/model.hpp"
#include "nsmc/study.hpp"
#include "runtime/study/study_table.hpp"

namespace nsmc {

class SweepReport {
 public:
  // Before the sweep, so that a page that cannot be made is known at once; without --report it does nothing.
  explicit SweepReport(const SweepOptions& options);

  // Throws UsageError if these are more runs than a page keeps.
  void require_room(std::uint64_t runs) const;

  void add(const rt::StudyRow& row);
  // Runs that are kept are simulated once more: a sweep records nothing but its measures.
  void write(const Model& model, const Study& study) const;

 private:
  const SweepOptions& options_;
  std::string page_;
  std::map<std::uint64_t, rt::StudyRow> rows_;
};

}  // namespace nsmc
