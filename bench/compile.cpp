// Where the time from a source to the first step goes, and how it grows with the size of a model.
//
// Part one: nsmc itself, as a process, to the end of a run of one step; with its kernels compiled, with its kernels
// from the cache, and for comparison only started. The two kinds of run must record the same bytes. Part two: the
// stages of the n-link pendulum for n = 2 ... 32, in this process: in absolute angles, where M has n^2 entries, and as
// an array of bodies and joints, where the code does not depend on n.
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/apart.hpp"
#include "bench/options.hpp"
#include "bench/stages.hpp"
#include "bench/timing.hpp"
#include "compiler/api/pipeline.hpp"
#include "compiler/codegen/kernel_cache.hpp"

extern char** environ;

namespace nsmc::bench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHelp =
    R"(compile: from the source to the first step

Prints, as best and median of interleaved repeats and as the least time of the processor (which other programs on the
machine disturb less),
  start_ms                     nsmc --version: what every command costs
  first_ms, second_ms          nsmc run of one step, with an empty cache (written) and with a full one (read)
  uncached_ms                  the same with --no-cache
  ratio second/first           of the best times
  first: ..., second: ...      the stages of both, the best of many processes; lower: with the cache
then, for the pendulum with n links, in angles and of bodies with joints, the best times of the stages in ms, the total
time of the processor, the same over n log2 n in relation to that of n = 2, and the exponent of growth from the line before. Fails only if cached kernels give other numbers.)";

struct Options {
  int repeats = 40;
  int compilations = 9;
  int longest = 32;
  std::string model = NSMC_SOURCE_DIR "/models/tippe_top.nsm";
};

// A folder that goes away again.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "nsmc-bench-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

struct Times {  // ms, one entry for each repeat
  std::vector<double> wall, cpu;
  void print(const char* name) const {
    std::printf("%s_ms %.2f best, %.2f median, %.2f of the processor\n", name, best(wall), median(wall), best(cpu));
  }
};

// From the start of the process to its end.
void add_process(Times& times, std::vector<std::string> words) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t pid = 0;
  int status = 0;
  rusage usage{};
  const double ns = nanoseconds(1, [&] {
    if (::posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), environ) == 0) ::wait4(pid, &status, 0, &usage);
  });
  posix_spawn_file_actions_destroy(&actions);
  if (pid == 0 || status != 0) throw std::runtime_error("nsmc failed: " + words[1]);
  const auto ms = [](const timeval& t) {
    return 1e3 * static_cast<double>(t.tv_sec) + 1e-3 * static_cast<double>(t.tv_usec);
  };
  times.wall.push_back(1e-6 * ns);
  times.cpu.push_back(ms(usage.ru_utime) + ms(usage.ru_stime));
}

std::string read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool time_processes(const Options& options) {
  const Folder folder;
  const std::string cache = folder.file("cache");
  ::setenv("NSMC_CACHE_DIR", cache.c_str(), 1);
  const auto run = [&](Times& times, const std::string& output, const char* more = nullptr) {
    std::vector<std::string> words{NSMC_PROGRAM, "run",  options.model, "--until", "1e-5",
                                   "--step",     "1e-5", "-o",          output};
    if (more != nullptr) words.emplace_back(more);
    add_process(times, std::move(words));
  };
  const std::string first_file = folder.file("first.csv"), second_file = folder.file("second.csv");
  Times start, first, second, uncached;
  bool same = true;
  for (int i = 0; i < options.repeats; ++i) {
    add_process(start, {NSMC_PROGRAM, "--version"});
    fs::remove_all(cache);
    run(first, first_file);
    run(second, second_file);
    run(uncached, folder.file("uncached.csv"), "--no-cache");
    same = same && read(first_file) == read(second_file);
  }
  start.print("start");
  first.print("first");
  second.print("second");
  uncached.print("uncached");
  std::printf("ratio second/first %.3f\n", best(second.wall) / best(first.wall));
  if (!same) std::fputs("compile: kernels from the cache give other numbers\n", stderr);
  return same;
}

