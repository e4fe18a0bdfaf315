// What depends on whether a person watches: colours and the progress bar.
#pragma once

#include <string>

#include "compiler/driver/pipeline.hpp"

namespace nsmc {

bool is_terminal(int descriptor);

// Diagnostics of the compilation to standard error.
void print_diagnostics(const Pipeline& pipeline);

// "1 error", "3 errors"
std::string counted(std::size_t n, const char* noun);

}  // namespace nsmc
