#include "compiler/driver/process.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>

#include "compiler/codegen/llvm_memory.hpp"
#include "compiler/driver/exit_codes.hpp"
#include "runtime/output/output_file.hpp"

namespace nsmc {
namespace {

// The standard descriptors are open: the next file would else become standard error, and messages its contents. What is
// opened in their place can neither be read nor written, so that a write still fails.
void open_standard_descriptors() {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) != -1) continue;
    if (::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0) ::_exit(kFileTrouble);
  }
}

void say(const char* text) { (void)!::write(STDERR_FILENO, text, std::strlen(text)); }

[[noreturn]] void end(int code) {
  rt::remove_temporaries();
  ::_exit(code);
}

[[noreturn]] void end_without_memory() {
  say("nsmc: not enough memory for this model\n");
  end(kNumericalFailure);
}

// An exception that could not be caught: it left a destructor, or a function that must not throw.
[[noreturn]] void end_by_exception() {
  try {
    if (std::current_exception() != nullptr) throw;
  } catch (const std::bad_alloc&) {
    end_without_memory();
  } catch (const std::exception& error) {
    say("nsmc: internal error: ");
    say(error.what());
  } catch (...) {
    say("nsmc: internal error");
  }
  say("\nnsmc: this is a bug of nsmc, please report it with the model\n");
  end(kInternalError);
}

}  // namespace

void prepare_process() {
  open_standard_descriptors();
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is a write error like any other,
  std::signal(SIGXFSZ, SIG_IGN);  // and so is a limit on the size of files
  end_where_llvm_has_no_memory(end_without_memory);
  std::set_terminate(end_by_exception);
}

}  // namespace nsmc
