// A model: from a file or a text to everything that a caller may know of it and do with it. Nothing here prints, exits,
// or keeps anything outside of its objects; models, and runs of one model, may be used from several threads at once.
//
//     nsmc::Model model = nsmc::Model::open("ball.nsm");
//     if (!model.ok()) std::cerr << model.diagnostics_text();
//     nsmc::Table table;
//     nsmc::RunResult result = model.run({.overrides = {{"e", 0.5}}, .settings = {{"until", 2}}}, table);
//     double height = table.column("z").back();
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nsmc/diagnostics.hpp"
#include "nsmc/errors.hpp"
#include "nsmc/files.hpp"
#include "nsmc/run.hpp"
#include "nsmc/scene.hpp"
#include "nsmc/settings.hpp"
#include "nsmc/study.hpp"

namespace nsmc {

struct SourceInfo {
  std::string file;  // as it was found; the name of a text
  std::string text;
};

// A name of the model. What does not apply or is not known, because of errors, is empty.
struct SymbolInfo {
  std::string name;
  std::string kind;         // "parameter", "coordinate", "law", ...
  Place declared;           // the name
  Place declaration;        // all of it; a local name is known in here only
  std::vector<Place> uses;  // in the files of the model, without the declaration
  std::string doc;
  std::string type;                            // "a number", "a vector of 3"; the kind of a body, shape or joint
  std::string unit;                            // as declared
  std::optional<double> value, value_in_unit;  // SI, and in its unit
  std::vector<std::string> arguments;          // of a function, a set or a law
  std::vector<std::string> members;            // what may stand behind the name and a dot
  bool local = false, array = false, library = false;
};

struct ParameterInfo {
  std::string name, doc;
  std::string unit;         // in SI, "1" for a pure number
  double value = 0;         // SI
  std::string expression;   // of other parameters; empty: a number
  bool structural = false;  // sizes of arrays depend on it
  Place place;
  std::optional<std::pair<double, double>> bounds;  // `in 0..1`: where it makes sense, SI
  bool input = false;                               // it may change during a run; the value: where it starts
};

// A coordinate or a velocity; of an array the first element.
struct VariableInfo {
  std::string name, doc, unit;
  double initial = 0;  // SI
  Place place;
};

struct EventDescription {
  std::string text, doc;  // "when x > 1 { k := 1 }"
};

struct BodyInfo {  // a body, or a block of coordinates that belong together
  std::string name, doc;
  std::size_t count = 1;  // of an array
  bool array = false;
  Place place;
};

struct LawInfo {
  std::string name;
  std::string text;                                         // the inclusion
  std::vector<std::pair<std::string, std::string>> parts;   // what is named in it
  std::vector<std::pair<std::string, std::string>> forces;  // name and unit
};

struct ContactInfo {
  std::string name, doc;
  std::size_t count = 1;  // of an array
  bool array = false;
  bool always_closed = false;  // no gap, or bilateral
  std::vector<LawInfo> laws;
};

struct OutputInfo {
  std::string name, doc, unit;
};

struct ColumnInfo {        // of a recorded row
  std::string name, unit;  // unit: empty where it follows from the model's energies, for gaps and the energy
};

struct SettingInfo {
  std::string name, help, standard;  // standard: what is taken if nothing is given, in words
  std::string unit;                  // "s", or "1"
  std::vector<std::string> words;    // that it may be; empty: a number, or a flag
  std::optional<Value> written;      // by the model, with its own parameters
};

struct ModelSize {  // with all elements of arrays
  std::size_t parameters = 0, coordinates = 0, velocities = 0, contacts = 0;
};

// Where compiled kernels are kept from program to program; no directory: nowhere.
struct Cache {
  std::string directory{};
  std::uint64_t bytes = std::uint64_t{256} << 20;  // that all of them may take
};
// NSMC_CACHE_DIR, else nsmc/ in XDG_CACHE_HOME, else ~/.cache/nsmc; NSMC_CACHE_MB bounds its size.
Cache cache_of_environment();

struct ModelOptions {
  Overrides overrides{};  // of all that is done with the model; sizes of arrays may depend on them
  FileProvider files = files_on_disk();
  std::vector<std::string> import_paths{};  // folders, besides that of the model, that imports may come from
  Cache cache{};
  bool scene = false;  // with what can be seen: scene(), and columns of runs for whatever moves in it
};

class Model {
 public:
  // Throws FileError if the file itself cannot be read, SettingError for overrides that do not fit. Errors in the model
  // are diagnostics.
  static Model open(const std::string& path, const ModelOptions& options = {});
  static Model from_text(const std::string& text, const std::string& name = "model.nsm",
                         const ModelOptions& options = {});

