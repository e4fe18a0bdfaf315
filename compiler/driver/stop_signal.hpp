// Ctrl-C, SIGTERM and SIGHUP (the terminal closes) ask a command to come to an end with what it has.
#pragma once

#include <atomic>

namespace nsmc {

// From now on these signals set the flag and do nothing else.
std::atomic<bool>& stop_on_signals();

}  // namespace nsmc
