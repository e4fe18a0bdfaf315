// A model file and everything it imports, parsed. Imports are found beside the file that names them, then in the
// folders that the caller gives; the standard library is part of the program.
//
// A model can do nothing but compute: what it imports stays, with links followed, below its own folder or one of those
// folders, and depth, number and size of all imports are bounded (compiler/syntax/limits.hpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/model/check.hpp"
#include "compiler/support/diagnostics.hpp"
#include "compiler/support/source.hpp"
#include "nsmc/files.hpp"

namespace nsmc {

// A model as its text or, without one, as the file of this name; and where its imports come from.
struct ModelSource {
  ModelSource(std::string path) : name(std::move(path)) {}  // NOLINT: a path is a source
  ModelSource(const char* path) : name(path) {}             // NOLINT
  ModelSource(std::string as, std::string its_text, FileProvider imports = files_on_disk())
      : name(std::move(as)), text(std::move(its_text)), files(std::move(imports)) {}

  std::string name;
  std::optional<std::string> text;
  FileProvider files = files_on_disk();
  std::vector<std::string> import_paths{};  // folders besides that of the model
};

// Nothing after errors; throws FileError if the model itself cannot be read.
std::optional<SourceModels> load(const ModelSource& source, Sources& sources, Diagnostics& diagnostics);

// The same as far as it could be read, for the names in a model that is being written.
SourceModels load_partly(const ModelSource& source, Sources& sources, Diagnostics& diagnostics);

}  // namespace nsmc
