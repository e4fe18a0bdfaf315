// Where an editor can open the standard library, which is part of the program: the file that nsmc was built from or
// that was installed with it, if it is the same; else a copy beside the compiled kernels.
#pragma once

#include <map>
#include <optional>
#include <string>

namespace nsmc::lsp {

class LibraryFiles {
 public:
  // The folder of models of the source or the installation, with std/ in it.
  explicit LibraryFiles(std::optional<std::string> models_folder) : models_folder_(std::move(models_folder)) {}

  // Of "std/laws.nsm"; nothing if it cannot be had.
  std::optional<std::string> path(const std::string& file) const;

 private:
  std::optional<std::string> models_folder_;
};

}  // namespace nsmc::lsp
