// nsmc run --dump-contact-problems.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "runtime/solvers/friction_problem.hpp"
#include "runtime/solvers/solve.hpp"
#include "tests/cli/program.hpp"

using namespace nsmc::test;
namespace fs = std::filesystem;

namespace {

struct BlockRun : Workplace {
  BlockRun() { write("block.nsm", kBlock); }
};

std::size_t count_files(const std::string& folder) {
  std::size_t n = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(folder)) ++n;
  return n;
}

}  // namespace

TEST_CASE("contact problems of a run are written and can be solved") {
  const BlockRun block;
  const Finished run = block.run({"run", "block.nsm", "--dump-contact-problems", "deep/problems", "--dump-count", "5"});
  CHECK(run.code == 0);
  CHECK(contains(run.out, "dumped      5 of "));
  REQUIRE(count_files(block.path("deep/problems")) == 5);
  for (const auto& entry : fs::directory_iterator(block.path("deep/problems"))) {
    CHECK(entry.path().extension() == ".dat");
    std::istringstream in(block.read("deep/problems/" + entry.path().filename().string()));
    const auto problem = nsmc::rt::read_friction_problem(in);
    REQUIRE(problem);
    nsmc::rt::SolvableFriction solvable(*problem);
    CHECK(nsmc::rt::solve(solvable.problem, {}).converged);
    CHECK(nsmc::rt::cone_error(*problem, solvable.problem.Lambda) < 1e-9);
  }
  // Every tenth, by default 20 at most.
  CHECK(block.run({"run", "block.nsm", "--dump-contact-problems", "tenth", "--dump-every", "10"}).code == 0);
  CHECK(count_files(block.path("tenth")) == 10);
  CHECK(block.run({"run", "block.nsm", "--dump-contact-problems", "default"}).code == 0);
  CHECK(count_files(block.path("default")) == 20);
}

TEST_CASE("contact problems that cannot be written, and wrong usage") {
  const BlockRun block;
  block.write("file", "");
  const Finished in_file = block.run({"run", "block.nsm", "--dump-contact-problems", "file"});
  CHECK(in_file.code == 4);
  CHECK(contains(in_file.err, "nsmc: cannot create directory file: Not a directory"));
  // A directory in the way of one of the files: nothing else is left behind.
  fs::create_directories(block.path("taken"));
  const Finished first = block.run({"run", "block.nsm", "--dump-contact-problems", "taken", "--dump-every", "50"});
  REQUIRE(first.code == 0);
  std::vector<fs::path> names;
  for (const auto& entry : fs::directory_iterator(block.path("taken"))) names.push_back(entry.path());
  REQUIRE(names.size() == 2);
  for (const fs::path& name : names) fs::remove(name);
  fs::create_directories(std::max(names[0], names[1]) / "inside");  // the last: the first has its name by then
  const Finished again = block.run({"run", "block.nsm", "--dump-contact-problems", "taken", "--dump-every", "50"});
  CHECK(again.code == 4);
  CHECK(contains(again.err, "nsmc: cannot write taken/"));
  CHECK(count_files(block.path("taken")) == 1);

  CHECK(block.run({"run", "block.nsm", "--dump-contact-problems", "x", "--dump-count", "0"}).code == 2);
  CHECK(block.run({"run", "block.nsm", "--dump-every", "3"}).code == 2);
  block.write("ball.nsm", kBall);
  const Finished ball = block.run({"run", "ball.nsm", "--dump-contact-problems", "x"});
  CHECK(ball.code == 2);
  CHECK(contains(ball.err, "the format knows unilateral contacts with Coulomb friction in space only; contact"));
  CHECK(contains(ball.err, "it has no friction"));
  CHECK_FALSE(block.has("x"));
}

TEST_CASE("the method rk and its tableaux by name") {
  const BlockRun block;
  const Finished run = block.run({"run", "block.nsm", "--method", "rk", "--tableau", "kutta38"});
  CHECK(run.code == 0);
  CHECK(contains(run.out, "(rk kutta38, auto)"));
  CHECK(contains(block.run({"run", "block.nsm", "--method", "rk"}).out, "(rk, auto)"));
  const Finished wrong = block.run({"run", "block.nsm", "--tableau", "rk3"});
  CHECK(wrong.code == 2);
  CHECK(wrong.err == "nsmc: --tableau is for --method rk, this run is by moreau\n");
  CHECK(block.run({"run", "block.nsm", "--method", "rk", "--tableau", "rk17"}).code == 2);
}
