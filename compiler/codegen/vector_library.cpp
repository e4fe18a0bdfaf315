#include "compiler/codegen/vector_library.hpp"

#include <dlfcn.h>
#include <fmt/core.h>

#include <deque>
#include <map>
#include <string>
#include <vector>

namespace nsmc {
namespace {

// By the vector ABI of x86-64: AVX-512 has the letter e and 8 lanes, AVX2 the letter d and 4.
char letter_of(unsigned lanes) { return lanes == 8 ? 'e' : 'd'; }

class VectorLibrary {
 public:
  VectorLibrary() {
    void* library = dlopen("libmvec.so.1", RTLD_NOW | RTLD_LOCAL);  // stays open
    if (library == nullptr) return;
    for (const unsigned lanes : {4u, 8u}) {
#define NSMC_FUNCTION(name, arguments, dimensions, symmetry, value, derivative, latex) value
#define LIBM1(f) add(library, #f, "v", lanes);
#define LIBM2(f) add(library, #f, "vv", lanes);
#define OPERATIONS(...)
#include "compiler/support/functions.def"
      add(library, "pow", "vv", lanes);
    }
  }

  const LibraryFunction* find(std::string_view name, unsigned lanes) const {
    const auto entry = by_name_.find({std::string(name), lanes});
    return entry == by_name_.end() ? nullptr : &functions_[entry->second];
  }
  std::span<const LibraryFunction> all() const { return functions_; }

 private:
  // arguments: a v for each.
  void add(void* library, const std::string& name, const char* arguments, unsigned lanes) {
    names_.push_back(fmt::format("_ZGV{}N{}{}_{}", letter_of(lanes), lanes, arguments, name));
    void* address = dlsym(library, names_.back().c_str());
    if (address == nullptr) return;
    by_name_[{name, lanes}] = functions_.size();
    functions_.push_back({names_.back(), address});
  }

  std::deque<std::string> names_;
  std::vector<LibraryFunction> functions_;
  std::map<std::pair<std::string, unsigned>, std::size_t> by_name_;
};

const VectorLibrary& library() {
  static const VectorLibrary one;
  return one;
}

}  // namespace

const LibraryFunction* vector_library_function(std::string_view name, const LaneShape& shape) {
  return shape.exact || shape.lanes == 1 ? nullptr : library().find(name, shape.lanes);
}

std::span<const LibraryFunction> vector_library_functions() { return library().all(); }

}  // namespace nsmc
