// The names of a model: declarations, uses, what is known of them, and all of that in models with errors.
#include "compiler/model/symbols.hpp"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "compiler/api/standard_library.hpp"
#include "compiler/model/check.hpp"
#include "compiler/syntax/parse.hpp"

using namespace nsmc;

namespace {

struct Named {
  Sources sources;
  Diagnostics diagnostics;
  SymbolTable table;
  std::string text;
  bool whole = false;

  explicit Named(std::string model) : text(std::move(model)) {
    SourceModels models;
    PartlyParsed parsed = parse_partly(sources, sources.add("test.nsm", text), diagnostics);
    whole = parsed.whole;
    models.files.push_back(std::move(parsed.model));
    for (const LibraryFile& file : standard_library()) {
      const FileId id = sources.add(std::string(file.name), std::string(file.text));
      if (file.name == "std/bodies.nsm") {
        models.functions = std::make_shared<LazyFunctions>(sources, id);
        continue;
      }
      auto part = parse(sources, id, diagnostics);
      std::move(part->declarations.begin(), part->declarations.end(), std::back_inserter(models.library.declarations));
    }
    check(models, diagnostics, {}, &table);
  }

  const Symbol& symbol(std::string_view name) const {
    const Symbol* found = table.find(name);
    REQUIRE_MESSAGE(found != nullptr, name);
    return *found;
  }

  // The lines of its uses: "3 5 5".
  std::string lines(const Symbol& symbol) const {
    std::string result;
    for (const Span& use : symbol.uses) {
      CHECK(sources.text(use) == symbol.name);
      result += fmt::format("{}{}", result.empty() ? "" : " ", sources.file(use.file).position(use.begin).line);
    }
    return result;
  }
  std::string lines(std::string_view name) const { return lines(symbol(name)); }

  const Symbol& local(std::string_view name, Symbol::Kind kind) const {
    const auto found = std::find_if(table.symbols.begin(), table.symbols.end(), [&](const Symbol& symbol) {
      return symbol.local && !symbol.library && symbol.name == name && symbol.kind == kind;
    });
    REQUIRE_MESSAGE(found != table.symbols.end(), name);
    return *found;
  }
};

const char* const kModel = R"(model bounce
param m = 2 [kg]        "the mass"
param h [mm] = 5
param g = 9.81 [m/s^2]
let weight = m*g
fn twice(a, factor = 2) = factor*a
set cap(r) = disc(r)
coord z [m] = twice(h, factor = 3)
coord x [m] = 0
initial x' = 1 [m/s]
kinetic m/2*(z'^2 + x'^2)
potential weight*z
law stick(mu) {
  force T
  let c = mu*N
  slip in normal_cone(interval(-c, c), -T)
}
contact floor {
  let low = z - h
  gap low
  slip x'
  law unilateral(restitution = 0.5)
  law stick(mu = 0.3)
}
output up [mm] = twice(z)
output press = floor.N
)";

