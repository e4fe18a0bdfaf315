#include "compiler/driver/stop_signal.hpp"

#include <csignal>

namespace nsmc {
namespace {

std::atomic<bool> g_stop{false};

void ask_to_stop(int) { g_stop.store(true, std::memory_order_relaxed); }

}  // namespace

std::atomic<bool>& stop_on_signals() {
  std::signal(SIGINT, ask_to_stop);
  std::signal(SIGTERM, ask_to_stop);
  if (std::signal(SIGHUP, ask_to_stop) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);  // nohup: it goes on
  return g_stop;
}

}  // namespace nsmc
