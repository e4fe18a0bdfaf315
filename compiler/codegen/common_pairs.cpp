#include "compiler/codegen/common_pairs.hpp"

#include <algorithm>
#include <queue>
#include <unordered_map>

namespace nsmc {

namespace {

// The number of pairs in a list is quadratic; lists this long gain little from sharing one of their pairs.
constexpr std::size_t longest_list = 64;

using List = std::vector<SignedOperand>;

struct PairHash {
  std::size_t operator()(const OperandPair& p) const {
    std::uint64_t h = (p.first | (std::uint64_t{p.second} << 32)) * 2 + (p.opposite ? 1 : 0);
    h *= 0x9E3779B97F4A7C15u;
    return h ^ (h >> 31);
  }
};

struct Candidate {
  OperandPair pair;
  std::uint32_t count = 0;           // lists that contain the pair now
  std::vector<std::uint32_t> lists;  // lists that contain it now or did once
};

struct Entry {  // of the queue; stale if its count is not the candidate's
  std::uint32_t count = 0, candidate = 0;
  bool operator<(const Entry& other) const {
    return count != other.count ? count < other.count : candidate > other.candidate;
  }
};

class Sharing {
 public:
  Sharing(std::vector<List>& lists, std::uint32_t n_operands) : lists_(lists), next_operand_(n_operands) {}

  std::vector<OperandPair> run() {
    for (std::uint32_t l = 0; l < lists_.size(); ++l) {
      const List& list = lists_[l];
      if (list.size() > longest_list) continue;
      for (std::size_t i = 0; i < list.size(); ++i)
        for (std::size_t j = i + 1; j < list.size(); ++j) count_in(list[i], list[j], l);
    }
    for (std::uint32_t c = 0; c < candidates_.size(); ++c) offer(c);
    while (!queue_.empty()) {
      const Entry top = queue_.top();
      queue_.pop();
      const Candidate& candidate = candidates_[top.candidate];
      if (candidate.count == top.count)
        name_pair(top.candidate);
      else
        offer(top.candidate);
    }
    return std::move(named_);
  }

 private:
  static OperandPair pair_of(SignedOperand x, SignedOperand y) {
    return {std::min(x.operand, y.operand), std::max(x.operand, y.operand), x.negative != y.negative};
  }

  void count_in(SignedOperand x, SignedOperand y, std::uint32_t list) {
    const OperandPair pair = pair_of(x, y);
    const auto [entry, is_new] = ids_.try_emplace(pair, static_cast<std::uint32_t>(candidates_.size()));
    if (is_new) candidates_.push_back({pair, 0, {}});
    Candidate& candidate = candidates_[entry->second];
    ++candidate.count;
    candidate.lists.push_back(list);
  }

  void count_out(SignedOperand x, SignedOperand y) { --candidates_[ids_.at(pair_of(x, y))].count; }

  void offer(std::uint32_t candidate) {
    if (candidates_[candidate].count >= 2) queue_.push({candidates_[candidate].count, candidate});
  }

  void name_pair(std::uint32_t candidate) {
    const OperandPair pair = candidates_[candidate].pair;
    const std::vector<std::uint32_t> where = std::move(candidates_[candidate].lists);
    const std::uint32_t name = next_operand_++;
    const std::size_t first_new_candidate = candidates_.size();
    named_.push_back(pair);
    for (std::uint32_t l : where) {
      List& list = lists_[l];
      const auto find = [&list](std::uint32_t operand) {
        return std::find_if(list.begin(), list.end(), [=](SignedOperand o) { return o.operand == operand; });
      };
      const auto first = find(pair.first), second = find(pair.second);
      // Stale: an operand went into another pair since.
      if (first == list.end() || second == list.end()) continue;
      const SignedOperand x = *first, y = *second;
      list.erase(std::max(first, second));
      list.erase(std::min(first, second));
      count_out(x, y);
      const SignedOperand z{name, x.negative};
      for (SignedOperand w : list) {
        count_out(x, w);
        count_out(y, w);
        count_in(z, w, l);
      }
      list.push_back(z);
    }
    for (std::size_t c = first_new_candidate; c < candidates_.size(); ++c) offer(static_cast<std::uint32_t>(c));
  }

  std::vector<List>& lists_;
  std::uint32_t next_operand_;
  std::vector<OperandPair> named_;
  std::vector<Candidate> candidates_;
  std::unordered_map<OperandPair, std::uint32_t, PairHash> ids_;
  std::priority_queue<Entry> queue_;
};

}  // namespace

std::vector<OperandPair> share_common_pairs(std::vector<List>& lists, std::uint32_t n_operands) {
  return Sharing(lists, n_operands).run();
}

}  // namespace nsmc
