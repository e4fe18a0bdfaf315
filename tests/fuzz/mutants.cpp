// Models that were changed at random: check, the printed stages, and a few steps by every method. Whatever the model
// is, there are diagnostics or numbers: no crash, no internal error, and nothing that a sanitizer reports where there
// is one.
//
// By itself some seconds with a fixed number to begin with. NSMC_FUZZ_MINUTES=N goes on for N minutes, and
// NSMC_FUZZ_SEED=N begins elsewhere; scripts/fuzz gives both. What fails is printed, and kept in NSMC_FUZZ_FINDINGS if
// that is a folder. What takes too long is counted and, in the long form, kept as well.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <new>
#include <sstream>

#include "nsmc/nsmc.hpp"
#include "tests/fuzz/mutant.hpp"
#include "tests/temporary_folder.hpp"

using namespace nsmc::test;

namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif
constexpr rlim_t kSeconds = kSanitized ? 60 : 10;  // of processor time for one model
constexpr rlim_t kMemory = rlim_t{4} << 30;

enum Outcome : int { kRan = 0, kRefused = 1, kUsage = 2, kMemoryEnded = 3, kBug = 70, kSlow = 71 };

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// In a process of its own, which may do what it likes.
int try_model(const std::string& text, std::uint64_t number) {
  try {
    nsmc::ModelOptions options;
    options.files = nsmc::files_in_memory({});
    const nsmc::Model model = nsmc::Model::from_text(text, "mutant.nsm", options);
    (void)model.diagnostics_text();
    (void)model.diagnostics_json();
    (void)model.symbols();
    if (!model.ok()) return kRefused;
    if (model.size().coordinates > 200 || model.size().contacts > 500) return kRan;
    for (const char* stage : {"ast", "model", "equations", "latex", "c"}) (void)model.emit(stage);
    constexpr const char* methods[] = {"moreau", "rk", "lie", "event"};
    nsmc::RunRequest request;
    request.settings = {{"until", 0.005}, {"step", 0.001}, {"method", methods[number % 4]}};
    (void)model.run(request);
    return kRan;
  } catch (const nsmc::SettingError&) {
    return kUsage;
  } catch (const nsmc::ModelError&) {
    return kRefused;
  } catch (const std::bad_alloc&) {
    return kMemoryEnded;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "internal error: %s\n", error.what());
    return kBug;
  }
}

struct Tried {
  int code = -1, signal = 0;
  std::string err;
  bool good() const {
    return signal == 0 && code >= kRan && code <= kMemoryEnded && err.find("runtime error:") == std::string::npos &&
           err.find("Sanitizer") == std::string::npos;
  }
  bool slow() const { return signal == SIGXCPU || signal == SIGKILL; }
};

Tried tried(const std::string& text, std::uint64_t number) {
  static const TemporaryFolder folder;
  const std::string errors = folder / "err";
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const int file = ::open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(file, STDERR_FILENO);
    const rlimit time{kSeconds, kSeconds + 1}, none{0, 0}, memory{kMemory, kMemory};
    ::setrlimit(RLIMIT_CPU, &time);
    ::setrlimit(RLIMIT_CORE, &none);
    if (!kSanitized) ::setrlimit(RLIMIT_AS, &memory);
    for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS, SIGXCPU}) {
      if (!kSanitized) std::signal(signal, SIG_DFL);  // not those of doctest
    }
    ::_exit(try_model(text, number));
  }
  Tried result;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
  }
  if (WIFEXITED(status)) result.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  std::ifstream in(errors);
  std::ostringstream text_of_errors;
  text_of_errors << in.rdbuf();
  result.err = text_of_errors.str();
  return result;
}

void keep(const std::string& name, const std::string& text) {
  const std::string folder = variable("NSMC_FUZZ_FINDINGS");
  if (!folder.empty()) std::ofstream(folder + "/" + name) << text;
}

}  // namespace

TEST_CASE("fuzz: what was found once") {
  std::uint64_t number = 0;
  for (const std::string& text : read_seeds().corpus) {
    ++number;
    const Tried result = tried(text, number);
    CHECK_MESSAGE((result.good() || result.slow()), "signal " << result.signal << ", code " << result.code << "\n"
                                                              << result.err << "\n"
                                                              << text);
  }
}

TEST_CASE("fuzz: models that were changed at random") {
  const std::string minutes = variable("NSMC_FUZZ_MINUTES"), seed = variable("NSMC_FUZZ_SEED");
  const std::uint64_t first = seed.empty() ? 1 : std::stoull(seed);
  const auto end = std::chrono::steady_clock::now() +
                   std::chrono::seconds(minutes.empty() ? 0 : static_cast<long>(60 * std::stod(minutes)));
  const std::uint64_t least = !minutes.empty() ? 1 : kSanitized ? 40 : 200;
  const Seeds all = read_seeds();
  std::uint64_t ran = 0, refused = 0, slow = 0, number = 0;
  for (; number < least || std::chrono::steady_clock::now() < end; ++number) {
    Mutator mutator(all, first * 1'000'003 + number / 50);
    std::string text;
    for (std::uint64_t k = 0; k <= number % 50; ++k) text = mutator.next();
    const Tried result = tried(text, number);
    ran += result.code == kRan ? 1 : 0;
    refused += result.code == kRefused ? 1 : 0;
    const std::string name = "mutant-" + std::to_string(first) + "-" + std::to_string(number) + ".nsm";
    if (result.slow()) {
      ++slow;
      keep("slow-" + name, text);
      continue;
    }
    if (!result.good()) keep(name, text);
    CHECK_MESSAGE(result.good(), name << ": signal " << result.signal << ", code " << result.code << "\n"
                                      << result.err << "\n"
                                      << text);
  }
  if (!minutes.empty())
    std::printf("fuzz: %lu models, %lu ran, %lu refused, %lu too slow\n", static_cast<unsigned long>(number),
                static_cast<unsigned long>(ran), static_cast<unsigned long>(refused), static_cast<unsigned long>(slow));
  if (!minutes.empty()) return;
  // It tries what it says: some of them come through, most are refused.
  CHECK(ran > least / 12);
  CHECK(refused > least / 5);
  CHECK(slow < least / 20 + 2);
}
