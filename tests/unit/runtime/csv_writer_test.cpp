// The CSV writer: numbers, atomic replacement, errors.
#include "runtime/output/csv_writer.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <vector>

#include "tests/temporary_folder.hpp"

using namespace nsmc::rt;
using nsmc::test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

std::size_t count(const TemporaryFolder& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()));
}

std::string read(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

const std::vector<std::string> header = {"t", "x"};

void row(CsvWriter& writer, double a, double b) {
  const double values[] = {a, b};
  writer.record(a, values);
}

}  // namespace

TEST_CASE("csv: header and numbers with 17 digits") {
  const TemporaryFolder folder;
  CsvWriter writer(folder / "out.csv", std::vector<std::string>{"t", "a,b", "say \"x\""});
  const double values[] = {0, 0.1, 1e-300};
  writer.record(0, values);
  const double others[] = {-1.5, std::numeric_limits<double>::infinity(), -std::nan("")};
  writer.record(1, others);
  writer.commit();
  CHECK(read(folder / "out.csv") == "t,\"a,b\",\"say \"\"x\"\"\"\n0,0.10000000000000001,1e-300\n-1.5,inf,nan\n");
}

TEST_CASE("csv: every double comes back") {
  const TemporaryFolder folder;
  CsvWriter writer(folder / "out.csv", std::vector<std::string>{"x"}, {.mode = {}, .time_column = false});
  std::vector<double> values;
  double x = 1.2345678901234567;
  for (int k = 0; k < 20000; ++k) {
    values.push_back(x);
    x = std::fmod(x * 1.9e3 + 1e-7 * k, 1e5) * std::pow(10, k % 30 - 15);
    writer.record(0, {&values.back(), 1});
  }
  writer.commit();
  std::ifstream file(folder / "out.csv");
  std::string line;
  std::getline(file, line);
  for (const double value : values) {
    REQUIRE(std::getline(file, line));
    CHECK(std::strtod(line.c_str(), nullptr) == value);
    char expected[64];
    std::snprintf(expected, sizeof expected, "%.17g", value);
    CHECK(line == expected);
  }
  CHECK_FALSE(std::getline(file, line));
}

TEST_CASE("csv: a column for the time if wanted") {
  const TemporaryFolder folder;
  CsvWriter writer(folder / "out.csv", header, {.mode = {}, .time_column = true});
  const double value = 7;
  writer.record(0.5, {&value, 1});
  writer.commit();
  CHECK(read(folder / "out.csv") == "t,x\n0.5,7\n");
}

TEST_CASE("csv: the target is untouched until commit, and the temporary goes away") {
  const TemporaryFolder folder;
  const std::string path = folder / "out.csv";
  std::ofstream(path) << "old\n";
  {
    CsvWriter writer(path, header);
    for (int k = 0; k < 10000; ++k) row(writer, k, 0.1);
    CHECK(read(path) == "old\n");
    CHECK(fs::exists(path + ".tmp-" + std::to_string(::getpid())));
  }
  CHECK(read(path) == "old\n");  // no commit
  CHECK(count(folder) == 1);
  {
    CsvWriter writer(path, header);
    row(writer, 1, 2);
    writer.commit();
    CHECK(read(path) == "t,x\n1,2\n");
  }
  CHECK(read(path) == "t,x\n1,2\n");
  CHECK(count(folder) == 1);
}

TEST_CASE("csv: links and permissions of the target survive") {
  const TemporaryFolder folder;
  std::ofstream(folder / "real.csv") << "old\n";
  ::chmod((folder / "real.csv").c_str(), 0640);
  fs::create_symlink("real.csv", folder / "link.csv");
  CsvWriter writer(folder / "link.csv", header);
  writer.commit();
  CHECK(fs::is_symlink(folder / "link.csv"));
  CHECK(read(folder / "real.csv") == "t,x\n");
  CHECK((fs::status(folder / "real.csv").permissions() & fs::perms::all) ==
        (fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read));
}

