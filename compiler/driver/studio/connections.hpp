// Who is connected to the studio's port. A connection takes a thread of the server as long as it lasts, also one that
// says nothing or a byte every few seconds; so strangers, who have not shown the token, are cut off after a while, and
// everybody is when the studio ends.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <set>

namespace nsmc::studio {

class Connections {
 public:
  // Of the local port. `most`: strangers beyond these go at once.
  Connections(int port, std::chrono::milliseconds patience, std::size_t most)
      : port_(port), patience_(patience), most_(most) {}

  // A request with the token came from this port of the other side.
  void admit(int peer);
  void cut_strangers();
  void cut_all();

 private:
  using Clock = std::chrono::steady_clock;
  // The sockets of this process that are connected to the port, by the port of the other side.
  std::map<int, int> present() const;

  int port_;
  std::chrono::milliseconds patience_;
  std::size_t most_;
  std::mutex mutex_;
  std::set<int> admitted_;
  std::map<int, Clock::time_point> since_;
};

}  // namespace nsmc::studio
