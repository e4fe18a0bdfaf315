// What becomes of an allocation that fails inside of LLVM. LLVM is compiled without exceptions: std::bad_alloc would
// pass through functions that cannot clean up behind it, and its own allocations end the process by abort(). A program
// that would rather end with a message says how.
#pragma once

namespace nsmc {

// From now on `end`, which does not return and allocates nothing, is called where memory ends inside of LLVM. Outside
// of it, operator new throws std::bad_alloc as ever. For the whole process: a library leaves it alone.
void end_where_llvm_has_no_memory(void (*end)());

// LLVM is at work on this thread as long as this object lives.
class InsideLlvm {
 public:
  InsideLlvm();
  ~InsideLlvm();
  InsideLlvm(const InsideLlvm&) = delete;
  InsideLlvm& operator=(const InsideLlvm&) = delete;
};

}  // namespace nsmc
