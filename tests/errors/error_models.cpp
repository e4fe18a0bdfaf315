#include "tests/errors/error_models.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "compiler/syntax/limits.hpp"

namespace nsmc::test {
namespace {

namespace fs = std::filesystem;

std::string repeat(const std::string& text, std::size_t times) {
  std::string result;
  result.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

// "6:18: cannot add ..." -> place and message
std::pair<std::string, std::string> split_place(const std::string& text) {
  const std::size_t colon = text.find(": ");
  if (colon == std::string::npos) throw std::runtime_error("an expectation without a place: " + text);
  return {text.substr(0, colon), text.substr(colon + 2)};
}

std::vector<Expectation> expectations(const std::string& text, const std::string& name) {
  std::vector<Expectation> result;
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) {
    if (!line.starts_with("//!")) continue;
    const std::string body = line.substr(std::min(line.size(), line.find_first_not_of(' ', 3)));
    const std::string rest = body.substr(std::min(body.size(), body.find(' ') + 1));
    if (body.starts_with("N")) {
      const auto [place, message] = split_place(rest);
      result.push_back({body.substr(0, 5), place, message, {}, {}});
    } else if (body.starts_with("note ") && !result.empty()) {
      result.back().notes.push_back(split_place(rest));
    } else if (body.starts_with("hint ") && !result.empty()) {
      result.back().hint = rest;
    } else {
      throw std::runtime_error(name + ": not an expectation: " + line);
    }
  }
  return result;
}

}  // namespace

std::vector<ErrorModel> error_models() {
  fs::current_path(NSMC_SOURCE_DIR "/tests/errors");
  std::vector<ErrorModel> result;
  for (const fs::directory_entry& file : fs::directory_iterator(".")) {
    if (file.path().extension() != ".nsm") continue;
    std::ifstream in(file.path(), std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    const std::string name = file.path().filename().string();
    result.push_back({name, text.str(), expectations(text.str(), name)});
  }
  std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return result;
}

std::vector<ErrorModel> generated() {
  const std::string body = "coord z [m] = 1\nkinetic 0.5 [kg] * z'^2\n";
  std::vector<ErrorModel> models;
  const auto add = [&](std::string name, std::string text, std::vector<Expectation> expected) {
    models.push_back({std::move(name), std::move(text), std::move(expected)});
  };
  add("invalid_utf8.nsm", body + "param \xC3 = 2\n",
      {{"N0001", "3:7", "byte 0xC3 is not valid UTF-8", {}, "save the file as UTF-8"}});
  add("overlong_utf8.nsm", body + "// \xC0\xAF\n", {{"N0001", "3:4", "byte 0xC0", {}, {}}});
  add("too_large.nsm", body + std::string(max_file_bytes, ' '), {{"N0002", "1:1", "up to 16 MiB", {}, {}}});
  add("parentheses.nsm", "param a = " + repeat("(", 100'000),
      {{"N0003", "1:267", "more than 256 brackets are open", {}, "let"}});
  add("minus_signs.nsm", "param a = " + repeat("-", 10'000) + "1",
      {{"N0003", "", "nested more than 256 levels deep", {}, "let"}});
  // Each definition needs the next one, so that the first use goes down through all of them.
  std::string chain;
  for (int i = 0; i < 3000; ++i) chain += "let a" + std::to_string(i) + " = a" + std::to_string(i + 1) + "\n";
  add("definitions_backwards.nsm", body + chain + "let a3000 = 1\n",
      {{"N0003", "603:12", "definitions are nested too deeply", {}, "declare definitions before their use"}});
  add("long_declaration.nsm", "param a = 1" + repeat(" + 1", max_declaration_tokens),
      {{"N0004", "1:1", "declaration of more than 500000 words and signs", {}, "name parts of it with let"}});
  // Each file imports the next.
  add("deep_imports.nsm", "import \"next_0.nsm\"\n" + body,
      {{"N0008", "", "imports are nested more than 64 files deep", {}, "into one file"}});
  for (int i = 0; i < 100; ++i) {
    models.back().beside.emplace_back("next_" + std::to_string(i) + ".nsm",
                                      "import \"next_" + std::to_string(i + 1) + ".nsm\"\n");
  }
  return models;
}

}  // namespace nsmc::test
