// Files of saved runs: every bit comes back, and what is wrong with a file is said.
#include "runtime/output/state_file.hpp"

#include <doctest/doctest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <system_error>
#include <vector>

#include "runtime/output/output_file.hpp"
#include "tests/temporary_folder.hpp"

using namespace nsmc::rt;

namespace {

std::vector<std::string> g_synced;  // what was handed to fsync, in order

}  // namespace

// In the place of the one of libc, for this program.
extern "C" int fsync(int file) {
  std::error_code error;
  g_synced.push_back(std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(file), error).string());
  return static_cast<int>(syscall(SYS_fsync, file));
}

namespace {

StateFile example() {
  StateFile state;
  state.program = "0.1";
  state.model = "0123456789abcdef";
  state.settings = {{"step", "0.001"}, {"method", "rk heun"}};
  state.parameters = {{"m", "2.1[kg]"}, {"e", "0"}};
  state.outputs = {{"my rows.csv", 4711, 12}};
  state.run.blocks = {{"state", {0.1, -0.0, std::numeric_limits<double>::infinity(), 1e-310}, {}},
                      {"method", {}, {0, 1, 0xffffffffffffffff}},
                      {"empty", {}, {}}};
  return state;
}

std::string message_of(const std::string& path) {
  try {
    (void)read_state_file(path);
  } catch (const StateFileError& error) {
    return error.what();
  }
  return "";
}

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a state file comes back bit by bit") {
  const nsmc::test::TemporaryFolder folder;
  const std::string path = folder / "a.state";
  const StateFile state = example();
  write_state_file(path, state);
  const StateFile back = read_state_file(path);
  CHECK(back.program == state.program);
  CHECK(back.model == state.model);
  CHECK(back.settings == state.settings);
  CHECK(back.parameters == state.parameters);
  REQUIRE(back.outputs.size() == 1);
  CHECK(back.outputs[0].name == "my rows.csv");
  CHECK(back.outputs[0].bytes == 4711);
  CHECK(back.outputs[0].rows == 12);
  CHECK(back.run == state.run);
  CHECK(std::signbit(back.run.blocks[0].reals[1]));
}

TEST_CASE("a state file that is damaged is refused, wherever the damage is") {
  const nsmc::test::TemporaryFolder folder;
  const std::string path = folder / "a.state";
  write_state_file(path, example());
  const std::string good = text_of(path);
  const std::string start = "nsmc state 1\n";
  for (std::size_t k = start.size(); k < good.size(); ++k) {
    std::string bad = good;
    bad[k] = static_cast<char>(bad[k] ^ 1);
    std::ofstream(path, std::ios::binary) << bad;
    CHECK_MESSAGE(has(message_of(path), "is damaged"), "a bit of byte " << k);
    std::ofstream(path, std::ios::binary) << good.substr(0, k);
    CHECK_MESSAGE(has(message_of(path), "is damaged"), "cut after " << k);
  }
}

TEST_CASE("a state file of another kind is told from a damaged one") {
  const nsmc::test::TemporaryFolder folder;
  const std::string path = folder / "a.state";
  CHECK(has(message_of(path), "cannot read the state in " + path));
  std::ofstream(path) << "t,x\n0,1\n";
  CHECK(has(message_of(path), "is not a state of a run of nsmc"));
  std::ofstream(path) << "nsmc state 2\nprogram 9\n";
  CHECK(has(message_of(path), "has format 2, this nsmc reads format 1"));
  CHECK(has(message_of(folder.path()), "cannot read the state"));  // a folder
}

// A file before it has its name, and the name in its folder after that.
TEST_CASE("a state file, and the rows that it counts, are on the disk before anything relies on them") {
  const nsmc::test::TemporaryFolder folder;
  const std::string place = std::filesystem::canonical(folder / ".").string();
  g_synced.clear();
  write_state_file(place + "/a.state", example());
  REQUIRE(g_synced.size() == 2);
  CHECK(g_synced[0].starts_with(place + "/a.state.tmp-"));
  CHECK(g_synced[1] == place);

  g_synced.clear();
  OutputMode mode;
  mode.part = true;
  OutputFile rows(place + "/rows.csv", mode);
  CHECK(g_synced == std::vector<std::string>{place});  // the name of the part
  g_synced.clear();
  rows.buffer() += "t\n0\n";
  CHECK(rows.keep() == 4);
  rows.commit();
  CHECK(g_synced == std::vector<std::string>{place + "/rows.csv.part", place + "/rows.csv.part", place});

  // Rows that are computed again if they are lost wait for nothing.
  g_synced.clear();
  OutputFile plain(place + "/plain.csv");
  plain.buffer() += "t\n";
  plain.commit();
  CHECK(g_synced.empty());
}
