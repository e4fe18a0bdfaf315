// The cache of compiled kernels as a user meets it.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

#include "tests/cli/program.hpp"

using namespace nsmc::test;
namespace fs = std::filesystem;

namespace {

// Runs in one workplace with a cache of its own.
class Cached {
 public:
  Cached() { place.write("ball.nsm", kBall); }

  Start start(std::vector<std::string> arguments) const {
    Start result;
    result.arguments = std::move(arguments);
    result.folder = place.path();
    result.environment = {{"NSMC_CACHE_DIR", place.path("cache")}};
    return result;
  }
  Finished run(std::vector<std::string> arguments) const { return Process(start(std::move(arguments))).wait(); }
  std::vector<fs::path> entries() const {
    std::vector<fs::path> result;
    if (!place.has("cache")) return result;
    for (const auto& file : fs::directory_iterator(place.path("cache"))) result.push_back(file.path());
    return result;
  }

  const Workplace place;
};

bool hit(const Finished& finished) {
  REQUIRE(finished.code == 0);
  CHECK(finished.err == "");
  return contains(finished.out, " (cached), run ");
}

}  // namespace

TEST_CASE("a second run takes its kernels from the cache, with the same numbers to the last bit") {
  const Cached user;
  CHECK_FALSE(hit(user.run({"run", "ball.nsm", "-o", "first.csv"})));
  CHECK(user.entries().size() == 1);
  CHECK(hit(user.run({"run", "ball.nsm", "-o", "second.csv"})));
  CHECK_FALSE(hit(user.run({"run", "ball.nsm", "-o", "anew.csv", "--no-cache"})));
  CHECK(user.place.read("first.csv") == user.place.read("second.csv"));
  CHECK(user.place.read("first.csv") == user.place.read("anew.csv"));
  CHECK(user.entries().size() == 1);
}

TEST_CASE("other parameters and settings share an entry, another model has its own") {
  const Cached user;
  CHECK_FALSE(hit(user.run({"run", "ball.nsm"})));
  CHECK(hit(user.run({"run", "ball.nsm", "--set", "e=0.3", "--step", "2e-3", "--tol", "1e-8"})));
  const Finished sweep = user.run({"sweep", "ball.nsm", "--vary", "e=0.1,0.2", "--measure", "z", "-o", "table.csv"});
  CHECK(sweep.code == 0);
  CHECK(contains(sweep.out, " (cached)\n"));
  user.place.write("ball.nsm", std::string("// a comment changes nothing\n") + kBall);
  CHECK(hit(user.run({"run", "ball.nsm"})));
  CHECK(user.entries().size() == 1);
  user.place.write("ball.nsm", std::string(kBall) + "output twice = 2*z\n");
  CHECK_FALSE(hit(user.run({"run", "ball.nsm"})));
  CHECK(hit(user.run({"run", "ball.nsm"})));
  CHECK(user.entries().size() == 2);
}

TEST_CASE("--no-cache touches nothing") {
  const Cached user;
  CHECK_FALSE(hit(user.run({"run", "ball.nsm", "--no-cache"})));
  CHECK(user.run({"sweep", "ball.nsm", "--vary", "e=0.1,0.2", "--measure", "z", "--no-cache"}).code == 0);
  CHECK_FALSE(user.place.has("cache"));
  CHECK_FALSE(hit(user.run({"run", "ball.nsm"})));
  const auto used = fs::last_write_time(user.entries().at(0));
  CHECK_FALSE(hit(user.run({"run", "ball.nsm", "--no-cache"})));
  CHECK(fs::last_write_time(user.entries().at(0)) == used);
}

TEST_CASE("a damaged entry is a miss and is mended") {
  const Cached user;
  CHECK_FALSE(hit(user.run({"run", "ball.nsm", "-o", "first.csv"})));
  const fs::path entry = user.entries().at(0);
  const auto size = fs::file_size(entry);
  for (const auto length : {std::uintmax_t{0}, std::uintmax_t{50}, size / 2, size - 1}) {
    CAPTURE(length);
    fs::resize_file(entry, length);
    CHECK_FALSE(hit(user.run({"run", "ball.nsm", "-o", "again.csv"})));
    CHECK(fs::file_size(entry) == size);
  }
  std::ofstream(entry, std::ios::binary) << std::string(size, 'x');
  CHECK_FALSE(hit(user.run({"run", "ball.nsm", "-o", "again.csv"})));
  CHECK(hit(user.run({"run", "ball.nsm", "-o", "again.csv"})));
  CHECK(user.place.read("first.csv") == user.place.read("again.csv"));
}

TEST_CASE("runs at the same time share a cache") {
  const Cached user;
  std::vector<std::unique_ptr<Process>> runs;
  const auto file = [](int i) { return "run" + std::to_string(i) + ".csv"; };
  for (int i = 0; i < 8; ++i) {
    runs.push_back(std::make_unique<Process>(user.start({"run", "ball.nsm", "-o", file(i)})));
  }
  for (const auto& run : runs) CHECK(run->wait().code == 0);
  for (int i = 1; i < 8; ++i) CHECK(user.place.read(file(i)) == user.place.read(file(0)));
  REQUIRE(user.entries().size() == 1);
  CHECK(hit(user.run({"run", "ball.nsm"})));
}

TEST_CASE("where the cache is, and how large it may be") {
  const Cached user;
  const auto run = [&](std::map<std::string, std::string> environment) {
    Start start = user.start({"run", "ball.nsm"});
    start.environment = std::move(environment);
    return Process(start).wait();
  };
  CHECK(run({{"NSMC_CACHE_DIR", ""}, {"XDG_CACHE_HOME", user.place.path("xdg")}}).code == 0);
  CHECK(user.place.has("xdg/nsmc"));
  // A path that is not absolute does not count.
  CHECK(run({{"NSMC_CACHE_DIR", ""}, {"XDG_CACHE_HOME", "relative"}, {"HOME", user.place.path("home")}}).code == 0);
  CHECK(user.place.has("home/.cache/nsmc"));
  CHECK_FALSE(user.place.has("relative"));
  CHECK(run({{"NSMC_CACHE_DIR", ""}, {"XDG_CACHE_HOME", ""}, {"HOME", ""}}).code == 0);  // nowhere
  user.place.write("file", "");
  CHECK_FALSE(hit(run({{"NSMC_CACHE_DIR", user.place.path("file")}})));  // silently without
  CHECK_FALSE(hit(run({{"NSMC_CACHE_DIR", user.place.path("none")}, {"NSMC_CACHE_MB", "0"}})));
  CHECK_FALSE(user.place.has("none"));
  const Finished wrong = run({{"NSMC_CACHE_MB", "many"}});
  CHECK(wrong.code == 2);
  CHECK(contains(wrong.err, "NSMC_CACHE_MB is 'many', expected a whole number"));
}
