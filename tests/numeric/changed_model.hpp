// Models of models/ with other text in them: initial values and laws that no parameter gives.
#pragma once

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace nsmc::test {

struct Edit {
  std::string written, instead;
};

// The text of a model with every `written` changed.
inline std::string changed(const std::string& model, const std::vector<Edit>& edits) {
  std::stringstream text;
  text << std::ifstream(NSMC_SOURCE_DIR "/models/" + model + ".nsm").rdbuf();
  std::string result = text.str();
  for (const auto& [written, instead] : edits) {
    std::size_t at = result.find(written);
    REQUIRE_MESSAGE(at != std::string::npos, written);
    for (; at != std::string::npos; at = result.find(written, at + instead.size())) {
      result.replace(at, written.size(), instead);
    }
  }
  return result;
}

}  // namespace nsmc::test
