#include "tests/cli/program.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace nsmc::test {
namespace {

namespace fs = std::filesystem;

std::string read_all(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// In the child, between fork and exec: system calls only.
void connect(int descriptor, const char* path, int flags) {
  const int file = ::open(path, flags, 0600);
  if (file < 0 || ::dup2(file, descriptor) < 0) ::_exit(126);
  ::close(file);
}

}  // namespace

const char* const kBall = R"(model ball "A ball on a table"
param m = 0.1 [kg]  "mass"
param e = 0.5       "restitution"
param h0 = 1 [m]
coord z [m] = h0    "height"
kinetic m/2 * z'^2
potential m * 9.81 [m/s^2] * z
contact table {
  gap z
  law unilateral(restitution = e)
}
output double_height = 2*z
simulate { until 1 [s]  step 1e-2 [s] }
)";

const char* const kBlock = R"(model block
coord x [m] = 0
coord y [m] = 0
coord z [m] = 0
initial x' = 1 [m/s]
kinetic 0.5 [kg] * (x'^2 + y'^2 + z'^2)
potential 9.81 [N] * z
contact table {
  gap z
  slip [x', y']
  law unilateral
  law coulomb(0.3)
}
output v = [x', y']
simulate { until 0.1 [s]  step 1e-3 [s] }
)";

std::string Workplace::read(const std::string& name) const {
  REQUIRE_MESSAGE(has(name), "no file " << name);
  return read_all(path(name));
}

bool Workplace::has(const std::string& name) const { return fs::exists(path(name)); }

std::string Workplace::files() const {
  std::vector<std::string> names;
  for (const auto& file : fs::directory_iterator(path())) names.push_back(file.path().filename().string());
  std::sort(names.begin(), names.end());
  std::string result;
  for (const std::string& name : names) result += (result.empty() ? "" : " ") + name;
  return result;
}

Finished Workplace::run(std::vector<std::string> arguments) const {
  Start start;
  start.arguments = std::move(arguments);
  start.folder = path();
  return Process(start).wait();
}

Process::Process(const Start& start) : seconds_(start.seconds) {
  const std::string input = folder_ / "in";
  std::ofstream(input, std::ios::binary) << start.input.value_or("");
  own_output_ = start.output.empty() && start.output_descriptor < 0;
  const std::string output = start.output.empty() ? folder_ / "out" : start.output;
  const std::string errors = folder_ / "err";
  std::vector<std::string> words{start.program};
  words.insert(words.end(), start.arguments.begin(), start.arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  pid_ = ::fork();
  if (pid_ < 0) throw std::runtime_error("cannot fork");
  if (pid_ > 0) return;
  if (!start.folder.empty() && ::chdir(start.folder.c_str()) != 0) ::_exit(126);
  connect(STDIN_FILENO, input.c_str(), O_RDONLY);
  connect(STDERR_FILENO, errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC);
  if (start.output_descriptor >= 0) {
    ::dup2(start.output_descriptor, STDOUT_FILENO);
    ::close(start.output_descriptor);
  } else {
    connect(STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC);
  }
  if (start.file_limit) {
    const rlimit limit{*start.file_limit, *start.file_limit};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ::setenv("NSMC_CACHE_DIR", (folder_ / "cache").c_str(), 1);
  for (const auto& [name, value] : start.environment) ::setenv(name.c_str(), value.c_str(), 1);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::execv(argv[0], argv.data());
  ::_exit(127);
}

Process::~Process() {
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
}

void Process::send(int signal) const { ::kill(pid_, signal); }

Finished Process::wait() {
  Finished result;
  const auto start = std::chrono::steady_clock::now();
  int status = 0;
  rusage usage{};
  while (::wait4(pid_, &status, WNOHANG, &usage) == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (!result.killed &&
        std::chrono::steady_clock::now() - start > std::chrono::seconds(kSanitized ? 5 * seconds_ : seconds_)) {
      result.killed = true;
      ::kill(pid_, SIGKILL);
    }
  }
  pid_ = -1;
  if (WIFEXITED(status)) result.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  result.megabytes = usage.ru_maxrss / 1024;
  if (own_output_) result.out = read_all(folder_ / "out");
  result.err = read_all(folder_ / "err");
  CHECK_MESSAGE(!result.killed, "the program hangs");
  CHECK_MESSAGE((result.megabytes < 2048 || kSanitized), "it needs " << result.megabytes << " MB");
  CHECK(result.code != 70);  // an internal error
  CHECK_FALSE(contains(result.err, "terminate called"));
  return result;
}

Table read_csv(const std::string& text) {
  Table table;
  REQUIRE(text.ends_with("\n"));
  const auto split = [](const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream in(line);
    std::string cell;
    while (std::getline(in, cell, ',')) cells.push_back(cell);
    return cells;
  };
  for (const std::string& line : lines(text)) {
    const std::vector<std::string> cells = split(line);
    if (table.names.empty()) {
      table.names = cells;
      continue;
    }
    REQUIRE(cells.size() == table.names.size());
    if (table.rows++ == 0) table.first_row = cells;
    for (std::size_t i = 0; i < cells.size(); ++i)
      table.columns[table.names[i]].push_back(std::strtod(cells[i].c_str(), nullptr));
  }
  return table;
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream in(text);
  std::string line;
  while (std::getline(in, line)) result.push_back(line);
  return result;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace nsmc::test
