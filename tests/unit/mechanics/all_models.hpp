// The model files of the repository that stand for themselves: models/ and bench/models/, without the library.
#pragma once

#include <algorithm>
#include <filesystem>
#include <vector>

namespace nsmc::test {

inline std::vector<std::filesystem::path> all_models() {
  std::vector<std::filesystem::path> paths;
  for (const char* folder : {NSMC_SOURCE_DIR "/models", NSMC_SOURCE_DIR "/bench/models"}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() == ".nsm") paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace nsmc::test
