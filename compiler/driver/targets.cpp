#include "compiler/driver/targets.hpp"

#include <fmt/core.h>

#include "compiler/api/files.hpp"
#include "compiler/driver/usage_error.hpp"

namespace nsmc {

void require_apart(const std::vector<NamedFile>& targets, const Model& model, const std::vector<NamedFile>& others) {
  std::vector<std::string> files;
  for (const SourceInfo& source : model.sources()) files.push_back(source.file);
  if (!files.empty() && files.front() == "<stdin>") files.front() = "/dev/stdin";  // nsmc run - <model -o model
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const NamedFile& target = targets[i];
    for (const std::string& file : files) {
      if (is_same_file(target.path, file))
        throw UsageError(
            fmt::format("{} {} would overwrite a file of the model; nothing was written", target.option, target.path));
    }
    for (const NamedFile& other : others) {
      if (is_same_file(target.path, other.path))
        throw UsageError(fmt::format("{} {} would overwrite the file of {}; nothing was written", target.option,
                                     target.path, other.option));
    }
    for (std::size_t k = 0; k < i; ++k) {
      if (is_same_file(targets[k].path, target.path))
        throw UsageError(
            fmt::format("{} and {} cannot share the file {}", target.option, targets[k].option, target.path));
    }
  }
}

}  // namespace nsmc
