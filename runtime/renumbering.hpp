// Candidates have come and gone: who was which contact before. What is kept by contact, or by row of a contact, moves
// to its new place; for contacts that are new it begins anew.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/kernel_abi.hpp"

namespace nsmc::rt {

class Renumbering {
 public:
  // Every contact of the new list, one after another; before: its number in the old one, or NSM_NONE.
  void add(std::uint32_t before, std::uint32_t first_row_before, std::uint32_t n_rows) {
    before_.push_back({before, first_row_before, n_rows});
  }
  void set_size_before(std::size_t n_contacts) { now_.assign(n_contacts, NSM_NONE); }
  void finish() {
    for (std::size_t i = 0; i < before_.size(); ++i) {
      if (before_[i].contact != NSM_NONE) now_[before_[i].contact] = static_cast<std::uint32_t>(i);
    }
  }

  template <class Value>
  void by_contact(std::vector<Value>& values, Value fresh = {}) const {
    std::vector<Value> old(before_.size(), fresh);
    old.swap(values);
    for (std::size_t i = 0; i < before_.size(); ++i) {
      if (before_[i].contact != NSM_NONE) values[i] = old[before_[i].contact];
    }
  }
  void by_row(std::vector<double>& values) const {
    std::vector<double> old;
    old.swap(values);
    for (const Before& contact : before_) {
      for (std::uint32_t h = 0; h < contact.n_rows; ++h)
        values.push_back(contact.contact == NSM_NONE ? 0 : old[contact.first_row + h]);
    }
  }
  // The number of a contact that is still there; NSM_NONE if it is none or gone.
  void number(std::uint32_t& contact) const {
    contact = contact < now_.size() ? now_[contact] : static_cast<std::uint32_t>(NSM_NONE);
  }

 private:
  struct Before {
    std::uint32_t contact, first_row, n_rows;
  };
  std::vector<Before> before_;
  std::vector<std::uint32_t> now_;  // by old number
};

}  // namespace nsmc::rt
