// Files in and out; every trouble is a FileError with the path and the reason of the operating system.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>

#include "nsmc/errors.hpp"
#include "nsmc/files.hpp"
#include "runtime/output/output_file.hpp"

namespace nsmc {

// The whole file. Reads at most `limit` + 1 bytes, so that a huge file costs no more.
std::string read_file(const std::string& path, std::size_t limit);
// The same of what is neither a pipe nor a device: these are refused, and never waited for.
std::string read_regular_file(const std::string& path, std::size_t limit);
// A pipe, a device, a socket.
bool is_stream(const std::string& path);
std::string read_stream(std::FILE* file, const std::string& name, std::size_t limit);

// What `write` throws of files becomes a FileError.
template <class Write>
decltype(auto) as_file_errors(Write&& write) {
  try {
    return write();
  } catch (const rt::OutputError& error) {
    throw FileError(error.what());
  }
}

// False if there is nothing to replace: standard output, a device, a pipe.
bool is_replaceable(const std::string& path);
// The text as the whole of a file; what can be replaced is replaced in one step: a reader sees the old text or the new.
void write_file(const std::string& path, const std::string& text);
// The same; pipes and devices are refused.
void replace_file(const std::string& path, const std::string& text);

// Whether two names are those of one file, which may not be there yet. Devices and pipes can be shared.
bool is_same_file(const std::string& a, const std::string& b);

}  // namespace nsmc
