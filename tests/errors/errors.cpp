// Every kind of diagnostic, from the file to the message. A model of this folder says at its end what nsmc must answer:
//     //! N0401 6:18: cannot add length [m] and mass [kg]      code, line:column of the caret, part of the message
//     //!   note 9:7: in contact 'floor'                       the notes, in order (left out: not looked at)
//     //!   hint give it one in brackets                       the hint (left out: not looked at)
// Diagnostics in another file have its name before the line, those in the standard library a name without a line.
// Nothing may be missing and nothing may be extra. Warnings are written like errors. What cannot be written as a text
// file is made here, in generated().
#include "tests/errors/error_models.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "compiler/api/pipeline.hpp"
#include "tests/temporary_folder.hpp"

using namespace nsmc;
using namespace nsmc::test;

namespace {

// "6:18", "imports/cycle.nsm:2:1", "std/laws.nsm"
std::string place(const Sources& sources, const std::string& model, Span span) {
  const SourceFile& file = sources.file(span.file);
  if (file.name().starts_with("std/")) return file.name();
  const Position at = file.position(span.begin);
  const std::string position = std::to_string(at.line) + ":" + std::to_string(at.column);
  return file.name() == model ? position : file.name() + ":" + position;
}

std::string severity(const Diagnostic& d) { return entry(d.kind).severity == Severity::error ? "error" : "warning"; }

std::string answer(const Pipeline& pipeline, const std::string& model, const Diagnostic& d) {
  std::string text =
      std::string(entry(d.kind).code) + " " + place(pipeline.sources(), model, d.span) + ": " + d.message;
  for (const Label& label : d.labels) {
    text += "\n  note " + place(pipeline.sources(), model, label.span) + ": " + label.text;
  }
  if (!d.hint.empty()) text += "\n  hint " + d.hint;
  return text;
}

bool agrees(const Pipeline& pipeline, const std::string& model, const Diagnostic& d, const Expectation& wanted) {
  const auto contains = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  if (entry(d.kind).code != wanted.code) return false;
  if (!wanted.place.empty() && place(pipeline.sources(), model, d.span) != wanted.place) return false;
  if (!contains(d.message, wanted.message) || !contains(d.hint, wanted.hint)) return false;
  if (wanted.notes.empty()) return true;
  if (wanted.notes.size() != d.labels.size()) return false;
  for (std::size_t i = 0; i < d.labels.size(); ++i) {
    if (place(pipeline.sources(), model, d.labels[i].span) != wanted.notes[i].first) return false;
    if (!contains(d.labels[i].text, wanted.notes[i].second)) return false;
  }
  return true;
}

// The expectations of a file, written anew from the answers: NSMC_UPDATE_GOLDENS=1 tests/errors_tests; read the diff.
void rewrite(const Pipeline& pipeline, const ErrorModel& model) {
  REQUIRE_MESSAGE(std::getenv("CI") == nullptr, "expectations are not rewritten in CI");
  std::string text = model.text.substr(0, model.text.find("//!"));
  for (const Diagnostic& d : pipeline.diagnostics().sorted()) {
    std::string lines = answer(pipeline, model.path, d);
    for (std::size_t at = 0; (at = lines.find('\n', at)) != std::string::npos; at += 5) lines.replace(at, 1, "\n//! ");
    // A closing sign in a hint would end the comment that has no end.
    if (const std::size_t end = lines.find(" */"); end != std::string::npos) lines.resize(end);
    text += "//! " + lines + "\n";
  }
  std::ofstream(model.path, std::ios::binary) << text;
}

void compare(const Pipeline& pipeline, const ErrorModel& model) {
  const std::vector<Diagnostic> found = pipeline.diagnostics().sorted();
  std::string all;
  for (const Diagnostic& d : found) all += answer(pipeline, model.path, d) + "\n";
  INFO(model.path, " was answered with\n", all);
  CHECK(found.size() == model.expected.size());
  for (std::size_t i = 0; i < std::min(found.size(), model.expected.size()); ++i) {
    const Expectation& wanted = model.expected[i];
    CHECK_MESSAGE(agrees(pipeline, model.path, found[i], wanted),
                  "expected " << wanted.code << " " << wanted.place << ": " << wanted.message);
  }
}

std::size_t code_points(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// The rendered text shows, for every diagnostic, its line of the source and a caret under its column.
void check_excerpts(const Pipeline& pipeline) {
  const std::string text = render(pipeline.diagnostics(), pipeline.sources(), false);
  std::size_t from = 0;
  for (const Diagnostic& d : pipeline.diagnostics().sorted()) {
    const SourceFile& file = pipeline.sources().file(d.span.file);
    const Position at = file.position(d.span.begin);
    const std::string head = file.name() + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": " +
                             severity(d) + "[" + std::string(entry(d.kind).code) + "]: " + d.message + "\n";
    const std::size_t start = text.find(head, from);
    REQUIRE_MESSAGE(start != std::string::npos, head);
    const std::size_t excerpt = start + head.size();
    const std::size_t end = text.find('\n', excerpt);
    const std::size_t caret_end = text.find('\n', end + 1);
    const std::string source = text.substr(excerpt, end - excerpt);
    const std::string carets = text.substr(end + 1, caret_end - end - 1);
    CAPTURE(source);
    CAPTURE(carets);
    std::string line(file.line(at.line));
    if (line.size() <= 160) {
      std::replace(line.begin(), line.end(), '\t', ' ');
      CHECK(source.ends_with("| " + line));
      CHECK(carets.find('^') == carets.find('|') + 1 + at.column);
      CHECK(carets.size() <= code_points(source) + 1);  // the end of a line may be pointed at
    }
    CHECK(carets.find('^') != std::string::npos);
    from = caret_end;
  }
}

void check_json(const Pipeline& pipeline) {
  const auto parsed = nlohmann::json::parse(render_json(pipeline.diagnostics(), pipeline.sources()));
  const auto found = pipeline.diagnostics().sorted();
  REQUIRE(parsed["diagnostics"].size() == found.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto& item = parsed["diagnostics"][i];
    const Diagnostic& d = found[i];
    const Position begin = pipeline.sources().file(d.span.file).position(d.span.begin);
    const Position end = pipeline.sources().file(d.span.file).position(d.span.end);
    CHECK(item["code"] == entry(d.kind).code);
    CHECK(item["severity"] == severity(d));
    CHECK(item["message"] == d.message);
    CHECK(item["file"] == pipeline.sources().file(d.span.file).name());
    CHECK(item["line"] == begin.line);
    CHECK(item["column"] == begin.column);
    CHECK(item["end_line"] == end.line);
    CHECK(item["end_column"] == end.column);
    CHECK(item.value("hint", "") == d.hint);
    REQUIRE(item["notes"].size() == d.labels.size());
    for (std::size_t k = 0; k < d.labels.size(); ++k) CHECK(item["notes"][k]["message"] == d.labels[k].text);
  }
}

// Lower case, no period, several sentences joined by semicolons.
void check_style(const Pipeline& pipeline) {
  for (const Diagnostic& d : pipeline.diagnostics().sorted()) {
    CAPTURE(d.message);
    REQUIRE_FALSE(d.message.empty());
    const bool name = d.message.starts_with("Lagrange's");
    CHECK((name || std::isupper(static_cast<unsigned char>(d.message[0])) == 0));
    CHECK_FALSE(d.message.ends_with("."));
    CHECK((!d.hint.ends_with(".") || d.hint.ends_with("...")));
    CHECK(d.span.begin <= d.span.end);
    CHECK(d.span.end <= pipeline.sources().file(d.span.file).text().size());
  }
}

std::string rendered(const TemporaryFolder& folder, const std::string& text) {
  Pipeline pipeline(folder.write("model.nsm", text));
  pipeline.derived();
  return render(pipeline.diagnostics(), pipeline.sources(), false);
}

}  // namespace

TEST_CASE("the models of this folder are answered as they say") {
  const std::vector<ErrorModel> models = error_models();
  CHECK(models.size() > 80);
  for (const ErrorModel& model : models) {
    CAPTURE(model.path);
    Pipeline pipeline(model.path);
    const bool good = pipeline.derived() != nullptr;
    if (std::getenv("NSMC_UPDATE_GOLDENS") != nullptr) {
      rewrite(pipeline, model);
      continue;
    }
    const std::vector<Diagnostic> found = pipeline.diagnostics().sorted();
    const bool errors = std::any_of(found.begin(), found.end(), [](const auto& d) { return severity(d) == "error"; });
    CHECK(good == !errors);  // warnings let a model pass
    compare(pipeline, model);
    // The name of the file is the kind that it shows.
    if (model.path.starts_with("N")) {
      CHECK(std::any_of(model.expected.begin(), model.expected.end(),
                        [&](const Expectation& e) { return e.code == model.path.substr(0, 5); }));
    } else {
      CHECK((model.path.starts_with("fine_") == model.expected.empty()));
    }
  }
}

TEST_CASE("files that are made at run time are answered") {
  const TemporaryFolder folder;
  for (const ErrorModel& model : generated()) {
    CAPTURE(model.path);
    ErrorModel written = model;
    for (const auto& [name, text] : model.beside) folder.write(name, text);
    written.path = folder.write(model.path, model.text);
    Pipeline pipeline(written.path);
    CHECK(pipeline.derived() == nullptr);
    compare(pipeline, written);
    check_json(pipeline);
  }
}

TEST_CASE("every kind of the catalogue has a model") {
  std::set<std::string> shown;
  for (const ErrorModel& model : error_models()) {
    for (const Expectation& e : model.expected) shown.insert(e.code);
  }
  for (const ErrorModel& model : generated()) {
    for (const Expectation& e : model.expected) shown.insert(e.code);
  }
  std::set<std::string> codes;
  for (const CatalogueEntry& kind : catalogue()) {
    CHECK_MESSAGE(codes.insert(std::string(kind.code)).second, kind.code << " stands twice in the catalogue");
    CHECK_MESSAGE(shown.contains(std::string(kind.code)), "no model shows " << kind.code << " (" << kind.name << ")");
    CHECK(kind.code.size() == 5);
    CHECK(entry(kind.kind).name == kind.name);
  }
}

TEST_CASE("text, JSON and style of every diagnostic") {
  for (const ErrorModel& model : error_models()) {
    CAPTURE(model.path);
    Pipeline pipeline(model.path);
    pipeline.derived();
    check_excerpts(pipeline);
    check_json(pipeline);
    check_style(pipeline);
  }
}

TEST_CASE("the caret after tabs and letters of several bytes") {
  const TemporaryFolder folder;
  const auto excerpt = [&](const std::string& text) {
    const std::string result = rendered(folder, text);
    return result.substr(result.find('\n') + 1);
  };
  CHECK(excerpt("coord z [m] = 1\nkinetic 0.5 [kg] * z'^2\noutput a =\t\tsin(z)\n") ==
        "    3 | output a =  sin(z)\n"
        "      |                 ^\n"
        "      hint: divide by a reference value, as in sin(x/L)\n");
  CHECK(excerpt("coord θ [m] = 1\nkinetic 0.5 [kg] * θ'^2\n/* äöü 𝒳 */ output ω = sin(2*θ)\n") ==
        "    3 | /* äöü 𝒳 */ output ω = sin(2*θ)\n"
        "      |                            ^^^\n"
        "      hint: divide by a reference value, as in sin(x/L)\n");
  CHECK(excerpt("coord z [m] = 1\r\nkinetic 0.5 [kg] * z'^2\r\noutput a = sin(z)\r\n") ==
        "    3 | output a = sin(z)\n"
        "      |                ^\n"
        "      hint: divide by a reference value, as in sin(x/L)\n");
}

TEST_CASE("a long line is cut around the caret") {
  const TemporaryFolder folder;
  std::string sum = "1";
  for (int i = 0; i < 500; ++i) sum += " + 1";
  const std::string text =
      rendered(folder, "coord z [m] = 1\nkinetic 0.5 [kg] * z'^2\noutput a = " + sum + " + nowhere + " + sum + "\n");
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    lines.push_back(text.substr(at, text.find('\n', at) - at));
  }
  REQUIRE(lines.size() >= 3);
  CHECK(lines[1].size() < 200);
  CHECK(lines[1].substr(lines[2].find('^'), 7) == "nowhere");
  CHECK(lines[2].substr(lines[2].find('^')) == "^^^^^^^");
}

TEST_CASE("an error that stands on several lines is marked on its first") {
  const TemporaryFolder folder;
  const std::string text = rendered(folder, "coord z [m] = 1\nkinetic 0.5 [kg] *\n  z'\n");
  CHECK(text.find("    2 | kinetic 0.5 [kg] *\n      |         ^^^^^^^^^^\n") != std::string::npos);
}
