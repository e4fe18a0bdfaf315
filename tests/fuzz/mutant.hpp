// Models that nobody has written: parts of real ones, put together and changed. Most of them stay close enough to the
// language to come past the parser, many past the check.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace nsmc::test {

// All models to begin with, in an order that does not depend on the file system.
struct Seeds {
  std::vector<std::string> good;    // models/ and the examples of the documents
  std::vector<std::string> wrong;   // tests/errors
  std::vector<std::string> corpus;  // tests/fuzz/corpus: what was found once
};
Seeds read_seeds();

class Mutator {
 public:
  Mutator(Seeds seeds, std::uint64_t seed);

  // The nth call gives the same model for the same seeds and number.
  std::string next();

 private:
  using Words = std::vector<std::string>;

  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }
  const std::string& any(const Words& words) { return words[below(words.size())]; }
  void change(Words& words);

  Seeds seeds_;
  std::mt19937_64 random_;
  Words declarations_, numbers_, names_, units_;  // of all seeds
};

}  // namespace nsmc::test
