// Work in a process of its own: what was done before does not count.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace nsmc::bench {

// What `work` returns in a copy of this process. `name` says whose failure it was.
template <class Work>
std::invoke_result_t<Work> apart(const std::string& name, Work&& work) {
  using Result = std::invoke_result_t<Work>;
  static_assert(std::is_trivially_copyable_v<Result>);
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) {
    int status = 1;
    try {
      const Result result = work();
      status = ::write(ends[1], &result, sizeof result) == sizeof result ? 0 : 1;
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s: %s\n", name.c_str(), error.what());
    }
    ::_exit(status);
  }
  ::close(ends[1]);
  Result result{};
  const bool complete = ::read(ends[0], &result, sizeof result) == sizeof result;
  ::close(ends[0]);
  int status = 0;
  if (::waitpid(child, &status, 0) != child || status != 0 || !complete) throw std::runtime_error(name + " failed");
  return result;
}

}  // namespace nsmc::bench
