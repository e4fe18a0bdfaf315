// Arrays: bounds, overrides of the parameters they depend on, indices, and how coordinate arrays become blocks.
#include <doctest/doctest.h>

#include "tests/unit/model/check_text.hpp"

using namespace nsmc;
using namespace nsmc::test;

namespace {

constexpr const char* kChain = R"(
  param n = 3
  param m = 1 [kg]
  param k = 10 [N/m]
  coord z[i in 1..n] [m] = i*0.1 [m]
  kinetic m/2*z[i]'^2 for i in 1..n
  potential k/2*(z[i + 1] - z[i])^2 for i in 1..n-1
  contact stop[i in 2..n] { gap z[i] - z[i - 1]  law unilateral }
  output stretch[i in 1..n-1] = z[i + 1] - z[i]
)";

std::size_t instances_of(const std::vector<TypedTerm>& terms, std::size_t i) { return terms.at(i).instances.count(); }

}  // namespace

TEST_CASE("arrays: the range of each declaration") {
  const Checked checked(kChain, true);
  const TypedModel& model = checked.good();
  REQUIRE(model.blocks.size() == 1);
  CHECK(model.blocks[0].name == "z@");
  CHECK(model.blocks[0].instances.indices == std::vector<IndexBounds>{{1, 3}});
  CHECK(instances_of(model.kinetic, 0) == 3);
  CHECK(instances_of(model.potential, 0) == 2);
  CHECK(model.contacts[0].name == "stop@");
  CHECK(model.contacts[0].instances.indices == std::vector<IndexBounds>{{2, 3}});
  CHECK(model.outputs[0].instances.count() == 2);
  CHECK(model.coordinates[0].name == "z@");
  CHECK(model.velocities[0].name == "z@'");
}

TEST_CASE("arrays: their size follows the parameters of a run") {
  const Checked checked(kChain, true, {{"n", 5}});
  const TypedModel& model = checked.good();
  CHECK(model.blocks[0].instances.count() == 5);
  CHECK(instances_of(model.potential, 0) == 4);
  CHECK(model.contacts[0].instances.count() == 4);
  CHECK(model.parameters[0].structural);
  CHECK_FALSE(model.parameters[1].structural);
  CHECK(Checked(kChain, true, {{"n", 2.5}}).codes() == "N0801 N0801 N0801 N0801 N0801");
  CHECK(Checked(kChain, true, {{"m", 5}}).good().blocks[0].instances.count() == 3);
}

TEST_CASE("arrays: a size that follows other parameters") {
  const char* text = R"(
    param rows = 2  param columns = 3  param n = rows*columns
    coord z[i in 0..n-1]
    kinetic z[i]'^2/2 for i in 0..n-1
  )";
  CHECK(Checked(text).good().blocks[0].instances.count() == 6);
  CHECK(Checked(text, false, {{"rows", 5}}).good().blocks[0].instances.count() == 15);
  CHECK(Checked(text, false, {{"n", 4}}).good().blocks[0].instances.count() == 4);
}

TEST_CASE("arrays: an empty one is allowed") {
  const Checked checked(kChain, true, {{"n", 0}});
  CHECK(checked.good().blocks[0].instances.count() == 0);
}

TEST_CASE("arrays: indices are checked for every instance") {
  const auto codes = [](const std::string& declaration) {
    return Checked(
               "param n = 4  param two = 2\ncoord x  coord z[i in 1..n]\nkinetic x'^2\nkinetic z[i]'^2 for i in "
               "1..n\n" +
               declaration)
        .codes();
  };
  CHECK(codes("potential z[i]*z[n + 1 - i] for i in 1..n") == "");
  CHECK(codes("potential z[two*i] for i in 1..n/2") == "");
  CHECK(codes("potential z[two]") == "");
  CHECK(codes("potential z[i]*i for i in 2..3") == "");
  CHECK(codes("potential z[two*i] for i in 1..n") == "N0802");
  CHECK(codes("potential z[i - 1] for i in 1..n") == "N0802");
  CHECK(codes("potential z[i/2] for i in 1..n") == "N0802");
  CHECK(codes("potential z[0]") == "N0802");
  CHECK(codes("potential z[x]") == "N0802");
  CHECK(codes("potential z") == "N0802");
  CHECK(codes("potential x[1]") == "");  // a number is a vector of one component
  CHECK(codes("potential x[2]") == "N0304");
  CHECK(codes("output a = z[1]'  output b = z[n]") == "");
  CHECK(codes("force z[i] : -z[i]' for i in 1..n") == "");
  CHECK(codes("force z : 1") == "N0802");
  CHECK(codes("potential i") == "N0201");
  CHECK(codes("output e[i in 1..n] = energy") == "N0305");
}

TEST_CASE("arrays of one range are one block, others are blocks of their own") {
  const Checked checked(R"(
    param n = 3
    coord s
    coord x[i in 1..n]  coord w[k in 0..n]  coord y[j in 1..n]
    kinetic s'^2
    kinetic x[i]'^2 + y[i]'^2 for i in 1..n
    kinetic w[i]'^2 for i in 0..n
  )");
  const TypedModel& model = checked.good();
  REQUIRE(model.blocks.size() == 3);
  CHECK(model.blocks[0].name == "coordinates");
  CHECK(model.blocks[0].instances.single());
  CHECK(model.blocks[1].name == "x,y@");
  CHECK(model.blocks[1].n_coordinates == 2);
  CHECK(model.blocks[1].instances.indices == std::vector<IndexBounds>{{1, 3}});
  CHECK(model.blocks[2].name == "w@");
  CHECK(model.blocks[2].instances.indices == std::vector<IndexBounds>{{0, 3}});
  std::vector<std::string> names;
  for (const TypedCoordinate& c : model.coordinates) names.push_back(c.name);
  CHECK(names == std::vector<std::string>{"s", "x@", "y@", "w@"});
  for (const TypedCoordinate& c : model.coordinates) {
    const TypedBlock& block = model.blocks[c.block];
    const auto index = static_cast<std::size_t>(&c - model.coordinates.data());
    CHECK(index >= block.first_coordinate);
    CHECK(index < block.first_coordinate + block.n_coordinates);
  }
}

TEST_CASE("arrays: initial values are functions of the index") {
  const char* text = R"(
    param n = 3
    coord z[i in 1..n] = i^2
    initial z[i in 1..n]' = piecewise { i == 1 : 5, else : 0 }
    kinetic z[i]'^2 for i in 1..n
  )";
  Checked checked(text);
  const TypedModel& model = checked.good();
  CHECK(model.coordinates[0].initial.has_value());
  CHECK(model.velocities[0].initial.has_value());
  CHECK(Checked("coord z[i in 1..3] = 1\ninitial z[i in 1..3] = 2\nkinetic z[i]'^2 for i in 1..3").codes() == "N0514");
  CHECK(Checked("coord z[i in 1..3]\ninitial z[i in 1..2] = 2\nkinetic z[i]'^2 for i in 1..3").codes() == "N0801");
}
