// What stands behind nsmc::Study: a model, compiled once for each size of its arrays, a grid of parameters and
// settings, and what is measured. Constant once it is made; its runs may be done in any order and by several threads at
// a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/api/measure_text.hpp"
#include "compiler/api/model_impl.hpp"
#include "compiler/api/study_axes.hpp"
#include "runtime/study/worker_pool.hpp"

namespace nsmc {

class Study::Impl {
 public:
  // front: the model as the first run has it (Model::at_start_of). Throws ModelError, SettingError.
  Impl(std::shared_ptr<const Model::Impl> front, const StudyRequest& request);

  const StudyGrid& grid() const { return *grid_; }
  const std::vector<StudyAxis>& axes() const { return axes_; }
  const std::vector<std::string>& measures() const { return models_.front().measures.names; }
  const Model::Impl& front() const { return *models_.front().model; }
  const StudyRequest& request() const { return request_; }

  std::size_t compilations() const { return models_.size(); }
  std::size_t cached_compilations() const;
  double compile_seconds() const;

  // Runs that a thread has in hand at once: 1, or those of the lanes of a SIMD register, if there are enough for all
  // threads.
  unsigned at_once(std::uint64_t runs, unsigned threads) const;
  bool exact_lanes() const { return lanes_ == nullptr || lanes_->table().exact != 0; }
  unsigned lanes() const { return lanes_ == nullptr ? 1 : lanes_->table().lanes; }

  // Threads that do the runs. Each run is a row; a run that fails is a row with its reason.
  rt::Crew crew(std::uint64_t runs, unsigned threads, const std::atomic<bool>& stop) const;

 private:
  // The model with arrays of one size.
  struct SizedModel {
    std::shared_ptr<const Model::Impl> model;
    const Equations* equations = nullptr;
    const Kernels* kernels = nullptr;
    NamedMeasures measures;
    std::vector<std::size_t> law_parameters;                        // that the checks of the laws depend on
    mutable std::map<std::vector<double>, std::string> law_faults;  // by their values; under the mutex of the front
  };
  struct Run;

  bool add(std::shared_ptr<const Model::Impl> model);
  void add_sizes();
  void add_size(const ParameterValues& overrides);
  rt::SimulationOptions first_good_options() const;
  const KernelCache* cache() const { return front().cache ? &*front().cache : nullptr; }
  void compile();
  void find_measures();
  std::vector<double> sizes_at(const ParameterValues& overrides) const;
  void compile_lanes(Level level);
  std::unique_ptr<Run> begin(std::uint64_t index, const std::atomic<bool>& stop) const;
  static rt::StudyRow row_of(std::uint64_t index, const Run& run, const rt::SimulationResult& result);
  rt::StudyRow run(std::uint64_t index, const std::atomic<bool>& stop) const;
  template <class Work>
  rt::StudyRow guarded(std::uint64_t index, Work&& work) const;
  void run_in_lanes(rt::WorkQueue& queue, unsigned at_once, const std::atomic<bool>& stop) const;
  // Why there is no such run: laws that make no sense with these parameters. Empty if they do.
  static std::string fault(const SizedModel& model, const ParameterValues& overrides, const std::vector<double>& p);

  StudyRequest request_;
  std::vector<SizedModel> models_;  // the first one is the front, under whose mutex expressions of all are looked at
  std::vector<std::size_t> size_parameters_;              // that sizes of arrays depend on
  std::map<std::vector<double>, std::size_t> by_size_;    // values of these -> model
  std::map<std::vector<double>, std::string> bad_sizes_;  // values of these -> why there is no model
  std::optional<StudyGrid> grid_;
  std::vector<StudyAxis> axes_;
  std::unique_ptr<LaneKernels> lanes_;  // null: runs are done one by one
};

}  // namespace nsmc
