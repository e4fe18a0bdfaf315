// A study: a model, compiled once for each size of its arrays, a grid of parameters and settings, and what is measured.
// Constant once it is prepared; its runs may be done in any order and by several threads at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "compiler/api/measure_text.hpp"
#include "compiler/api/pipeline.hpp"
#include "compiler/api/study_axes.hpp"
#include "runtime/study/worker_pool.hpp"

namespace nsmc {

class Study {
 public:
  // Compiles. Nothing if there are errors in the model. `report` sees the compilation that has the diagnostics of the
  // study, errors or warnings. Throws SettingError, FileError.
  static std::unique_ptr<Study> prepare(const ModelSource& source, const StudyRequest& request,
                                        const KernelCache* cache, const std::function<void(const Pipeline&)>& report);

  std::uint64_t size() const { return grid_->size(); }
  const std::string& model_name() const { return models_.front().equations->name; }
  std::size_t compilations() const { return models_.size(); }
  std::size_t cached_compilations() const;  // of which the machine code was there already
  double compile_seconds() const;

  const StudyGrid& grid() const { return *grid_; }
  const std::vector<std::string>& measures() const { return models_.front().measures.names; }  // names of columns

  std::string model_identity() const;

  // Runs that a thread has in hand at once: 1, or those of the lanes of a SIMD register, if there are enough for all
  // threads.
  unsigned at_once(std::uint64_t runs, unsigned threads) const;

  // Whether rows have the bits of single runs; the lanes that they have not because of.
  bool exact_lanes() const { return lanes_ == nullptr || lanes_->table().exact != 0; }
  unsigned lanes() const { return lanes_ == nullptr ? 1 : lanes_->table().lanes; }

  // Those who do the runs. Each is a row; a run that fails is a row with its reason.
  rt::Crew crew(std::uint64_t runs, unsigned threads, const std::atomic<bool>& stop) const;

  rt::StudyRow run(std::uint64_t index, const std::atomic<bool>& stop) const;

 private:
  // The model with arrays of one size.
  struct SizedModel {
    std::unique_ptr<Pipeline> pipeline;
    const Equations* equations = nullptr;
    const Kernels* kernels = nullptr;
    NamedMeasures measures;
    std::vector<std::size_t> law_parameters;                        // that the checks of the laws depend on
    mutable std::map<std::vector<double>, std::string> law_faults;  // by their values; under pools_
  };
  struct Run;

  Study() = default;
  bool derive(const ParameterValues& structure);
  bool derive_any(const StudyRequest& request, const ParameterValues& own,
                  const std::function<void(const Pipeline&)>& report);
  void derive_sizes();
  void derive_size(const ParameterValues& overrides);
  rt::SimulationOptions first_good_options() const;
  void compile(const StudyRequest& request, const KernelCache* cache);
  void find_measures(const StudyRequest& request);
  std::vector<double> sizes_at(const ParameterValues& overrides) const;
  void compile_lanes(const StudyRequest& request, Level level, const KernelCache* cache);
  std::unique_ptr<Run> begin(std::uint64_t index, const std::atomic<bool>& stop) const;
  static rt::StudyRow row_of(std::uint64_t index, const Run& run, const rt::SimulationResult& result);
  template <class Work>
  rt::StudyRow guarded(std::uint64_t index, Work&& work) const;
  void run_in_lanes(rt::WorkQueue& queue, unsigned at_once, const std::atomic<bool>& stop) const;
  // Why there is no such run: laws that make no sense with these parameters. Empty if they do.
  static std::string fault(const SizedModel& model, const ParameterValues& overrides, const std::vector<double>& p);

  std::optional<ModelSource> source_;
  std::vector<SizedModel> models_;
  ParameterValues front_overrides_;                       // that the first of them was made with
  mutable std::mutex pools_;                              // expressions are looked at by one run at a time
  std::vector<std::size_t> size_parameters_;              // that sizes of arrays depend on
  std::map<std::vector<double>, std::size_t> by_size_;    // values of these -> model
  std::map<std::vector<double>, std::string> bad_sizes_;  // values of these -> why there is no model
  std::unique_ptr<Pipeline> failed_;                      // the last one with errors
  std::optional<StudyGrid> grid_;
  std::unique_ptr<LaneKernels> lanes_;  // null: runs are done one by one
};

}  // namespace nsmc
