// What the program can be told, as a value: its commands and their options, with words and help. It is read off the
// options that the command line is parsed by, so that manual pages and completions have what the program has.
#pragma once

#include <string>
#include <vector>

namespace nsmc {

struct OptionText {
  std::vector<std::string> names;  // "-o", "--output"; of an argument without dashes: its name
  std::string placeholder;         // "FILE"; empty: takes no value
  std::string help, fallback;      // fallback: what holds if it is not given
  std::vector<std::string> words;  // the only ones that it takes; empty: any
  bool positional = false, required = false, repeated = false;
};

struct CommandText {
  std::string name, doc, example;
  std::vector<OptionText> options;
};

struct CommandLine {
  std::string version;
  std::vector<OptionText> options;  // of the program itself
  std::vector<CommandText> commands;
};

}  // namespace nsmc
