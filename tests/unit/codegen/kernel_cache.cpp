// Compiled kernels as files: what was stored comes back, and nothing else ever does.
#include "compiler/codegen/kernel_cache.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "compiler/codegen/jit.hpp"
#include "compiler/codegen/kernel_key.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/unit/codegen/random_expressions.hpp"
#include "tests/unit/codegen/state.hpp"

using namespace nsmc;
namespace fs = std::filesystem;

namespace {

// Where a cache can be.
class Folder {
 public:
  std::string path() const { return folder_ / "kernels"; }
  std::vector<fs::path> files() const {
    std::vector<fs::path> result;
    for (const auto& file : fs::directory_iterator(path())) result.push_back(file.path());
    return result;
  }
  std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    for (const fs::path& file : files()) sum += fs::file_size(file);
    return sum;
  }

 private:
  test::TemporaryFolder folder_;
};

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void write(const fs::path& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

void set_age(const fs::path& path, std::chrono::seconds age) {
  fs::last_write_time(path, fs::file_time_type::clock::now() - age);
}

mode_t permissions(const fs::path& path) {
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 0777;
}

}  // namespace

TEST_CASE("an entry comes back as it was, for its owner alone") {
  const Folder folder;
  const KernelCache cache(folder.path());
  const Digest a = digest("a"), b = digest("b");
  CHECK_FALSE(cache.load(a));
  cache.store(a, std::string_view("x\0y", 3));
  cache.store(b, "");
  CHECK(cache.load(a) == std::string("x\0y", 3));
  CHECK(cache.load(b) == "");
  CHECK_FALSE(cache.load(digest("c")));
  CHECK(folder.files().size() == 2);
  CHECK(permissions(folder.path()) == 0700);
  for (const fs::path& file : folder.files()) CHECK(permissions(file) == 0600);
}

TEST_CASE("damaged, cut, longer and foreign entries are not there") {
  const Folder folder;
  const KernelCache cache(folder.path());
  const Digest key = digest("key");
  cache.store(key, "the code of some kernels");
  const fs::path file = folder.files().at(0);
  const std::string whole = read(file);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    CAPTURE(i);
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    write(file, damaged);
    CHECK_FALSE(cache.load(key));
    write(file, whole.substr(0, i));
    CHECK_FALSE(cache.load(key));
  }
  write(file, whole + "x");
  CHECK_FALSE(cache.load(key));
  // That of another key under this name.
  cache.store(digest("other"), "other code");
  for (const fs::path& other : folder.files()) {
    if (other != file) fs::rename(other, file);
  }
  CHECK_FALSE(cache.load(key));
  fs::remove(file);
  fs::create_directory(file);
  CHECK_FALSE(cache.load(key));
  fs::remove(file);
  REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
  CHECK_FALSE(cache.load(key));
  fs::remove(file);
  write(folder.path() + "/elsewhere", whole);
  fs::create_symlink(folder.path() + "/elsewhere", file);
  CHECK_FALSE(cache.load(key));
  cache.store(key, "new");  // takes the place of what is there
  CHECK(cache.load(key) == "new");
}

TEST_CASE("what others can write to is not used") {
  const Folder folder;
  const KernelCache cache(folder.path());
  const Digest key = digest("key");
  cache.store(key, "code");
  const fs::path file = folder.files().at(0);
  REQUIRE(cache.load(key));
  ::chmod(file.c_str(), 0620);
  CHECK_FALSE(cache.load(key));
  ::chmod(file.c_str(), 0600);
  CHECK(cache.load(key));
  ::chmod(folder.path().c_str(), 0777);
  CHECK_FALSE(cache.load(key));
  cache.store(digest("more"), "code");
  CHECK(folder.files().size() == 1);
}

TEST_CASE("the least recently used entries make room") {
  const Folder folder;
  const std::string code(1000, 'x');
  const KernelCache cache(folder.path(), 5000);
  const auto key = [](int i) { return digest(std::to_string(i)); };
  std::vector<fs::path> known;
  for (int i = 0; i < 4; ++i) {
    cache.store(key(i), code);
    for (const fs::path& file : folder.files()) {
      if (std::find(known.begin(), known.end(), file) != known.end()) continue;
      known.push_back(file);
      set_age(file, std::chrono::seconds(100 - i));  // 0 is the oldest
    }
  }
  CHECK(cache.load(key(0)));  // and the youngest now
  write(folder.path() + "/notes.txt", std::string(10000, 'n'));
  const std::string unfinished = known[0].string() + "-new-";
  write(unfinished + "older0", "x");
  write(unfinished + "young0", "x");
  set_age(unfinished + "older0", std::chrono::hours(2));
  cache.store(key(4), code);
  CHECK(cache.load(key(0)));
  CHECK_FALSE(cache.load(key(1)));
  CHECK(cache.load(key(2)));
  CHECK(cache.load(key(3)));
  CHECK(cache.load(key(4)));
  CHECK(fs::exists(folder.path() + "/notes.txt"));  // not ours
  CHECK_FALSE(fs::exists(unfinished + "older0"));
  CHECK(fs::exists(unfinished + "young0"));
  for (int i = 5; i < 40; ++i) {
    cache.store(key(i), code);
    CHECK(folder.bytes() <= 5000 + 10000 + 1);
  }
  cache.store(key(50), std::string(6000, 'x'));  // larger than all the cache may be: not kept, and nothing goes for it
  CHECK_FALSE(cache.load(key(50)));
  CHECK(cache.load(key(39)));
}

