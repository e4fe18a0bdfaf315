// A library to be preloaded: the Nth call of one kind fails in the whole program, from the beginning of main on.
//
//   LD_PRELOAD=libnsmc_faults.so NSMC_FAULT=write:12 nsmc run ...     the 12th write fails
//   NSMC_FAULT=memory:1000+                                           the 1000th allocation and all after it
//   NSMC_FAULT_COUNT=FILE                                             how many calls there were, written when main
//   returns
//
// Kinds: write (no space), short (half of it is written), rename, fsync, open, close, truncate, mmap, memory, thread.
// Built without `memory` where a sanitizer has the allocator. `close` closes, and says that what was written is lost.
// What the C library does for itself, as the writes of stdio, is not seen here.
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace {

enum Kind { kNone, kWrite, kShort, kRename, kFsync, kOpen, kClose, kTruncate, kMmap, kMemory, kThread };
constexpr const char* kNames[] = {"",      "write",    "short", "rename", "fsync", "open",
                                  "close", "truncate", "mmap",  "memory", "thread"};

std::atomic<bool> armed{false};
Kind wanted = kNone;
unsigned long at = 0;
bool from_then_on = false;
std::atomic<unsigned long> calls{0};

void read_wish() {
  const char* wish = std::getenv("NSMC_FAULT");
  if (wish == nullptr) return;
  const char* colon = std::strchr(wish, ':');
  if (colon == nullptr) return;
  for (int kind = kWrite; kind <= kThread; ++kind) {
    if (std::strlen(kNames[kind]) == static_cast<std::size_t>(colon - wish) &&
        std::strncmp(wish, kNames[kind], static_cast<std::size_t>(colon - wish)) == 0)
      wanted = static_cast<Kind>(kind);
  }
  char* end = nullptr;
  at = std::strtoul(colon + 1, &end, 10);
  from_then_on = *end == '+';
}

bool fails(Kind kind) {
  if (kind != wanted || !armed.load(std::memory_order_relaxed)) return false;
  const unsigned long call = ++calls;
  return from_then_on ? call >= at : call == at;
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

void write_count() {
  const char* path = std::getenv("NSMC_FAULT_COUNT");
  if (path == nullptr) return;
  char text[24];
  std::size_t length = sizeof text;
  text[--length] = '\n';
  unsigned long n = calls;
  do {
    text[--length] = static_cast<char>('0' + n % 10);
    n /= 10;
  } while (n > 0);
  const int file = ::open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  static const auto real = next<ssize_t (*)(int, const void*, std::size_t)>("write");
  (void)!real(file, text + length, sizeof text - length);
  ::close(file);
}

int (*real_main)(int, char**, char**) = nullptr;

int main_with_faults(int argc, char** argv, char** environment) {
  armed = true;
  const int code = real_main(argc, argv, environment);
  armed = false;
  write_count();
  return code;
}

}  // namespace

extern "C" {

int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(), void (*fini)(),
                      void (*rtld_fini)(), void* stack_end) {
  read_wish();
  real_main = main;
  using Start = int (*)(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
  return next<Start>("__libc_start_main")(main_with_faults, argc, argv, init, fini, rtld_fini, stack_end);
}

ssize_t write(int file, const void* bytes, std::size_t count) {
  static const auto real = next<ssize_t (*)(int, const void*, std::size_t)>("write");
  if (file > STDERR_FILENO && fails(kWrite)) {
    errno = ENOSPC;
    return -1;
  }
  if (file > STDERR_FILENO && count > 1 && fails(kShort)) return real(file, bytes, count / 2);
  return real(file, bytes, count);
}

int rename(const char* from, const char* to) noexcept {
  static const auto real = next<int (*)(const char*, const char*)>("rename");
  if (!fails(kRename)) return real(from, to);
  errno = EIO;
  return -1;
}

int fsync(int file) {
  static const auto real = next<int (*)(int)>("fsync");
  if (!fails(kFsync)) return real(file);
  errno = EIO;
  return -1;
}

// Files that are made or written; what is only read is looked for in many places, most of which do not exist.
int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  static const auto real = next<int (*)(const char*, int, mode_t)>("open");
  if ((flags & (O_WRONLY | O_RDWR | O_CREAT)) == 0 || !fails(kOpen)) return real(path, flags, mode);
  errno = EMFILE;
  return -1;
}

int close(int file) {
  static const auto real = next<int (*)(int)>("close");
  const int code = real(file);
  if (file <= STDERR_FILENO || !fails(kClose)) return code;
  errno = EIO;
  return -1;
}

int ftruncate(int file, off_t length) noexcept {
  static const auto real = next<int (*)(int, off_t)>("ftruncate");
  if (!fails(kTruncate)) return real(file, length);
  errno = EIO;
  return -1;
}

void* mmap(void* address, std::size_t length, int protection, int flags, int file, off_t offset) noexcept {
  static const auto real = next<void* (*)(void*, std::size_t, int, int, int, off_t)>("mmap");
  if (!fails(kMmap)) return real(address, length, protection, flags, file, offset);
  errno = ENOMEM;
  return MAP_FAILED;
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) noexcept {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto real = next<Create>("pthread_create");
  return fails(kThread) ? EAGAIN : real(thread, attributes, start, argument);
}

#ifdef NSMC_FAULTS_OF_MEMORY
// By the names that the C library has for itself: dlsym would allocate.
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) noexcept {
  if (!fails(kMemory)) return __libc_malloc(size);
  errno = ENOMEM;
  return nullptr;
}
void* calloc(std::size_t count, std::size_t size) noexcept {
  if (!fails(kMemory)) return __libc_calloc(count, size);
  errno = ENOMEM;
  return nullptr;
}
void* realloc(void* old, std::size_t size) noexcept {
  if (!fails(kMemory)) return __libc_realloc(old, size);
  errno = ENOMEM;
  return nullptr;
}
void* memalign(std::size_t alignment, std::size_t size) noexcept {
  if (!fails(kMemory)) return __libc_memalign(alignment, size);
  errno = ENOMEM;
  return nullptr;
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept { return memalign(alignment, size); }
int posix_memalign(void** result, std::size_t alignment, std::size_t size) noexcept {
  void* const memory = memalign(alignment, size);
  if (memory == nullptr) return ENOMEM;
  *result = memory;
  return 0;
}
#endif
}
