// What editors ask for (nsmc/editing.hpp).
#include "nsmc/editing.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

namespace nsmc {
namespace {

const std::string kFalling = R"(model ball
param m = 100 [g] "its mass"
coord z [m] = 1
kinetic m/2*z'^2
potential m*9.81 [m/s^2]*z
contact floor { gap z  law unilateral }
)";

// The text without its '|', and where it was.
std::pair<std::string, std::uint32_t> at_bar(std::string text) {
  const std::size_t bar = text.find('|');
  text.erase(bar, 1);
  return {text, static_cast<std::uint32_t>(bar)};
}

std::set<std::string> offered(const std::string& marked) {
  const auto [text, offset] = at_bar(marked);
  std::set<std::string> words;
  for (const Completion& one : complete(text, offset, names_of(text, "model.nsm")).items) words.insert(one.text);
  return words;
}

// The text after the first fix of its first error.
std::string mended(const std::string& text) {
  const Model model = Model::from_text(text);
  if (model.diagnostics().empty()) return "no errors";
  const std::vector<Fix> all = fixes(model.diagnostics()[0], text);
  if (all.empty()) return "no fix";
  return text.substr(0, all[0].begin) + all[0].text + text.substr(all[0].end);
}

TEST_CASE("every word of the language has its form and a sentence") {
  for (const Word& word : words()) {
    CAPTURE(word.group);
    CAPTURE(word.name);
    if (word.group == "choice" || word.group == "color") continue;
    CHECK_FALSE(word.doc.empty());
  }
  // A row of words.def for a word that there is not would never be seen.
  std::size_t rows = 0, found = 0;
#define NSMC_WORD(group_of, name_of, form, text) \
  ++rows;                                        \
  for (const Word& word : words()) found += word.group == #group_of && word.name == name_of && word.doc == text ? 1 : 0;
#include "compiler/api/editing/words.def"
#undef NSMC_WORD
  CHECK(rows > 130);
  CHECK(found == rows);
}

TEST_CASE("names of a broken text") {
  const Names names = names_of(kFalling + "param k = \nkinetic k*z\n", "model.nsm");
  CHECK_FALSE(names.ok);
  REQUIRE(names.diagnostics.size() == 1);
  const SymbolInfo* mass = symbol_at(names.symbols, "model.nsm", static_cast<std::uint32_t>(kFalling.find("m/2")));
  REQUIRE(mass != nullptr);
  CHECK(mass->name == "m");
  CHECK(mass->value == doctest::Approx(0.1));
  CHECK(symbol_at(names.symbols, "other.nsm", 20) == nullptr);
}

TEST_CASE("a declaration that is not closed does not spoil what fits after it") {
  const std::set<std::string> words = offered(kFalling + "param q = 3 [\ncontact two {\n  gap z\n  |");
  CHECK(words.contains("law"));
  CHECK_FALSE(words.contains("kg"));
}

TEST_CASE("nothing fits in comments, strings, numbers and new names") {
  for (const char* marked : {"// a |", "/* a\n |", "\"a |", "param q = 12|", "param |", "law a { force |"}) {
    CAPTURE(marked);
    CHECK(offered(kFalling + marked).empty());
  }
}

TEST_CASE("hints are fixes") {
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = kFalling;
    return text.replace(text.find(from), from.size(), to);
  };
  CHECK(mended(with("kinetic m/2", "kinetic mm/2")) == kFalling);
  CHECK(mended(with("unilateral", "unilaterl")) == kFalling);
  CHECK(mended(with("z'^2", "z'²")) == kFalling);
  CHECK(mended(with("coord z [m] = 1", "coord z [m] = 1;")) == kFalling);
  CHECK(mended(kFalling + "output a = sine(z/1 [m])\n") == kFalling + "output a = sin(z/1 [m])\n");
  CHECK(mended(kFalling + "output a = floor.gab\n") == kFalling + "output a = floor.gap\n");
  CHECK(mended(kFalling + "/* to be done") == kFalling + "/* to be done */");
  CHECK(mended(kFalling + "# remark\n") == kFalling + "// remark\n");
  // What other languages have is replaced as a whole.
  CHECK(mended(with("z'^2", "der(z)^2")) == kFalling);
  CHECK(mended(with("z'^2", "z'**2")) == kFalling);
  CHECK(mended(with("z'^2", "z'.^2")) == kFalling);
  CHECK(mended(with("z'^2", "zdot^2")) == kFalling);
  CHECK(mended(with("coord z [m] = 1", "coord z = 1 [m]")) == kFalling);
  CHECK(mended(with("kinetic m", "kinetic = m")) == kFalling);
  CHECK(mended(with("coord z [m]", "coord z [meter]")) == kFalling);
  CHECK(mended(kFalling + "param f = 0,5\n") == kFalling + "param f = 0.5\n");
  CHECK(mended(kFalling + "let f(x) = x^2\n") == kFalling + "fn f(x) = x^2\n");
  CHECK(mended(kFalling + "coord y[3] [m]\n") == kFalling + "coord y[i in 1..3] [m]\n");
  CHECK(mended(kFalling + "output a = N\n") == kFalling + "output a = floor.N\n");
  CHECK(mended(kFalling + "output a = sin(45)\n") == kFalling + "output a = sin(45 [deg])\n");
  CHECK(mended(kFalling + "output a = [z, z,]\n") == kFalling + "output a = [z, z]\n");
  CHECK(mended(with("coord z [m]", "coord z [mq]")).find("[m]") != std::string::npos);
}

