// From the options of CLI11 to a value.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "compiler/driver/command_line.hpp"

namespace nsmc {

CommandLine read_command_line(const CLI::App& app, const std::string& version);

}  // namespace nsmc
