// docs/diagnostics.md lists every warning of a run, with the words of the catalogue, and no other.
#include <doctest/doctest.h>

#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "runtime/simulation/warnings.hpp"

TEST_CASE("documentation: the warnings of runs are those of the catalogue") {
  std::vector<std::string> written, known;
  std::ifstream page(NSMC_SOURCE_DIR "/docs/diagnostics.md");
  const std::regex row(R"(\| (R\d{4}) \| ([^|]+) \|.*)");
  std::smatch parts;
  for (std::string line; std::getline(page, line);) {
    if (std::regex_match(line, parts, row)) written.push_back(parts[1].str() + " " + parts[2].str());
  }
  for (const nsmc::rt::WarningInfo& kind : nsmc::rt::warning_catalogue())
    known.push_back(std::string(kind.code) + " " + kind.summary);
  CHECK(written == known);
}
