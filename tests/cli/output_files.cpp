// Where results go, and what is there when it goes wrong: a result file is the old one or the new one, complete up to a
// row; temporary files do not stay.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "tests/cli/program.hpp"

using namespace nsmc::test;

namespace {

namespace fs = std::filesystem;
struct Ball : Workplace {
  Ball() { write("ball.nsm", kBall); }

  // A run that lasts until it is stopped.
  Start endless(Names more) const {
    Start start;
    start.arguments = {"run", "ball.nsm", "--until", "1e6", "--step", "1e-4", "--every", "100"};
    start.arguments.insert(start.arguments.end(), more.begin(), more.end());
    start.folder = path();
    return start;
  }

  // Waits until some file of the folder, other than the model, has this size.
  void wait_for(std::size_t bytes) const {
    for (int i = 0; i < 10'000; ++i) {
      for (const fs::directory_entry& file : fs::directory_iterator(path())) {
        std::error_code gone;
        if (file.path().extension() != ".nsm" && file.file_size(gone) >= bytes && !gone) return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    FAIL("the run writes nothing");
  }
};

}  // namespace

TEST_CASE("outputs that cannot be written") {
  const Ball ball;
  ball.write("file", "");
  fs::create_directory(ball.path("folder"));
  const auto refused = [&](const std::string& target, const std::string& reason) {
    const Finished run = ball.run({"run", "ball.nsm", "-o", target});
    CHECK(run.code == 4);
    CHECK(run.out == "");
    CHECK(run.err == "nsmc: cannot write " + target + ": " + reason + "\n");
  };
  refused("missing/out.csv", "No such file or directory");
  refused("folder", "Is a directory");
  refused("file/out.csv", "Not a directory");
  refused("/dev/full", "No space left on device");
  if (::geteuid() != 0) {  // root may write everywhere
    ::chmod(ball.path("folder").c_str(), 0500);
    refused("folder/out.csv", "Permission denied");
    ::chmod(ball.path("folder").c_str(), 0700);
    ::chmod(ball.path("file").c_str(), 0400);
    refused("file", "Permission denied");
  }
  CHECK(ball.files() == "ball.nsm file folder");
}

TEST_CASE("a full standard output") {
  const Ball ball;
  for (const Names& arguments : {Names{"run", "ball.nsm", "-o", "-"}, Names{"run", "ball.nsm"},
                                 Names{"emit", "ball.nsm"}, Names{"describe", "ball.nsm"}, Names{"check", "ball.nsm"},
                                 Names{"--help"}, Names{"run", "--help"}, Names{"--version"}}) {
    Start start;
    start.arguments = arguments;
    start.folder = ball.path();
    start.output = "/dev/full";
    const Finished run = Process(start).wait();
    CAPTURE(arguments[0]);
    CHECK(run.code == 4);
    CHECK(contains(run.err, "nsmc: cannot write standard output: No space left on device"));
  }
}

TEST_CASE("a good run replaces the file, keeps its rights and follows links") {
  const Ball ball;
  ball.write("real.csv", "old");
  ::chmod(ball.path("real.csv").c_str(), 0640);
  fs::create_symlink("real.csv", ball.path("link.csv"));
  CHECK(ball.run({"run", "ball.nsm", "-o", "link.csv"}).code == 0);
  CHECK(read_csv(ball.read("real.csv")).rows == 101);
  CHECK(fs::is_symlink(ball.path("link.csv")));
  struct stat status {};
  ::stat(ball.path("real.csv").c_str(), &status);
  CHECK((status.st_mode & 0777) == 0640);
  CHECK(ball.files() == "ball.nsm link.csv real.csv");
}

TEST_CASE("ctrl-C and SIGTERM: exit code 130, the rows so far are in place") {
  const Ball ball;
  for (const int signal : {SIGINT, SIGTERM}) {
    ball.write("out.csv", "old\n");
    Process process(ball.endless({"-o", "out.csv"}));
    ball.wait_for(200'000);
    CHECK(ball.read("out.csv") == "old\n");  // not before the end
    process.send(signal);
    const Finished run = process.wait();
    CHECK(run.code == 130);
    CHECK(contains(run.err, "nsmc: interrupted after "));
    const Table table = read_csv(ball.read("out.csv"));
    CHECK(table.rows > 1000);
    CHECK(ball.files() == "ball.nsm out.csv");
  }
}

TEST_CASE("ctrl-C of a streamed run") {
  const Ball ball;
  Process process(ball.endless({"-o", "out.csv", "--stream"}));
  ball.wait_for(200'000);
  process.send(SIGINT);
  CHECK(process.wait().code == 130);
  CHECK(read_csv(ball.read("out.csv")).rows > 1000);
  CHECK(ball.files() == "ball.nsm out.csv");
}

TEST_CASE("SIGKILL leaves the file of the last run as it was") {
  const Ball ball;
  ball.write("out.csv", "old\n");
  Process process(ball.endless({"-o", "out.csv"}));
  ball.wait_for(200'000);
  process.send(SIGKILL);
  CHECK(process.wait().signal == SIGKILL);
  CHECK(ball.read("out.csv") == "old\n");
}

TEST_CASE("a pipe that closes, as in nsmc run | head -1") {
  const Ball ball;
  int ends[2];
  REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
  Start start = ball.endless({"-o", "-"});
  start.output_descriptor = ends[1];
  Process process(start);
  ::close(ends[1]);
  char first[8] = {};
  REQUIRE(::read(ends[0], first, 7) == 7);
  CHECK(std::string(first) == "t,z,z',");
  ::close(ends[0]);
  const Finished run = process.wait();
  CHECK(run.signal == 0);
  CHECK(run.code == 4);
  CHECK(run.err == "nsmc: cannot write standard output: Broken pipe\n");
}

TEST_CASE("errors in the model, the options and the run leave the old file alone") {
  const Ball ball;
  ball.write("wrong.nsm", "coord z = 1\n");
  ball.write("out.csv", "old\n");
  CHECK(ball.run({"run", "wrong.nsm", "-o", "out.csv"}).code == 1);
  CHECK(ball.run({"run", "ball.nsm", "-o", "out.csv", "--step", "0"}).code == 2);
  CHECK(ball.run({"run", "ball.nsm", "-o", "out.csv", "--outputs", "nothing"}).code == 2);
  CHECK(ball.read("out.csv") == "old\n");
  CHECK(ball.files() == "ball.nsm out.csv wrong.nsm");
}

TEST_CASE("paths: absolute, relative, with blanks and letters of several bytes, from any folder") {
  const Ball ball;
  fs::create_directory(ball.path("eine Mappe für θ"));
  const std::string folder = ball.path("eine Mappe für θ");
  fs::copy(ball.path("ball.nsm"), folder + "/ein Ball.nsm");
  Start start;
  start.folder = "/";
  start.arguments = {"run", folder + "/ein Ball.nsm", "-o", folder + "/aus gabe.csv"};
  CHECK(Process(start).wait().code == 0);
  CHECK(read_csv(ball.read("eine Mappe für θ/aus gabe.csv")).rows == 101);
  start.folder = folder;
  start.arguments = {"run", "../ball.nsm", "-o", "../b.csv"};
  CHECK(Process(start).wait().code == 0);
  CHECK(ball.read("b.csv") == ball.read("eine Mappe für θ/aus gabe.csv"));
}

TEST_CASE("imports are found beside the file that names them, from any folder") {
  const Workplace place;
  fs::create_directories(place.path("sub/laws"));
  place.write("sub/a.nsm", "import \"laws/b.nsm\"\ncoord z = 1\nkinetic z'^2\ncontact c { gap z  law hard }\n");
  place.write("sub/laws/b.nsm", "import \"c.nsm\"\n");
  place.write("sub/laws/c.nsm", "law hard { force N  gap' in normal_cone(nonpos, -N) }\n");
  Start start;
  start.folder = "/";
  start.arguments = {"run", place.path("sub/a.nsm"), "--until", "1"};
  CHECK(Process(start).wait().code == 0);
}
