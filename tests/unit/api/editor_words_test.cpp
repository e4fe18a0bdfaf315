// The words that editors and pages colour are those of the language: the grammar of VS Code, which the pages use as
// well, and the lists of vim and Emacs.
#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include "nsmc/editing.hpp"

namespace nsmc {
namespace {

using WordSet = std::set<std::string>;

std::string file_of_editors(const std::string& name) {
  std::ifstream in(NSMC_SOURCE_DIR "/editors/" + name);
  return {std::istreambuf_iterator<char>(in), {}};
}

// All that the pattern finds in the text, which the second one then takes apart.
WordSet taken(const std::string& text, const std::string& lists, const std::string& words) {
  WordSet found;
  const std::regex outer(lists), inner(words);
  for (std::sregex_iterator list(text.begin(), text.end(), outer), end; list != end; ++list) {
    const std::string part = (*list)[1];
    for (std::sregex_iterator word(part.begin(), part.end(), inner); word != end; ++word) found.insert(word->str());
  }
  return found;
}

WordSet of_the_language() {
  WordSet all;
  for (const Word& word : words()) {
    for (const char* group : {"keyword", "function", "set", "constant"}) {
      if (word.group == group) all.insert(word.name);
    }
  }
  return all;
}

std::string difference(const WordSet& a, const WordSet& b) {
  std::string text;
  for (const std::string& word : a) text += b.contains(word) ? "" : word + " ";
  return text;
}

TEST_CASE("editors colour every word of the language, and no others") {
  const WordSet all = of_the_language();
  REQUIRE(all.size() > 100);
  const std::string word = "[a-z][a-z_0-9]*";
  const std::pair<const char*, WordSet> editors[] = {
      {"VS Code",
       taken(file_of_editors("vscode/syntaxes/nsm.tmLanguage.json"), R"(\(\?:([a-z_0-9|]+\|[a-z_0-9|]+)\))", word)},
      {"vim", taken(file_of_editors("vim/syntax/nsm.vim"),
                    "syntax keyword nsm(?:Declaration|Clause|Operator|Function|Set|Constant) ([^\\n]*)", word)},
      {"Emacs", taken(file_of_editors("emacs/nsm-mode.el"), "defconst nsm-[a-z]+\\s+'\\(([^)]*)\\)", word)},
  };
  for (const auto& [name, known] : editors) {
    CAPTURE(name);
    CHECK(difference(all, known) == "");
    CHECK(difference(known, all) == "");
  }
}

}  // namespace
}  // namespace nsmc
