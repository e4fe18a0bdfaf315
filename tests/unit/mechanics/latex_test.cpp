// The equations as LaTeX: every model's document is whole, and compiles where there is a pdflatex.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "compiler/api/pipeline.hpp"
#include "compiler/mechanics/equations_text.hpp"
#include "compiler/mechanics/latex_lines.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/unit/mechanics/all_models.hpp"
#include "tests/unit/mechanics/derived_model.hpp"

using namespace nsmc;
using namespace nsmc::test;

namespace {

namespace fs = std::filesystem;

void check_compiles(const std::string& document) {
  const TemporaryFolder folder;
  std::ofstream(folder / "model.tex") << document;
  const std::string command =
      "cd '" + folder.path() + "' && pdflatex -interaction=nonstopmode -halt-on-error model.tex > out.txt 2>&1";
  const bool compiled = std::system(command.c_str()) == 0;
  std::ostringstream log;
  if (!compiled) log << std::ifstream(folder / "out.txt").rdbuf();
  INFO(log.str());
  CHECK(compiled);
  CHECK(fs::exists(folder / "model.pdf"));
}

bool balanced(const std::string& text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size() && depth >= 0; ++i) {
    if (text[i] == '\\') {
      ++i;  // an escaped brace, or a command
    } else {
      depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
    }
  }
  return depth == 0;
}

const char* const kAwkward = R"(
  model awkward_name "50% of x_1 & a #hash, $5 and {braces}"
  param mu_1 = 0.3  param θ₀ = 1  param r_in = 2
  law l { force T[2]  slip in normal_cone([[1, mu_1], [0, 1]]*(disc(mu_1*N) + [θ₀, 1]), -T) }
  coord x_a  coord φ  coord z
  velocity ω
  kinematics φ' = ω/(1 + x_a^2)
  kinetic x_a'^2/2 + ω^2/2*sqrt(1 + x_a^2) + z'^2/2
  potential abs(x_a)*exp(-φ) + atan2(z, r_in) + piecewise { z < 0 : z^2, else : 0 }
  contact left_wall { gap z  slip [x_a', r_in*ω]  law unilateral(restitution = 0.5)  law l }
)";

}  // namespace

TEST_CASE("every model's LaTeX document is whole") {
  for (const fs::path& path : all_models()) {
    CAPTURE(path.string());
    Pipeline pipeline(path.string());
    REQUIRE((pipeline.derived() != nullptr));
    const std::string text = equations_latex(pipeline.pool(), *pipeline.derived());
    CHECK(text.starts_with("\\documentclass"));
    CHECK(text.ends_with("\\end{document}\n"));
    CHECK(balanced(text));
    for (const ContactEquation& contact : pipeline.derived()->contacts) {
      CHECK(text.find("\\mathcal{N}") != std::string::npos);
      CHECK(contact.laws.empty() == false);
    }
  }
}

TEST_CASE("no line of a LaTeX document is wider than the page") {
  for (const fs::path& path : all_models()) {
    CAPTURE(path.string());
    Pipeline pipeline(path.string());
    REQUIRE((pipeline.derived() != nullptr));
    const std::string text = equations_latex(pipeline.pool(), *pipeline.derived());
    constexpr double page = 84;  // letters of about 5.5 pt; the page has 480 pt
    std::istringstream document(text);
    for (std::string line; std::getline(document, line);) {
      CAPTURE(line);
      CHECK(latex_width(line) <= page);
    }
    // A matrix has many lines, and is as wide as its columns together.
    for (std::size_t at = text.find("\\[\n"); at != std::string::npos; at = text.find("\\[\n", at)) {
      const std::size_t end = text.find("\n\\]", at);
      const std::string formula = text.substr(at + 3, end - at - 3);
      CAPTURE(formula);
      CHECK(latex_width(formula) <= page);
      at = end;
    }
  }
}

TEST_CASE("a matrix is as wide as its columns") {
  CHECK(latex_width("\\begin{pmatrix} abcd & 0 \\\\ 0 & efgh \\end{pmatrix}") ==
        latex_width("\\begin{pmatrix} abcd & efgh \\end{pmatrix}"));
}

