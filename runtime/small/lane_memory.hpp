// Arrays of numbers, aligned for the widest registers, zero at first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace nsmc::rt {

class LaneMemory {
 public:
  explicit LaneMemory(std::size_t doubles) {
    constexpr std::size_t alignment = 64;
    const std::size_t bytes = (std::max<std::size_t>(doubles, 1) * sizeof(double) + alignment - 1) & ~(alignment - 1);
    data_.reset(static_cast<double*>(std::aligned_alloc(alignment, bytes)));
    if (data_ == nullptr) throw std::bad_alloc();
    std::fill_n(data_.get(), doubles, 0.0);
  }

  double* data() { return data_.get(); }

 private:
  struct Free {
    void operator()(double* p) const { std::free(p); }
  };
  std::unique_ptr<double, Free> data_;
};

}  // namespace nsmc::rt
