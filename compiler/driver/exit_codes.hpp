// The exit codes of nsmc; README.md and docs/commands.md say the same.
#pragma once

#include <array>
#include <string_view>

namespace nsmc {

enum ExitCode : int {
  kDone = 0,
  kModelErrors = 1,       // errors in the model
  kWrongUsage = 2,        // a wrong command line
  kNumericalFailure = 3,  // --strict and a warning, NaN, M not positive definite
  kFileTrouble = 4,       // a file that cannot be read or written
  kInternalError = 70,    // a bug of nsmc
  kInterrupted = 130,
};

struct ExitCodeText {
  ExitCode code;
  std::string_view meaning;
};

// As --help and manual pages say it.
inline constexpr std::array kExitCodeTexts{
    ExitCodeText{kDone, "done"},
    ExitCodeText{kModelErrors, "errors in the model"},
    ExitCodeText{kWrongUsage, "wrong usage"},
    ExitCodeText{kNumericalFailure, "numerical failure"},
    ExitCodeText{kFileTrouble, "file trouble"},
    ExitCodeText{kInternalError, "a bug of nsmc"},
    ExitCodeText{kInterrupted, "interrupted"},
};

}  // namespace nsmc
