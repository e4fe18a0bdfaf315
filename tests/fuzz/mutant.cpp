#include "tests/fuzz/mutant.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace nsmc::test {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

std::string whole(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<fs::path> files_below(const fs::path& folder, const char* extension) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == extension) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '\''; }

// Words, numbers, blanks, signs; comments are left out. Together again they are the text.
Words words_of(const std::string& text) {
  Words words;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (text.compare(i, 2, "//") == 0) {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    if (text[i] == '"') {
      end = std::min(text.find('"', i + 1), text.size() - 1) + 1;
    } else if (is_word(text[i])) {
      while (end < text.size() && is_word(text[end])) ++end;
    } else if (text[i] == ' ') {
      while (end < text.size() && text[end] == ' ') ++end;
    }
    words.push_back(text.substr(i, end - i));
    i = end;
  }
  return words;
}

// Texts between line breaks at which no bracket is open: declarations, as a rule.
Words declarations_of(const std::string& text) {
  Words found;
  int open = 0;
  std::string one;
  for (const char c : text) {
    one += c;
    open += c == '{' || c == '(' || c == '[' ? 1 : c == '}' || c == ')' || c == ']' ? -1 : 0;
    if (c == '\n' && open <= 0) {
      if (one.size() > 2 && one.size() < 2000) found.push_back(one);
      one.clear();
      open = 0;
    }
  }
  return found;
}

std::string joined_text(const Words& words) {
  std::string text;
  for (const std::string& word : words) text += word;
  return text;
}

// From an opening bracket to the one that closes it.
std::pair<std::size_t, std::size_t> group_at(const Words& words, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < words.size(); ++i) {
    const std::string& w = words[i];
    depth += w == "(" || w == "[" || w == "{" ? 1 : w == ")" || w == "]" || w == "}" ? -1 : 0;
    if (depth == 0) return {open, i + 1};
  }
  return {open, words.size()};
}

}  // namespace

Seeds read_seeds() {
  const fs::path root = NSMC_SOURCE_DIR;
  Seeds all;
  const auto read = [&](const char* folder, std::vector<std::string>& into) {
    for (const fs::path& path : files_below(root / folder, ".nsm")) into.push_back(whole(path));
  };
  read("models", all.good);
  read("tests/errors", all.wrong);
  read("tests/fuzz/corpus", all.corpus);
  std::vector<fs::path> pages = files_below(root / "docs", ".md");
  pages.push_back(root / "README.md");
  for (const fs::path& page : pages) {
    const std::string text = whole(page);
    const std::string begin = "```nsm\n";
    for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at + 1)) {
      const std::size_t from = at + begin.size(), to = text.find("```", from);
      all.good.push_back(text.substr(from, to - from));
    }
  }
  return all;
}

Mutator::Mutator(Seeds seeds, std::uint64_t seed) : seeds_(std::move(seeds)), random_(seed) {
  std::set<std::string> declarations, numbers{"0", "-1", "1e300", "1e-300", "1e16", "0.5", "3", "1000", "-0.0"}, names,
      units;
  std::vector<std::string> all = seeds_.good;
  for (const auto* more : {&seeds_.wrong, &seeds_.corpus}) all.insert(all.end(), more->begin(), more->end());
  for (const std::string& text : all) {
    for (std::string& one : declarations_of(text)) declarations.insert(std::move(one));
    const Words words = words_of(text);
    for (std::size_t i = 0; i < words.size(); ++i) {
      const auto first = static_cast<unsigned char>(words[i][0]);
      if (std::isdigit(first) != 0) numbers.insert(words[i]);
      if (std::isalpha(first) != 0) names.insert(words[i]);
      if (words[i] == "[") {
        const auto [from, to] = group_at(words, i);
        if (to - from < 8)
          units.insert(joined_text(Words(words.begin() + static_cast<std::ptrdiff_t>(from),
                                         words.begin() + static_cast<std::ptrdiff_t>(to))));
      }
    }
  }
  declarations_.assign(declarations.begin(), declarations.end());
  numbers_.assign(numbers.begin(), numbers.end());
  names_.assign(names.begin(), names.end());
  units_.assign(units.begin(), units.end());
}

void Mutator::change(Words& words) {
  if (words.empty()) return;
  const auto at = [&](std::size_t i) { return words.begin() + static_cast<std::ptrdiff_t>(i); };
  const std::size_t i = below(words.size());
  const auto some = [&](const auto& fits) {
    for (std::size_t k = 0; k < words.size(); ++k) {
      const std::size_t at_k = (i + k) % words.size();
      if (fits(words[at_k])) return at_k;
    }
    return i;
  };
  const auto number = [](const std::string& w) { return std::isdigit(static_cast<unsigned char>(w[0])) != 0; };
  const auto name = [](const std::string& w) { return std::isalpha(static_cast<unsigned char>(w[0])) != 0; };
  const auto open = [](const std::string& w) { return w == "(" || w == "["; };
  switch (below(14)) {
    case 0:
    case 1:
    case 10:
    case 11:
    case 12: words[some(number)] = any(numbers_); break;
    case 2: words[some(name)] = any(names_); break;
    case 3: {  // a name of the same model
      const std::size_t to = some(name), from = below(words.size());
      if (name(words[from])) words[to] = words[from];
      break;
    }
    case 4: {  // a group that is a copy of another one
      const auto [from, to] = group_at(words, some(open));
      const Words group(at(from), at(to));
      const auto [other, end] = group_at(words, some(open));
      if (group.size() + words.size() > 20'000) break;
      words.erase(at(other), at(end));
      words.insert(at(std::min(other, words.size())), group.begin(), group.end());
      break;
    }
    case 5: words[i] = std::string(1, "+-*/^()[]{},=<'@."[below(17)]); break;
    case 6: words.erase(at(i)); break;
    case 7: words.insert(at(i), words[below(words.size())]); break;
    case 8: {
      const std::size_t unit = some([](const std::string& w) { return w == "["; });
      const auto [from, to] = group_at(words, unit);
      words.erase(at(from), at(to));
      words.insert(at(std::min(from, words.size())), any(units_));
      break;
    }
    default: {  // deeper
      const std::size_t k = some(number);
      words[k] = "(" + words[k] + (below(2) == 0 ? "*" : " - ") + any(numbers_) + ")";
    }
  }
}

std::string Mutator::next() {
  const std::vector<std::string>& from = below(4) > 0 || seeds_.wrong.empty() ? seeds_.good : seeds_.wrong;
  Words parts = declarations_of(from[below(from.size())] + "\n");
  // Half of them keep their declarations, and differ in words and numbers.
  for (std::size_t k = below(2) == 0 ? 0 : below(3) + 1; k > 0; --k) {
    if (parts.empty() || below(3) > 0) {
      parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(below(parts.size() + 1)), any(declarations_));
    } else {
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(below(parts.size())));
    }
  }
  Words words = words_of(joined_text(parts));
  for (std::size_t k = below(4); k > 0; --k) change(words);
  return joined_text(words);
}

}  // namespace nsmc::test
