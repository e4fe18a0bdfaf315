// nsmc sweep under mpirun: the ranks share the runs, and the table is that of one process, also after an interruption.
#ifdef NSMC_MPIRUN
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "tests/cli/program.hpp"

using namespace nsmc::test;

namespace {

struct Ball : Workplace {
  Ball() { write("ball.nsm", kBall); }

  // mpirun -n 2 nsmc sweep ARGUMENTS. Test machines have few cores, and containers run as root.
  Start two_ranks(const Names& arguments) const {
    Start start;
    start.program = NSMC_MPIRUN;
    start.folder = path();
    start.arguments = Names{"--oversubscribe", "-n", "2", NSMC_PROGRAM, "sweep"} + arguments;
    start.environment = {{"OMPI_ALLOW_RUN_AS_ROOT", "1"}, {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}};
    if (kSanitized) start.environment["ASAN_OPTIONS"] = "detect_leaks=0";  // MPI's own
    return start;
  }
  Finished mpirun(const Names& arguments) const { return Process(two_ranks(arguments)).wait(); }

  // Until the journal has rows of both ranks.
  void wait_for_rows() const {
    for (int i = 0; i < 20'000; ++i) {
      std::error_code none;
      if (std::filesystem::file_size(path("t.csv.part"), none) > 1000 && !none) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    FAIL("the sweep writes nothing");
  }
};

// Runs that take some seconds together.
const Names kLong{"ball.nsm", "--vary", "h0=1:2:1000", "--step", "2e-5", "--measure", "z", "max(table.N)", "-o"};

}  // namespace

TEST_CASE("sweep: two ranks of mpirun share the runs") {
  // Twelve runs, some of which fail.
  const Names study{"--vary", "e=0:1:4", "--list", "omega=0.5,1,2.5", "--measure", "z", "max(table.N)"};
  const Ball ball;
  CHECK(ball.run(Names{"sweep", "ball.nsm", "-o", "one.csv"} + study).code == 0);
  const Finished two = ball.mpirun(Names{"ball.nsm", "-o", "two.csv"} + study);
  CHECK_MESSAGE(two.code == 0, two.err);
  CHECK(contains(two.out, "on each of 2 ranks"));
  CHECK(ball.read("two.csv") == ball.read("one.csv"));
  CHECK(ball.files() == "ball.nsm one.csv two.csv");
  // One message, and the code of rank 0.
  const Finished wrong = ball.mpirun({"ball.nsm", "--vary", "ee=0,1", "--measure", "z"});
  CHECK(wrong.code == 2);
  CHECK(wrong.err.find("no parameter 'ee'") == wrong.err.rfind("no parameter 'ee'"));
  CHECK(ball.mpirun({"none.nsm", "--vary", "e=0,1", "--measure", "z"}).code == 4);
  CHECK(ball.mpirun({"ball.nsm", "--vary", "e=0,1", "--measure", "z", "-o", "no/t.csv"}).code == 4);
}

TEST_CASE("sweep: interrupted under mpirun, what is finished stays, and --resume does the rest") {
  const Ball ball;
  REQUIRE(ball.run(Names{"sweep"} + kLong + Names{"whole.csv"}).code == 0);
  const Names whole = lines(ball.read("whole.csv"));
  for (const int signal : {SIGINT, SIGTERM}) {
    CAPTURE(signal);
    Process process(ball.two_ranks(kLong + Names{"t.csv"}));
    ball.wait_for_rows();
    process.send(signal);
    const Finished stopped = process.wait();
    CHECK(stopped.code == 1);  // mpirun's own
    CHECK(contains(stopped.err, "the same command with --resume goes on"));
    // Rows of the whole table, in its order.
    const Names rows = lines(ball.read("t.csv"));
    CHECK(rows.size() > 10);
    CHECK(rows.size() < whole.size());
    auto at = whole.begin();
    for (const std::string& row : rows) {
      at = std::find(at, whole.end(), row);
      REQUIRE_MESSAGE(at != whole.end(), row);
    }
    CHECK(ball.files() == "ball.nsm t.csv t.csv.part whole.csv");
    // It goes on with or without mpirun.
    const Finished resumed = signal == SIGINT ? ball.mpirun(kLong + Names{"t.csv", "--resume"})
                                              : ball.run(Names{"sweep"} + kLong + Names{"t.csv", "--resume"});
    CHECK_MESSAGE(resumed.code == 0, resumed.err);
    CHECK(contains(resumed.out, std::to_string(rows.size() - 1) + " were done before"));
    CHECK(ball.read("t.csv") == ball.read("whole.csv"));
    CHECK(ball.files() == "ball.nsm t.csv whole.csv");
    std::filesystem::remove(ball.path("t.csv"));
  }
}
#endif
