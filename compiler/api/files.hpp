// Files in and out; every trouble is a FileError with the path and the reason of the operating system.
#pragma once

#include <stdexcept>
#include <string>

namespace nsmc {

struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The whole file; "-" is standard input. Reads at most `limit` + 1 bytes, so that a huge file costs no more.
std::string read_file(const std::string& path, std::size_t limit);

// Replaces the file in one step: a reader sees the old text or the new.
void replace_file(const std::string& path, const std::string& text);

// Whether two names are those of one file, which may not be there yet. Devices and pipes can be shared.
bool is_same_file(const std::string& a, const std::string& b);

}  // namespace nsmc
