// What fails in the operating system: the Nth write, rename, fsync, opening, closing, mapping of memory, allocation or
// thread of a run, of a sweep and of whatever else writes files (tests/faults). Whatever N is, there is an exit code
// and a message, the file of the last time or the whole new one, and no crash.
//
// NSMC_FAULTS=long in the environment: every N up to some thousands, in place of the first and some of the others.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

#include "tests/cli/program.hpp"

using namespace nsmc::test;

namespace {

namespace fs = std::filesystem;
const std::string kUgly = "coord   z=1\nkinetic   z'^2\n";
const bool kLong = std::getenv("NSMC_FAULTS") != nullptr && std::string(std::getenv("NSMC_FAULTS")) == "long";

// A command, and what must not be torn: files that a rename puts in place.
struct Task {
  Names command;
  Names outputs{"out.csv"};
  Names before{};                           // a command whose files are there each time
  std::optional<std::size_t> file_limit{};  // of that
  bool pages = false;                       // outputs have times in them: whole is what has an end
  bool is(const Task& other) const { return command == other.command; }
};

const Task kRun{{"run", "ball.nsm", "-o", "out.csv"}};
const Task kCheckpoints{{"run", "ball.nsm", "-o", "out.csv", "--checkpoint", "0.2"}};
const Task kSweep{{"sweep", "ball.nsm", "--vary", "h0=1:2:6", "-j", "2", "--measure", "z", "-o", "out.csv"}};
const Task kResumed{kSweep.command + Names{"--resume"}, {"out.csv"}, kSweep.command, 300};
const Task kEvents{{"run", "ball.nsm", "--method", "event", "--events", "events.csv", "-o", "out.csv"},
                   {"out.csv", "events.csv"}};
const Task kSave{{"run", "ball.nsm", "--save", "state", "-o", "out.csv"}, {"out.csv", "state"}};
const Task kFrom{{"run", "ball.nsm", "--from", "state", "--until", "2", "--save", "later"},
                 {"later"},
                 {"run", "ball.nsm", "--save", "state"}};
const Task kFormat{{"fmt", "ugly.nsm"}, {"ugly.nsm"}};
const Task kPlot{{"plot", "ball.nsm", "-y", "z", "-o", "z.svg"}, {"z.svg"}, {}, {}, true};
const Task kView{{"view", "ball.nsm", "-o", "page.html"}, {"page.html"}, {}, {}, true};

struct Faults : Workplace {
  explicit Faults(Task task, bool cached = true) : task_(std::move(task)), cached_(cached) {
    write("ball.nsm", kBall);
    write("ugly.nsm", kUgly);
    if (!task_.before.empty()) {
      Start start;
      start.arguments = task_.before;
      start.folder = path();
      start.file_limit = task_.file_limit;
      Process(start).wait();
    }
    for (const fs::directory_entry& file : fs::directory_iterator(path()))
      given_[file.path().filename().string()] = read(file.path().filename().string());
    if (cached) run("none", 0, "");  // fills the cache: code that is loaded takes a fraction of the time
    restore();
    works_ = run("none", 0, "").code == 0;
    for (const std::string& output : task_.outputs) {
      if (works_) good_[output] = read(output);
    }
    restore();
  }

  // False for pages where those are not built.
  bool works() const { return works_; }

  Finished run(const std::string& kind, unsigned long n, const std::string& more) const {
    Start start;
    start.arguments = task_.command;
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
    restore();
    unsigned long n = 0;
    std::ifstream(others_ / "count") >> n;
    return n;
  }

  // How a command may end, and what it may leave.
  void check(const std::string& kind, unsigned long n, const std::string& more = "") const {
    CAPTURE(kind);
    CAPTURE(n);
    CAPTURE(more);
    for (const std::string& output : task_.outputs) {
      if (!given_.contains(output)) write(output, "old\n");
    }
    const Finished end = run(kind, n, more);
    INFO(end.err);
    CHECK(end.signal == 0);
    CHECK((end.code == 0 || end.code == 3 || end.code == 4));
    if (end.code != 0) CHECK(contains(end.err, "nsmc: "));
    for (const std::string& output : task_.outputs) check_output(output, end);
    for (const fs::directory_entry& file : fs::directory_iterator(path())) {
      const std::string name = file.path().filename().string();
      const bool may_stay = given_.contains(name) || good_.contains(name) ||
                            (end.code != 0 && (name == "out.csv.part" || name == "out.csv.state"));
      CHECK_MESSAGE(may_stay, name << " is left");
    }
    restore();
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
  // As it was, or the whole new one.
  void check_output(const std::string& name, const Finished& end) const {
    CAPTURE(name);
    const std::string now = read(name);
    const auto given = given_.find(name);
    const bool old = now == (given == given_.end() ? "old\n" : given->second);
    // A run that lacks memory is a row that says so.
    const bool rows_say_so = task_.command[0] == "sweep" && contains(now, "not enough memory") &&
                             lines(now).size() == lines(good_.at(name)).size();
    const bool whole_page = task_.pages && (now.ends_with("</html>\n") || now.ends_with("</svg>\n\n"));
    CHECK((now == good_.at(name) || rows_say_so || whole_page || (end.code != 0 && old)));
  }

  // The folder as it was before the command.
  void restore() const {
    for (const fs::directory_entry& file : fs::directory_iterator(path())) fs::remove_all(file.path());
    for (const auto& [name, text] : given_) write(name, text);
  }

  Task task_;
  bool cached_, works_ = false;
  TemporaryFolder others_;
  std::map<std::string, std::string> given_, good_;
};

}  // namespace

TEST_CASE("faults: every write, rename and fsync of a run and a sweep") {
  for (const Task& task : {kRun, kCheckpoints, kSweep, kResumed}) {
    const Faults faults(task);
    REQUIRE(faults.works());
    for (const char* kind : {"write", "short", "rename", "fsync", "open", "close"}) {
      if (task.is(kRun) && std::string(kind) == "fsync") continue;  // it asks for none
      faults.check_some(kind, 200, 1.3);
      faults.check(kind, 1, "+");
    }
  }
  Faults(kResumed).check("truncate", 1);
}

TEST_CASE("faults: every write and rename of events, states, figures, pages and formatted models") {
  for (const Task& task : {kEvents, kSave, kFrom, kFormat, kPlot, kView}) {
    CAPTURE(task.command[0]);
    const Faults faults(task);
    if (task.is(kView) && !faults.works()) continue;  // built without npm
    REQUIRE(faults.works());
    for (const char* kind : {"write", "short", "rename", "open", "close"}) {
      faults.check_some(kind, 20, 1.5);
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

TEST_CASE("faults: an allocation of other commands that fails") {
  for (const Task& task : {kEvents, kSave, kFormat, kView}) {
    const Faults faults(task);
    if (faults.works()) faults.check_some("memory", 2, 2);
  }
}
#endif
