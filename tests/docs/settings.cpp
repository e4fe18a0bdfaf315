// The documents know every setting of the table, in the places where it may be given, and no others.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "compiler/model/settings.hpp"

using namespace nsmc;

namespace {

std::string document(const char* name) {
  std::ifstream file(std::string(NSMC_SOURCE_DIR "/docs/") + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// The text from one mark to the next one after it.
std::string part(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t begin = text.find(from);
  REQUIRE_MESSAGE(begin != std::string::npos, from);
  return text.substr(begin, text.find(to, begin + from.size()) - begin);
}

std::set<std::string> quoted(const std::string& text, const char* pattern) {
  std::set<std::string> found;
  const std::regex expression(pattern);
  for (auto at = std::sregex_iterator(text.begin(), text.end(), expression); at != std::sregex_iterator(); ++at) {
    found.insert((*at)[1]);
  }
  return found;
}

std::set<std::string> names(int place, std::string_view SettingRow::*what) {
  std::set<std::string> found;
  for (const SettingRow& row : setting_rows()) {
    if (place == 0 || (row.places & place) != 0) found.emplace(row.*what);
  }
  return found;
}

}  // namespace

TEST_CASE("docs: the table of simulate in language.md has the settings that a model may write") {
  const std::string table = part(document("language.md"), "\n## simulate", "\n## ");
  CHECK(quoted(table, R"(\n\| `(\w+)` \|)") == names(kSimulate, &SettingRow::name));
}

TEST_CASE("docs: the options of run in commands.md are those of the settings, with all their words") {
  const std::string run = part(document("commands.md"), "\n## run", "\n## ");
  for (const SettingRow& row : setting_rows()) {
    const std::string option = "`--" + std::string(row.option);
    CAPTURE(option);
    const std::size_t at = run.find(option);
    REQUIRE(at != std::string::npos);
    const std::string line = run.substr(at, run.find('\n', at) - at);
    for (const std::string_view word : row.words) CHECK(line.find("`" + std::string(word) + "`") != std::string::npos);
  }
}

TEST_CASE("docs: the settings that a study may vary are those that commands.md lists") {
  const std::string list = part(document("commands.md"), "or a setting of the run: ", ". If it could be both");
  std::set<std::string> expected = names(kAxis, &SettingRow::name);
  expected.insert("tol");  // the option of `tolerance` is one of its names
  CHECK(quoted(list, R"(`([\w]+)`)") == expected);
}
