// Where the texts of models come from.
#pragma once

#include <functional>
#include <map>
#include <string>

namespace nsmc {

// The text of the file at `path`, as an import names it relative to the file that imports. Throws FileError if there is
// none. Must be callable from several threads if models are.
using FileProvider = std::function<std::string(const std::string& path)>;

FileProvider files_on_disk();                                            // regular files only: no pipes, no devices
FileProvider files_in_memory(std::map<std::string, std::string> texts);  // by path, and no others

}  // namespace nsmc