TEST_CASE("a directory that cannot be made or written to is no error") {
  const Folder folder;
  write(folder.path(), "a file");
  for (const std::string& place : {folder.path(), folder.path() + "/below", std::string("/proc/nsmc/kernels")}) {
    CAPTURE(place);
    const KernelCache cache(place);
    cache.store(digest("key"), "code");
    CHECK_FALSE(cache.load(digest("key")));
  }
}

TEST_CASE("writers and readers at the same time see whole entries") {
  const Folder folder;
  std::atomic<int> wrong = 0, hits = 0;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const KernelCache cache(folder.path(), 40000);  // room for about six: entries go while they are read
      for (unsigned i = 0; i < 300; ++i) {
        const unsigned which = (i * 7 + t * 3) % 10;
        const std::string code(5000 + which, static_cast<char>('a' + which));
        const auto found = cache.load(digest(std::to_string(which)));
        if (found) ++hits;
        if (found && *found != code) ++wrong;
        if (!found) cache.store(digest(std::to_string(which)), code);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(hits > 0);
  KernelCache(folder.path(), 40000).store(digest("last"), "x");
  CHECK(folder.bytes() <= 40000);
  for (const fs::path& file : folder.files()) CHECK(file.extension() == ".kernels");
}

TEST_CASE("kernels from the cache are those that were compiled") {
  const Folder folder;
  const KernelCache cache(folder.path());
  sym::ExprPool pool;
  test::RandomExpressions expressions(pool, 3);
  expressions.grow(120);
  const std::vector<KernelSpec> specs = {{{KernelKind::output}, expressions.pick(20)}};
  const ProgramSet programs = lower(pool, specs);
  const CompiledKernels compiled(programs, &cache), cached(programs, &cache), alone(programs);
  CHECK_FALSE(compiled.times().cached);
  CHECK(cached.times().cached);
  CHECK_FALSE(alone.times().cached);
  test::State state(3);
  const nsm_view view = state.view(programs);
  std::vector<double> a(20), b(20), c(20);
  for (const auto& [kernels, out] : {std::pair(&compiled, &a), {&cached, &b}, {&alone, &c}}) {
    if (nsm_kernel prepare = kernels->find({KernelKind::prepare})) prepare(&view, nullptr);
    kernels->find({KernelKind::output})(&view, out->data());
  }
  CHECK(std::memcmp(a.data(), b.data(), 20 * sizeof(double)) == 0);
  CHECK(std::memcmp(a.data(), c.data(), 20 * sizeof(double)) == 0);
  // A damaged entry is compiled anew and mended.
  const fs::path file = folder.files().at(0);
  std::string bytes = read(file);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] + 1);
  write(file, bytes);
  CHECK_FALSE(CompiledKernels(programs, &cache).times().cached);
  CHECK(CompiledKernels(programs, &cache).times().cached);
}

TEST_CASE("the key depends on every part of the programs and on the machine") {
  ProgramSet programs;
  programs.programs.push_back({{}, "f", {{Opcode::constant, 0, 0, 0, 0, 2.0, nullptr}}, 1});
  const Digest key = kernel_key(programs, "this");
  CHECK(key == kernel_key(programs, "this"));
  CHECK(key != kernel_key(programs, "that"));
  const auto differs = [&](auto&& change) {
    ProgramSet other = programs;
    change(other.programs[0]);
    return kernel_key(other, "this") != key;
  };
  CHECK(differs([](Program& p) { p.name = "g"; }));
  CHECK(differs([](Program& p) { p.n_outputs = 2; }));
  CHECK(differs([](Program& p) { p.instructions[0].opcode = Opcode::load_p; }));
  CHECK(differs([](Program& p) { p.instructions[0].a = 1; }));
  CHECK(differs([](Program& p) { p.instructions[0].b = 1; }));
  CHECK(differs([](Program& p) { p.instructions[0].c = 1; }));
  CHECK(differs([](Program& p) { p.instructions[0].index = 1; }));
  CHECK(differs([](Program& p) { p.instructions[0].value = -2; }));
  CHECK(differs([](Program& p) { p.instructions[0].function = "sin"; }));
  CHECK(differs([](Program& p) { p.instructions.push_back(p.instructions[0]); }));
}