TEST_CASE("the call that is being written") {
  const auto signature = [](const std::string& marked) {
    const auto [text, offset] = at_bar(marked);
    return signature_at(text, offset, names_of(text, "model.nsm"));
  };
  const std::string before = "contact c { gap z  slip z'  law unilateral  law coulomb(";
  auto found = signature(kFalling + before + "0.1, |");
  REQUIRE(found.has_value());
  CHECK(found->label == "coulomb(mu, restitution = 0)");
  CHECK(found->active == 1);
  found = signature(kFalling + before + "restitution = |");
  REQUIRE(found.has_value());
  CHECK(found->active == 1);
  found = signature(kFalling + "output a = max(z, min(z, |");
  REQUIRE(found.has_value());
  CHECK(found->label == "min(a, b, ...)");
  CHECK_FALSE(signature(kFalling + "output a = (z + |").has_value());
}

TEST_CASE("colours follow the meaning of names") {
  const Names names = names_of(kFalling, "model.nsm");
  const auto kind = [&](const std::string& before, const std::string& word) {
    const std::size_t at = kFalling.find(word, kFalling.find(before));
    for (const ColouredWord& one : coloured_words(kFalling, names)) {
      if (one.begin == at) return one.kind;
    }
    return std::string();
  };
  CHECK(kind("m = 100", "m") == "parameter");
  CHECK(kind("100", "g") == "unit");
  CHECK(kind("kinetic", "z") == "coordinate");
  CHECK(kind("law", "unilateral") == "law");
  CHECK(kind("floor", "gap") == "keyword");
  CHECK(kind("its mass", "") == "");
}

TEST_CASE("bodies and comments fold") {
  const std::string text = "// one\n// two\n\nlaw a {\n  force T\n}\n/* x\n y */ param k = [1,\n 2]\n";
  std::set<std::pair<std::uint32_t, std::uint32_t>> found;
  for (const Fold& fold : folds(text)) found.emplace(fold.first_line, fold.last_line);
  CHECK(found == std::set<std::pair<std::uint32_t, std::uint32_t>>{{0, 1}, {3, 5}, {6, 7}, {7, 8}});
}

TEST_CASE("what can be a name") {
  for (const char* name : {"x", "mu_0", "ω₀", "gap", "on"}) CHECK(is_name(name));
  for (const char* name : {"", "1x", "law", "x y", "x'", "a-b", "_x", "\xFF"}) {
    CAPTURE(name);
    CHECK_FALSE(is_name(name));
  }
}

}  // namespace
}  // namespace nsmc
