// Models, runs and studies on several threads at once give the bits that they give one after another. With
// ThreadSanitizer (scripts/test --tsan) this is also where it looks for races.
#include <doctest/doctest.h>

#include <string>
#include <thread>
#include <vector>

#include "nsmc/nsmc.hpp"

using namespace nsmc;

namespace {

// What is done with a model, as numbers: compiled anew, run by every method, studied.
std::vector<double> numbers_of(const Model& model) {
  std::vector<double> numbers;
  for (const char* method : {"moreau", "rk", "event", "lie"}) {
    Table table;
    model.run({.settings = {{"method", method}, {"until", 0.05}}}, table);
    for (const auto& column : table.columns) numbers.insert(numbers.end(), column.begin(), column.end());
  }
  const StudyResult study = model.study(
      {.axes = {{"e=0.1:0.9:9"}}, .measures = {"z", "energy"}, .settings = {{"until", 0.05}}, .threads = 2});
  for (const StudyRow& row : study.rows) {
    for (const auto& value : row.values) numbers.push_back(value.value_or(-1));
  }
  return numbers;
}

std::string text_of_model(int k) {
  return "param m = " + std::to_string(1 + k) + R"( [kg]
param e = 0.5
coord x [m] = 0.01  coord z [m] = 0.01
initial x' = 0.1 [m/s]
kinetic m/2*(x'^2 + z'^2)
potential m*9.81 [m/s^2]*z
contact floor { gap z  slip x'  law unilateral(e)  law coulomb(0.3) }
simulate { until 0.1 [s]  step 1 [ms] }
)";
}

}  // namespace

TEST_CASE("threads: models of their own, compiled and run at once") {
  constexpr int n = 4;
  std::vector<std::vector<double>> alone, at_once(n);
  for (int k = 0; k < n; ++k) alone.push_back(numbers_of(Model::from_text(text_of_model(k))));
  std::vector<std::thread> threads;
  for (int k = 0; k < n; ++k) {
    threads.emplace_back([k, &at_once] { at_once[k] = numbers_of(Model::from_text(text_of_model(k))); });
  }
  for (std::thread& thread : threads) thread.join();
  for (int k = 0; k < n; ++k) {
    CAPTURE(k);
    CHECK(alone[k].size() > 500);
    CHECK(alone[k] == at_once[k]);
  }
}

TEST_CASE("threads: one model, run and looked at by several") {
  const Model model = Model::from_text(text_of_model(0));
  REQUIRE_MESSAGE(model.ok(), model.diagnostics_text());
  const std::vector<double> alone = numbers_of(model);
  std::vector<std::vector<double>> at_once(3);
  std::vector<std::thread> threads;
  for (auto& numbers : at_once) threads.emplace_back([&] { numbers = numbers_of(model); });
  threads.emplace_back([&] {
    for (int k = 0; k < 20; ++k) {
      model.contacts();
      model.columns();
      model.symbols();
      model.resume(model.start().save());
      model.run({.overrides = {{"e", 0.02 * k}}, .settings = {{"until", 0.01}}});
    }
  });
  for (std::thread& thread : threads) thread.join();
  for (const auto& numbers : at_once) CHECK(numbers == alone);
}
