#include "runtime/contact_family.hpp"

#include <algorithm>
#include <cmath>

namespace nsmc::rt {

namespace {

// The pairs (0,1), (0,2), (1,2), (0,3), ... with a second below j.
std::uint64_t pairs_before(std::uint64_t j) { return j == 0 ? 0 : j * (j - 1) / 2; }

std::uint64_t second_of_pair(std::uint64_t number) {
  auto j = static_cast<std::uint64_t>((1 + std::sqrt(1 + 8 * static_cast<double>(number))) / 2);
  while (pairs_before(j) > number) --j;
  while (pairs_before(j + 1) <= number) ++j;
  return j;
}

}  // namespace

FamilyMember member_of(const nsm_family& family, std::uint64_t number) {
  FamilyMember member;
  member.point = static_cast<std::uint32_t>(number % family.n_points);
  number /= family.n_points;
  if (family.pairs != 0) {
    member.position[1] = second_of_pair(number);
    member.position[0] = number - pairs_before(member.position[1]);
  } else if (family.n_indices == 2) {
    member.position[0] = number / family.count[1];
    member.position[1] = number % family.count[1];
  } else {
    member.position[0] = number;
  }
  return member;
}

std::uint64_t number_of(const nsm_family& family, const FamilyMember& member) {
  const std::uint64_t i = member.position[0], j = member.position[1];
  const std::uint64_t number = family.pairs != 0       ? pairs_before(j) + i
                               : family.n_indices == 2 ? i * family.count[1] + j
                                                       : i;
  return number * family.n_points + member.point;
}

std::uint64_t size_of(const nsm_family& family) {
  const std::uint64_t n = family.pairs != 0       ? pairs_before(family.count[0])
                          : family.n_indices == 2 ? family.count[0] * family.count[1]
                                                  : family.count[0];
  return n * family.n_points;
}

std::string suffix_of(const nsm_family& family, std::uint64_t number) {
  const FamilyMember member = member_of(family, number);
  std::string text = "[";
  for (std::uint32_t k = 0; k < family.n_indices; ++k) {
    if (k > 0) text += ",";
    text += std::to_string(family.first[k] + static_cast<std::int64_t>(member.position[k]));
  }
  if (family.points != nullptr) text += "," + std::to_string(member.point + 1);
  return text + "]";
}

std::uint32_t self_size(const nsm_family& family) {
  return family.n_indices + (family.points != nullptr ? family.n_point_numbers : 0);
}

void write_self(const nsm_family& family, const FamilyMember& member, double* self) {
  for (std::uint32_t k = 0; k < family.n_indices; ++k)
    *self++ = static_cast<double>(family.first[k] + static_cast<std::int64_t>(member.position[k]));
  if (family.points == nullptr) return;
  std::copy_n(family.points + std::size_t{member.point} * family.n_point_numbers, family.n_point_numbers, self);
}

std::uint32_t block_of(const nsm_blocks_by_index& blocks, const FamilyMember& member) {
  return blocks.blocks[blocks.index == NSM_NONE ? 0 : member.position[blocks.index]];
}

}  // namespace nsmc::rt
