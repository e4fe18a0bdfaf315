// What fails in the operating system: the Nth write, rename, fsync, mapping of memory, allocation or thread of a run
// and of a sweep (tests/faults). Whatever N is, there is an exit code and a message, the file of the last time or the
// whole new one, and no crash.
//
// NSMC_FAULTS=long in the environment: every N up to some thousands, in place of the first and some of the others.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/cli/program.hpp"

using namespace nsmc::test;

namespace {

namespace fs = std::filesystem;
const bool kLong = std::getenv("NSMC_FAULTS") != nullptr && std::string(std::getenv("NSMC_FAULTS")) == "long";

const Names kRun{"run", "ball.nsm", "-o", "out.csv"};
const Names kCheckpoints{"run", "ball.nsm", "-o", "out.csv", "--checkpoint", "0.2"};
const Names kSweep{"sweep", "ball.nsm", "--vary", "h0=1:2:6", "-j", "2", "--measure", "z", "-o", "out.csv"};

struct Faults : Workplace {
  explicit Faults(Names command, bool cached = true) : command_(std::move(command)), cached_(cached) {
    write("ball.nsm", kBall);
    if (cached) run("none", 0, "");  // fills the cache: code that is loaded takes a fraction of the time
    REQUIRE(run("none", 0, "").code == 0);
    good_ = read("out.csv");
    clean();
  }

  Finished run(const std::string& kind, unsigned long n, const std::string& more) const {
    Start start;
    start.arguments = command_;
    start.folder = path();
    start.environment = {{"LD_PRELOAD", NSMC_FAULTS_LIBRARY},
                         {"NSMC_FAULT", kind + ":" + std::to_string(n) + more},
                         {"NSMC_FAULT_COUNT", others_ / "count"},
                         {"ASAN_OPTIONS", "verify_asan_link_order=0:detect_leaks=0"}};
    if (cached_) start.environment["NSMC_CACHE_DIR"] = others_ / "cache";
    return Process(start).wait();
  }

  unsigned long count(const std::string& kind) const {
    REQUIRE(run(kind, ~0UL >> 1, "").code == 0);
    clean();
    unsigned long n = 0;
    std::ifstream(others_ / "count") >> n;
    return n;
  }

  // How a command may end, and what it may leave.
  void check(const std::string& kind, unsigned long n, const std::string& more = "") const {
    CAPTURE(kind);
    CAPTURE(n);
    CAPTURE(more);
    write("out.csv", "old\n");
    const Finished end = run(kind, n, more);
    INFO(end.err);
    CHECK(end.signal == 0);
    CHECK((end.code == 0 || end.code == 3 || end.code == 4));
    if (end.code != 0) CHECK(contains(end.err, "nsmc: "));
    const std::string now = read("out.csv");
    // A run that lacks memory is a row that says so; everything else is whole, or as it was.
    const bool rows_say_so =
        command_[0] == "sweep" && contains(now, "not enough memory") && lines(now).size() == lines(good_).size();
    CHECK((now == good_ || rows_say_so || (end.code != 0 && now == "old\n")));
    for (const fs::directory_entry& file : fs::directory_iterator(path())) {
      const std::string name = file.path().filename().string();
      const bool may_stay = name == "ball.nsm" || name == "out.csv" ||
                            (end.code != 0 && (name == "out.csv.part" || name == "out.csv.state"));
      CHECK_MESSAGE(may_stay, name << " is left");
    }
    clean();
  }

  // The first ones, and from there to the last with growing distances.
  void check_some(const std::string& kind, unsigned long first, double growth, const std::string& more = "") const {
    const unsigned long all = count(kind);
    CAPTURE(all);
    REQUIRE(all > 0);
    if (kLong) {
      first = 3000;
      growth = 1.002;
    }
    for (unsigned long n = 1; n <= all;
         n = n < first ? n + 1 : std::max(n + 1, static_cast<unsigned long>(growth * static_cast<double>(n))))
      check(kind, n, more);
  }

 private:
  void clean() const {
    for (const char* name : {"out.csv", "out.csv.part", "out.csv.state"}) fs::remove(path(name));
  }

  Names command_;
  bool cached_;
  TemporaryFolder others_;
  std::string good_;
};

}  // namespace

TEST_CASE("faults: every write, rename and fsync of a run and a sweep") {
  for (const Names& command : {kRun, kCheckpoints, kSweep}) {
    const Faults faults(command);
    for (const char* kind : {"write", "short", "rename", "fsync"}) {
      if (command == kRun && std::string(kind) == "fsync") continue;  // it asks for none
      faults.check_some(kind, 200, 1.3);
      faults.check(kind, 1, "+");
    }
  }
}

TEST_CASE("faults: a short write is no fault") {
  const Faults faults(kRun);
  CHECK(faults.run("short", 1, "").code == 0);
}

TEST_CASE("faults: mappings of memory, which hold compiled code") {
  const Faults run(kRun), sweep(kSweep);
  run.check_some("mmap", 40, 1.3);
  run.check("mmap", 1, "+");
  sweep.check_some("mmap", 40, 1.3);
}

TEST_CASE("faults: a sweep without threads, and with fewer than it asked for") {
  const Faults faults(kSweep);
  faults.check("thread", 1, "+");
  const Finished none = faults.run("thread", 1, "+");
  CHECK(none.code == 3);
  CHECK(contains(none.err, "nsmc: cannot create a thread: Resource temporarily unavailable"));
  const Finished one = faults.run("thread", 2, "+");
  CHECK(one.code == 0);
  CHECK(contains(one.err, "nsmc: note: 1 of 2 threads could be created"));
  CHECK(contains(one.out, "(1 thread"));
}

#ifdef NSMC_FAULTS_OF_MEMORY
TEST_CASE("faults: an allocation of a run that fails, once and from then on") {
  const Faults faults(kRun);
  faults.check_some("memory", 200, 1.15);
  faults.check_some("memory", 3, 1.3, "+");
}

TEST_CASE("faults: an allocation of a sweep that fails") {
  const Faults faults(kSweep);
  faults.check_some("memory", 100, 1.15);
  faults.check_some("memory", 3, 1.3, "+");
}

TEST_CASE("faults: an allocation that fails while LLVM compiles") {
  const Faults faults(kRun, false);
  faults.check_some("memory", 2, 1.35);
  faults.check_some("memory", 2, 1.6, "+");
}
#endif
