// Runs of a model: what is asked for, what comes of it, and where rows go.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "nsmc/settings.hpp"

namespace nsmc {

// Where recorded rows go.
class Recorder {
 public:
  virtual ~Recorder() = default;
  virtual void begin(const std::vector<std::string>& /*columns*/) {}  // their names, once
  virtual void record(double t, std::span<const double> columns) = 0;
};

// Rows in memory.
class Table final : public Recorder {
 public:
  void begin(const std::vector<std::string>& columns) override;
  void record(double t, std::span<const double> columns) override;

  const std::vector<std::string>& names() const { return names_; }
  std::size_t rows() const { return t.size(); }
  const std::vector<double>& column(const std::string& name) const;  // throws SettingError

  std::vector<double> t;
  std::vector<std::vector<double>> columns;  // in the order of names()

 private:
  std::vector<std::string> names_;
};

// Rows in memory as one block, row after row: a column, and a vector whose components are columns side by side, can be
// looked at where they are.
class RowBlock final : public Recorder {
 public:
  void begin(const std::vector<std::string>& columns) override { names_ = columns; }
  void record(double t, std::span<const double> columns) override;

  const std::vector<std::string>& names() const { return names_; }
  std::size_t rows() const { return t.size(); }

  // As `nsmc run -o` writes them; the file appears whole. Throws FileError.
  void write_csv(const std::string& path) const;

  std::vector<double> t;
  std::vector<double> values;  // names().size() for each row

 private:
  std::vector<std::string> names_;
};

// A moment at which a contact changes what it does, of method event.
struct EventInfo {
  double t = 0;
  std::string contact, kind;          // "impact", "closing", "take_off", "stick", "slip", "turn"
  std::vector<double> before, after;  // velocities of the contact, one for each row of its laws
  std::vector<double> percussion;     // of an impact
};

// Where events go that a run must have: one by another method is refused (SettingError "events").
class EventRecorder {
 public:
  virtual ~EventRecorder() = default;
  virtual void begin(std::size_t /*velocities*/) {}  // of the largest contact, once
  virtual void record(const EventInfo& event) = 0;
};

class ContactProblemFiles;

struct RunRequest {
  Overrides overrides{};               // beside those of the model
  Settings settings{};                 // what is absent is as the model says
  Inputs inputs{};                     // those that follow samples; the others keep the value of their parameter
  std::vector<std::string> outputs{};  // columns to record, a vector by its name; empty: all
  // About so many, at equal distances in time, if settings do not say which; 0: as the model says.
  std::size_t rows = 0;
  const std::atomic<bool>* stop = nullptr;                 // set from outside, asks the run to end
  std::function<void(double t, double until)> progress{};  // called about every 0.1 s
  std::function<void(const EventInfo&)> event{};           // of method event, if there are any
  EventRecorder* events = nullptr;
  ContactProblemFiles* problems = nullptr;  // nsmc/run_files.hpp
  bool endless = false;                     // of a run in the hand of the caller: no `until` ends it
};

enum class RunEnd : std::uint8_t {
  finished,
  interrupted,        // by `stop`
  numerical_failure,  // the message says what, in which step, at which time, where
  strict_failure,     // setting `strict`, and a warning
};

// What is doubtful about a run: its code (docs/diagnostics.md), how often, how bad, when and where.
struct RunWarning {
  std::string code;  // "R0201", stable
  std::string message;
};

// Where the energy of a run went: energy_last - energy_first = supplied - the sum of the losses + rest.
struct EnergyShares {
  bool counted = false;  // setting `energy`, columns that tell it, or where it costs next to nothing
  std::vector<std::pair<std::string, double>> losses;  // by law, of all contacts together, and "damping"; largest first
  double supplied = 0;                                 // by given forces, and whatever moves by itself
  double rest = 0;                                     // what the method has gained or lost
};

struct RunSummary {
  std::uint64_t steps = 0, steps_with_contact = 0;
  std::uint32_t closed_max = 0;
  double closed_mean = 0;  // closed contacts per step
  int iterations_max = 0;
  double iterations_mean = 0;  // per step with contact
  std::uint64_t iterations_total = 0, newton_steps = 0;
  std::uint64_t unconverged_steps = 0;
  double worst_residual = 0, worst_time = 0;
  std::string worst_contact;
  double position_error = 0, position_time = 0;  // of constraints, after a step
  std::string position_contact;                  // empty: there are none
  // Of method event; with an accuracy, steps that were taken, and steps of the method that this took in all.
  std::uint64_t internal_steps = 0, evaluations = 0;
  // With an accuracy: steps that were done again, steps with switching points, those of them that were not as accurate
  // as asked for, the shortest and the longest step.
  std::uint64_t rejected_steps = 0, switching_steps = 0, forced_steps = 0;
  double shortest_step = 0, longest_step = 0;
  std::vector<std::pair<std::string, std::uint64_t>> events;
  double energy_first = 0, energy_last = 0, energy_min = 0, energy_max = 0;  // over the recorded rows
  EnergyShares energy;
  // Of methods moreau and rk, by looks between steps: the deepest penetration, where (empty: none) and when, how
  // often positions of contacts were put right, how far the energy rose above its lowest value before.
  bool watched = false;
  double penetration = 0, penetration_time = 0;
  std::string penetration_contact;
  double penetration_share = 0;  // of the smallest length of the shapes that touch there; 0: it has no shapes
  std::uint64_t corrections = 0;
  double energy_rise = 0;
  bool stopped = false;    // by a `stop when` of the model,
  std::string stopped_by;  // for this reason
  double stop_time = 0;
  double wall_seconds = 0;
  std::vector<RunWarning> warnings;
};

struct RunResult {
  RunEnd end = RunEnd::finished;
  std::string message;  // of a failure
  RunSummary summary;
  double step = 0, until = 0;  // as they were used
  std::string method, solver;
  std::string tableau;                       // of method rk
  double accuracy = 0;                       // of the steps; 0: they are fixed
  bool default_steps = false;                // nobody chose a method, a step or an accuracy
  double tolerance = 0, rtol = 0, atol = 0;  // of the solver, and of the smooth motion of method event
  double compile_seconds = 0;                // of the model, until the run was made
  bool cached = false;                       // its machine code was there before
};

// A file of rows that a run was writing, up to where it was saved.
struct KeptFile {
  std::string name;
  std::uint64_t bytes = 0, rows = 0;
};

// Everything from which a run goes on bit for bit, in this process or in another.
class SavedState {
 public:
  static SavedState read(const std::string& path);  // throws FileError
  void write(const std::string& path) const;        // throws FileError; the file appears whole

