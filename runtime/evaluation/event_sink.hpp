// Events of event-driven integration: the moments at which a contact changes what it does.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace nsmc::rt {

class System;

enum class EventKind : std::uint8_t {
  impact,    // velocities jump
  closing,   // a gap closes and stays closed
  take_off,  // a closed contact opens
  stick,     // a velocity of slip has become 0 and stays 0
  slip,      // a force has reached the border of its set, slip begins
  turn,      // slip continues at another end, corner or edge of the set: reversal
};

inline constexpr std::size_t n_event_kinds = 6;
inline constexpr std::array<std::string_view, n_event_kinds> event_names{"impact", "closing", "take_off",
                                                                         "stick",  "slip",    "turn"};

struct Event {
  double t;
  const System* system;   // of the run, whose candidates change
  std::uint32_t contact;  // its number there
  EventKind kind;
  std::span<const double> before, after;  // the user's velocities, one for each row of the laws
  std::span<const double> percussion;     // of an impact: the user's forces over it, integrated
};

class EventSink {
 public:
  virtual ~EventSink() = default;
  virtual void record(const Event& event) = 0;
};

}  // namespace nsmc::rt
