// What must hold for every model of models/, whatever it says: solvers agree, reruns are the same bytes, and a
// parameter from the command line is as good as one in the file.
#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "heaps.hpp"
#include "run_model.hpp"
#include "tests/temporary_folder.hpp"

using namespace nsmc::test;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(NSMC_SOURCE_DIR "/models")) {
    if (entry.path().extension() == ".nsm") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  REQUIRE(names.size() >= 8);
  return names;
}

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE_MESSAGE(file.good(), path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void nsmc_run(const std::string& model, const std::string& arguments, const std::string& output) {
  const std::string command = "'" NSMC_PROGRAM "' run '" + model + "' --quiet -o '" + output + "' " + arguments;
  REQUIRE_MESSAGE(std::system(command.c_str()) == 0, command);
}

// Velocities and positions always. Forces, too, but for three models: in stick they have more friction forces than
// motions, and how these share the load is not determined.
void check_same(const std::string& name, const Trajectory& one, const Trajectory& other) {
  CAPTURE(name);
  REQUIRE(one.rows() == other.rows());
  const bool redundant = name == "block" || name == "domino" || name == "slider_crank";
  for (const std::string& column : one.names()) {
    const bool is_force = column.find('.') != std::string::npos && !column.ends_with(".gap");
    if (is_force && redundant) continue;
    CAPTURE(column);
    double scale = 0, worst = 0;
    for (std::size_t k = 0; k < one.rows(); ++k) {
      scale = std::max(scale, std::abs(one[column][k]));
      worst = std::max(worst, std::abs(one[column][k] - other[column][k]));
    }
    CHECK(worst <= 1e-7 * scale + 1e-10);
  }
}

}  // namespace

TEST_CASE("every model: jor and sor agree") {
  for (const std::string& name : model_names()) {
    if (is_heap(name)) continue;
    Model model = Model::named(name);
    RunSettings settings;
    settings.tolerance = 1e-13;
    const Trajectory sor = model.run({}, settings);
    settings.solver = nsmc::rt::SolverKind::jor;
    check_same(name, sor, model.run({}, settings));
  }
}

TEST_CASE("every model: all solvers meet in one solution") {
  using nsmc::rt::SolverKind;
  for (const std::string& name : model_names()) {
    if (is_heap(name)) continue;
    CAPTURE(name);
    Model model = Model::named(name);
    const std::vector<double> p = model.parameters();
    RunSettings settings;
    settings.tolerance = 1e-13;
    settings.until = std::min(model.until(p), 6000 * model.step(p));  // until the ball has bounced
    const Trajectory sor = model.run({}, settings);
    for (const SolverKind kind : {SolverKind::jprox, SolverKind::uzawa, SolverKind::multiplier, SolverKind::newton}) {
      CAPTURE(static_cast<int>(kind));
      settings.solver = kind;
      check_same(name, sor, model.run({}, settings));
    }
  }
}

TEST_CASE("every model: a second run writes the same bytes") {
  const TemporaryFolder folder;
  for (const std::string& name : model_names()) {
    CAPTURE(name);
    const std::string model = NSMC_SOURCE_DIR "/models/" + name + ".nsm";
    nsmc_run(model, "", folder / "first.csv");
    nsmc_run(model, "", folder / "second.csv");
    const std::string first = read(folder / "first.csv");
    CHECK(std::count(first.begin(), first.end(), '\n') > 50);
    CHECK(first == read(folder / "second.csv"));
  }
}

TEST_CASE("every model: in this process and by the program, the numbers are the same") {
  const TemporaryFolder folder;
  nsmc_run(NSMC_SOURCE_DIR "/models/pendulum.nsm", "--tol 1e-12", folder / "program.csv");
  const Trajectory run = Model::named("pendulum").run();
  std::istringstream lines(read(folder / "program.csv"));
  std::string line;
  std::getline(lines, line);
  CHECK(line == "t,phi,phi',bearing.T,energy");
  std::size_t k = 0;
  for (; std::getline(lines, line); ++k) {
    REQUIRE(k < run.rows());
    std::istringstream cells(line);
    std::string cell;
    for (const double value : {run.t[k], run["phi"][k], run["phi'"][k], run["bearing.T"][k], run["energy"][k]}) {
      REQUIRE(std::getline(cells, cell, ','));
      CHECK(std::stod(cell) == value);
    }
  }
  CHECK(k == run.rows());
}

TEST_CASE("every model: parameters overridden give what a changed file gives") {
  struct Change {
    const char* model;
    const char* written;
    const char* instead;
    const char* set;
  };
  const TemporaryFolder folder;
  for (const Change& c : {Change{"bouncing_ball", "param e = 0.8", "param e = 0.5", "--set e=0.5"},
                          Change{"bouncing_ball", "param A = 0 [mm]", "param A = 3 [mm]", "--set 'A=3[mm]'"},
                          Change{"cradle", "param r = 20 [mm]", "param r = 35 [mm]", "--set r=0.035"},
                          Change{"slider_crank", "param w0 = 20 [rad/s]", "param w0 = 15 [rad/s]", "--set w0=15"},
                          Change{"two_masses", "param eps = 0.1", "param eps = 0.2", "--set eps=0.2"}}) {
    CAPTURE(c.set);
    const std::string original = NSMC_SOURCE_DIR "/models/" + std::string(c.model) + ".nsm";
    std::string text = read(original);
    const std::size_t at = text.find(c.written);
    REQUIRE_MESSAGE(at != std::string::npos, c.written);
    text.replace(at, std::string(c.written).size(), c.instead);
    std::ofstream(folder / "changed.nsm") << text;
    nsmc_run(original, c.set, folder / "set.csv");
    nsmc_run(folder / "changed.nsm", "", folder / "changed.csv");
    nsmc_run(original, "", folder / "original.csv");
    const std::string set = read(folder / "set.csv");
    CHECK(set == read(folder / "changed.csv"));
    CHECK(set != read(folder / "original.csv"));
  }
}

TEST_CASE("every model: overriding in one process needs no second compilation") {
  Model model = Model::named("incline");
  const Trajectory before = model.run({{"alpha", 0.6}});
  const Trajectory other = model.run({{"alpha", 0.2}, {"m", 5}});
  const Trajectory after = model.run({{"alpha", 0.6}});
  CHECK(before["s"] == after["s"]);
  CHECK(before["incline.N"] == after["incline.N"]);
  CHECK(other.last("incline.N") == doctest::Approx(5 * 9.81 * std::cos(0.2)));
}