  bool ok() const;  // no errors
  std::vector<DiagnosticInfo> diagnostics() const;
  std::string diagnostics_text(bool colour = false) const;  // with the source line and a caret, as `nsmc check` prints
  std::string diagnostics_json() const;                     // as `nsmc check --json` prints
  std::vector<SourceInfo> sources() const;  // its files, and those that it imports; empty if they could not be read

  // The names in it, also of a model with errors, as far as it could be read.
  std::vector<SymbolInfo> symbols() const;

  // What is in it. Empty for a model with errors.
  std::string name() const, doc() const;
  ModelSize size() const;
  std::vector<ParameterInfo> parameters(const Overrides& overrides = {}) const;  // beside its own
  std::vector<VariableInfo> coordinates() const, velocities() const;
  std::vector<VariableInfo> states() const, discrete() const;  // discrete: variables that change by events
  std::vector<EventDescription> events() const;
  std::vector<BodyInfo> bodies() const;
  std::vector<ContactInfo> contacts() const;
  std::vector<OutputInfo> outputs() const;
  std::vector<ColumnInfo> columns() const;    // what a run records
  std::vector<SettingInfo> settings() const;  // all that there are
  std::vector<std::string> gauges() const;    // that are roots of equations, as text

  // What can be seen, of a model that was opened with ModelOptions::scene; with these overrides beside its own. Throws
  // ModelError, SettingError.
  Scene scene(const Overrides& overrides = {}) const;
  Model with_scene() const;  // the same model, opened so

  // A stage of the compilation as text: ast, model, scene, equations, latex, llvm, asm, step, step-asm, c. Throws
  // ModelError, and SettingError for a stage that this model does not have.
  std::string emit(const std::string& stage) const;

  // Runs. Throw ModelError for a model with errors, also if it has them only with these overrides; SettingError;
  // and whatever the recorder throws.
  RunResult run(const RunRequest& request = {}) const;
  RunResult run(const RunRequest& request, Recorder& recorder) const;

  // A run in the hand of the caller. Rows go to the recorder, if there is one, which must outlive the run.
  Run start(const RunRequest& request = {}, Recorder* recorder = nullptr) const;
  // The same from where another one was saved, with its parameters and settings where the request has no others. Throws
  // SettingError, too, if the state is of another model or method.
  Run resume(const SavedState& state, const RunRequest& request = {}, Recorder* recorder = nullptr) const;

  // `finished` sees rows as they come, on the thread of the caller.
  StudyResult study(const StudyRequest& request, const std::function<void(const StudyRow&)>& finished = {}) const;
  // The same in two: what can be known before the runs, and the runs.
  Study prepare(const StudyRequest& request) const;
  std::vector<StudyAxis> axes(const StudyRequest& request) const;  // these alone, nothing is compiled
  // The model as the first run of a study has it, or with its own parameters if it has errors then. Its diagnostics are
  // those of the study.
  Model at_start_of(const StudyRequest& request) const;

  struct Impl;
  const Impl& impl() const { return *impl_; }  // for nsmc itself

 private:
  explicit Model(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<const Impl> impl_;  // copies are the same model
};

}  // namespace nsmc
