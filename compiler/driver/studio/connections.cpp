#include "compiler/driver/studio/connections.hpp"

#include <arpa/inet.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <charconv>
#include <filesystem>
#include <string>

namespace nsmc::studio {

namespace fs = std::filesystem;

std::map<int, int> Connections::present() const {
  std::map<int, int> sockets;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc/self/fd", error)) {
    const std::string name = entry.path().filename().string();
    int socket = -1;
    std::from_chars(name.data(), name.data() + name.size(), socket);
    sockaddr_in here{}, there{};
    socklen_t size = sizeof here;
    if (getsockname(socket, reinterpret_cast<sockaddr*>(&here), &size) != 0) continue;
    if (here.sin_family != AF_INET || ntohs(here.sin_port) != port_) continue;
    size = sizeof there;
    if (getpeername(socket, reinterpret_cast<sockaddr*>(&there), &size) == 0) sockets[ntohs(there.sin_port)] = socket;
  }
  return sockets;
}

void Connections::admit(int peer) {
  const std::lock_guard lock(mutex_);
  admitted_.insert(peer);
}

void Connections::cut_strangers() {
  const std::map<int, int> sockets = present();
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  // Ports of connections that are over will belong to others.
  std::erase_if(admitted_, [&](int peer) { return !sockets.contains(peer); });
  std::erase_if(since_, [&](const auto& one) { return !sockets.contains(one.first); });
  std::size_t strangers = 0;
  for (const auto& [peer, socket] : sockets) {
    if (admitted_.contains(peer)) continue;
    // Whose bytes nobody has read yet waits for a thread, and is not silent.
    int unread = 0;
    const bool waits = ioctl(socket, FIONREAD, &unread) == 0 && unread > 0 && !since_.contains(peer);
    const bool late = !waits && now - since_.try_emplace(peer, now).first->second > patience_;
    if (late || ++strangers > most_) shutdown(socket, SHUT_RDWR);
  }
}

void Connections::cut_all() {
  for (const auto& [peer, socket] : present()) shutdown(socket, SHUT_RDWR);
}

}  // namespace nsmc::studio
