#include "runtime/saved_run.hpp"

#include <algorithm>

namespace nsmc::rt {

const SavedBlock* SavedRun::find(const std::string& name) const {
  const auto at = std::find_if(blocks.begin(), blocks.end(), [&](const SavedBlock& b) { return b.name == name; });
  return at == blocks.end() ? nullptr : &*at;
}

void Memory::real(double& value) {
  if (saving()) {
    to_->reals.push_back(value);
    return;
  }
  if (next_real_ == from_->reals.size()) fail();
  value = from_->reals[next_real_++];
}

void Memory::integer(std::uint64_t& value) {
  if (saving()) {
    to_->integers.push_back(value);
    return;
  }
  if (next_integer_ == from_->integers.size()) fail();
  value = from_->integers[next_integer_++];
}

std::size_t Memory::left() const { return from_->reals.size() - next_real_ + from_->integers.size() - next_integer_; }

void Memory::end() const {
  if (!saving() && left() > 0) fail();
}

void Memory::fail() const { throw SavedRunError("block '" + from_->name + "' belongs to another model or method"); }

}  // namespace nsmc::rt