  std::string program() const;  // version of nsmc that saved it
  Overrides overrides() const;  // all that the run had, of its model, too
  Settings settings() const;
  std::vector<KeptFile> files() const;  // that it was writing

  struct Data;
  explicit SavedState(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  const Data& data() const { return *data_; }

 private:
  std::shared_ptr<const Data> data_;
};

// A run in the hand of the caller (Model::start): step, look, change parameters, save. Numerical trouble ends it:
// step() and advance() return false, and result() says why. To be used by one thread at a time.
class Run {
 public:
  ~Run();
  Run(Run&&) noexcept;
  Run& operator=(Run&&) noexcept;

  // One step, or to the first time of the run at t or later, at most to its end. False if it is over before that.
  bool step();
  bool advance(double t);
  // To the last time from which a run can go on bit for bit: not beyond a last step that is shorter than the others.
  bool advance_to_last_time();
  bool is_over() const;
  bool is_interrupted() const;  // by RunRequest::stop

  double t() const;
  double until() const;  // infinite if the run is endless
  std::uint64_t steps() const;

  // How many of the columns, from the first on, are coordinates q and then velocities u: the state.
  std::size_t coordinates() const;
  std::size_t velocities() const;

  // At the present state: coordinates, velocities, gaps, forces, the energy and outputs, by the names of columns.
  const std::vector<std::string>& columns() const;
  std::span<const double> row();            // all of them; valid until the next call
  double value(const std::string& column);  // throws SettingError
  std::vector<std::string> closed() const;  // contacts, in the last step

  // From the next step on. Inputs are set at once, and follow samples no longer; other parameters take more. Throws
  // SettingError, also for parameters that sizes of arrays depend on, and ModelError for values that a law does not
  // allow.
  void set(const Overrides& parameters);

  SavedState save(const std::vector<KeptFile>& files = {});

  // Records the last good state, if it was not, and sums up.
  RunResult result();

  struct Impl;
  explicit Run(std::unique_ptr<Impl> impl);
  Impl& impl() { return *impl_; }  // for nsmc itself

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace nsmc
