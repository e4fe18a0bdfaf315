// Files that a command writes are not those that it reads, and no two of them are the same.
#pragma once

#include <string>
#include <vector>

#include "nsmc/model.hpp"

namespace nsmc {

struct NamedFile {
  std::string option;  // "--events", for messages
  std::string path;    // empty or "-": none
};

// Throws UsageError, before anything is written, if one of `targets` is a file of the model or one of `others` that are
// read, and if two of them are one file.
void require_apart(const std::vector<NamedFile>& targets, const Model& model,
                   const std::vector<NamedFile>& others = {});

}  // namespace nsmc