bool has(const std::vector<std::string>& list, const char* name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace

TEST_CASE("symbols: what is declared, where it is used, what is known of it") {
  const Named n(kModel);
  REQUIRE_MESSAGE(!n.diagnostics.has_errors(), render(n.diagnostics, n.sources, false));

  const Symbol& m = n.symbol("m");
  CHECK(m.kind == Symbol::Kind::parameter);
  CHECK(n.sources.text(m.declared) == "m");
  CHECK(m.doc == "the mass");
  CHECK(m.unit == "kg");
  CHECK(m.value == 2);
  CHECK(n.lines(m) == "5 11");

  const Symbol& h = n.symbol("h");
  CHECK(h.unit == "mm");
  CHECK(*h.value == doctest::Approx(0.005));
  CHECK(*h.value_in_unit == doctest::Approx(5));
  CHECK(n.lines(h) == "8 19");

  const Symbol& weight = n.symbol("weight");
  CHECK(weight.kind == Symbol::Kind::let);
  CHECK(weight.type == "a number");
  CHECK(weight.unit == "kg m/s^2");
  CHECK(*weight.value == doctest::Approx(19.62));

  const Symbol& z = n.symbol("z");
  CHECK(z.kind == Symbol::Kind::coordinate);
  CHECK(*z.value == doctest::Approx(0.015));
  CHECK(n.lines(z) == "11 12 19 25");
  CHECK(n.lines("x") == "10 11 21");

  CHECK(n.symbol("twice").arguments == std::vector<std::string>{"a", "factor"});
  CHECK(n.lines("twice") == "8 25");
  CHECK(n.lines(n.local("factor", Symbol::Kind::argument)) == "6 8");
  CHECK(n.lines(n.local("a", Symbol::Kind::argument)) == "6");
  CHECK(n.symbol("cap").kind == Symbol::Kind::set);
  CHECK(n.symbol("up").unit == "mm");
  CHECK(n.symbol("press").unit == "kg m/s^2");

  CHECK(n.lines("stick") == "23");
  CHECK(n.lines(n.local("mu", Symbol::Kind::argument)) == "15 23");
  CHECK(n.lines(n.local("T", Symbol::Kind::force)) == "16");
  CHECK(n.lines(n.local("c", Symbol::Kind::let)) == "16 16");
  CHECK(n.lines(n.local("low", Symbol::Kind::let)) == "20");

  const Symbol& floor = n.symbol("floor");
  CHECK(floor.kind == Symbol::Kind::contact);
  CHECK(floor.members == std::vector<std::string>{"N", "T", "gap", "slip"});
  CHECK(n.lines(floor) == "26");

  const Symbol& unilateral = n.symbol("unilateral");
  CHECK(unilateral.library);
  CHECK(n.lines(unilateral) == "22");

  const auto at = static_cast<std::uint32_t>(n.text.find("weight*z"));
  CHECK(n.table.at(0, at) == &weight);
  CHECK(n.table.at(0, at + 6) == nullptr);
}

TEST_CASE("symbols: a wrong declaration takes nothing from the others") {
  std::string text = kModel;
  text.replace(text.find("potential weight*z"), 18, "potential weight*q");
  const Named n(text);
  CHECK(n.diagnostics.error_count() == 1);
  CHECK(n.lines("weight") == "12");
  CHECK(*n.symbol("weight").value == doctest::Approx(19.62));
  CHECK(n.symbol("floor").members == std::vector<std::string>{"N", "T", "gap", "slip"});
  CHECK(n.symbol("press").unit == "kg m/s^2");

  // What it says itself stays known.
  text = kModel;
  text.replace(text.find("let weight = m*g"), 16, "let weight = m+g");
  const Named wrong(text);
  CHECK(wrong.lines("m") == "5 11");
  CHECK(wrong.lines("weight") == "12");
  CHECK(wrong.symbol("weight").type.empty());
  CHECK(wrong.symbol("z").value);
}

TEST_CASE("symbols: after a syntax error the declarations before and after it are there, with their uses") {
  for (const char* broken : {"kinetic m/2*(z'^2 + x'^2", "kinetic m/2*", "kinetic ?"}) {
    std::string text = kModel;
    const std::string energy = "kinetic m/2*(z'^2 + x'^2)";
    text.replace(text.find(energy), energy.size(), broken);
    const Named n(text);
    CHECK(!n.whole);
    CHECK(n.lines("m") == "5");
    CHECK(n.lines("z") == "12 19 25");
    CHECK(*n.symbol("h").value_in_unit == doctest::Approx(5));
    CHECK(n.symbol("floor").members == std::vector<std::string>{"N", "T", "gap", "slip"});
    CHECK(n.lines("unilateral") == "22");
  }
  const Named nothing("param\n\xff");
  CHECK(!nothing.whole);
  CHECK(nothing.symbol("unilateral").library);
}

TEST_CASE("symbols: bodies, shapes, contacts named after them, joints and indices") {
  const Named n(R"(model b
param n = 3
gravity [0, 0, -9.81] [m/s^2]
body top = rigid(mass = 1 [kg], inertia = [1, 1, 1] [kg m^2])
body bead[i in 1..n] = point(mass = i*1 [kg], position = [i, 0, 0] [m])
shape head = sphere(radius = 1 [m]) on top
shape floor = plane(normal = [0, 0, 1])
contact head on floor { law unilateral }
joint pin = revolute(world, top, at = [0, 0, 0] [m], axis = [0, 0, 1])
spring s[i in 1..n-1] between bead[i].position and bead[i + 1].position stiffness 1 [N/m]
output a = head.gap
output b = pin.angle
output c = top.position[3] + head.N*1 [m/N]
)");
  REQUIRE_MESSAGE(!n.diagnostics.has_errors(), render(n.diagnostics, n.sources, false));
  CHECK(n.symbol("top").type == "rigid");
  CHECK(has(n.symbol("top").members, "quaternion"));
  CHECK(!has(n.symbol("bead").members, "quaternion"));
  CHECK(n.symbol("bead").array);
  CHECK(n.lines("bead") == "10 10");
  CHECK(n.lines("n") == "5 10");
  CHECK(n.lines(n.local("i", Symbol::Kind::index)) == "5 5");
  CHECK(n.symbol("head").kind == Symbol::Kind::shape);
  CHECK(has(n.symbol("head").members, "N"));  // of the contact that is called like it
  CHECK(n.lines("head") == "8 11 13");
  CHECK(n.lines("floor") == "8");
  CHECK(n.symbol("pin").kind == Symbol::Kind::joint);
  CHECK(has(n.symbol("pin").members, "angle"));
  CHECK(n.symbol("s").kind == Symbol::Kind::spring);
  const auto at = static_cast<std::uint32_t>(n.text.find("floor { law"));
  CHECK(n.table.at(0, at) == &n.symbol("floor"));
}

// If one use were missing, or one too many, the renamed model would not be right.
TEST_CASE("symbols: models in which every name is replaced with all its uses are still right") {
  std::size_t renamed = 0;
  for (const auto& entry : std::filesystem::directory_iterator(NSMC_SOURCE_DIR "/models")) {
    if (entry.path().extension() != ".nsm") continue;
    std::ifstream file(entry.path());
    const std::string text(std::istreambuf_iterator<char>(file), {});
    if (text.find("\nimport ") != std::string::npos) continue;
    const Named n(text);
    REQUIRE_MESSAGE(!n.diagnostics.has_errors(), entry.path());
    std::vector<Span> places;
    for (const Symbol& symbol : n.table.symbols) {
      // Forces are also members of contacts; a contact without a name follows its shapes.
      const bool follows = symbol.kind == Symbol::Kind::contact && n.sources.text(symbol.declared) != symbol.name;
      if (symbol.library || symbol.kind == Symbol::Kind::force || follows) continue;
      places.push_back(symbol.declared);
      places.insert(places.end(), symbol.uses.begin(), symbol.uses.end());
    }
    std::sort(places.begin(), places.end(), [](const Span& a, const Span& b) { return a.end > b.end; });
    std::string changed = text;
    for (const Span& place : places) changed.insert(place.end, "_");
    const Named after(changed);
    CHECK_MESSAGE(!after.diagnostics.has_errors(), entry.path(), render(after.diagnostics, after.sources, false));
    renamed += places.size();
  }
  CHECK(renamed > 500);
}
