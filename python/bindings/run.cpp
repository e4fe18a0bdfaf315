// Runs: of one go, and in the hand of the caller.
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "nsmc/step_numbers.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/columns.hpp"

namespace nsmc::python {
namespace {

using namespace py::literals;

const char* word_of(RunEnd end) {
  switch (end) {
    case RunEnd::finished: return "finished";
    case RunEnd::interrupted: return "interrupted";
    case RunEnd::numerical_failure: return "numerical_failure";
    case RunEnd::strict_failure: return "strict_failure";
  }
  return "";
}

py::dict energy_dict(const EnergyShares& energy) {
  py::dict losses;
  for (const auto& [law, work] : energy.losses) losses[py::str(law)] = work;
  return py::dict("counted"_a = energy.counted, "losses"_a = losses, "supplied"_a = energy.supplied,
                  "rest"_a = energy.rest);
}

py::dict summary_dict(const RunSummary& s) {
  py::dict events;
  for (const auto& [kind, count] : s.events) events[py::str(kind)] = count;
  return py::dict(
      "steps"_a = s.steps, "steps_with_contact"_a = s.steps_with_contact, "closed_max"_a = s.closed_max,
      "closed_mean"_a = s.closed_mean, "iterations_max"_a = s.iterations_max, "iterations_mean"_a = s.iterations_mean,
      "iterations_total"_a = s.iterations_total, "newton_steps"_a = s.newton_steps,
      "unconverged_steps"_a = s.unconverged_steps, "worst_residual"_a = s.worst_residual, "worst_time"_a = s.worst_time,
      "worst_contact"_a = s.worst_contact, "position_error"_a = s.position_error, "position_time"_a = s.position_time,
      "position_contact"_a = s.position_contact, "internal_steps"_a = s.internal_steps, "evaluations"_a = s.evaluations,
      "rejected_steps"_a = s.rejected_steps, "switching_steps"_a = s.switching_steps, "forced_steps"_a = s.forced_steps,
      "shortest_step"_a = s.shortest_step, "longest_step"_a = s.longest_step, "events"_a = events,
      "energy_first"_a = s.energy_first, "energy_last"_a = s.energy_last, "energy_min"_a = s.energy_min,
      "energy_max"_a = s.energy_max, "energy"_a = energy_dict(s.energy), "watched"_a = s.watched,
      "penetration"_a = s.penetration, "penetration_time"_a = s.penetration_time,
      "penetration_contact"_a = s.penetration_contact, "penetration_share"_a = s.penetration_share,
      "corrections"_a = s.corrections, "energy_rise"_a = s.energy_rise, "wall_seconds"_a = s.wall_seconds);
}

py::list events_list(const std::vector<EventInfo>& events) {
  py::list list;
  for (const EventInfo& e : events)
    list.append(py::make_tuple(e.t, e.contact, e.kind, e.before, e.after, e.percussion));
  return list;
}

// (rows, events, result, what has ended it from outside)
py::tuple run(const Model& model, const py::dict& overrides, const py::dict& settings,
              const std::vector<std::string>& outputs, py::object progress, const py::dict& inputs) {
  Watch watch(std::move(progress));
  std::vector<EventInfo> events;
  RunRequest request = request_of(overrides, settings, outputs, inputs);
  request.stop = watch.stop();
  request.progress = [&watch](double t, double until) { watch.look(t, until); };
  request.event = [&events](const EventInfo& event) { events.push_back(event); };
  const auto rows = std::make_shared<RowBlock>();
  RunResult result;
  {
    const py::gil_scoped_release unlocked;
    result = model.run(request, *rows);
  }
  return py::make_tuple(rows, events_list(events), result_dict(result), watch.exception());
}

// A run in the hand of Python, which can go back to where it was saved.
class HeldRun {
 public:
  HeldRun(const Model& model, const py::dict& overrides, const py::dict& settings,
          const std::vector<std::string>& outputs, bool endless, const py::dict& inputs)
      : model_(model), watch_(py::none()) {
    RunRequest request = request_of(overrides, settings, outputs, inputs);
    request.endless = endless;
    watched(request);
    const py::gil_scoped_release unlocked;
    run_.emplace(model_.start(request));
    again_ = std::move(request);
    again_.overrides.clear();  // a saved state has them, and the settings
    again_.settings.clear();
    again_.inputs.clear();
  }

  bool step() {
    return moved([](Run& run) { return run.step(); });
  }
  bool advance(double t) {
    return moved([t](Run& run) { return run.advance(t); });
  }

  SavedState save() { return run_->save(); }
  void restore(const SavedState& state) {
    const py::gil_scoped_release unlocked;
    go_back(state);
  }
  void set(const py::dict& parameters) {
    const Overrides values = values_of(parameters);
    if (values.empty()) return;
    const py::gil_scoped_release unlocked;
    run_->set(values);
  }

  py::object value(const std::string& name) {
    const ColumnRange columns = find(name);
    if (columns.vector) {
      const std::span<const double> row = run_->row().subspan(columns.first, columns.count);
      return py::cast(buffer_of({row.begin(), row.end()}));
    }
    const double value = run_->row()[columns.first];
    return py::float_(std::isnan(value) ? run_->value(name) : value);  // which says why, where it is not counted
  }

  Buffer state() {
    const std::span<const double> row = run_->row().first(run_->coordinates() + run_->velocities());
    return buffer_of({row.begin(), row.end()});
  }

