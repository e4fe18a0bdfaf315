// Files of the user are never lost: by a result in their place, by links, by closed descriptors, by damage of a
// journal.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "tests/cli/program.hpp"

using namespace nsmc::test;

namespace {

namespace fs = std::filesystem;
const Names kSweep{"sweep", "ball.nsm", "--vary", "h0=1:2:40", "--measure", "z"};

struct Ball : Workplace {
  Ball() { write("ball.nsm", kBall); }

  Finished sweep(const Names& more) const {
    Names arguments = kSweep;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }

  // A line of the shell, in which "$0" is the program.
  Start shell(const std::string& line) const {
    Start start;
    start.program = "/bin/sh";
    start.arguments = {"-c", line, NSMC_PROGRAM};
    start.folder = path();
    return start;
  }

  void wait_for(const std::string& name, std::size_t bytes) const {
    for (int i = 0; i < 20'000; ++i) {
      std::error_code none;
      if (fs::file_size(path(name), none) > bytes && !none) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    FAIL("nothing is written to " << name);
  }
};

}  // namespace

TEST_CASE("a result never takes the place of the model, of an import or of a state") {
  const Ball ball;
  const std::string parts = "param g = 9.81 [m/s^2]\n";
  const std::string text = "import \"parts.nsm\"\n" + std::string(kBall);
  ball.write("parts.nsm", parts);
  ball.write("ball.nsm", text);
  ball.write("notes.csv", "notes\n");
  fs::create_symlink("ball.nsm", ball.path("link.csv"));
  fs::create_hard_link(ball.path("parts.nsm"), ball.path("hard.csv"));
  CHECK(ball.run({"run", "ball.nsm", "--save", "s"}).code == 0);
  const std::string state = ball.read("s");
  const auto refused = [&](const Names& arguments, const std::string& message) {
    CAPTURE(arguments.back());
    const Finished run = ball.run(arguments);
    CHECK(run.code == 2);
    CHECK(contains(run.err, message));
    CHECK(ball.read("ball.nsm") == text);
    CHECK(ball.read("parts.nsm") == parts);
    CHECK(ball.read("s") == state);
  };
  for (const char* target : {"ball.nsm", "./ball.nsm", "link.csv", "parts.nsm", "hard.csv"}) {
    refused({"run", "ball.nsm", "-o", target}, "would overwrite a file of the model; nothing was written");
    refused({"run", "ball.nsm", "--stream", "-o", target}, "would overwrite a file of the model");
    refused({"run", "ball.nsm", "--save", target}, "--save " + std::string(target) + " would overwrite");
    refused({"run", "ball.nsm", "--method", "event", "--events", target}, "--events");
    refused({"sweep", "ball.nsm", "--vary", "e=0,1", "--measure", "z", "-o", target}, "would overwrite");
  }
  refused({"run", "ball.nsm", "--from", "s", "--until", "2", "-o", "s"}, "would overwrite the file of --from");
  refused({"run", "ball.nsm", "-o", "x.csv", "--save", "x.csv"}, "--save and --output cannot share the file x.csv");
  // A model from standard input is a file, too.
  const Finished input = Process(ball.shell("\"$0\" run - -o ball.nsm <ball.nsm")).wait();
  CHECK(input.code == 2);
  CHECK(ball.read("ball.nsm") == text);
  // A state may be replaced by a later one, and other files by results.
  CHECK(ball.run({"run", "ball.nsm", "--from", "s", "--until", "2", "--save", "s", "-o", "notes.csv"}).code == 0);
  CHECK(ball.read("s") != state);
}

TEST_CASE("the journal and the table of a sweep are not files of the model") {
  const Ball ball;
  fs::rename(ball.path("ball.nsm"), ball.path("t.csv.part"));
  const Finished run = ball.run({"sweep", "t.csv.part", "--vary", "e=0,1", "--measure", "z", "-o", "t.csv"});
  CHECK(run.code == 2);
  CHECK(ball.read("t.csv.part") == kBall);
  CHECK(ball.files() == "t.csv.part");
}

TEST_CASE("fmt: links that were planted, pipes, files without write permission") {
  const Ball ball;
  const std::string ugly = "coord   z=1\nkinetic z'^2\n";
  ball.write("v.nsm", ugly);
  ball.write("victim", "precious\n");
  // The shell has the number of the process that fmt will be.
  Process planted(ball.shell("ln -s victim v.nsm.tmp-$$; exec \"$0\" fmt v.nsm"));
  CHECK(planted.wait().code == 0);
  CHECK(ball.read("victim") == "precious\n");
  CHECK(ball.read("v.nsm") != ugly);
  CHECK(fs::is_regular_file(fs::symlink_status(ball.path("v.nsm"))));
  for (const char* target : {"out.csv.part", "t.csv.part"}) {
    fs::create_symlink("victim", ball.path(target));
  }
  CHECK(ball.run({"run", "ball.nsm", "-o", "out.csv", "--checkpoint", "0.1"}).code == 4);
  CHECK(ball.sweep({"-o", "t.csv"}).code == 4);
  CHECK(ball.read("victim") == "precious\n");

  REQUIRE(::mkfifo(ball.path("pipe").c_str(), 0600) == 0);
  const Finished pipe = ball.run({"fmt", "pipe"});
  CHECK(pipe.code == 4);
  CHECK(pipe.err == "nsmc: cannot format pipe: not a regular file\n");
  CHECK(fs::is_fifo(ball.path("pipe")));

  ball.write("v.nsm", ugly);
  ::chmod(ball.path("v.nsm").c_str(), 0400);
  // Root may write everywhere, unless it gives that away.
  const std::string plain = ::geteuid() == 0 ? "setpriv --bounding-set=-dac_override " : "";
  const Finished read_only = Process(ball.shell("exec " + plain + "\"$0\" fmt v.nsm")).wait();
  CHECK(read_only.code == 4);
  CHECK(read_only.err == "nsmc: cannot write v.nsm: Permission denied\n");
  CHECK(ball.read("v.nsm") == ugly);
}

TEST_CASE("closed standard descriptors: messages do not go to other files, and --resume works") {
  const Ball ball;
  const std::string study = "sweep ball.nsm --vary h0=1:2:2000 --step 1e-5 --measure z -o t.csv";
  for (const char* closed : {"2>&-", ">&- 2>&-", "<&- >&- 2>&-"}) {
    CAPTURE(closed);
    Process process(ball.shell("exec \"$0\" " + study + " " + closed));
    ball.wait_for("t.csv.part", 1000);
    process.send(SIGTERM);
    CHECK(process.wait().signal == 0);
    const std::string journal = ball.read("t.csv.part");
    CHECK(journal.starts_with("# nsmc"));
    CHECK_FALSE(contains(journal, "interrupted"));
    Process again(ball.shell("exec \"$0\" " + study + " --resume"));
    ball.wait_for("t.csv.part", journal.size());  // it has read the journal, and goes on
    again.send(SIGTERM);
    const Finished resumed = again.wait();
    CHECK(contains(resumed.out, " were done before"));
    fs::remove(ball.path("t.csv.part"));
    fs::remove(ball.path("t.csv"));
  }
  // What cannot be written is an error still.
  CHECK(Process(ball.shell("exec \"$0\" run ball.nsm -o - >&-")).wait().code == 4);
  CHECK(Process(ball.shell("exec \"$0\" check - <&-")).wait().code == 4);
}

TEST_CASE("rows of a journal that were damaged are computed again") {
  const Ball ball;
  CHECK(ball.sweep({"-o", "whole.csv"}).code == 0);
  // The journal of a sweep that came to its end, but for the table: a limit on the size of files.
  Start start;
  start.arguments = kSweep;
  for (const char* more : {"-o", "t.csv", "--lanes", "1", "-j", "1"}) start.arguments.emplace_back(more);
  start.folder = ball.path();
  start.file_limit = 1500;
  CHECK(Process(start).wait().code == 4);
  std::string journal = ball.read("t.csv.part");
  Names rows = lines(journal);
  const std::size_t head = static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [](const std::string& line) { return line.starts_with("# "); }));
  REQUIRE(rows.size() > head + 5);
  char& digit = rows[head + 1][rows[head + 1].size() - 5];
  digit = digit == '3' ? '4' : '3';                           // a flipped digit
  rows[head + 2].resize(rows[head + 2].size() - 8);           // a row cut short
  rows[head + 3] = std::string(rows[head + 3].size(), '\0');  // a block that was never written
  journal.clear();
  for (const std::string& line : rows) journal += line + "\n";
  ball.write("t.csv.part", journal);
  start.file_limit.reset();
  start.arguments.emplace_back("--resume");
  const Finished resumed = Process(start).wait();
  CHECK(resumed.code == 0);
  CHECK(contains(resumed.out, "  damaged     "));
  CHECK(contains(resumed.out, " were done before"));
  CHECK(ball.read("t.csv") == ball.read("whole.csv"));
  CHECK_FALSE(ball.has("t.csv.part"));
}

