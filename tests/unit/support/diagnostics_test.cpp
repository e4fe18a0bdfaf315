// Diagnostics: collected, sorted, without duplicates, as text and as JSON; and the nearest name.
#include "compiler/support/diagnostics.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>

using namespace nsmc;

namespace {

struct Fixture {
  Sources sources;
  Diagnostics diagnostics;
  FileId file;

  explicit Fixture(const std::string& text) : file(sources.add("a.nsm", text)) {}
  // The place of `what` in the text.
  Span span(const std::string& what) const {
    const auto at = static_cast<std::uint32_t>(sources.file(file).text().find(what));
    return {at, at + static_cast<std::uint32_t>(what.size()), file};
  }
  std::string text(bool colour = false) const { return render(diagnostics, sources, colour); }
};

}  // namespace

TEST_CASE("the catalogue: codes and names are unique, the code belongs to the group") {
  std::set<std::string_view> codes;
  std::set<std::string_view> names;
  std::string_view last;
  for (const CatalogueEntry& e : catalogue()) {
    CHECK(codes.insert(e.code).second);
    CHECK(names.insert(e.name).second);
    CHECK(e.code.size() == 5);
    CHECK(e.code > last);
    CHECK_FALSE(e.summary.empty());
    CHECK(&entry(e.kind) == &e);
    last = e.code;
  }
  CHECK(entry(Kind::dimension_mismatch).code == "N0401");
}

TEST_CASE("sorted by place, duplicates once") {
  Fixture f("param a = b\nparam c = d\n");
  CHECK_FALSE(f.diagnostics.has_errors());
  f.diagnostics.report(Kind::unknown_name, f.span("d"), "unknown name 'd'");
  f.diagnostics.report(Kind::unknown_name, f.span("b"), "unknown name 'b'");
  f.diagnostics.report(Kind::unknown_name, f.span("b"), "unknown name 'b'");
  f.diagnostics.report(Kind::unknown_name, f.span("b"), "something else");
  CHECK(f.diagnostics.has_errors());
  const auto list = f.diagnostics.sorted();
  REQUIRE(list.size() == 3);
  CHECK(list[0].message == "unknown name 'b'");
  CHECK(list[1].message == "something else");
  CHECK(list[2].message == "unknown name 'd'");
}

TEST_CASE("text: place, message, excerpt, caret, notes, hint") {
  Fixture f("param a = 1\nparam a = 2\n");
  Diagnostic& d = f.diagnostics.report(Kind::duplicate_name, {18, 19, f.file}, "'a' is declared twice", "rename one");
  d.labels.push_back({f.span("a ="), "first declared here"});
  CHECK(f.text() ==
        "a.nsm:2:7: error[N0202]: 'a' is declared twice\n"
        "    2 | param a = 2\n"
        "      |       ^\n"
        "      note: first declared here (a.nsm:1:7)\n"
        "    1 | param a = 1\n"
        "      |       ^^^\n"
        "      hint: rename one\n");
}

TEST_CASE("text: no diagnostics, no text") { CHECK(Fixture("param a = 1\n").text() == ""); }

TEST_CASE("text: colours only when asked for, the same words") {
  Fixture f("param a = b\n");
  f.diagnostics.report(Kind::unknown_name, f.span("b"), "unknown name 'b'", "did you mean 'a'?");
  CHECK(f.text().find('\x1b') == std::string::npos);
  std::string coloured = f.text(true);
  CHECK(coloured.find("\x1b[1;31m") != std::string::npos);
  for (std::size_t at = 0; (at = coloured.find('\x1b')) != std::string::npos;) {
    coloured.erase(at, coloured.find('m', at) - at + 1);
  }
  CHECK(coloured == f.text());
}

TEST_CASE("text: the caret after tabs and letters of several bytes") {
  Fixture f("\tlet θ∈ = \tfoo\n");
  f.diagnostics.report(Kind::unknown_name, f.span("foo"), "unknown");
  CHECK(f.text() ==
        "a.nsm:1:12: error[N0201]: unknown\n"
        "    1 |  let θ∈ =  foo\n"
        "      |            ^^^\n");
}

