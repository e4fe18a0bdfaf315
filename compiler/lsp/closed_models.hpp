// The models that nobody has open: where else a name may be used.
#pragma once

#include <string>
#include <vector>

namespace nsmc::lsp {

// The files below these folders that end in .nsm and import something: hidden folders, node_modules and links are left
// out, and so is what lies behind the first 20000 entries of a folder.
std::vector<std::string> importing_files(const std::vector<std::string>& folders);

}  // namespace nsmc::lsp
