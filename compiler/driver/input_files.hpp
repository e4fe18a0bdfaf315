// Samples of inputs from files: --input F=force.csv, --input F=force.csv:held.
#pragma once

#include <string>

#include "nsmc/settings.hpp"

namespace nsmc {

// name=file, or name=value: a number is where the input starts and stays.
void take_input(const std::string& written, Overrides& overrides, Inputs& inputs);

// A CSV file of two columns, time and value, in SI; a first line of words is passed over. `written`: the path, and
// after a colon held, linear or cubic. Throws UsageError, FileError.
InputSamples read_input_file(const std::string& name, const std::string& written);

}  // namespace nsmc