TEST_CASE("csv: two writers of one target do not share their temporary") {
  const TemporaryFolder folder;
  CsvWriter one(folder / "out.csv", header), other(folder / "out.csv", header);
  row(one, 1, 1);
  row(other, 2, 2);
  one.commit();
  CHECK(read(folder / "out.csv") == "t,x\n1,1\n");
  other.commit();
  CHECK(read(folder / "out.csv") == "t,x\n2,2\n");
  CHECK(count(folder) == 1);
}

TEST_CASE("csv: streaming writes to the target itself, whole rows only") {
  const TemporaryFolder folder;
  const std::string path = folder / "out.csv";
  {
    CsvWriter writer(path, header, {.mode = {.stream = true}, .time_column = false});
    CHECK(read(path) == "t,x\n");
    row(writer, 1, 2);
  }
  CHECK(read(path) == "t,x\n1,2\n");  // kept though nobody committed
  CHECK(count(folder) == 1);
}

TEST_CASE("csv: a part stays where it is, and goes on at a place that was kept") {
  const TemporaryFolder folder;
  const std::string path = folder / "out.csv";
  const OutputMode part{.part = true};
  std::uint64_t place = 0;
  {
    CsvWriter writer(path, header, {.mode = part, .time_column = false});
    row(writer, 1, 2);
    place = writer.keep();
    row(writer, 3, 4);  // belongs to nothing that was saved
    (void)writer.keep();
  }
  CHECK_FALSE(fs::exists(path));
  CHECK(read(path + ".part") == "t,x\n1,2\n3,4\n");
  {
    OutputMode mode = part;
    mode.go_on_at = place;
    CsvWriter writer(path, header, {.mode = mode, .time_column = false});
    row(writer, 5, 6);
    CHECK(writer.keep() == place + 4);
    writer.commit();
  }
  CHECK(read(path) == "t,x\n1,2\n5,6\n");
  CHECK(count(folder) == 1);
  OutputMode too_far = part;
  too_far.go_on_at = 1000;
  std::ofstream(path + ".part") << "t,x\n";
  CHECK_THROWS_WITH_AS(CsvWriter(path, header, {too_far}), doctest::Contains("are missing"), OutputError);
  fs::remove(path + ".part");
  CHECK_THROWS_WITH_AS(CsvWriter(path, header, {too_far}), doctest::Contains("No such file"), OutputError);
}

TEST_CASE("csv: a pipe gets its rows directly") {
  const TemporaryFolder folder;
  const std::string path = folder / "pipe";
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  const int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK);
  REQUIRE(reader >= 0);
  CsvWriter writer(path, header);
  row(writer, 1, 2);
  writer.commit();
  char text[100];
  const ssize_t n = ::read(reader, text, sizeof text);
  ::close(reader);
  REQUIRE(n > 0);
  CHECK(std::string(text, static_cast<std::size_t>(n)) == "t,x\n1,2\n");
  CHECK(count(folder) == 1);
}

TEST_CASE("csv: errors carry the path and the reason") {
  const TemporaryFolder folder;
  const auto error_of = [](auto&& action) -> std::string {
    try {
      action();
    } catch (const OutputError& error) {
      return error.what();
    }
    return "no error";
  };
  CHECK(error_of([&] { CsvWriter("/dev/full", header).commit(); }) ==
        "cannot write /dev/full: No space left on device");
  CHECK(error_of([&] { CsvWriter(folder / "no/such/out.csv", header); }).find("No such file or directory") !=
        std::string::npos);
  CHECK(error_of([&] { CsvWriter(folder.path(), header); }).find("Is a directory") != std::string::npos);
  CHECK(count(folder) == 0);
  // The target turns into a folder while the run goes on: the rename fails, the temporary is removed.
  CHECK(error_of([&] {
          CsvWriter writer(folder / "out.csv", header);
          fs::create_directory(folder / "out.csv");
          writer.commit();
        }).find("directory") != std::string::npos);
  CHECK(count(folder) == 1);
  if (::geteuid() != 0) {
    std::ofstream(folder / "locked.csv") << "old\n";
    ::chmod((folder / "locked.csv").c_str(), 0400);
    CHECK(error_of([&] { CsvWriter(folder / "locked.csv", header); }).find("Permission denied") != std::string::npos);
  }
}
