// What the pages of a studio can ask for, as functions of texts: files, the diagnostics of a text that is being
// written, and runs of it. Nothing here knows of sockets.
#pragma once

#include <atomic>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>

#include "compiler/driver/studio/guard.hpp"
#include "nsmc/editing.hpp"
#include "nsmc/model.hpp"

namespace nsmc::studio {

// The answer to a request that cannot be met: a code of HTTP and a sentence.
struct Refusal : std::runtime_error {
  Refusal(int with, const std::string& why) : std::runtime_error(why), status(with) {}
  int status;
};

// The bytes that a model may have here; larger ones are for the command line.
constexpr std::size_t most_bytes = std::size_t{1} << 20;

// Tells whether a text is still the same.
std::string version_of(const std::string& text);

// A text as a string of JSON.
std::string quoted(const std::string& text);

class Session {
 public:
  // `examples`: models that can be opened and not written; may be missing.
  Session(const std::filesystem::path& folder, const std::optional<std::filesystem::path>& examples,
          std::string first_model);

  // {"folder", "first", "files": [...], "examples": [{"name", "doc"}]}
  std::string files() const;
  // Names of examples begin with "/examples/", which no file below a folder does.
  std::string read(const std::string& name) const;
  // In the place of the text with this version; without one, where there is no file yet. Refuses with 412 if another
  // text has come there meanwhile.
  void write(const std::string& name, const std::string& text, const std::string& version) const;

  // {"ok", "name", "diagnostics": [...], "parameters": [...], "settings": [...]} of a text that
  // stands in the file `name`, whether it was saved or not. Imports come from the folder.
  std::string check(const std::string& name, const std::string& text);

  // What fits at a byte of the text, {"begin", "end", "items": [{"text", "kind", "detail", "doc", "rank"}]}, and what
  // is known of the word there, {"begin", "end", "title", "text", "formulas"} or null: what nsmc/editing.hpp says.
  std::string complete(const std::string& name, const std::string& text, std::size_t at) const;
  std::string explain(const std::string& name, const std::string& text, std::size_t at);

  // Runs what `request` has, {"name", "text", "overrides": {}, "settings": {}}, and returns the data of its page, as of
  // `nsmc view`. Throws Refusal for what does not fit.
  std::string run(const std::string& request, const std::atomic<bool>& stop,
                  const std::function<void(double t, double until)>& progress);

 private:
  // A model without errors, with its scene once it was run, as long as the files that it imports stay as they are.
  struct Kept {
    std::string name, text;
    Model model;
    std::optional<Model> seen;
    std::map<std::string, std::filesystem::file_time_type> imports;

    bool is_of(const std::string& other_name, const std::string& other_text) const;
  };
  // The model of a text; the last ones stay compiled, so that only parameters change when a slider is moved.
  Model model_of(const std::string& name, const std::string& text);
  Model seen_model_of(const std::string& name, const std::string& text, const Model& model);
  std::filesystem::path place_of(const std::string& name) const;
  Names names(const std::string& name, const std::string& text, std::size_t at) const;

  std::string examples() const;

  Folder folder_;
  std::optional<Folder> examples_;
  mutable std::once_flag examples_read_;
  mutable std::string examples_list_;
  std::string first_;
  std::mutex mutex_;
  std::list<Kept> kept_;  // the last used first
};

}  // namespace nsmc::studio