TEST_CASE("SIGHUP ends runs and sweeps as SIGTERM does, but not under nohup") {
  const Ball ball;
  {
    Process process(ball.shell("exec \"$0\" run ball.nsm --until 1e6 --step 1e-4 --every 100 --stream -o out.csv"));
    ball.wait_for("out.csv", 100'000);
    process.send(SIGHUP);
    const Finished run = process.wait();
    CHECK(run.code == 130);
    CHECK(contains(run.err, "nsmc: interrupted after "));
    CHECK(read_csv(ball.read("out.csv")).rows > 500);
  }
  {
    Process process(ball.shell("exec \"$0\" sweep ball.nsm --vary h0=1:2:4000 --step 1e-5 --measure z -o t.csv"));
    ball.wait_for("t.csv.part", 1000);
    process.send(SIGHUP);
    CHECK(process.wait().code == 130);
    CHECK(lines(ball.read("t.csv")).size() > 5);
  }
  Process process(
      ball.shell("trap '' HUP; exec \"$0\" run ball.nsm --until 1e6 --step 1e-4 --every 100 --stream -o n.csv"));
  ball.wait_for("n.csv", 100'000);
  process.send(SIGHUP);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  process.send(SIGTERM);  // it is still there to be told
  CHECK(process.wait().code == 130);
}
