// What a run carries from one step to the next, as a value: named blocks of numbers, from which a run goes on bit for
// bit, in this process or in another.
//
// Whoever remembers something has one list of it, `remember(Memory&)`, for both ways: into a block and out of one. What
// is computed anew in every step is not in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace nsmc::rt {

struct SavedBlock {
  std::string name;
  std::vector<double> reals;
  std::vector<std::uint64_t> integers;

  bool operator==(const SavedBlock&) const = default;
};

struct SavedRun {
  // The version of the lists of all `remember`: raised whenever one of them changes.
  static constexpr std::uint32_t version = 5;

  std::vector<SavedBlock> blocks;

  const SavedBlock* find(const std::string& name) const;  // null: there is none
  bool operator==(const SavedRun&) const = default;
};

// The blocks do not belong to the run that is to go on from them.
struct SavedRunError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Memory {
 public:
  static Memory into(SavedBlock& block) { return Memory(&block, nullptr); }
  static Memory from(const SavedBlock& block) { return Memory(nullptr, &block); }

  bool saving() const { return to_ != nullptr; }

  // Numbers, arrays and vectors of them, and whatever has a `remember` of its own. Vectors keep their length.
  template <class... Values>
  void operator()(Values&... values) {
    (one(values), ...);
  }

  // A vector whose length belongs to what is remembered.
  template <class Value>
  void sized(std::vector<Value>& values) {
    std::uint64_t size = values.size();
    integer(size);
    if (!saving()) {
      if (size > left()) fail();
      values.resize(static_cast<std::size_t>(size));
    }
    for (Value& value : values) one(value);
  }

  // To be called at the end: throws SavedRunError if there is more in the block than was asked for.
  void end() const;

 private:
  Memory(SavedBlock* to, const SavedBlock* from) : to_(to), from_(from) {}

  template <class Value>
  void one(Value& value) {
    if constexpr (requires { value.remember(*this); }) {
      value.remember(*this);
    } else if constexpr (std::is_floating_point_v<Value>) {
      real(value);
    } else if constexpr (std::is_integral_v<Value> || std::is_enum_v<Value>) {
      auto number = static_cast<std::uint64_t>(value);
      integer(number);
      value = static_cast<Value>(number);
    } else if constexpr (std::is_array_v<Value>) {
      for (auto& element : value) one(element);
    } else {
      std::uint64_t size = value.size();
      integer(size);
      if (size != value.size()) fail();
      for (auto& element : value) one(element);
    }
  }

  void real(double& value);
  void integer(std::uint64_t& value);
  std::size_t left() const;  // numbers that were not read yet
  [[noreturn]] void fail() const;

  SavedBlock* to_;
  const SavedBlock* from_;
  std::size_t next_real_ = 0, next_integer_ = 0;
};

// A block of `run` with what `owner` remembers, and back.
template <class Remember>
void save_block(SavedRun& run, std::string name, Remember&& remember) {
  SavedBlock& block = run.blocks.emplace_back();
  block.name = std::move(name);
  Memory memory = Memory::into(block);
  remember(memory);
}
template <class Remember>
void restore_block(const SavedRun& run, const std::string& name, Remember&& remember) {
  const SavedBlock* block = run.find(name);
  if (block == nullptr) throw SavedRunError("there is no block '" + name + "'");
  Memory memory = Memory::from(*block);
  remember(memory);
  memory.end();
}

}  // namespace nsmc::rt
