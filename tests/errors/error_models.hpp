// The models of tests/errors and what they expect.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace nsmc::test {

struct Expectation {
  std::string code;                                        // "N0401"
  std::string place;                                       // "6:18"; empty: not looked at
  std::string message;                                     // a part of it
  std::vector<std::pair<std::string, std::string>> notes;  // place and a part of the text
  std::string hint;                                        // a part of it
};

struct ErrorModel {
  std::string path;
  std::string text;
  std::vector<Expectation> expected;
  std::vector<std::pair<std::string, std::string>> beside{};  // other files and their texts
};

// All of tests/errors/*.nsm, by name. Makes that folder the current one, so that messages have short paths.
std::vector<ErrorModel> error_models();

// Files that are no text, or too large for this folder.
std::vector<ErrorModel> generated();

}  // namespace nsmc::test