TEST_CASE("text: an empty span and the end of the file have a caret") {
  Fixture f("param a =");
  f.diagnostics.report(Kind::unexpected_token, {9, 9, f.file}, "expected an expression");
  CHECK(f.text() ==
        "a.nsm:1:10: error[N0104]: expected an expression\n"
        "    1 | param a =\n"
        "      |          ^\n");
}

TEST_CASE("text: a span of several lines is marked to the end of its first") {
  Fixture f("kinetic m *\n  z'\nparam a = 1\n");
  f.diagnostics.report(Kind::wrong_dimension, {8, 16, f.file}, "no energy");
  CHECK(f.text() ==
        "a.nsm:1:9: error[N0403]: no energy\n"
        "    1 | kinetic m *\n"
        "      |         ^^^\n");
}

TEST_CASE("text: long lines are cut, and the caret stands under the right word") {
  for (const std::size_t before : {0U, 50U, 200U, 5000U}) {
    CAPTURE(before);
    Fixture f(std::string(before, 'x') + " wrong " + std::string(5000, 'y') + "\n");
    f.diagnostics.report(Kind::unknown_name, f.span("wrong"), "unknown");
    const std::string text = f.text();
    const std::size_t first = text.find('\n') + 1;
    const std::size_t second = text.find('\n', first) + 1;
    const std::size_t caret = text.find('^', second) - second;
    CHECK(second - first < 200);
    CHECK(text.substr(first + caret, 5) == "wrong");
    CHECK(text.substr(second + caret) == "^^^^^\n");
  }
}

TEST_CASE("JSON: the same content") {
  Fixture f("param a = 1\nparam θ = \"x\\\n");
  Diagnostic& d = f.diagnostics.report(Kind::duplicate_name, f.span("θ"), "a \"quoted\" name\nof two lines", "rename");
  d.labels.push_back({f.span("a"), "here"});
  const auto json = nlohmann::json::parse(render_json(f.diagnostics, f.sources));
  REQUIRE(json["diagnostics"].size() == 1);
  const auto& item = json["diagnostics"][0];
  CHECK(item["code"] == "N0202");
  CHECK(item["severity"] == "error");
  CHECK(item["message"] == "a \"quoted\" name\nof two lines");
  CHECK(item["file"] == "a.nsm");
  CHECK(item["line"] == 2);
  CHECK(item["column"] == 7);
  CHECK(item["end_line"] == 2);
  CHECK(item["end_column"] == 8);
  CHECK(item["hint"] == "rename");
  CHECK(item["notes"][0]["message"] == "here");
  CHECK(item["notes"][0]["line"] == 1);
}

TEST_CASE("JSON: bytes that are no UTF-8 do not break it") {
  Fixture f("param \xFF = 1\n");
  f.diagnostics.report(Kind::invalid_utf8, {6, 7, f.file}, "byte \xFF");
  CHECK(nlohmann::json::parse(render_json(f.diagnostics, f.sources))["diagnostics"].size() == 1);
  CHECK(nlohmann::json::parse(render_json(Diagnostics{}, f.sources))["diagnostics"].empty());
}

TEST_CASE("the nearest name, if it is near enough") {
  const std::vector<std::string> names{"stiffness", "mass", "m", "mu", "restitution", "z"};
  const auto near = [&](const char* name) { return nearest(name, names).value_or("-"); };
  CHECK(near("stifness") == "stiffness");
  CHECK(near("masse") == "mass");
  CHECK(near("mas") == "mass");
  CHECK(near("restituton") == "restitution");
  CHECK(near("velocity") == "-");
  CHECK(near("q") == "-");  // another single letter is no slip of the pen
  CHECK(near("mi") == "m");
  CHECK(near("") == "-");
  CHECK(near("mass") == "-");  // the name itself is no suggestion
  CHECK_FALSE(nearest("x", {}));
  CHECK(did_you_mean("stifness", names) == "did you mean 'stiffness'?");
  CHECK(did_you_mean("velocity", names).empty());
}