  py::object numbers() {
    const std::optional<StepNumbers> n = step_numbers(*run_);
    if (!n) return py::none();
    const std::size_t u = n->velocities.size(), rows = n->rows.size();
    const StepNumbers::Memory& memory = n->memory;
    return py::dict("t"_a = n->t, "dt"_a = n->dt, "velocities"_a = n->velocities, "contacts"_a = n->contacts,
                    "closed"_a = n->closed, "rows"_a = n->rows, "M"_a = buffer_of(memory.M, u, u),
                    "u"_a = buffer_of(memory.u), "h"_a = buffer_of(memory.h), "gaps"_a = buffer_of(n->gaps),
                    "W"_a = buffer_of(memory.W, u, rows), "V"_a = buffer_of(memory.V, u, rows),
                    "gamma"_a = buffer_of(memory.gamma), "Lambda"_a = buffer_of(memory.Lambda),
                    "G"_a = buffer_of(memory.G, rows, rows), "c"_a = buffer_of(memory.c), "symmetric"_a = n->symmetric,
                    "rank"_a = n->rank, "smallest_eigenvalue"_a = n->smallest_eigenvalue,
                    "largest_eigenvalue"_a = n->largest_eigenvalue);
  }

  py::dict result() { return result_dict(run_->result()); }
  Run& run() { return *run_; }

 private:
  void watched(RunRequest& request) {
    request.stop = watch_.stop();
    request.progress = [this](double t, double until) { watch_.look(t, until); };
  }

  template <class Move>
  bool moved(const Move& move) {
    bool goes_on = false;
    {
      const py::gil_scoped_release unlocked;
      goes_on = move(*run_);
      // A run that was interrupted ends. From where it stands, another one goes on.
      if (!goes_on && run_->is_interrupted()) go_back(run_->save());
    }
    if (watch_.stop()->load(std::memory_order_relaxed)) rethrow(watch_.exception());
    return goes_on;
  }

  void go_back(const SavedState& state) { run_.emplace(model_.resume(state, again_)); }

  ColumnRange find(const std::string& name) {
    const auto known = columns_.find(name);
    if (known != columns_.end()) return known->second;
    const std::optional<ColumnRange> columns = find_columns(run_->columns(), name);
    if (!columns) throw py::key_error("nothing is called '" + name + "'");
    return columns_[name] = *columns;
  }

  Model model_;
  Watch watch_;
  RunRequest again_;
  std::optional<Run> run_;
  std::unordered_map<std::string, ColumnRange> columns_;
};

void define_saved_state(py::module_& module) {
  py::class_<SavedState>(module, "SavedState", "Everything from which a run goes on bit for bit.")
      .def_static("read", &SavedState::read, "From a file that `write` or `nsmc run --save` has written.")
      .def("write", &SavedState::write, "Writes it to a file, which appears whole.")
      .def_property_readonly("program", &SavedState::program)
      .def_property_readonly("parameters",
                             [](const SavedState& state) {
                               py::dict values;
                               for (const auto& [name, value] : state.overrides())
                                 values[py::str(name)] = object_of(value);
                               return values;
                             })
      .def_property_readonly("settings", [](const SavedState& state) {
        py::dict values;
        for (const auto& [name, value] : state.settings()) values[py::str(name)] = object_of(value);
        return values;
      });
}

}  // namespace

RunRequest request_of(const py::dict& overrides, const py::dict& settings, const std::vector<std::string>& outputs,
                      const py::dict& inputs) {
  return {.overrides = values_of(overrides),
          .settings = values_of(settings),
          .inputs = inputs_of(inputs),
          .outputs = outputs};
}

py::dict result_dict(const RunResult& r) {
  py::list warnings;
  for (const RunWarning& warning : r.summary.warnings) warnings.append(py::make_tuple(warning.code, warning.message));
  return py::dict("end"_a = word_of(r.end), "message"_a = r.message, "summary"_a = summary_dict(r.summary),
                  "warnings"_a = warnings, "step"_a = r.step, "until"_a = r.until, "method"_a = r.method,
                  "solver"_a = r.solver, "tableau"_a = r.tableau, "accuracy"_a = r.accuracy,
                  "default_steps"_a = r.default_steps, "tolerance"_a = r.tolerance, "rtol"_a = r.rtol,
                  "atol"_a = r.atol, "compile_seconds"_a = r.compile_seconds, "cached"_a = r.cached);
}

void define_run(py::module_& module) {
  define_saved_state(module);
  module.def("run", &run);
  py::class_<HeldRun>(module, "Run")
      .def(py::init<const Model&, const py::dict&, const py::dict&, const std::vector<std::string>&, bool,
                    const py::dict&>())
      .def("step", &HeldRun::step, "One step. False if the run is over before that.")
      .def("advance", &HeldRun::advance, "t"_a,
           "To the first time of the run at t or later, at most to its end. False if it is over before that.")
      .def("save", &HeldRun::save, "All from which the run goes on bit for bit.")
      .def("restore", &HeldRun::restore, "state"_a, "Back to where it was saved, with the parameters of then.")
      .def("_set", &HeldRun::set)
      .def("_value", &HeldRun::value)
      .def("_state", &HeldRun::state)
      .def("_numbers", &HeldRun::numbers)
      .def("_result", &HeldRun::result)
      .def_property_readonly(
          "t", [](HeldRun& held) { return held.run().t(); }, "Time.")
      .def_property_readonly(
          "until", [](HeldRun& held) { return held.run().until(); }, "Where the run ends.")
      .def_property_readonly(
          "steps", [](HeldRun& held) { return held.run().steps(); }, "How many steps were done.")
      .def_property_readonly("is_over", [](HeldRun& held) { return held.run().is_over(); })
      .def_property_readonly(
          "closed", [](HeldRun& held) { return list_of(held.run().closed()); },
          "The contacts that were closed in the last step.")
      .def_property_readonly(
          "names", [](HeldRun& held) { return list_of(held.run().columns()); }, "What can be asked for by name.")
      .def_property_readonly("_coordinates", [](HeldRun& held) { return held.run().coordinates(); });
}

}  // namespace nsmc::python
