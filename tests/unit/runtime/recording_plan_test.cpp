// Which steps are recorded, also for intervals that no number of steps reaches.
#include "runtime/simulation/recording_plan.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace nsmc::rt;

TEST_CASE("recording plan: intervals without bounds") {
  constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
  for (const double interval : {1e16, 1e300, std::numeric_limits<double>::max()}) {
    RecordingPlan plan(1, interval, 1e-4, 0);
    CHECK(plan.next_wanted(0) == never);
    CHECK(plan.next_wanted(1000000) == never);
    CHECK_FALSE(plan.wants(1000000, 100));
  }
  RecordingPlan often(1, std::numeric_limits<double>::denorm_min(), 1e-4, 0);
  for (std::uint64_t step = 0; step < 5; ++step) {
    CHECK(often.next_wanted(step) == step + 1);
    CHECK(often.wants(step + 1, 1e-4 * static_cast<double>(step + 1)));
  }
  RecordingPlan usual(1, 1e-3, 1e-4, 0);
  CHECK(usual.next_wanted(0) == 10);
  CHECK_FALSE(usual.wants(9, 9e-4));
  CHECK(usual.wants(10, 1e-3));
  CHECK(usual.next_wanted(10) == 20);
}
