// The words of the library in those of the command line.
#pragma once

#include <string>

namespace nsmc {

// A message of the library, in which names of settings stand between backquotes: "`inner_steps` belongs to `method`
// lie" becomes "--inner-steps belongs to --method lie".
std::string in_options(const std::string& message);

}  // namespace nsmc