// Rods without mass, a point at the end of each; positions as one would write them.
std::string pendulum(int n) {
  std::string text = "model pendulum\nparam m = 1 [kg]\nparam l = 1 [m]\nparam g = 9.81 [m/s^2]\n";
  std::string x, y;
  for (int i = 1; i <= n; ++i) {
    const std::string k = std::to_string(i);
    text += "coord phi" + k + " [rad] = 0.1\n";
    text += "let x" + k + " = " + x + "l*sin(phi" + k + ")\nlet y" + k + " = " + y + "l*cos(phi" + k + ")\n";
    text += "kinetic m/2*(x" + k + "'^2 + y" + k + "'^2)\npotential -m*g*y" + k + "\n";
    x = "x" + k + " + ";
    y = "y" + k + " + ";
  }
  return text + "simulate { until 1 [s]  step 1e-3 [s] }\n";
}

std::string chain(int n) {
  return "model chain\nparam m = 1 [kg]\nparam l = 1 [m]\nparam n = " + std::to_string(n) + R"(
body link[i in 1..n] = planar(mass = m, inertia = m*l^2/12, position = [(i - 0.5)*l, 0*l])
gravity [0, -9.81] [m/s^2]
joint hook = revolute(world, link[1], at = [0, 0] [m])
joint hinge[i in 1..n - 1] = revolute(link[i], link[i + 1], at = [i*l, 0*l])
simulate { until 1 [s]  step 1e-3 [s] }
)";
}

Stages compile(const std::string& path, const KernelCache* cache = nullptr) {
  Pipeline pipeline(path);
  const Kernels* const kernels = pipeline.compiled(Level::velocity, cache);
  if (kernels == nullptr) throw std::runtime_error(path + " does not compile");
  return stages_of(pipeline, *kernels);
}

// In a process that has compiled nothing yet: the parser learns its tables while it reads.
Stages compile_afresh(const std::string& path, const KernelCache* cache) {
  return apart(path, [&] { return compile(path, cache); });
}

void time_stages(const Options& options) {
  const Folder folder;
  const KernelCache cache(folder.file("cache"));
  compile_afresh(options.model, &cache);
  for (const bool cached : {false, true}) {
    StageSamples stages;
    for (int i = 0; i < options.repeats; ++i) stages.add(compile_afresh(options.model, cached ? &cache : nullptr));
    std::printf("%s:", cached ? "second" : "first");
    for (std::size_t k = 0; k < std::size(kStages); ++k) std::printf(" %s_ms %.2f", kStages[k], best(stages.ms[k]));
    std::printf("\n");
  }
}

void time_growth(const char* name, std::string (*model)(int), const Options& options) {
  const Folder folder;
  std::printf("%s\n", name);
  std::printf("  n");
  for (const char* stage : kStages) std::printf(" %8s", stage);
  std::printf(" %9s %9s %8s\n", "total", "/n log n", "exponent");
  double first_scaled = 0, last_total = 0;
  int last_n = 0;
  for (const int n : {2, 3, 4, 6, 8, 12, 16, 24, 32}) {
    if (n > options.longest) break;
    const std::string path = folder.file("pendulum.nsm");
    std::ofstream(path) << model(n);
    StageSamples stages;
    std::vector<double> totals;
    for (int i = 0; i < options.compilations; ++i)
      totals.push_back(1e-6 * processor_nanoseconds(
                                  1, [&] { stages.add(compile(path)); }, Threads::all));
    std::printf("%3d", n);
    for (const std::vector<double>& ms : stages.ms) std::printf(" %8.2f", best(ms));
    const double total = best(totals);
    const double scaled = total / (n * std::log2(n));
    if (last_n == 0) first_scaled = scaled;
    std::printf(" %9.2f %9.3f", total, scaled / first_scaled);
    if (last_n > 0) std::printf(" %8.2f", std::log(total / last_total) / std::log(static_cast<double>(n) / last_n));
    std::printf("\n");
    last_n = n;
    last_total = total;
  }
}

bool benchmark(const Options& options) {
  const bool ok = time_processes(options);
  time_stages(options);
  time_growth("pendulum in angles", pendulum, options);
  time_growth("pendulum of bodies and joints", chain, options);
  return ok;
}

}  // namespace
}  // namespace nsmc::bench

int main(int argc, char** argv) {
  using namespace nsmc::bench;
  Options options;
  CLI::App app{kHelp, "compile"};
  add_quick(app, "few repeats, n up to 8", [&] {
    options.repeats = options.compilations = 2;
    options.longest = 8;
  });
  add_repeats(app, options.repeats);
  app.add_option("--model", options.model, "in place of models/tippe_top.nsm")->type_name("FILE");
  return run(app, argc, argv, [&] { return benchmark(options); });
}
