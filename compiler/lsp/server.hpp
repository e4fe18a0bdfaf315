// The language server: messages in, messages out, until the client says exit. Answers come from features/; checks run
// on threads of their own (checker.hpp), so that nothing here waits long.
#pragma once

#include <istream>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace nsmc::lsp {

struct Options {
  std::vector<std::string> import_paths;     // folders, besides that of a model, that imports may come from
  std::optional<std::string> models_folder;  // where the standard library is on the disk, in std/
};

// Returns the exit code of the protocol: 0 if shutdown came before exit, else 1.
int serve(std::istream& in, std::ostream& out, const Options& options);

}  // namespace nsmc::lsp
