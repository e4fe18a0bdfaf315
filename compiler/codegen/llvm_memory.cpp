#include "compiler/codegen/llvm_memory.hpp"

#include <llvm/Support/ErrorHandling.h>

#include <new>

namespace nsmc {
namespace {

thread_local int inside = 0;
void (*end_of_program)() = nullptr;

void no_memory() {
  if (inside > 0) end_of_program();
  throw std::bad_alloc();
}

void no_memory_in_llvm(void*, const char*, bool) { end_of_program(); }

}  // namespace

void end_where_llvm_has_no_memory(void (*end)()) {
  end_of_program = end;
  llvm::install_bad_alloc_error_handler(no_memory_in_llvm);
  std::set_new_handler(no_memory);
}

InsideLlvm::InsideLlvm() { ++inside; }
InsideLlvm::~InsideLlvm() { --inside; }

}  // namespace nsmc