TEST_CASE("formulas are cut at the signs of sums, and brackets stay whole") {
  using Lines = std::vector<std::string>;
  CHECK(latex_lines("a + b", 10) == Lines{"a + b"});
  CHECK(latex_lines("a \\left(bbbb - cccc\\right)", 6) ==
        Lines{"a \\left(bbbb  \\right.", "\\left. {} - cccc\\right)"});
  CHECK(latex_lines("\\frac{aaaa + bbbb}{x}", 8) ==
        Lines{"\\frac{1}{x} \\, \\left(aaaa  \\right.", "\\left. {} + bbbb\\right)"});
  CHECK(latex_lines("\\frac{1}{xxxxxxxx}", 6) == Lines{"\\left(1\\right) ", "{} / \\left(xxxxxxxx\\right)"});
  // Within a term only where it is wider than a line.
  CHECK(latex_lines("aaaa \\, bbbb + c", 6) == Lines{"aaaa", "{} \\cdot  \\, bbbb ", "{} + c"});
  CHECK(latex_lines("a \\, b + cccc", 6) == Lines{"a \\, b ", "{} + cccc"});
  CHECK(latex_lines("\\sqrt[3]{xxxxxxxx}", 6) == Lines{"\\sqrt[3]{xxxxxxxx}"});
}

TEST_CASE("wide cases get names and equations of their own, equal ones the same") {
  LatexCases cases;
  const std::string inner = "\\begin{cases} aaaa & \\text{if } x < 0 \\\\ bbbb & \\text{otherwise} \\end{cases}";
  CHECK(cases.named("1 + " + inner, 100) == "1 + " + inner);
  CHECK(cases.take().empty());
  const std::string outer = "\\begin{cases} " + inner + " & \\text{if } y < 0 \\\\ 1 & \\text{otherwise} \\end{cases}";
  CHECK(cases.named(inner + " + " + outer, 4) == "\\mathcal{P}_{1} + \\mathcal{P}_{2}");
  const std::vector<LatexCases::Named> parts = cases.take();
  REQUIRE(parts.size() == 2);
  CHECK(parts[0].name == "\\mathcal{P}_{1}");
  CHECK(parts[1].rows == std::vector<std::pair<std::string, std::string>>{{" \\mathcal{P}_{1} ", " \\text{if } y < 0 "},
                                                                          {" 1 ", " \\text{otherwise} "}});
}

TEST_CASE("matrices are bold, so that a parameter may have their names") {
  const DerivedModel model("param W = 2\ncoord x\nkinetic W*x'^2/2\nconstraint c { slip x' }\n");
  const std::string text = equations_latex(model.pool, model.equations());
  CHECK(text.find("\\mathbf{W} = ") != std::string::npos);
  CHECK(text.find("\\mathbf{M} = \\begin{pmatrix}\nW\n") != std::string::npos);
  CHECK(text.find(" W = ") == std::string::npos);
}

TEST_CASE("every model's LaTeX document compiles") {
  if (std::system("pdflatex --version > /dev/null 2>&1") != 0) {
    MESSAGE("no pdflatex on this machine: not tried");
    return;
  }
  for (const fs::path& path : all_models()) {
    CAPTURE(path.string());
    Pipeline pipeline(path.string());
    REQUIRE((pipeline.derived() != nullptr));
    check_compiles(equations_latex(pipeline.pool(), *pipeline.derived()));
  }
  const DerivedModel awkward(kAwkward);
  check_compiles(equations_latex(awkward.pool, awkward.equations()));
}

// TeX reads these as commands, and pdflatex knows no Greek letters in text.
TEST_CASE("documentation with a caret, a tilde, a backslash and Greek letters compiles" * doctest::may_fail()) {
  if (std::system("pdflatex --version > /dev/null 2>&1") != 0) return;
  const DerivedModel model("model m \"a ~ 3^2 of \\\\alpha, the angle θ\"\ncoord x\nkinetic x'^2/2\n");
  const std::string text = equations_latex(model.pool, model.equations());
  CHECK(text.find("3^2") == std::string::npos);
  check_compiles(text);
}
