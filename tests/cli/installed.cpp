// The installed program needs nothing of the source tree: its library of laws is part of it.
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>

#include "tests/cli/program.hpp"

using namespace nsmc::test;

TEST_CASE("nsmc works after cmake --install, in another place") {
  namespace fs = std::filesystem;
  const Workplace place;
  Start install;
  install.program = "/usr/bin/env";
  install.arguments = {
      "cmake",    "--install",         fs::path(NSMC_PROGRAM).parent_path().string(), "--component", "program",
      "--prefix", place.path("prefix")};
  install.folder = place.path();
  const Finished installed = Process(install).wait();
  REQUIRE_MESSAGE(installed.code == 0, installed.err);
  REQUIRE(place.has("prefix/bin/nsmc"));
  // Moved once more, so that no path of the installation can matter.
  fs::rename(place.path("prefix"), place.path("elsewhere"));

  place.write("block.nsm", kBlock);
  Start start;
  start.program = place.path("elsewhere/bin/nsmc");
  start.arguments = {"run", "block.nsm", "-o", "block.csv"};
  start.folder = place.path();
  const Finished run = Process(start).wait();
  CHECK(run.code == 0);
  CHECK(run.err == "");
  CHECK(read_csv(place.read("block.csv")).rows == 101);
}
