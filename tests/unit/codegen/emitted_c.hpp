// A shared library of emitted C, built by the system's compiler; gone with the object.
#pragma once

#include <dlfcn.h>
#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "runtime/kernel_abi.hpp"
#include "tests/temporary_folder.hpp"

namespace nsmc::test {

class EmittedC {
 public:
  explicit EmittedC(const std::string& source) {
    const std::string file = folder_.write("kernels.c", source), library = folder_ / "kernels.so";
    const std::string command =
        "cc -std=c11 -Wall -Wextra -Werror -O1 -shared -fPIC -o " + library + " " + file + " -lm";
    REQUIRE(std::system(command.c_str()) == 0);
    library_ = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    REQUIRE((library_ != nullptr));
  }
  ~EmittedC() {
    if (library_ != nullptr) dlclose(library_);
  }
  EmittedC(const EmittedC&) = delete;
  EmittedC& operator=(const EmittedC&) = delete;

  nsm_kernel find(const std::string& name) const { return reinterpret_cast<nsm_kernel>(dlsym(library_, name.c_str())); }

 private:
  TemporaryFolder folder_;
  void* library_ = nullptr;
};

}  // namespace nsmc::test
