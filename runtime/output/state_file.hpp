// A saved run as a file, in text that any machine reads back to the last bit: who wrote it, which model and settings it
// belongs to, parameters, the blocks of the run, and how much of the files of rows belongs to it. The file appears
// whole and is on the disk then (output_file.hpp).
//
//     nsmc state 1                  format; every line is a word and what belongs to it
//     program 0.2.0
//     model 5b1e...                 what the caller takes for the identity of the model
//     setting step 0.1[ms]
//     parameter m 2.2
//     output 18234 200 out.csv      bytes and rows until then, and the name of a file
//     run 1                         SavedRun::version
//     block state 7 3               name, reals, integers; their bits in hexadecimal follow, eight to a line
//     ...
//     checksum 8c6a...              of all bytes before
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "runtime/saved_run.hpp"

namespace nsmc::rt {

struct StateFile {
  std::string program;  // version of nsmc
  std::string model;    // identity, one word
  // As they were given, by name; what was not given is the model's.
  std::vector<std::pair<std::string, std::string>> settings, parameters;

  // A file of rows that the run was writing, up to where it was saved.
  struct Output {
    std::string name;
    std::uint64_t bytes = 0, rows = 0;
  };
  std::vector<Output> outputs;

  SavedRun run;
};

// The file is not there or cannot be read, is no such file, is damaged, or is of another version. The message names the
// file and says which.
struct StateFileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void write_state_file(const std::string& path, const StateFile& state);  // throws OutputError
StateFile read_state_file(const std::string& path);                      // throws StateFileError

}  // namespace nsmc::rt
