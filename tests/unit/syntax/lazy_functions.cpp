// Functions parsed one by one are those of the file parsed as a whole.
#include "compiler/syntax/lazy_functions.hpp"

#include <doctest/doctest.h>

#include "compiler/api/standard_library.hpp"
#include "compiler/syntax/parse.hpp"
#include "compiler/syntax/same.hpp"

using namespace nsmc;

TEST_CASE("every function of the library of bodies is found, the same and at the same place as in the whole file") {
  for (const LibraryFile& library : standard_library()) {
    if (library.name != "std/bodies.nsm") continue;
    Sources sources;
    Diagnostics diagnostics;
    const FileId file = sources.add(std::string(library.name), std::string(library.text));
    const auto whole = parse(sources, file, diagnostics);
    REQUIRE(whole);
    LazyFunctions functions(sources, file);
    CHECK(functions.entries().size() == whole->declarations.size());
    for (const ast::Declaration& declaration : whole->declarations) {
      const auto& expected = std::get<ast::Function>(declaration.value);
      CAPTURE(expected.name.text);
      const ast::Function* found = functions.find(expected.name.text);
      REQUIRE(found != nullptr);
      CHECK(found->name.span == expected.name.span);
      CHECK(functions.entries().find(expected.name.text)->second.name == expected.name.span);
      CHECK(found->body.span == expected.body.span);
      CHECK(same(found->body, expected.body));
      CHECK(found->parameters.size() == expected.parameters.size());
      CHECK(functions.find(expected.name.text) == found);  // parsed once
    }
  }
}

TEST_CASE("a function that is not there is not found") {
  LazyFunctions none;
  CHECK(none.find("f") == nullptr);
  Sources sources;
  LazyFunctions one(sources, sources.add("one.nsm", "// fn not(x) = x\nfn f(x) = 2*x  // fn g(x) = x\n"));
  CHECK(one.entries().size() == 1);
  CHECK(one.find("g") == nullptr);
  CHECK(one.find("not") == nullptr);
  CHECK(one.find("f") != nullptr);
}
