// Models with one character changed: a reader looks for the mistake in the line that a message names first.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "compiler/api/pipeline.hpp"
#include "tests/temporary_folder.hpp"

using namespace nsmc;
using namespace nsmc::test;

namespace {

std::vector<std::string> models() {
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator(NSMC_SOURCE_DIR "/models")) {
    if (file.path().extension() == ".nsm") files.push_back(file.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> texts;
  for (const auto& path : files) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    texts.push_back(text.str());
  }
  return texts;
}

bool within_comment(const std::string& text, std::size_t at) {
  const std::size_t line = text.rfind('\n', at) + 1;
  return text.find("//", line) <= at;
}

}  // namespace

TEST_CASE("a model with one wrong character: the message names the line") {
  const TemporaryFolder folder;
  const std::vector<std::string> all = models();
  for (const auto& file : std::filesystem::directory_iterator(NSMC_SOURCE_DIR "/models")) {  // rows of tables
    if (file.path().extension() == ".csv") std::filesystem::copy(file.path(), folder.path());
  }
  std::mt19937_64 random(20);
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  std::size_t wrong = 0, first_on_line = 0, named = 0;
  std::string others;
  for (int i = 0; i < 450; ++i) {
    std::string text = all[below(all.size())];
    const std::size_t at = below(text.size());
    const std::string other = "abxz019+-*/^()[]{}'=,.:;\" ";
    if (text[at] == '\n' || text[at] == ' ' || within_comment(text, at)) continue;
    const Position place{
        static_cast<std::uint32_t>(1 + std::count(text.begin(), text.begin() + static_cast<long>(at), '\n')), 1};
    const std::size_t kind = below(3);
    const char letter = other[below(other.size())];
    if (kind == 0) text.erase(at, 1);
    if (kind == 1) text.insert(at, 1, letter);
    if (kind == 2) text[at] = letter;
    Pipeline pipeline(folder.write("model.nsm", text));
    if (pipeline.derived() != nullptr) continue;  // still a model, if another
    ++wrong;
    const auto on_line = [&](Span span) {
      const SourceFile& file = pipeline.sources().file(span.file);
      return file.position(span.begin).line <= place.line && place.line <= file.position(span.end).line;
    };
    const std::vector<Diagnostic> found = pipeline.diagnostics().sorted();
    REQUIRE_FALSE(found.empty());
    const bool first = on_line(found.front().span);
    const bool any = std::any_of(found.begin(), found.end(), [&](const Diagnostic& d) {
      return on_line(d.span) ||
             std::any_of(d.labels.begin(), d.labels.end(), [&](const Label& label) { return on_line(label.span); });
    });
    first_on_line += first ? 1 : 0;
    named += any ? 1 : 0;
    if (!any)
      others +=
          "line " + std::to_string(place.line) + ":\n" + render(pipeline.diagnostics(), pipeline.sources(), false);
  }
  const double share = static_cast<double>(first_on_line) / static_cast<double>(wrong);
  MESSAGE(wrong << " wrong models, the line named first in " << first_on_line << ", at all in " << named);
  CAPTURE(others);
  CHECK(wrong > 100);
  CHECK(share > 0.95);
}
