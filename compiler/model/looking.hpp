// While it lives, expressions are elaborated for these instances.
#pragma once

#include <utility>

#include "compiler/model/elaborator.hpp"

namespace nsmc {

class Elaborator::Looking {
 public:
  Looking(const Instances*& place, const Instances& instances)
      : place_(place), outer_(std::exchange(place, instances.single() ? nullptr : &instances)) {}
  ~Looking() { place_ = outer_; }
  Looking(const Looking&) = delete;
  Looking& operator=(const Looking&) = delete;

 private:
  const Instances*& place_;
  const Instances* outer_;
};

}  // namespace nsmc
