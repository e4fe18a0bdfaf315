// Instances: how many, which numbers each has, and back from its indices to its place.
#include "compiler/model/instances.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace nsmc;

namespace {

// Every instance is found again by its indices, and no two have one name.
void check_round_trip(const Instances& instances) {
  std::set<std::string> names;
  for (std::size_t k = 0; k < instances.count(); ++k) {
    CAPTURE(k);
    const std::vector<double> self = instances.self(k);
    REQUIRE(self.size() == instances.self_size());
    std::vector<std::int64_t> wanted;
    for (std::size_t d = 0; d < instances.indices.size(); ++d) {
      wanted.push_back(static_cast<std::int64_t>(self[d]));
      CHECK(wanted.back() >= instances.indices[d].first);
      CHECK(wanted.back() <= instances.indices[d].last);
    }
    if (!instances.points.empty()) {
      CHECK(instances.find(wanted) == k - k % instances.points.size());  // the first of its points
      const std::vector<double> point(self.begin() + static_cast<std::ptrdiff_t>(wanted.size()), self.end());
      CHECK(point == instances.points[k % instances.points.size()]);
      wanted.push_back(static_cast<std::int64_t>(k % instances.points.size()) + 1);
    }
    CHECK(instances.find(wanted) == k);
    CHECK(names.insert(instances.suffix(k)).second);
  }
}

}  // namespace

TEST_CASE("instances: a single thing") {
  const Instances one;
  CHECK(one.single());
  CHECK(one.count() == 1);
  CHECK(one.self(0).empty());
  CHECK(one.suffix(0).empty());
  CHECK(one.find({}) == 0);
  CHECK_FALSE(one.find({1}).has_value());
  check_round_trip(one);
}

TEST_CASE("instances: one index, from any first number") {
  const Instances array{{{-2, 4}}, false, {}};
  CHECK_FALSE(array.single());
  CHECK(array.count() == 7);
  CHECK(array.self(0) == std::vector<double>{-2});
  CHECK(array.suffix(6) == "[4]");
  CHECK_FALSE(array.find({5}).has_value());
  CHECK_FALSE(array.find({-3}).has_value());
  CHECK_FALSE(array.find({0, 0}).has_value());
  check_round_trip(array);
}

TEST_CASE("instances: an empty range has none") {
  const Instances none{{{1, 0}}, false, {}};
  CHECK(none.count() == 0);
  CHECK_FALSE(none.single());
  CHECK_FALSE(none.find({1}).has_value());
  CHECK(Instances{{{1, 0}}, true, {}}.count() == 0);
  CHECK(Instances{{{1, 3}, {1, 0}}, false, {}}.count() == 0);
}

TEST_CASE("instances: two ranges, the second runs faster") {
  const Instances both{{{1, 3}, {0, 1}}, false, {}};
  CHECK(both.count() == 6);
  CHECK(both.suffix(0) == "[1,0]");
  CHECK(both.suffix(1) == "[1,1]");
  CHECK(both.suffix(2) == "[2,0]");
  check_round_trip(both);
}

TEST_CASE("instances: pairs of one range, each once, the first index smaller") {
  for (const std::int64_t n : {1, 2, 3, 10, 57}) {
    CAPTURE(n);
    const Instances pairs{{{3, n + 2}, {3, n + 2}}, true, {}};
    CHECK(pairs.count() == static_cast<std::size_t>(n * (n - 1) / 2));
    for (std::size_t k = 0; k < pairs.count(); ++k) CHECK(pairs.self(k)[0] < pairs.self(k)[1]);
    check_round_trip(pairs);
  }
  const Instances pairs{{{1, 4}, {1, 4}}, true, {}};
  CHECK_FALSE(pairs.find({2, 2}).has_value());
  CHECK_FALSE(pairs.find({3, 2}).has_value());
  CHECK_FALSE(pairs.find({1, 5}).has_value());
}

TEST_CASE("instances: pairs of a large range are found without rounding") {
  const Instances pairs{{{1, 9'000'000}, {1, 9'000'000}}, true, {}};
  for (const std::size_t k : {std::size_t{0}, std::size_t{1}, std::size_t{2}, pairs.count() / 2, pairs.count() - 1}) {
    const std::vector<double> self = pairs.self(k);
    CHECK(self[0] < self[1]);
    CHECK(pairs.find({static_cast<std::int64_t>(self[0]), static_cast<std::int64_t>(self[1])}) == k);
  }
}

TEST_CASE("instances: points are counted from 1 after the indices") {
  const Instances corners{{}, false, {{-1, -1}, {1, -1}, {1, 1}}};
  CHECK_FALSE(corners.single());
  CHECK(corners.count() == 3);
  CHECK(corners.suffix(2) == "[3]");
  CHECK(corners.self(1) == std::vector<double>{1, -1});
  CHECK_FALSE(corners.find({4}).has_value());
  CHECK_FALSE(corners.find({0}).has_value());
  check_round_trip(corners);
  const Instances array{{{2, 5}}, false, {{0}, {1}}};
  CHECK(array.count() == 8);
  CHECK(array.suffix(3) == "[3,2]");
  CHECK(array.self(3) == std::vector<double>{3, 1});
  check_round_trip(array);
  check_round_trip({{{1, 4}, {1, 4}}, true, {{0}, {1}, {2}}});
}

TEST_CASE("instances: a name with a place for its index") {
  CHECK(with_index("bead@.x", "[3]") == "bead[3].x");
  CHECK(with_index("z@'", "[2,5]") == "z[2,5]'");
  CHECK(with_index("top.x", "[3]") == "top.x");
  CHECK(with_index("z@", "") == "z");
}
