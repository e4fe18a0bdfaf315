// Contacts of a family by their numbers: which indices, which point, and which blocks an instance has. Nothing is kept
// for them: a family of n shapes has n(n - 1)/2 instances, of which few are ever near each other.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/kernel_abi.hpp"

namespace nsmc::rt {

// Positions count from 0, indices from nsm_family::first.
struct FamilyMember {
  std::uint64_t position[2] = {0, 0};
  std::uint32_t point = 0;
};

FamilyMember member_of(const nsm_family& family, std::uint64_t number);
std::uint64_t number_of(const nsm_family& family, const FamilyMember& member);
std::uint64_t size_of(const nsm_family& family);

// "[2,5]"; points count from 1 after the indices.
std::string suffix_of(const nsm_family& family, std::uint64_t number);

// Numbers that an instance reads as its `self`, and how many they are.
std::uint32_t self_size(const nsm_family& family);
void write_self(const nsm_family& family, const FamilyMember& member, double* self);

std::uint32_t block_of(const nsm_blocks_by_index& blocks, const FamilyMember& member);

}  // namespace nsmc::rt
